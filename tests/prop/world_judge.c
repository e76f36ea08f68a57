// SPDX-License-Identifier: Apache-2.0
#include "world_judge.h"

#include "context_types.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static bool
is_of(const world_item *it, const jfr_read *read, const jfr_read_event *event)
{
    const char *name = jfr_read_name(read, event);
    bool has_same_type = false;
    bool has_duration = false;
    bool has_thread = false;
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        if (world_kinds[i].id == it->type) {
            has_same_type = strcmp(world_kinds[i].name, name) == 0;
            has_duration = world_kinds[i].has_duration;
            has_thread =
                world_kinds[i].has_thread && it->type != JFR_SAMPLE_ODD; // not behind varints
        }
    }
    if (!has_same_type || jfr_read_number(read, event, "startTime") != it->begin) {
        return false;
    }
    if (has_duration && jfr_read_number(read, event, "duration") != it->commit - it->begin) {
        return false;
    }
    const char *field = it->type == JFR_SAMPLE_EXECUTION ? "sampledThread" : "eventThread";
    return !has_thread || jfr_read_number(read, event, field) == (int64_t)it->key;
}

bool
world_is_like(const world_item *it, const world_item *other)
{
    return other->type == it->type && other->begin == it->begin && other->commit == it->commit &&
           other->chunk == it->chunk && (other->key == it->key || it->type == JFR_SAMPLE_ODD);
}

size_t
world_count_like(const world_item *it, const jfr_read *output)
{
    size_t count = 0;
    for (size_t i = 0; i < output->events.count; i++) {
        count += is_of(it, output, &output->events.items[i]);
    }
    return count;
}

// is_like_output compares how many kept events look like item it, by the naive decision and in the
// output: equal ones cannot be told apart.
static bool
is_like_output(const world *w, const world_item *it, const jfr_read *output)
{
    size_t want = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        want += w->items[i].is_kept && world_is_like(it, &w->items[i]);
    }
    return want == world_count_like(it, output);
}

// is_context_written is true if a part of the context is in one of the outputs.
static bool
is_context_written(const world *w, size_t context_index, const jfr_read *outputs)
{
    const world_context *c = &w->contexts[context_index];
    const char *name = prop_context_types[c->type - 1].name;
    for (size_t i = 0; i < w->chunk_count; i++) {
        for (size_t k = 0; k < outputs[i].events.count; k++) {
            const jfr_read_event *event = &outputs[i].events.items[k];
            if (strcmp(jfr_read_name(&outputs[i], event), name) == 0) {
                int64_t begin = jfr_read_number(&outputs[i], event, "startTime");
                int64_t end = begin + jfr_read_number(&outputs[i], event, "duration");
                int64_t n = jfr_read_number(&outputs[i], event, "n");
                if (w->records[n].time == c->begin && w->records[n].thread == c->thread &&
                    w->records[n].type == c->type && begin >= c->begin && end <= c->end) {
                    return true;
                }
            }
        }
    }
    return false;
}

// is_replaced says whether another context of the type begins on the thread at the end of one.
static bool
is_replaced(const world *w, const world_context *c)
{
    for (size_t i = c->record + 1; i < w->record_count; i++) {
        const world_record *next = &w->records[i];
        if (next->kind == CTX_RECORD_SET && next->type == c->type && next->thread == c->thread) {
            return next->time == c->end;
        }
    }
    return false;
}

// end_of gives where the part of a context in a chunk ends. It is not known of the last chunk where
// contexts end that are open there: then INT64_MAX.
static int64_t
end_of(const world *w, const world_context *c, size_t chunk)
{
    if (chunk + 1 < w->chunk_count && c->end >= w->borders[chunk + 1]) {
        return w->borders[chunk + 1] - 1;
    }
    bool is_needed = !is_replaced(w, c);
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        is_needed |= it->is_kept && it->thread == c->thread && it->commit == c->end;
    }
    return is_needed ? c->end : c->end - 1;
}

// is_end_right compares where a context of the API ends in the output of a chunk.
static bool
is_end_right(const world *w, const jfr_read *output, const jfr_read_event *event, size_t chunk)
{
    const char *name = jfr_read_name(output, event);
    if (strcmp(name, prop_context_types[0].name) != 0 &&
        strcmp(name, prop_context_types[1].name) != 0) {
        return true;
    }
    const world_context *c = w->contexts;
    while (c->record != (size_t)jfr_read_number(output, event, "n")) {
        c++;
    }
    int64_t end =
        jfr_read_number(output, event, "startTime") + jfr_read_number(output, event, "duration");
    int64_t want = end_of(w, c, chunk);
    if (want != INT64_MAX && end != want) {
        print_error("context %td: [%" PRId64 ", %" PRId64 "] thread %" PRIu64 " ends at %" PRId64
                    " in chunk %zu, not at %" PRId64 "\n",
            c - w->contexts, c->begin, c->end, c->thread, end, chunk, want);
        return false;
    }
    return true;
}

bool
world_is_right(const world *w, const jfr_read *outputs)
{
    size_t kept = 0;
    size_t written = 0;
    for (size_t i = 0; i < w->item_count; i++) {
        kept += w->items[i].is_kept;
        if (!is_like_output(w, &w->items[i], &outputs[w->items[i].chunk])) {
            print_error("event %zu: type %" PRIu64 " [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " in chunk %zu should be %s\n",
                i, w->items[i].type, w->items[i].begin, w->items[i].commit, w->items[i].thread,
                w->items[i].chunk, w->items[i].is_kept ? "kept" : "gone");
            return false;
        }
    }
    for (size_t i = 0; i < w->context_count; i++) {
        const world_context *c = &w->contexts[i];
        bool has_twin = false; // of the same type, thread and begin: not told apart
        for (size_t k = 0; k < w->context_count; k++) {
            has_twin |= k != i && w->contexts[k].begin == c->begin &&
                        w->contexts[k].thread == c->thread && w->contexts[k].type == c->type;
        }
        if (!has_twin && is_context_written(w, i, outputs) != c->is_kept) {
            print_error("context %zu: type %u [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " should be %s\n",
                i, c->type, c->begin, c->end, c->thread, c->is_kept ? "kept" : "gone");
            return false;
        }
    }
    for (size_t i = 0; i < w->chunk_count; i++) {
        for (size_t k = 0; k < outputs[i].events.count; k++) {
            if (!is_end_right(w, &outputs[i], &outputs[i].events.items[k], i)) {
                return false;
            }
        }
        written += outputs[i].events.count - jfr_read_count(&outputs[i], "tracer") -
                   jfr_read_count(&outputs[i], "order");
    }
    return kept == written;
}
