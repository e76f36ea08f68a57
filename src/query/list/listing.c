// SPDX-License-Identifier: Apache-2.0
#include "query/list/listing.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_order.h"
#include "common/base/lp_quote.h"
#include "query/run/request_contexts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Cursors

static const char letters[] = {[QUERY_SORT_DURATION] = 'd',
    [QUERY_SORT_START] = 's',
    [QUERY_SORT_TRIGGERS] = 't',
    [QUERY_SORT_BLOCKED] = 'b'};

void
query_cursor_format(const query_cursor *cursor, char out_text[QUERY_CURSOR_BYTES])
{
    LP_ASSERT(cursor->sort <= QUERY_SORT_BLOCKED);
    (void)snprintf(out_text, QUERY_CURSOR_BYTES, "%c.%" PRId64 ".%" PRId64 ".%" PRIu32,
        letters[cursor->sort], cursor->key, cursor->begin_wall_ns, cursor->equal_count);
}

// read_number reads a dot and a number of 64 bits.
static bool
read_number(const char **text, int64_t *out_number)
{
    char *end;
    LP_REQUIRE(
        **text == '.' && (*text)[1] != '\0' && strchr("-0123456789", (*text)[1]) != NULL, false);
    errno = 0;
    *out_number = strtoll(*text + 1, &end, 10);
    bool is_number = end > *text + 1 && errno == 0;
    *text = end;
    return is_number;
}

lp_err
query_cursor_parse(
    const char *text, query_sort sort, query_cursor *out_cursor, lp_problem *out_problem)
{
    LP_ASSERT(sort <= QUERY_SORT_BLOCKED);
    int64_t key;
    int64_t begin_ns;
    int64_t equal;
    const char *at = text + 1;
    if (text[0] == '\0' || !read_number(&at, &key) || !read_number(&at, &begin_ns) ||
        !read_number(&at, &equal) || *at != '\0' || equal < 1 || equal > QUERY_CURSOR_EQUALS_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "cursor '%s': not the `next` of an answer",
            lp_quote_text(text).text);
    }
    LP_REQUIRE(text[0] == letters[sort],
        lp_problem_set(out_problem, LP_ECORRUPT,
            "cursor '%s': it is of an answer with another sort", lp_quote_text(text).text));
    *out_cursor = (query_cursor){
        .sort = sort, .key = key, .begin_wall_ns = begin_ns, .equal_count = (uint32_t)equal};
    return LP_OK;
}

// --- Order

// listing_check asserts that the caller has set the limit and the sort as the header says.
static void
listing_check(const query_listing *listing)
{
    LP_ASSERT(listing->limit >= 1 && listing->limit <= QUERY_LISTING_MAX);
    LP_ASSERT(listing->sort <= QUERY_SORT_BLOCKED);
    LP_ASSERT(listing->after == NULL || listing->after->sort == listing->sort);
    LP_ASSERT(listing->after == NULL || listing->after->equal_count <= QUERY_CURSOR_EQUALS_MAX);
}

static void
free_attributes(query_listed *item)
{
    free(item->attributes);
    item->attributes = NULL;
    item->attribute_count = 0;
}

// leave_first drops all items but the first count.
static void
leave_first(query_listing *listing, size_t count)
{
    while (listing->items.count > count) {
        free_attributes(&listing->items.items[--listing->items.count]);
    }
}

void
query_listing_fini(query_listing *listing)
{
    leave_first(listing, 0);
    LP_VEC_FINI(&listing->items);
}

// key_of returns the key of an item in ascending order.
static int64_t
key_of(query_sort sort, const query_listed *item)
{
    switch (sort) {
    case QUERY_SORT_DURATION:
        return -item->duration_ns;
    case QUERY_SORT_START:
        return item->begin_wall_ns;
    case QUERY_SORT_TRIGGERS:
        return -(int64_t)item->triggers;
    case QUERY_SORT_BLOCKED:
        break;
    }
    return -item->blocked_ns;
}

