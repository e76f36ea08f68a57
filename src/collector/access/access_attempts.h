// SPDX-License-Identifier: Apache-2.0

// access_attempts: how often somebody may fail to log in from one place: ACCESS_ATTEMPTS_AT_ONCE
// times, and then once in ACCESS_ATTEMPT_S. An attempt that succeeds is not counted, so that nobody
// is kept out by others of the place.
//
// It knows ACCESS_ATTEMPT_PLACES places; one that comes beside may have another forgotten. So the
// limit is one on noise and on what lies near; that a token cannot be guessed is due to its length.
//
// now_ns is of a clock that never goes back.
//
// Threads: any thread; a mutex inside.
// Tests:   tests/unit/collector/access/test_access_logins.c,
//          tests/unit/collector/http/routes/test_http_login.c

#ifndef LP_COLLECTOR_ACCESS_ACCESS_ATTEMPTS_H
#define LP_COLLECTOR_ACCESS_ACCESS_ATTEMPTS_H

#include <pthread.h>
#include <stdint.h>

enum {
    ACCESS_ATTEMPTS_AT_ONCE = 10,
    ACCESS_ATTEMPT_S = 6,
    ACCESS_ATTEMPT_PLACES = 1024,
};

// {.mutex = PTHREAD_MUTEX_INITIALIZER} knows of no attempt.
typedef struct access_attempts {
    pthread_mutex_t mutex;
    struct access_place {
        uint64_t key;
        int64_t until_ns; // all of its attempts are made good
    } places[ACCESS_ATTEMPT_PLACES];
} access_attempts;

// access_attempts_take counts an attempt that failed from a place, by a hash of it. Returns 0, or
// after how many seconds the next one may be made: this one is one too many.
unsigned access_attempts_take(access_attempts *attempts, uint64_t place, int64_t now_ns);

#endif // LP_COLLECTOR_ACCESS_ACCESS_ATTEMPTS_H
