// SPDX-License-Identifier: Apache-2.0
#include "engine/write/shown_fields.h"

#include "engine/write/describe.h"
#include "engine/write/type_ids.h"

#include <stdlib.h>

// A field that Loupe adds.
typedef struct shown_field {
    const char *name;
    const char *label;
    const char *description; // may be empty
    uint64_t pool;           // the id of the type into whose pool it points; 0: it is a text
} shown_field;

static shown_field
field_of(const compact_column *column, const compact_classes *classes)
{
    return (shown_field){
        .name = column->name,
        .label = column->label,
        .description = column->description,
        .pool = column->pool == JFR_NONE ? 0 : classes->metadata.types.items[column->pool].id,
    };
}

// append_field appends a field to a class, of the input or added.
static lp_err
append_field(compact_classes *classes, uint32_t class, const shown_field *field)
{
    uint32_t element;
    lp_err err;
    if (field->pool == 0) {
        err = compact_describe_field(
            classes, class, field->name, "java.lang.String", false, &element);
    } else {
        uint32_t type = jfr_metadata_find_type(&classes->metadata, field->pool);
        err = type == JFR_NONE ? LP_OK : compact_classes_use(classes, type);
        if (err == LP_OK) {
            err =
                compact_describe_field_of(classes, class, field->name, field->pool, true, &element);
        }
    }
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, element, "jdk.jfr.Label", field->label);
    }
    if (err == LP_OK && field->description[0] != '\0') {
        err = compact_describe_annotation(
            classes, element, "jdk.jfr.Description", field->description);
    }
    return err;
}

// add_field gives an event type a last field, under another name where it has one of that name.
static lp_err
add_field(const compact_columns *columns, const compact_schema *schema, compact_classes *classes,
    uint32_t type, shown_field field)
{
    const jfr_metadata *metadata = &schema->metadata;
    char *name =
        compact_columns_name_for(columns, field.name, metadata, &metadata->types.items[type]);
    if (name == NULL) {
        return LP_ENOMEM;
    }
    field.name = name;
    lp_err err = append_field(classes, classes->metadata.types.items[type].element, &field);
    free(name);
    return err;
}

static lp_err
add_columns(const compact_columns *columns, const compact_schema *schema, compact_classes *classes,
    uint32_t type)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < columns->count && err == LP_OK; i++) {
        err = add_field(columns, schema, classes, type, field_of(&columns->items[i], classes));
    }
    return err;
}

// add_state_type adds the type of what applies to an event.
static lp_err
add_state_type(const compact_columns *columns, compact_classes *classes, uint64_t *out_id)
{
    uint32_t class;
    uint32_t field;
    lp_err err = compact_classes_add_class(
        classes, "loupe.Context", NULL, COMPACT_TYPE_IDS_STATE, out_id, &class);
    if (err == LP_OK) {
        err = compact_describe_labelled_field(
            classes, class, "type", "java.lang.String", "Type", &field);
    }
    if (err == LP_OK) {
        err = compact_describe_labelled_field(
            classes, class, "startTime", "long", "Start Time", &field);
    }
    if (err == LP_OK) {
        err = compact_describe_annotation(classes, field, "jdk.jfr.Timestamp", "TICKS");
    }
    for (size_t i = 0; i < columns->count && err == LP_OK; i++) {
        const shown_field column = field_of(&columns->items[i], classes);
        err = append_field(classes, class, &column);
    }
    if (err == LP_OK) {
        const shown_field parent = {
            .name = "parent", .label = "Parent", .description = "", .pool = *out_id};
        err = append_field(classes, class, &parent);
    }
    if (err == LP_OK) {
        err = compact_describe_labelled_field(
            classes, class, "truncated", "boolean", "Truncated", &field);
    }
    return err;
}

// add_reference gives an event type its reference. The type of what it refers to is made for the
// first.
static lp_err
add_reference(const compact_columns *columns, const compact_schema *schema,
    compact_classes *classes, uint32_t type, uint64_t *state_type)
{
    lp_err err = *state_type == 0 ? add_state_type(columns, classes, state_type) : LP_OK;
    const shown_field reference = {
        .name = "context", .label = "Context", .description = "", .pool = *state_type};
    return err == LP_OK ? add_field(columns, schema, classes, type, reference) : err;
}

lp_err
compact_shown_fields_add(const compact_style *style, const compact_schema *schema,
    compact_classes *classes, uint64_t *out_state_type)
{
    const compact_columns *columns = compact_style_columns(style);
    lp_err err = LP_OK;
    *out_state_type = 0;
    for (uint32_t i = 0; i < schema->metadata.types.count && err == LP_OK; i++) {
        if (!classes->is_used[i] || !compact_style_extends(style, i)) {
            continue;
        }
        err = compact_style_has_references(style)
                  ? add_reference(columns, schema, classes, i, out_state_type)
                  : add_columns(columns, schema, classes, i);
    }
    return err;
}
