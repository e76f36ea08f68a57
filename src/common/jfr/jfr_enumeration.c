// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_enumeration.h"

#include <string.h>

static const char *const packages[] = {"jdk.types.", "com.oracle.jfr.types."};
static const char *const others[] = {"profiler.types.LogLevel", "datadog.types.ExecutionMode"};

static bool
has_name_of_enumeration(const char *name)
{
    for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
        size_t len = strlen(packages[i]);
        if (strncmp(name, packages[i], len) == 0) {
            return strcmp(name + len, "Symbol") != 0;
        }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(name, others[i]) == 0) {
            return true;
        }
    }
    return false;
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
