// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_list.h"

#include "collector/journal/journal.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_order.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

LP_COMPARE(compare_ordinals, uint32_t, LP_ORDER(*one, *other))

// parse_ordinal reads a journal's file name, "7.log". A chunk is never UINT32_MAX, as a number must
// follow it.
static bool
parse_ordinal(const char *name, uint32_t *out_ordinal)
{
    char canonical[sizeof("4294967295.log")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32 ".log", ordinal);
    *out_ordinal = ordinal;
    return ordinal < UINT32_MAX && strcmp(name, canonical) == 0;
}

static lp_err
add_journal(void *arg, int dir_fd, const char *name)
{
    (void)dir_fd;
    journal_list *list = arg;
    uint32_t ordinal;
    return parse_ordinal(name, &ordinal) ? LP_VEC_ADD(list, ordinal) : LP_OK;
}

lp_err
journal_list_read(const char *path, journal_list *out_list)
{
    *out_list = (journal_list){0};
    lp_err err = lp_io_list(path, add_journal, out_list);
    if (err != LP_OK) {
        LP_VEC_FINI(out_list);
    }
    LP_QSORT(out_list->items, out_list->count, compare_ordinals);
    return err;
}

bool
journal_list_has(const journal_list *list, uint32_t ordinal)
{
    return list->count > 0 && bsearch(&ordinal, list->items, list->count, sizeof(list->items[0]),
                                  compare_ordinals) != NULL;
}

static lp_err
remove_listed(const char *path)
{
    journal_list found;
    lp_err err = journal_list_read(path, &found);
    for (size_t i = 0; i < found.count && err == LP_OK; i++) {
        char file[PATH_MAX + sizeof("/4294967295.log")];
        (void)snprintf(file, sizeof(file), "%s/%" PRIu32 ".log", path, found.items[i]);
        err = unlink(file) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
    }
    LP_VEC_FINI(&found);
    return err;
}

// remove_all deletes the journals of the session in the directory at root.
static lp_err
remove_all(const char *root, const char *session_id)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/%s", root, session_id);
    if (!catalog_id_is_valid(session_id) || access(path, F_OK) != 0) {
        return LP_OK;
    }
    LP_TRY(remove_listed(path));
    (void)rmdir(path); // a directory without journals does no harm
    lp_err err = lp_io_sync_dir(AT_FDCWD, path);
    return err == LP_OK || errno == ENOENT ? lp_io_sync_dir(AT_FDCWD, root) : err;
}

lp_err
journal_list_remove(const data_dir *dir, const char *session_id)
{
    return remove_all(data_dir_at(dir, DATA_DIR_JOURNALS).text, session_id);
}

lp_err
journal_list_remove_raw(const data_dir *dir, const char *session_id)
{
    return remove_all(data_dir_at(dir, DATA_DIR_RAW).text, session_id);
}

// --- After a power cut

typedef struct walk {
    lp_ranges *found;     // receives the numbers of the batches; NULL: not wanted
    uint64_t end;         // the walk ends at a batch with this number or a higher one
    uint64_t bytes;       // of the journal up to the last record before end
    bool has_next;        // next is known
    uint64_t next;        // the number after the last batch
    uint64_t damaged_max; // batches that damage since then may have held
} walk;

// note_number notes the number of a batch, and the numbers before it that may have been in damage.
static void
note_number(walk *w, uint64_t sequence)
{
    uint64_t from = sequence;
    if (w->has_next && sequence > w->next && sequence - w->next <= w->damaged_max) {
        from = w->next;
    }
    lp_ranges_add(w->found, from, sequence + 1);
    w->next = sequence + 1;
    w->has_next = true;
    w->damaged_max = 0;
}

// take_record returns whether the walk continues after the record.
static bool
take_record(walk *w, const Loupe__Wire__Request *request)
{
    bool is_batch = request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH;
    if (is_batch && w->found != NULL) {
        note_number(w, request->batch->sequence);
    }
    return !is_batch || request->batch->sequence < w->end;
}

