// SPDX-License-Identifier: Apache-2.0
// chunk: one chunk opened for a query: its constants, and its events one after the other.
//
// Of an event its type, time and thread are decoded, nothing else; the attributes of a context, a
// named field, or the frame of a stack are read for the events of which somebody wants them.
//
// Damaged parts are left out, as the engine does (view.h), and counted in `damage`.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c
// Memory:  that of the chunk's constants (17 to 85 bytes each) and types. The chunk's bytes are
//          borrowed.

#ifndef LP_QUERY_CHUNK_H
#define LP_QUERY_CHUNK_H

#include "common/base/lp_err.h"
#include "common/rollup/time_category.h"
#include "engine/read/kinds.h"
#include "engine/read/rows.h"
#include "engine/read/traced.h"
#include "policy/policy_index.h"
#include "query/chunk/names.h"
#include "query/select/selection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum query_role {
    QUERY_ROLE_NONE,    // no event type, or one without a time
    QUERY_ROLE_CONTEXT, // contextual
    QUERY_ROLE_EVENT,
    QUERY_ROLE_SETTING, // jdk.ActiveSetting: has the period of samples
    // These describe requests (requests.h), and are in no context:
    QUERY_ROLE_REQUEST,   // dev.loupe.Request
    QUERY_ROLE_HAND_OVER, // dev.loupe.HandOver
} query_role;

// What an event type says of allocated bytes.
typedef struct query_allocation {
    const char *bytes; // the name of the field; NULL: the type is about something else
    // The bytes of a sample stand for all that were allocated since the one before. Where a
    // recording has samples, the other events count the same bytes again.
    bool is_sample;
} query_allocation;

// query_allocation_find returns what is known of the event type with this name.
query_allocation query_allocation_find(const char *type_name);

// A field that is a constant, and how to get to it.
typedef struct query_place {
    bool is_there;
    uint32_t type;      // of the constants, or of the items of an array
    jfr_program before; // reads the fields before it
} query_place;

// What a query knows of an event type.
typedef struct query_type {
    query_role role;
    time_category_of of;         // of QUERY_ROLE_EVENT
    query_allocation allocation; // of the same
    uint32_t name;               // in names
    uint32_t counted; // the same, of the row in which they are counted; none: they are not
    bool has_duration;
    bool has_thread;
    jfr_program before_thread; // reads the fields between time and thread
    query_place stack;
    query_place context_id;      // of contexts of the Loupe API
    struct query_fields *fields; // that are read of its events; NULL: none so far
    policy_index *index;         // the attributes that are ids by a setting; NULL: none, or unknown
} query_type;

typedef struct query_chunk {
    compact_view view; // its schema, constants, threads and damage; no rows
    query_names *names;
    query_type *types;    // parallel to the metadata's
    uint32_t traced_type; // of events that have a category by their method; JFR_NONE: none
    compact_traced traced;
    query_type waiting; // such an event in which the thread waits: no context, whatever its type is
    bool skips_contexts;                         // nobody wants them, nor requests
    bool knows_ids;                              // query_chunk_find_ids was called
    uint64_t unreadable_events;                  // that do not fit their types
    struct query_frames *frames;                 // NULL: nobody asked so far
    const struct query_application *application; // whose frames name stack traces; NULL: not known
    uint32_t *stacks;                            // the same; stacks.h's own, by stack trace
    lp_buf values;                               // of the event whose attributes are read
    lp_buf text;
    lp_buf method; // the name of the last one that was traced
} query_chunk;

// query_chunk_open reads the types and constants of a chunk. like is the schema of a chunk of the
// same session, or NULL: where the chunk has the same types, it is shared.
//
// Owns:   bytes and names are borrowed until query_chunk_close.
// Errors: LP_ECORRUPT, LP_EVERSION, LP_ELIMIT the chunk cannot be read; LP_ENOMEM. *chunk is closed
LP_MUST_USE lp_err query_chunk_open(
    query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like);

// query_chunk_open_again is query_chunk_open for a chunk that was open before, and whose view was
// is_chained then (view.h) or was not.
LP_MUST_USE lp_err query_chunk_open_again(
    query_chunk *chunk, lp_slice bytes, query_names *names, compact_schema *like, bool is_chained);

// query_chunk_close frees the chunk; a zeroed one is fine.
void query_chunk_close(query_chunk *chunk);

// query_chunk_err returns LP_ENOMEM if memory ran out since it was opened.
LP_MUST_USE lp_err query_chunk_err(const query_chunk *chunk);

// query_chunk_events returns where the events begin.
jfr_cursor query_chunk_events(const query_chunk *chunk);

