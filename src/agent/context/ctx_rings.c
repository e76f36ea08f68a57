// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_rings.h"

#include "common/base/lp_log.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The undrained records of one ring, from the first loose one on.
typedef struct run {
    size_t ring;
    const uint8_t *at;
    const uint8_t *end;
    ctx_record_header header; // of the record at `at`, if that is before `end`
} run;

// How full the rings should become between two drains. Small amounts stay in the processor's cache.
enum {
    // In one ring. Virtual threads may fill three quarters.
    FULLEST_BYTES = CTX_RINGS_RING_BYTES / 8 * 5,
    ALL_BYTES = 256 << 10,        // in all of them
    LEFT_COUNT = CTX_RINGS_SPARE, // rings with records that nobody owns or can take
    FREE_COUNT = 8, // rings that nobody owns, at least, for threads that leave full ones
};

struct ctx_rings {
    ctx_rings_layout layout;
    uint8_t *memory;                 // of all rings
    uint64_t contexts_taken;         // drained CTX_RECORD_SET
    uint64_t ends_lost;              // times that all contexts were ended
    unsigned load_percent;           // see ctx_rings_get_load
    bool may_nap;                    // see ctx_rings_may_nap
    bool is_broken[CTX_RINGS_COUNT]; // it had an invalid record and is no longer drained
    bool is_unknown_logged;
    pthread_mutex_t open_mutex;
    ctx_open open; // guarded by open_mutex
};

// Maps zeros, which cost nothing until they are touched; NULL on failure.
static void *
reserve_memory(size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void
release_memory(void *memory, size_t bytes)
{
    if (memory != NULL) {
        (void)munmap(memory, bytes);
    }
}

static size_t
cells_bytes(void)
{
    return ((size_t)CTX_RINGS_BUCKET_CELLS << CTX_RINGS_BUCKET_BITS) * sizeof(uint64_t);
}

// Maps each ring of fd twice, back to back, over the reserved address range at memory.
static lp_err
map_twice(uint8_t *memory, int fd)
{
    for (size_t i = 0; i < (size_t)2 * CTX_RINGS_COUNT; i++) {
        off_t offset = (off_t)(i / 2 * CTX_RINGS_RING_BYTES);
        void *at = memory + i * CTX_RINGS_RING_BYTES;
        if (mmap(at, CTX_RINGS_RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
                offset) == MAP_FAILED) {
            return LP_EIO;
        }
    }
    // A child that the JVM forks must not see, let alone write, the memory of its parent.
    size_t bytes = (size_t)2 * CTX_RINGS_COUNT * CTX_RINGS_RING_BYTES;
    return madvise(memory, bytes, MADV_DONTFORK) == 0 ? LP_OK : LP_EIO;
}

// Maps the rings so that a record that wraps is contiguous.
static lp_err
map_rings(ctx_rings *rings)
{
    size_t bytes = (size_t)CTX_RINGS_COUNT * CTX_RINGS_RING_BYTES;
    rings->memory = reserve_memory(2 * bytes);
    LP_REQUIRE(rings->memory != NULL, LP_ENOMEM);
    lp_err err = LP_EIO;
    int fd = memfd_create("loupe-rings", MFD_CLOEXEC);
    if (fd >= 0 && ftruncate(fd, (off_t)bytes) == 0) {
        err = map_twice(rings->memory, fd);
    }
    if (fd >= 0) {
        (void)close(fd); // the mappings keep the memory
    }
    for (size_t i = 0; i < CTX_RINGS_COUNT && err == LP_OK; i++) {
        rings->layout.controls[i].ring = rings->memory + i * 2 * CTX_RINGS_RING_BYTES;
    }
    return err;
}

lp_err
ctx_rings_create(ctx_rings **out_rings)
{
    ctx_rings *rings = calloc(1, sizeof(*rings));
    LP_REQUIRE(rings != NULL, LP_ENOMEM);
    (void)pthread_mutex_init(&rings->open_mutex, NULL);
    ctx_rings_layout *layout = &rings->layout;
    layout->controls = reserve_memory(CTX_RINGS_COUNT * sizeof(*layout->controls));
    layout->cells = reserve_memory(cells_bytes());
    layout->common = reserve_memory(sizeof(*layout->common));
    bool is_there = layout->controls != NULL && layout->cells != NULL && layout->common != NULL;
    lp_err err = is_there ? ctx_open_init(&rings->open) : LP_ENOMEM;
    LP_THEN(err, map_rings(rings));
    if (err != LP_OK) {
        ctx_rings_destroy(rings);
        return err;
    }
    *out_rings = rings;
    return LP_OK;
}

void
ctx_rings_destroy(ctx_rings *rings)
{
    if (rings == NULL) {
        return;
    }
    ctx_rings_layout *layout = &rings->layout;
    release_memory(layout->controls, CTX_RINGS_COUNT * sizeof(*layout->controls));
    release_memory(layout->cells, cells_bytes());
    release_memory(layout->common, sizeof(*layout->common));
    release_memory(rings->memory, (size_t)2 * CTX_RINGS_COUNT * CTX_RINGS_RING_BYTES);
    ctx_open_fini(&rings->open);
    (void)pthread_mutex_destroy(&rings->open_mutex);
    free(rings);
}

const ctx_rings_layout *
ctx_rings_get_layout(const ctx_rings *rings)
{
    return &rings->layout;
}

// --- Taking records out

static uint32_t
head_of(ctx_rings_control *control)
{
    // Pairs with the release store of the writer: the records before the head are visible.
    return atomic_load_explicit(&control->head, memory_order_acquire);
}

static uint32_t
tail_of(ctx_rings_control *control)
{
    return atomic_load_explicit(&control->tail, memory_order_relaxed); // only the drain writes it
}

// Returns a time. Every loose record up to that time is in its ring by now, or is the one that its
// thread is writing. A reader that loads the heads after this call sees every record that a thread
// wrote before a record of that time or an earlier one.
static int64_t
find_latest(const ctx_rings *rings)
{
    int64_t latest = INT64_MIN;
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        ctx_rings_control *control = &rings->layout.controls[i];
        if (head_of(control) != tail_of(control)) {
            int64_t ticks = atomic_load_explicit(&control->loose_ticks, memory_order_relaxed);
            latest = ticks > latest ? ticks : latest;
        }
    }
    // Orders the loads of these times before those of the heads.
    atomic_thread_fence(memory_order_acquire);
    return latest;
}

