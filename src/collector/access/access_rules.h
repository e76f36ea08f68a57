// SPDX-License-Identifier: Apache-2.0

// access_rules: the rules of access, parsed from a file with one rule a line:
//
//   NAME RIGHTS SERVICES SECRET
//
//   NAME      of an identity; may have several lines, for example for an old and a new token
//   RIGHTS    ingest, read, pin, admin, joined by commas. No right implies another
//   SERVICES  names joined by commas, or * for all. In a name %20 is a space, %2C a comma, %25 a %
//   SECRET    sha256:HEX, the SHA-256 of a token in hexadecimal digits of either case. Or
//             cert:NAME, the name in an agent's client certificate, if --tls-client-ca requires
//             one; %XX as in SERVICES. Allows ingest only, as HTTP asks for no certificate
//
// Words are separated by blanks. # starts a comment; lines without words are skipped. A token has
// ACCESS_TOKEN_BYTES_MIN or more bytes and is in no file of the collector.
//
// Threads: any thread; the rules never change and are reference counted.
// Tests:   tests/unit/collector/access/test_access_rules.c
// Memory:  some 200 bytes a rule, and the names

#pragma once

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
    ACCESS_READ = 2,   // read recordings and metadata
    ACCESS_ADMIN = 4,  // remove recordings
    ACCESS_PIN = 8,    // keep recordings whole (pins.h)
} access_right;

// Whether a rule is for the owner of a token or of a certificate.
typedef enum access_kind { ACCESS_TOKEN, ACCESS_CERT } access_kind;

typedef struct access_key {
    access_kind kind;
    uint8_t hash[SECRET_HASH_BYTES]; // of the token, or of the certificate's name
} access_key;

typedef struct access_rules access_rules;
typedef struct access_rule access_rule; // a line; lives as long as its access_rules

// access_rules_parse parses text, the content of the file at path. asks_certs: agents must show
// certificates; if false, a line with cert: is an error. The caller owns *out_rules.
// Errors: LP_ECORRUPT and LP_ELIMIT with path, line and expected form; LP_ENOMEM
LP_MUST_USE lp_err access_rules_parse(const char *path, lp_slice text, bool asks_certs,
    access_rules **out_rules, lp_problem *out_problem);

access_rules *access_rules_ref(access_rules *rules);
void access_rules_unref(access_rules *rules); // NULL is fine

size_t access_rules_count(const access_rules *rules);

// access_rules_find_token returns the rule of a token; NULL: none. The time of the search does not
// depend on the tokens in the rules.
const access_rule *access_rules_find_token(const access_rules *rules, lp_slice token);

// access_rules_find_cert returns the rule of the name in a verified certificate. NULL: none, or
// name is NULL.
const access_rule *access_rules_find_cert(const access_rules *rules, const char *name);

// access_rules_find returns the rule with this key; the key may come from earlier rules. NULL:
// none.
const access_rule *access_rules_find(const access_rules *rules, const access_key *key);

// access_rules_find_line returns the rule whose line has this hash. NULL: none, or it has changed.
const access_rule *access_rules_find_line(
    const access_rules *rules, const uint8_t line[SECRET_HASH_BYTES]);

const char *access_rule_get_name(const access_rule *rule);

const access_key *access_rule_get_key(const access_rule *rule);

// access_rule_get_line returns the hash of the words of the rule's line: SECRET_HASH_BYTES.
const uint8_t *access_rule_get_line(const access_rule *rule);

// access_rule_allows returns whether the rule gives a right for a service; NULL: for all services.
bool access_rule_allows(const access_rule *rule, access_right right, const char *service);

// access_rule_has returns whether the rule gives a right for at least one service.
bool access_rule_has(const access_rule *rule, access_right right);

// access_rule_list writes the names of the services for which the rule gives a right, with
// separator in between; "": it gives it for all. Errors: LP_ELIMIT they take more than size_bytes;
// LP_ENOENT it gives it for none
LP_MUST_USE lp_err access_rule_list(const access_rule *rule, access_right right, char separator,
    char *out_names, size_t size_bytes);
