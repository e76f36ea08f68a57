// SPDX-License-Identifier: Apache-2.0
#include "offline/reach.h"

#include "common/jfr/jfr_chunk.h"
#include "engine/job/reach.h"

#include <stdlib.h>

// is_near returns whether a chunk begins within a length of time of another. One that cannot be
// read is never looked at, and so never too far.
static bool
is_near(const reach_start *from, int64_t reach_ns, const reach_start *chunk)
{
    __int128 distance = (__int128)chunk->ticks - from->ticks;
    return chunk->ticks_per_s == 0 ||
           distance * 1000000000 <= (__int128)reach_ns * from->ticks_per_s;
}

// find_end returns the end of the reach of the chunk before first, at least that of the chunk
// before it (least). last is behind the last chunk of the session.
static size_t
find_end(const reach_start *starts, int64_t reach_ns, size_t first, size_t least, size_t last)
{
    first = starts[first].next;
    size_t end = first < last ? first + 1 : last;
    end = end > least ? end : least;
    while (end < last && end - first < REACH_CHUNKS_MAX &&
           is_near(&starts[first], reach_ns, &starts[end])) {
        end++;
    }
    return end;
}

static void
find_starts(const pipeline_input *in, reach_start *starts)
{
    starts[in->count] = (reach_start){.next = in->count};
    for (size_t i = in->count; i-- > 0;) {
        jfr_chunk_info info;
        starts[i] = (reach_start){.next = starts[i + 1].next};
        if (jfr_chunk_parse_cut(in->chunks[i].jfr, &info, NULL) == LP_OK) {
            starts[i] = (reach_start){info.start_ticks, info.ticks_per_s, i};
        }
    }
}

lp_err
reach_find(const pipeline_input *in, chunk_reach *out_reach)
{
    const policy *rules = in->options == NULL ? NULL : in->options->policy;
    int64_t reach_ns = compact_reach_ns(rules);
    *out_reach = (chunk_reach){
        .starts = calloc(in->count + 1, sizeof(*out_reach->starts)),
        .ends = calloc(in->count + 1, sizeof(*out_reach->ends)),
    };
    LP_REQUIRE(out_reach->starts != NULL && out_reach->ends != NULL, LP_ENOMEM);
    find_starts(in, out_reach->starts);
    size_t least = 0;
    size_t last = 0; // behind the last chunk of the session
    for (size_t i = 0; i < in->count; i++) {
        if (i == last) {
            least = 0;
            for (last++; last < in->count && in->chunks[last - 1].goes_on; last++) {
            }
        }
        least = find_end(out_reach->starts, reach_ns, i + 1, least, last);
        out_reach->ends[i] = least;
    }
    return LP_OK;
}

void
reach_fini(chunk_reach *reach)
{
    free(reach->starts);
    free(reach->ends);
    *reach = (chunk_reach){0};
}
