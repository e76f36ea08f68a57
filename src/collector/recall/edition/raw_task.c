// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/edition/raw_task.h"

#include "collector/intake/policy_message.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_proto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a sealed journal says of its chunk.
typedef struct sealed_journal {
    Loupe__Wire__Request *request; // with the last Sealed; NULL: none
    policy_file *policy;           // NULL: none
    recall_wants wants;            // of the last Recalled
    recall_counts counts;          // of the last one of the edition
    bool is_in_vain;               // the last Recalled is of another edition
} sealed_journal;

static void
sealed_fini(sealed_journal *self)
{
    loupe__wire__request__free_unpacked(self->request, NULL); // NULL is fine
    policy_file_unref(self->policy);
    recall_wants_fini(&self->wants);
}

// open_journal opens a chunk's journal, which is raw data or still waits. The loop may move it from
// one to the other at any moment.
static lp_err
open_journal(const data_dir *dir, const char *session_id, uint32_t ordinal, journal **out_journal)
{
    const data_path raw = data_dir_at(dir, DATA_DIR_RAW_JOURNAL, session_id, ordinal);
    const data_path waiting = data_dir_at(dir, DATA_DIR_JOURNAL, session_id, ordinal);
    const char *const paths[] = {raw.text, waiting.text, raw.text};
    lp_err err = LP_ENOENT;
    for (size_t i = 0; i < LP_COUNT(paths) && err == LP_ENOENT; i++) {
        err = journal_open_to_read(paths[i], out_journal);
    }
    return err;
}

// take_policy replaces the policy by one of the journal. Without one that can be read, the chunk
// was decided without it, too.
static lp_err
take_policy(
    const raw_task_from *from, const Loupe__Wire__ChunkPolicy *message, sealed_journal *sealed)
{
    policy_file *file = NULL;
    lp_problem ignored;
    lp_err err = policy_message_decode(message, from->policies, &file, &ignored);
    if (err == LP_ELIMIT && from->policies != NULL) { // it may have no room for this one
        err = policy_message_decode(message, NULL, &file, &ignored);
    }
    LP_REQUIRE(err != LP_ENOMEM, err);
    policy_file_unref(sealed->policy);
    sealed->policy = err == LP_OK ? file : NULL;
    return LP_OK;
}

// take_sealed copies the request of a record.
static lp_err
take_sealed(lp_slice message, sealed_journal *sealed)
{
    bool is_short;
    ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
    loupe__wire__request__free_unpacked(sealed->request, NULL);
    sealed->request = loupe__wire__request__unpack(&allocator, message.len, message.ptr);
    return sealed->request != NULL ? LP_OK : lp_proto_err(is_short);
}

// take_recalled takes what pins want. Without a record that can be read, nothing is known of them.
static lp_err
take_recalled(
    const raw_task_from *from, const Loupe__Wire__Recalled *record, sealed_journal *sealed)
{
    lp_err err = recall_wants_read(&sealed->wants, record);
    sealed->is_in_vain = record->edition != from->edition;
    if (err == LP_OK && !sealed->is_in_vain) {
        sealed->counts = (recall_counts){record->events, record->contexts, record->bytes};
    }
    return err == LP_ENOMEM ? err : LP_OK;
}

static lp_err
read_journal(const raw_task_from *from, const journal *file, sealed_journal *out)
{
    journal_cursor cursor;
    const Loupe__Wire__Request *request;
    lp_err err;
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while ((err = journal_request_next(&cursor, &request)) == LP_OK) {
        if (request->body_case == LOUPE__WIRE__REQUEST__BODY_POLICY) {
            err = take_policy(from, request->policy, out);
        } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_SEALED) {
            err = take_sealed(lp_buf_slice(&cursor.message), out);
        } else if (request->body_case == LOUPE__WIRE__REQUEST__BODY_RECALLED) {
            err = take_recalled(from, request->recalled, out);
        }
        if (err != LP_OK) {
            break;
        }
    }
    journal_cursor_fini(&cursor);
    LP_REQUIRE(err == LP_EEND || err == LP_ECORRUPT, err); // a damaged end is as before
    return out->request == NULL ? LP_ENOENT : LP_OK;
}

