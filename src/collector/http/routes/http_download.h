// SPDX-License-Identifier: Apache-2.0
// http_download: the content of a recording as one run of bytes: its stored chunks, then the chunks
// compacted from the journal.
//
// Chunk files are opened one at a time, and a snapshot holds the other chunks. So a download in
// progress adds one block of memory and a blob_unpacker, however slow its reader is.
//
// A download with contexts at samples, or in another context style, is rewritten first
// (http_download_rewrite) into a file without a name, and sent from that. During the rewriting it
// holds one or two chunks, and the memory of compact_sample_contexts_add or compact_restyler_write.
// Stored chunks behind a network (blobs_is_remote) are copied to such a file as well: the sending
// thread serves other connections and must not wait for them.
//
// Threads: one thread at a time.

#pragma once

#include "collector/base/snapshot.h"
#include "collector/http/routes/http_call.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "engine/types.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// The limit on downloads with a file of their own, being rewritten or sent.
enum { HTTP_REWRITTEN_MAX = 8 };

// The number of such downloads. {0} is none. Any thread.
typedef struct http_rewritten {
    atomic_uint count; // orders nothing
} http_rewritten;

// http_download_create returns a download without content, with a file name made of session. It
// borrows blobs. Until it is destroyed or rewritten, none of the session's present chunks is
// removed. NULL: out of memory.
http_download *http_download_create(blobs *blobs, const catalog_session *session);
void http_download_destroy(http_download *download);

// The number of chunks named in Loupe-Missing-Chunks; further ones become "...".
enum { HTTP_MISSING_NAMED_MAX = 200 };

// http_download_add_chunk appends a stored chunk. A chunk that is lost, or whose file does not
// match the catalog, is left out and named in the header Loupe-Missing-Chunks. If a chunk's content
// proves different while it is sent, the answer breaks off, and later downloads leave that chunk
// out (blobs.h).
LP_MUST_USE lp_err http_download_add_chunk(http_download *download, const catalog_chunk *chunk);

// http_download_set_tail appends the chunks of a snapshot, and adds a reference to the snapshot.
LP_MUST_USE lp_err http_download_set_tail(http_download *download, snapshot *pending);

uint64_t http_download_get_size(const http_download *download);

// http_download_set_contexts selects another context style, eventThread at samples, or both. Call
// it after http_download_set_tail. Then the size is unknown until http_download_rewrite; the ETag
// is known.
void http_download_set_contexts(
    http_download *download, compact_context_style style, bool has_sample_contexts);

// http_download_needs_rewriting returns whether the answer to a call needs the rewritten content.
// HEAD and 304 do not.
bool http_download_needs_rewriting(const http_download *download, const http_call *call);

// http_download_reserve counts the download in rewritten, and borrows rewritten, until the download
// is destroyed. Errors: LP_ELIMIT (counted in the metrics) at HTTP_REWRITTEN_MAX
LP_MUST_USE lp_err http_download_reserve(http_download *download, http_rewritten *rewritten);

// http_download_rewrite makes the rewritten content. It stops between chunks if *is_stopping or
// *is_unwanted. On failure http_download_reply answers 500 with the reason: a stored chunk is lost
// or changed, or memory or disk ran out. If the blobs are remote, lost chunks are left out, and 503
// means that the object store does not answer.
void http_download_rewrite(
    http_download *download, const atomic_bool *is_stopping, const atomic_bool *is_unwanted);
