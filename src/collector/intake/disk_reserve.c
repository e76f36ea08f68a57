// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/disk_reserve.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

enum {
    SHARE = 8, // the reserve is at most 1/SHARE of the disk, and ends 1/SHARE above itself
    FREE_BYTES = 60,
};

bool
disk_reserve_decide(uint64_t reserve, uint64_t all, uint64_t free, bool was_short)
{
    uint64_t least = reserve < all / SHARE ? reserve : all / SHARE;
    return free < (was_short ? least + least / SHARE : least);
}

static void
format(const disk_reserve *self, char text[FREE_BYTES])
{
    uint64_t free = atomic_load_explicit(&self->free, memory_order_relaxed);
    bool is_of_files = atomic_load_explicit(&self->is_of_files, memory_order_relaxed);
    (void)snprintf(text, FREE_BYTES, "%" PRIu64 " %s of the disk", is_of_files ? free : free >> 20,
        is_of_files ? "inodes" : "MB");
}

// note stores and logs a measurement. If both bytes and inodes are short, it is of inodes.
static void
note(disk_reserve *self, bool is_short, bool is_of_files, uint64_t free)
{
    char text[FREE_BYTES];
    bool was_short = atomic_load_explicit(&self->is_short, memory_order_relaxed);
    atomic_store_explicit(&self->free, free, memory_order_relaxed);
    atomic_store_explicit(&self->is_of_files, is_of_files, memory_order_relaxed);
    atomic_store_explicit(&self->is_short, is_short, memory_order_relaxed);
    format(self, text);
    if (is_short && !was_short) {
        metrics_add(METRICS_disk_short, 1);
        lp_log(LP_LOG_ERROR,
            "%s: only %s are free: batches of agents are put off until there are more", self->path,
            text);
    } else if (was_short && !is_short) {
        metrics_sub(METRICS_disk_short, 1);
        lp_log(LP_LOG_INFO, "%s: %s are free: batches are taken again", self->path, text);
    }
}

typedef struct free_space {
    uint64_t bytes;
    uint64_t files;
    bool lacks_bytes;
    bool lacks_files;
} free_space;

// measure returns false if the file system does not answer: writes to it report the error.
static bool
measure(const disk_reserve *self, bool was_short, free_space *out)
{
    struct statvfs info;
    LP_REQUIRE(statvfs(self->path, &info) == 0, false);
    *out = (free_space){(uint64_t)info.f_bavail * info.f_frsize, info.f_favail};
    out->lacks_bytes = disk_reserve_decide(
        self->bytes, (uint64_t)info.f_blocks * info.f_frsize, out->bytes, was_short);
    out->lacks_files = disk_reserve_decide(DISK_RESERVE_FILES, info.f_files, out->files, was_short);
    return true;
}

void
disk_reserve_look(disk_reserve *self)
{
    LP_ASSERT(self->path != NULL);
    free_space found;
    bool is_short;
    bool was_short = atomic_load_explicit(&self->is_short, memory_order_relaxed);
    bool was_of_files = atomic_load_explicit(&self->is_of_files, memory_order_relaxed);
    self->written_bytes = 0;
    do {
        if (self->bytes == 0 || !measure(self, was_short, &found)) {
            return;
        }
        is_short = found.lacks_bytes || found.lacks_files;
    } while (is_short && self->relieve != NULL && self->relieve(self->arg));
    bool is_of_files = found.lacks_files || (was_short && !found.lacks_bytes && was_of_files);
    note(self, is_short, is_of_files, is_of_files ? found.files : found.bytes);
}

bool
disk_reserve_admit(disk_reserve *self, uint64_t bytes)
{
    self->written_bytes += bytes;
    if (self->written_bytes > DISK_RESERVE_LOOK_BYTES) {
        disk_reserve_look(self);
    }
    bool is_short = atomic_load_explicit(&self->is_short, memory_order_relaxed);
    metrics_add(METRICS_batches_without_disk, is_short);
    return !is_short;
}

bool
disk_reserve_explain(const disk_reserve *self, lp_problem *out_problem)
{
    LP_REQUIRE(atomic_load_explicit(&self->is_short, memory_order_relaxed), false);
    char text[FREE_BYTES];
    format(self, text);
    (void)lp_problem_set(out_problem, LP_EIO, "only %s are free, which --reserve keeps free", text);
    return true;
}
