// SPDX-License-Identifier: Apache-2.0
// Tests:   tests/unit/engine/show/test_style.c
#include "common/base/lp_assert.h"
#include "engine/read/kinds.h"
#include "engine/write/describe.h"
#include "engine/write/type_ids.h"
#include "engine/write/writer.h"

typedef struct shown_field {
    const char *name;
    const char *label;
    const char *description; // may be empty
    uint64_t pool;           // id of the type of its constants
} shown_field;

static void
append_field(compact_classes *classes, uint32_t class, const shown_field *field)
{
    uint32_t type = jfr_metadata_find_type(&classes->metadata, field->pool);
    if (type != JFR_NONE) {
        compact_classes_use(classes, type);
    }
    uint32_t element = compact_describe_field_of(classes, class, field->name, field->pool, true);
    compact_describe_annotation(classes, element, "jdk.jfr.Label", field->label);
    if (field->description[0] != '\0') {
        compact_describe_annotation(classes, element, "jdk.jfr.Description", field->description);
    }
}

typedef struct adding {
    const compact_columns *columns;
    const jfr_metadata *metadata; // of the chunk
    compact_classes *classes;
    compact_style_types types;
} adding;

// value_type_of returns the type of a column's values, made at the first use.
static uint64_t
value_type_of(adding *a, const compact_column *column)
{
    static const char *const names[COMPACT_SHOWN_CONTEXTS_POOLS] = {
        [CTX_BOOLEAN] = "loupe.Boolean",
        [CTX_SHORT] = "loupe.Short",
        [CTX_INT] = "loupe.Int",
        [CTX_LONG] = "loupe.Long",
        [CTX_FLOAT] = "loupe.Float",
        [CTX_DOUBLE] = "loupe.Double",
        [CTX_STRING] = "loupe.Text",
    };
    uint64_t *id = &a->types.values[column->values];
    if (*id == 0) {
        uint32_t class = compact_classes_add_simple(a->classes, names[column->values],
            (uint64_t)COMPACT_TYPE_IDS_VALUES + column->values, id);
        const char *field = column->values == CTX_STRING ? "string" : "value";
        (void)compact_describe_field(
            a->classes, class, field, compact_kinds_type_name(column->values), false);
    }
    return *id;
}

static shown_field
field_of(adding *a, const compact_column *column)
{
    return (shown_field){
        .name = column->name,
        .label = column->label,
        .description = column->description,
        .pool = column->pool == JFR_NONE ? value_type_of(a, column)
                                         : a->classes->metadata.types.items[column->pool].id,
    };
}

// add_field appends a field to an event type, renamed if the name is taken.
static void
add_field(adding *a, uint32_t type, shown_field field)
{
    field.name = compact_columns_name_for(
        a->columns, a->classes->arena, field.name, a->metadata, &a->metadata->types.items[type]);
    append_field(a->classes, a->classes->metadata.types.items[type].element, &field);
}

static void
add_state_type(adding *a)
{
    LP_ASSERT(a->types.state == 0);
    compact_classes *classes = a->classes;
    uint32_t class = compact_classes_add(
        classes, "loupe.Context", NULL, COMPACT_TYPE_IDS_STATE, &a->types.state);
    (void)compact_describe_labelled_field(classes, class, "type", "java.lang.String", "Type");
    uint32_t start =
        compact_describe_labelled_field(classes, class, "startTime", "long", "Start Time");
    compact_describe_annotation(classes, start, "jdk.jfr.Timestamp", "TICKS");
    for (size_t i = 0; i < a->columns->count; i++) {
        const shown_field column = field_of(a, &a->columns->items[i]);
        append_field(classes, class, &column);
    }
    const shown_field parent = {
        .name = "parent", .label = "Parent", .description = "", .pool = a->types.state};
    append_field(classes, class, &parent);
    (void)compact_describe_labelled_field(classes, class, "truncated", "boolean", "Truncated");
}

static void
add_reference(adding *a, uint32_t type)
{
    if (a->types.state == 0) {
        add_state_type(a);
    }
    const shown_field reference = {
        .name = "context", .label = "Context", .description = "", .pool = a->types.state};
    add_field(a, type, reference);
}

compact_style_types
compact_shown_fields_add(
    const compact_style *style, const compact_schema *schema, compact_classes *classes)
{
    compact_classes_check(classes);
    compact_schema_check(schema);
    LP_ASSERT(style != NULL);
    adding a = {
        .columns = compact_style_columns(style),
        .metadata = &schema->metadata,
        .classes = classes,
    };
    for (uint32_t i = 0; i < schema->metadata.types.count; i++) {
        if (!classes->is_used[i] || !compact_style_extends(style, i)) {
            continue;
        }
        if (compact_style_has_references(style)) {
            add_reference(&a, i);
        } else {
            for (size_t k = 0; k < a.columns->count; k++) {
                add_field(&a, i, field_of(&a, &a.columns->items[k]));
            }
        }
    }
    return a.types;
}
