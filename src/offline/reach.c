// SPDX-License-Identifier: Apache-2.0
#include "offline/reach.h"

#include "common/jfr/jfr_chunk.h"
#include "engine/job/reach.h"

// read_start reads where a chunk starts. False for one that cannot be read.
static bool
read_start(const pipeline_chunk *chunk, jfr_chunk_info *out_info)
{
    return jfr_chunk_parse_cut(chunk->jfr, out_info, NULL) == LP_OK;
}

// is_near returns whether a chunk begins within a length of time of another. One that cannot be
// read is never looked at, and so never too far.
static bool
is_near(const jfr_chunk_info *from, int64_t reach_ns, const pipeline_chunk *chunk)
{
    jfr_chunk_info info;
    if (!read_start(chunk, &info)) {
        return true;
    }
    __int128 distance = (__int128)info.start_ticks - from->start_ticks;
    return distance * 1000000000 <= (__int128)reach_ns * from->ticks_per_s;
}

typedef struct finder {
    const pipeline_chunk *chunks;
    int64_t reach_ns;
} finder;

// find_end returns the end of what the chunk before first needs; that of the chunk before that is
// least. last is behind the last chunk of the session.
static size_t
find_end(const finder *f, size_t first, size_t least, size_t last)
{
    jfr_chunk_info start;
    while (first < last && !read_start(&f->chunks[first], &start)) {
        first++;
    }
    size_t end = first < last ? first + 1 : last;
    end = end > least ? end : least;
    while (end < last && end - first < REACH_CHUNKS_MAX &&
           is_near(&start, f->reach_ns, &f->chunks[end])) {
        end++;
    }
    return end;
}

void
reach_find(const pipeline_input *in, size_t *out_ends)
{
    const policy *rules = in->options == NULL ? NULL : in->options->policy;
    const finder f = {
        .chunks = in->chunks,
        .reach_ns = compact_reach_ns(rules),
    };
    size_t least = 0;
    size_t last = 0; // behind the last chunk of the session
    for (size_t i = 0; i < in->count; i++) {
        if (i == last) {
            least = 0;
            for (last++; last < in->count && in->chunks[last - 1].goes_on; last++) {
            }
        }
        least = out_ends[i] = find_end(&f, i + 1, least, last);
    }
}