// add_part adds the part of a journal to a task.
static lp_err
add_part(const data_dir *dir, const Loupe__Wire__Sealed__Part *from, chunk_task *task)
{
    journal *file;
    LP_TRY(open_journal(dir, task->session_id, from->chunk, &file));
    lp_ranges due = {0};
    lp_err err = journal_get_size(file) < from->end_bytes ? LP_ENOENT : LP_OK;
    LP_THEN(err, lp_ranges_read((lp_slice){from->due.data, from->due.len}, &due));
    if (err == LP_OK) {
        LP_ASSERT(task->part_count < SESSION_CHUNKS_MAX); // fill has checked it
        task->parts[task->part_count++] = (assembly_part){
            .ordinal = from->chunk,
            .journal = journal_begin_reading(file),
            .end_bytes = from->end_bytes,
            .has_jfr = from->has_jfr,
            .is_damaged = from->is_damaged,
            .gap_before = {from->gap_begin, from->gap_end},
            .owns_gap = from->owns_gap,
            .due = due,
            .ignored_from = from->ignored_from,
        };
    }
    journal_unref(file);
    return err;
}

// is_unit returns whether the parts begin with the unit of a chunk.
static bool
is_unit(const chunk_task *task, uint32_t ordinal)
{
    size_t end = chunk_task_unit_end(task, 0);
    LP_ASSERT(end <= task->part_count);
    return end > 0 && task->parts[end - 1].has_jfr && task->parts[end - 1].ordinal == ordinal;
}

// fill makes the task that was sealed, apart from its policy.
static lp_err
fill(const data_dir *dir, const Loupe__Wire__Sealed *from, chunk_task *task)
{
    LP_ASSERT(task->part_count == 0 && task->carry_in.len == 0);
    LP_REQUIRE(
        from->n_parts <= SESSION_CHUNKS_MAX && from->n_losses <= CATALOG_LOSS_COUNT, LP_ECORRUPT);
    task->has_ended = from->has_ended;
    task->context_hold_ns = from->context_hold_ns;
    for (size_t i = 0; i < from->n_losses; i++) {
        task->untold[i] = from->losses[i];
    }
    (void)snprintf(task->end_message, sizeof(task->end_message), "%s", from->end_message);
    if (from->own_source[0] != '\0') {
        task->own_source = strdup(from->own_source);
        LP_REQUIRE(task->own_source != NULL, LP_ENOMEM);
    }
    lp_buf_append(&task->carry_in, from->carry.data, from->carry.len);
    lp_err err = lp_buf_check(&task->carry_in);
    for (size_t i = 0; i < from->n_parts && err == LP_OK; i++) {
        err = add_part(dir, from->parts[i], task);
    }
    return err;
}

// has_same_journals returns whether the parts are the files that the first compaction read. If the
// session went to another collector and came back, later ones were written again, perhaps with
// other batches.
static bool
has_same_journals(const Loupe__Wire__Sealed *record, const chunk_task *task)
{
    LP_ASSERT(record->n_parts == task->part_count);
    for (size_t i = 0; i < record->n_parts; i++) {
        uint64_t inode = record->parts[i]->inode;
        LP_REQUIRE(inode != 0 && inode == journal_find_inode(task->parts[i].journal), false);
    }
    return true;
}

