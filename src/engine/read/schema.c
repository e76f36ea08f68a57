// SPDX-License-Identifier: Apache-2.0
#include "engine/read/schema.h"

#include "common/base/lp_assert.h"
#include "common/jfr/rewrite/jfr_legible.h"
#include "common/rollup/time_category.h"

#include <stdlib.h>
#include <string.h>

// --- Samples of allocations
//
// Loupe makes jdk.ObjectAllocationSample events of jdk.ObjectAllocationInNewTLAB and
// jdk.ObjectAllocationOutsideTLAB (docs/internals/elimination.md#samples-of-allocations). A sample
// has the fields of such an event up to objectClass, then its weight in bytes.

enum {
    SAMPLE_ID = (1 << 27) - 1, // id of an added type, or the next free one below it. It is below
                               // the other added types' ids
};

static const char sample_name[] = "jdk.ObjectAllocationSample";
static const char last_shared_field[] = "objectClass";

// The events of which samples are made, and the field with the allocated bytes: a whole TLAB, which
// takes further objects without events, or one object.
static const struct source {
    const char *name;
    const char *bytes_field;
} sources[] = {
    {"jdk.ObjectAllocationOutsideTLAB", "allocationSize"},
    {"jdk.ObjectAllocationInNewTLAB", "tlabSize"},
};

enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

static uint32_t
find_event(const jfr_metadata *metadata, const char *name)
{
    uint32_t type = jfr_metadata_find_type_named(metadata, name);
    return type != JFR_NONE && metadata->types.items[type].is_event ? type : (uint32_t)JFR_NONE;
}

static lp_err
annotate(jfr_metadata *metadata, uint32_t parent, const char *type_name, const char *value)
{
    uint32_t type = jfr_metadata_find_type_named(metadata, type_name);
    if (type == JFR_NONE) {
        return LP_OK;
    }
    jfr_metadata_id id = jfr_metadata_id_text(metadata->types.items[type].id);
    const char *attributes[] = {"class", id.text, "value", value};
    uint32_t element = jfr_metadata_append_element(metadata, parent, "annotation", attributes, 2);
    return element == JFR_NONE ? LP_ENOMEM : LP_OK;
}

static lp_err
copy_into(jfr_metadata *metadata, uint32_t parent, uint32_t element)
{
    return jfr_metadata_append_copy(metadata, parent, element) == JFR_NONE ? LP_ENOMEM : LP_OK;
}

// copy_class copies the children of from, up to the last shared field, into the empty class. It
// leaves out the label and the description of from.
static lp_err
copy_class(jfr_metadata *metadata, uint32_t from, uint32_t class)
{
    bool has_last = false;
    lp_err err = LP_OK;
    uint32_t child = metadata->elements.items[from].first_child;
    for (; child != JFR_NONE && err == LP_OK;
         child = metadata->elements.items[child].next_sibling) {
        bool is_field = jfr_metadata_is_named(metadata, child, "field");
        bool is_own = jfr_metadata_is_annotation(metadata, child, "jdk.jfr.Label") ||
                      jfr_metadata_is_annotation(metadata, child, "jdk.jfr.Description") ||
                      (is_field && has_last);
        if (!is_own) {
            err = copy_into(metadata, class, child);
        }
        if (is_field) {
            const char *name = jfr_metadata_find_attribute(metadata, child, "name");
            has_last |= name != NULL && strcmp(name, last_shared_field) == 0;
        }
    }
    return err;
}

static lp_err
add_weight(jfr_metadata *metadata, uint32_t class, uint32_t bytes_field)
{
    uint32_t from = metadata->fields.items[bytes_field].element;
    uint32_t type = metadata->fields.items[bytes_field].type;
    jfr_metadata_id id = jfr_metadata_id_text(metadata->types.items[type].id);
    const char *attributes[] = {"name", "weight", "class", id.text};
    uint32_t field = jfr_metadata_append_element(metadata, class, "field", attributes, 2);
    lp_err err = field == JFR_NONE ? LP_ENOMEM : LP_OK;
    uint32_t child = metadata->elements.items[from].first_child;
    for (; child != JFR_NONE && err == LP_OK;
         child = metadata->elements.items[child].next_sibling) {
        if (jfr_metadata_is_annotation(metadata, child, "jdk.jfr.DataAmount")) {
            err = copy_into(metadata, field, child);
        }
    }
    LP_THEN(err, annotate(metadata, field, "jdk.jfr.Label", "Sample Weight"));
    return err != LP_OK
               ? err
               : annotate(metadata, field, "jdk.jfr.Description",
                     "Bytes that the thread has allocated since its last sample, this "
                     "object included: their sums by class, thread or stack trace estimate "
                     "what was allocated");
}

