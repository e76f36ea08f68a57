// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/server/broker_clock.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum {
    STEP_MS = 100,
    STEPS = 34,              // LOG_CLIENT_SILENT_MS_MAX is far more
    STEP_REAL_NS = 10000000, // in which a request gets there
    NAME_BYTES = 16,         // of a thread
};

static atomic_long ahead_ms;

static bool
is_broker(void)
{
    static _Thread_local char name[NAME_BYTES];
    if (name[0] == '\0') {
        (void)prctl(PR_GET_NAME, name);
    }
    return strcmp(name, "rdk:mock") == 0;
}

// This stands in front of the C library's for librdkafka, too.
__attribute__((visibility("default"))) int
clock_gettime(clockid_t clock, struct timespec *out_now)
{
    typedef int get_time(clockid_t clock, struct timespec * out_now);
    static _Atomic(get_time *) real;
    get_time *get = atomic_load(&real);
    if (get == NULL) {
        get = (get_time *)dlsym(RTLD_NEXT, "clock_gettime");
        atomic_store(&real, get);
    }
    int result = get(clock, out_now);
    if (clock == CLOCK_MONOTONIC && is_broker()) {
        long ms = atomic_load(&ahead_ms) + out_now->tv_nsec / 1000000;
        out_now->tv_sec += ms / 1000;
        out_now->tv_nsec = ms % 1000 * 1000000 + out_now->tv_nsec % 1000000;
    }
    return result;
}

void
broker_clock_pass(void)
{
    for (int i = 0; i < STEPS; i++) {
        (void)atomic_fetch_add(&ahead_ms, STEP_MS);
        (void)nanosleep(&(struct timespec){.tv_nsec = STEP_REAL_NS}, NULL);
    }
}
