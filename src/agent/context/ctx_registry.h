// SPDX-License-Identifier: Apache-2.0

// ctx_registry: the registered context types, in order.
//
// Threads: any thread; a mutex inside. Types are never removed, so borrowed pointers stay valid.

#pragma once

#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stddef.h>

typedef struct ctx_registry ctx_registry;

ctx_registry *ctx_registry_create(void); // NULL if memory ran out

// Copies type and returns its new id. If an equal type is registered, returns the id of that type:
// an application that is deployed again registers its types again, and must not use up the limit.
// Errors: LP_ELIMIT over CTX_TYPES_MAX types, CTX_TYPE_ATTRIBUTES_MAX attributes of the type, or
//         CTX_ATTRIBUTES_MAX of all types together (types that complete another type, and the
//         type with is_recording, do not count); LP_ENOMEM
LP_MUST_USE lp_err ctx_registry_add(ctx_registry *registry, const ctx_type *type, uint16_t *out_id);

// Returns how many attributes may still be registered.
size_t ctx_registry_get_left(ctx_registry *registry);

// Returns the type at index, borrowed, in the order of registration; NULL if index is too high.
const ctx_type *ctx_registry_find(ctx_registry *registry, size_t index);
