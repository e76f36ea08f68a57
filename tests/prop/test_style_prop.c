// SPDX-License-Identifier: Apache-2.0
// Random sessions in the styles `fields` and `ref`: every kept event is there, with the contexts
// that a look at every context of the session finds for it, and those of nobody else.
//
//   LOUPE_PROP_SEED=N LOUPE_PROP_ROUNDS=N    other sessions than the usual ones
//
// A contextual event is known to the chunk that has it and to the one before. A context of the API
// that goes on behind a chunk ends at no time that is known there.

#include "support/compact_run.h"
#include "support/jfr_read.h"
#include "world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { APPLIED_MAX = WORLD_EVENTS_MAX + WORLD_RECORDS_MAX };

// A context that applies to an event.
typedef struct applied {
    const char *type;
    const char *column; // NULL: it has no attributes
    char value[24];
    int64_t begin;
    int64_t end;
    size_t order; // of decisions, where ends and begins are the same
} applied;

typedef struct applied_list {
    applied items[APPLIED_MAX]; // the outermost first
    size_t count;
} applied_list;

static const char *const columns[] = {"Plain_text", "Trace_traceId", "order_n", "tracer_n"};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static bool
is_around(const applied *a, const applied *b)
{
    if (a->begin != b->begin) {
        return a->begin < b->begin;
    }
    return a->end != b->end ? a->end > b->end : a->order > b->order;
}

static void
insert(applied_list *list, applied context)
{
    size_t at = list->count++;
    while (at > 0 && is_around(&context, &list->items[at - 1])) {
        list->items[at] = list->items[at - 1];
        at--;
    }
    list->items[at] = context;
}

static void
add_items(const world *w, size_t index, applied_list *list)
{
    const world_item *event = &w->items[index];
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *c = &w->items[i];
        bool is_known = c->chunk == event->chunk || c->chunk == event->chunk + 1;
        bool is_later = !w->rules[event->type].is_contextual || world_comes_before(w, event, c);
        if (i == index || !w->rules[c->type].is_contextual || !c->is_kept || c->thread == 0 ||
            c->thread != event->thread || !is_known || !is_later || c->begin > event->commit ||
            c->commit < event->commit) {
            continue;
        }
        applied context = {.begin = c->begin, .end = c->commit, .order = c->order};
        for (size_t k = 0; k < WORLD_KINDS; k++) {
            context.type = world_kinds[k].id == c->type ? world_kinds[k].name : context.type;
        }
        context.column = c->type == JFR_SAMPLE_TRACE   ? "Trace_traceId"
                         : c->type == JFR_SAMPLE_PLAIN ? "Plain_text"
                                                       : NULL;
        (void)snprintf(context.value, sizeof(context.value), "\"%zu\"", i);
        insert(list, context);
    }
}

// horizon_of gives what a chunk's time ends before: where the next begins, or behind the last event
// that is stored in it.
static int64_t
horizon_of(const world *w, size_t chunk)
{
    int64_t horizon = chunk + 1 < w->chunk_count ? w->borders[chunk + 1] : INT64_MAX;
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        horizon = it->chunk == chunk && it->commit >= horizon ? it->commit + 1 : horizon;
    }
    return horizon;
}

static void
add_contexts(const world *w, size_t index, applied_list *list)
{
    const world_item *event = &w->items[index];
    int64_t horizon = horizon_of(w, event->chunk);
    size_t record = 0;
    for (size_t i = 0; i < w->context_count; i++, record++) {
        const world_context *c = &w->contexts[i];
        while (w->records[record].kind != CTX_RECORD_SET) { // each of these begins a context
            record++;
        }
        bool is_later = !w->rules[event->type].is_contextual || c->end > event->commit ||
                        c->begin <= event->begin;
        if (c->thread != event->thread || c->begin > event->commit || c->end < event->commit ||
            !is_later || world_context_worth(w, c) != WORLD_MATTERS) {
            continue;
        }
        applied context = {
            .type = c->type == 1 ? "tracer" : "order",
            .column = c->type == 1 ? "tracer_n" : "order_n",
            .begin = c->begin,
            .end = c->end < horizon ? c->end : INT64_MAX,
            .order = WORLD_EVENTS_MAX + i,
        };
        (void)snprintf(context.value, sizeof(context.value), "%zu", record);
        insert(list, context);
    }
}