enum { QUERY_NO_THREAD = 0 }; // not an identity

typedef struct query_event {
    const query_type *type;
    uint32_t type_index; // in the metadata
    uint32_t offset;     // of the event in the chunk
    int64_t begin;       // ticks; where it took no time, or less, the commit time
    int64_t commit;      // ticks
    bool has_thread;
    uint64_t thread_key; // by which the chunk names its thread
    jfr_cursor payload;
} query_event;

// query_chunk_next moves rest over the next event that has a time, and is no context and no request
// if the caller has set skips_contexts. Returns false behind the last.
bool query_chunk_next(query_chunk *chunk, jfr_cursor *rest, query_event *out_event);

// query_chunk_next_of moves rest over the next event of the type with a name that has a time.
// Returns false behind the last, and where the chunk has no such type. It notes no damage.
bool query_chunk_next_of(
    query_chunk *chunk, const char *type_name, jfr_cursor *rest, query_event *out_event);

// query_chunk_identity returns the identity (threads.h) of an event's thread, or QUERY_NO_THREAD.
uint64_t query_chunk_identity(query_chunk *chunk, const query_event *event);

// query_chunk_attributes reads the attributes of a contextual event and returns how many there are.
// Those that are references are null. The texts are lent until the next call.
size_t query_chunk_attributes(query_chunk *chunk, const query_event *event,
    query_attribute out_attributes[COMPACT_KIND_ATTRIBUTES_MAX]);

// query_chunk_find_ids finds out which attributes are ids: those that are called trace id or span
// id, and those that a setting of the chunk says are (context-index). It reads all events the first
// time, and comes before the first call of query_chunk_attributes.
void query_chunk_find_ids(query_chunk *chunk);

// query_chunk_fields reads fields of an event, which is no context. All calls for events of a type
// name the same. Null are those that it does not have. The texts are lent until the next call.
void query_chunk_fields(query_chunk *chunk, const query_event *event, const char *const *names,
    size_t count, query_attribute *out_attributes);

// query_chunk_number returns the whole number in a field of an event, as query_chunk_fields reads
// it; 0 if the event does not have it, or it is below 0.
int64_t query_chunk_number(query_chunk *chunk, const query_event *event, const char *name);

// query_chunk_length_ns returns the length of time in a field of an event, as query_chunk_number
// reads it.
int64_t query_chunk_length_ns(query_chunk *chunk, const query_event *event, const char *name);

// query_chunk_counts returns whether an event counts by the field that its category asks for.
bool query_chunk_counts(query_chunk *chunk, const query_event *event);

// query_chunk_context_id returns the id that the parts of a context have in common, 0 if it has
// none.
uint64_t query_chunk_context_id(const query_chunk *chunk, const query_event *event);

// query_chunk_named_type returns the index of the event type that a setting is about, JFR_NONE if
// there is none.
uint32_t query_chunk_named_type(const query_chunk *chunk, const query_event *event);

// What an event of QUERY_ROLE_SETTING says. The texts are lent until the next call that reads
// fields.
typedef struct query_setting {
    uint32_t type; // index of the event type; JFR_NONE: there is none, or a text is null
    lp_slice name;
    lp_slice value;
} query_setting;

// query_chunk_setting reads a setting.
query_setting query_chunk_setting(query_chunk *chunk, const query_event *event);

// query_chunk_next_setting is query_chunk_next_of for settings.
bool query_chunk_next_setting(query_chunk *chunk, jfr_cursor *rest, query_event *out_event);

// query_setting_is returns whether a text of a setting is text.
bool query_setting_is(lp_slice bytes, const char *text);

// query_chunk_thread returns the name of the thread with a key (Java's, or else the system's, or
// else none). *out_java_id is 0 where it is none of Java's.
uint32_t query_chunk_thread(query_chunk *chunk, uint64_t key, int64_t *out_java_id);

// query_chunk_thread_in returns the identity of the thread that a field of an event names, and its
// key; QUERY_NO_THREAD if there is no such field, or it is null.
uint64_t query_chunk_thread_in(
    query_chunk *chunk, const query_event *event, const char *name, uint64_t *out_key);

// query_chunk_event reads the event at offset, at which query_chunk_next has found one. False if
// there is none any more: a file may be written to while it is read.
bool query_chunk_event(query_chunk *chunk, uint32_t offset, query_event *out_event);

// query_chunk_place returns where a type has the field with this name, if that is a constant, or an
// array of structures.
query_place query_chunk_place(const query_chunk *chunk, uint32_t type, const char *name);

#endif // LP_QUERY_CHUNK_H
