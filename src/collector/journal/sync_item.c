// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/sync_item.h"

#include "common/base/lp_io.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

// sync_journal brings a journal to the disk, in a new file if the disk refused it before, and its
// name if that is new. Returns an errno, or 0.
static int
sync_journal(sync_item *it)
{
    bool has_failed = it->error_before != 0;
    lp_err err =
        has_failed ? journal_copy(it->journal, &it->damaged_bytes) : journal_sync(it->journal);
    if (err == LP_OK && it->is_new && !has_failed) {
        err = journal_sync_name(it->journal);
    }
    return err == LP_OK ? 0 : err == LP_ENOMEM ? ENOMEM : errno;
}

// sync_names brings it to the disk that files of a session are gone: of its chunks, of its
// journals, whose directory goes before them, and those that were put aside.
static int
sync_names(const sync_item_places *to, const sync_item *it)
{
    lp_err err = blobs_sync_names(to->blobs, it->session_id);
    LP_THEN(err, lp_io_sync_dir(AT_FDCWD, to->journals_path));
    if (err == LP_OK && lp_io_sync_dir(AT_FDCWD, to->damaged_path) != LP_OK) {
        err = errno == ENOENT ? LP_OK : LP_EIO; // somebody took it away with all that was in it
    }
    return err == LP_OK ? 0 : errno;
}

int
sync_item_write(const sync_item_places *to, sync_item *it)
{
    if (it->kind == SYNC_ITEM_JOURNAL) {
        return it->journal == NULL ? 0 : sync_journal(it);
    }
    if (it->kind == SYNC_ITEM_NAMES) {
        return sync_names(to, it);
    }
    lp_err err = blobs_put_hello(to->blobs, it->session_id, lp_buf_slice(&it->hello));
    return err == LP_OK ? 0 : err == LP_EIO ? errno : EIO;
}

void
sync_item_begin(sync_item *it)
{
    it->error_before = it->error;
    if (it->journal != NULL) {
        (void)journal_begin_reading(it->journal);
        it->is_read = true;
        journal_begin_sync(it->journal);
    }
}

void
sync_item_end(sync_item *it)
{
    if (it->is_read) {
        it->is_read = false;
        journal_end_reading(it->journal);
    }
}

void
sync_item_let_go(sync_item *it)
{
    journal_release(it->journal);
    journal_unref(it->journal);
    it->journal = NULL;
    it->is_new = false;
    it->error = 0;
}

void
sync_item_fini(sync_item *it)
{
    sync_item_end(it);
    if (it->journal != NULL) {
        sync_item_let_go(it);
    }
    lp_buf_fini(&it->hello);
}

void
sync_item_report(const sync_item *it)
{
    bool is_refused = it->error != 0;
    if (is_refused == (it->error_before != 0)) {
        return;
    }
    const char *what = it->kind == SYNC_ITEM_HELLO   ? "its Hello"
                       : it->kind == SYNC_ITEM_NAMES ? "that files of it were removed"
                                                     : journal_get_path(it->journal);
    if (is_refused) {
        lp_log(LP_LOG_ERROR,
            "session %s: the disk does not take %s: %s; trying again until it does", it->session_id,
            what, strerror(it->error));
    } else {
        lp_log(LP_LOG_INFO, "session %s: the disk has taken %s", it->session_id, what);
    }
}
