// SPDX-License-Identifier: Apache-2.0
#include "query/slice/slice_style.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "engine/compact.h"
#include "query/chunk/sources.h"

#include <unistd.h>

lp_err
query_slice_styler_open(
    query_slice_styler *styler, compact_context_style style, const query_slice_output *output)
{
    LP_ASSERT(style == COMPACT_STYLE_EVENTS || output->spill != NULL);
    *styler = (query_slice_styler){.output = *output, .fd = -1};
    if (style == COMPACT_STYLE_EVENTS) {
        return LP_OK;
    }
    styler->restyler = compact_restyler_create(style, false);
    return styler->restyler == NULL ? LP_ENOMEM : LP_OK;
}

void
query_slice_styler_close(query_slice_styler *styler)
{
    compact_restyler_destroy(styler->restyler);
    LP_VEC_FINI(&styler->chunks);
    if (styler->fd >= 0) {
        (void)close(styler->fd);
    }
    *styler = (query_slice_styler){.fd = -1};
}

lp_err
query_slice_styler_add(query_slice_styler *styler, uint32_t session, const compact_result *chunk)
{
    LP_ASSERT(styler->restyler != NULL);
    struct query_slice_gathered *gathered = LP_VEC_PUSH(&styler->chunks);
    if (gathered == NULL) {
        return LP_ENOMEM;
    }
    const lp_slice bytes = lp_buf_slice(&chunk->jfr);
    *gathered = (struct query_slice_gathered){
        .offset = styler->bytes,
        .events = chunk->stats.events_out,
        .size_bytes = (uint32_t)bytes.len,
        .session = session,
    };
    styler->bytes += bytes.len;
    lp_err err = compact_restyler_survey(styler->restyler, bytes);
    return err == LP_OK ? styler->output.spill(styler->output.arg, bytes, &styler->fd) : err;
}

// read_gathered reads the chunk of that number into out_bytes, which is empty.
static lp_err
read_gathered(const query_slice_styler *styler, size_t number, lp_buf *out_bytes)
{
    const struct query_slice_gathered *chunk = &styler->chunks.items[number];
    uint8_t *bytes = lp_buf_extend(out_bytes, chunk->size_bytes);
    return bytes == NULL ? LP_ENOMEM
                         : lp_io_pread_all(styler->fd, bytes, chunk->size_bytes, chunk->offset);
}

// find_next returns the number of the session's next chunk, or that of all chunks.
static size_t
find_next(const query_slice_styler *styler, size_t number)
{
    size_t next = number + 1;
    while (next < styler->chunks.count &&
           styler->chunks.items[next].session != styler->chunks.items[number].session) {
        next++;
    }
    return next;
}

static lp_err
write_chunk(query_slice_styler *styler, size_t number, lp_problem *problem)
{
    lp_buf chunk = {0};
    lp_buf next = {0};
    compact_result result;
    lp_err err = read_gathered(styler, number, &chunk);
    if (err == LP_OK && find_next(styler, number) < styler->chunks.count) {
        err = read_gathered(styler, find_next(styler, number), &next);
    }
    LP_THEN(err, compact_restyler_write(styler->restyler, lp_buf_slice(&chunk), lp_buf_slice(&next),
                     &result, problem));
    if (err == LP_OK) {
        result.stats.events_out = styler->chunks.items[number].events;
        err = styler->output.on_chunk(styler->output.arg, &result);
        compact_result_fini(&result);
    }
    lp_buf_fini(&chunk);
    lp_buf_fini(&next);
    return err;
}

lp_err
query_slice_styler_write(query_slice_styler *styler, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < styler->chunks.count && err == LP_OK; i++) {
        err = query_check_cancelled(styler->output.is_cancelled);
        LP_THEN(err, write_chunk(styler, i, out_problem));
    }
    return err;
}
