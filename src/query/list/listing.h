// SPDX-License-Identifier: Apache-2.0
// listing: the first contexts, requests or events of a selection in some order, with their
// attributes: the answers of a question (run.h) as a table.
//
// The order is total: items that are equal in the sort come in the order of their begin, then in
// the order of the sources. So another question for the same selection can continue behind the last
// row. A cursor names that row:
//
//   d.-639000000.1763839516920812760.1
//
// The cursor has the first letter of the sort, the row's key (items are in ascending order of
// keys), the row's begin, and the number of rows so far with this key and begin.
//
// Requests (requests.h) come with their attributes and facts; nothing is read from chunks for
// requests. They are sorted by duration or start. An event that is added several times is listed
// once, with the context that began last.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/unit/query/list/test_listing.c
// Memory:  up to 2 * limit + QUERY_CURSOR_EQUALS_MAX rows; attribute_bytes_max, and the attributes
//          of one more row; for requests the attributes of all rows.

#pragma once

#include "common/rollup/histogram.h"
#include "query/run/run.h"

enum {
    QUERY_LISTING_MAX = 10000,       // the largest limit
    QUERY_LISTING_IDS_MAX = 1000,    // the limit of a list of contexts that have an id
    QUERY_CURSOR_BYTES = 64,         // of a cursor's text, with its end
    QUERY_CURSOR_EQUALS_MAX = 10000, // a cursor cannot be behind more equal rows
};

typedef enum query_sort {
    QUERY_SORT_DURATION, // the longest first
    QUERY_SORT_START,    // the first to begin first
    QUERY_SORT_TRIGGERS, // most events first
    QUERY_SORT_BLOCKED,  // the longest waits first
} query_sort;

typedef struct query_cursor {
    query_sort sort;
    int64_t key; // items are in ascending order of keys
    int64_t begin_wall_ns;
    uint32_t equal_count; // rows so far with this key and begin, at least 1
} query_cursor;

void query_cursor_format(const query_cursor *cursor, char out_text[QUERY_CURSOR_BYTES]);

// query_cursor_parse reads the text of a cursor for this sort.
// Errors: LP_ECORRUPT with the reason in *out_problem
LP_MUST_USE lp_err query_cursor_parse(
    const char *text, query_sort sort, query_cursor *out_cursor, lp_problem *out_problem);

typedef struct query_listed {
    uint32_t source; // index of the chunk that has its event
    uint32_t offset;
    uint32_t type; // the number of its name
    ctx_ref ref;
    int64_t begin_wall_ns;
    int64_t duration_ns;
    uint64_t triggers;           // events in it that are no contexts
    int64_t blocked_ns;          // time in which its thread waited (time_category.h)
    query_request_facts request; // of a request; else zeros
    // Set by query_listing_read; the attributes of a request earlier.
    uint32_t thread;        // the number of the thread's name
    int64_t java_thread_id; // 0: none
    size_t attribute_count;
    query_attribute *attributes; // the listing's
} query_listed;

// To begin, set the first group of members; all others are 0.
typedef struct query_listing {
    query_sort sort;
    size_t limit;               // 1 to QUERY_LISTING_MAX
    const query_cursor *after;  // list the rows behind it; NULL: all. It has the same sort
    bool wants_ids;             // find out which attributes are ids
    size_t attribute_bytes_max; // of all items; 0: any

    uint64_t lengths[1 + HISTOGRAM_BUCKETS]; // durations of all added items, by bucket + 1
    LP_VEC(query_listed) items;              // sorted, and limit at most, once finished
    bool has_last;                           // last is set
    query_listed last;                       // the last item that fits, as of the latest sort

    // Once the list is finished:
    bool is_cut;   // items were left out, as their attributes had no room
    bool has_more; // items behind the last one
    bool has_next; // false also if too many rows are equal
    query_cursor next;
} query_listing;

void query_listing_fini(query_listing *listing);

// query_listed_event returns the item of an event with its times only. The duration is 0 if
// absurd times wrap around.
query_listed query_listed_event(const jfr_clock *clock, int64_t begin_ticks, int64_t commit_ticks);

// query_listed_row returns the item of a row, with times, place and type.
query_listed query_listed_row(const query_answer *answer, const query_row *row);

// query_listed_context returns the item of a context, with times, name, type and offset.
query_listed query_listed_context(
    const query_contexts *contexts, const query_context *context, const query_names *names);

// query_listing_wants returns whether a context with these times may be listed in listing, a
// query_listing. Pass it as wants_events of a question: events are needed only for listed contexts.
// All contexts must be added, as the listing counts them.
bool query_listing_wants(void *listing, int64_t begin_wall_ns, int64_t duration_ns);

// query_listing_wants_below sorts the items, and returns whether a context that is not added yet,
// of at most duration_max_ns, may be listed. The sort must be QUERY_SORT_DURATION.
bool query_listing_wants_below(query_listing *listing, int64_t duration_max_ns);

// query_listing_add adds a context or a request to listing, a query_listing. Pass it as on_context
// of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_listing_add(void *listing, const query_answer *answer);

// query_listing_add_item adds an event. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_listing_add_item(query_listing *listing, const query_listed *item);

// query_listing_remove removes an item of a list that is not finished, as if it was not added.
void query_listing_remove(query_listing *listing, size_t index);

// query_listing_quantile_ns returns the quantile q (0 to 1) of the durations of all contexts that
// were added, listed or not; 0 if there are none.
int64_t query_listing_quantile_ns(query_listing *listing, double q);

// query_listing_finish sorts the items and drops those that are not listed.
void query_listing_finish(query_listing *listing);

// query_listing_cut keeps the first count items of a finished list, which has more items.
void query_listing_cut(query_listing *listing, size_t count);

// query_listing_read finishes the list and reads the attributes of its items from the chunks. Items
// beyond attribute_bytes_max are cut, except the first item.
// Errors: LP_ENOMEM; LP_ECLOSED cancelled; LP_ECORRUPT if a chunk has changed meanwhile; as
//         query_sources_open
LP_MUST_USE lp_err query_listing_read(query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled);

// query_listing_each calls on_item with the event of each item of a finished list, chunk by chunk.
// Errors: as query_listing_read; what on_item returns
LP_MUST_USE lp_err query_listing_each(query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled,
    lp_err (*on_item)(void *arg, query_chunk *chunk, const query_event *event, query_listed *item),
    void *arg);
