// SPDX-License-Identifier: Apache-2.0

// journal: the file that holds the batches of one chunk until the chunk is compacted.
//
// It is a sequence of records. Each record is a Request message (proto/loupe.proto) as the agent
// sent it. If a policy applies to the chunk, the journal also holds the policy, in Requests of
// its own (policy_message.h).
//
//   OFFSET  SIZE  FIELD, little-endian
//        0     4  magic "LPJ1"
//        4     4  length of the message in bytes, at most WIRE_MESSAGE_BYTES_MAX
//        8     4  CRC-32 (zlib's) of the length field and the message
//       12     -  the message
//
// After journal_append a record survives the end of the process; after journal_sync, a power cut
// (sync_rounds.h). After a crash the file may end in a part of a record: journal_cursor_next then
// returns LP_ECORRUPT, and journal_cut removes the part. Other damage costs only the damaged
// records: the cursor finds the next record by magic, length and checksum.
//
// A journal of journal_open_in has an open descriptor only while it is written (journal_files.h).
// Cursors have their own.
//
// Threads: the loop that owns it. A cursor may read, on any one thread, the records that existed
//          when the cursor was made. Functions name other exceptions.
// Owns:    journals are reference-counted: sync rounds and compactions use them, too.

#pragma once

#include "collector/journal/journal_files.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

enum { JOURNAL_FRAME_BYTES = 12 };

typedef struct journal journal;

// journal_open opens or creates the file at path and keeps it open. After journal_open_in, `files`
// manages the descriptor, and is borrowed until the journal is freed. Errors: LP_EIO with errno;
// LP_ENOMEM
LP_MUST_USE lp_err journal_open(const char *path, journal **out_journal);
LP_MUST_USE lp_err journal_open_in(journal_files *files, const char *path, journal **out_journal);

// journal_open_to_read opens an existing file, for cursors alone. They read it even if it is
// renamed or deleted meanwhile. Errors: LP_ENOENT; LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err journal_open_to_read(const char *path, journal **out_journal);

journal *journal_ref(journal *journal);

// NULL is fine.
void journal_unref(journal *journal);

// journal_begin_reading returns a reference for a reader with cursors, on any thread. The file
// should not be removed before journal_end_reading, which releases the reference. NULL is fine.
journal *journal_begin_reading(journal *journal);
void journal_end_reading(journal *journal);
bool journal_is_being_read(const journal *journal);

const char *journal_get_path(const journal *journal);
uint64_t journal_get_size(const journal *journal);

// journal_find_inode returns the number of the file at the journal's path, which stays if the file
// is moved; 0: no file is there.
uint64_t journal_find_inode(const journal *journal);

// journal_append writes one record with one system call. Errors: LP_EIO with errno (disk full,
// refused, ...). A partly written record is cut off again
LP_MUST_USE lp_err journal_append(journal *journal, lp_slice message);

// journal_cut truncates the file to size_bytes. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_cut(journal *journal, uint64_t size_bytes);

// journal_save copies size bytes of the file, from offset on, to a new file at path. It deletes
// that file on an error. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_save(
    const journal *journal, uint64_t offset, uint64_t size, const char *path);

// journal_hold keeps the journal's descriptor open, if it has one, until a matching
// journal_release. journal_begin_sync prepares a held journal for journal_write_out, journal_sync
// and journal_copy: they use its current descriptor or, if it has none, open their own. Call it
// while no thread runs these functions.
void journal_hold(journal *journal);
void journal_release(journal *journal);
void journal_begin_sync(journal *journal);

// journal_write_out starts to write appended records to the disk. journal_sync waits until all
// records are on the disk; journal_sync_name does so for the name of the file. One thread may call
// them beside the loop. Errors: LP_EIO with errno, ENOENT if somebody has deleted or truncated the
// file; LP_ENOMEM
void journal_write_out(const journal *journal);
LP_MUST_USE lp_err journal_sync(const journal *journal);
LP_MUST_USE lp_err journal_sync_name(const journal *journal);

// journal_refuse makes every append fail with this errno, after a failed sync. An error of 0 ends
// this.
void journal_refuse(journal *journal, int error);

// journal_copy copies all records to a new file, at the same offsets. When the new file is on the
// disk, it replaces the old one, and its name and that of its directory are synced; readers
// continue with the new file. The kernel may drop pages that it failed to sync, so only records
// that verify are copied; the new file has zeros in place of all other bytes, and
// *out_damaged_bytes is their number. One thread may call it beside the loop, while appends are
// refused and the journal counts as being read. If the journal were removed meanwhile, the copy
// could replace a new file at the same path. Errors: LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_copy(const journal *journal, uint64_t *out_damaged_bytes);

// The journal's item in sync_rounds. Only sync_rounds uses it.
typedef struct journal_note {
    uint64_t round; // 0: none
    size_t place;
} journal_note;

journal_note *journal_get_note(journal *journal);

// journal_link gives the file a second name, which remains after journal_remove; if the name exists
// (EEXIST), it does nothing. journal_remove deletes the file. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_link(const journal *journal, const char *path);
LP_MUST_USE lp_err journal_remove(journal *journal);

bool journal_is_removed(const journal *journal);

// journal_is_at returns whether path is a name of the journal's file. journal_is_saved returns
// whether the file at path has the content that journal_save writes.
bool journal_is_at(const journal *journal, const char *path);
bool journal_is_saved(const journal *journal, uint64_t offset, uint64_t size, const char *path);

// The limit for the bytes that a cursor reads after damage to find the next record; the rest counts
// as damaged. No real journal is that large: the limit bounds the cost of bytes from a hostile
// agent.
static const uint64_t JOURNAL_SEARCH_BYTES_MAX = (uint64_t)8 << 30;

// journal_is_unwritten returns whether the part of [begin, end) in some sector ends in zeros. Then
// this sector reached the disk before the append to it, or never.
bool journal_is_unwritten(const journal *journal, uint64_t begin, uint64_t end);

// A cursor reads records from the start of the file up to end_bytes.
typedef struct journal_cursor {
    const journal *journal;
    int fd;          // the cursor's own, opened for the first record
    uint64_t offset; // of the next record
    uint64_t end_bytes;
    uint64_t skipped_bytes;  // damage before the message that was read last
    uint64_t searched_bytes; // toward JOURNAL_SEARCH_BYTES_MAX
    bool is_torn;            // with LP_ECORRUPT: the record at offset reaches past the end
    lp_buf message;
    Loupe__Wire__Request *request; // of journal_request_next
} journal_cursor;

void journal_cursor_init(journal_cursor *cursor, const journal *journal, uint64_t end_bytes);
void journal_cursor_fini(journal_cursor *cursor);

// journal_cursor_next reads the next message, which is borrowed until the next call.
// Errors: LP_EEND at the end; LP_ECORRUPT if the record at cursor->offset is damaged and no whole
//         record follows, or if the file was deleted; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_cursor_next(journal_cursor *cursor, lp_slice *out_message);

// journal_request_next is journal_cursor_next, and unpacks the message. *out_request is borrowed
// until the next call.
LP_MUST_USE lp_err journal_request_next(
    journal_cursor *cursor, const Loupe__Wire__Request **out_request);
