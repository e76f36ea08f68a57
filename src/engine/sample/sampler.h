// SPDX-License-Identifier: Apache-2.0
// sampler: how many events of one type a throttle keeps in each slot.
//
// Units are aligned: a unit is [k * per_ns, (k + 1) * per_ns) of wall time, and no unit has more
// than `count` of the events. A slot is what is decided at once, when all events in it are known:
// a unit of up to a second, or a second of a longer unit. In a unit that is one slot, `count` are
// kept, or all. What is kept in a second of a longer unit depends on an estimate of what is still
// to come in the unit.
//
// Which events of a slot are kept is drawn elsewhere (choose.h), with the slot's random numbers.
//
// docs/internals/throttle.md describes how it works, and how well.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_SAMPLE_SAMPLER_H
#define LP_ENGINE_SAMPLE_SAMPLER_H

#include "engine/sample/chance.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

// What is known of units of several slots, to estimate what comes. A window is a tenth of a unit,
// and a part is a tenth of a window, or a slot if that is longer.
// Numbers in fixed point have 16 bits behind the point, so that all machines get the same result.
typedef struct compact_load {
    uint64_t seen;         // in the unit
    uint64_t part_seen;    // in the part
    uint64_t window_seen;  // in the window
    uint64_t window_count; // of windows that are over, up to the number that is remembered
    uint64_t rate_fixed;   // events in a window, on average over these
    uint64_t spread_fixed; // the share of them in which there was an event
    bool has_usual;        // a unit is over
    uint64_t usual;        // events in a unit, on average over the units with any
} compact_load;

typedef struct compact_sampler {
    policy_throttle throttle; // per_ns is above 0
    uint64_t seed;
    bool is_started;   // it has a slot
    int64_t slot;      // the last one that had an event: slots before it since 1970
    uint64_t kept;     // in its unit
    compact_load load; // of units of several slots
} compact_sampler;

// compact_sampler_init makes a sampler that has seen nothing. Its random numbers are seeded with
// the type's name and salt; with another salt a second sampler of the type chooses other events.
void compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle);

// compact_sampler_is_sound returns whether all numbers are in the ranges to which init and open
// confine them.
bool compact_sampler_is_sound(const compact_sampler *sampler);

// compact_sampler_slot returns the slot in which a time lies.
int64_t compact_sampler_slot(const compact_sampler *sampler, int64_t time_ns);

// compact_sampler_slot_end returns the time at which a slot ends; INT64_MAX for one that has none.
int64_t compact_sampler_slot_end(const compact_sampler *sampler, int64_t slot);

// compact_sampler_open goes on to a slot, which is behind the one before, and returns for how many
// events there is room in it: for `population` of them, or more, if all of these are kept. `forced`
// events come on top, which are kept in any case, and leave so much less room, if there is any.
// chance is started for the slot.
//
// Cost: some dozen instructions for a unit of one slot, some hundred for others
uint64_t compact_sampler_open(compact_sampler *sampler, int64_t slot, uint64_t population,
    uint64_t forced, compact_chance *chance);

// compact_sampler_open_partly is compact_sampler_open for a slot of which more events may turn up
// than the certain ones: the rate so far says how many there are in all.
uint64_t compact_sampler_open_partly(
    compact_sampler *sampler, int64_t slot, uint64_t certain, compact_chance *chance);

// compact_sampler_coming returns how many events are expected in the unit behind the slot, for
// which room is held back, where slot_seen came in the slot; 0 in a unit of one slot.
uint64_t compact_sampler_coming(const compact_sampler *sampler, uint64_t slot_seen);

// compact_sampler_take counts events of the slot that are kept, for which there is room.
void compact_sampler_take(compact_sampler *sampler, uint64_t count);

// compact_sampler_see counts an event of the slot that did not belong to its population.
void compact_sampler_see(compact_sampler *sampler);

// compact_sampler_keep_late returns whether an event is kept that came too late for its slot: if
// the last unit has room left, where it is counted then.
bool compact_sampler_keep_late(compact_sampler *sampler);

#endif // LP_ENGINE_SAMPLE_SAMPLER_H