LP_COMPARE(compare_places, query_listed *const,
    LP_ORDER((*one)->source, (*other)->source) ?: LP_ORDER((*one)->offset, (*other)->offset))

static int
compare_items(const void *a, const void *b, void *arg)
{
    const query_listing *listing = arg;
    const query_listed *one = a;
    const query_listed *other = b;
    return LP_ORDER(key_of(listing->sort, one), key_of(listing->sort, other))
               ?: LP_ORDER(one->begin_wall_ns, other->begin_wall_ns)
               ?: compare_places(&one, &other)
               ?: LP_ORDER(other->ref.begin, one->ref.begin)
               ?: LP_ORDER(one->ref.hash, other->ref.hash);
}

// compare_to_cursor compares an item with the row of the cursor; 0 if key and begin are equal.
static int
compare_to_cursor(const query_listing *listing, const query_listed *item)
{
    const query_cursor *after = listing->after;
    return LP_ORDER(key_of(listing->sort, item), after->key)
               ?: LP_ORDER(item->begin_wall_ns, after->begin_wall_ns);
}

// is_new returns whether an item is not the event of the item before. If it is, frees it.
static bool
is_new(const query_listing *listing, query_listed *item)
{
    bool is_first = item == listing->items.items;
    bool is_same = !is_first && item[-1].source == item->source && item[-1].offset == item->offset;
    if (is_same) {
        free_attributes(item);
    }
    return !is_same;
}

// keep_first sorts the items and leaves the first ones: limit, and the rows up to the cursor.
static void
keep_first(query_listing *listing)
{
    listing_check(listing);
    size_t kept = listing->limit + (listing->after == NULL ? 0 : listing->after->equal_count);
    LP_VEC_SORT(&listing->items, compare_items, listing);
    LP_VEC_KEEP(at, &listing->items, is_new(listing, at));
    size_t count = listing->items.count;
    listing->has_more |= count > kept;
    leave_first(listing, kept);
    listing->has_last = count >= kept;
    if (listing->has_last) {
        listing->last = listing->items.items[kept - 1];
    }
}

query_listed
query_listed_event(const jfr_clock *clock, int64_t begin_ticks, int64_t commit_ticks)
{
    int64_t duration_ns = jfr_clock_between_ns(clock, begin_ticks, commit_ticks);
    return (query_listed){
        .begin_wall_ns = jfr_clock_wall_ns(clock, begin_ticks),
        .duration_ns = duration_ns > 0 ? duration_ns : 0,
    };
}

query_listed
query_listed_row(const query_answer *answer, const query_row *row)
{
    const jfr_clock clock = query_contexts_clock(answer->contexts, row->chunk);
    query_listed item = query_listed_event(&clock, row->begin, row->commit);
    item.source = answer->first_source + row->chunk;
    item.offset = row->offset;
    item.type = row->type;
    return item;
}

query_listed
query_listed_context(
    const query_contexts *contexts, const query_context *context, const query_names *names)
{
    return (query_listed){
        .offset = context->offset,
        .type = context->type,
        .ref = query_contexts_ref(context, names),
        .begin_wall_ns = query_contexts_wall_ns(contexts, context),
        .duration_ns = query_contexts_duration_ns(contexts, context),
    };
}

bool
query_listing_wants(void *arg, int64_t begin_wall_ns, int64_t duration_ns)
{
    const query_listing *listing = arg;
    listing_check(listing);
    if (listing->sort != QUERY_SORT_DURATION && listing->sort != QUERY_SORT_START) {
        return true; // its place depends on its events
    }
    const query_listed item = {.begin_wall_ns = begin_wall_ns, .duration_ns = duration_ns};
    LP_REQUIRE(listing->after == NULL || compare_to_cursor(listing, &item) >= 0, false);
    if (!listing->has_last) {
        return true;
    }
    int order = LP_ORDER(key_of(listing->sort, &item), key_of(listing->sort, &listing->last));
    return order != 0 ? order < 0 : begin_wall_ns <= listing->last.begin_wall_ns;
}

