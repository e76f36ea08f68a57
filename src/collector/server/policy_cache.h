// SPDX-License-Identifier: Apache-2.0

// policy_cache: the policies that chunks have, each text once in memory, whatever service, session
// and chunk it came with.
//
// Policies that no chunk has stay until there is no room for others; the one that was not asked for
// for the longest time goes first. If the policies of chunks leave no room, a JVM's policy is
// refused. A policy of the collector's own is made all the same, and then nobody shares it.
//
// Threads: the loop that owns it.
// Tests:   tests/unit/collector/server/test_policy_cache.c

#ifndef LP_COLLECTOR_SERVER_POLICY_CACHE_H
#define LP_COLLECTOR_SERVER_POLICY_CACHE_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy_file.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct policy_cache policy_cache;

// policy_cache_create makes one whose policies take at most bytes_max in memory, about
// (policy_file_measure). NULL if memory ran out.
policy_cache *policy_cache_create(uint64_t bytes_max);
void policy_cache_destroy(policy_cache *cache); // NULL is fine

// policy_cache_find returns the policy of a text, which is made if it is not there: by
// policy_file_parse, or with is_told by policy_file_parse_told. cache may be NULL: it is made.
// Owns:   on LP_OK the caller a reference to *out_file.
// Errors: as of these; LP_ELIMIT: there is no room for a JVM's policy
LP_MUST_USE lp_err policy_cache_find(policy_cache *cache, const char *path, lp_slice text,
    bool is_told, policy_file **out_file, lp_problem *out_problem);

// policy_cache_get_bytes returns how much its policies take.
uint64_t policy_cache_get_bytes(const policy_cache *cache);

#endif // LP_COLLECTOR_SERVER_POLICY_CACHE_H
