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
// process. After a crash the file may end in a part of a record: journal_cursor_next returns
// LP_ECORRUPT there, and journal_cut cuts it off.
//
// Threads: the loop that owns it, except for cursors, which may read on any one thread the records
//          that were there when they were made.
// Owns:    journals are counted, since a compaction may still read one that a commit has removed.

#ifndef LP_COLLECTOR_SERVER_JOURNAL_H
#define LP_COLLECTOR_SERVER_JOURNAL_H

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

enum { JOURNAL_FRAME_BYTES = 12 };

typedef struct journal journal;

// journal_open opens or makes the file at path. Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err journal_open(const char *path, journal **out_journal);

journal *journal_ref(journal *journal);

// journal_unref closes the file with the last reference. NULL is fine.
void journal_unref(journal *journal);

const char *journal_get_path(const journal *journal);
uint64_t journal_get_size(const journal *journal);

// journal_append writes one record with one system call.
// Errors: LP_EIO with errno (disk full, ...); the written part of the record is cut off again
LP_MUST_USE lp_err journal_append(journal *journal, lp_slice message);

// journal_cut makes the file end at size_bytes. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_cut(journal *journal, uint64_t size_bytes);

// journal_save_tail copies the file from offset on to a new file at path. Errors: LP_EIO
LP_MUST_USE lp_err journal_save_tail(const journal *journal, uint64_t offset, const char *path);

// journal_remove deletes the file; journal_move gives it another name. Errors: LP_EIO with errno
LP_MUST_USE lp_err journal_remove(journal *journal);
LP_MUST_USE lp_err journal_move(journal *journal, const char *path);

// A cursor reads records from the start up to end_bytes.
typedef struct journal_cursor {
    const journal *journal;
    uint64_t offset; // of the next record
    uint64_t end_bytes;
    bool is_torn; // with LP_ECORRUPT: the record at offset reaches past the end
    lp_buf message;
} journal_cursor;

void journal_cursor_init(journal_cursor *cursor, const journal *journal, uint64_t end_bytes);
void journal_cursor_fini(journal_cursor *cursor);

// journal_cursor_next reads the next message, which is borrowed until the next call.
// Errors: LP_EEND; LP_ECORRUPT, the record at cursor->offset is damaged; LP_EIO, LP_ENOMEM
LP_MUST_USE lp_err journal_cursor_next(journal_cursor *cursor, lp_slice *out_message);

#endif // LP_COLLECTOR_SERVER_JOURNAL_H
