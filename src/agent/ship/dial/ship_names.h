// SPDX-License-Identifier: Apache-2.0
// ship_names: looks up the addresses of the configured collectors. A name may have several
// addresses, which may change.
//
//   ship_names_ask(&names)           // before dialling
//   ship_names_take(&names, ...)     // each time that the owner wakes up
//
// Design notes. NNG 1.5.2 looks up a name each time that it connects, and uses only the first
// address, reachable or not. So this module looks up the names, and NNG gets addresses. With TLS
// the certificate must still match the name.
//
// A lookup may take half a minute, so it runs on its own thread, which ends with it. Until a lookup
// succeeds, the previous addresses stay.
//
// Threads: the thread that owns it; a thread of its own does the lookups.
// Tests:   tests/unit/agent/ship/test_ship_names.c

#pragma once

#include "agent/ship/dial/ship_endpoints.h"
#include "common/base/lp_err.h"

#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SHIP_NAMES_MAX = 16 }; // configured collectors

// One collector's URL.
typedef struct ship_name {
    const char *url;
    char *scheme; // these three are owned; NULL: no name to look up
    char *host;
    char *port;
    bool is_fault_logged;    // it was logged that there is no address; only for the lookup thread
    ship_address *addresses; // owned; guarded by the mutex
    size_t address_count;    // guarded by the mutex
} ship_name;

// Must not move after the first lookup.
typedef struct ship_names {
    ship_name items[SHIP_NAMES_MAX];
    size_t count;
    int wake_fd;
    bool is_excess_logged;
    pthread_mutex_t mutex; // guards the next two, and the addresses above
    bool is_asking;
    bool is_new; // there are addresses that were not taken yet
} ship_names;

// Borrows the URLs, at most SHIP_NAMES_MAX, for good. Writes to wake_fd, an eventfd, when there are
// new addresses. Looks up nothing yet; ship_names_take already returns URLs without a name. Errors:
// LP_ECORRUPT for an invalid URL; LP_ENOMEM
LP_MUST_USE lp_err ship_names_init(
    ship_names *names, const char *const *urls, size_t count, int wake_fd, lp_problem *out_problem);

// Frees names. No lookup may be running.
void ship_names_fini(ship_names *names);

// Returns whether there are names to look up.
bool ship_names_are_asked_for(const ship_names *names);

// Looks up all names, unless there are none or a lookup is running.
void ship_names_ask(ship_names *names);

bool ship_names_is_asking(ship_names *names);

// Returns whether there are addresses that were not taken yet. If so, writes all known addresses to
// out_addresses, at most SHIP_ADDRESSES_MAX.
bool ship_names_take(
    ship_names *names, ship_address out_addresses[SHIP_ADDRESSES_MAX], size_t *out_count);
