// SPDX-License-Identifier: Apache-2.0
// ship_names: the addresses of the collectors that an agent was given. Most have a name, which may
// have several addresses, and others by tomorrow.
//
//   ship_names_ask(&names)           // when something is to be dialled
//   ship_names_take(&names, ...)     // each time that the owner wakes up
//
// Design notes. NNG asks for a name each time that it connects, and takes the first address alone,
// dead or not (1.5.2). So the names are looked up here, and NNG is given addresses. Where
// TLS is spoken the certificate stays one for the name.
//
// A name is asked for on a thread that ends with the answer, as that may take half a minute. What
// was known of it before counts until then, and where there is no answer.
//
// Threads: the thread that owns it; one of its own asks.
// Tests: tests/unit/agent/ship/test_ship_names.c

#ifndef LP_AGENT_SHIP_DIAL_SHIP_NAMES_H
#define LP_AGENT_SHIP_DIAL_SHIP_NAMES_H

#include "agent/ship/dial/ship_endpoints.h"
#include "common/base/lp_err.h"

#include <netdb.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SHIP_NAMES_MAX = 16 }; // collectors that an agent is given

// One collector's URL.
typedef struct ship_name {
    const char *url;
    char *scheme; // these three are owned; NULL: it has no name to ask for
    char *host;
    char *port;
    bool is_fault_logged;    // that there is no address. Of the thread that asks
    ship_address *addresses; // owned, as are known. Of the mutex, as the next
    size_t address_count;
} ship_name;

// Once a name was asked for it stays where it is, for good.
typedef struct ship_names {
    ship_name items[SHIP_NAMES_MAX];
    size_t count;
    int wake_fd;
    bool is_excess_logged;
    pthread_mutex_t mutex; // of what follows, and of what is marked above
    bool is_asking;
    bool is_new; // addresses were not taken yet
} ship_names;

// ship_names_init takes the URLs, at most SHIP_NAMES_MAX, which are borrowed for good. wake_fd, an
// eventfd, is written when there is something to take. Nothing is asked for yet, and what has no
// name can be taken.
// Errors: LP_ECORRUPT for a URL that NNG does not understand; LP_ENOMEM
LP_MUST_USE lp_err ship_names_init(
    ship_names *names, const char *const *urls, size_t count, int wake_fd, lp_problem *out_problem);

// ship_names_fini ends names of which none was asked for.
void ship_names_fini(ship_names *names);

// ship_names_are_asked_for returns whether there are names to ask for, or all is known.
bool ship_names_are_asked_for(const ship_names *names);

// ship_names_ask asks for all names, if there are any, unless that is under way.
void ship_names_ask(ship_names *names);

bool ship_names_is_asking(ship_names *names);

// ship_names_take returns whether there are addresses that were not taken yet, and all that are
// known then, the first SHIP_ADDRESSES_MAX.
bool ship_names_take(
    ship_names *names, ship_address out_addresses[SHIP_ADDRESSES_MAX], size_t *out_count);

#endif // LP_AGENT_SHIP_DIAL_SHIP_NAMES_H
