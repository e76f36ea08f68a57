// SPDX-License-Identifier: Apache-2.0
#include "offline/merge_read.h"

#include "engine/read/view.h"
#include "offline/crew_read.h"

typedef struct merging {
    const inputs *in;
    const policy *rules;
    compact_merge *merge;
} merging;

static lp_err
read_chunk(void *arg, size_t index, compact_schema *like, compact_view *view)
{
    const merging *m = arg;
    return compact_view_open_enumerations(view, m->in->chunks.items[index].bytes, m->rules, like);
}

static lp_err
add_chunk(void *arg, size_t index, compact_view *view)
{
    const merging *m = arg;
    return view == NULL ? LP_OK
                        : compact_merge_add(m->merge, m->in->chunks.items[index].session, view);
}

static void
release_chunk(void *arg, size_t index)
{
    const merging *m = arg;
    const input_chunk *chunk = &m->in->chunks.items[index];
    recording_file_release(chunk->file, chunk->bytes);
}

lp_err
merge_read(const inputs *in, const policy *rules, unsigned threads, compact_merge *merge)
{
    merging m = {.in = in, .rules = rules, .merge = merge};
    const crew_reader reader = {
        .count = in->chunks.count,
        .read = read_chunk,
        .add = add_chunk,
        .release = release_chunk,
        .arg = &m,
    };
    return crew_read(&reader, threads);
}