static lp_err
walk_records(walk *w, const journal *file)
{
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        uint64_t begin = cursor.offset - JOURNAL_FRAME_BYTES - cursor.message.len;
        if (cursor.skipped_bytes > 0 &&
            !journal_is_unwritten(file, begin - cursor.skipped_bytes, begin)) {
            w->damaged_max += cursor.skipped_bytes / JOURNAL_FRAME_BYTES;
        }
        if (!take_record(w, request)) {
            break;
        }
        w->bytes = cursor.offset;
    }
    if (err == LP_ECORRUPT && !cursor.is_torn &&
        !journal_is_unwritten(file, cursor.offset, cursor.end_bytes)) {
        w->bytes = cursor.end_bytes; // damage is not cut off
        w->damaged_max += (cursor.end_bytes - cursor.offset) / JOURNAL_FRAME_BYTES;
    }
    journal_cursor_fini(&cursor);
    return err == LP_EEND || err == LP_ECORRUPT ? LP_OK : err;
}

static lp_err
cut(const char *session_id, uint32_t ordinal, journal *file, const walk *kept)
{
    uint64_t before = journal_get_size(file);
    LP_ASSERT(kept->bytes <= before);
    if (kept->bytes == before) {
        return LP_OK;
    }
    lp_log(LP_LOG_INFO,
        "session %s: chunk %u: cut off %" PRIu64 " bytes of its journal, of batches from %" PRIu64
        " on: the power cut came before their acknowledgement",
        session_id, ordinal, before - kept->bytes, kept->end);
    return kept->bytes == 0 ? journal_remove(file) : journal_cut(file, kept->bytes);
}

// walk_journals walks over each journal. With is_cutting, it truncates each to w->bytes.
static lp_err
walk_journals(walk *w, const data_dir *dir, const char *session_id, const uint32_t *ordinals,
    size_t count, bool is_cutting)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        journal *file = NULL;
        w->bytes = 0;
        err = journal_open(data_dir_at(dir, DATA_DIR_JOURNAL, session_id, ordinals[i]).text, &file);
        LP_THEN(err, walk_records(w, file));
        LP_THEN(err, is_cutting ? cut(session_id, ordinals[i], file, w) : LP_OK);
        journal_unref(file); // keeps errno
    }
    return err;
}

// find_gap returns the first missing number that may not have been acknowledged.
static uint64_t
find_gap(const lp_ranges *found, const lp_ranges *settled)
{
    uint64_t next = settled == NULL ? lp_ranges_first(found, 0) : lp_ranges_first_gap(settled, 0);
    uint64_t end = lp_ranges_end(found);
    if (end > WIRE_WINDOW_MAX && next < end - WIRE_WINDOW_MAX) {
        next = end - WIRE_WINDOW_MAX; // lower ones were acknowledged
    }
    lp_ranges all = lp_ranges_copy(found);
    if (settled != NULL) {
        lp_ranges_unite(&all, settled);
    }
    uint64_t gap = lp_ranges_first_gap(&all, next);
    lp_ranges_fini(&all);
    return gap;
}

lp_err
journal_list_cut(const data_dir *dir, const char *session_id, const uint32_t *ordinals,
    size_t count, const lp_ranges *settled, uint64_t *out_next)
{
    lp_ranges found = {0};
    walk all = {.found = &found, .end = UINT64_MAX, .has_next = settled != NULL};
    all.next = all.has_next ? lp_ranges_first_gap(settled, 0) : 0;
    lp_err err = walk_journals(&all, dir, session_id, ordinals, count, false);
    walk kept = {.end = find_gap(&found, settled)};
    lp_ranges_fini(&found);
    LP_THEN(err, walk_journals(&kept, dir, session_id, ordinals, count, true));
    if (err == LP_OK) {
        *out_next = kept.end;
    }
    return err;
}
