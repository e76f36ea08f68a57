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

void
disk_reserve_look(disk_reserve *self)
{
    LP_ASSERT(self->path != NULL);
    struct statvfs info;
    self->written_bytes = 0;
    if (self->bytes == 0 || statvfs(self->path, &info) != 0) {
        return; // writes to the directory report the error
    }
    uint64_t all_bytes = (uint64_t)info.f_blocks * info.f_frsize;
    uint64_t free_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    bool was_short = atomic_load_explicit(&self->is_short, memory_order_relaxed);
    bool was_of_files = atomic_load_explicit(&self->is_of_files, memory_order_relaxed);
    bool lacks_bytes = disk_reserve_decide(self->bytes, all_bytes, free_bytes, was_short);
    bool lacks_files =
        disk_reserve_decide(DISK_RESERVE_FILES, info.f_files, info.f_favail, was_short);
    bool is_of_files = lacks_files || (was_short && !lacks_bytes && was_of_files);
    note(self, lacks_bytes || lacks_files, is_of_files, is_of_files ? info.f_favail : free_bytes);
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
