// SPDX-License-Identifier: Apache-2.0
// http_download: the content of a recording as one run of bytes: its stored chunks, then those
// compacted from the journal. Chunk files are opened one at a time and the rest is in the file of a
// snapshot, so that a download that is sent holds one block of memory and a blob_unpacker, however
// slow its reader is.
//
// A download with contexts at samples, or in another context style, has another content, which is
// made when it is needed (http_download_rewrite) and then sent from a file without a name. While it
// is made the download holds a chunk, or two, and what compact_sample_contexts_add or
// compact_restyler_write needs for them. Stored chunks that are behind a
// network (blobs_is_remote) are brought into such a file as well: the thread that sends has other
// connections, and cannot wait for them.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H
#define LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H

#include "collector/base/snapshot.h"
#include "collector/http/routes/http_call.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_err.h"
#include "engine/types.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

// Downloads whose content is, or will be, in a file of its own: at once, until they are sent.
enum { HTTP_REWRITTEN_MAX = 8 };

// The number of those. {0} is none. Any thread.
typedef struct http_rewritten {
    atomic_uint count; // orders nothing
} http_rewritten;

// No chunk of the session that is there now is removed before the download is destroyed, or
// rewritten.
//
// http_download_create makes a download without content, under the file name of session. It borrows
// blobs for good. NULL: out of memory.
http_download *http_download_create(blobs *blobs, const catalog_session *session);
void http_download_destroy(http_download *download);

// What a header of the answer names of the chunks that are left out; behind them there is "...".
enum { HTTP_MISSING_NAMED_MAX = 200 };

// http_download_add_chunk adds a stored chunk to the end. One that is lost, or whose file is not
// there as the catalog knows it, is left out, and named in the header Loupe-Missing-Chunks. One
// whose content turns out to be another one breaks the answer; blobs.h has it left out of the next.
LP_MUST_USE lp_err http_download_add_chunk(http_download *download, const catalog_chunk *chunk);

// http_download_set_tail puts the chunks of a snapshot behind the stored ones.
LP_MUST_USE lp_err http_download_set_tail(http_download *download, snapshot *pending);

uint64_t http_download_get_size(const http_download *download);

// http_download_set_contexts replaces the content by its chunks in another context style, with
// eventThread at samples, or both. Call it after set_tail. The size is not known then until
// http_download_rewrite has made the content; the ETag is.
void http_download_set_contexts(
    http_download *download, compact_context_style style, bool has_sample_contexts);

// http_download_needs_rewriting returns whether the answer to a call needs the rewritten content:
// not for a HEAD and not for 304.
bool http_download_needs_rewriting(const http_download *download, const http_call *call);

// http_download_reserve counts the download, until it is destroyed, in rewritten, which it borrows
// until then. Errors: LP_ELIMIT (counted) when HTTP_REWRITTEN_MAX are
LP_MUST_USE lp_err http_download_reserve(http_download *download, http_rewritten *rewritten);

// http_download_rewrite makes the rewritten content. It gives up between chunks once *is_stopping
// or *is_unwanted. http_download_reply answers with 500 and the reason: a stored chunk is lost or
// changed, memory or disk ran out. Behind a network, chunks that are lost are left out, and 503
// says that the object store does not answer.
void http_download_rewrite(
    http_download *download, const atomic_bool *is_stopping, const atomic_bool *is_unwanted);

#endif // LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H
