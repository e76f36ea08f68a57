// SPDX-License-Identifier: Apache-2.0
#include "engine/contexts/filters.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_map.h"
#include "common/base/lp_order.h"
#include "common/base/lp_prefix_sum.h"
#include "common/base/lp_sort.h"

#include <stdlib.h>
#include <string.h>

static void
filters_check(const compact_filters *filters)
{
    const compact_filter *items = filters->items.items;
    size_t count = filters->items.count;
    LP_ASSERT(filters->arena != NULL);
    LP_ASSERT(count < 2 || items[count - 2].source.id < items[count - 1].source.id);
    LP_ASSERT(
        count < 2 || items[count - 2].source.begin_ticks <= items[count - 1].source.begin_ticks);
}

static void
fini(compact_filter *filter)
{
    for (size_t i = 0; i < filter->source.rule_count; i++) {
        free(filter->rules[i].filter);
    }
}

void
compact_filters_fini(compact_filters *filters)
{
    for (size_t i = 0; i < filters->items.count; i++) {
        fini(&filters->items.items[i]);
    }
    *filters = (compact_filters){.arena = filters->arena};
}

// Rules of one type keep the order of the source, which is that of their texts in memory.
LP_COMPARE(compare_rules, compact_filter_rule,
    strcmp(one->type, other->type) ?: LP_ORDER(one->type, other->type))

static policy_filter *
parse(lp_arena *arena, const ctx_filter_rule *rule)
{
    policy_filter *filter = NULL;
    if (policy_filter_parse(rule->terms, &filter) == LP_ENOMEM) {
        lp_arena_fail(arena);
    }
    return filter;
}

static void
make_rules(lp_arena *arena, compact_filter *filter)
{
    filter->is_empty = true;
    filter->rules = LP_ARENA_ARRAY(arena, compact_filter_rule, filter->source.rule_count);
    if (filter->rules == NULL) {
        filter->source.rule_count = 0;
        return;
    }
    for (size_t i = 0; i < filter->source.rule_count; i++) {
        const ctx_filter_rule *rule = &filter->source.rules[i];
        filter->rules[i].type = rule->type;
        filter->rules[i].filter = parse(arena, rule);
        filter->is_empty = filter->is_empty && filter->rules[i].filter == NULL;
    }
    qsort(filter->rules, filter->source.rule_count, sizeof(*filter->rules), compare_rules);
}

void
compact_filters_add(compact_filters *filters, const ctx_filter *filter)
{
    filters_check(filters);
    size_t count = filters->items.count;
    if ((count > 0 && filter->id <= filters->items.items[count - 1].source.id) ||
        !LP_ARENA_RESERVE(filters->arena, &filters->items, 1)) {
        return;
    }
    compact_filter *slot = &filters->items.items[filters->items.count++];
    *slot = (compact_filter){.source = ctx_filter_copy_in(filters->arena, filter)};
    if (count > 0) {
        int64_t before = slot[-1].source.begin_ticks;
        slot->source.begin_ticks = before > filter->begin_ticks ? before : filter->begin_ticks;
    }
    make_rules(filters->arena, slot);
    filters_check(filters);
}

void
compact_filters_copy(const compact_filters *filters, compact_filters *out)
{
    LP_ASSERT(out->items.count == 0);
    filters_check(filters);
    for (size_t i = 0; i < filters->items.count; i++) {
        compact_filters_add(out, &filters->items.items[i].source);
    }
}

bool
compact_filters_is_empty(const compact_filters *filters)
{
    bool is_empty = true;
    for (size_t i = 0; i < filters->items.count; i++) {
        is_empty &= filters->items.items[i].is_empty;
    }
    return is_empty;
}

// find_at returns how many filters begin at or before a time: the last of them applies.
static size_t
find_at(const compact_filters *filters, int64_t ticks)
{
    return LP_BISECT(
        filters->items.items, 0, filters->items.count, at->source.begin_ticks <= ticks);
}

static int
compare_type(const void *type, const void *rule)
{
    return strcmp(type, ((const compact_filter_rule *)rule)->type);
}