static void
mark_broken(ctx_rings *rings, size_t index)
{
    if (!rings->is_broken[index]) {
        rings->is_broken[index] = true;
        lp_log(LP_LOG_ERROR, "a context ring was overwritten; contexts of some threads are lost");
    }
}

// Returns the position up to which to drain the ring: its tail if its head is invalid.
static uint32_t
read_head(ctx_rings *rings, size_t index)
{
    ctx_rings_control *control = &rings->layout.controls[index];
    uint32_t head = head_of(control);
    if (head - tail_of(control) > CTX_RINGS_RING_BYTES) {
        mark_broken(rings, index);
    }
    return rings->is_broken[index] ? tail_of(control) : head;
}

// Reads the header of the record at `at`. If it is invalid, marks the ring as broken and returns
// false.
static bool
read_header(
    ctx_rings *rings, size_t index, const uint8_t *at, size_t left, ctx_record_header *out_header)
{
    *out_header = ctx_record_read(at); // in bounds: the ring is mapped twice
    if (!ctx_record_is_valid(out_header, left)) {
        mark_broken(rings, index);
    }
    return !rings->is_broken[index];
}

// Packs the record at r->at, for which there is room, and advances.
static void
pack(ctx_rings *rings, run *r, ctx_packer *out)
{
    rings->contexts_taken += r->header.kind == CTX_RECORD_SET;
    ctx_packer_put(out, &r->header, r->at);
    r->at += r->header.size_bytes;
}

// Returns the room of the records before `at` to the writers of the ring.
static void
free_up_to(ctx_rings_control *control, const uint8_t *at)
{
    uint32_t tail = tail_of(control);
    uint32_t taken = (uint32_t)(at - (control->ring + tail % CTX_RINGS_RING_BYTES));
    // Pairs with the acquire load of the writers, which overwrite the records after it.
    atomic_store_explicit(&control->tail, tail + taken, memory_order_release);
}

