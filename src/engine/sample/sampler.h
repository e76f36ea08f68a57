// SPDX-License-Identifier: Apache-2.0
// sampler: which events of one type a throttle keeps. It gets the commit times of the events that
// are offered, in ascending order, and decides on each at once. Later events never change a
// decision, so it does not matter where a session is cut into chunks.
//
// Times are wall-clock nanoseconds, and units are aligned: a unit is [k * per_ns, (k + 1) *
// per_ns). In no unit more than `count` are kept. A time before the last one counts as that one.
//
// docs/internals/throttle.md describes how it works, and how well.
//
// Threads: one thread at a time.

#ifndef LP_ENGINE_SAMPLE_SAMPLER_H
#define LP_ENGINE_SAMPLE_SAMPLER_H

#include "policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

// Numbers in fixed point have 16 bits behind the point, so that all machines get the same result.
typedef struct compact_sampler {
    policy_throttle throttle; // per_ns is above 0
    uint64_t random;          // state of the generator
    int64_t time_ns;          // of the last event; INT64_MIN before the first
    uint64_t seen;            // in the unit
    uint64_t kept;            // in the unit
    uint64_t window_seen;     // in the window, which is a part of the unit
    uint64_t window_count;    // of windows that are over, up to the number that is remembered
    uint64_t rate_fixed;      // events in a window
    uint64_t spread_fixed;    // the share of windows in which there was an event
    bool has_usual;           // a unit is over
    uint64_t usual_fixed;     // events in a unit, on average over the units with any
} compact_sampler;

// compact_sampler_init makes a sampler that has seen nothing. Its random numbers are seeded with
// the type's name and salt; with another salt a second sampler of the type chooses other events.
void compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle);

// compact_sampler_restart forgets the current unit, for a sampler whose last time was wrong.
void compact_sampler_restart(compact_sampler *sampler);

// compact_sampler_is_sound returns whether all numbers are in the ranges to which init and keep
// confine them.
bool compact_sampler_is_sound(const compact_sampler *sampler);

// compact_sampler_keep returns whether the next event is kept. Cost: some dozen instructions, at
// most one division per event and a few per window
bool compact_sampler_keep(compact_sampler *sampler, int64_t time_ns);

// compact_sampler_keep_sized does the same for events of different sizes: where there is no room
// for all of them, a larger one has a better chance. size is in parts of the usual size.
enum { COMPACT_SAMPLER_USUAL_SIZE = 1 << 16 };
bool compact_sampler_keep_sized(compact_sampler *sampler, int64_t time_ns, uint64_t size);

// compact_sampler_force counts the next event, which is kept in any case: the unit has room for one
// event less, if it has any.
void compact_sampler_force(compact_sampler *sampler, int64_t time_ns);

#endif // LP_ENGINE_SAMPLE_SAMPLER_H