const policy_filter *
compact_filters_find(
    const compact_filters *filters, const char *type, bool has_thread, int64_t commit)
{
    size_t at = find_at(filters, commit);
    const compact_filter *filter = at == 0 ? NULL : &filters->items.items[at - 1];
    LP_REQUIRE(filter != NULL && !filter->is_empty, NULL);
    size_t count = filter->source.rule_count;
    const compact_filter_rule *rule =
        bsearch(type, filter->rules, count, sizeof(*filter->rules), compare_type);
    if (rule == NULL && has_thread && filter->rules[0].type[0] == '\0') {
        rule = &filter->rules[0]; // "" sorts before all names
    }
    return rule == NULL ? NULL : rule->filter;
}

void
compact_filters_forget(compact_filters *filters, int64_t from)
{
    filters_check(filters);
    size_t at = find_at(filters, from);
    size_t gone = at == 0 ? 0 : at - 1;
    size_t count = filters->items.count;
    gone = count - gone > COMPACT_FILTERS_MAX ? count - COMPACT_FILTERS_MAX : gone;
    for (size_t i = 0; i < gone; i++) {
        fini(&filters->items.items[i]);
    }
    if (gone > 0) {
        filters->items.count -= gone;
        memmove(filters->items.items, filters->items.items + gone,
            filters->items.count * sizeof(*filters->items.items));
    }
}

// --- Which RecordingContexts were installed at an event

void
compact_map_timeline_init(compact_map_timeline *installed, lp_arena *arena)
{
    LP_ASSERT(arena != NULL);
    *installed = (compact_map_timeline){.arena = arena};
}

void
compact_map_timeline_add(compact_map_timeline *installed, const ctx_recording *map, uint32_t thread,
    int64_t begin, int64_t end)
{
    if (end < begin) {
        return;
    }
    LP_ARENA_PUSH_BESIDE(installed->arena, &installed->items,
        (compact_installation){.begin = begin, .end = end, .map = map, .thread = thread});
}

LP_SORT_BY(sort_by_begin, compact_installation, x->begin < y->begin)

void
compact_map_timeline_sort(compact_map_timeline *installed, size_t thread_count)
{
    LP_ASSERT(installed->arena != NULL && installed->ends == NULL); // once
    size_t count = installed->items.count;
    compact_installation *added = installed->items.items;
    compact_installation *grouped = lp_large_alloc((count + 1) * sizeof(*grouped));
    installed->ends = LP_ARENA_ARRAY(installed->arena, size_t, thread_count);
    if (grouped == NULL || installed->ends == NULL) {
        lp_arena_fail(installed->arena);
        lp_large_free(grouped);
        return;
    }
    LP_GROUP(added, count, at->thread, installed->ends, thread_count, grouped);
    for (size_t i = 0, begin = 0; i < thread_count; begin = installed->ends[i++]) {
        sort_by_begin(grouped + begin, installed->ends[i] - begin, added); // as spare room
    }
    lp_large_free(added);
    installed->items.items = grouped;
    installed->items.capacity = count;
}

// passes returns whether a context passes. If its entries are unknown it passes wherever one can,
// so that no event is dropped for it.
static bool
passes(const policy_filter *filter, const ctx_recording *map)
{
    return map == NULL ? policy_filter_may_match(filter) : policy_filter_matches(filter, map);
}

bool
compact_map_timeline_passes(const compact_map_timeline *installed, const policy_filter *filter,
    uint32_t thread, int64_t commit)
{
    if (thread == LP_MAP_NONE) {
        return policy_filter_matches(filter, NULL);
    }
    size_t first = thread == 0 ? 0 : installed->ends[thread - 1];
    size_t last = // all before it begin at or before commit
        LP_BISECT(installed->items.items, first, installed->ends[thread], at->begin <= commit);
    size_t low = last;
    while (low > first && installed->items.items[low - 1].end >= commit) {
        low--;
        if (last - low == COMPACT_MAP_TIMELINE_AT_ONCE_MAX ||
            passes(filter, installed->items.items[low].map)) {
            return true;
        }
    }
    return low == last && policy_filter_matches(filter, NULL);
}

void
compact_map_timeline_fini(compact_map_timeline *installed)
{
    LP_VEC_FINI(&installed->items);
    *installed = (compact_map_timeline){0};
}