static applied_list
look(const world *w, size_t index)
{
    applied_list list = {.count = 0};
    add_items(w, index, &list);
    add_contexts(w, index, &list);
    return list;
}

// value_of returns the value of a column in the innermost of the first count contexts that has it.
static const char *
value_of(const applied_list *list, size_t count, const char *column)
{
    for (size_t i = count; i > 0; i--) {
        if (list->items[i - 1].column != NULL && strcmp(list->items[i - 1].column, column) == 0) {
            return list->items[i - 1].value;
        }
    }
    return "null";
}

// The kept events of a chunk, in the order of the output: contextual ones first.
typedef struct kept_list {
    size_t items[WORLD_EVENTS_MAX];
    applied_list applied[WORLD_EVENTS_MAX];
    size_t count;
} kept_list;

static void
list_kept(const world *w, size_t chunk, kept_list *out)
{
    out->count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < w->item_count; i++) { // in each chunk they are in this order
            const world_item *it = &w->items[i];
            if (it->chunk == chunk && it->is_kept &&
                w->rules[it->type].is_contextual == (pass == 0)) {
                out->applied[out->count] = look(w, i);
                out->items[out->count++] = i;
            }
        }
    }
}

static bool
is_field(const jfr_read *read, const jfr_read_event *event, const char *field, const char *want)
{
    lp_buf text = {0};
    bool is_there = jfr_read_value(read, event, field, &text);
    bool is_same = want == NULL ? !is_there : is_there && strcmp((const char *)text.ptr, want) == 0;
    if (!is_same) {
        print_error("%s of %s is %s and should be %s\n", field, jfr_read_name(read, event),
            is_there ? (const char *)text.ptr : "not there", want == NULL ? "not there" : want);
    }
    lp_buf_fini(&text);
    return is_same;
}

// can_have says whether events of a type can have a column: by thread, and by what the policy says
// of the kind.
static bool
can_have(const world *w, const world_item *event, const char *column)
{
    if (event->type == JFR_SAMPLE_IDLE) {
        return false;
    }
    const world_settings *kind = strcmp(column, "Plain_text") == 0 ? &w->rules[JFR_SAMPLE_PLAIN]
                                 : strcmp(column, "Trace_traceId") == 0
                                     ? &w->rules[JFR_SAMPLE_TRACE]
                                     : NULL;
    return kind == NULL || (kind->is_contextual && !kind->is_disabled);
}

static bool
are_fields_right(const world *w, const kept_list *kept, size_t number, const jfr_read *read)
{
    const applied_list *list = &kept->applied[number];
    for (size_t i = 0; i < COLUMNS; i++) {
        bool is_there = can_have(w, &w->items[kept->items[number]], columns[i]);
        const char *want = is_there ? value_of(list, list->count, columns[i]) : NULL;
        if (!is_field(read, &read->events.items[number], columns[i], want)) {
            return false;
        }
    }
    return is_field(read, &read->events.items[number], "context", NULL);
}

static bool
is_constant_field(
    const jfr_read *read, const jfr_read_constant *constant, const char *field, const char *want)
{
    lp_buf text = {0};
    bool is_there = jfr_read_constant_value(read, constant, field, &text);
    bool is_same = strcmp(is_there ? (const char *)text.ptr : "null", want) == 0;
    if (!is_same) {
        print_error("%s is %s and should be %s\n", field,
            is_there ? (const char *)text.ptr : "not there", want);
    }
    lp_buf_fini(&text);
    return is_same;
}

static uint64_t
parent_of(const jfr_read *read, const jfr_read_constant *constant)
{
    uint64_t key;
    assert_true(jfr_read_constant_key(read, constant, "parent", &key));
    return key;
}

static size_t chain_count;
static size_t short_count; // of chains that leave contexts out, since contexts overlap too much

static bool
is_chain_right(const applied_list *list, const jfr_read *read, uint64_t key)
{
    chain_count++;
    for (size_t left = list->count; left > 0; left--) {
        const jfr_read_constant *constant = jfr_read_find_constant(read, "loupe.Context", key);
        const applied *context = &list->items[left - 1];
        char type[64];
        char begin[24];
        (void)snprintf(type, sizeof(type), "\"%s\"", context->type);
        (void)snprintf(begin, sizeof(begin), "%" PRId64, context->begin);
        if (constant == NULL || !is_constant_field(read, constant, "type", type) ||
            !is_constant_field(read, constant, "startTime", begin)) {
            return false;
        }
        for (size_t i = 0; i < COLUMNS; i++) {
            if (!is_constant_field(read, constant, columns[i], value_of(list, left, columns[i]))) {
                return false;
            }
        }
        key = parent_of(read, constant);
        bool is_cut = key == 0 && left > 1;
        if (!is_constant_field(read, constant, "truncated", is_cut ? "1" : "0")) {
            return false;
        }
        if (is_cut) {
            short_count++;
            return true;
        }
    }
    return key == 0;
}

