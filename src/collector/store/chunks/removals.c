// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/removals.h"

#include "collector/store/catalog/catalog_expiry.h"
#include "common/base/lp_find.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CHUNKS_AT_ONCE = 256 };

typedef struct listing {
    removal_list *items;
    lp_err err;
} listing;

static void
note_removal(void *arg, const char *session_id, int64_t ordinal)
{
    listing *list = arg;
    removal item = {.ordinal = ordinal};
    (void)snprintf(item.session_id, sizeof(item.session_id), "%s", session_id);
    LP_THEN(list->err, LP_VEC_ADD(list->items, item));
}

lp_err
removals_list(catalog *from, removal_list *out_list)
{
    listing list = {.items = out_list};
    out_list->count = 0;
    LP_TRY(catalog_list_removals(from, note_removal, &list));
    return list.err;
}

bool
removals_has(const removal_list *list, const char *session_id, int64_t ordinal)
{
    return LP_ANY(list->items, list->count,
        at->ordinal == ordinal && strcmp(at->session_id, session_id) == 0);
}

typedef struct chunk_batch {
    catalog_old_chunk items[CHUNKS_AT_ONCE];
    size_t count;
} chunk_batch;

static void
note_chunk(void *arg, const char *service, const catalog_old_chunk *chunk)
{
    (void)service;
    chunk_batch *batch = arg;
    batch->items[batch->count++] = *chunk;
}

static lp_err
expire_all(catalog *from, const char *session_id)
{
    chunk_batch batch;
    lp_err err;
    do {
        batch.count = 0;
        err = catalog_list_removed(from, session_id, CHUNKS_AT_ONCE, note_chunk, &batch);
        LP_THEN(err, batch.count > 0 ? catalog_expire(from, batch.items, batch.count) : LP_OK);
    } while (err == LP_OK && batch.count > 0);
    return err;
}

lp_err
removals_remove(blobs *files, removals_rest rest, const char *session_id, int64_t ordinal)
{
    if (ordinal != CATALOG_REMOVAL_ALL) {
        return blobs_remove(files, session_id, (uint32_t)ordinal);
    }
    LP_TRY(blobs_remove_session(files, session_id));
    return rest.remove(rest.arg, session_id);
}

// remove_all removes the files of a list, which keeps the removed ones. *out_failed counts
// failures, *out_error is the last one's errno.
static lp_err
remove_all(catalog *from, blobs *files, removals_rest rest, removal_list *list, size_t *out_failed,
    int *out_error)
{
    size_t gone = 0;
    lp_err err = LP_OK;
    *out_failed = 0;
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        const removal item = list->items[i];
        if (item.ordinal == CATALOG_REMOVAL_ALL) {
            err = expire_all(from, item.session_id);
        }
        if (err == LP_OK && removals_remove(files, rest, item.session_id, item.ordinal) != LP_OK) {
            ++*out_failed;
            *out_error = errno;
        } else if (err == LP_OK) {
            list->items[gone++] = item;
        }
    }
    list->count = gone;
    return err;
}

// finish_all removes the files of a list. It deletes the note of a removal once the deletion is on
// the disk. Results as of remove_all.
static lp_err
finish_all(catalog *from, blobs *files, removals_rest rest, removal_list *list, size_t *out_failed,
    int *out_error)
{
    lp_err err = remove_all(from, files, rest, list, out_failed, out_error);
    const char *synced = NULL; // the session that was synced last; its items are adjacent
    for (size_t i = 0; i < list->count && err == LP_OK; i++) {
        const removal *item = &list->items[i];
        bool is_synced = synced != NULL && strcmp(synced, item->session_id) == 0;
        if (!is_synced && blobs_sync_names(files, item->session_id) != LP_OK) {
            ++*out_failed;
            *out_error = errno;
            continue;
        }
        synced = item->session_id;
        err = catalog_end_removal(from, item->session_id, item->ordinal);
    }
    return err;
}

lp_err
removals_finish(
    catalog *from, blobs *files, removals_rest rest, removal_list *out_left, int *out_error)
{
    size_t failed = 0;
    lp_err err = removals_list(from, out_left);
    while (err == LP_OK && out_left->count > failed) {
        err = finish_all(from, files, rest, out_left, &failed, out_error);
        if (err == LP_OK) { // removing a session adds removals of its chunks
            err = removals_list(from, out_left);
        }
    }
    return err;
}
