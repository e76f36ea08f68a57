// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_tail.h"

#include "collector/journal/journal_request.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

typedef LP_VEC(uint64_t) sequences;

// A walk over the records of a journal.
typedef struct walk {
    sequences *found;     // where the numbers of the batches go; NULL: nowhere
    uint64_t end;         // a batch of this number, or a later one, ends the walk
    uint64_t bytes;       // of the journal, up to the end of the last record before that
    bool has_next;        // next is known
    uint64_t next;        // the number behind the last one
    uint64_t damaged_max; // so many batches at most are in damage since then
} walk;

// note_number notes the number of a batch, and those that were in damage before it as well.
static lp_err
note_number(walk *w, uint64_t sequence)
{
    uint64_t from = sequence;
    if (w->has_next && sequence > w->next && sequence - w->next <= w->damaged_max) {
        from = w->next;
    }
    for (; from <= sequence; from++) {
        if (!LP_VEC_ROOM(w->found)) {
            return LP_ENOMEM;
        }
        w->found->items[w->found->count++] = from;
    }
    w->next = sequence + 1;
    w->has_next = true;
    w->damaged_max = 0;
    return LP_OK;
}

// take_record returns whether the walk goes on behind a record.
static lp_err
take_record(walk *w, const Loupe__Wire__Request *request, bool *out_goes_on)
{
    bool is_batch = request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH;
    *out_goes_on = !is_batch || request->batch->sequence < w->end;
    return is_batch && w->found != NULL ? note_number(w, request->batch->sequence) : LP_OK;
}

static lp_err
walk_records(walk *w, const journal *file)
{
    journal_cursor cursor;
    Loupe__Wire__Request *request;
    lp_err err;
    bool goes_on = true;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        uint64_t begin = cursor.offset - JOURNAL_FRAME_BYTES - cursor.message.len;
        if (cursor.skipped_bytes > 0 &&
            !journal_is_unwritten(file, begin - cursor.skipped_bytes, begin)) {
            w->damaged_max += cursor.skipped_bytes / JOURNAL_FRAME_BYTES;
        }
        err = take_record(w, request, &goes_on);
        journal_request_free(request);
        if (err != LP_OK || !goes_on) {
            break;
        }
        w->bytes = cursor.offset;
    }
    if (err == LP_ECORRUPT && !cursor.is_torn &&
        !journal_is_unwritten(file, cursor.offset, cursor.end_bytes)) {
        w->bytes = cursor.end_bytes; // damage, which is not cut off here
        w->damaged_max += (cursor.end_bytes - cursor.offset) / JOURNAL_FRAME_BYTES;
    }
    journal_cursor_fini(&cursor);
    return err == LP_EEND || err == LP_ECORRUPT ? LP_OK : err;
}

static lp_err
open_one(const data_dir *dir, const char *session_id, uint32_t ordinal, journal **out_journal)
{
    char *path = data_dir_journal_path(dir, session_id, ordinal);
    lp_err err = path == NULL ? LP_ENOMEM : journal_open(path, out_journal);
    free(path);
    return err;
}

static int
compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

// find_gap returns the first number from `first` on that is missing and need not have been
// acknowledged.
static uint64_t
find_gap(sequences *found, uint64_t first)
{
    if (found->count > 0) {
        qsort(found->items, found->count, sizeof(found->items[0]), compare);
    }
    uint64_t next = first;
    if (first == CATALOG_SEQUENCE_UNKNOWN) {
        next = found->count > 0 ? found->items[0] : 0;
    }
    uint64_t end = found->count > 0 ? found->items[found->count - 1] + 1 : 0;
    if (end > WIRE_WINDOW_MAX && next < end - WIRE_WINDOW_MAX) {
        next = end - WIRE_WINDOW_MAX; // the agent would not have sent the last one
    }
    for (size_t i = 0; i < found->count; i++) {
        next += found->items[i] == next ? 1 : 0;
    }
    return next;
}

static lp_err
cut_one(const char *session_id, uint32_t ordinal, journal *file, uint64_t gap)
{
    walk kept = {.end = gap};
    uint64_t before = journal_get_size(file);
    lp_err err = walk_records(&kept, file);
    if (err != LP_OK || kept.bytes == before) {
        return err;
    }
    lp_log(LP_LOG_INFO,
        "session %s: chunk %u: %" PRIu64 " bytes that the power cut left of batches from %" PRIu64
        " on, which were not acknowledged",
        session_id, ordinal, before - kept.bytes, gap);
    return kept.bytes == 0 ? journal_remove(file) : journal_cut(file, kept.bytes);
}

lp_err
journal_tail_cut(const data_dir *dir, const char *session_id, const uint32_t *ordinals,
    size_t count, uint64_t first, uint64_t *out_next)
{
    sequences found = {0};
    walk all = {.found = &found, .end = UINT64_MAX, .next = first};
    all.has_next = first != CATALOG_SEQUENCE_UNKNOWN;
    lp_err err = LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        journal *file;
        err = open_one(dir, session_id, ordinals[i], &file);
        if (err == LP_OK) {
            err = walk_records(&all, file);
            journal_unref(file);
        }
    }
    uint64_t gap = find_gap(&found, first);
    LP_VEC_FINI(&found);
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        journal *file;
        err = open_one(dir, session_id, ordinals[i], &file);
        if (err == LP_OK) {
            err = cut_one(session_id, ordinals[i], file, gap);
            int saved_errno = errno;
            journal_unref(file);
            errno = saved_errno;
        }
    }
    if (err == LP_OK) {
        *out_next = gap;
    }
    return err;
}