bool
query_listing_wants_below(query_listing *listing, int64_t duration_max_ns)
{
    LP_ASSERT(listing->sort == QUERY_SORT_DURATION);
    keep_first(listing);
    int64_t after_ns = listing->after == NULL ? INT64_MAX : -listing->after->key;
    return !listing->has_last ||
           (duration_max_ns < after_ns ? duration_max_ns : after_ns) >= listing->last.duration_ns;
}

// --- Adding

static size_t
bytes_of(const query_attribute *attributes, size_t count)
{
    size_t bytes = count * sizeof(*attributes);
    for (size_t i = 0; i < count; i++) {
        const query_attribute *a = &attributes[i];
        bytes += strlen(a->name) + strlen(a->label) + 2 + a->value.len;
    }
    return bytes;
}

// copy_text copies bytes to *at, moves *at behind them, and returns the copy.
static char *
copy_text(char **at, const void *bytes, size_t count)
{
    char *copy = *at;
    if (count > 0) {
        memcpy(copy, bytes, count);
    }
    *at += count;
    return copy;
}

// copy_attributes returns a copy in one block; NULL if out of memory.
static query_attribute *
copy_attributes(const query_attribute *attributes, size_t count)
{
    query_attribute *copy = malloc(bytes_of(attributes, count) + 1);
    char *at = copy == NULL ? NULL : (char *)(copy + count);
    for (size_t i = 0; i < count && copy != NULL; i++) {
        const query_attribute *from = &attributes[i];
        copy[i] = *from;
        copy[i].name = copy_text(&at, from->name, strlen(from->name) + 1);
        copy[i].label = copy_text(&at, from->label, strlen(from->label) + 1);
        copy[i].value.ptr = (const uint8_t *)copy_text(&at, from->value.ptr, from->value.len);
    }
    return copy;
}

// add adds an item unless it comes before the cursor.
static lp_err
add(query_listing *listing, const query_listed *item, bool *out_is_added)
{
    *out_is_added = listing->after == NULL || compare_to_cursor(listing, item) >= 0;
    if (!*out_is_added) {
        return LP_OK;
    }
    size_t equal_max = listing->after == NULL ? 0 : listing->after->equal_count;
    if (listing->items.count == 2 * listing->limit + equal_max) {
        keep_first(listing);
    }
    return LP_VEC_ADD(&listing->items, *item);
}

lp_err
query_listing_add_item(query_listing *listing, const query_listed *item)
{
    listing_check(listing);
    bool is_added;
    return add(listing, item, &is_added);
}

static lp_err
add_request(query_listing *listing, const query_answer *answer, query_listed item)
{
    query_attribute attributes[QUERY_REQUEST_ATTRIBUTES_MAX];
    bool is_added;
    item.request = answer->request->facts;
    lp_err err = add(listing, &item, &is_added);
    if (err != LP_OK || !is_added) {
        return err;
    }
    for (size_t i = 0; i < answer->attribute_count; i++) {
        attributes[i] = answer->attributes[i].attribute;
    }
    query_listed *added = &listing->items.items[listing->items.count - 1];
    added->attributes = copy_attributes(attributes, answer->attribute_count);
    added->attribute_count = added->attributes == NULL ? 0 : answer->attribute_count;
    return added->attributes == NULL ? LP_ENOMEM : LP_OK;
}

lp_err
query_listing_add(void *arg, const query_answer *answer)
{
    query_listing *listing = arg;
    listing_check(listing);
    query_listed item = {
        .source = answer->source,
        .offset = answer->context->offset,
        .type = answer->context->type,
        .ref = answer->ref,
        .begin_wall_ns = answer->begin_wall_ns,
        .duration_ns = answer->duration_ns,
        .triggers = answer->row_count,
    };
    listing->lengths[1 + histogram_bucket(item.duration_ns)]++;
    if (answer->request != NULL) {
        return add_request(listing, answer, item);
    }
    for (size_t i = 0; i < answer->row_count; i++) {
        const time_span *span = &answer->spans[i];
        if (time_category_is_blocked(answer->rows[span->event].category)) {
            bool has_stops = time_category_outlasts_pauses(span->category);
            item.blocked_ns += span->own_ns + (has_stops ? 0 : span->stopped_ns);
        }
    }
    return query_listing_add_item(listing, &item);
}

