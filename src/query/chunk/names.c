// SPDX-License-Identifier: Apache-2.0
#include "query/chunk/names.h"

#include "common/base/lp_assert.h"

#include <string.h>

void
query_names_fini(query_names *names)
{
    lp_names_fini(&names->names);
    lp_arena_fini(&names->arena);
    *names = (query_names){0};
}

static uint32_t
add(query_names *names, const char *name)
{
    size_t bytes = strlen(name) + 1;
    if (names->names.items.count >= QUERY_NAMES_MAX ||
        names->bytes + bytes > QUERY_NAMES_BYTES_MAX) {
        names->is_truncated = true;
        return QUERY_NAME_NONE;
    }
    const char *copy = lp_arena_text(&names->arena, name);
    if (lp_arena_err(&names->arena) != LP_OK) {
        return QUERY_NAME_NONE;
    }
    lp_arena_note(&names->arena, lp_names_add(&names->names, copy));
    names->bytes += bytes;
    return lp_arena_err(&names->arena) == LP_OK ? (uint32_t)names->names.items.count - 1
                                                : (uint32_t)QUERY_NAME_NONE;
}

uint32_t
query_names_add(query_names *names, const char *name)
{
    LP_ASSERT(names->names.items.count <= QUERY_NAMES_MAX);
    LP_ASSERT(names->bytes <= QUERY_NAMES_BYTES_MAX);
    if (names->names.items.count == 0) {
        (void)add(names, "");
    }
    uint32_t number = lp_names_find(&names->names, name);
    return number != LP_MAP_NONE ? number : add(names, name);
}

const char *
query_names_text(const query_names *names, uint32_t number)
{
    return number < names->names.items.count ? names->names.items.items[number] : "";
}
