// SPDX-License-Identifier: Apache-2.0
// jfr_union: assigns type ids for a file that holds several recordings.
//
// Each JVM numbers its types by itself. Readers identify a type across the chunks of a file by its
// id, and the JDK's reader misreads constants if the types differ. So types share an id only if
// they are equal: the same name, description, settings and annotations, and equal referenced types,
// recursively and even in cycles (a thread group has a parent). Types of one recording never share
// an id. The caller may separate types that it knows to differ.
//
// A type keeps its id unless an earlier type has it; otherwise it gets the smallest free id. If the
// JDK's reader depends on the order of ids, they are assigned in that order.
//
// Threads: one thread at a time; any thread may read it once it is numbered.
// Memory:  some bytes for each type.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// A type of a member.
typedef struct jfr_union_type {
    const jfr_metadata *metadata;
    uint32_t type;      // indexes metadata->types
    uint32_t group;     // shared by types that are the same, or are not known to differ yet
    uint32_t variant;   // jfr_union_part
    size_t named_begin; // of the types that its description names, in named
    size_t named_end;
} jfr_union_type;

typedef struct jfr_union {
    LP_VEC(struct jfr_union_member {
        const jfr_metadata *metadata;
        size_t begin; // of its types in types and ids
    })
    members;
    LP_VEC(jfr_union_type) types;
    LP_VEC(uint32_t) named; // these index types; empty except while types are numbered
    uint64_t *ids;          // parallel to types; NULL until they are numbered
    lp_map taken;           // a set: the ids that have been assigned
} jfr_union;

// {0} is an empty union.
void jfr_union_fini(jfr_union *u);

// jfr_union_add adds the types that one or more chunks describe, as member 0, 1 and so on. If
// different types have the same id, the earlier member keeps it. metadata must be resolved; it is
// borrowed until jfr_union_number has returned. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_union_add(jfr_union *u, const jfr_metadata *metadata);

// jfr_union_part assigns a variant to a type (an index) of a member. Types of different variants
// never share an id. Without it a type is of variant 0.
void jfr_union_part(jfr_union *u, size_t member, uint32_t type, uint32_t variant);

// jfr_union_number assigns an id to each type, once all are added. Errors: LP_ENOMEM
LP_MUST_USE lp_err jfr_union_number(jfr_union *u);

// jfr_union_ids returns the ids of a member's types, parallel to metadata->types.
const uint64_t *jfr_union_ids(const jfr_union *u, size_t member);

// jfr_union_has_id returns whether a type has this id.
bool jfr_union_has_id(const jfr_union *u, uint64_t id);
