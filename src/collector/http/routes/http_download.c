// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_download.h"

#include "collector/base/chunk_ahead.h"
#include "collector/base/metrics.h"
#include "collector/http/routes/http_file_name.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_range.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_vec.h"
#include "engine/compact.h"
#include "engine/restyle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    BLOCK_BYTES = 64 * 1024, // of memory for each download
    ETAG_BYTES = sizeof("\"0123456789abcdef0123456789abcdef\""),
};

// A stored chunk and where it ends in the content.
typedef struct piece {
    uint32_t ordinal;
    uint64_t end;
    uint64_t stored_bytes;
    blob_place place;
} piece;

// The part of a chunk in the ETag.
typedef struct fingerprint {
    uint64_t size_bytes;
    uint64_t content_hash;
} fingerprint;

struct http_download {
    blobs *blobs;
    blobs_reader reader; // of its stored chunks
    char session_id[CATALOG_ID_CHARS + 1];
    char disposition[HTTP_FILE_NAME_DISPOSITION_BYTES]; // the value of Content-Disposition
    LP_VEC(piece) pieces;
    LP_VEC(fingerprint) fingerprints; // of the pieces, then of the tail's chunks
    lp_buf missing;                   // text: the ordinals of chunks left out
    size_t missing_count;
    uint64_t stored_bytes;
    snapshot *pending; // has the tail; NULL: none
    bool has_sample_contexts;
    compact_context_style style;
    http_rewritten *rewritten; // NULL: not reserved
    lp_err rewrite_err;
    uint64_t size_bytes; // MHD_SIZE_UNKNOWN before a rewriting
    uint64_t offset;     // of the answer's first byte in the content
    int rewritten_fd;    // the file with the rewritten content; -1: none
    blob *chunk;         // the stored chunk read last; NULL: none
    size_t chunk_index;
    bool is_sent; // counts as an active download
};

http_download *
http_download_create(blobs *store, const catalog_session *session)
{
    http_download *download = calloc(1, sizeof(*download));
    LP_REQUIRE(download != NULL, NULL);
    download->blobs = store;
    blobs_reader_begin(&download->reader, store, session->id);
    (void)snprintf(download->session_id, sizeof(download->session_id), "%s", session->id);
    http_file_name_format(session, download->disposition);
    download->rewritten_fd = -1;
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
    close_fd(&download->rewritten_fd);
    blob_close(download->chunk);
    blobs_reader_end(&download->reader);
    if (download->rewritten != NULL) { // its file is closed
        unsigned before =
            atomic_fetch_sub_explicit(&download->rewritten->count, 1, memory_order_relaxed);
        LP_ASSERT(before > 0);
    }
    if (download->is_sent) {
        metrics_sub(METRICS_http_downloads_active, 1);
    }
    snapshot_unref(download->pending);
    LP_VEC_FINI(&download->pieces);
    LP_VEC_FINI(&download->fingerprints);
    lp_buf_fini(&download->missing);
    free(download);
}

static lp_err
add_fingerprint(http_download *download, uint64_t size_bytes, uint64_t content_hash)
{
    fingerprint *print = LP_VEC_PUSH(&download->fingerprints);
    LP_REQUIRE(print != NULL, LP_ENOMEM);
    *print = (fingerprint){.size_bytes = size_bytes, .content_hash = content_hash};
    return LP_OK;
}

// leave_out adds a lost chunk to the answer's header.
static lp_err
leave_out(http_download *download, uint32_t ordinal)
{
    char text[sizeof(",4294967295")];
    const char *comma = download->missing_count == 0 ? "" : ",";
    if (download->missing_count < HTTP_MISSING_NAMED_MAX) {
        (void)snprintf(text, sizeof(text), "%s%" PRIu32, comma, ordinal);
    } else {
        (void)snprintf(text, sizeof(text), ",...");
    }
    if (download->missing_count <= HTTP_MISSING_NAMED_MAX) {
        lp_buf_append(&download->missing, text, strlen(text));
    }
    download->missing_count++;
    metrics_add(METRICS_http_chunks_left_out, 1);
    return lp_buf_check(&download->missing);
}

