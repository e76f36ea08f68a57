// SPDX-License-Identifier: Apache-2.0
#include "engine/show/columns.h"

#include "common/jfr/jfr_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 100 }; // that are tried: whoever uses them all gets two of one name

static const char *
last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

// has_namesake says whether another kind has the same last name.
static bool
has_namesake(const compact_kinds *kinds, const compact_kind *kind)
{
    for (size_t i = 0; i < kinds->items.count; i++) {
        const compact_kind *other = &kinds->items.items[i];
        if (other != kind && strcmp(last_name(other->name), last_name(kind->name)) == 0) {
            return true;
        }
    }
    return false;
}

// field_name_of makes the name of a Java field out of text. NULL if memory ran out.
static char *
field_name_of(const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    lp_buf name = {0};
    jfr_field_name_append(&name, text);
    lp_buf_append(&name, "", 1);
    char *out = name.is_failed ? NULL : strdup((const char *)name.ptr);
    lp_buf_fini(&name);
    return out;
}

static bool
has_column(const compact_columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static char *
join(const char *a, const char *between, const char *b)
{
    char *out;
    return asprintf(&out, "%s%s%s", a, between, b) < 0 ? NULL : out;
}

static char *
join_number(const char *name, size_t number)
{
    char *out;
    return asprintf(&out, "%s_%zu", name, number) < 0 ? NULL : out;
}

char *
compact_columns_name_for(const compact_columns *columns, const char *name,
    const jfr_metadata *metadata, const jfr_type *type)
{
    char *out = strdup(name);
    bool is_free = false;
    for (size_t number = 2; out != NULL && !is_free && number < NUMBERS_MAX; number++) {
        bool is_changed = number > 2; // then it must not be another column's either
        is_free = jfr_metadata_find_field(metadata, type, out) == JFR_NONE &&
                  !(is_changed && has_column(columns, out));
        if (!is_free) {
            free(out);
            out = join_number(name, number);
        }
    }
    return out;
}

// name_of gives the name of a new column. NULL if memory ran out.
static char *
name_of(const compact_columns *columns, const char *type_name, const char *attribute)
{
    char *text = join(type_name, "_", attribute);
    char *name = field_name_of(text);
    free(text);
    char *out = name == NULL ? NULL : strdup(name);
    for (size_t number = 2; out != NULL && has_column(columns, out); number++) {
        free(out);
        out = join_number(name, number);
    }
    free(name);
    return out;
}

static lp_err
add_column(compact_columns *columns, const compact_kind *kind, const char *type_name,
    const compact_attribute *attribute, const jfr_metadata *metadata)
{
    uint32_t pool = attribute->reference == NULL
                        ? (uint32_t)JFR_NONE
                        : jfr_metadata_find_type_named(metadata, attribute->reference);
    compact_column *column = &columns->items[columns->count];
    *column = (compact_column){
        .name = name_of(columns, type_name, attribute->name),
        .label = join(kind->label[0] != '\0' ? kind->label : last_name(kind->name), ": ",
            attribute->label[0] != '\0' ? attribute->label : attribute->name),
        .description = strdup(attribute->description),
        .pool = pool,
    };
    columns->count++;
    bool is_whole = column->name != NULL && column->label != NULL && column->description != NULL;
    return is_whole ? LP_OK : LP_ENOMEM;
}

static lp_err
add_kind(compact_columns *columns, const compact_kinds *kinds, uint32_t index,
    const jfr_metadata *metadata)
{
    const compact_kind *kind = &kinds->items.items[index];
    if (kind->attribute_count == 0 ||
        columns->count + kind->attribute_count > COMPACT_COLUMNS_MAX) {
        return LP_OK;
    }
    const char *name = has_namesake(kinds, kind) ? kind->name : last_name(kind->name);
    columns->kinds |= (uint64_t)1 << index;
    columns->first[index] = columns->count;
    lp_err err = LP_OK;
    for (size_t i = 0; i < kind->attribute_count && err == LP_OK; i++) {
        err = add_column(columns, kind, name, &kind->attributes[i], metadata);
    }
    return err;
}

lp_err
compact_columns_init(
    compact_columns *columns, const compact_kinds *kinds, const jfr_metadata *metadata)
{
    *columns = (compact_columns){0};
    for (uint32_t i = 0; i < kinds->items.count; i++) {
        lp_err err = add_kind(columns, kinds, i, metadata);
        if (err != LP_OK) {
            compact_columns_fini(columns);
            return err;
        }
    }
    return LP_OK;
}

void
compact_columns_fini(compact_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        free(columns->items[i].name);
        free(columns->items[i].label);
        free(columns->items[i].description);
    }
    *columns = (compact_columns){0};
}
