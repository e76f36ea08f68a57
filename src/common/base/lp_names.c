// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_names.h"

#include "common/base/lp_hash.h"

#include <stdlib.h>
#include <string.h>

void
lp_names_fini(lp_names *names)
{
    LP_VEC_FINI(&names->items);
    lp_map_fini(&names->by_hash);
    *names = (lp_names){0};
}

// find_slot returns the row of this name, or LP_MAP_NONE and the hash under which it would be.
static uint32_t
find_slot(const lp_names *names, const char *name, uint64_t *out_hash)
{
    uint64_t hash = lp_hash_text(lp_hash_seed(), name);
    uint32_t row;
    while ((row = lp_map_find(&names->by_hash, hash)) != LP_MAP_NONE &&
           strcmp(names->items.items[row], name) != 0) {
        hash++;
    }
    *out_hash = hash;
    return row;
}

uint32_t
lp_names_find(const lp_names *names, const char *name)
{
    uint64_t hash;
    return find_slot(names, name, &hash);
}

lp_err
lp_names_add(lp_names *names, const char *name)
{
    LP_REQUIRE(LP_VEC_ROOM(&names->items), LP_ENOMEM);
    uint64_t hash;
    (void)find_slot(names, name, &hash);
    lp_err err = lp_map_put(&names->by_hash, hash, (uint32_t)names->items.count);
    if (err == LP_OK) {
        names->items.items[names->items.count++] = name;
    }
    return err;
}

lp_err
lp_names_add_copy(lp_names *names, const char *name, char **out_copy)
{
    char *copy = strdup(name);
    lp_err err = copy == NULL ? LP_ENOMEM : lp_names_add(names, copy);
    if (err != LP_OK) {
        free(copy);
        return err;
    }
    *out_copy = copy;
    return LP_OK;
}