lp_err
http_download_add_chunk(http_download *download, const catalog_chunk *chunk)
{
    LP_ASSERT(download->pending == NULL); // comes after the stored chunks
    if (chunk->is_lost) {
        return leave_out(download, chunk->ordinal);
    }
    if (!blobs_has_chunk(
            download->blobs, download->session_id, chunk->ordinal, chunk->stored_bytes)) {
        const blob_name name = {.session_id = download->session_id, .ordinal = chunk->ordinal};
        blobs_note_failure(download->blobs, &name, LP_ENOENT);
        return leave_out(download, chunk->ordinal);
    }
    piece *added = LP_VEC_PUSH(&download->pieces);
    LP_REQUIRE(added != NULL, LP_ENOMEM);
    download->stored_bytes += chunk->size_bytes;
    download->size_bytes += chunk->size_bytes;
    *added = (piece){.ordinal = chunk->ordinal,
        .end = download->stored_bytes,
        .stored_bytes = chunk->stored_bytes,
        .place = chunk->place};
    return add_fingerprint(download, chunk->size_bytes, chunk->content_hash);
}

lp_err
http_download_set_tail(http_download *download, snapshot *pending)
{
    LP_ASSERT(download->pending == NULL);
    LP_ASSERT(download->fingerprints.count == download->pieces.count);
    download->pending = snapshot_ref(pending);
    download->size_bytes = download->stored_bytes + pending->size_bytes;
    // By chunk, so that the ETag does not depend on which chunks are stored already.
    lp_err err = LP_OK;
    for (size_t i = 0; i < pending->chunks.count && err == LP_OK; i++) {
        const snapshot_chunk *chunk = &pending->chunks.items[i];
        err = add_fingerprint(download, chunk->size_bytes, chunk->content_hash);
    }
    return err;
}

uint64_t
http_download_get_size(const http_download *download)
{
    return download->size_bytes;
}

// is_rewritten returns whether the content differs from the chunks.
static bool
is_rewritten(const http_download *download)
{
    return download->has_sample_contexts || download->style != COMPACT_STYLE_EVENTS;
}

void
http_download_set_contexts(
    http_download *download, compact_context_style style, bool has_sample_contexts)
{
    LP_ASSERT((int)style < COMPACT_STYLES && download->rewritten == NULL);
    download->style = style;
    download->has_sample_contexts = has_sample_contexts;
    if (is_rewritten(download)) {
        download->size_bytes = MHD_SIZE_UNKNOWN;
    }
}

lp_err
http_download_reserve(http_download *download, http_rewritten *rewritten)
{
    LP_ASSERT(download->rewritten == NULL && !download->is_sent);
    unsigned before = atomic_fetch_add_explicit(&rewritten->count, 1, memory_order_relaxed);
    if (before >= HTTP_REWRITTEN_MAX) {
        atomic_fetch_sub_explicit(&rewritten->count, 1, memory_order_relaxed);
        metrics_add(METRICS_http_rewritings_refused, 1);
        return LP_ELIMIT;
    }
    download->rewritten = rewritten;
    return LP_OK;
}

// rewriting_of returns a number for the kind and version of rewriting.
static uint64_t
rewriting_of(const http_download *download)
{
    if (download->style == COMPACT_STYLE_EVENTS) {
        return download->has_sample_contexts ? COMPACT_SAMPLE_CONTEXTS_VERSION : 0;
    }
    uint64_t samples = download->has_sample_contexts ? COMPACT_SAMPLE_CONTEXTS_VERSION : 0;
    return (uint64_t)COMPACT_RESTYLE_VERSION << 32 | (uint64_t)download->style << 24 | samples;
}

// format_etag makes the ETag of the chunks and the rewriting.
static void
format_etag(const http_download *download, char out_etag[ETAG_BYTES])
{
    uint64_t rewriting = rewriting_of(download);
    const lp_slice prints = {(const uint8_t *)download->fingerprints.items,
        download->fingerprints.count * sizeof(fingerprint)};
    lp_hash_wide hash = lp_hash_bytes_wide(LP_HASH_FIXED + rewriting, prints);
    (void)snprintf(out_etag, ETAG_BYTES, "\"%016" PRIx64 "%016" PRIx64 "\"", hash.high, hash.low);
}

// --- Reading.

