// SPDX-License-Identifier: Apache-2.0
#include "engine/read/schema.h"

#include "common/base/lp_assert.h"
#include "common/jfr/rewrite/jfr_legible.h"
#include "common/rollup/time_category.h"
#include "engine/read/alloc.h"
#include "engine/read/recorded.h"
#include "engine/read/withheld.h"

#include <stdlib.h>
#include <string.h>

static lp_err
on_change(void *arg, const lp_problem *problem)
{
    compact_damage_add(arg, problem, 0);
    return LP_OK;
}

static lp_err
read_metadata(compact_schema *schema, const lp_slice *payloads, size_t count, const policy *rules,
    size_t *out_bad, lp_problem *problem)
{
    for (size_t i = 0; i < count; i++) {
        *out_bad = i;
        LP_TRY(jfr_metadata_add(&schema->metadata, payloads[i], problem));
    }
    *out_bad = count;
    lp_err err = jfr_metadata_resolve(&schema->metadata, problem);
    LP_THEN(err, jfr_legible_make(&schema->metadata, on_change, &schema->damage));
    LP_THEN(err, compact_alloc_describe(&schema->metadata, rules));
    return err != LP_OK ? err : jfr_layout_init(&schema->layout, &schema->metadata, problem);
}

static bool
has_number(const compact_schema *schema, const jfr_type *type, uint32_t index, const char *name)
{
    if (index >= type->field_count) {
        return false;
    }
    uint32_t field = type->field_begin + index;
    const jfr_field *f = &schema->metadata.fields.items[field];
    return strcmp(jfr_metadata_text(&schema->metadata, f->name), name) == 0 &&
           jfr_layout_is_number(&schema->layout, &schema->metadata, field);
}

// find_thread_field prepares plan to decode a field of this name that refers to a java.lang.Thread.
// Returns false if there is none.
static bool
find_thread_field(
    const compact_schema *schema, const jfr_type *type, const char *name, compact_plan *plan)
{
    uint32_t field = jfr_metadata_find_field(&schema->metadata, type, name);
    if (field == JFR_NONE || schema->thread_type == JFR_NONE || !plan->has_time) {
        return false;
    }
    const jfr_field *f = &schema->metadata.fields.items[field];
    uint32_t first = type->field_begin + 1 + plan->has_duration;
    if (f->type != schema->thread_type || !f->is_constant || f->is_array || field < first) {
        return false;
    }
    plan->before_thread = (jfr_program){
        .begin = schema->layout.field_ops.items[first],
        .end = schema->layout.field_ops.items[field],
    };
    plan->after_thread.begin = plan->before_thread.end + 1; // a key is one op
    return true;
}

static void
find_type_id(const compact_schema *schema, compact_plan *plan)
{
    for (uint32_t i = plan->whole.begin; i < plan->whole.end; i++) {
        if (schema->layout.ops.items[i].code == JFR_OP_TYPE_ID) {
            plan->has_type_id = true;
            plan->before_type_id = (jfr_program){.begin = plan->whole.begin, .end = i};
            return;
        }
    }
}

static compact_rule
rule_of(const policy_event *settings, bool is_contextual)
{
    if (is_contextual) {
        return COMPACT_RULE_CONTEXTUAL;
    }
    if (settings->is_disabled) {
        return COMPACT_RULE_DROP;
    }
    bool is_later = settings->select == POLICY_SELECT_IF_CONTEXT || settings->filter != NULL ||
                    settings->throttle.per_ns > 0;
    return is_later ? COMPACT_RULE_LATER : COMPACT_RULE_KEEP;
}

// Events of these types describe requests. They are kept, but trigger no context: nothing happened
// on their thread.
static bool
is_of_requests(const char *name)
{
    return strcmp(name, JFR_REQUEST_TYPE) == 0 || strcmp(name, JFR_HAND_OVER_TYPE) == 0;
}

