// SPDX-License-Identifier: Apache-2.0
// lp_names: finds the rows of a table by their unique names. {0} is an empty table.
//
// Names may come from outside: no choice of names makes lookups slow (lp_hash_seed).
//
// Threads: one thread at a time; any number of threads may call lp_names_find while no thread adds
//          names.
// Tests:   tests/unit/common/base/test_lp_base.c
// Memory:  some 40 bytes for each name; the names are borrowed.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdint.h>

typedef struct lp_names {
    LP_VEC(const char *) items; // by row
    lp_map by_hash;             // hash to row; if another name has the hash, the next free number
} lp_names;

void lp_names_fini(lp_names *names);

// lp_names_find returns the row of this name, LP_MAP_NONE if there is none.
uint32_t lp_names_find(const lp_names *names, const char *name);

// lp_names_add adds the next row. name must be new; it is borrowed until lp_names_fini.
// Errors: LP_ENOMEM; nothing has changed then
LP_MUST_USE lp_err lp_names_add(lp_names *names, const char *name);

// lp_names_add_copy adds a copy of the name. The caller owns *out_copy. Errors: as lp_names_add
LP_MUST_USE lp_err lp_names_add_copy(lp_names *names, const char *name, char **out_copy);