// take moves what a journal says to a task that has its parts.
static lp_err
take(sealed_journal *from, raw_task *task)
{
    size_t last = chunk_task_unit_end(&task->task, 0) - 1;
    const Loupe__Wire__Sealed *record = from->request->sealed;
    LP_ASSERT(last < task->task.part_count && task->task.policies[last] == NULL);
    lp_buf_append(&task->ids, record->ids.data, record->ids.len);
    LP_TRY(lp_buf_check(&task->ids));
    task->task.policies[last] = from->policy;
    from->policy = NULL;
    task->content_hash = record->content_hash;
    task->run = has_same_journals(record, &task->task) ? record->run : 0;
    task->first_counts = (recall_counts){record->events, record->contexts, record->bytes};
    task->wants = from->wants;
    from->wants = (recall_wants){0};
    task->counts = from->counts;
    task->is_in_vain = from->is_in_vain;
    return LP_OK;
}

// read_sealed reads what the journal of a chunk says of it. Owns: the caller ends *out with
// sealed_fini
static lp_err
read_sealed(
    const raw_task_from *from, const char *session_id, uint32_t ordinal, sealed_journal *out)
{
    journal *file;
    LP_REQUIRE(catalog_id_is_valid(session_id), LP_ENOENT); // a damaged catalog may have others
    LP_TRY(open_journal(from->dir, session_id, ordinal, &file));
    lp_err err = read_journal(from, file, out);
    journal_unref(file);
    return err;
}

lp_err
raw_task_open(
    const raw_task_from *from, const char *session_id, uint32_t ordinal, raw_task *out_task)
{
    LP_ASSERT(from->dir != NULL && from->edition < BLOB_EDITIONS);
    sealed_journal sealed = {0};
    raw_task opened = {.task = {.policy = from->rules, .large_fd = -1}};
    (void)snprintf(opened.task.session_id, sizeof(opened.task.session_id), "%s", session_id);
    lp_err err = read_sealed(from, session_id, ordinal, &sealed);
    LP_THEN(err, fill(from->dir, sealed.request->sealed, &opened.task));
    LP_THEN(err, is_unit(&opened.task, ordinal) ? LP_OK : LP_ECORRUPT);
    LP_THEN(err, take(&sealed, &opened));
    if (err == LP_OK) {
        *out_task = opened;
    } else {
        raw_task_close(&opened);
    }
    sealed_fini(&sealed);
    return err;
}

lp_err
raw_task_find_ids(
    const raw_task_from *from, const char *session_id, uint32_t ordinal, lp_buf *out_ids)
{
    sealed_journal sealed = {0};
    lp_err err = read_sealed(from, session_id, ordinal, &sealed);
    if (err == LP_OK) {
        const ProtobufCBinaryData *ids = &sealed.request->sealed->ids;
        lp_buf_append(out_ids, ids->data, ids->len);
        err = lp_buf_check(out_ids);
    }
    sealed_fini(&sealed);
    return err;
}

void
raw_task_close(raw_task *self)
{
    chunk_task_fini(&self->task);
    lp_buf_fini(&self->ids);
    recall_wants_fini(&self->wants);
}

lp_err
raw_task_note(const data_dir *dir, const pin_chunk *chunk, const recall_wants *wants,
    uint64_t edition, const recall_counts *counts)
{
    LP_ASSERT(edition >= BLOB_EDITION_PART && edition < BLOB_EDITIONS);
    const data_path raw = data_dir_at(dir, DATA_DIR_RAW_JOURNAL, chunk->session_id, chunk->ordinal);
    const data_path waiting = data_dir_at(dir, DATA_DIR_JOURNAL, chunk->session_id, chunk->ordinal);
    const char *path = access(raw.text, F_OK) == 0 ? raw.text : waiting.text;
    struct stat info;
    LP_REQUIRE(stat(path, &info) == 0, LP_ENOENT); // it would be made
    lp_err err = recall_wants_write(wants, edition, counts, path);
    int failure = errno;
    const struct timespec times[] = {info.st_atim, info.st_mtim};
    (void)utimensat(AT_FDCWD, path, times, 0); // else a start counts its age from now
    errno = failure;
    return err;
}
