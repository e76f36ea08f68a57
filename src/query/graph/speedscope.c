// SPDX-License-Identifier: Apache-2.0
// speedscope: writes a profile in the format of speedscope (profile_formats.h).
//
// Tests: tests/unit/query/graph/test_graph.c, tests/e2e/flamegraph.py

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find_or_add.h"
#include "common/base/lp_order.h"
#include "common/jfr/jfr_string.h"
#include "query/graph/profile_formats.h"
#include "query/run/sums.h"
#include "query/select/json_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_BYTES = 24,
    OTHER_GROUP = QUERY_SPEEDSCOPE_THREADS_MAX + 1, // all other threads
};

void
query_speedscope_fini(query_speedscope *s)
{
    LP_VEC_FINI(&s->threads);
    lp_map_fini(&s->index_of);
    *s = (query_speedscope){0};
}

static void
speedscope_check(const query_speedscope *s)
{
    LP_ASSERT(s->threads.count <= QUERY_SPEEDSCOPE_THREADS_MAX);
    LP_ASSERT(s->index_of.count <= s->threads.count);
}

lp_err
query_speedscope_group(query_speedscope *s, const query_answer *answer, uint32_t *out_group)
{
    speedscope_check(s);
    uint32_t name = answer->context->thread_name;
    uint32_t group = (uint32_t)s->threads.count + 1; // 0 is of no thread
    uint32_t index;
    bool is_full = false;
    lp_err err = LP_FIND_OR_ADD(&s->threads, &s->index_of,
        (uint64_t)answer->first_source << 32 | name, QUERY_SPEEDSCOPE_THREADS_MAX, &is_full, &index,
        (struct query_speedscope_thread){answer->first_source, name, group});
    *out_group = is_full ? (uint32_t)OTHER_GROUP : index + 1;
    return err;
}

// --- Text

static void
append_string(lp_buf *out, const char *text)
{
    json_t *json = json_string(text);
    query_json_append(out, json);
    json_decref(json);
}

static void
append_number(lp_buf *out, int64_t number)
{
    char text[NUMBER_BYTES];
    int len = snprintf(text, sizeof(text), "%" PRId64, number);
    lp_buf_append(out, text, (size_t)len);
}

// --- Frames

// write_frames writes the names of all nodes, each once, and maps their numbers to their index.
static lp_err
write_frames(const query_profile *profile, lp_map *frame_of, lp_buf *out)
{
    lp_err err = LP_OK;
    lp_buf_append_text(out, "\"shared\":{\"frames\":[");
    for (size_t i = 1; i < profile->stacks.nodes.count && err == LP_OK; i++) {
        uint32_t name = profile->stacks.nodes.items[i].name;
        if (lp_map_find(frame_of, name) == LP_MAP_NONE) {
            err = lp_map_put(frame_of, name, (uint32_t)frame_of->count);
            lp_buf_append_text(out, frame_of->count == 1 ? "{\"name\":" : ",{\"name\":");
            append_string(out, query_names_text(profile->names, name));
            lp_buf_append_text(out, "}");
        }
    }
    lp_buf_append_text(out, "]},");
    return err;
}

// write_stack writes a stack trace, the topmost frame last.
static void
write_stack(const query_profile *profile, const lp_map *frame_of, uint32_t node, lp_buf *out)
{
    uint32_t nodes[QUERY_STACK_LEVELS_MAX];
    size_t count = 0;
    for (; node != QUERY_STACK_ROOT; node = profile->stacks.nodes.items[node].parent) {
        nodes[count++] = node;
    }
    lp_buf_append_text(out, "[");
    for (size_t i = count; i > 0; i--) {
        append_number(out, lp_map_find(frame_of, profile->stacks.nodes.items[nodes[i - 1]].name));
        lp_buf_append_text(out, i > 1 ? "," : "]");
    }
    lp_buf_append_text(out, count == 0 ? "]" : "");
}

// --- Profiles

// Cells sorted by group.
typedef struct cell_list {
    const query_cell **items;
    size_t count;
} cell_list;

LP_COMPARE(compare_cells, query_cell *const,
    LP_ORDER((*one)->group, (*other)->group)
        ?: LP_ORDER((*other)->sides[0].value, (*one)->sides[0].value)
        ?: LP_ORDER((*one)->stack, (*other)->stack))

static cell_list
find_group(const cell_list *all, uint32_t group)
{
    size_t low = LP_BISECT(all->items, 0, all->count, (*at)->group < group);
    size_t end = low;
    while (end < all->count && all->items[end]->group == group) {
        end++;
    }
    return (cell_list){all->items + low, end - low};
}

static const char *
unit_of(query_measure measure)
{
    return measure == QUERY_MEASURE_ALLOC    ? "bytes"
           : query_measure_is_count(measure) ? "none"
                                             : "nanoseconds";
}

typedef struct writer {
    query_speedscope *s;
    const query_profile *profile;
    lp_map frame_of; // by name
    cell_list cells;
    size_t profile_count; // written so far
    lp_buf *out;
} writer;

