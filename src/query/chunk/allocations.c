// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/allocations.h"

#include <stddef.h>
#include <string.h>

query_allocation
query_allocation_find(const char *type_name)
{
    static const struct {
        const char *type;
        query_allocation of;
    } known[] = {
        {"jdk.ObjectAllocationInNewTLAB", {.bytes = "tlabSize"}},
        {"jdk.ObjectAllocationOutsideTLAB", {.bytes = "allocationSize"}},
        {"jdk.ObjectAllocationSample", {.bytes = "weight", .is_sample = true}},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(type_name, known[i].type) == 0) {
            return known[i].of;
        }
    }
    return (query_allocation){0};
}