// find_piece returns the stored chunk that holds offset, which is below stored_bytes.
static size_t
find_piece(const http_download *download, uint64_t offset)
{
    LP_ASSERT(download->pieces.count > 0 && offset < download->stored_bytes);
    size_t index =
        LP_BISECT(download->pieces.items, 0, download->pieces.count - 1, at->end <= offset);
    LP_ASSERT(download->pieces.items[index].end > offset);
    return index;
}

// name_of returns a stored chunk's name and properties in the catalog.
static blob_name
name_of(const http_download *download, size_t index)
{
    LP_ASSERT(index < download->pieces.count && index < download->fingerprints.count);
    const fingerprint *print = &download->fingerprints.items[index];
    const piece *of = &download->pieces.items[index];
    return (blob_name){.session_id = download->session_id,
        .ordinal = of->ordinal,
        .size_bytes = print->size_bytes,
        .content_hash = print->content_hash,
        .stored_bytes = of->stored_bytes,
        .place = of->place};
}

static void
close_piece(http_download *download)
{
    blob_close(download->chunk);
    download->chunk = NULL;
}

static lp_err
open_piece(http_download *download, size_t index)
{
    if (download->chunk != NULL && download->chunk_index == index) {
        return LP_OK;
    }
    close_piece(download);
    const blob_name name = name_of(download, index);
    download->chunk_index = index;
    return blobs_open_chunk(download->blobs, &name, &download->chunk);
}

// read_stored reads up to size_max bytes of a stored chunk. -1 if the chunk is lost or differs from
// the catalog: the answer must break off, or it would mix two contents.
static ssize_t
read_stored(http_download *download, uint64_t offset, char *bytes, size_t size_max)
{
    LP_ASSERT(download->rewritten_fd < 0);
    size_t index = find_piece(download, offset);
    uint64_t begin = index == 0 ? 0 : download->pieces.items[index - 1].end;
    uint64_t left = download->pieces.items[index].end - offset;
    LP_ASSERT(begin <= offset && left > 0);
    size_t count = left < size_max ? (size_t)left : size_max;
    lp_err err = open_piece(download, index);
    if (err == LP_OK) {
        const blob_name name = name_of(download, index);
        err = blob_read(download->chunk, offset - begin, bytes, count);
        blobs_note_failure(download->blobs, &name, err);
    }
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "recording %s: chunk %" PRIu32 ": %s", download->session_id,
            download->pieces.items[index].ordinal, lp_err_reason(err));
        close_piece(download);
        return -1;
    }
    return (ssize_t)count;
}

// read_at reads up to size_max bytes at offset, from one chunk or file.
static ssize_t
read_at(http_download *download, uint64_t offset, char *bytes, size_t size_max)
{
    if (offset < download->stored_bytes) {
        return read_stored(download, offset, bytes, size_max);
    }
    uint64_t left = download->size_bytes - offset;
    size_t count = left < size_max ? (size_t)left : size_max;
    offset -= download->stored_bytes;
    return download->pending != NULL ? snapshot_read(download->pending, offset, bytes, count)
                                     : lp_io_pread(download->rewritten_fd, bytes, count, offset);
}

// --- Rewriting.

// read_piece reads a stored chunk into out_bytes, which is empty. ahead may be NULL. Errors: as
// blobs_read_chunk
static lp_err
read_piece(http_download *download, chunk_ahead *ahead, size_t index, lp_buf *out_bytes)
{
    const blob_name name = name_of(download, index);
    blob *chunk;
    lp_err err = ahead == NULL ? blobs_open_chunk(download->blobs, &name, &chunk)
                               : chunk_ahead_open(ahead, index, &chunk);
    LP_THEN(err, blobs_read_opened(download->blobs, &name, chunk, out_bytes));
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "recording %s: chunk %" PRIu32 ": %s", download->session_id,
            name.ordinal, lp_err_reason(err));
    }
    return err;
}

// spill appends bytes to the file with the rewritten content.
static lp_err
spill(http_download *download, lp_slice bytes)
{
    return download->rewritten_fd < 0 ? blobs_spill(download->blobs, bytes, &download->rewritten_fd)
                                      : lp_io_write_all(download->rewritten_fd, bytes);
}

