// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_enumeration.h"

#include "common/base/lp_find.h"

#include <string.h>

static const char *const packages[] = {"jdk.types.", "com.oracle.jfr.types."};
static const char *const others[] = {"profiler.types.LogLevel", "datadog.types.ExecutionMode"};

static bool
has_name_of_enumeration(const char *name)
{
    for (size_t i = 0; i < LP_COUNT(packages); i++) {
        size_t len = strlen(packages[i]);
        if (strncmp(name, packages[i], len) == 0) {
            return strcmp(name + len, "Symbol") != 0;
        }
    }
    return LP_ANY(others, LP_COUNT(others), strcmp(name, *at) == 0);
}

bool
jfr_enumeration_is(const jfr_metadata *metadata, uint32_t type)
{
    const jfr_type *t = &metadata->types.items[type];
    if (t->field_count != 1 || t->is_event) {
        return false;
    }
    const jfr_field *field = &metadata->fields.items[t->field_begin];
    return !field->is_constant && !field->is_array && field->type != JFR_NONE &&
           strcmp(jfr_metadata_text(metadata, metadata->types.items[field->type].name),
               "java.lang.String") == 0 &&
           has_name_of_enumeration(jfr_metadata_text(metadata, t->name));
}
