// SPDX-License-Identifier: Apache-2.0

// ctx_type: checks, copies, finds and frees registered context types (ctx_record.h).
//
// Threads: one thread at a time.
// Tests:   tests/unit/common/wire/test_wire.c

#pragma once

#include "common/base/lp_arena.h"
#include "common/base/lp_err.h"
#include "common/context/ctx_record.h"

#include <stdbool.h>

// ctx_type_is_sound returns whether the collector accepts a type: it has an id, at most
// CTX_TYPE_ATTRIBUTES_MAX attributes of known kinds, and the attributes of its role.
// RecordingContexts have one or two longs and complete no type. A type that completes another has a
// key (a long, maybe CTX_HEX) and a text. Hand-overs have two longs. Roots have such a key and a
// boolean.
bool ctx_type_is_sound(const ctx_type *type);

// ctx_type_begins_contexts returns whether records of the type begin contexts.
static inline bool
ctx_type_begins_contexts(const ctx_type *type)
{
    return type->completes == 0 && !type->is_hand_over && !type->is_root;
}

// ctx_type_copy makes out_type an independent copy of type, whose label and description may be
// NULL.
//
// Owns:   on LP_OK the caller ends *out_type with ctx_type_fini
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_type_copy(const ctx_type *type, ctx_type *out_type);

// ctx_type_copy_in makes a copy that lasts as long as arena. Its texts are empty if memory ran out.
ctx_type ctx_type_copy_in(lp_arena *arena, const ctx_type *type);

// ctx_type_find returns the index of the type with this id, or `count` if there is none.
static inline size_t
ctx_type_find(const ctx_type *types, size_t count, uint16_t id)
{
    size_t i = 0;
    while (i < count && types[i].id != id) {
        i++;
    }
    return i;
}

void ctx_type_fini(ctx_type *type);
