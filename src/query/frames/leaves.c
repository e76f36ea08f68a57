// SPDX-License-Identifier: Apache-2.0
#include "query/frames/leaves.h"

#include "common/base/lp_assert.h"
#include "engine/read/text.h"

#include <stdio.h>
#include <string.h>

static const char *
leaf_name(unsigned kind)
{
    return kind == QUERY_KIND_UNACCOUNTED ? "not accounted"
           : kind == QUERY_KIND_ALLOC     ? "alloc"
                                          : time_category_name((time_category)kind);
}

query_leaves
query_leaves_begin(query_names *names)
{
    LP_ASSERT(names != NULL);
    query_leaves leaves = {.names = names};
    for (unsigned kind = 0; kind < QUERY_LEAVES; kind++) {
        char text[32];
        (void)snprintf(text, sizeof(text), "[%s]", leaf_name(kind));
        leaves.of[kind] = query_names_add(names, text);
    }
    return leaves;
}

void
query_leaves_fini(query_leaves *leaves)
{
    lp_map_fini(&leaves->is_other);
    lp_map_fini(&leaves->other_of);
    *leaves = (query_leaves){0};
}

unsigned
query_leaves_kind(const query_leaves *leaves, uint32_t name)
{
    for (unsigned kind = 0; kind < QUERY_LEAVES; kind++) {
        if (leaves->of[kind] == name && name != QUERY_NAME_NONE) {
            return kind;
        }
    }
    return lp_map_find(&leaves->is_other, name) == LP_MAP_NONE ? QUERY_KIND_FRAME : TIME_OTHER;
}

// find_of_type finds or adds the name of the leaf of an unknown type.
static lp_err
find_of_type(query_leaves *leaves, uint32_t type, uint32_t *out_name)
{
    *out_name = lp_map_find(&leaves->other_of, type);
    if (*out_name != LP_MAP_NONE) {
        return LP_OK;
    }
    char text[256]; // longer names are cut
    const char *name = query_names_text(leaves->names, type);
    size_t len =
        compact_text_cut((lp_slice){(const uint8_t *)name, strlen(name)}, sizeof(text) - 16);
    (void)snprintf(text, sizeof(text), "[other: %.*s]", (int)len, name);
    *out_name = query_names_add(leaves->names, text);
    if (*out_name == QUERY_NAME_NONE) { // no room
        *out_name = leaves->of[TIME_OTHER];
    }
    lp_err err = lp_arena_err(&leaves->names->arena);
    LP_THEN(err, lp_map_put(&leaves->is_other, *out_name, 1));
    return err == LP_OK ? lp_map_put(&leaves->other_of, type, *out_name) : err;
}

lp_err
query_leaves_add_below(query_leaves *leaves, query_stacks *stacks, uint32_t stack,
    time_category category, uint32_t type, uint32_t *out_node)
{
    LP_ASSERT(category < TIME_CATEGORY_COUNT);
    uint32_t leaf = leaves->of[category];
    LP_TRY(category == TIME_OTHER ? find_of_type(leaves, type, &leaf) : LP_OK);
    LP_TRY(query_stacks_add(stacks, stack, leaf, 0, out_node));
    return *out_node == stack ? query_stacks_add_spare(stacks, leaves->of[category], out_node)
                              : LP_OK;
}
