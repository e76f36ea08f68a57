// SPDX-License-Identifier: Apache-2.0
// chunk: a chunk opened for a query: its constants and its events in file order.
//
// query_chunk_next decodes type, time and thread of an event. Callers read attributes, fields or
// frames only for the events that need them.
//
// Damaged parts are skipped, as the engine does (view.h), and counted in view.damage.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  the chunk's constants (17 to 85 bytes each) and types. The chunk's bytes are borrowed.

#pragma once

#include "common/base/lp_err.h"
#include "common/rollup/time_category.h"
#include "engine/read/kinds.h"
#include "engine/read/methods.h"
#include "engine/read/rows.h"
#include "policy/policy_index.h"
#include "query/chunk/names.h"
#include "query/select/selection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum query_role {
    QUERY_ROLE_NONE,    // not an event type, or one without a time
    QUERY_ROLE_CONTEXT, // contextual
    QUERY_ROLE_EVENT,
    QUERY_ROLE_SETTING, // jdk.ActiveSetting
    // These describe requests (requests.h). They lie in no context.
    QUERY_ROLE_REQUEST,   // dev.loupe.Request
    QUERY_ROLE_HAND_OVER, // dev.loupe.HandOver
} query_role;

// How an event type records allocated bytes.
typedef struct query_allocation {
    const char *bytes; // the field's name; NULL: the type does not record them
    // The bytes of a sample stand for all bytes allocated since the previous one. If a recording
    // has samples, other events would count the same bytes again.
    bool is_sample;
} query_allocation;

query_allocation query_allocation_find(const char *type_name);

// A field that refers to a constant.
typedef struct query_place {
    bool is_there;
    uint32_t type;      // of the constant, or of the items of an array
    jfr_program before; // skips the fields before it
} query_place;

// An event type, as a query needs it.
typedef struct query_type {
    query_role role;
    time_category_of of;         // of QUERY_ROLE_EVENT
    query_allocation allocation; // of QUERY_ROLE_EVENT
    uint32_t name;               // in names
    uint32_t counted;            // in names: its row in answers; QUERY_NAME_NONE: not counted
    bool has_duration;
    bool has_thread;
    jfr_program before_thread; // skips the fields between time and thread
    query_place stack;
    query_place context_id;      // of contexts of the Loupe API
    struct query_fields *fields; // how to read the fields wanted last; NULL: none wanted yet
    policy_index *index; // attributes that a setting declares as ids; NULL: none, or unknown
} query_type;

typedef struct query_chunk {
    compact_view view; // without rows
    query_names *names;
    query_type *types;    // parallel to view.schema->metadata.types
    uint32_t traced_type; // whose events have a category by their method; JFR_NONE: none
    compact_traced traced;
    query_type waiting;          // replaces traced_type for traced waits, which are no contexts
    bool skips_contexts;         // set by the caller: skip contexts and requests
    bool knows_ids;              // query_chunk_find_ids was called
    uint64_t unreadable_events;  // shorter than their types say
    struct query_frames *frames; // frames.h; NULL: not needed so far
    const struct query_application *application; // its frames name stack traces; NULL: unknown
    uint32_t *stacks;                            // stacks.h; NULL: not needed so far
    lp_buf values;                               // of the event that was read last
    lp_buf text;
    lp_buf method; // the last traced method's name
} query_chunk;

// query_chunk_open reads the types and constants of a chunk. like is the schema of another chunk of
// the session, or NULL. It is shared if both chunks have the same types.
//
// Owns:   bytes and names are borrowed until query_chunk_close.
// Errors: LP_ECORRUPT, LP_EVERSION or LP_ELIMIT if the chunk is unreadable; LP_ENOMEM. After an
//         error the chunk is closed
LP_MUST_USE lp_err query_chunk_open(
    query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like);

// query_chunk_open_again reopens a chunk with the view.is_chained that it had (view.h).
LP_MUST_USE lp_err query_chunk_open_again(
    query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like, bool is_chained);

// query_chunk_close frees the chunk. A zeroed chunk is fine.
void query_chunk_close(query_chunk *chunk);

// query_chunk_err returns LP_ENOMEM if memory ran out since the chunk was opened.
LP_MUST_USE lp_err query_chunk_err(const query_chunk *chunk);

// query_chunk_events returns a cursor at the first event.
jfr_cursor query_chunk_events(const query_chunk *chunk);

enum { QUERY_NO_THREAD = 0 }; // not an identity

