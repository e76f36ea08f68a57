// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_download.h"

#include "collector/base/metrics.h"
#include "collector/http/http_file_name.h"
#include "collector/http/http_range.h"
#include "collector/http/http_reply.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "engine/job/sample_contexts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 64 * 1024, // of memory for each download
    ETAG_BYTES = sizeof("\"0123456789abcdef0123456789abcdef\""),
};

// A stored chunk and where it ends in the content.
typedef struct piece {
    uint32_t ordinal;
    uint64_t end;
} piece;

// What an ETag is made of, for each chunk of the content.
typedef struct fingerprint {
    uint64_t size_bytes;
    uint64_t content_hash;
} fingerprint;

struct http_download {
    blobs *blobs;
    char session_id[CATALOG_ID_CHARS + 1];
    char disposition[HTTP_FILE_NAME_DISPOSITION_BYTES]; // the value of Content-Disposition
    lp_buf pieces;                                      // piece
    lp_buf fingerprints; // fingerprint, of stored chunks and the tail's chunks
    uint64_t stored_bytes;
    snapshot *pending; // that has the tail, until the answer is queued; NULL: none
    bool has_sample_contexts;
    http_rewritten *rewritten; // NULL: not reserved
    lp_err rewrite_err;
    uint64_t size_bytes; // MHD_SIZE_UNKNOWN before a rewriting
    uint64_t offset;     // of the answer's first byte in the content
    int tail_fd;         // the tail once it is spilled, which may be all of the content
    int chunk_fd;        // the chunk that was read last
    size_t chunk_index;
    bool is_sent; // counts as an active download
};

http_download *
http_download_create(blobs *store, const catalog_session *session)
{
    http_download *download = calloc(1, sizeof(*download));
    if (download == NULL) {
        return NULL;
    }
    download->blobs = store;
    (void)snprintf(download->session_id, sizeof(download->session_id), "%s", session->id);
    http_file_name_format(session, download->disposition);
    download->tail_fd = -1;
    download->chunk_fd = -1;
    return download;
}

static void
close_fd(int *fd)
{
    if (*fd >= 0) {
        (void)close(*fd);
        *fd = -1;
    }
}

void
http_download_destroy(http_download *download)
{
    if (download == NULL) {
        return;
    }
    close_fd(&download->tail_fd);
    close_fd(&download->chunk_fd);
    if (download->rewritten != NULL) { // its file is gone
        atomic_fetch_sub_explicit(&download->rewritten->count, 1, memory_order_relaxed);
    }
    if (download->is_sent) {
        metrics_sub(METRICS_http_downloads_active, 1);
    }
    snapshot_unref(download->pending);
    lp_buf_fini(&download->pieces);
    lp_buf_fini(&download->fingerprints);
    free(download);
}

static void
add_fingerprint(http_download *download, uint64_t size_bytes, uint64_t content_hash)
{
    fingerprint print = {.size_bytes = size_bytes, .content_hash = content_hash};
    lp_buf_append(&download->fingerprints, &print, sizeof(print));
}

lp_err
http_download_add_chunk(http_download *download, const catalog_chunk *chunk)
{
    download->stored_bytes += chunk->size_bytes;
    download->size_bytes += chunk->size_bytes;
    piece added = {.ordinal = chunk->ordinal, .end = download->stored_bytes};
    lp_buf_append(&download->pieces, &added, sizeof(added));
    add_fingerprint(download, chunk->size_bytes, chunk->content_hash);
    lp_err err = lp_buf_check(&download->pieces);
    return err != LP_OK ? err : lp_buf_check(&download->fingerprints);
}

// tail_of returns the chunks behind the stored ones.
static lp_slice
tail_of(const http_download *download)
{
    return download->pending == NULL ? (lp_slice){0} : lp_buf_slice(&download->pending->jfr);
}

static void
drop_tail(http_download *download)
{
    snapshot_unref(download->pending);
    download->pending = NULL;
}

