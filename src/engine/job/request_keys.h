// SPDX-License-Identifier: Apache-2.0
// request_keys: how contexts and contextual events name their request.
//
// A context or an event of one of these names its request by the first of its attributes that the
// policy's request-by has, or that tracers use (local_root_span_id):
//
//   a ContextType         its attributes; one that the program marks (@Root) is before all others
//   a RecordingContext    the entries of its map; before them counts the request of the API, if
//                         that has a root (then that of the entries is a further key), and after
//                         them, if it has none
//   a contextual event    its fields that are attributes (read/kinds.h), if they have a text, a
//                         number or a boolean
//
// Equal values of one name are one key, whatever has them: a number, a boolean or a character and
// its text as Java's String.valueOf returns it. So are a long and its 16 hexadecimal digits, as
// which tracers also write one, but where these are decimal digits and the first is not 0 (one long
// of 2,000). Null, an empty text and the integer 0, by which programs say that there is nothing,
// are none.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/test_request_step.c

#ifndef LP_ENGINE_JOB_REQUEST_KEYS_H
#define LP_ENGINE_JOB_REQUEST_KEYS_H

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "engine/carry/carry.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/requests/requests.h"
#include "policy/policy_requests.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct compact_request_key_plan compact_request_key_plan;
typedef struct compact_request_event_plan compact_request_event_plan;
typedef struct compact_request_map_key compact_request_map_key;

typedef struct compact_request_keys {
    const compact_frame *frame;
    const compact_carry_types *roots; // the types that say which attributes have roots, and others
    const policy_requests *wanted;
    lp_arena *arena;
    compact_request_key_plan *plans;           // parallel to frame->types
    const compact_view *view;                  // whose events are asked for
    const compact_request_event_plan **events; // parallel to its types; NULL: not looked at yet
    bool has_events; // some that were asked for are of a type whose events name their request
    lp_map by_map;   // id of a RecordingContext's map to the index of what its entries name
    LP_VEC(compact_request_map_key) map_keys;
    lp_buf value;
    lp_buf text;
} compact_request_keys;

// compact_request_keys_init borrows all. The caller ends it with compact_request_keys_fini.
// Errors: as of arena, here and below
void compact_request_keys_init(compact_request_keys *keys, const compact_frame *frame,
    const compact_carry_types *roots, const policy_requests *wanted, lp_arena *arena);
void compact_request_keys_fini(compact_request_keys *keys);

// compact_request_keys_context fills in the key of a context's part, and what follows from it. type
// is the index of the context's type in frame->types.
void compact_request_keys_context(compact_request_keys *keys, const compact_context *context,
    size_t type, compact_request_part *part);

// compact_request_keys_event does so for a contextual event of a view: that of the frame, or of a
// chunk behind.
void compact_request_keys_event(compact_request_keys *keys, const compact_view *view,
    const compact_event *event, compact_request_part *part);

// compact_request_keys_root returns the key of the requests whose roots have this value of an
// attribute.
uint64_t compact_request_keys_root(const char *attribute, uint64_t bits);

#endif // LP_ENGINE_JOB_REQUEST_KEYS_H
