// SPDX-License-Identifier: Apache-2.0
// view: a chunk prepared for deciding: its types, its constants, and a row for each event that may
// be kept.
//
// Some events are decided by their contexts: only their size, type, time, duration and thread are
// decoded. Others are decided at once, when they are read: a dropped event gets no row, and the
// constants of a kept one are marked while its bytes are in the cache. A contextual event is kept
// at once if a kept plain event of its thread lies inside it.
//
// Threads: one thread at a time while it is opened and written; in between, any thread may read it.
// Tests:   tests/unit/engine/test_damage.c, tests/fuzz/fuzz_events.c
// Memory:  16 bytes for each plain event and sample, 24 for each contextual event (after deciding,
//          only for kept ones), 4 for each contextual event kept at once, 16 for each event out of
//          order, 17 for each constant and up to 68 to find it by key, and the schema. The chunk's
//          bytes are borrowed.

#pragma once

#include "engine/read/rows.h"

// compact_view_open reads a whole chunk and notes its damage in view->damage. like (or NULL) is a
// schema of the same policy; the chunk shares it if it has the same metadata. is_filtered: the JVM
// may have set filters, so contexts decide each event.
//
// Owns:   chunk is borrowed until compact_view_close, rules until the schema's last release.
// Errors: LP_ECORRUPT or LP_EVERSION if the header or all metadata is unreadable, LP_ELIMIT above 4
//         GiB, both with an offset into chunk; LP_ENOMEM. After an error *view is closed.
LP_MUST_USE lp_err compact_view_open(compact_view *view, lp_slice chunk, const policy *rules,
    bool is_filtered, compact_schema *like, lp_problem *out_problem);

// compact_view_open_chosen is compact_view_open with a decision of context-throttle: offered events
// that were not chosen get no row. chosen was made from the rows of compact_view_open_contexts; it
// may be NULL, and is borrowed until compact_view_close.
LP_MUST_USE lp_err compact_view_open_chosen(compact_view *view, lp_slice chunk, const policy *rules,
    compact_schema *like, const compact_chosen *chosen, lp_problem *out_problem);

// compact_view_open_counted is compact_view_open, and also counts the contextual events in sums
// (context_sums.h). sums is borrowed until compact_view_close.
LP_MUST_USE lp_err compact_view_open_counted(compact_view *view, lp_slice chunk,
    const policy *rules, bool is_filtered, compact_sums *sums, lp_problem *out_problem);

// compact_view_close leaves view empty. A zeroed view is fine.
void compact_view_close(compact_view *view);

// compact_view_read_schema reads the schema and header of a chunk. The caller releases *out_schema.
// Errors: as compact_view_open
LP_MUST_USE lp_err compact_view_read_schema(lp_slice chunk, const policy *rules,
    compact_schema *like, compact_schema **out_schema, jfr_chunk_info *out_info);

// compact_view_read_last_schema is compact_view_read_schema for the types of the metadata event to
// which the header leads, without reading the whole chunk. JVMs write all types of a chunk into the
// last one. If that one is damaged, it reads the others.
LP_MUST_USE lp_err compact_view_read_last_schema(lp_slice chunk, const policy *rules,
    compact_schema *like, compact_schema **out_schema, jfr_chunk_info *out_info);

// The next three functions are compact_view_open without the events. They read the header, the
// schema and:
//   _constants     all constants; sets is_chained
//   _chained       all constants of a chunk that was is_chained, without reading the whole chunk
//   _enumerations  only the enumerations
LP_MUST_USE lp_err compact_view_open_constants(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);
LP_MUST_USE lp_err compact_view_open_chained(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);
LP_MUST_USE lp_err compact_view_open_enumerations(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);

// compact_view_open_contexts is compact_view_open for the contextual events that matter and begin
// before the time `before` (ticks), regardless of context-throttle. *view has the header, the
// schema, the constants, the threads, and rows in spans, but no blocks and no fates.
LP_MUST_USE lp_err compact_view_open_contexts(
    compact_view *view, lp_slice chunk, const policy *rules, int64_t before, compact_schema *like);

// compact_view_make_tables makes the counters and marks of a view that has only constants. Errors:
// in view->arena
void compact_view_make_tables(compact_view *view);