// write_profile writes the profile of a group that has cells.
static void
write_profile(writer *w, uint32_t group, const char *name)
{
    cell_list cells = find_group(&w->cells, group);
    int64_t sum = 0;
    size_t count = 0;
    if (cells.count == 0) {
        return;
    }
    lp_buf_append_text(w->out, w->profile_count++ == 0 ? "{\"type\":\"sampled\",\"name\":"
                                                       : ",{\"type\":\"sampled\",\"name\":");
    append_string(w->out, name);
    lp_buf_append_text(w->out, ",\"unit\":\"");
    lp_buf_append_text(w->out, unit_of(w->profile->measure));
    lp_buf_append_text(w->out, "\",\"samples\":[");
    for (; count < cells.count && w->out->len < QUERY_PROFILE_BYTES_MAX; count++) {
        lp_buf_append_text(w->out, count == 0 ? "" : ",");
        write_stack(w->profile, &w->frame_of, cells.items[count]->stack, w->out);
    }
    w->s->is_truncated |= count < cells.count;
    lp_buf_append_text(w->out, "],\"weights\":[");
    for (size_t i = 0; i < count; i++) {
        lp_buf_append_text(w->out, i == 0 ? "" : ",");
        append_number(w->out, cells.items[i]->sides[0].value);
        query_sum_add(&sum, cells.items[i]->sides[0].value);
    }
    lp_buf_append_text(w->out, "],\"startValue\":0,\"endValue\":");
    append_number(w->out, sum);
    lp_buf_append_text(w->out, "}");
}

static int
compare_threads(const void *a, const void *b, void *arg)
{
    const struct query_speedscope_thread *one = a;
    const struct query_speedscope_thread *other = b;
    return strcmp(query_names_text(arg, one->name), query_names_text(arg, other->name))
               ?: LP_ORDER(one->session, other->session);
}

static lp_err
write_threads(
    writer *w, const char *(*recording)(const void *arg, uint32_t source), const void *arg)
{
    query_speedscope *s = w->s;
    lp_buf name = {0};
    bool has_several = false;
    for (size_t i = 1; i < s->threads.count; i++) {
        has_several |= s->threads.items[i].session != s->threads.items[0].session;
    }
    LP_VEC_SORT(&s->threads, compare_threads, w->profile->names);
    for (size_t i = 0; i < s->threads.count && !name.is_failed; i++) {
        const struct query_speedscope_thread *thread = &s->threads.items[i];
        const char *text = query_names_text(w->profile->names, thread->name);
        lp_buf_clear(&name);
        lp_buf_append_text(&name, *text == '\0' ? "threads without a name" : text);
        if (has_several) {
            lp_buf_append_text(&name, " in ");
            const char *text_of_recording = recording(arg, thread->session);
            jfr_utf8_append_valid(
                &name, (lp_slice){(const uint8_t *)text_of_recording, strlen(text_of_recording)});
        }
        lp_buf_append(&name, "", 1); // ends it
        write_profile(w, thread->group, name.is_failed ? "" : (const char *)name.ptr);
    }
    lp_err err = lp_buf_check(&name);
    lp_buf_fini(&name);
    return err;
}

// list_cells sorts the cells that have an amount.
static lp_err
list_cells(writer *w)
{
    w->cells.items = calloc(w->profile->cells.count + 1, sizeof(*w->cells.items));
    LP_REQUIRE(w->cells.items != NULL, LP_ENOMEM);
    for (size_t i = 0; i < w->profile->cells.count; i++) {
        if (w->profile->cells.items[i].sides[0].value > 0) {
            w->cells.items[w->cells.count++] = &w->profile->cells.items[i];
        }
    }
    LP_QSORT(w->cells.items, w->cells.count, compare_cells);
    return LP_OK;
}

lp_err
query_speedscope_write(query_speedscope *s, const query_profile *profile, const char *title,
    const char *(*recording)(const void *arg, uint32_t source), const void *arg, lp_buf *out)
{
    speedscope_check(s);
    LP_ASSERT(title != NULL && recording != NULL);
    writer w = {.s = s, .profile = profile, .out = out};
    lp_buf_append_text(out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
    lp_err err = write_frames(profile, &w.frame_of, out);
    LP_THEN(err, list_cells(&w));
    lp_buf_append_text(out, "\"profiles\":[");
    LP_THEN(err, write_threads(&w, recording, arg));
    if (err == LP_OK) {
        write_profile(&w, OTHER_GROUP, "other threads");
        write_profile(&w, 0, "no thread");
    }
    lp_buf_append_text(out, "],\"name\":");
    append_string(out, title);
    lp_buf_append_text(out, ",\"exporter\":\"loupe\"}\n");
    free(w.cells.items);
    lp_map_fini(&w.frame_of);
    return err == LP_OK ? lp_buf_check(out) : err;
}
