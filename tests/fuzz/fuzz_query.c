// SPDX-License-Identifier: Apache-2.0
// A query over two chunks of a session, out of any bytes: each wanted context is answered once, its
// time is divided without a rest, and the rows of all make up their time.
//
//   input: 1 byte: bits below; 2 bytes: how many bytes of the first chunk; it; the second

#include "fuzz.h"
#include "fuzz_chunk.h"

#include "common/base/lp_assert.h"
#include "query/listing_json.h"
#include "query/why_json.h"

enum {
    HEAD_BYTES = 3,
    BIT_AS_IT_IS = 1 << 0, // size in the header, too: chunks may be cut off
    BIT_NARROW = 1 << 1,   // asks for some contexts only
    LIMIT = 3,
};

typedef struct asked {
    query_listing listing;
    query_why why;
    uint64_t count;
} asked;

static lp_err
on_context(void *arg, const query_answer *answer)
{
    asked *a = arg;
    int64_t sum_ns = answer->left_ns;
    LP_ASSERT(answer->duration_ns >= 0 && answer->left_ns >= 0);
    for (size_t i = 0; i < answer->row_count; i++) {
        LP_ASSERT(answer->spans[i].own_ns >= 0 && answer->spans[i].event < answer->row_count);
        sum_ns += answer->spans[i].own_ns;
    }
    for (size_t i = 0; i < answer->pause_count; i++) {
        LP_ASSERT(answer->pauses[i].own_ns >= 0 && answer->pauses[i].event < answer->pause_count);
        sum_ns += answer->pauses[i].own_ns;
    }
    LP_ASSERT(sum_ns == answer->duration_ns);
    a->count++;
    LP_ASSERT(query_listing_add(&a->listing, answer) == LP_OK);
    return query_why_add(&a->why, answer);
}

static const char *
recording(const void *arg, uint32_t source)
{
    (void)arg;
    return source == 0 ? "first" : "second";
}

// check_whole expects the rows to make up the time, unless that is more than a number has.
static void
check_whole(asked *a, const query_names *names)
{
    query_why_finish(&a->why, names);
    __int128 sum_ns = a->why.unaccounted_ns;
    for (size_t i = 0; i < a->why.slices.count; i++) {
        LP_ASSERT(a->why.slices.items[i].total_ns >= 0);
        sum_ns += a->why.slices.items[i].total_ns;
    }
    LP_ASSERT(sum_ns == a->why.total_ns || a->why.total_ns == INT64_MAX);
}

static void
ask(const query_sources *sources, bool is_narrow)
{
    asked a = {.listing = {.sort = QUERY_SORT_BLOCKED, .limit = LIMIT}};
    query_names names = {0};
    query_outcome outcome;
    query_selection selection = query_selection_begin(false);
    if (is_narrow) {
        LP_ASSERT(query_selection_set(&selection, "context", "Trace", NULL) == LP_OK);
        LP_ASSERT(query_selection_set(&selection, "where", "traceId!=x", NULL) == LP_OK);
        LP_ASSERT(query_selection_set(&selection, "thread", "thread-1", NULL) == LP_OK);
    }
    const query_question question = {
        .sources = sources,
        .selection = &selection,
        .wants_frames = true,
        .on_context = on_context,
        .arg = &a,
    };
    LP_ASSERT(query_run(&question, &names, &outcome) == LP_OK);
    LP_ASSERT(outcome.contexts == a.count && a.why.requests <= a.count);
    check_whole(&a, &names);
    LP_ASSERT(query_listing_read(&a.listing, sources, &names, NULL) == LP_OK);
    LP_ASSERT(a.listing.items.count == (a.count < LIMIT ? a.count : LIMIT));
    json_t *listing = query_listing_json(&a.listing, &names, &outcome, true, recording, NULL);
    json_t *why = query_why_json(&a.why, &names, &outcome);
    LP_ASSERT(listing != NULL && why != NULL);
    json_decref(listing);
    json_decref(why);
    query_listing_fini(&a.listing);
    query_why_fini(&a.why);
    query_names_fini(&names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES + FUZZ_CHUNK_BYTES_MIN) {
        return 0;
    }
    uint8_t bits = bytes[0];
    bool is_sized = (bits & BIT_AS_IT_IS) == 0;
    size_t rest = count - HEAD_BYTES;
    size_t first_bytes = (size_t)bytes[1] | (size_t)bytes[2] << 8;
    if (first_bytes < FUZZ_CHUNK_BYTES_MIN || first_bytes > rest) {
        return 0;
    }
    lp_slice first = fuzz_chunk(bytes + HEAD_BYTES, first_bytes, is_sized);
    lp_slice second = {0};
    size_t chunk_count = 1;
    if (rest - first_bytes >= FUZZ_CHUNK_BYTES_MIN) {
        second = fuzz_chunk(bytes + HEAD_BYTES + first_bytes, rest - first_bytes, is_sized);
        chunk_count = 2;
    }
    const query_source items[] = {{.bytes = first}, {.bytes = second}};
    const query_sources sources = {.items = items, .count = chunk_count};
    ask(&sources, (bits & BIT_NARROW) != 0);
    fuzz_chunk_free(first);
    fuzz_chunk_free(second);
    return 0;
}
