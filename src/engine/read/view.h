// SPDX-License-Identifier: Apache-2.0
// view: one chunk made ready for deciding: its types, its constants, and a row for each
// event that may be kept.
//
// If an event can only be decided with its contexts, nothing but its size, type, time, duration and
// thread is decoded. An event that is kept or dropped whatever its contexts are is decided at once:
// a dropped event gets no row; the constants of a kept one are marked while its bytes are in the
// cache. So is a contextual event in which a plain event of its thread is met that is kept.
//
// Threads: one thread at a time while it is opened and written; in between, any may read it.
// Tests:   tests/unit/engine/test_damage.c, tests/fuzz/fuzz_events.c
// Memory:  16 bytes for each plain event and each sample, 24 for each contextual event (once the
//          view is decided, for each that is kept), 4 more for each that is kept at once, 16 for
//          each that comes out of order, 17 for each constant and up to 68 to find it by its key,
//          and the schema. The chunk's bytes are borrowed.

#ifndef LP_ENGINE_READ_VIEW_H
#define LP_ENGINE_READ_VIEW_H

#include "engine/read/rows.h"

// compact_view_open reads a whole chunk. Its damaged parts are left out and noted in view->damage.
// like is a schema of the same policy, which the chunk shares if it has the same metadata, or NULL.
// is_filtered means that the JVM may have set filters: whether an event is kept depends on its
// contexts then.
//
// Owns:   chunk is borrowed until compact_view_close, rules until the schema's last use ends.
// Errors: LP_ECORRUPT, LP_EVERSION where the header or all metadata cannot be read; LP_ELIMIT for a
//         chunk of over 4 GiB; with an offset into chunk. LP_ENOMEM. On error *view is closed.
LP_MUST_USE lp_err compact_view_open(compact_view *view, lp_slice chunk, const policy *rules,
    bool is_filtered, compact_schema *like, lp_problem *out_problem);

// compact_view_open_chosen is compact_view_open where it may be known which contextual events
// context-throttle chooses: the others that are offered to it get no row, as those that do not
// matter. chosen is what was chosen among the rows of compact_view_open_contexts, or NULL.
//
// Owns:   as compact_view_open; chosen is borrowed until compact_view_close.
// Errors: those of compact_view_open
LP_MUST_USE lp_err compact_view_open_chosen(compact_view *view, lp_slice chunk, const policy *rules,
    compact_schema *like, const compact_chosen *chosen, lp_problem *out_problem);

// compact_view_open_counted is compact_view_open, and counts the contextual events in sums
// (context_sums.h), which is borrowed until compact_view_close.
//
// Owns, Errors: as compact_view_open
LP_MUST_USE lp_err compact_view_open_counted(compact_view *view, lp_slice chunk,
    const policy *rules, bool is_filtered, compact_sums *sums, lp_problem *out_problem);

// compact_view_close frees the view, which is empty then; a zeroed view is fine.
void compact_view_close(compact_view *view);

// compact_view_read_schema reads the schema that compact_view_open would find and the chunk's
// header, and nothing else.
//
// Owns:   the caller ends *out_schema with compact_schema_release.
// Errors: those of compact_view_open
LP_MUST_USE lp_err compact_view_read_schema(lp_slice chunk, const policy *rules,
    compact_schema *like, compact_schema **out_schema, jfr_chunk_info *out_info);

// compact_view_open_constants is compact_view_open without the events: *view has only the header,
// the schema and the constants, and whether it is_chained.
//
// Owns, Errors: as compact_view_open
LP_MUST_USE lp_err compact_view_open_constants(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);

// compact_view_open_chained is compact_view_open_constants for a chunk whose view was is_chained
// when that opened it, and spares the pass through the chunk that looks for metadata events and
// checkpoints.
LP_MUST_USE lp_err compact_view_open_chained(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);

// compact_view_open_enumerations is compact_view_open without the events and most constants: *view
// has only the header, the schema and the enumerations.
//
// Owns, Errors: as compact_view_open
LP_MUST_USE lp_err compact_view_open_enumerations(
    compact_view *view, lp_slice chunk, const policy *rules, compact_schema *like);

// compact_view_open_contexts is compact_view_open for the contextual events that matter (of which
// context-throttle is not asked) and begin before a time: *view has the header, the schema, the
// constants, the threads, and of these events rows in spans, without blocks and fates.
//
// Owns, Errors: as compact_view_open
LP_MUST_USE lp_err compact_view_open_contexts(
    compact_view *view, lp_slice chunk, const policy *rules, int64_t before, compact_schema *like);

// compact_view_make_tables makes what is counted and marked of a view that has the constants alone.
// Where memory runs out, view->arena fails.
void compact_view_make_tables(compact_view *view);

#endif // LP_ENGINE_READ_VIEW_H
