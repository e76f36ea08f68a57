// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/leaving_files.h"

#include "collector/base/metrics.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"

#include <stdio.h>
#include <string.h>

void
leaving_files_fini(leaving_files *self)
{
    for (size_t i = 0; i < self->items.count; i++) {
        metrics_sub(METRICS_stored_bytes_LEAVING, self->items.items[i].bytes);
    }
    LP_VEC_FINI(&self->items);
}

lp_err
leaving_files_reserve(leaving_files *self, size_t count)
{
    return LP_VEC_RESERVE(&self->items, count) ? LP_OK : LP_ENOMEM;
}

static void
file_check(const leaving_file *item)
{
    LP_ASSERT(item->ordinal == CATALOG_REMOVAL_ALL || !item->has_chunks);
    LP_ASSERT(!item->is_removed || (item->bytes == 0 && !item->has_chunks));
}

// await makes an item wait for the coming round and the present readers.
static void
await(const leaving_files *self, leaving_file *item)
{
    item->round = sync_rounds_get_coming(self->rounds);
    item->moment = blobs_get_moment(self->blobs);
}

void
leaving_files_add(leaving_files *self, const char *session_id, int64_t ordinal, uint64_t bytes)
{
    LP_ASSERT(self->items.count < self->items.capacity);

    leaving_file item = {
        .ordinal = ordinal,
        .bytes = bytes,
        .has_chunks = ordinal == CATALOG_REMOVAL_ALL,
    };
    (void)snprintf(item.session_id, sizeof(item.session_id), "%s", session_id);
    await(self, &item);
    self->items.items[self->items.count++] = item;
    metrics_add(METRICS_stored_bytes_LEAVING, bytes);
}

void
leaving_files_note_no_chunks(leaving_files *self, leaving_file *item)
{
    file_check(item);
    LP_ASSERT(item->ordinal == CATALOG_REMOVAL_ALL && !item->is_removed);
    item->has_chunks = false;
    await(self, item);
}

bool
leaving_files_has(const leaving_files *self, const char *session_id, int64_t ordinal)
{
    return LP_ANY(self->items.items, self->items.count,
        at->ordinal == ordinal && strcmp(at->session_id, session_id) == 0);
}

static bool
may_be_removed(const leaving_files *self, const leaving_file *item, uint64_t now_ms)
{
    file_check(item);
    return !item->is_removed && !item->has_chunks && now_ms >= item->retry_ms &&
           sync_rounds_is_committed(self->rounds, item->round) &&
           !blobs_is_read(self->blobs, item->session_id, item->moment);
}

static bool
may_be_forgotten(const leaving_files *self, const leaving_file *item)
{
    file_check(item);
    return item->is_removed && sync_rounds_is_committed(self->rounds, item->round) &&
           !sync_rounds_has_names_failed(self->rounds, item->session_id);
}

// remove_item removes the files of an item, which then waits for the disk.
static lp_err
remove_item(const leaving_files *self, leaving_file *item)
{
    lp_err err = removals_remove(self->blobs, self->rest, item->session_id, item->ordinal);
    if (err == LP_OK) {
        metrics_sub(METRICS_stored_bytes_LEAVING, item->bytes);
        item->bytes = 0;
        item->round = sync_rounds_get_coming(self->rounds);
        err = sync_rounds_put_names(self->rounds, item->session_id);
    }
    item->is_removed = err == LP_OK;
    file_check(item);
    return err;
}

// remove_all removes the files that are due. It logs the first failure only.
static void
remove_all(leaving_files *self, uint64_t now_ms)
{
    size_t failed = 0;
    const leaving_file *first = NULL;
    char reason[100] = "";
    for (size_t i = 0; i < self->items.count; i++) {
        leaving_file *item = &self->items.items[i];
        lp_err err = may_be_removed(self, item, now_ms) ? remove_item(self, item) : LP_OK;
        if (err == LP_EAGAIN) {
            continue; // the removal continues in the background
        }
        if (err != LP_OK && failed++ == 0) {
            (void)snprintf(reason, sizeof(reason), "%s", lp_err_reason(err));
            first = item;
        }
        item->retry_ms =
            err == LP_OK ? item->retry_ms : now_ms + lp_time_scale_ms(LEAVING_FILES_RETRY_MS);
    }
    metrics_add(METRICS_removal_errors, failed);
    if (first != NULL) {
        lp_log(LP_LOG_ERROR,
            "session %s: files of chunks cannot be removed: %s; trying again in %d s (this and "
            "%zu more)",
            first->session_id, reason, LEAVING_FILES_RETRY_MS / 1000, failed - 1);
    }
}

lp_err
leaving_files_go_on(leaving_files *self, uint64_t now_ms)
{
    size_t kept = 0;
    lp_err err = LP_OK;
    remove_all(self, now_ms);
    for (size_t i = 0; i < self->items.count; i++) {
        leaving_file item = self->items.items[i];
        bool is_due = err == LP_OK && may_be_forgotten(self, &item);
        if (is_due) {
            err = catalog_end_removal(self->catalog, item.session_id, item.ordinal);
        }
        if (!is_due || err != LP_OK) {
            self->items.items[kept++] = item;
        }
    }
    self->items.count = kept;
    return err;
}
