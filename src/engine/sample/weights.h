// SPDX-License-Identifier: Apache-2.0
// weights: the bytes that samples of allocations stand for, over the chunks of a session. The event
// of an allocation adds its bytes to the pending bytes of its thread, and a sample that is kept
// takes all pending bytes of its thread.
//
//   sum of bytes taken + bytes pending = sum of bytes added, below INT64_MAX
//
// Where there would be more than COMPACT_WEIGHTS_THREADS_MAX threads, the half that has not
// allocated for longest is forgotten: the next sample that is kept takes their bytes, whatever its
// thread. It also takes the bytes of events without a thread.
//
// Events differ in size, and each kept one stands for dropped ones as well: so a throttle has to
// prefer large events (compact_weights_size), or classes of large objects would get too few bytes.
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
    uint64_t turn;   // of the last addition to it: additions are counted
} compact_pending;

// {0} has nothing pending.
typedef struct compact_weights {
    LP_VEC(compact_pending) items; // once they are settled, by turn
    lp_map by_thread;              // to indexes of items
    uint64_t turn;                 // the next
    uint64_t rest;                 // bytes without a thread, or of forgotten ones; up to INT64_MAX
    uint64_t usual_bytes;          // the average of the last additions; up to INT64_MAX
} compact_weights;

void compact_weights_fini(compact_weights *weights);

// compact_weights_size returns the size of an allocation of so many bytes, which is not added yet,
// for compact_sampler_keep_sized.
uint64_t compact_weights_size(const compact_weights *weights, uint64_t bytes);

// compact_weights_add adds bytes, INT64_MAX at most, to those of a thread. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_add(compact_weights *weights, uint64_t thread, uint64_t bytes);

// compact_weights_take takes the bytes that a sample of this thread stands for, and returns them.
uint64_t compact_weights_take(compact_weights *weights, uint64_t thread);

// compact_weights_settle sorts items by turn, for saving or copying. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_settle(compact_weights *weights);

// compact_weights_restore adds a thread that was saved, behind all others.
// Errors: LP_ECORRUPT for a thread that is there already or cannot be; LP_ENOMEM
LP_MUST_USE lp_err compact_weights_restore(
    compact_weights *weights, uint64_t thread, uint64_t bytes);

// compact_weights_copy copies weights, which are settled, to out, which is empty. Errors: LP_ENOMEM
LP_MUST_USE lp_err compact_weights_copy(const compact_weights *weights, compact_weights *out);

#endif // LP_ENGINE_SAMPLE_WEIGHTS_H
