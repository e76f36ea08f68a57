// SPDX-License-Identifier: Apache-2.0

// policy_cache: the policies of chunks. Each text is in memory once, for all services, sessions and
// chunks.
//
// Policies that no chunk uses stay until room is needed; the least recently used one is removed
// first. If the policies in use leave no room, the cache refuses a JVM's own policy. It returns a
// policy of the collector anyway, but does not share it.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/intake/test_policy_cache.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy_file.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct policy_cache policy_cache;

// policy_cache_create returns a cache of at most bytes_max (policy_file_measure); NULL if memory
// ran out.
policy_cache *policy_cache_create(uint64_t bytes_max);
void policy_cache_destroy(policy_cache *cache); // NULL is fine

// policy_cache_find returns the policy of a text. If it is not cached, or cache is NULL, it parses
// the text: with policy_file_parse_told if a JVM sent it (is_told), else with policy_file_parse.
// Owns:   on LP_OK the caller owns a reference to *out_file
// Errors: as the function that parses; LP_ELIMIT if there is no room for a JVM's policy
LP_MUST_USE lp_err policy_cache_find(policy_cache *cache, const char *path, lp_slice text,
    bool is_told, policy_file **out_file, lp_problem *out_problem);