// is_left_out returns whether an unreadable chunk is left out of an answer that has not begun.
// Local files were checked in http_download_add_chunk.
static bool
is_left_out(const http_download *download, lp_err err)
{
    return blobs_is_remote(download->blobs) && (err == LP_ENOENT || err == LP_ECORRUPT);
}

// A rewriting in progress.
typedef struct rewriting {
    http_download *download;
    const atomic_bool *is_stopping;
    const atomic_bool *is_unwanted;
    uint64_t size_bytes;        // of the new content
    compact_restyler *restyler; // NULL: the style stays
    chunk_ahead *ahead;         // NULL: each chunk is opened when it is read
} rewriting;

// chunk_count returns the number of chunks to rewrite, stored and in the tail.
static size_t
chunk_count(const http_download *download)
{
    const snapshot *pending = download->pending;
    return download->pieces.count + (pending == NULL ? 0 : pending->chunks.count);
}

static bool
is_left_out_before(const http_download *download, size_t index)
{
    return download->fingerprints.items[index].size_bytes == 0;
}

static bool
name_ahead(const void *arg, size_t index, blob_name *out_name)
{
    const http_download *download = arg;
    *out_name = name_of(download, index);
    return !is_left_out_before(download, index);
}

// begin_chunks begins to read all chunks in order. end_chunks ends that.
static void
begin_chunks(rewriting *r)
{
    LP_ASSERT(r->ahead == NULL);
    const http_download *download = r->download;
    const chunk_ahead_list list = {.blobs = download->blobs,
        .count = download->pieces.count,
        .get_name = name_ahead,
        .arg = download};
    r->ahead = blobs_is_remote(download->blobs) ? chunk_ahead_begin(&list) : NULL;
}

static void
end_chunks(rewriting *r)
{
    chunk_ahead_end(r->ahead);
    r->ahead = NULL;
}

// read_chunk reads a chunk into out_bytes, which stays empty for a chunk left out.
static lp_err
read_chunk(const rewriting *r, size_t index, lp_buf *out_bytes)
{
    LP_ASSERT(index < chunk_count(r->download) && out_bytes->len == 0);
    http_download *download = r->download;
    size_t stored = download->pieces.count;
    LP_REQUIRE(!atomic_load_explicit(r->is_stopping, memory_order_relaxed) &&
                   !atomic_load_explicit(r->is_unwanted, memory_order_relaxed),
        LP_ECLOSED);
    if (index >= stored) {
        lp_err err = snapshot_read_chunk(download->pending, index - stored, out_bytes);
        return err == LP_ENOENT ? LP_ECORRUPT : err;
    }
    if (is_left_out_before(download, index)) {
        return LP_OK;
    }
    lp_err err = read_piece(download, r->ahead, index, out_bytes);
    if (err != LP_OK && is_left_out(download, err)) {
        // The content, and so the ETag, differs from the catalog now.
        download->fingerprints.items[index] = (fingerprint){0};
        lp_buf_clear(out_bytes);
        err = leave_out(download, download->pieces.items[index].ordinal);
    }
    return err == LP_ENOENT ? LP_ECORRUPT : err;
}

// each_chunk reads the chunks one by one.
static lp_err
each_chunk(rewriting *r, lp_err (*on_chunk)(rewriting *r, lp_slice chunk))
{
    lp_err err = LP_OK;
    begin_chunks(r);
    for (size_t i = 0; i < chunk_count(r->download) && err == LP_OK; i++) {
        lp_buf bytes = {0};
        err = read_chunk(r, i, &bytes);
        LP_THEN(err, bytes.len > 0 ? on_chunk(r, lp_buf_slice(&bytes)) : LP_OK);
        lp_buf_fini(&bytes);
    }
    end_chunks(r);
    return err;
}

