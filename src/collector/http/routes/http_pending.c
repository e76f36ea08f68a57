// SPDX-License-Identifier: Apache-2.0
// http_pending: sends the data of a session that is not stored yet to another collector that shares
// the catalog.
//
// Tests:   tests/e2e/cluster.py

#include "collector/base/pending_bytes.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

// An answer while it is sent.
typedef struct sending {
    snapshot *pending;
    lp_buf head; // before the chunks
} sending;

static ssize_t
on_read(void *arg, uint64_t offset, char *out, size_t size_max)
{
    const sending *s = arg;
    if (offset < s->head.len) {
        size_t size = s->head.len - offset < size_max ? s->head.len - offset : size_max;
        memcpy(out, s->head.ptr + offset, size);
        return (ssize_t)size;
    }
    ssize_t size = snapshot_read(s->pending, offset - s->head.len, out, size_max);
    return size > 0 ? size : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void
on_sent(void *arg)
{
    sending *s = arg;
    snapshot_unref(s->pending);
    lp_buf_fini(&s->head);
    free(s);
}

enum MHD_Result
http_pending_reply(http_call *call)
{
    LP_ASSERT(call->came.snapshot != NULL);
    struct MHD_Connection *connection = call->connection;
    snapshot *pending = call->came.snapshot;
    snapshot_check(pending);
    LP_REQUIRE(pending->err == LP_OK,
        http_reply_failure(connection, pending->err, "compacting the latest data"));
    sending *s = calloc(1, sizeof(*s));
    LP_REQUIRE(s != NULL, http_reply_out_of_memory(connection));
    s->pending = snapshot_ref(pending);
    if (pending_bytes_encode(pending, &s->head) != LP_OK) {
        on_sent(s);
        return http_reply_out_of_memory(connection);
    }
    struct MHD_Response *response = MHD_create_response_from_callback(
        s->head.len + pending->size_bytes, BLOCK_BYTES, on_read, s, on_sent);
    if (response == NULL) {
        on_sent(s);
    }
    const http_header type = {MHD_HTTP_HEADER_CONTENT_TYPE, "application/octet-stream"};
    return http_reply_send(connection, MHD_HTTP_OK, response, &type, 1);
}
