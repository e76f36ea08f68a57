// SPDX-License-Identifier: Apache-2.0

// journal: the file that keeps the batches of one chunk until the chunk is compacted.
//
// A run of records, each the bytes of a Request message (proto/loupe.proto) as they came; before
// them the policy that decides the chunk, if it has one, in a Request as well:
//
//   OFFSET  SIZE  FIELD, little-endian
//        0     4  magic "LPJ1"
//        4     4  length of the message in bytes, at most WIRE_MESSAGE_BYTES_MAX
//        8     4  CRC-32 (zlib's) of the length field and the message
//       12     -  the message
//
// A record is in the file once journal_append has returned: it then survives the death of the
// process, and once journal_sync has, a power cut too (sync_rounds.h). After a crash the file may
// end in a part of a record: journal_cursor_next returns LP_ECORRUPT there, and journal_cut cuts it
// off. Damage elsewhere costs the records that it is in: the next one is found by its magic, length
// and checksum.
//
// It has a descriptor only while it is written to (journal_files.h). Who reads it has one of their
// own, so a journal that somebody reads is removed later.
//
// Threads: the loop that owns it, except for cursors, which may read on any one thread the records
//          that were there when they were made; and where it is said.
// Owns:    journals are counted, since rounds and compactions use them as well.

#ifndef LP_COLLECTOR_SERVER_JOURNAL_H
#define LP_COLLECTOR_SERVER_JOURNAL_H

#include "collector/journal/journal_files.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "common/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

enum { JOURNAL_FRAME_BYTES = 12 };

typedef struct journal journal;

// journal_open opens or makes the file at path, which stays open until the end, and journal_open_in
// one of files, which are borrowed until then. Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err journal_open(const char *path, journal **out_journal);
LP_MUST_USE lp_err journal_open_in(journal_files *files, const char *path, journal **out_journal);

journal *journal_ref(journal *journal);

// journal_unref closes the file with the last reference. NULL is fine.
void journal_unref(journal *journal);

// journal_begin_reading is journal_ref for who reads the journal with cursors, on whichever thread:
// its file should stay where it is until journal_end_reading, which takes the reference and for
// which NULL is fine.
journal *journal_begin_reading(journal *journal);
void journal_end_reading(journal *journal);
bool journal_is_being_read(const journal *journal);

const char *journal_get_path(const journal *journal);
uint64_t journal_get_size(const journal *journal);

// journal_append writes one record with one system call.
// Errors: LP_EIO with errno (disk full, refused, ...); the written part of the record is cut off
//         again
LP_MUST_USE lp_err journal_append(journal *journal, lp_slice message);

// journal_cut makes the file end at size_bytes. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_cut(journal *journal, uint64_t size_bytes);

// journal_save copies size bytes of the file from offset on to a new file at path, of which nothing
// is left on an error. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_save(
    const journal *journal, uint64_t offset, uint64_t size, const char *path);

// journal_hold has the journal's descriptor, if it has one, stay open until journal_release was
// called as often. journal_begin_sync has the functions below use the descriptor that it has now,
// or, if it has none, one of their own; it is held meanwhile, and no other thread is in them.
void journal_hold(journal *journal);
void journal_release(journal *journal);
void journal_begin_sync(journal *journal);

// journal_write_out has the disk begin with what was appended, and journal_sync waits until it has
// all of it; journal_sync_name, until it has the file's name. One thread beside the loop.
// Errors: LP_EIO with errno, which is ENOENT where somebody has deleted the file or cut it;
//         LP_ENOMEM
void journal_write_out(const journal *journal);
LP_MUST_USE lp_err journal_sync(const journal *journal);
LP_MUST_USE lp_err journal_sync_name(const journal *journal);

// journal_refuse makes every append fail with this errno; 0: none does any more. For a journal that
// the disk did not take.
void journal_refuse(journal *journal, int error);

// journal_copy puts all records into a new file, which takes the place of the old one once the disk
// has it, and the name of its directory. Each is where it was, and those who read the journal go on
// with the new one. As a system may drop what it failed to sync, only records that can be verified
// are copied; *out_damaged_bytes is how many bytes are none, which are zeros in the new file. One
// thread beside the loop, while appends are refused and the journal counts as being read: were it
// removed meanwhile, the copy could take the place of another one that was made there. Errors:
// LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_copy(const journal *journal, uint64_t *out_damaged_bytes);

// Where sync_rounds has noted the journal. Its alone.
typedef struct journal_note {
    uint64_t round; // 0: nowhere
    size_t place;
} journal_note;

journal_note *journal_get_note(journal *journal);

// journal_link gives the file a second name, which stays when the journal is removed; one that is
// taken already is fine. journal_remove deletes the file. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_link(const journal *journal, const char *path);
LP_MUST_USE lp_err journal_remove(journal *journal);

// journal_is_removed returns whether the file has been deleted.
bool journal_is_removed(const journal *journal);

// journal_is_at returns whether the file has this name as well, and journal_is_saved whether the
// file at a path is what journal_save makes there.
bool journal_is_at(const journal *journal, const char *path);
bool journal_is_saved(const journal *journal, uint64_t offset, uint64_t size, const char *path);

// The bytes behind damage that are looked at, and those of what only looks like a record, counted
// together, before the rest of the journal counts as damaged. No journal is as large: it is what a
// hostile agent's bytes may cost a start.
static const uint64_t JOURNAL_SEARCH_BYTES_MAX = (uint64_t)8 << 30;

// journal_is_unwritten returns whether a sector's part of the bytes from begin to end ends in
// zeros, as one does that was appended to, and came to the disk before that or not at all.
bool journal_is_unwritten(const journal *journal, uint64_t begin, uint64_t end);

// A cursor reads records from the start up to end_bytes.
typedef struct journal_cursor {
    const journal *journal;
    int fd;          // the cursor's own, from the first record on
    uint64_t offset; // of the next record
    uint64_t end_bytes;
    uint64_t skipped_bytes;  // of damage, before the message that was read last
    uint64_t searched_bytes; // so far, behind damage
    bool is_torn;            // with LP_ECORRUPT: the record at offset reaches past the end
    lp_buf message;
} journal_cursor;

void journal_cursor_init(journal_cursor *cursor, const journal *journal, uint64_t end_bytes);
void journal_cursor_fini(journal_cursor *cursor);

// journal_cursor_next reads the next message, which is borrowed until the next call.
// Errors: LP_EEND; LP_ECORRUPT, the record at cursor->offset is damaged and none is whole behind
//         it, or the file is gone; LP_EIO with errno, LP_ENOMEM
LP_MUST_USE lp_err journal_cursor_next(journal_cursor *cursor, lp_slice *out_message);

// journal_request_next reads the next message as journal_cursor_next, and unpacks it. The caller
// frees *out_request. Errors: as there
LP_MUST_USE lp_err journal_request_next(journal_cursor *cursor, Loupe__Wire__Request **out_request);
void journal_request_free(Loupe__Wire__Request *request);

#endif // LP_COLLECTOR_SERVER_JOURNAL_H