void
query_listing_remove(query_listing *listing, size_t index)
{
    listing_check(listing);
    LP_ASSERT(index < listing->items.count);
    query_listed *item = &listing->items.items[index];
    uint64_t *length = &listing->lengths[1 + histogram_bucket(item->duration_ns)];
    LP_ASSERT(*length > 0);
    --*length;
    free_attributes(item);
    *item = listing->items.items[--listing->items.count];
    listing->has_last = false;
}

int64_t
query_listing_quantile_ns(query_listing *listing, double q)
{
    LP_ASSERT(q >= 0 && q <= 1);
    histogram lengths = {.zero_count = listing->lengths[0],
        .counts = listing->lengths + 1,
        .bucket_count = HISTOGRAM_BUCKETS};
    for (size_t i = 0; i <= HISTOGRAM_BUCKETS; i++) {
        lengths.count += listing->lengths[i];
    }
    return histogram_quantile_ns(&lengths, q);
}

// --- The end of a list

// drop_before drops the rows up to the cursor.
static void
drop_before(query_listing *listing)
{
    size_t count = listing->items.count;
    query_listed *items = listing->items.items;
    size_t before = 0;
    while (listing->after != NULL && before < count && before < listing->after->equal_count &&
           compare_to_cursor(listing, &items[before]) == 0) {
        free_attributes(&items[before++]);
    }
    if (before > 0) {
        memmove(items, items + before, (count - before) * sizeof(*items));
    }
    listing->items.count = count - before;
}

// find_next makes the cursor of the last item.
static void
find_next(query_listing *listing)
{
    size_t count = listing->items.count;
    if (!listing->has_more || count == 0) {
        return;
    }
    const query_listed *last = &listing->items.items[count - 1];
    query_cursor next = {
        .sort = listing->sort,
        .key = key_of(listing->sort, last),
        .begin_wall_ns = last->begin_wall_ns,
    };
    for (size_t i = count; i > 0; i--, next.equal_count++) {
        const query_listed *item = &listing->items.items[i - 1];
        if (key_of(listing->sort, item) != next.key || item->begin_wall_ns != next.begin_wall_ns) {
            break;
        }
    }
    if (next.equal_count == count && listing->after != NULL &&
        compare_to_cursor(listing, last) == 0) { // rows before the list as well
        next.equal_count += listing->after->equal_count;
    }
    listing->has_next = next.equal_count <= QUERY_CURSOR_EQUALS_MAX;
    listing->next = next;
}

void
query_listing_finish(query_listing *listing)
{
    listing_check(listing);
    keep_first(listing);
    drop_before(listing);
    if (listing->items.count > listing->limit) {
        listing->has_more = true;
        leave_first(listing, listing->limit);
    }
    find_next(listing);
}

void
query_listing_cut(query_listing *listing, size_t count)
{
    listing_check(listing);
    LP_ASSERT(count < listing->items.count);
    leave_first(listing, count);
    listing->has_more = true;
    find_next(listing);
}

typedef struct visit {
    lp_err (*on_item)(void *arg, query_chunk *chunk, const query_event *event, query_listed *item);
    void *arg;
} visit;

