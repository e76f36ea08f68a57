// SPDX-License-Identifier: Apache-2.0
// http_page: the files of the page, compressed if the client accepts gzip, with ETags.
//
// Tests:   tests/unit/collector/http/routes/test_http_page.c

#include "collector/base/gzip.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_accept.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_range.h"
#include "collector/http/wire/http_reply.h"
#include "collector/page/page.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ETAG_BYTES = sizeof("\"0123456789abcdef0123456789abcdef-gzip\"") };

// Both pages load from this server only, and no other page may frame them.
#define POLICY_OF_BOTH                                                                             \
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "              \
    "form-action 'none'; frame-ancestors 'none'; "
static const char page_policy[] = POLICY_OF_BOTH "script-src 'self'; style-src 'self'";
// speedscope creates style sheets at run time, contains WebAssembly and has its own font.
static const char speedscope_policy[] = POLICY_OF_BOTH
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; font-src 'self'";

// format_etag makes the ETag of a file as gzip or plain, with base inserted.
static void
format_etag(const page_file *file, const char *base, bool is_gzip, char out_etag[ETAG_BYTES])
{
    lp_hash_wide hash = lp_hash_bytes_wide(LP_HASH_FIXED, page_gzip(file));
    if (base[0] != '\0') {
        hash.low ^=
            lp_hash_bytes_wide(LP_HASH_FIXED, (lp_slice){(const uint8_t *)base, strlen(base)}).low;
    }
    (void)snprintf(out_etag, ETAG_BYTES, "\"%016" PRIx64 "%016" PRIx64 "%s\"", hash.high, hash.low,
        is_gzip ? "-gzip" : "");
}

// put_below inserts base before each path of this server in HTML. A failure is noted in out.
static void
put_below(lp_slice html, const char *base, lp_buf *out)
{
    const uint8_t *end = html.ptr + html.len;
    for (const uint8_t *at = html.ptr; at < end;) {
        const uint8_t *found = memmem(at, (size_t)(end - at), "=\"/", 3);
        const uint8_t *next = found == NULL ? end : found + 2;
        lp_buf_append(out, at, (size_t)(next - at));
        lp_buf_append(out, base, found == NULL ? 0 : strlen(base));
        at = next;
    }
}

// expand writes the plain bytes of the file, with base inserted.
static lp_err
expand(const page_file *file, const char *base, lp_buf *out)
{
    lp_buf bytes = {0};
    lp_err err = gzip_expand(page_gzip(file), &bytes);
    if (err == LP_OK && base[0] != '\0') {
        put_below(lp_buf_slice(&bytes), base, out);
        lp_buf_fini(&bytes);
        return lp_buf_check(out);
    }
    *out = bytes;
    return err;
}

// make_response returns a response with the file. NULL: out of memory.
static struct MHD_Response *
make_response(const page_file *file, const char *base, bool is_gzip)
{
    LP_ASSERT(!is_gzip || base[0] == '\0'); // the gzip bytes have no base
    lp_slice gzip = page_gzip(file);
    if (is_gzip) {
        return MHD_create_response_from_buffer(
            gzip.len, (void *)(uintptr_t)gzip.ptr, MHD_RESPMEM_PERSISTENT); // read only
    }
    lp_buf bytes = {0};
    struct MHD_Response *response = NULL;
    if (expand(file, base, &bytes) == LP_OK) {
        response = MHD_create_response_from_buffer(bytes.len, bytes.ptr, MHD_RESPMEM_MUST_FREE);
    }
    if (response == NULL) {
        lp_buf_fini(&bytes);
    }
    return response;
}

// is_wanted returns whether an unknown path gets the page: a browser reads it (Accept names
// text/html) and it is not the API's.
static bool
is_wanted(const http_call *call)
{
    LP_ASSERT(call->route.file == NULL);
    bool is_read = strcmp(call->method, MHD_HTTP_METHOD_GET) == 0 ||
                   strcmp(call->method, MHD_HTTP_METHOD_HEAD) == 0;
    return is_read && strncmp(call->route.path, "/api/", 5) != 0 &&
           http_accept_prefers(http_connection_get_header(call->connection, MHD_HTTP_HEADER_ACCEPT),
               "text/html", "application/json");
}

// form_of returns the base to insert into a file, "": none, and whether the file is sent as gzip.
// Only index.html has paths; with a base it is sent plain, as it is small.
static const char *
form_of(struct MHD_Connection *connection, const page_file *file, bool *out_is_gzip)
{
    const char *base = page_is_index(file) ? http_connection_get_base(connection)->path : "";
    *out_is_gzip = base[0] == '\0' && http_accept_prefers(http_connection_get_header(connection,
                                                              MHD_HTTP_HEADER_ACCEPT_ENCODING),
                                          "gzip", "identity");
    return base;
}

// reply answers with a file, or, unless is_found, 404 with the page, which shows that the path does
// not exist.
static enum MHD_Result
reply(struct MHD_Connection *connection, const page_file *file, bool is_found)
{
    bool is_gzip;
    const char *base = form_of(connection, file, &is_gzip);
    char etag[ETAG_BYTES];
    format_etag(file, base, is_gzip, etag);
    const char *known = http_connection_get_header(connection, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool is_known = is_found && known != NULL && http_range_matches_any(known, etag);
    const http_header headers[] = {
        {MHD_HTTP_HEADER_CONTENT_TYPE, is_known ? NULL : page_type(file)},
        {MHD_HTTP_HEADER_CONTENT_ENCODING, is_gzip && !is_known ? "gzip" : NULL},
        {MHD_HTTP_HEADER_ETAG, is_found ? etag : NULL},
        {MHD_HTTP_HEADER_VARY, is_found ? "Accept-Encoding" : "Accept, Accept-Encoding"},
        // Found ones are cached, and revalidated by the ETag.
        {MHD_HTTP_HEADER_CACHE_CONTROL, is_found ? "no-cache" : "no-store"},
        {"Content-Security-Policy", page_is_speedscope(file) ? speedscope_policy : page_policy},
        {"Referrer-Policy", "no-referrer"},
    };
    unsigned status = !is_found  ? MHD_HTTP_NOT_FOUND
                      : is_known ? MHD_HTTP_NOT_MODIFIED
                                 : MHD_HTTP_OK;
    return http_reply_send(connection, status,
        is_known ? MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT)
                 : make_response(file, base, is_gzip),
        headers, LP_COUNT(headers));
}

enum MHD_Result
http_page_nowhere(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    return is_wanted(call)
               ? reply(call->connection, page_find("/"), false)
               : http_reply_error(call->connection, MHD_HTTP_NOT_FOUND,
                     "not found: the page is at /, the API at "
                     "/api/v1/recordings, /api/v1/contexts, /api/v1/requests, /api/v1/why, "
                     "/api/v1/policies, /metrics, /healthz and /readyz");
}

enum MHD_Result
http_page_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.file != NULL);
    return reply(call->connection, call->route.file, true);
}
