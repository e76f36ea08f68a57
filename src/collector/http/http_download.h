// SPDX-License-Identifier: Apache-2.0
// http_download: the content of a recording as one run of bytes: its stored chunks, then what the
// journal gave. Chunk files are opened one at a time and the rest is spilled to a file without a
// name, so that a download holds one block of memory however slow its reader is. A download with
// contexts at samples is spilled as a whole, and holds one chunk while that is done.
//
// Threads: one thread at a time.

#ifndef LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H
#define LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H

#include "collector/store/blobs.h"
#include "collector/store/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <microhttpd.h>
#include <stdint.h>

typedef struct http_download http_download;

// Borrows blobs for good. NULL: out of memory.
http_download *http_download_create(blobs *blobs, const char *session_id);
void http_download_destroy(http_download *download);

// http_download_add_chunk adds a stored chunk to the end.
LP_MUST_USE lp_err http_download_add_chunk(http_download *download, const catalog_chunk *chunk);

// http_download_set_tail sets what follows the stored chunks: zero or more compacted chunks,
// borrowed until http_download_reply returns.
LP_MUST_USE lp_err http_download_set_tail(http_download *download, lp_slice bytes);

// http_download_add_sample_contexts makes the whole content, which is set by then, that which the
// chunks give by compact_sample_contexts.h, in a file without a name.
// Errors: LP_ECORRUPT for a stored chunk that is lost or changed; LP_EIO; LP_ENOMEM
LP_MUST_USE lp_err http_download_add_sample_contexts(http_download *download);

uint64_t http_download_get_size(const http_download *download);

// http_download_reply answers a GET or HEAD for the content, ranges and conditions included, and
// takes download. disposition is the value of Content-Disposition.
enum MHD_Result http_download_reply(struct MHD_Connection *connection, const char *method,
    http_download *download, const char *disposition);

#endif // LP_COLLECTOR_HTTP_HTTP_DOWNLOAD_H
