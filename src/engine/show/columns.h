// SPDX-License-Identifier: Apache-2.0

// columns: the fields in which events show the attributes of their contexts.
//
// The name of a column is made of the context's type and the attribute: shop.Request and traceid
// give Request_traceid. Its label is "Request: traceid"; if type or attribute have labels, these
// replace the names. If another kind has the same simple name, the column gets the whole name:
// shop_Request_traceid. A name that is no valid Java field name becomes the nearest valid one
// (jfr_name.h). A name that already exists gets a number.
//
// Threads: one thread at a time while they are made; then any thread may read them.

#pragma once

#include "common/base/lp_arena.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/read/kinds.h"

#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_COLUMNS_MAX = 128, // kinds whose attributes would exceed this have no columns
};

typedef struct compact_column {
    const char *kind; // the name of the contexts' type
    const compact_attribute *attribute;
    const char *name;
    const char *label;
    const char *description;
    uint32_t pool;   // index of the type of its constants; JFR_NONE: it has values
    ctx_kind values; // numbers, booleans or, with CTX_STRING, texts
} compact_column;

typedef struct compact_columns {
    uint64_t kinds;                  // a bit for each kind with columns
    size_t first[COMPACT_KINDS_MAX]; // by kind: its first column; columns are in the order of kinds
    size_t count;
    compact_column items[COMPACT_COLUMNS_MAX];
} compact_columns;

// compact_columns_init makes columns for all kinds. metadata is the chunk's. The columns borrow
// from arena and kinds. If memory runs out, arena fails.
void compact_columns_init(compact_columns *columns, lp_arena *arena, const compact_kinds *kinds,
    const jfr_metadata *metadata);

// compact_columns_name_for returns the name of a column in a type with fields of its own. If one of
// these fields has the name, it appends a number; arena owns the result.
const char *compact_columns_name_for(const compact_columns *columns, lp_arena *arena,
    const char *name, const jfr_metadata *metadata, const jfr_type *type);
