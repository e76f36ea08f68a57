// SPDX-License-Identifier: Apache-2.0
// otlp_profiles: a selection of requests or contexts as OTLP profiles (otlp.proto), in pieces. Each
// piece is a whole ProfilesData with its own dictionary, and the body of a POST to
// /v1development/profiles.
//
// A ResourceProfiles is a JVM. It has a profile for each measure that has samples:
//
//   sample type                period type      a sample is
//   samples/count              cpu/nanoseconds  a sample of a running thread: 1
//   wall/nanoseconds           wall/nanoseconds an event with its part of the time (time_split.h),
//                                               or time without an event
//   alloc_space/bytes          memory/bytes     an event with the bytes it stands for
//   delay/nanoseconds          mutex/count      a wait for a lock
//   delay/nanoseconds          block/count      a park
//   delay/nanoseconds          io/count         a read or a write
//   events/count               events/count     an event without time and bytes: 1
//
// The amounts are those of profile.h, so their sums are Loupe's own. Values of wall add up to the
// durations of the requests. In it, the samples of a request have at most the time that no event
// explains; the rest of that is [not accounted], at the request's begin. There is a profile of
// samples for each sampling period; 0: unknown. Beyond QUERY_OTLP_PERIODS_MAX (otlp_wish.h)
// periods, a sample is in one with a period of 1 and has its period as its value.
//
// Each sample has one value and one timestamp: the end of its event, within the request. Amounts of
// 0 are left out. Its stack trace ends with a leaf such as [lock], except for samples and
// allocations. A context within another selected one has no samples of its own.
//
// Each sample links to the trace id of its request or context and to the span id, if it has them
// (rollup_id.h): a trace id of 32 or 16 hexadecimal digits, a span id of 16, or a number. A link
// without a span has an empty span id. Its attributes are thread.name, loupe.context (the type),
// loupe.category, and those of the request or context with at most QUERY_OTLP_VALUES_MAX values so
// far. Longer texts than QUERY_OTLP_TEXT_BYTES_MAX (otlp_dictionary.h) are cut.
//
// Usage: query_otlp_profiles_create; a question that query_otlp_profiles_prepare prepared;
// query_otlp_profiles_finish; query_otlp_profiles_destroy.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/otlp/test_otlp_profiles.c, tests/e2e/ask_requests.py
// Memory:  a piece, up to three times while it is passed on; some 100 bytes for each text, frame,
// stack
//          trace, attribute and link in it; stacks.h and attributes.h.

#pragma once

#include "query/otlp/otlp_wish.h"
#include "query/run/run.h"

typedef struct query_otlp_profiles query_otlp_profiles;

// query_otlp_profiles_create makes empty profiles; NULL if memory ran out. Borrows names, and what
// wish refers to, until query_otlp_profiles_destroy.
query_otlp_profiles *query_otlp_profiles_create(const query_otlp_wish *wish, query_names *names);
void query_otlp_profiles_destroy(query_otlp_profiles *profiles);

// query_otlp_profiles_prepare makes question, of requests or contexts, ask for stack traces, bytes,
// names of threads and attributes.
void query_otlp_profiles_prepare(query_otlp_profiles *profiles, query_question *question);

// query_otlp_profiles_add adds a request or a context to profiles, a query_otlp_profiles. Pass it
// as on_context of a prepared question. Errors: LP_ENOMEM; errors of on_piece
LP_MUST_USE lp_err query_otlp_profiles_add(void *profiles, const query_answer *answer);

// query_otlp_profiles_finish passes on the last piece. Call it once. If there are no samples,
// nothing is passed on. Errors: as query_otlp_profiles_add
LP_MUST_USE lp_err query_otlp_profiles_finish(query_otlp_profiles *profiles);

// The samples passed on so far, and those that were left out at a limit. is_truncated: something is
// missing or was cut at another limit.
typedef struct query_otlp_counts {
    uint64_t samples;
    uint64_t left_out;
    bool is_truncated;
} query_otlp_counts;

query_otlp_counts query_otlp_profiles_count(const query_otlp_profiles *profiles);
