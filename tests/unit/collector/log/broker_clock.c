// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/log/broker_clock.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <threads.h>
#include <time.h>

enum {
    STEP_MS = 100,
    STEP_REAL_NS = 10000000, // in which a request gets there
    LOOK_MS = 20,
    SECOND_NS = 1000000000,
    NAME_BYTES = 16, // of a thread
};

static atomic_long ahead_ms;

// Whose thread it is, by its name.
typedef enum owner { UNKNOWN, OURS, CLIENT, BROKERS } owner;

static owner
get_owner(void)
{
    static _Thread_local owner is;
    char name[NAME_BYTES] = "";
    if (is == UNKNOWN || is == OURS) { // it may get its name yet
        (void)prctl(PR_GET_NAME, name);
        is = strcmp(name, "rdk:mock") == 0   ? BROKERS
             : strncmp(name, "rdk:", 4) == 0 ? CLIENT
                                             : OURS;
    }
    return is;
}

// This replaces the C library's for librdkafka, too.
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
    if (clock == CLOCK_MONOTONIC && get_owner() == BROKERS) {
        long ms = atomic_load(&ahead_ms) + out_now->tv_nsec / 1000000;
        out_now->tv_sec += ms / 1000;
        out_now->tv_nsec = ms % 1000 * 1000000 + out_now->tv_nsec % 1000000;
    }
    return result;
}

// The threads of librdkafka look for work at least once a second; here more often. These replace
// the C library's, too.
__attribute__((visibility("default"))) int
poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    typedef int real_poll(struct pollfd * fds, nfds_t count, int timeout_ms);
    real_poll *real = (real_poll *)dlsym(RTLD_NEXT, "poll");
    bool is_long = timeout_ms < 0 || timeout_ms > LOOK_MS;
    return real(fds, count, is_long && get_owner() != OURS ? LOOK_MS : timeout_ms);
}

__attribute__((visibility("default"))) int
cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
    typedef int real_wait(cnd_t * condition, mtx_t * mutex, const struct timespec *until);
    real_wait *real = (real_wait *)dlsym(RTLD_NEXT, "cnd_timedwait");
    struct timespec soon;
    (void)timespec_get(&soon, TIME_UTC);
    soon.tv_nsec += LOOK_MS * 1000000;
    if (soon.tv_nsec >= SECOND_NS) {
        soon.tv_sec++;
        soon.tv_nsec -= SECOND_NS;
    }
    bool is_long = until->tv_sec > soon.tv_sec ||
                   (until->tv_sec == soon.tv_sec && until->tv_nsec > soon.tv_nsec);
    return real(condition, mutex, is_long && get_owner() != OURS ? &soon : until);
}

void
broker_clock_step(rd_kafka_mock_cluster_t *brokers)
{
    (void)atomic_fetch_add(&ahead_ms, STEP_MS);
    (void)rd_kafka_mock_broker_set_up(brokers, 1); // as it is: this waits until they have seen it
    (void)nanosleep(&(struct timespec){.tv_nsec = STEP_REAL_NS}, NULL);
}
