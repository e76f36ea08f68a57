// SPDX-License-Identifier: Apache-2.0

// access_logins: who has logged in to the page: sessions, each with an id of random bytes that its
// browser keeps as a cookie. Here is its hash. A session is for a line of the rules
// (access_rules.h), and over when that line is not there any more as it was, when it was not used
// for ACCESS_LOGIN_IDLE_S_MAX, after ACCESS_LOGIN_TOTAL_S_MAX in any case, and with the process.
// Where there are too many the one that was not used for the longest time makes room: of those of
// its line, if these are ACCESS_LOGINS_OF_LINE_MAX.
//
// now_ns is of a clock that never goes back.
//
// Threads: any thread; a mutex inside.
// Tests:   tests/unit/collector/access/test_access_logins.c

#ifndef LP_COLLECTOR_ACCESS_ACCESS_LOGINS_H
#define LP_COLLECTOR_ACCESS_ACCESS_LOGINS_H

#include "collector/access/access_rules.h"
#include "common/base/lp_err.h"

#include <stdint.h>

enum {
    ACCESS_LOGINS_MAX = 1024,
    ACCESS_LOGINS_OF_LINE_MAX = 64,
    ACCESS_LOGIN_IDLE_S_MAX = 2 * 3600,
    ACCESS_LOGIN_TOTAL_S_MAX = 24 * 3600,
    ACCESS_LOGIN_SECRET_BYTES = 32,
    ACCESS_LOGIN_ID_CHARS = 2 * ACCESS_LOGIN_SECRET_BYTES, // hexadecimal digits
};

typedef struct access_logins access_logins;

// access_logins_create makes an empty table. NULL: out of memory.
access_logins *access_logins_create(void);
void access_logins_destroy(access_logins *logins); // NULL is fine

// access_logins_begin begins a session of a rule. Errors: LP_EIO there are no random bytes
LP_MUST_USE lp_err access_logins_begin(access_logins *logins, const access_rule *rule,
    int64_t now_ns, char out_id[ACCESS_LOGIN_ID_CHARS + 1]);

// access_logins_find returns the rule of the session with this id, which is used by that. NULL:
// there is none, or it is over, as for an id of NULL. Sessions that are over are forgotten.
const access_rule *access_logins_find(
    access_logins *logins, const access_rules *rules, const char *id, int64_t now_ns);

// access_logins_end ends the session with this id; there may be none.
void access_logins_end(access_logins *logins, const char *id);

#endif // LP_COLLECTOR_ACCESS_ACCESS_LOGINS_H