static lp_err
add_type(jfr_metadata *metadata, uint32_t like, uint32_t bytes_field)
{
    LP_ASSERT(like < metadata->types.count && bytes_field < metadata->fields.count);
    uint64_t id = SAMPLE_ID; // usually the same in all chunks of a file
    while (jfr_metadata_find_type(metadata, id) != JFR_NONE) {
        id--;
    }
    jfr_metadata_id text = jfr_metadata_id_text(id);
    const char *attributes[] = {"name", sample_name, "superType", "jdk.jfr.Event", "id", text.text};
    uint32_t class = jfr_metadata_append_element(metadata, JFR_NONE, "class", attributes, 3);
    lp_err err = class == JFR_NONE ? LP_ENOMEM : LP_OK;
    LP_THEN(err, annotate(metadata, class, "jdk.jfr.Label", "Object Allocation Sample"));
    LP_THEN(err, copy_class(metadata, metadata->types.items[like].element, class));
    LP_THEN(err, add_weight(metadata, class, bytes_field));
    return err == LP_OK ? jfr_metadata_append_type(metadata, class) : err;
}

// describe_samples adds the type of samples, made after that of one of the events, to resolved
// metadata that lacks it, if rules enable it.
static lp_err
describe_samples(jfr_metadata *metadata, const policy *rules)
{
    if (!policy_enables(rules, sample_name) ||
        jfr_metadata_find_type_named(metadata, sample_name) != JFR_NONE) {
        return LP_OK;
    }
    for (size_t i = 0; i < SOURCES; i++) {
        uint32_t like = find_event(metadata, sources[i].name);
        uint32_t field = like == JFR_NONE
                             ? (uint32_t)JFR_NONE
                             : jfr_metadata_find_field(
                                   metadata, &metadata->types.items[like], sources[i].bytes_field);
        if (field != JFR_NONE && metadata->fields.items[field].type != JFR_NONE) {
            return add_type(metadata, like, field);
        }
    }
    return LP_OK;
}

static bool
is_field_named(const jfr_metadata *metadata, uint32_t field, const char *name)
{
    return jfr_metadata_is_text(metadata, metadata->fields.items[field].name, name);
}

// count_shared returns how many fields a sample shares with its event; 0 if the sample type is not
// as the JDK describes it.
static uint32_t
count_shared(const compact_schema *schema, uint32_t sample)
{
    LP_ASSERT(sample < schema->metadata.types.count);
    const jfr_metadata *metadata = &schema->metadata;
    const jfr_type *type = &metadata->types.items[sample];
    const compact_plan *plan = &schema->plans[sample];
    uint32_t weight = type->field_begin + type->field_count - 1;
    bool is_known = plan->rule != COMPACT_RULE_NONE && plan->rule != COMPACT_RULE_CONTEXTUAL &&
                    plan->has_time && !plan->has_duration && type->field_count > 1 &&
                    is_field_named(metadata, weight - 1, last_shared_field) &&
                    is_field_named(metadata, weight, "weight") &&
                    jfr_layout_is_number(&schema->layout, metadata, weight) &&
                    jfr_metadata_is_text(metadata,
                        metadata->types.items[metadata->fields.items[weight].type].name, "long");
    return is_known ? type->field_count - 1 : 0;
}

static bool
is_same_field(const jfr_metadata *metadata, uint32_t field, uint32_t other)
{
    const jfr_field *a = &metadata->fields.items[field];
    const jfr_field *b = &metadata->fields.items[other];
    return strcmp(jfr_metadata_text(metadata, a->name), jfr_metadata_text(metadata, b->name)) ==
               0 &&
           a->type == b->type && a->ticks == b->ticks && a->is_constant == b->is_constant &&
           a->is_array == b->is_array;
}

// plan_source prepares the plan of an event type. Returns false if its events make no samples.
static bool
plan_source(compact_schema *schema, const struct source *source, uint32_t index, uint32_t sample,
    uint32_t shared)
{
    LP_ASSERT(index < schema->metadata.types.count && shared > 0);
    const jfr_metadata *metadata = &schema->metadata;
    const jfr_layout *layout = &schema->layout;
    const jfr_type *type = &metadata->types.items[index];
    uint32_t sample_begin = metadata->types.items[sample].field_begin;
    uint32_t bytes = jfr_metadata_find_field(metadata, type, source->bytes_field);
    bool is_good = schema->plans[index].rule != COMPACT_RULE_CONTEXTUAL && bytes != JFR_NONE &&
                   bytes >= type->field_begin + shared &&
                   jfr_layout_is_number(layout, metadata, bytes);
    for (uint32_t i = 0; i < shared && is_good; i++) {
        is_good = is_same_field(metadata, type->field_begin + i, sample_begin + i);
    }
    if (is_good) {
        compact_plan *plan = &schema->plans[index];
        plan->is_allocation = true;
        plan->sampled = jfr_layout_before(layout, index, type->field_begin + shared);
        plan->before_bytes = jfr_layout_before(layout, index, bytes);
    }
    return is_good;
}