lp_err
http_download_set_tail(http_download *download, snapshot *pending)
{
    download->pending = snapshot_ref(pending);
    download->size_bytes = download->stored_bytes + pending->jfr.len;
    // Chunk by chunk, so that the tag does not depend on which of them are stored already.
    lp_slice rest = tail_of(download);
    while (rest.len > 0) {
        lp_slice chunk = snapshot_take_chunk(&rest);
        add_fingerprint(download, chunk.len, blobs_hash(chunk));
    }
    return lp_buf_check(&download->fingerprints);
}

uint64_t
http_download_get_size(const http_download *download)
{
    return download->size_bytes;
}

void
http_download_set_sample_contexts(http_download *download)
{
    download->has_sample_contexts = true;
    download->size_bytes = MHD_SIZE_UNKNOWN;
}

lp_err
http_download_reserve(http_download *download, http_rewritten *rewritten)
{
    unsigned before = atomic_fetch_add_explicit(&rewritten->count, 1, memory_order_relaxed);
    if (before >= HTTP_REWRITTEN_MAX) {
        atomic_fetch_sub_explicit(&rewritten->count, 1, memory_order_relaxed);
        metrics_add(METRICS_http_rewritings_refused, 1);
        return LP_ELIMIT;
    }
    download->rewritten = rewritten;
    return LP_OK;
}

// format_etag makes the tag of the chunks that the content is made of, and of how it is made.
static void
format_etag(const http_download *download, char out_etag[ETAG_BYTES])
{
    uint64_t rewriting = download->has_sample_contexts ? COMPACT_SAMPLE_CONTEXTS_VERSION : 0;
    lp_hash_wide hash =
        lp_hash_bytes_wide(LP_HASH_FIXED + rewriting, lp_buf_slice(&download->fingerprints));
    (void)snprintf(out_etag, ETAG_BYTES, "\"%016" PRIx64 "%016" PRIx64 "\"", hash.high, hash.low);
}

// --- Reading.

static size_t
piece_count(const http_download *download)
{
    return download->pieces.len / sizeof(piece);
}

static const piece *
piece_at(const http_download *download, size_t index)
{
    return (const piece *)(const void *)download->pieces.ptr + index;
}

static const fingerprint *
fingerprint_at(const http_download *download, size_t index)
{
    return (const fingerprint *)(const void *)download->fingerprints.ptr + index;
}

// find_piece returns the stored chunk that holds offset, which is below stored_bytes.
static size_t
find_piece(const http_download *download, uint64_t offset)
{
    size_t begin = 0;
    size_t end = piece_count(download) - 1;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (piece_at(download, middle)->end <= offset) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

// open_piece makes chunk_fd the file of a stored chunk. A file of another size than the catalog
// says was replaced in the meantime: going on would mix two contents.
static lp_err
open_piece(http_download *download, size_t index, uint64_t size_bytes)
{
    if (download->chunk_fd >= 0 && download->chunk_index == index) {
        return LP_OK;
    }
    close_fd(&download->chunk_fd);
    lp_err err = blobs_open_chunk(download->blobs, download->session_id,
        piece_at(download, index)->ordinal, &download->chunk_fd);
    if (err != LP_OK) {
        return err;
    }
    download->chunk_index = index;
    struct stat info;
    if (fstat(download->chunk_fd, &info) != 0) {
        return LP_EIO;
    }
    return (uint64_t)info.st_size == size_bytes ? LP_OK : LP_ECORRUPT;
}

// read_at reads up to size_max bytes of the content from offset on, of one file.
static ssize_t
read_at(http_download *download, uint64_t offset, char *bytes, size_t size_max)
{
    int fd = download->tail_fd;
    uint64_t begin = download->stored_bytes;
    uint64_t end = download->size_bytes;
    if (offset < download->stored_bytes) {
        size_t index = find_piece(download, offset);
        begin = index == 0 ? 0 : piece_at(download, index - 1)->end;
        end = piece_at(download, index)->end;
        lp_err err = open_piece(download, index, end - begin);
        if (err != LP_OK) {
            lp_log(LP_LOG_ERROR, "recording %s: chunk %" PRIu32 ": %s", download->session_id,
                piece_at(download, index)->ordinal, lp_err_text(err));
            return -1;
        }
        fd = download->chunk_fd;
    }
    size_t count = end - offset < size_max ? (size_t)(end - offset) : size_max;
    ssize_t done;
    do {
        done = pread(fd, bytes, count, (off_t)(offset - begin));
    } while (done < 0 && errno == EINTR);
    return done;
}

// --- Contexts at samples.

// read_piece reads a stored chunk into out_bytes, which is empty. Errors: LP_ECORRUPT for one that
// is lost or changed; LP_EIO; LP_ENOMEM
static lp_err
read_piece(http_download *download, size_t index, lp_buf *out_bytes)
{
    const fingerprint *print = fingerprint_at(download, index);
    uint32_t ordinal = piece_at(download, index)->ordinal;
    lp_err err = blobs_read_chunk(download->blobs, download->session_id, ordinal, print->size_bytes,
        print->content_hash, out_bytes);
    if (err == LP_ENOENT) {
        err = LP_ECORRUPT;
    }
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "recording %s: chunk %" PRIu32 ": %s", download->session_id, ordinal,
            lp_err_text(err));
    }
    return err;
}

