// SPDX-License-Identifier: Apache-2.0
#include "engine/damage.h"

static lp_err
add_note(compact_damage *damage, const compact_damage_note *note)
{
    if (damage->notes.count == COMPACT_DAMAGE_NOTES_MAX) {
        return LP_OK;
    }
    compact_damage_note *slot = LP_VEC_PUSH(&damage->notes);
    if (slot == NULL) {
        return LP_ENOMEM;
    }
    *slot = *note;
    return LP_OK;
}

lp_err
compact_damage_add(compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes)
{
    damage->place_count++;
    damage->skipped_bytes += skipped_bytes;
    const compact_damage_note note = {.problem = *problem, .skipped_bytes = skipped_bytes};
    return add_note(damage, &note);
}

lp_err
compact_damage_append(compact_damage *damage, const compact_damage *other)
{
    damage->place_count += other->place_count;
    damage->skipped_bytes += other->skipped_bytes;
    lp_err err = LP_OK;
    for (size_t i = 0; i < other->notes.count && err == LP_OK; i++) {
        err = add_note(damage, &other->notes.items[i]);
    }
    return err;
}

void
compact_damage_fini(compact_damage *damage)
{
    LP_VEC_FINI(&damage->notes);
    *damage = (compact_damage){0};
}
