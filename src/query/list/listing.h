// SPDX-License-Identifier: Apache-2.0
// listing: the contexts that a selection wants, the first so many of them in some order, with what
// they have: answers of a query (run.h) as a table.
//
// The order is total: of two contexts that are equal in it, the one that began first comes first,
// then the one that comes first in the sources. So a list can go on behind its last row, in another
// query for the same selection: a cursor says by what rows are ordered there, as a text such as
//
//   d.-639000000.1763839516920812760.1
//
// The first letter of the sort, then what rows are ordered by, the smallest first: its value, the
// begin, and how many rows up to here are equal in both.
//
// Requests (requests.h) are listed in the same way, with their attributes and what is said of them;
// nothing is read for them. Their sort is by duration or start.
//
// Other lists of events are made of the same items (events.h). An event that is added several times
// is listed once: with the context that began last of those that it was added with.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/run/test_run.c, tests/unit/query/list/test_listing.c
// Memory:  twice the limit of rows, and QUERY_CURSOR_EQUALS_MAX; and the attributes of those that
//          are listed, of which attribute_bytes_max are kept, and those of a row; of requests those
//          of all rows.

#ifndef LP_QUERY_LISTING_H
#define LP_QUERY_LISTING_H

#include "common/rollup/histogram.h"
#include "query/run/run.h"

enum {
    QUERY_LISTING_MAX = 10000,    // the largest limit
    QUERY_LISTING_IDS_MAX = 1000, // that of the contexts that have an id; an answer with more is
                                  // truncated
};

enum {
    QUERY_CURSOR_BYTES = 64,         // of a text, with its end
    QUERY_CURSOR_EQUALS_MAX = 10000, // rows that are equal to the one that it is behind
};

typedef enum query_sort {
    QUERY_SORT_DURATION, // the longest first
    QUERY_SORT_START,    // the first to begin first
    QUERY_SORT_TRIGGERS, // those with most events first
    QUERY_SORT_BLOCKED,  // those that waited longest first
} query_sort;

typedef struct query_cursor {
    query_sort sort;
    int64_t key; // what rows are ordered by, the smallest first
    int64_t begin_wall_ns;
    uint32_t equal_count; // rows up to here that have both
} query_cursor;

void query_cursor_format(const query_cursor *cursor, char out_text[QUERY_CURSOR_BYTES]);

// query_cursor_parse reads what query_cursor_format wrote for a list in this order.
// Errors: LP_ECORRUPT for anything else, with what is wrong in *out_problem
LP_MUST_USE lp_err query_cursor_parse(
    const char *text, query_sort sort, query_cursor *out_cursor, lp_problem *out_problem);

typedef struct query_listed {
    uint32_t source; // index of the chunk that has its event
    uint32_t offset;
    uint32_t type; // the number of its name
    ctx_ref ref;   // what it is called
    int64_t begin_wall_ns;
    int64_t duration_ns;
    uint64_t triggers;           // events in it that are no contexts
    int64_t blocked_ns;          // of its time, that in which its thread waited (time_category.h)
    query_request_facts request; // of requests; else zeros
    // These are there once query_listing_read has read them; the attributes of requests before.
    uint32_t thread;        // the number of the thread's name
    int64_t java_thread_id; // 0: none
    size_t attribute_count;
    query_attribute *attributes; // the list's
} query_listed;

// With what the caller sets and nothing else it is empty.
typedef struct query_listing {
    query_sort sort;
    size_t limit;               // 1 to QUERY_LISTING_MAX
    const query_cursor *after;  // behind which it begins, of the same sort; NULL: at the beginning
    bool wants_ids;             // which attributes are ids
    size_t attribute_bytes_max; // of the listed contexts; 0: any

    // How many of all that were added took how long, by bucket; the first of HISTOGRAM_ZERO.
    uint64_t lengths[1 + HISTOGRAM_BUCKETS];
    // In their order, and no more than limit, once the list is finished.
    LP_VEC(query_listed) items;
    // The last one that may be listed, of those that were added when this was looked for last.
    bool has_last;
    query_listed last;
    // Then: the last ones were left out, for their attributes had no room.
    bool is_cut;
    // Then: whether there are more, behind `next`; there is no next where too many are
    // equal.
    bool has_more;
    bool has_next;
    query_cursor next;
} query_listing;

void query_listing_fini(query_listing *listing);

// query_listed_event returns the item of an event, as far as its times are: it has no duration
// where absurd ones wrap around.
query_listed query_listed_event(const jfr_clock *clock, int64_t begin_ticks, int64_t commit_ticks);

// query_listed_row returns the item of an event of an answer, as far as a row knows it.
query_listed query_listed_row(const query_answer *answer, const query_row *row);

// query_listed_context returns the item of a context, as far as that is known without its source.
query_listed query_listed_context(
    const query_contexts *contexts, const query_context *context, const query_names *names);

// query_listing_wants returns whether a context, of which no more than that is known, may be in the
// list beside those that were added. One that may not be is added all the same, as the list counts
// it, but without its events: wants_events of a question.
bool query_listing_wants(const query_listing *listing, int64_t begin_wall_ns, int64_t duration_ns);

// query_listing_add adds a context (to a query_listing), as on_context of a question.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err query_listing_add(void *listing, const query_answer *answer);

// query_listing_add_item adds an event. Errors: LP_ENOMEM
LP_MUST_USE lp_err query_listing_add_item(query_listing *listing, const query_listed *item);

// query_listing_quantile_ns returns the duration that a share q (0 to 1) of all contexts that were
// added does not exceed, also of those that are not listed; 0 if there are none.
int64_t query_listing_quantile_ns(query_listing *listing, double q);

// query_listing_finish leaves the items of the list, in their order.
void query_listing_finish(query_listing *listing);

// query_listing_cut leaves the first items of a finished list, of which there are more, with `next`
// behind the last one.
void query_listing_cut(query_listing *listing, size_t count);

// query_listing_read finishes the list and reads the attributes of its items from the chunks. Where
// these are over attribute_bytes_max, the list is cut, but for its first item.
// is_cancelled: as of a question.
// Errors: LP_ENOMEM; LP_ECLOSED it was cancelled; LP_ECORRUPT and what query_sources_open returns
//         where a chunk changed meanwhile
LP_MUST_USE lp_err query_listing_read(query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled);

// query_listing_each calls on_item with the event of each item of a finished list, chunk by chunk.
// Errors: as query_listing_read; what on_item returned
LP_MUST_USE lp_err query_listing_each(query_listing *listing, const query_sources *sources,
    query_names *names, const atomic_bool *is_cancelled,
    lp_err (*on_item)(void *arg, query_chunk *chunk, const query_event *event, query_listed *item),
    void *arg);

#endif // LP_QUERY_LISTING_H