static bool
is_reference_right(const world *w, const kept_list *kept, size_t number, const jfr_read *read)
{
    const jfr_read_event *event = &read->events.items[number];
    bool is_wanted = w->items[kept->items[number]].type != JFR_SAMPLE_IDLE; // it has no thread
    uint64_t key;
    bool is_there = jfr_read_key(read, event, "context", &key);
    if (is_there != is_wanted) {
        print_error(
            "%s should %shave a context\n", jfr_read_name(read, event), is_wanted ? "" : "not ");
        return false;
    }
    return !is_there || is_chain_right(&kept->applied[number], read, key);
}

// are_constants_right is false if there is a constant of loupe.Context that nothing refers to: each
// must be met on the way from an event.
static bool
are_constants_right(const kept_list *kept, const jfr_read *read)
{
    size_t contexts = jfr_read_pool_size(read, "loupe.Context");
    size_t met = 0;
    uint64_t keys[APPLIED_MAX * WORLD_EVENTS_MAX];
    for (size_t i = 0; i < kept->count; i++) {
        uint64_t key = 0;
        (void)jfr_read_key(read, &read->events.items[i], "context", &key);
        while (key != 0) {
            size_t k = 0;
            while (k < met && keys[k] != key) {
                k++;
            }
            if (k == met) {
                keys[met++] = key;
            }
            key = parent_of(read, jfr_read_find_constant(read, "loupe.Context", key));
        }
    }
    if (met != contexts) {
        print_error("%zu contexts, of which events show %zu\n", contexts, met);
    }
    return met == contexts;
}

static bool
is_chunk_right(const world *w, size_t chunk, compact_context_style style, const jfr_read *read)
{
    static kept_list kept;
    list_kept(w, chunk, &kept);
    if (read->events.count != kept.count) {
        print_error("%zu events instead of %zu\n", read->events.count, kept.count);
        return false;
    }
    for (size_t i = 0; i < kept.count; i++) {
        const world_item *it = &w->items[kept.items[i]];
        bool is_right = style == COMPACT_STYLE_FIELDS ? are_fields_right(w, &kept, i, read)
                                                      : is_reference_right(w, &kept, i, read);
        if (!is_right || jfr_read_number(read, &read->events.items[i], "startTime") != it->begin) {
            print_error("event %zu: type %" PRIu64 " [%" PRId64 ", %" PRId64 "] thread %" PRIu64
                        " in chunk %zu, style %d\n",
                kept.items[i], it->type, it->begin, it->commit, it->thread, chunk, (int)style);
            return false;
        }
    }
    return style == COMPACT_STYLE_FIELDS || are_constants_right(&kept, read);
}

static bool
is_style_right(
    const world *w, const world_bytes *b, const policy *rules, compact_context_style style)
{
    compact_result results[WORLD_CHUNKS_MAX];
    bool is_right = true;
    const compact_options options = {
        .policy = rules, .refused = COMPACT_REFUSED_ALL, .style = style};
    compact_run_with(b->sources, w->chunk_count, &options, results);
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_read read;
        compact_run_read(&results[i], &read);
        is_right = is_right && is_chunk_right(w, i, style, &read);
        jfr_read_close(&read);
    }
    for (size_t i = 0; i < w->chunk_count; i++) {
        compact_result_fini(&results[i]);
    }
    return is_right;
}

static bool
are_styles_right(const world *w, const world_bytes *b, const policy *rules)
{
    return is_style_right(w, b, rules, COMPACT_STYLE_FIELDS) &&
           is_style_right(w, b, rules, COMPACT_STYLE_REF);
}

static void
test_events_show_what_a_look_at_every_context_finds(void **state)
{
    (void)state;
    world_rounds(400, 2, are_styles_right);
    print_message("%zu of %zu chains are short\n", short_count, chain_count);
    assert_true(short_count <= chain_count / 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_show_what_a_look_at_every_context_finds),
    };
    return cmocka_run_group_tests_name("style_prop", tests, NULL, NULL);
}
