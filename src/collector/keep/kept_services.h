// SPDX-License-Identifier: Apache-2.0

// kept_services: the bytes that are kept of each service: those of its chunks, and of what was put
// aside of it.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/keep/test_retention.c, test_retention_aside.c

#ifndef LP_COLLECTOR_SERVER_KEPT_SERVICES_H
#define LP_COLLECTOR_SERVER_KEPT_SERVICES_H

#include "common/base/lp_vec.h"

#include <stddef.h>
#include <stdint.h>

typedef struct kept_service {
    char *name;
    uint64_t bytes;
    uint64_t aside_bytes; // of these, those that were put aside
    int64_t age_ns_max;   // retention's: as it was when due_wall_ns was found
    int64_t due_wall_ns;  // retention's: no chunk is too old before
} kept_service;

// Zeroed, there are none.
typedef struct kept_services {
    LP_VEC(kept_service) list;
    uint64_t bytes; // of all
} kept_services;

void kept_services_fini(kept_services *kept);

// kept_services_find finds a service or makes it; it is lent until another one is made. NULL if
// memory ran out.
kept_service *kept_services_find(kept_services *kept, const char *name);

// kept_services_add counts bytes of chunks, and kept_services_take those that went: of chunks that
// were not counted none.
void kept_services_add(kept_services *kept, kept_service *service, uint64_t bytes);
void kept_services_take(kept_services *kept, kept_service *service, uint64_t bytes);

// The same of what was put aside, all of which is counted.
void kept_services_add_aside(kept_services *kept, kept_service *service, uint64_t bytes);
void kept_services_take_aside(kept_services *kept, kept_service *service, uint64_t bytes);

#endif // LP_COLLECTOR_SERVER_KEPT_SERVICES_H
