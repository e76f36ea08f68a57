// SPDX-License-Identifier: Apache-2.0
#include "engine/damage.h"

#include "common/base/lp_assert.h"

static void
damage_check(const compact_damage *damage)
{
    LP_ASSERT(damage->notes.count <= COMPACT_DAMAGE_NOTES_MAX);
    LP_ASSERT(damage->notes.count <= damage->place_count);
    LP_ASSERT(damage->unprintable_count <= damage->place_count);
}

static void
add_note(compact_damage *damage, const compact_damage_note *note)
{
    if (damage->notes.count < COMPACT_DAMAGE_NOTES_MAX) {
        damage->notes.items[damage->notes.count++] = *note;
    }
}

static void
add(compact_damage *damage, const compact_damage_note *note)
{
    damage->place_count++;
    damage->unprintable_count += note->is_unprintable ? 1 : 0;
    damage->skipped_bytes += note->skipped_bytes;
    add_note(damage, note);
    damage_check(damage);
}

void
compact_damage_add(compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes)
{
    add(damage, &(compact_damage_note){.problem = *problem, .skipped_bytes = skipped_bytes});
}

void
compact_damage_add_unprintable(
    compact_damage *damage, const lp_problem *problem, uint64_t skipped_bytes)
{
    add(damage, &(compact_damage_note){
                    .problem = *problem, .skipped_bytes = skipped_bytes, .is_unprintable = true});
}

lp_err
compact_damage_refuse(const compact_damage *damage, compact_refused refused, lp_problem *problem)
{
    damage_check(damage);
    bool is_unprintable_fine = refused != COMPACT_REFUSED_ALL;
    uint64_t fine = is_unprintable_fine ? damage->unprintable_count : 0;
    if (refused == COMPACT_REFUSED_NONE || damage->place_count == fine) {
        return LP_OK;
    }
    size_t i = 0;
    while (
        i < damage->notes.count && damage->notes.items[i].is_unprintable && is_unprintable_fine) {
        i++;
    }
    if (problem != NULL) { // if the refused one has no note, the first note stands for it
        *problem = damage->notes.items[i < damage->notes.count ? i : 0].problem;
    }
    return LP_ECORRUPT;
}

void
compact_damage_append(compact_damage *damage, const compact_damage *other)
{
    LP_ASSERT(damage != other);
    damage->place_count += other->place_count;
    damage->unprintable_count += other->unprintable_count;
    damage->skipped_bytes += other->skipped_bytes;
    for (size_t i = 0; i < other->notes.count; i++) {
        add_note(damage, &other->notes.items[i]);
    }
    damage_check(damage);
}