static void
make_plan(const compact_schema *schema, const policy *rules, uint32_t index, compact_plan *plan)
{
    LP_ASSERT(index < schema->metadata.types.count);
    const jfr_type *type = &schema->metadata.types.items[index];
    const char *name = jfr_metadata_text(&schema->metadata, type->name);
    bool is_contextual = policy_is_contextual(rules, name, type->is_contextual);
    policy_event settings = policy_find(rules, name, is_contextual);
    plan->rule = rule_of(&settings, is_contextual);
    plan->is_misfit = policy_has_misplaced(&settings, is_contextual);
    plan->is_disabled = settings.is_disabled;
    plan->needs_context = settings.select == POLICY_SELECT_IF_CONTEXT;
    plan->filter = settings.filter;
    plan->with_context = settings.with_context;
    plan->throttle = settings.is_disabled ? (policy_throttle){0} : settings.throttle;
    plan->is_unused = settings.is_disabled && !policy_selects_by_context(rules);
    // if-context is invalid for contextual types and counts as all.
    plan->is_kept_untriggered =
        settings.select == POLICY_SELECT_ALL || settings.select == POLICY_SELECT_IF_CONTEXT;
    plan->threshold_ticks = compact_schema_ticks(schema, settings.threshold_ns);
    plan->context_threshold_ticks = compact_schema_ticks(schema, settings.context_threshold_ns);
    plan->context_match = settings.context_match;
    if (plan->rule == COMPACT_RULE_CONTEXTUAL) {
        plan->context_throttle = settings.context_throttle;
        plan->context_index = settings.context_index;
        plan->is_asked = plan->context_threshold_ticks > 0 || plan->context_match != NULL ||
                         plan->context_throttle.per_ns > 0;
    }
    plan->has_time = has_number(schema, type, 0, "startTime");
    plan->has_duration = plan->has_time && has_number(schema, type, 1, "duration");
    plan->whole = schema->layout.types.items[index];
    plan->after_thread = plan->whole;
    find_type_id(schema, plan);
    plan->after_thread.begin += plan->has_time + plan->has_duration; // a number is one op
    if (is_of_requests(name)) {
        plan->thread_field = COMPACT_THREAD_NONE;
    } else if (find_thread_field(schema, type, "eventThread", plan)) {
        plan->thread_field = COMPACT_THREAD_EVENT;
    } else if (find_thread_field(schema, type, "sampledThread", plan)) {
        plan->thread_field = COMPACT_THREAD_SAMPLED;
    }
    plan->is_installed = plan->thread_field == COMPACT_THREAD_EVENT &&
                         compact_recorded_is_type(&schema->metadata, index) &&
                         policy_filters(rules);
    plan->is_noted = time_category_is_setting(name) || time_category_is_in_jvm(name);
    compact_withheld_plan(schema, index, plan);
    plan->has_plain_head = plan->has_time && plan->before_thread.begin == plan->before_thread.end;
}

static lp_err
make_plans(compact_schema *schema, const policy *rules)
{
    LP_ASSERT(schema->plans == NULL);
    schema->plans = calloc(schema->metadata.types.count + 1, sizeof(*schema->plans));
    if (schema->plans == NULL) {
        return LP_ENOMEM;
    }
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        const jfr_type *type = &schema->metadata.types.items[i];
        if (type->is_event && !jfr_layout_is_built_in(&schema->metadata, type)) {
            const compact_plan *plan = &schema->plans[i];
            make_plan(schema, rules, i, &schema->plans[i]);
            policy_note_type(rules, jfr_metadata_text(&schema->metadata, type->name));
            bool is_later = plan->rule == COMPACT_RULE_LATER;
            bool is_throttled = plan->throttle.per_ns > 0;
            schema->selects_by_context |= is_later && plan->needs_context;
            schema->has_filters |= is_later && plan->filter != NULL;
            schema->throttles_plain |= is_later && is_throttled;
            schema->throttles_contexts |= !is_later && is_throttled;
            schema->offers_untriggered |= !is_later && is_throttled && plan->is_kept_untriggered;
            schema->asks_contexts |= plan->is_asked;
            schema->has_quotas |= plan->context_throttle.per_ns > 0;
        }
    }
    schema->drops_requests = policy_get_requests(rules)->drop != NULL;
    for (size_t i = 0; i < schema->metadata.fields.count; i++) {
        uint32_t part = schema->metadata.fields.items[i].type;
        if (part != JFR_NONE) {
            schema->plans[part].is_part = true;
        }
    }
    return LP_OK;
}

