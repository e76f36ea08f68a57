// SPDX-License-Identifier: Apache-2.0

// ctx_registry: the context types that the application has registered, in order.
//
// Threads: any thread; a mutex inside. Types are never removed, so lent pointers stay valid.

#ifndef LP_AGENT_CONTEXT_CTX_REGISTRY_H
#define LP_AGENT_CONTEXT_CTX_REGISTRY_H

#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stddef.h>

typedef struct ctx_registry ctx_registry;

ctx_registry *ctx_registry_create(void); // NULL if memory ran out

// ctx_registry_add copies type, gives it the next id and returns that through out_id. A type that
// is there already, alike in everything, keeps its id: an application that is deployed again loads
// its classes again, and must not use up the limit. Errors: LP_ELIMIT over CTX_TYPES_MAX types,
// CTX_TYPE_ATTRIBUTES_MAX attributes in it, or CTX_ATTRIBUTES_MAX in all types but those that
// complete another and the one that is_recording; LP_ENOMEM
LP_MUST_USE lp_err ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id);

// ctx_registry_get_left returns how many attributes may still be registered.
size_t ctx_registry_get_left(ctx_registry *registry);

// ctx_registry_find lends the type at index (0 is the first registered), NULL past the last.
const ctx_type *ctx_registry_find(ctx_registry *registry, size_t index);

#endif // LP_AGENT_CONTEXT_CTX_REGISTRY_H