// Packs the records of a ring up to the first loose one. The records behind that stay, also plain
// ones, because their thread may have written the loose ones.
static run
take_plain(ctx_rings *rings, size_t index, uint32_t head, ctx_packer *out)
{
    ctx_rings_control *control = &rings->layout.controls[index];
    uint32_t tail = tail_of(control);
    run r = {.ring = index, .at = control->ring + tail % CTX_RINGS_RING_BYTES};
    r.end = r.at + (head - tail);
    r.at = ctx_packer_put_plain(out, r.at, r.end, &rings->contexts_taken);
    if (r.at < r.end && !read_header(rings, index, r.at, (size_t)(r.end - r.at), &r.header)) {
        r.end = r.at;
    }
    free_up_to(control, r.at);
    return r;
}

// --- Putting loose records in order

// Ends the run if its next record has to wait for the next drain.
static void
stop_at_late(run *r, int64_t latest)
{
    if ((r->header.flags & CTX_RECORD_LOOSE) != 0 && r->header.time_ticks > latest) {
        r->end = r->at;
    }
}

// Packs the run's records up to limit, inclusive.
static void
move_on(ctx_rings *rings, run *r, int64_t limit, int64_t latest, ctx_packer *out)
{
    while (r->at < r->end && r->header.time_ticks <= limit) {
        if ((r->header.flags & CTX_RECORD_LOOSE) != 0) {
            ctx_open_note(&rings->open, &r->header);
        }
        pack(rings, r, out);
        if (r->at < r->end &&
            !read_header(rings, r->ring, r->at, (size_t)(r->end - r->at), &r->header)) {
            r->end = r->at;
        }
        stop_at_late(r, latest);
    }
}

// Packs the records of all runs, which are not empty, in the order of their times.
static void
merge_runs(ctx_rings *rings, run *runs, size_t count, int64_t latest, ctx_packer *out)
{
    while (count > 0) {
        size_t first = 0;
        int64_t others = INT64_MAX; // the earliest time in the other runs
        for (size_t i = 1; i < count; i++) {
            int64_t ticks = runs[i].header.time_ticks;
            if (ticks < runs[first].header.time_ticks) {
                others = runs[first].header.time_ticks;
                first = i;
            } else if (ticks < others) {
                others = ticks;
            }
        }
        move_on(rings, &runs[first], others, latest, out);
        if (runs[first].at == runs[first].end) {
            free_up_to(&rings->layout.controls[runs[first].ring], runs[first].at);
            runs[first] = runs[--count];
        }
    }
}

// --- All rings

static unsigned
max_of(unsigned left, unsigned right)
{
    return left > right ? left : right;
}

// Finds out how full the rings are up to these heads.
static void
measure_load(ctx_rings *rings, const uint32_t *heads)
{
    unsigned fullest = 0;
    unsigned all = 0; // at most 14 MiB
    unsigned left = 0;
    unsigned unowned = 0;
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        ctx_rings_control *control = &rings->layout.controls[i];
        unsigned used = heads[i] - tail_of(control);
        fullest = max_of(fullest, used);
        all += used;
        bool is_unowned = atomic_load_explicit(&control->owner, memory_order_relaxed) == 0;
        left += used > 0 && is_unowned;
        unowned += i < CTX_RINGS_OWN && is_unowned;
    }
    rings->may_nap = unowned >= FREE_COUNT;
    rings->load_percent = max_of(100 * left / LEFT_COUNT,
        max_of(100 * fullest / FULLEST_BYTES, 100 * (all >> 10) / (ALL_BYTES >> 10)));
}

// Reserves room for all records up to these heads.
static lp_err
make_room(ctx_rings *rings, const uint32_t *heads, ctx_packer *out)
{
    size_t bytes = sizeof(ctx_record_header); // for CTX_THREAD_ALL
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        bytes += heads[i] - tail_of(&rings->layout.controls[i]);
    }
    return ctx_packer_reserve(out, bytes);
}

