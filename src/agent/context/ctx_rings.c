// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_rings.h"

#include "common/base/lp_log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct ctx_rings {
    ctx_rings_layout layout;
    size_t stripe_count;
    uint64_t contexts_taken; // drained CTX_RECORD_SET
    bool *broken;            // by stripe: a record contradicted itself, the stripe is left alone
};

static size_t
cells_bytes(size_t stripe_count)
{
    return stripe_count * ((size_t)CTX_RINGS_BUCKET_CELLS << CTX_RINGS_BUCKET_BITS) *
           sizeof(uint64_t);
}

// reserve_memory maps bytes of zeros that cost nothing until they are touched; NULL if it cannot.
static void *
reserve_memory(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// map_twice maps each ring of fd two times back to back over the reserved address range at rings.
static lp_err
map_twice(uint8_t *rings, int fd, size_t stripe_count)
{
    for (size_t i = 0; i < 2 * stripe_count; i++) {
        off_t offset = (off_t)(i / 2 * CTX_RINGS_RING_BYTES);
        void *at = rings + i * CTX_RINGS_RING_BYTES;
        if (mmap(at, CTX_RINGS_RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                offset) == MAP_FAILED) {
            return LP_EIO;
        }
    }
    // A child that the JVM forks must not see, let alone write, the memory of its parent.
    return madvise(rings, 2 * stripe_count * CTX_RINGS_RING_BYTES, MADV_DONTFORK) == 0 ? LP_OK
                                                                                       : LP_EIO;
}

// map_rings gives every stripe a ring in which a record that wraps is still contiguous.
static lp_err
map_rings(size_t stripe_count, uint8_t **out_rings)
{
    size_t bytes = stripe_count * CTX_RINGS_RING_BYTES;
    uint8_t *rings = reserve_memory(2 * bytes);
    if (rings == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = LP_EIO;
    int fd = memfd_create("loupe-rings", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0) {
        err = map_twice(rings, fd, stripe_count);
    }
    if (fd >= 0) {
        (void)close(fd); // the mappings keep the memory
    }
    if (err != LP_OK) {
        (void)munmap(rings, 2 * bytes);
        return err;
    }
    *out_rings = rings;
    return LP_OK;
}

static uint32_t
stripe_bits_for(long processor_count)
{
    size_t wanted = processor_count > 0 ? (size_t)processor_count * CTX_RINGS_STRIPES_PER_PROCESSOR
                                        : CTX_RINGS_STRIPES_MIN;
    if (wanted > CTX_RINGS_STRIPES_MAX) {
        wanted = CTX_RINGS_STRIPES_MAX;
    }
    uint32_t bits = 0;
    while (((size_t)1 << bits) < wanted || ((size_t)1 << bits) < CTX_RINGS_STRIPES_MIN) {
        bits++;
    }
    return bits;
}

lp_err
ctx_rings_create(ctx_rings **out_rings)
{
    ctx_rings *rings = calloc(1, sizeof(*rings));
    if (rings == NULL) {
        return LP_ENOMEM;
    }
    ctx_rings_layout *layout = &rings->layout;
    lp_err err = LP_ENOMEM;
    layout->stripe_bits = stripe_bits_for(sysconf(_SC_NPROCESSORS_ONLN));
    rings->stripe_count = (size_t)1 << layout->stripe_bits;
    rings->broken = calloc(rings->stripe_count, sizeof(*rings->broken));
    layout->controls = reserve_memory(rings->stripe_count * sizeof(*layout->controls));
    layout->cells = reserve_memory(cells_bytes(rings->stripe_count));
    if (rings->broken == NULL || layout->controls == NULL || layout->cells == NULL) {
        goto fail;
    }
    err = map_rings(rings->stripe_count, &layout->rings);
    if (err != LP_OK) {
        goto fail;
    }
    *out_rings = rings;
    return LP_OK;

fail:
    ctx_rings_destroy(rings);
    return err;
}

void
ctx_rings_destroy(ctx_rings *rings)
{
    if (rings == NULL) {
        return;
    }
    ctx_rings_layout *layout = &rings->layout;
    if (layout->controls != NULL) {
        (void)munmap(layout->controls, rings->stripe_count * sizeof(*layout->controls));
    }
    if (layout->cells != NULL) {
        (void)munmap(layout->cells, cells_bytes(rings->stripe_count));
    }
    if (layout->rings != NULL) {
        (void)munmap(layout->rings, 2 * rings->stripe_count * CTX_RINGS_RING_BYTES);
    }
    free(rings->broken);
    free(rings);
}

const ctx_rings_layout *
ctx_rings_get_layout(const ctx_rings *rings)
{
    return &rings->layout;
}

// A run of complete records at the tail of a ring.
typedef struct ring_run {
    uint8_t *bytes;
    uint32_t units;
    uint64_t set_count;
    bool has_pads;
    bool is_broken; // what follows the run is not a record
} ring_run;

static bool
is_record(const ctx_record_header *header, uint32_t units_max)
{
    return header->size_bytes >= CTX_RECORD_HEADER_BYTES &&
           header->size_bytes <= CTX_RECORD_BYTES_MAX &&
           header->size_bytes % CTX_RINGS_UNIT_BYTES == 0 &&
           header->size_bytes / CTX_RINGS_UNIT_BYTES <= units_max && header->type_id != 0 &&
           (header->kind == CTX_RECORD_SET || header->kind == CTX_RECORD_UNSET ||
               header->kind == CTX_RECORD_PAD);
}

// find_run looks at the units_max reserved units at bytes and tells how many of them are complete.
static ring_run
find_run(uint8_t *bytes, uint32_t units_max)
{
    ring_run run = {.bytes = bytes};
    while (run.units < units_max) {
        // The first word is stored last, with release: seeing it means seeing the whole record.
        uint8_t *at = bytes + (size_t)run.units * CTX_RINGS_UNIT_BYTES;
        ctx_record_header header = {0};
        uint64_t word = atomic_load_explicit((_Atomic uint64_t *)(void *)at, memory_order_acquire);
        memcpy(&header, &word, sizeof(word));
        if (header.size_bytes == 0) {
            break;
        }
        if (!is_record(&header, units_max - run.units)) {
            run.is_broken = true;
            break;
        }
        run.set_count += header.kind == CTX_RECORD_SET;
        run.has_pads |= header.kind == CTX_RECORD_PAD;
        run.units += header.size_bytes / CTX_RINGS_UNIT_BYTES;
    }
    return run;
}

// squeeze_pads makes the records in the len bytes at bytes what leaves the agent: a pad stands for
// a CTX_RECORD_SET that was abandoned, of which the end of the context before it remains. Returns
// the new length.
static size_t
squeeze_pads(uint8_t *bytes, size_t len)
{
    size_t kept = 0;
    for (size_t at = 0; at < len;) {
        ctx_record_header header;
        memcpy(&header, bytes + at, sizeof(header));
        size_t size = header.size_bytes;
        size_t kept_size = size;
        if (header.kind == CTX_RECORD_PAD) {
            header.kind = CTX_RECORD_UNSET;
            header.size_bytes = CTX_RECORD_HEADER_BYTES;
            memcpy(bytes + at, &header, sizeof(header));
            kept_size = sizeof(header);
        }
        memmove(bytes + kept, bytes + at, kept_size);
        kept += kept_size;
        at += size;
    }
    return kept;
}

static lp_err
drain_stripe(ctx_rings *rings, size_t stripe, lp_buf *out)
{
    ctx_rings_control *control = &rings->layout.controls[stripe];
    uint32_t tail =
        atomic_load_explicit(&control->tail, memory_order_relaxed); // written below only
    uint32_t head = (uint32_t)atomic_load_explicit(&control->head, memory_order_acquire);
    size_t offset = tail % CTX_RINGS_RING_UNITS * (size_t)CTX_RINGS_UNIT_BYTES;
    ring_run run =
        find_run(rings->layout.rings + stripe * 2 * CTX_RINGS_RING_BYTES + offset, head - tail);
    if (run.units > 0) {
        size_t len = (size_t)run.units * CTX_RINGS_UNIT_BYTES;
        size_t len_before = out->len;
        uint8_t *copy = lp_buf_extend(out, len);
        if (copy == NULL) {
            return LP_ENOMEM;
        }
        memcpy(copy, run.bytes, len);
        if (run.has_pads) {
            out->len = len_before + squeeze_pads(copy, len);
        }
        rings->contexts_taken += run.set_count;
        // Any of these words may be the first of a later record, and is 0 until that is complete.
        memset(run.bytes, 0, len);
        // Pairs with the acquire load of the tail in the writers: who sees room sees zeros in it.
        atomic_store_explicit(&control->tail, tail + run.units, memory_order_release);
    }
    if (run.is_broken) {
        rings->broken[stripe] = true;
        lp_log(LP_LOG_ERROR, "a context ring was overwritten; contexts of some threads are lost");
    }
    return LP_OK;
}

lp_err
ctx_rings_drain(ctx_rings *rings, lp_buf *out)
{
    for (size_t stripe = 0; stripe < rings->stripe_count; stripe++) {
        if (rings->broken[stripe]) {
            continue;
        }
        lp_err err = drain_stripe(rings, stripe, out);
        if (err != LP_OK) {
            return err;
        }
    }
    return LP_OK;
}

ctx_rings_counts
ctx_rings_get_counts(const ctx_rings *rings)
{
    ctx_rings_counts counts = {.contexts_taken = rings->contexts_taken};
    for (size_t stripe = 0; stripe < rings->stripe_count; stripe++) {
        ctx_rings_control *control = &rings->layout.controls[stripe];
        counts.contexts_dropped +=
            atomic_load_explicit(&control->contexts_dropped, memory_order_relaxed);
        counts.values_cut += atomic_load_explicit(&control->values_cut, memory_order_relaxed);
    }
    return counts;
}
