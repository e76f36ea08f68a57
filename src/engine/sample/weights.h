// SPDX-License-Identifier: Apache-2.0
// weights: what samples of allocations stand for, over the chunks of a session. Each event
// of an allocation adds its bytes to those of its thread, and a sample that is kept takes all that
// its thread has.
//
//   sum of what was taken + what is pending = sum of what was added, below INT64_MAX
//
// Of more than COMPACT_WEIGHTS_THREADS_MAX threads those that have not allocated for longest are
// forgotten, half of all at once: the next sample that is kept takes what they have, whatever
// thread it is of. So does it with what has no thread.
//
// Events differ in how much was allocated, and whatever is kept stands for the others as well: so a
// throttle has to prefer the large ones (compact_weights_size), or it would make classes of large
// objects smaller.
//
// Only the order of adding and taking counts: not where the session is cut into chunks.
//
// Threads: one thread at a time.
// Memory:  some 50 bytes for each thread

#ifndef LP_ENGINE_SAMPLE_WEIGHTS_H
#define LP_ENGINE_SAMPLE_WEIGHTS_H

#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

#include <stdint.h>

enum {
    COMPACT_WEIGHTS_THREADS_MAX = 1024,
    COMPACT_WEIGHTS_NO_THREAD = 0, // no thread has this identity
};

// What a thread has allocated since its last sample.
typedef struct compact_pending {
    uint64_t thread; // identity
    uint64_t bytes;  // INT64_MAX at most
    uint64_t turn;   // when it was added to: counts additions
} compact_pending;

// {0} is one with nothing in it.
typedef struct compact_weights {
    LP_VEC(compact_pending) items; // once it is settled, by turn
    lp_map by_thread;              // to indexes of items
    uint64_t turn;                 // the next
    uint64_t rest;                 // of no thread, or of forgotten ones; INT64_MAX at most
    uint64_t usual_bytes;          // of what was added lately, on average; INT64_MAX at most
} compact_weights;

void compact_weights_fini(compact_weights *weights);

// compact_weights_size returns how large an allocation is that is not added yet, for
// compact_sampler_keep_sized.
uint64_t compact_weights_size(const compact_weights *weights, uint64_t bytes);

// compact_weights_add adds bytes, INT64_MAX at most, to those of a thread. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_add(compact_weights *weights, uint64_t thread, uint64_t bytes);

// compact_weights_take returns what a sample of this thread stands for, which is pending no more.
uint64_t compact_weights_take(compact_weights *weights, uint64_t thread);

// compact_weights_settle puts items in their order, for somebody to note them. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_settle(compact_weights *weights);

// compact_weights_restore adds a thread behind all others, as it was noted.
// Errors: LP_ECORRUPT for one that is there already, or that cannot be; LP_ENOMEM
LP_MUST_USE lp_err compact_weights_restore(
    compact_weights *weights, uint64_t thread, uint64_t bytes);

// compact_weights_copy copies what is settled to out, which is empty. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_copy(const compact_weights *weights, compact_weights *out);

#endif // LP_ENGINE_SAMPLE_WEIGHTS_H
