// SPDX-License-Identifier: Apache-2.0

// access_logins: the sessions of the page, and a limit on failed logins.
//
// A session has an id of random bytes, which the browser keeps as a cookie; the table holds its
// hash. A session belongs to one line of the rules (access_rules.h). It ends if that line changes
// or disappears, after ACCESS_LOGIN_IDLE_S_MAX without use, after ACCESS_LOGIN_TOTAL_S_MAX, and
// with the process. If the table is full, a new session ends the least recently used session. If a
// line has ACCESS_LOGINS_OF_LINE_MAX sessions, a new session of this line ends the line's least
// recently used one.
//
// now_ns is the time of a monotonic clock.
//
// Threads: any thread; mutexes inside.
// Tests:   tests/unit/collector/access/test_access_logins.c,
//          tests/unit/collector/http/routes/test_http_login.c

#pragma once

#include "collector/access/access_rules.h"
#include "common/base/lp_err.h"

#include <pthread.h>
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

// access_logins_create returns an empty table. NULL: out of memory.
access_logins *access_logins_create(void);
void access_logins_destroy(access_logins *logins); // NULL is fine

// access_logins_begin begins a session of a rule. Errors: LP_EIO there are no random bytes
LP_MUST_USE lp_err access_logins_begin(access_logins *logins, const access_rule *rule,
    int64_t now_ns, char out_id[ACCESS_LOGIN_ID_CHARS + 1]);

// access_logins_find returns the rule of the session with this id and marks the session as used.
// Returns NULL if id is NULL or unknown, or if the session has ended. Drops ended sessions.
const access_rule *access_logins_find(
    access_logins *logins, const access_rules *rules, const char *id, int64_t now_ns);

// access_logins_end ends the session with this id, if there is one.
void access_logins_end(access_logins *logins, const char *id);

// --- Failed attempts

// A place is an address, given by its hash. Logins from it may fail ACCESS_ATTEMPTS_AT_ONCE times,
// and then once in ACCESS_ATTEMPT_S. Successful attempts are not counted, so nobody is locked out
// by others at the same place. If two places share a slot, the newer one replaces the older. The
// limit only reduces noise: the length of tokens prevents guessing.
enum {
    ACCESS_ATTEMPTS_AT_ONCE = 10,
    ACCESS_ATTEMPT_S = 6,
    ACCESS_ATTEMPT_PLACES = 1024,
};

// {.mutex = PTHREAD_MUTEX_INITIALIZER} has no attempts.
typedef struct access_attempts {
    pthread_mutex_t mutex;
    struct access_place {
        uint64_t key;
        int64_t until_ns; // when it may fail ACCESS_ATTEMPTS_AT_ONCE times again
    } places[ACCESS_ATTEMPT_PLACES];
} access_attempts;

// access_attempts_take counts a failed attempt from a place, and returns 0. If the place is at its
// limit, it counts nothing, and returns the seconds until the next attempt is allowed.
unsigned access_attempts_take(access_attempts *attempts, uint64_t place, int64_t now_ns);
