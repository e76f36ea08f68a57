// SPDX-License-Identifier: Apache-2.0
#include "engine/damage.h"

static void
add_note(compact_damage *damage, const compact_damage_note *note)
{
    if (damage->notes.count < COMPACT_DAMAGE_NOTES_MAX) {
        damage->notes.items[damage->notes.count++] = *note;
    }
}

void
compact_damage_add(compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes)
{
    damage->place_count++;
    damage->skipped_bytes += skipped_bytes;
    const compact_damage_note note = {.problem = *problem, .skipped_bytes = skipped_bytes};
    add_note(damage, &note);
}

void
compact_damage_append(compact_damage *damage, const compact_damage *other)
{
    damage->place_count += other->place_count;
    damage->skipped_bytes += other->skipped_bytes;
    for (size_t i = 0; i < other->notes.count; i++) {
        add_note(damage, &other->notes.items[i]);
    }
}