// spill appends bytes to the file that has the rewritten content.
static lp_err
spill(http_download *download, lp_slice bytes)
{
    return download->tail_fd < 0 ? blobs_spill(download->blobs, bytes, &download->tail_fd)
                                 : lp_io_write_all(download->tail_fd, bytes);
}

static lp_err
rewrite_chunk(http_download *download, lp_slice chunk, uint64_t *size_bytes)
{
    lp_buf jfr = {0};
    lp_problem problem = {.text = ""};
    lp_err err = compact_sample_contexts_add(chunk, &jfr, &problem);
    if (err == LP_OK) {
        *size_bytes += jfr.len;
        err = spill(download, lp_buf_slice(&jfr));
    } else {
        lp_log(LP_LOG_ERROR, "recording %s: a compacted chunk: %s", download->session_id,
            problem.text[0] == '\0' ? lp_err_text(err) : problem.text);
    }
    lp_buf_fini(&jfr);
    return err;
}

static lp_err
rewrite_piece(http_download *download, size_t index, uint64_t *size_bytes)
{
    lp_buf bytes = {0};
    lp_err err = read_piece(download, index, &bytes);
    if (err == LP_OK) {
        err = rewrite_chunk(download, lp_buf_slice(&bytes), size_bytes);
    }
    lp_buf_fini(&bytes);
    return err;
}

static lp_err
rewrite_all(http_download *download, const atomic_bool *is_stopping, uint64_t *size_bytes)
{
    size_t count = piece_count(download);
    lp_slice rest = tail_of(download);
    lp_err err = LP_OK;
    for (size_t i = 0; (i < count || rest.len > 0) && err == LP_OK; i++) {
        if (atomic_load_explicit(is_stopping, memory_order_relaxed)) {
            return LP_ECLOSED;
        }
        err = i < count ? rewrite_piece(download, i, size_bytes)
                        : rewrite_chunk(download, snapshot_take_chunk(&rest), size_bytes);
    }
    return err;
}

void
http_download_rewrite(http_download *download, const atomic_bool *is_stopping)
{
    uint64_t size_bytes = 0;
    download->rewrite_err = rewrite_all(download, is_stopping, &size_bytes);
    drop_tail(download);
    lp_buf_fini(&download->pieces);
    close_fd(&download->chunk_fd);
    download->stored_bytes = 0;
    download->size_bytes = size_bytes;
}

// --- Sending.

static ssize_t
on_read(void *arg, uint64_t position, char *bytes, size_t size_max)
{
    http_download *download = arg;
    ssize_t count = read_at(download, download->offset + position, bytes, size_max);
    if (count <= 0) { // libmicrohttpd does not ask beyond the end
        metrics_add(METRICS_http_downloads_broken, 1);
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    metrics_add(METRICS_http_download_bytes, (uint64_t)count);
    return count;
}

static void
on_free(void *arg)
{
    http_download_destroy(arg);
}

// --- Answering.

static http_range
choose_range(struct MHD_Connection *connection, bool is_head, uint64_t size_bytes, const char *etag)
{
    const char *range =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_RANGE);
    const char *if_range =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_RANGE);
    // Ranges are defined for GET alone.
    bool is_current = if_range == NULL || strcmp(if_range, etag) == 0;
    return http_range_parse(!is_head && is_current ? range : NULL, size_bytes);
}

