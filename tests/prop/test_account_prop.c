// SPDX-License-Identifier: Apache-2.0
// What the engine says it dropped, against a naive count on random sessions: for each type in each
// chunk, how many events were stored, how many of these the naive decision keeps, and which setting
// is the first that the others fail. Contexts of the API are counted over the whole session: kept,
// dropped, or still open.

#include "context_types.h"
#include "support/compact_run.h"
#include "world.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static compact_reason
reason_of_worth(world_worth worth)
{
    switch (worth) {
    case WORLD_TOO_SHORT:
        return COMPACT_BY_CONTEXT_THRESHOLD;
    case WORLD_NO_MATCH:
        return COMPACT_BY_CONTEXT_MATCH;
    case WORLD_MATTERS:
    case WORLD_NO_CONTEXT:
        break;
    }
    return COMPACT_BY_SELECT;
}

static compact_reason
reason_of(const world *w, const world_item *it)
{
    const world_settings *rules = &w->rules[it->type];
    bool has_duration = false;
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        has_duration |= world_kinds[i].id == it->type && world_kinds[i].has_duration;
    }
    if (rules->is_disabled) {
        return COMPACT_BY_ENABLED;
    }
    bool is_short =
        has_duration && rules->threshold > 0 && it->commit - it->begin < rules->threshold;
    return is_short ? COMPACT_BY_THRESHOLD : reason_of_worth(world_item_worth(w, it));
}

// reason_of_spacers returns why the events of world_spacer_count are dropped: they last no time,
// and have no attribute.
static compact_reason
reason_of_spacers(const world_settings *rules)
{
    if (rules->is_disabled) {
        return COMPACT_BY_ENABLED;
    }
    if (rules->threshold > 0) {
        return COMPACT_BY_THRESHOLD;
    }
    if (rules->is_contextual && rules->wants.threshold > 0) {
        return COMPACT_BY_CONTEXT_THRESHOLD;
    }
    return rules->is_contextual && rules->wants.has_match ? COMPACT_BY_CONTEXT_MATCH
                                                          : COMPACT_BY_SELECT;
}

static compact_type_stats
count_type(const world *w, size_t chunk, uint64_t type)
{
    compact_type_stats count = {0};
    for (size_t i = 0; i < w->item_count; i++) {
        const world_item *it = &w->items[i];
        if (it->chunk == chunk && it->type == type) {
            count.events_in++;
            count.events_out += it->is_kept;
            count.dropped.by[reason_of(w, it)] += !it->is_kept;
        }
    }
    if (type == JFR_SAMPLE_SPAN) {
        size_t spacers = world_spacer_count(w, chunk);
        count.events_in += spacers;
        count.dropped.by[reason_of_spacers(&w->rules[type])] += spacers;
    }
    return count;
}

static compact_type_stats
find_stats(const compact_stats *stats, const char *name)
{
    for (size_t i = 0; i < stats->type_count; i++) {
        if (strcmp(stats->types[i].name, name) == 0) {
            return stats->types[i];
        }
    }
    return (compact_type_stats){0};
}

static bool
is_same_account(const compact_type_stats *a, const compact_type_stats *b)
{
    return a->events_out == b->events_out &&
           memcmp(&a->dropped, &b->dropped, sizeof(a->dropped)) == 0;
}

static bool
is_chunk_right(const world *w, size_t chunk, const compact_stats *stats)
{
    compact_dropped all = {0};
    for (size_t i = 0; i < WORLD_KINDS; i++) {
        const compact_type_stats want = count_type(w, chunk, world_kinds[i].id);
        const compact_type_stats got = find_stats(stats, world_kinds[i].name);
        compact_dropped_add(&all, &want.dropped);
        if (want.events_in != got.events_in || !is_same_account(&want, &got) ||
            got.events_in != got.events_out + compact_dropped_sum(&got.dropped)) {
            print_error("chunk %zu: %s: %" PRIu64 " kept and %" PRIu64 " dropped, not %" PRIu64
                        " and %" PRIu64 "\n",
                chunk, world_kinds[i].name, got.events_out, compact_dropped_sum(&got.dropped),
                want.events_out, compact_dropped_sum(&want.dropped));
            return false;
        }
    }
    return memcmp(&all, &stats->events_dropped, sizeof(all)) == 0;
}

static bool
are_contexts_right(const world *w, const compact_stats *total)
{
    for (uint16_t type = 1; type <= 2; type++) {
        compact_type_stats want = {0};
        for (size_t i = 0; i < w->context_count; i++) {
            const world_context *c = &w->contexts[i];
            bool is_gone = !c->is_kept && c->end != INT64_MAX;
            want.events_out += c->type == type && c->is_kept;
            want.dropped.by[reason_of_worth(world_context_worth(w, c))] +=
                c->type == type && is_gone;
        }
        const char *name = prop_context_types[type - 1].name;
        const compact_type_stats got = find_stats(total, name);
        if (!is_same_account(&want, &got)) {
            print_error("%s: %" PRIu64 " kept and %" PRIu64 " dropped, not %" PRIu64 " and %" PRIu64
                        "\n",
                name, got.events_out, compact_dropped_sum(&got.dropped), want.events_out,
                compact_dropped_sum(&want.dropped));
            return false;
        }
    }
    return true;
}

static bool
is_account_right(const world *w, const world_bytes *b, const policy *rules)
{
    compact_result results[WORLD_CHUNKS_MAX];
    compact_stats total = {0};
    bool is_good = true;
    compact_run(b->sources, w->chunk_count, rules, COMPACT_RUN_SAVED, results);
    for (size_t i = 0; i < w->chunk_count; i++) {
        jfr_read output;
        compact_run_read(&results[i], &output); // the recording itself says so
        jfr_read_close(&output);
        is_good = is_good && is_chunk_right(w, i, &results[i].stats);
        assert_int_equal(compact_stats_add(&total, &results[i].stats), LP_OK);
        compact_result_fini(&results[i]);
    }
    is_good = is_good && are_contexts_right(w, &total);
    compact_stats_fini(&total);
    return is_good;
}

static void
test_what_is_dropped_is_counted_by_the_setting_that_drops_it(void **state)
{
    (void)state;
    world_rounds(1200, 3, is_account_right);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_dropped_is_counted_by_the_setting_that_drops_it),
    };
    return cmocka_run_group_tests_name("account_prop", tests, NULL, NULL);
}
