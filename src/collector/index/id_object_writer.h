// SPDX-License-Identifier: Apache-2.0
// id_object_writer: makes a segment (id_object.h) of the ids of chunks. The same chunks in the same
// order make the same bytes.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/index/test_id_object.c
// Memory:  40 bytes for each entry, in blocks that lp_large_begin may have put into files

#ifndef LP_COLLECTOR_INDEX_ID_OBJECT_WRITER_H
#define LP_COLLECTOR_INDEX_ID_OBJECT_WRITER_H

#include "collector/index/id_object.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_map.h"
#include "common/base/lp_vec.h"

// {0} has no chunks.
typedef struct id_object_writer {
    LP_VEC(id_object_entry) entries;
    LP_VEC(id_object_session) sessions;
    lp_map by_hash; // of sessions: index
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} id_object_writer;

void id_object_writer_fini(id_object_writer *writer);

// id_object_writer_add adds a chunk, all or nothing; hashes are 8 bytes each.
// Errors: LP_ELIMIT it has no room beside the others; LP_ENOMEM
LP_MUST_USE lp_err id_object_writer_add(
    id_object_writer *writer, const id_chunk *chunk, int64_t start_wall_ns, lp_slice hashes);

// id_object_writer_finish appends the object to out_bytes, which is empty. There is an entry at
// least. Errors: LP_ENOMEM
LP_MUST_USE lp_err id_object_writer_finish(id_object_writer *writer, lp_buf *out_bytes);

// id_object_writer_get_shape returns the shape of the object that was finished.
id_object_shape id_object_writer_get_shape(const id_object_writer *writer, lp_slice bytes);

#endif // LP_COLLECTOR_INDEX_ID_OBJECT_WRITER_H
