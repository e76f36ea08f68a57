// SPDX-License-Identifier: Apache-2.0

// access_rules: who may do what, as a file says it, one rule a line:
//
//   NAME RIGHTS SERVICES SECRET
//
//   NAME      of an identity, which may have several lines: one for its old token, one for the new
//   RIGHTS    ingest, read, admin, joined by commas. None of them implies another
//   SERVICES  names joined by commas, or * for all. In a name %20 is a space, %2C a comma, %25 a %
//   SECRET    sha256:HEX, the SHA-256 of a token: its digits in lower or upper case. Or cert:NAME:
//             who shows a certificate of this name on the agents' port, where --tls-client-ca asks
//             for one; %XX as in SERVICES. Its right is ingest, as HTTP asks for no certificate
//
// Words are separated by blanks; what follows a # is a comment, and lines without words count
// nothing. A token itself is in no file of the collector's, and has ACCESS_TOKEN_BYTES_MIN or more.
//
// Threads: the rules never change; counted, for any thread.
// Tests:   tests/unit/collector/access/test_access_rules.c
// Memory:  some 200 bytes a rule, and the names

#ifndef LP_COLLECTOR_ACCESS_ACCESS_RULES_H
#define LP_COLLECTOR_ACCESS_ACCESS_RULES_H

#include "collector/base/secret_hash.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ACCESS_RULES_MAX = 1000,
    ACCESS_NAME_BYTES_MAX = 64, // of an identity
    ACCESS_TOKEN_BYTES_MIN = 16,
    ACCESS_TOKEN_BYTES_MAX = 512,
    ACCESS_CERT_NAME_BYTES_MAX = 255,
};

typedef enum access_right {
    ACCESS_INGEST = 1, // send recordings
    ACCESS_READ = 2,   // read recordings, and what is known of them
    ACCESS_ADMIN = 4,  // remove recordings
} access_right;

// What a rule is for: who has a token, or a certificate.
typedef enum access_kind { ACCESS_TOKEN, ACCESS_CERT } access_kind;

typedef struct access_key {
    access_kind kind;
    uint8_t hash[SECRET_HASH_BYTES]; // of the token, or of the certificate's name
} access_key;

typedef struct access_rules access_rules;
typedef struct access_rule access_rule; // a line, which is there as long as its rules

// access_rules_parse reads the content of the file at path. asks_certs: agents are asked for
// certificates; where they are not, a line for one is a mistake.
// Owns:   the caller ends *out_rules with access_rules_unref.
// Errors: LP_ECORRUPT and LP_ELIMIT with path, line and what should be there; LP_ENOMEM
LP_MUST_USE lp_err access_rules_parse(const char *path, lp_slice text, bool asks_certs,
    access_rules **out_rules, lp_problem *out_problem);

access_rules *access_rules_ref(access_rules *rules);
void access_rules_unref(access_rules *rules); // NULL is fine

// access_rules_count returns how many rules there are.
size_t access_rules_count(const access_rules *rules);

// access_rules_find_token returns the rule of a token; NULL: there is none. How long it takes says
// nothing about the tokens that there are.
const access_rule *access_rules_find_token(const access_rules *rules, lp_slice token);

// access_rules_find_cert returns the rule of the name in a certificate that its peer has proved to
// own. NULL: there is none, as for a name of NULL.
const access_rule *access_rules_find_cert(const access_rules *rules, const char *name);

// access_rules_find does so by the key of a rule of these rules, or of earlier ones.
const access_rule *access_rules_find(const access_rules *rules, const access_key *key);

// access_rules_find_line returns the rule whose line has this hash. NULL: there is none, or not as
// it was.
const access_rule *access_rules_find_line(
    const access_rules *rules, const uint8_t line[SECRET_HASH_BYTES]);

// access_rule_get_name returns the name of the rule's identity.
const char *access_rule_get_name(const access_rule *rule);

// access_rule_get_key returns what the rule is for.
const access_key *access_rule_get_key(const access_rule *rule);

// access_rule_get_line returns the hash of all words of the rule's line, of SECRET_HASH_BYTES.
const uint8_t *access_rule_get_line(const access_rule *rule);

// access_rule_allows returns whether a right is given for a service; of NULL, for all of them.
bool access_rule_allows(const access_rule *rule, access_right right, const char *service);

// access_rule_has returns whether a right is given for any service at all.
bool access_rule_has(const access_rule *rule, access_right right);

#endif // LP_COLLECTOR_ACCESS_ACCESS_RULES_H