static lp_err
rewrite_chunk(rewriting *r, lp_slice chunk)
{
    const http_download *download = r->download;
    LP_ASSERT(download->style == COMPACT_STYLE_EVENTS);
    lp_buf jfr = {0};
    lp_problem problem = {.text = ""};
    if (!download->has_sample_contexts) { // copied only
        r->size_bytes += chunk.len;
        return spill(r->download, chunk);
    }
    lp_err err = compact_sample_contexts_add(chunk, &jfr, &problem);
    if (err == LP_OK) {
        r->size_bytes += jfr.len;
        err = spill(r->download, lp_buf_slice(&jfr));
    } else {
        lp_log(LP_LOG_ERROR, "recording %s: rewriting a chunk: %s", download->session_id,
            problem.text[0] == '\0' ? lp_err_text(err) : problem.text);
    }
    lp_buf_fini(&jfr);
    return err;
}

static lp_err
survey_chunk(rewriting *r, lp_slice chunk)
{
    return compact_restyler_survey(r->restyler, chunk);
}

static lp_err
restyle_chunk(rewriting *r, lp_slice chunk, lp_slice next)
{
    LP_ASSERT(chunk.len > 0);
    compact_result result;
    lp_problem problem;
    lp_err err = compact_restyler_write(r->restyler, chunk, next, &result, &problem);
    if (err != LP_OK) {
        lp_log(LP_LOG_ERROR, "recording %s: a compacted chunk: %s", r->download->session_id,
            problem.text);
        return err;
    }
    r->size_bytes += result.jfr.len;
    err = spill(r->download, lp_buf_slice(&result.jfr));
    compact_result_fini(&result);
    return err;
}

// restyle_chunks writes each chunk; the restyler also needs the next one.
static lp_err
restyle_chunks(rewriting *r)
{
    LP_ASSERT(r->download->style != COMPACT_STYLE_EVENTS);
    lp_buf chunk = {0};
    lp_err err = LP_OK;
    begin_chunks(r);
    for (size_t i = 0; i <= chunk_count(r->download) && err == LP_OK; i++) {
        lp_buf next = {0};
        bool is_end = i == chunk_count(r->download);
        err = is_end ? LP_OK : read_chunk(r, i, &next);
        if (err == LP_OK && chunk.len > 0 && (is_end || next.len > 0)) {
            err = restyle_chunk(r, lp_buf_slice(&chunk), lp_buf_slice(&next));
        }
        if (next.len > 0 || is_end) {
            lp_buf_fini(&chunk);
            chunk = next;
        } else {
            lp_buf_fini(&next);
        }
    }
    end_chunks(r);
    lp_buf_fini(&chunk);
    return err;
}

static lp_err
rewrite_all(rewriting *r)
{
    const http_download *download = r->download;
    if (download->style == COMPACT_STYLE_EVENTS) {
        return each_chunk(r, rewrite_chunk);
    }
    r->restyler = compact_restyler_create(download->style, download->has_sample_contexts);
    lp_err err = r->restyler == NULL ? LP_ENOMEM : each_chunk(r, survey_chunk);
    LP_THEN(err, restyle_chunks(r));
    compact_restyler_destroy(r->restyler);
    return err;
}

