// SPDX-License-Identifier: Apache-2.0
// writer: the state that the steps of writing an output chunk share.
//
// Threads: one thread at a time.
// Tests:   tests/unit/engine/write/test_output.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_map.h"
#include "common/jfr/jfr_chunk.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/decide/decide.h"
#include "engine/frame.h"
#include "engine/read/view.h"
#include "engine/show/style.h"
#include "engine/write/classes.h"
#include "engine/write/merge.h"
#include "engine/write/output.h"

#include <stdbool.h>
#include <stdint.h>

// The tail of an event: fields that follow the last field of the input.
typedef enum compact_tail {
    COMPACT_TAIL_THREAD = 1, // eventThread
    COMPACT_TAIL_STYLE = 2,  // as compact_style_append_tail writes it
} compact_tail;

typedef struct compact_writer {
    const compact_frame *frame;
    const compact_decided *decided;
    compact_style *style; // NULL: contexts are events
    compact_view *view;   // of frame; writing marks its constants, and adds damage to it
    compact_output *out;
    lp_arena *arena; // of out; every step reports its failure here or in out->jfr
    jfr_rewrite rewrite;
    compact_classes classes;
    uint8_t *tails;                  // by type of view: a set of compact_tail
    bool copies;                     // marked events are copied unchanged
    compact_style_types style_types; // as compact_shown_fields_add returned them
    lp_buf scratch;                  // scratch of each step
} compact_writer;

// compact_writer_init borrows frame, decided, style and out. The caller ends *w with
// compact_writer_fini, also after an error. Errors: LP_ECORRUPT if the chunk is not the one that
// was added to the merge; LP_ENOMEM
LP_MUST_USE lp_err compact_writer_init(compact_writer *w, const compact_frame *frame,
    const compact_decided *decided, compact_style *style, compact_output *out,
    lp_problem *out_problem);
void compact_writer_fini(compact_writer *writer);

// compact_writer_check asserts that the members of w belong together.
void compact_writer_check(const compact_writer *w);

// compact_writer_type_id returns the id of a type of view in the output.
static inline uint64_t
compact_writer_type_id(const compact_writer *w, uint32_t type)
{
    return w->classes.metadata.types.items[type].id;
}

// compact_writer_is_rewriting returns whether events and constants may differ from the input's.
// For an event or a constant, call it only after the constants that it refers to are marked.
static inline bool
compact_writer_is_rewriting(const compact_writer *w)
{
    return w->frame->source->merge != NULL || w->view->pools.null_count > 0;
}

// compact_writer_end_event writes an event with the payload w->scratch; type_id is of the output.
void compact_writer_end_event(compact_writer *w, uint64_t type_id);

// compact_writer_duration_ticks returns the duration of a chunk in ticks, 0 if it is out of range.
uint64_t compact_writer_duration_ticks(const jfr_chunk_info *info);

// compact_writer_append_value appends the value of type at cursor. The constants that the value
// refers to must be marked before.
void compact_writer_append_value(
    const compact_writer *w, uint32_t type, jfr_cursor cursor, lp_buf *out);

// --- The steps of writing

// context_events.c: contexts of the Loupe API as events, one for each part.

typedef struct compact_ready_part {
    const compact_part *part;
    const compact_context *context;
    size_t type; // index of frame->types
    uint64_t thread_key;
} compact_ready_part;

typedef struct compact_context_events {
    compact_ready_part *parts;
    size_t part_count;
    uint64_t *type_ids; // by frame->types; 0: not used
} compact_context_events;

// compact_context_events_init finds the parts that can be written, and marks their types and
// constants as used. With a style it finds none, and only counts parts. events is valid as long as
// w->arena.
void compact_context_events_init(compact_context_events *events, compact_writer *w);

void compact_context_events_append(const compact_context_events *events, compact_writer *w);

// request_events.c: the events that describe requests.
//
// A dev.loupe.Request is a contextual event for each stretch in which a thread worked for a kept
// request. So readers that show the contexts of events show the request. Its fields describe the
// whole request up to the end of the chunk. If a request ends while no thread works for it, it has
// an event without duration at its end. A dev.loupe.HandOver is the time in which a task of the
// request waited for a thread, on the thread that took the task.

typedef struct compact_request_events {
    bool *has_stay;       // by request: it has an event of a stay; in the arena
    lp_map threads;       // identity to index of view->threads
    size_t request_count; // of events of requests
    uint64_t request_id;  // type id; 0: no such events
    uint64_t hand_over_id;
} compact_request_events;

// compact_request_events_init adds the types and marks the constants of the events. The caller ends
// *events with compact_request_events_fini. Errors: in writer->arena
void compact_request_events_init(compact_request_events *events, compact_writer *writer);
void compact_request_events_fini(compact_request_events *events);

void compact_request_events_append(const compact_request_events *events, compact_writer *writer);

// kept_events.c: the kept events of a chunk, and the samples made of events.

// compact_kept_events_find_tails sets w->tails.
void compact_kept_events_find_tails(compact_writer *w);

// The next two functions write the contextual events and the other events. An event that does not
// fit its type becomes damage of the view.
void compact_kept_events_append_spans(compact_writer *w);
void compact_kept_events_append_plain(compact_writer *w);

// settings.c: writes the policy's settings as jdk.ActiveSetting events. JFR writes its own settings
// into each chunk in the same way.
//
// The events are:
// - the setting `policy` of jdk.ActiveSetting itself: the path of the policy
// - each setting of Loupe (policy_each_own) for each event type of the chunk
// - context-index for the types of API contexts that have events: it makes stored ids searchable
// - the settings of requests, if the chunk has requests
// JFR's own events have the other settings. If Loupe throttles a type, JFR's event for the throttle
// says `off`, and another event has Loupe's value.

// compact_settings_append writes the events and marks their types in view->keeps. It writes none if
// the chunk does not describe jdk.ActiveSetting, or the policy disables it.
void compact_settings_append(compact_writer *w, const compact_context_events *contexts,
    const compact_request_events *requests, int64_t start_ticks);

// own_events.c: Loupe's events about a recording: dev.loupe.Accounting,
// dev.loupe.RequestAccounting, dev.loupe.Loss and dev.loupe.ContextAttribute, in the category
// Loupe.

// compact_own_events_append writes those events that have content, with the time of the chunk; info
// is its header. Call it after everything but constants and metadata is written: until then, damage
// may be found. Errors: in w->arena or the output
void compact_own_events_append(compact_writer *w, const jfr_chunk_info *info);

// shown_fields.c: the fields that show the contexts of an event in the styles `fields` and `ref`
// (style.h).

// compact_shown_fields_add adds the fields to the used event types, and returns the ids of the
// types of their constants. Errors: in the arena of classes
//
//   ref      references to constants with these fields: type (a name), startTime, one for each
//            column, parent (of the same type) and truncated
//   texts    constants of loupe.Text, which readers show as texts; grafana/jfr-parser cannot skip
//            constants of java.lang.String
//   numbers  constants of loupe.Long and so on: a field of a primitive type could not be absent
compact_style_types compact_shown_fields_add(
    const compact_style *style, const compact_schema *schema, compact_classes *classes);
