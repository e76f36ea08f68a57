// SPDX-License-Identifier: Apache-2.0
// A slice of two chunks, of one session or of two, out of any bytes: the chunks that come out are
// not damaged, and have an event of each context that is counted, at least.
//
//   input: 1 byte: bits below; 2 bytes: how many bytes of the first chunk; it; the second

#include "fuzz.h"
#include "fuzz_chunk.h"

#include "common/base/lp_assert.h"
#include "engine/read/view.h"
#include "query/slice/slice.h"

enum {
    HEAD_BYTES = 3,
    BIT_AS_IT_IS = 1 << 0, // size in the header, too: chunks may be cut off
    BIT_NARROW = 1 << 1,   // asks for some contexts only
    BIT_APART = 1 << 2,    // the chunks are of two sessions
    BIT_AROUND = 1 << 3,   // it has what is around
};

static lp_err
on_chunk(void *arg, const compact_result *chunk)
{
    uint64_t *contexts = arg;
    compact_view view;
    LP_ASSERT(
        compact_view_open(&view, lp_buf_slice(&chunk->jfr), NULL, false, NULL, NULL) == LP_OK);
    LP_ASSERT(view.damage.place_count == 0 && view.unknown_events == 0);
    *contexts += view.spans.count;
    // Some may not fit their types, which a query does not ask.
    *contexts += chunk->stats.contexts_dropped.by[COMPACT_BY_DAMAGED];
    compact_view_close(&view);
    return LP_OK;
}

static void
slice_all(const query_sources *sources, uint8_t bits)
{
    query_names names = {0};
    query_outcome outcome;
    lp_problem problem;
    uint64_t contexts = 0;
    query_selection selection = query_selection_begin(false);
    if ((bits & BIT_NARROW) != 0) {
        LP_ASSERT(query_selection_set(&selection, "where", "traceId!=x", NULL) == LP_OK);
    }
    const query_question question = {.sources = sources, .selection = &selection};
    const query_slice slice = {
        .question = &question,
        .has_around = (bits & BIT_AROUND) != 0,
        .on_chunk = on_chunk,
        .arg = &contexts,
    };
    LP_ASSERT(query_slice_write(&slice, &names, &outcome, &problem) == LP_OK);
    LP_ASSERT(contexts >= outcome.contexts);
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
    query_source items[2] = {
        {.bytes = fuzz_chunk(bytes + HEAD_BYTES, first_bytes, is_sized)},
        {.session = (bits & BIT_APART) != 0},
    };
    query_sources sources = {.items = items, .count = 1};
    if (rest - first_bytes >= FUZZ_CHUNK_BYTES_MIN) {
        items[1].bytes = fuzz_chunk(bytes + HEAD_BYTES + first_bytes, rest - first_bytes, is_sized);
        sources.count = 2;
    }
    slice_all(&sources, bits);
    fuzz_chunk_free(items[0].bytes);
    fuzz_chunk_free(items[1].bytes);
    return 0;
}
