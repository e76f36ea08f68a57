// SPDX-License-Identifier: Apache-2.0
// sampler: computes how many events of one type a throttle keeps in each slot.
//
// A unit is [k * per_ns, (k + 1) * per_ns) of wall time; at most `count` events of a unit are kept.
// A unit of up to a second is one slot; a longer unit has a slot for each second. A slot is decided
// as a whole, when all its events are known. In a unit of one slot, `count` events are kept, or all
// if there are fewer. In a longer unit, the number for each slot depends on an estimate of the
// events that are still to come in the unit.
//
// choose.h draws the kept events of a slot with the slot's random numbers.
// docs/internals/elimination.md#how-throttles-choose describes the estimate and how good it is.
//
// Threads: one thread at a time.

#pragma once

#include "engine/sample/chance.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

// The state of the estimate, for units of several slots. A window is a tenth of a unit. A part is a
// tenth of a window, but at least a slot. Fixed-point numbers have 16 fractional bits, so all
// machines compute the same result.
typedef struct compact_load {
    uint64_t seen;         // events in the unit
    uint64_t part_seen;    // events in the part
    uint64_t window_seen;  // events in the window
    uint64_t window_count; // ended windows, limited to the remembered ones
    uint64_t rate_fixed;   // events in a window, on average over window_count windows
    uint64_t spread_fixed; // share of windows with an event, of window_count windows
    bool has_usual;        // a unit has ended
    uint64_t usual;        // events in a unit, on average over the units with events
} compact_load;

typedef struct compact_sampler {
    policy_throttle throttle; // per_ns is above 0
    uint64_t seed;
    bool is_started;   // slot is set
    int64_t slot;      // the last one with an event, counted from 1970
    uint64_t kept;     // events in the slot's unit
    compact_load load; // of units of several slots
} compact_sampler;

// compact_sampler_init makes a sampler that has seen no events. The type's name and salt seed its
// random numbers: two samplers of a type with different salts choose different events.
void compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle);

// compact_sampler_is_sound returns whether all numbers are in their valid ranges.
bool compact_sampler_is_sound(const compact_sampler *sampler);

// compact_sampler_slot returns the slot of a time.
int64_t compact_sampler_slot(const compact_sampler *sampler, int64_t time_ns);

// compact_sampler_slot_end returns the time at which a slot ends, INT64_MAX at most.
int64_t compact_sampler_slot_end(const compact_sampler *sampler, int64_t slot);

// compact_sampler_open moves to a later slot, which has `population` events, and returns how many
// of them may be kept: at least `population` if all may. `forced` further events are kept in any
// case, and reduce the result. *chance is set to start the slot's random numbers.
//
// Cost: some dozen instructions for a unit of one slot, some hundred for others
uint64_t compact_sampler_open(compact_sampler *sampler, int64_t slot, uint64_t population,
    uint64_t forced, compact_chance *chance);

// compact_sampler_open_partly is compact_sampler_open for a slot that has `certain` known events
// and may get more. It estimates from the rate so far how many more.
uint64_t compact_sampler_open_partly(
    compact_sampler *sampler, int64_t slot, uint64_t certain, compact_chance *chance);

// compact_sampler_coming returns how many events the estimate expects in the unit after the slot:
// the sampler reserves room for them. The slot had slot_seen events. 0 in a unit of one slot.
uint64_t compact_sampler_coming(const compact_sampler *sampler, uint64_t slot_seen);

// compact_sampler_take counts events of the slot as kept. There must be room for them.
void compact_sampler_take(compact_sampler *sampler, uint64_t count);

// compact_sampler_see counts an event of the slot that was not in its population.
void compact_sampler_see(compact_sampler *sampler);

// compact_sampler_keep_late returns whether an event that came too late for its slot is kept. If
// the last unit has room, the event is kept, and counts in that unit.
bool compact_sampler_keep_late(compact_sampler *sampler);
