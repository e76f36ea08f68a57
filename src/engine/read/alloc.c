// SPDX-License-Identifier: Apache-2.0
#include "engine/read/alloc.h"

#include "common/base/lp_assert.h"

#include <string.h>

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

// --- The type

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

lp_err
compact_alloc_describe(jfr_metadata *metadata, const policy *rules)
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

// --- How samples are made

static bool
is_field_named(const jfr_metadata *metadata, uint32_t field, const char *name)
{
    return strcmp(jfr_metadata_text(metadata, metadata->fields.items[field].name), name) == 0;
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
                    strcmp(jfr_metadata_text(metadata,
                               metadata->types.items[metadata->fields.items[weight].type].name),
                        "long") == 0;
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
        plan->sampled = (jfr_program){
            .begin = plan->whole.begin,
            .end = layout->field_ops.items[type->field_begin + shared],
        };
        plan->before_bytes = (jfr_program){
            .begin = plan->whole.begin,
            .end = layout->field_ops.items[bytes],
        };
    }
    return is_good;
}

void
compact_alloc_plan(compact_schema *schema, const policy *rules)
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
