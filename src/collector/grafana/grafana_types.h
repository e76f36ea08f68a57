// SPDX-License-Identifier: Apache-2.0
// grafana_types: the types of profiles, by the names that Pyroscope has for those of Java, and
// Loupe's own beside them.
//
// Threads: any thread; pure functions.
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include <jansson.h>
#include <stdbool.h>

typedef struct grafana_type {
    const char *id;
    const char *value;  // `value` of a flame graph; NULL: numbers of requests
    bool is_of_threads; // of all threads, if only a service is selected; else of contexts
} grafana_type;

// grafana_types_find returns NULL if no type has the id.
const grafana_type *grafana_types_find(const char *id);

// grafana_types_get returns type number index, NULL after the last one.
const grafana_type *grafana_types_get(size_t index);

// grafana_types_json returns a ProfileType. NULL: out of memory.
json_t *grafana_types_json(const grafana_type *type);