typedef struct query_event {
    const query_type *type;
    uint32_t type_index; // in the metadata
    uint32_t offset;     // of the event in the chunk
    int64_t begin;       // ticks; never above commit
    int64_t commit;      // ticks
    bool has_thread;
    uint64_t thread_key; // the chunk's key of its thread
    jfr_cursor payload;
} query_event;

// query_chunk_next moves rest past the next event with a time, and writes the event. skips_contexts
// skips contexts and requests. Returns false at the end.
bool query_chunk_next(query_chunk *chunk, jfr_cursor *rest, query_event *out_event);

// query_chunk_next_of does the same for the events of a type with this name. Returns false at the
// end, or if the chunk has no such type. It records no damage.
bool query_chunk_next_of(
    query_chunk *chunk, const char *type_name, jfr_cursor *rest, query_event *out_event);

// query_chunk_identity returns the identity (threads.h) of an event's thread, or QUERY_NO_THREAD.
uint64_t query_chunk_identity(query_chunk *chunk, const query_event *event);

// query_chunk_attributes reads the attributes of a contextual event. Returns their count.
// References are null. The texts are valid until the next call that reads fields.
size_t query_chunk_attributes(query_chunk *chunk, const query_event *event,
    query_attribute out_attributes[COMPACT_KIND_ATTRIBUTES_MAX]);

// query_chunk_find_ids marks the attributes that are ids: those named like a trace's or a span's
// id, and those that a setting of the chunk declares (context-index). Call it before the first
// query_chunk_attributes. The first call reads all events.
void query_chunk_find_ids(query_chunk *chunk);

// query_chunk_fields reads fields of an event that is not a context. A call is cheaper if it passes
// the same names as the last call for the same event type. A missing field is null. The texts are
// valid until the next call that reads fields.
void query_chunk_fields(query_chunk *chunk, const query_event *event, const char *const *names,
    size_t count, query_attribute *out_attributes);

// query_chunk_number returns the whole number in a field, read by query_chunk_fields. 0 if the
// field is missing, null or negative.
int64_t query_chunk_number(query_chunk *chunk, const query_event *event, const char *name);

// query_chunk_length_ns returns the duration in a field, in ns. It converts ticks.
int64_t query_chunk_length_ns(query_chunk *chunk, const query_event *event, const char *name);

// query_chunk_counts returns whether the field that an event's category requires is true
// (time_category.h).
bool query_chunk_counts(query_chunk *chunk, const query_event *event);

// query_chunk_context_id returns the id that the parts of a context share; 0 if it has none.
uint64_t query_chunk_context_id(const query_chunk *chunk, const query_event *event);

// query_chunk_named_type returns the index of the event type that a setting applies to; JFR_NONE if
// the chunk does not have it.
uint32_t query_chunk_named_type(const query_chunk *chunk, const query_event *event);

// An event of QUERY_ROLE_SETTING. The texts are valid until the next call that reads fields.
typedef struct query_setting {
    uint32_t type; // as query_chunk_named_type; JFR_NONE also if a text is null
    lp_slice name;
    lp_slice value;
} query_setting;

query_setting query_chunk_setting(query_chunk *chunk, const query_event *event);

bool query_chunk_next_setting(query_chunk *chunk, jfr_cursor *rest, query_event *out_event);

bool query_setting_is(lp_slice bytes, const char *text);

// query_number_read reads a whole number of 64 bits. False for other texts.
bool query_number_read(lp_slice text, int64_t *out_number);

// query_chunk_thread returns the name of a thread: Java's, or the system's, or QUERY_NAME_NONE.
// Writes 0 to *out_java_id if it is not a Java thread.
uint32_t query_chunk_thread(query_chunk *chunk, uint64_t key, int64_t *out_java_id);

// query_chunk_thread_in returns the identity and the key of the thread that a field names.
// QUERY_NO_THREAD if the field is missing or null.
uint64_t query_chunk_thread_in(
    query_chunk *chunk, const query_event *event, const char *name, uint64_t *out_key);

// query_chunk_event reads the event at an offset that query_chunk_next reported. Returns false if
// the file has changed and has no event there.
bool query_chunk_event(query_chunk *chunk, uint32_t offset, query_event *out_event);

// query_chunk_place finds a field of a type by its name. is_there is false if the field is missing,
// or neither a constant nor an array of structures.
query_place query_chunk_place(const query_chunk *chunk, uint32_t type, const char *name);