// Packs the records before these heads.
static void
drain_to(ctx_rings *rings, const uint32_t *heads, int64_t latest, ctx_packer *out)
{
    run runs[CTX_RINGS_COUNT];
    size_t run_count = 0;
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        if (heads[i] == tail_of(&rings->layout.controls[i])) {
            continue;
        }
        run r = take_plain(rings, i, heads[i], out);
        stop_at_late(&r, latest);
        if (r.at < r.end) {
            runs[run_count++] = r;
        }
    }
    if (run_count > 0) {
        (void)pthread_mutex_lock(&rings->open_mutex);
        merge_runs(rings, runs, run_count, latest, out);
        (void)pthread_mutex_unlock(&rings->open_mutex);
    }
}

// Ends all contexts because the ends of some could not be written. Logs the first time.
static void
end_all(ctx_rings *rings, int64_t lost_from, ctx_packer *out)
{
    const ctx_record_header all = {
        .size_bytes = sizeof(all),
        .kind = CTX_RECORD_THREAD_END,
        .thread_id = CTX_THREAD_ALL,
        .time_ticks = lost_from,
    };
    ctx_packer_put(out, &all, (const uint8_t *)&all);
    if (rings->ends_lost++ == 0) {
        lp_log(LP_LOG_WARN,
            "the rings had no room for the ends of some contexts: all open contexts are ended; "
            "further losses are only counted");
    }
}

lp_err
ctx_rings_drain(ctx_rings *rings, ctx_packer *out)
{
    ctx_rings_common *common = rings->layout.common;
    uint32_t heads[CTX_RINGS_COUNT];
    // Read before the heads: an end that is lost later belongs to the next drain, as its context
    // may.
    int64_t lost_from = atomic_exchange(&common->lost_from, 0);
    int64_t latest = find_latest(rings);
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        heads[i] = read_head(rings, i);
    }
    measure_load(rings, heads);
    lp_err err = make_room(rings, heads, out);
    if (err != LP_OK) {
        (void)atomic_compare_exchange_strong(&common->lost_from, &(int64_t){0}, lost_from);
        return err;
    }
    drain_to(rings, heads, latest, out);
    atomic_fetch_add(&common->drains, 1);
    if (lost_from != 0) {
        end_all(rings, lost_from, out);
    }
    if (rings->open.unknown > 0 && !rings->is_unknown_logged) {
        rings->is_unknown_logged = true;
        lp_log(LP_LOG_WARN,
            "over %d virtual threads have contexts open; the end of a further thread does not end "
            "its contexts",
            CTX_OPEN_THREADS_MAX);
    }
    return LP_OK;
}

unsigned
ctx_rings_get_load(const ctx_rings *rings)
{
    return rings->load_percent;
}

bool
ctx_rings_may_nap(const ctx_rings *rings)
{
    return rings->may_nap;
}

void
ctx_rings_note_pause(ctx_rings *rings, bool is_nap)
{
    // It orders nothing: a thread may see the last pause.
    atomic_store_explicit(&rings->layout.common->is_napping, is_nap, memory_order_relaxed);
}

lp_err
ctx_rings_list_open(ctx_rings *rings, lp_buf *out)
{
    (void)pthread_mutex_lock(&rings->open_mutex);
    lp_err err = ctx_open_list(&rings->open, out);
    (void)pthread_mutex_unlock(&rings->open_mutex);
    return err;
}

ctx_rings_counts
ctx_rings_get_counts(const ctx_rings *rings)
{
    ctx_rings_counts counts = {
        .contexts_taken = rings->contexts_taken,
        .ends_lost = rings->ends_lost,
        .contexts_dropped =
            atomic_load_explicit(&rings->layout.common->contexts_dropped, memory_order_relaxed),
    };
    for (size_t i = 0; i < CTX_RINGS_COUNT; i++) {
        ctx_rings_control *control = &rings->layout.controls[i];
        counts.contexts_dropped +=
            atomic_load_explicit(&control->contexts_dropped, memory_order_relaxed);
        counts.values_cut += atomic_load_explicit(&control->values_cut, memory_order_relaxed);
    }
    return counts;
}
