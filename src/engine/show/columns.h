// SPDX-License-Identifier: Apache-2.0

// columns: the fields in which events show the attributes of their contexts.
//
// A column is named after the context's type and the attribute: shop.Request and traceid give
// Request_traceid, labelled "Request: traceid", or with the labels that the two have. Where another
// kind has the same last name, all of the name counts: shop_Request_traceid. A name that no Java
// field could have is changed to the nearest (jfr_name.h), and one that is there already gets a
// number.
//
// Threads: made by one thread, then read by any.

#ifndef LP_ENGINE_SHOW_COLUMNS_H
#define LP_ENGINE_SHOW_COLUMNS_H

#include "common/base/lp_arena.h"
#include "common/jfr/jfr_metadata.h"
#include "engine/read/kinds.h"

#include <stddef.h>
#include <stdint.h>

enum {
    COMPACT_COLUMNS_MAX = 128, // kinds whose attributes would go beyond have no columns
};

typedef struct compact_column {
    const char *kind; // the name of the contexts' type
    const compact_attribute *attribute;
    const char *name;
    const char *label;
    const char *description;
    uint32_t pool;   // the type (index) into whose pool it points; JFR_NONE: it has values
    ctx_kind values; // numbers, booleans or, with CTX_STRING, texts
} compact_column;

typedef struct compact_columns {
    uint64_t kinds;                  // a bit for each that has columns
    size_t first[COMPACT_KINDS_MAX]; // by kind: its first column; they are in the order of kinds
    size_t count;
    compact_column items[COMPACT_COLUMNS_MAX];
} compact_columns;

// compact_columns_init makes columns for all kinds. metadata is the chunk's. What columns refer to
// belongs to arena, or to kinds. Where memory runs out, arena fails.
void compact_columns_init(compact_columns *columns, lp_arena *arena, const compact_kinds *kinds,
    const jfr_metadata *metadata);

// compact_columns_name_for returns the name of a column in a type that has fields of its own: the
// column's name, or that with a number, which belongs to arena.
const char *compact_columns_name_for(const compact_columns *columns, lp_arena *arena,
    const char *name, const jfr_metadata *metadata, const jfr_type *type);

#endif // LP_ENGINE_SHOW_COLUMNS_H