// visit_chunk visits the items of the chunk of the first item, and writes their number.
static lp_err
visit_chunk(const visit *v, const query_sources *sources, query_names *names, query_listed **items,
    size_t count, size_t *out_done)
{
    query_chunk chunk;
    query_event event;
    lp_problem problem;
    size_t i = 0;
    lp_err err = query_sources_open(sources, items[0]->source, names, &chunk, &problem);
    LP_REQUIRE(err == LP_OK, err);
    for (; i < count && items[i]->source == items[0]->source && err == LP_OK; i++) {
        err = query_chunk_event(&chunk, items[i]->offset, &event)
                  ? v->on_item(v->arg, &chunk, &event, items[i])
                  : LP_ECORRUPT;
    }
    LP_THEN(err, query_chunk_err(&chunk));
    query_sources_close(sources, items[0]->source, &chunk);
    *out_done = i;
    return err;
}

lp_err
query_listing_each(query_listing *listing, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled,
    lp_err (*on_item)(void *arg, query_chunk *chunk, const query_event *event, query_listed *item),
    void *arg)
{
    listing_check(listing);
    LP_ASSERT(listing->items.count <= listing->limit); // finished
    const visit v = {on_item, arg};
    size_t count = listing->items.count;
    query_listed **places = calloc(count + 1, sizeof(*places));
    LP_REQUIRE(places != NULL, LP_ENOMEM);
    for (size_t i = 0; i < count; i++) {
        places[i] = &listing->items.items[i];
    }
    LP_QSORT(places, count, compare_places);
    lp_err err = LP_OK;
    for (size_t i = 0, done = 0; i < count && err == LP_OK; i += done) {
        err = query_check_cancelled(is_cancelled);
        LP_THEN(err, visit_chunk(&v, sources, names, places + i, count - i, &done));
    }
    free(places);
    return err;
}

// --- Attributes

typedef struct attributes_read {
    query_listing *listing;
    size_t cut;   // items from this index on are left out
    size_t bytes; // of the attributes before it
} attributes_read;

// cut leaves out the last items that have no room.
static void
cut(attributes_read *r)
{
    size_t max = r->listing->attribute_bytes_max;
    while (max > 0 && r->bytes > max && r->cut > 1) {
        query_listed *item = &r->listing->items.items[--r->cut];
        r->bytes -= bytes_of(item->attributes, item->attribute_count);
        free_attributes(item);
    }
}

static lp_err
read_item(void *arg, query_chunk *chunk, const query_event *event, query_listed *item)
{
    attributes_read *r = arg;
    query_attribute attributes[COMPACT_KIND_ATTRIBUTES_MAX];
    LP_REQUIRE(event->type->role == QUERY_ROLE_CONTEXT, LP_ECORRUPT);
    if ((size_t)(item - r->listing->items.items) >= r->cut) {
        return LP_OK;
    }
    if (r->listing->wants_ids) {
        query_chunk_find_ids(chunk);
    }
    item->thread = query_chunk_thread(chunk, event->thread_key, &item->java_thread_id);
    size_t count = query_chunk_attributes(chunk, event, attributes);
    item->attributes = copy_attributes(attributes, count);
    LP_REQUIRE(item->attributes != NULL, LP_ENOMEM);
    item->attribute_count = count;
    r->bytes += bytes_of(attributes, count);
    cut(r);
    return LP_OK;
}

// fit_requests leaves out the last requests that have no room.
static void
fit_requests(attributes_read *r)
{
    for (size_t i = 0; i < r->listing->items.count; i++) {
        const query_listed *item = &r->listing->items.items[i];
        r->bytes += bytes_of(item->attributes, item->attribute_count);
    }
    cut(r);
}

lp_err
query_listing_read(query_listing *listing, const query_sources *sources, query_names *names,
    const atomic_bool *is_cancelled)
{
    lp_err err = LP_OK;
    query_listing_finish(listing);
    attributes_read r = {.listing = listing, .cut = listing->items.count};
    bool has_requests = listing->items.count > 0 && listing->items.items[0].request.id != 0;
    if (has_requests) {
        fit_requests(&r);
    } else {
        err = query_listing_each(listing, sources, names, is_cancelled, read_item, &r);
    }
    if (r.cut < listing->items.count) {
        query_listing_cut(listing, r.cut);
        listing->is_cut = true;
    }
    return err;
}
