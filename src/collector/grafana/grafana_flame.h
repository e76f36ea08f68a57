// SPDX-License-Identifier: Apache-2.0
// grafana_flame: the flame graph of ask (flame.h) in Pyroscope's form: a level has 4
// numbers for each node, the distance from the end of the node before, its total, its own amount,
// and the index of its name. With a base it has 7: the first three of the selection, those of the
// base, and the index.
//
// Threads: any thread; pure functions.
// Memory:  350 bytes for each node of the result, with a base 620, beside the graph
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include "common/base/lp_err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The frames that stack traces must begin with. {0}: all stack traces.
typedef struct grafana_site {
    const char *const *names; // from the root
    size_t count;
} grafana_site;

// grafana_flame_json returns a FlameGraph, or with has_base a FlameGraphDiff. NULL: out of memory,
// or not a flame graph.
json_t *grafana_flame_json(const json_t *flame, const grafana_site *site, bool has_base);

// grafana_flame_of_requests returns the numbers of requests by type, from an answer of
// contexts/types, as a flame graph of ask. NULL: out of memory.
json_t *grafana_flame_of_requests(const json_t *types);

// grafana_flame_whole returns a whole number as a string, as the JSON form of protobuf has it.
json_t *grafana_flame_whole(int64_t number);
