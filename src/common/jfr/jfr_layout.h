// SPDX-License-Identifier: Apache-2.0
// jfr_layout: the programs (jfr_program.h) of all types of a chunk, compiled from its metadata.
//
// Threads: built by one thread, then read by any.

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_metadata.h"
#include "common/jfr/jfr_program.h"
#include "common/jfr/jfr_varint.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    // The limit of fields of all types together; fields of a structure count at each use of it.
    // HotSpot has 2,000. A layout expands structures, so without a limit a few types with many
    // fields could make it explode.
    JFR_LAYOUT_FIELDS_MAX = 1 << 22,
};

// Errors: LP_ECORRUPT if structures contain themselves or are unreasonably large; LP_ENOMEM
LP_MUST_USE lp_err jfr_layout_init(
    jfr_layout *layout, const jfr_metadata *metadata, lp_problem *out_problem);
void jfr_layout_fini(jfr_layout *layout);

// jfr_layout_is_built_in returns whether a type is a number, a truth value or a text. It decides
// by the name; a type with fields is not built in.
bool jfr_layout_is_built_in(const jfr_metadata *metadata, const jfr_type *type);

// jfr_layout_is_number returns whether a field (an index) is a single number and nothing else.
bool jfr_layout_is_number(const jfr_layout *layout, const jfr_metadata *metadata, uint32_t field);

// jfr_layout_is_text returns whether a type (an index) is a text and nothing else.
static inline bool
jfr_layout_is_text(const jfr_layout *layout, uint32_t type)
{
    jfr_program program = layout->types.items[type];
    return program.end - program.begin == 1 &&
           layout->ops.items[program.begin].code == JFR_OP_STRING;
}

// jfr_layout_before returns the program of the fields before a field. type and field are indexes.
static inline jfr_program
jfr_layout_before(const jfr_layout *layout, uint32_t type, uint32_t field)
{
    return (jfr_program){layout->types.items[type].begin, layout->field_ops.items[field]};
}

// jfr_layout_walk moves cursor over the ops of program. False if the value does not fit into the
// bytes or is of a type that the metadata does not describe.
bool jfr_layout_walk(const jfr_layout *layout, jfr_program program, jfr_cursor *cursor);
