// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_registry.h"

#include "common/context/ctx_type.h"

#include <pthread.h>
#include <stdlib.h>

// Each type has at least one attribute, so the limit on attributes bounds the types too.
struct ctx_registry {
    pthread_mutex_t mutex;
    size_t type_count;
    size_t attribute_count;
    ctx_type types[CTX_ATTRIBUTES_MAX];
};

ctx_registry *
ctx_registry_create(void)
{
    ctx_registry *registry = calloc(1, sizeof(*registry));
    if (registry == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&registry->mutex, NULL) != 0) {
        free(registry);
        return NULL;
    }
    return registry;
}

// add_locked does the work of ctx_registry_add under the mutex.
static lp_err
add_locked(ctx_registry *registry, const ctx_type *type, uint16_t *out_id)
{
    if (type->attribute_count == 0 ||
        type->attribute_count > CTX_ATTRIBUTES_MAX - registry->attribute_count) {
        return LP_ELIMIT;
    }
    ctx_type *slot = &registry->types[registry->type_count];
    lp_err err = ctx_type_copy(type, slot);
    if (err != LP_OK) {
        return err;
    }
    registry->type_count++;
    registry->attribute_count += slot->attribute_count;
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

const ctx_type *
ctx_registry_find(ctx_registry *registry, size_t index)
{
    (void)pthread_mutex_lock(&registry->mutex);
    const ctx_type *type = index < registry->type_count ? &registry->types[index] : NULL;
    (void)pthread_mutex_unlock(&registry->mutex);
    return type;
}