static void
find_special(compact_schema *schema)
{
    LP_ASSERT(schema->plans != NULL);
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        compact_plan *plan = &schema->plans[i];
        plan->is_special = plan->is_installed || plan->is_noted || plan->is_asked ||
                           plan->is_allocation || plan->is_withheld;
    }
}

lp_err
compact_schema_make(const lp_slice *payloads, size_t count, int64_t ticks_per_s,
    const policy *rules, compact_schema *like, compact_schema **out_schema, size_t *out_bad,
    lp_problem *out_problem)
{
    LP_ASSERT(ticks_per_s > 0);
    if (like != NULL && like->ticks_per_s == ticks_per_s &&
        jfr_metadata_is_made_of(&like->metadata, payloads, count)) {
        *out_schema = compact_schema_hold(like);
        return LP_OK;
    }
    compact_schema *schema = calloc(1, sizeof(*schema));
    if (schema == NULL) {
        return LP_ENOMEM;
    }
    atomic_init(&schema->uses, 1);
    schema->ticks_per_s = ticks_per_s;
    jfr_metadata_init(&schema->metadata);
    lp_err err = read_metadata(schema, payloads, count, rules, out_bad, out_problem);
    if (err == LP_OK) {
        schema->thread_type = schema->layout.thread_type;
        err = make_plans(schema, rules);
    }
    if (err == LP_OK) {
        compact_alloc_plan(schema, rules);
        find_special(schema);
    }
    if (err != LP_OK) {
        compact_schema_release(schema);
        return err;
    }
    compact_schema_check(schema);
    *out_schema = schema;
    return LP_OK;
}

int64_t
compact_schema_ticks(const compact_schema *schema, int64_t ns)
{
    LP_ASSERT(schema->ticks_per_s > 0);
    __int128 product = (__int128)ns * schema->ticks_per_s;
    __int128 ticks = (product + 999999999) / 1000000000;
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

void
compact_schema_check(const compact_schema *schema)
{
    size_t type_count = schema->metadata.types.count;
    LP_ASSERT(schema->plans != NULL && schema->ticks_per_s > 0);
    LP_ASSERT(schema->thread_type == JFR_NONE || schema->thread_type < type_count);
    LP_ASSERT(schema->sample_type == JFR_NONE || schema->sample_type < type_count);
}

compact_schema *
compact_schema_hold(compact_schema *schema)
{
    if (schema != NULL) {
        compact_schema_check(schema);
        atomic_fetch_add_explicit(&schema->uses, 1, memory_order_relaxed);
    }
    return schema;
}

void
compact_schema_release(compact_schema *schema)
{
    if (schema == NULL) {
        return;
    }
    unsigned uses = atomic_fetch_sub_explicit(&schema->uses, 1, memory_order_acq_rel);
    LP_ASSERT(uses > 0);
    if (uses > 1) {
        return;
    }
    jfr_layout_fini(&schema->layout);
    jfr_metadata_fini(&schema->metadata);
    free(schema->plans);
    free(schema);
}

bool
compact_schema_is_like(const compact_schema *schema, const compact_schema *other)
{
    compact_schema_check(schema);
    compact_schema_check(other);
    return jfr_metadata_is_same(&schema->metadata, &other->metadata);
}
