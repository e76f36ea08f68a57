// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_hash.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>

// XXH3 is inlined here, so that the agent links no library for it and exports none of its symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t
lp_hash_seed(void)
{
    static _Atomic uint64_t kept; // 0: none yet. Orders nothing: all see the one that was first
    uint64_t seed = atomic_load_explicit(&kept, memory_order_relaxed);
    if (seed == 0) {
        uint64_t made = 0;
        // It fails only in the first moments of a machine; where the stack is must do then.
        if (getrandom(&made, sizeof(made), GRND_NONBLOCK) != sizeof(made)) {
            made = (uint64_t)(uintptr_t)&made * 0x9e3779b97f4a7c15u;
        }
        made |= 1; // not 0, and odd, as lp_hash_number needs it
        seed = atomic_compare_exchange_strong_explicit(
                   &kept, &seed, made, memory_order_relaxed, memory_order_relaxed)
                   ? made
                   : seed;
    }
    return seed;
}

uint64_t
lp_hash_bytes(uint64_t seed, lp_slice bytes)
{
    return XXH3_64bits_withSeed(bytes.ptr, bytes.len, seed);
}

uint64_t
lp_hash_text(uint64_t seed, const char *text)
{
    return XXH3_64bits_withSeed(text, strlen(text), seed);
}

lp_hash_wide
lp_hash_bytes_wide(uint64_t seed, lp_slice bytes)
{
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.ptr, bytes.len, seed);
    return (lp_hash_wide){.high = hash.high64, .low = hash.low64};
}

// --- In pieces

static XXH3_state_t *
state_of(lp_hash_run *run)
{
    return (XXH3_state_t *)run;
}

lp_hash_run *
lp_hash_run_create(void)
{
    lp_hash_run *run = (lp_hash_run *)XXH3_createState();
    if (run != NULL) {
        lp_hash_run_clear(run);
    }
    return run;
}

void
lp_hash_run_destroy(lp_hash_run *run)
{
    (void)XXH3_freeState(state_of(run)); // never fails
}

void
lp_hash_run_clear(lp_hash_run *run)
{
    (void)XXH3_64bits_reset_withSeed(state_of(run), LP_HASH_FIXED); // fails only without a state
}

void
lp_hash_run_add(lp_hash_run *run, lp_slice bytes)
{
    (void)XXH3_64bits_update(state_of(run), bytes.ptr, bytes.len); // likewise
}

uint64_t
lp_hash_run_get(const lp_hash_run *run)
{
    return XXH3_64bits_digest((const XXH3_state_t *)run);
}