static enum MHD_Result
reply_empty(
    struct MHD_Connection *connection, unsigned status, const http_header *headers, size_t count)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    return http_reply_send(connection, status, response, headers, count);
}

static enum MHD_Result
reply_failure(struct MHD_Connection *connection, http_download *download, lp_err err)
{
    http_download_destroy(download);
    return http_reply_error(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
        "the recording cannot be prepared (%s): the collector's log may tell more",
        lp_err_text(err));
}

static enum MHD_Result
reply_content(struct MHD_Connection *connection, bool is_head, http_download *download,
    const http_range *range, const http_header *headers, size_t count)
{
    if (!is_head && tail_of(download).len > 0 && range->end > download->stored_bytes) {
        lp_err err = blobs_spill(download->blobs, tail_of(download), &download->tail_fd);
        if (err != LP_OK) {
            return reply_failure(connection, download, err);
        }
    }
    drop_tail(download);
    download->offset = range->begin;
    struct MHD_Response *response = MHD_create_response_from_callback(
        range->end - range->begin, BLOCK_BYTES, on_read, download, on_free);
    if (response == NULL) {
        http_download_destroy(download);
    } else {
        download->is_sent = true;
        metrics_add(METRICS_http_downloads_active, 1);
    }
    unsigned status = range->kind == HTTP_RANGE_PART ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK;
    return http_reply_send(connection, status, response, headers, count);
}

static bool
is_known_to_client(struct MHD_Connection *connection, const char *etag)
{
    const char *if_none_match =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_IF_NONE_MATCH);
    return if_none_match != NULL && http_range_matches_any(if_none_match, etag);
}

bool
http_download_needs_rewriting(
    const http_download *download, struct MHD_Connection *connection, const char *method)
{
    char etag[ETAG_BYTES];
    format_etag(download, etag);
    return download->has_sample_contexts && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0 &&
           !is_known_to_client(connection, etag);
}

enum MHD_Result
http_download_reply(struct MHD_Connection *connection, const char *method, http_download *download)
{
    if (download->rewrite_err != LP_OK) {
        return reply_failure(connection, download, download->rewrite_err);
    }
    char etag[ETAG_BYTES];
    char content_range[80];
    uint64_t size_bytes = download->size_bytes;
    bool is_head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    format_etag(download, etag);
    http_range range = choose_range(connection, is_head, size_bytes, etag);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_ETAG, etag},
        {MHD_HTTP_HEADER_CACHE_CONTROL, "no-cache"}, // keep it, but ask whether it changed
        {MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes"},
        {MHD_HTTP_HEADER_CONTENT_RANGE, range.kind == HTTP_RANGE_WHOLE ? NULL : content_range},
        {MHD_HTTP_HEADER_CONTENT_TYPE, "application/octet-stream"},
        {MHD_HTTP_HEADER_CONTENT_DISPOSITION, download->disposition},
    };
    const size_t count = sizeof(headers) / sizeof(headers[0]);
    if (is_known_to_client(connection, etag)) {
        http_download_destroy(download);
        return reply_empty(connection, MHD_HTTP_NOT_MODIFIED, headers, 2);
    }
    if (range.kind == HTTP_RANGE_UNSATISFIABLE) {
        http_download_destroy(download);
        (void)snprintf(content_range, sizeof(content_range), "bytes */%" PRIu64, size_bytes);
        return reply_empty(connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, headers, 4);
    }
    (void)snprintf(content_range, sizeof(content_range), "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64,
        range.begin, range.end - 1, size_bytes);
    return reply_content(connection, is_head, download, &range, headers, count);
}
