// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_registry.h"

#include "common/base/lp_assert.h"
#include "common/context/ctx_type.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ctx_registry {
    pthread_mutex_t mutex;
    size_t type_count;
    size_t attribute_count;
    ctx_type types[CTX_TYPES_MAX];
};

ctx_registry *
ctx_registry_create(void)
{
    ctx_registry *registry = calloc(1, sizeof(*registry));
    LP_REQUIRE(registry != NULL, NULL);
    if (pthread_mutex_init(&registry->mutex, NULL) != 0) {
        free(registry);
        return NULL;
    }
    return registry;
}

static bool
is_same_text(const char *left, const char *right)
{
    return strcmp(left == NULL ? "" : left, right == NULL ? "" : right) == 0;
}

static bool
is_same_attribute(const ctx_attribute *left, const ctx_attribute *right)
{
    return left->kind == right->kind && is_same_text(left->name, right->name) &&
           is_same_text(left->label, right->label) &&
           is_same_text(left->description, right->description) &&
           left->is_root_key == right->is_root_key;
}

static bool
is_same_type(const ctx_type *left, const ctx_type *right)
{
    bool is_same =
        left->is_recording == right->is_recording && left->is_hand_over == right->is_hand_over &&
        left->is_root == right->is_root && left->completes == right->completes &&
        left->attribute_count == right->attribute_count && is_same_text(left->name, right->name) &&
        is_same_text(left->label, right->label) &&
        is_same_text(left->description, right->description);
    for (size_t i = 0; is_same && i < left->attribute_count; i++) {
        is_same = is_same_attribute(&left->attributes[i], &right->attributes[i]);
    }
    return is_same;
}

static lp_err
add_locked(ctx_registry *registry, const ctx_type *type, uint16_t *out_id)
{
    for (size_t i = 0; i < registry->type_count; i++) {
        if (is_same_type(&registry->types[i], type)) {
            *out_id = registry->types[i].id;
            return LP_OK;
        }
    }
    bool is_counted = !type->is_recording && ctx_type_begins_contexts(type);
    size_t counted = is_counted ? type->attribute_count : 0;
    if (LP_NEVER(registry->attribute_count > CTX_ATTRIBUTES_MAX)) {
        return LP_ELIMIT;
    }
    if (type->attribute_count == 0 || type->attribute_count > CTX_TYPE_ATTRIBUTES_MAX ||
        registry->type_count == CTX_TYPES_MAX ||
        counted > CTX_ATTRIBUTES_MAX - registry->attribute_count) {
        return LP_ELIMIT;
    }
    ctx_type *slot = &registry->types[registry->type_count];
    LP_TRY(ctx_type_copy(type, slot));
    registry->type_count++;
    registry->attribute_count += counted;
    slot->id = (uint16_t)registry->type_count;
    *out_id = slot->id;
    return LP_OK;
}

lp_err
ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id)
{
    (void)pthread_mutex_lock(&registry->mutex);
    lp_err err = add_locked(registry, type, out_id);
    (void)pthread_mutex_unlock(&registry->mutex);
    return err;
}

size_t
ctx_registry_get_left(ctx_registry *registry)
{
    (void)pthread_mutex_lock(&registry->mutex);
    size_t left = CTX_ATTRIBUTES_MAX - registry->attribute_count;
    (void)pthread_mutex_unlock(&registry->mutex);
    return left;
}

const ctx_type *
ctx_registry_find(ctx_registry *registry, size_t index)
{
    (void)pthread_mutex_lock(&registry->mutex);
    const ctx_type *type = index < registry->type_count ? &registry->types[index] : NULL;
    (void)pthread_mutex_unlock(&registry->mutex);
    return type;
}
