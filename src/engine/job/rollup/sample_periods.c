// SPDX-License-Identifier: Apache-2.0
#include "engine/job/rollup/sample_periods.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_sort.h"
#include "common/jfr/jfr_varint.h"
#include "common/rollup/time_category.h"
#include "engine/carry/carry.h"
#include "engine/read/context_sums.h"
#include "engine/read/view.h"
#include "policy/policy_value.h"

#include <string.h>

typedef struct finder {
    const compact_view *view;
    compact_sums *sums;
    uint32_t type; // of reading; JFR_NONE: none yet
    compact_kind kind;
    compact_reading reading;
} finder;

LP_SORT_BY(sort_periods, compact_period, x->from < y->from)

static const char *
name_of(const finder *f, uint32_t type)
{
    const jfr_metadata *metadata = &f->view->schema->metadata;
    return jfr_metadata_type_name(metadata, type);
}

// is_of_samples returns whether a setting is about samples without a period of their own.
static bool
is_of_samples(const finder *f, const compact_event *event)
{
    const compact_schema *schema = f->view->schema;
    const compact_plan *plan = &schema->plans[event->type];
    jfr_cursor cursor = event->payload;
    uint64_t id;
    if (!plan->has_type_id || !jfr_layout_walk(&schema->layout, plan->before_type_id, &cursor) ||
        !jfr_varint_read(&cursor, &id)) {
        return false;
    }
    uint32_t named = jfr_metadata_find_type(&schema->metadata, id);
    LP_REQUIRE(named != JFR_NONE, false);
    time_category_of of = time_category_find(name_of(f, named));
    return of.category == TIME_CPU && of.period == NULL;
}

static void
take_setting(finder *f, const compact_event *event, int64_t commit)
{
    if (!is_of_samples(f, event)) {
        return;
    }
    if (f->type != event->type) {
        f->type = event->type;
        f->reading = compact_reading_make(
            &f->kind, &f->view->schema->metadata, event->type, &f->view->pools);
    }
    compact_field_texts texts;
    int64_t ns;
    compact_field_texts_read(f->sums, &f->kind, &f->reading, event->payload, &texts);
    if (strcmp(texts.of[0], "period") == 0 && policy_value_timespan(texts.of[1], &ns) && ns > 0 &&
        ns < INT64_MAX) {
        LP_ARENA_PUSH_BESIDE(
            &f->sums->arena, &f->sums->periods, (compact_period){.from = commit, .ns = ns});
    }
}

void
compact_sample_periods_find(const compact_frame *frame)
{
    LP_ASSERT(compact_frame_is_open(frame));
    LP_ASSERT(frame->view->sums != NULL);
    const compact_view *view = frame->view;
    compact_sums *sums = view->sums;
    finder f = {.view = view,
        .sums = sums,
        .type = JFR_NONE,
        .kind = {.attribute_count = 2, .attributes = {{.name = "name"}, {.name = "value"}}}};
    sums->period_before_ns = frame->carry == NULL ? 0 : frame->carry->period_ns;
    for (size_t i = 0; i < sums->noted.count && !sums->arena.is_failed; i++) {
        const compact_plain *plain = &view->plain.items[sums->noted.items[i]];
        if (plain->fate == COMPACT_UNDECIDED) {
            continue;
        }
        const compact_event event = compact_view_event(view, plain->offset);
        if (time_category_is_setting(name_of(&f, event.type))) {
            take_setting(&f, &event, plain->commit);
        }
    }
    lp_arena_note(&sums->arena, LP_SORT(sort_periods, sums->periods.items, sums->periods.count));
}

int64_t
compact_sample_periods_at(const compact_sums *sums, int64_t ticks)
{
    size_t low = LP_BISECT(sums->periods.items, 0, sums->periods.count, at->from <= ticks);
    return sums->periods.count == 0 ? sums->period_before_ns
                                    : sums->periods.items[low - (low > 0)].ns;
}

int64_t
compact_sample_periods_after(const compact_frame *frame)
{
    const compact_sums *sums = frame->view->sums;
    if (sums != NULL) {
        return compact_sample_periods_at(sums, INT64_MAX);
    }
    return frame->carry == NULL ? 0 : frame->carry->period_ns;
}
