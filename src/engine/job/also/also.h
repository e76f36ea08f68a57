// SPDX-License-Identifier: Apache-2.0
// also: adds to a decided chunk what options->also wants besides (types.h): all that happened to
// some contexts, requests and threads. Nothing of the decision changes, so the carry-over, the
// requests that count as kept, and their reasons are as without it.
//
// Wanted times on threads (also_times.c):
//   - when a context with a wanted id was open on its thread
//   - the stays of a request that is wanted, or for which a thread works where such a context
//   begins
//   - the times of wanted threads
//   - from there on: if a thread waited for a monitor in a wanted time (jdk.JavaMonitorEnter), its
//     wait on the thread of the monitor's previous owner; at most COMPACT_ALSO_OWNERS_MAX owners in
//     a row
//
// Added to the output (also_rows.c):
//   - events and contexts that overlap a wanted time on their thread, if the policy has dropped
//     them, for whatever reason
//   - pauses of the JVM (time_category.h) that overlap a wanted time on any thread
//   - the events that describe the wanted requests
//
// Allocation events of which the engine makes samples are not added: their samples stand for them.
//
// Threads: one thread at a time for each job.
// Tests:   tests/unit/engine/job/also/test_also.c, tests/prop/test_also_prop.c
// Memory:  24 bytes for each wanted context, stay and wait, and up to 48 for each added event. All
//          events of the chunk are read once more for the ids of contexts, once for each round of
//          owners, and once to add them.

#pragma once

#include "common/base/lp_arena.h"
#include "common/jfr/jfr_event.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum { COMPACT_ALSO_OWNERS_MAX = 8 };

// compact_also_add adds the wanted events to frame->view, and makes *decided of *judged: with
// another list of parts, which the caller frees besides the one of judged. judged then has the
// triggers for the carry-over. Call it after compact_request_step_run, if options->also is set.
// Errors: in arena, which is the chunk's
void compact_also_add(
    const compact_frame *frame, lp_arena *arena, compact_decided *judged, compact_decided *decided);

// --- The parts of this step

// A raw event of the chunk.
typedef struct compact_also_event {
    int64_t begin; // ticks
    int64_t commit;
    uint32_t type;
    uint32_t offset;
    uint32_t thread; // COMPACT_NO_THREAD: none
    jfr_cursor payload;
} compact_also_event;

typedef struct compact_also_scan {
    const compact_view *view;
    jfr_cursor rest;
} compact_also_scan;

compact_also_scan compact_also_scan_begin(const compact_view *view);

// compact_also_scan_next returns false behind the last event. It skips events that do not fit their
// type, and those that report what the agent withheld.
bool compact_also_scan_next(compact_also_scan *scan, compact_also_event *out_event);

// Wanted times. The intervals are sorted and do not overlap; their ends are inclusive.
typedef struct compact_also_times {
    compact_intervals on_threads; // by identity
    compact_intervals anywhere;   // the same for all threads together, on thread 0
    bool *requests;               // by decided->requests: it is wanted; NULL: none is
    bool has_asked;               // as in compact_stats
} compact_also_times;

// compact_also_times_find fills out, in arena. Errors: in arena
void compact_also_times_find(const compact_frame *frame, const compact_decided *judged,
    lp_arena *arena, compact_also_times *out);

// compact_also_times_meet returns whether a wanted time on a thread overlaps the time from begin to
// end, both inclusive.
bool compact_also_times_meet(
    const compact_intervals *times, uint64_t thread, int64_t begin, int64_t end);

// Reads the ids of contexts. {0} with frame, view and arena is empty.
typedef struct compact_also_ids {
    const compact_frame *frame;
    const compact_view *view; // of events: the chunk, or a later one
    lp_arena *arena;
    struct compact_also_kind **kinds; // private: by type of view
    lp_buf value;
    lp_buf text;
} compact_also_ids;

// compact_also_ids_begin borrows its arguments until compact_also_ids_end. Errors of all of these:
// in arena
compact_also_ids compact_also_ids_begin(
    const compact_frame *frame, const compact_view *view, lp_arena *arena);
void compact_also_ids_end(compact_also_ids *ids);

// The next two return whether a contextual event, whose fields begin at payload, or a context of
// the Loupe API has a wanted id.
bool compact_also_ids_of_event(compact_also_ids *ids, uint32_t type, jfr_cursor payload);
bool compact_also_ids_of_context(compact_also_ids *ids, const compact_context *context);

// compact_also_rows_add adds the wanted events to frame->view; compact_also_rows_parts makes the
// list of parts with the wanted ones. Errors: in arena
void compact_also_rows_add(
    const compact_frame *frame, const compact_also_times *times, lp_arena *arena);
compact_parts compact_also_rows_parts(const compact_frame *frame, const compact_also_times *times,
    const compact_parts *before, lp_arena *arena);