// plan_samples sets schema->sample_type, and is_allocation, is_left, sampled and before_bytes in
// the plans. Samples are made if rules enable their type and each allocation type in the metadata
// has the fields of a sample.
static void
plan_samples(compact_schema *schema, const policy *rules)
{
    LP_ASSERT(schema->plans != NULL);
    const jfr_metadata *metadata = &schema->metadata;
    schema->sample_type = JFR_NONE;
    uint32_t sample =
        policy_enables(rules, sample_name) ? find_event(metadata, sample_name) : (uint32_t)JFR_NONE;
    uint32_t shared = sample == JFR_NONE ? 0 : count_shared(schema, sample);
    bool is_good = shared > 0;
    uint32_t types[SOURCES];
    for (size_t i = 0; i < SOURCES; i++) {
        types[i] = find_event(metadata, sources[i].name);
        if (is_good && types[i] != JFR_NONE) {
            is_good = plan_source(schema, &sources[i], types[i], sample, shared);
        }
    }
    schema->sample_type = is_good ? sample : (uint32_t)JFR_NONE;
    for (size_t i = 0; i < SOURCES; i++) {
        if (types[i] != JFR_NONE) { // samples of one source alone would mislead
            schema->plans[types[i]].is_allocation &= is_good;
            schema->plans[types[i]].is_left = policy_enables(rules, sources[i].name);
        }
    }
}

// --- The schema

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
    LP_THEN(err, describe_samples(&schema->metadata, rules));
    return err != LP_OK ? err : jfr_layout_init(&schema->layout, &schema->metadata, problem);
}

static bool
has_number(const compact_schema *schema, const jfr_type *type, uint32_t index, const char *name)
{
    LP_REQUIRE(index < type->field_count, false);
    uint32_t field = type->field_begin + index;
    const jfr_field *f = &schema->metadata.fields.items[field];
    return jfr_metadata_is_text(&schema->metadata, f->name, name) &&
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

static bool
find_number(
    const compact_schema *schema, const jfr_type *type, const char *name, jfr_program *out_before)
{
    uint32_t field = jfr_metadata_find_field(&schema->metadata, type, name);
    if (field == JFR_NONE || !jfr_layout_is_number(&schema->layout, &schema->metadata, field)) {
        return false;
    }
    out_before->end = schema->layout.field_ops.items[field];
    return true;
}

// plan_withheld prepares plan to read a type, if it is dev.loupe.Withheld (index.c).
static void
plan_withheld(const compact_schema *schema, uint32_t type, compact_plan *plan)
{
    LP_ASSERT(type < schema->metadata.types.count);
    const jfr_type *described = &schema->metadata.types.items[type];
    const char *name = jfr_metadata_text(&schema->metadata, described->name);
    plan->before_type.begin = plan->before_count.begin = plan->whole.begin;
    plan->is_withheld = strcmp(name, "dev.loupe.Withheld") == 0 &&
                        find_number(schema, described, "eventType", &plan->before_type) &&
                        find_number(schema, described, "count", &plan->before_count);
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
                         strcmp(name, "loupe.RecordingContext") == 0 && policy_filters(rules);
    plan->is_noted = time_category_is_setting(name) || time_category_is_in_jvm(name);
    plan_withheld(schema, index, plan);
    plan->has_plain_head = plan->has_time && plan->before_thread.begin == plan->before_thread.end;
}

static lp_err
make_plans(compact_schema *schema, const policy *rules)
{
    LP_ASSERT(schema->plans == NULL);
    schema->plans = calloc(schema->metadata.types.count + 1, sizeof(*schema->plans));
    LP_REQUIRE(schema->plans != NULL, LP_ENOMEM);
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
    LP_REQUIRE(schema != NULL, LP_ENOMEM);
    atomic_init(&schema->uses, 1);
    schema->ticks_per_s = ticks_per_s;
    jfr_metadata_init(&schema->metadata);
    lp_err err = read_metadata(schema, payloads, count, rules, out_bad, out_problem);
    if (err == LP_OK) {
        schema->thread_type = schema->layout.thread_type;
        err = make_plans(schema, rules);
    }
    if (err == LP_OK) {
        plan_samples(schema, rules);
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