void
http_download_rewrite(
    http_download *download, const atomic_bool *is_stopping, const atomic_bool *is_unwanted)
{
    LP_ASSERT(download->rewritten != NULL && download->rewritten_fd < 0);
    rewriting r = {.download = download, .is_stopping = is_stopping, .is_unwanted = is_unwanted};
    download->rewrite_err = rewrite_all(&r);
    snapshot_unref(download->pending);
    download->pending = NULL;
    LP_VEC_FINI(&download->pieces);
    close_piece(download);
    blobs_reader_end(&download->reader);
    download->stored_bytes = 0;
    download->size_bytes = r.size_bytes;
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

// The number of the first headers that 304 and 416 have.
enum { ETAG_HEADERS = 2, RANGE_HEADERS = 5 };

static http_range
choose_range(const http_call *call, uint64_t size_bytes, const char *etag)
{
    const char *range = http_connection_get_header(call->connection, MHD_HTTP_HEADER_RANGE);
    const char *if_range = http_connection_get_header(call->connection, MHD_HTTP_HEADER_IF_RANGE);
    // Ranges are defined for GET alone.
    bool is_head = strcmp(call->method, MHD_HTTP_METHOD_HEAD) == 0;
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
reply_failure(const http_call *call, lp_err err)
{
    LP_ASSERT(err != LP_OK);
    LP_REQUIRE(err != LP_EIO || !blobs_is_remote(call->shared->config.blobs),
        http_reply_error(call->connection, MHD_HTTP_SERVICE_UNAVAILABLE,
            "the object store does not answer: try again later"));
    return http_reply_error(call->connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
        "cannot prepare the recording (%s): see the collector's log", lp_err_text(err));
}

// reply_content sends the download, of which the response takes ownership.
static enum MHD_Result
reply_content(http_call *call, const http_range *range, const http_header *headers, size_t count)
{
    LP_ASSERT(range->begin <= range->end && !call->came.download->is_sent);
    http_download *download = call->came.download;
    download->offset = range->begin;
    struct MHD_Response *response = MHD_create_response_from_callback(
        range->end - range->begin, BLOCK_BYTES, on_read, download, on_free);
    if (response != NULL) {
        call->came.download = NULL;
        download->is_sent = true;
        metrics_add(METRICS_http_downloads_active, 1);
    }
    unsigned status = range->kind == HTTP_RANGE_PART ? MHD_HTTP_PARTIAL_CONTENT : MHD_HTTP_OK;
    return http_reply_send(call->connection, status, response, headers, count);
}

static bool
is_known_to_client(struct MHD_Connection *connection, const char *etag)
{
    const char *if_none_match =
        http_connection_get_header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
    return if_none_match != NULL && http_range_matches_any(if_none_match, etag);
}

bool
http_download_needs_rewriting(const http_download *download, const http_call *call)
{
    LP_ASSERT(download->rewritten_fd < 0);
    char etag[ETAG_BYTES];
    format_etag(download, etag);
    bool is_far = blobs_is_remote(download->blobs) && download->stored_bytes > 0;
    return (is_rewritten(download) || is_far) && strcmp(call->method, MHD_HTTP_METHOD_HEAD) != 0 &&
           !is_known_to_client(call->connection, etag);
}

enum MHD_Result
http_download_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_CONTENT);
    LP_ASSERT(call->came.download != NULL);
    http_download *download = call->came.download;
    LP_REQUIRE(download->rewrite_err == LP_OK, reply_failure(call, download->rewrite_err));
    if (download->size_bytes == 0) { // no chunk could be copied
        return http_reply_error(call->connection, MHD_HTTP_NOT_FOUND,
            "the recording has no content: all of its stored chunks are lost");
    }
    char etag[ETAG_BYTES];
    char content_range[80];
    uint64_t size_bytes = download->size_bytes;
    format_etag(download, etag);
    http_range range = choose_range(call, size_bytes, etag);
    lp_buf_append(&download->missing, "", 1);
    LP_REQUIRE(lp_buf_check(&download->missing) == LP_OK, reply_failure(call, LP_ENOMEM));
    const char *missing = (const char *)download->missing.ptr;
    const http_header headers[] = {
        {MHD_HTTP_HEADER_ETAG, etag},
        // The client may cache it and must revalidate; shared caches may not.
        {MHD_HTTP_HEADER_CACHE_CONTROL, "private, no-cache"},
        {"Loupe-Missing-Chunks", download->missing_count == 0 ? NULL : missing},
        {MHD_HTTP_HEADER_ACCEPT_RANGES, "bytes"},
        {MHD_HTTP_HEADER_CONTENT_RANGE, range.kind == HTTP_RANGE_WHOLE ? NULL : content_range},
        {MHD_HTTP_HEADER_CONTENT_TYPE, "application/octet-stream"},
        {MHD_HTTP_HEADER_CONTENT_DISPOSITION, download->disposition},
    };
    if (is_known_to_client(call->connection, etag)) {
        return reply_empty(call->connection, MHD_HTTP_NOT_MODIFIED, headers, ETAG_HEADERS);
    }
    if (range.kind == HTTP_RANGE_UNSATISFIABLE) {
        (void)snprintf(content_range, sizeof(content_range), "bytes */%" PRIu64, size_bytes);
        return reply_empty(
            call->connection, MHD_HTTP_RANGE_NOT_SATISFIABLE, headers, RANGE_HEADERS);
    }
    (void)snprintf(content_range, sizeof(content_range), "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64,
        range.begin, range.end - 1, size_bytes);
    return reply_content(call, &range, headers, sizeof(headers) / sizeof(headers[0]));
}
