// SPDX-License-Identifier: Apache-2.0
#include "engine/write/describe.h"

#include <string.h>

lp_err
compact_describe_field_of(compact_classes *classes, uint32_t class, const char *name,
    uint64_t type_id, bool is_constant, uint32_t *out_field)
{
    jfr_metadata_id id_attribute = jfr_metadata_id_text(type_id);
    const char *attributes[] = {"name", name, "class", id_attribute.text, "constantPool", "true"};
    *out_field = jfr_metadata_append_element(
        &classes->metadata, class, "field", attributes, is_constant ? 3 : 2);
    return *out_field == JFR_NONE ? LP_ENOMEM : LP_OK;
}

lp_err
compact_describe_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, bool is_constant, uint32_t *out_field)
{
    uint64_t id;
    lp_err err = compact_classes_use_named(classes, type_name, NULL, &id);
    return err != LP_OK
               ? err
               : compact_describe_field_of(classes, class, name, id, is_constant, out_field);
}

lp_err
compact_describe_annotation(
    compact_classes *classes, uint32_t parent, const char *type_name, const char *value)
{
    uint64_t id;
    size_t added_before = classes->added.count;
    lp_err err = compact_classes_use_named(classes, type_name, COMPACT_CLASSES_ANNOTATION, &id);
    if (err != LP_OK) {
        return err;
    }
    if (value != NULL && classes->added.count > added_before) {
        uint32_t field;
        err =
            compact_describe_field(classes, classes->added.items[classes->added.count - 1].element,
                "value", "java.lang.String", false, &field);
        if (err != LP_OK) {
            return err;
        }
    }
    jfr_metadata_id id_attribute = jfr_metadata_id_text(id);
    const char *attributes[] = {"class", id_attribute.text, "value", value};
    uint32_t element = jfr_metadata_append_element(
        &classes->metadata, parent, "annotation", attributes, value == NULL ? 1 : 2);
    return element == JFR_NONE ? LP_ENOMEM : LP_OK;
}

lp_err
compact_describe_labelled_field(compact_classes *classes, uint32_t class, const char *name,
    const char *type_name, const char *label, uint32_t *out_field)
{
    bool is_constant = strcmp(type_name, "java.lang.Thread") == 0;
    lp_err err = compact_describe_field(classes, class, name, type_name, is_constant, out_field);
    if (err == LP_OK && label[0] != '\0') {
        err = compact_describe_annotation(classes, *out_field, "jdk.jfr.Label", label);
    }
    return err;
}
