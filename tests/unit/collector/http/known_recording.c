// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/http/known_recording.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void
known_recording_add(known_recording *content, size_t size_bytes)
{
    http_fixture_make_chunk(&content->bytes, size_bytes, (unsigned)content->count);
    content->borders[content->count++] = content->bytes.len;
}

lp_slice
known_recording_chunk(const known_recording *content, size_t index)
{
    size_t begin = index == 0 ? 0 : content->borders[index - 1];
    return (lp_slice){.ptr = content->bytes.ptr + begin, .len = content->borders[index] - begin};
}

void
known_recording_set_tail(http_fixture *f, uint32_t next_chunk, lp_slice bytes)
{
    f->server.err = LP_OK;
    f->server.next_chunk = next_chunk;
    lp_buf_clear(&f->server.tail);
    lp_buf_append(&f->server.tail, bytes.ptr, bytes.len);
}

known_recording
known_recording_make(
    http_fixture *f, const size_t *sizes, size_t count, catalog_session *out_session)
{
    known_recording made = {0};
    *out_session = http_fixture_session('a', "shop");
    out_session->is_ended = false;
    for (size_t i = 0; i < count; i++) {
        known_recording_add(&made, sizes[i]);
        if (i < count - 1) {
            http_fixture_store(f, out_session, known_recording_chunk(&made, i), "{}");
        }
    }
    known_recording_set_tail(f, out_session->next_chunk, known_recording_chunk(&made, count - 1));
    return made;
}

known_recording
known_recording_make_small(http_fixture *f, catalog_session *out_session)
{
    static const size_t sizes[] = {80, 68, 100, 90};
    return known_recording_make(f, sizes, 4, out_session);
}

http_answer
known_recording_ask(const http_fixture *f, const char *headers)
{
    return http_client_ask(f->port, "GET", KNOWN_RECORDING_PATH, headers);
}

void
known_recording_check(
    const http_answer *answer, const known_recording *content, size_t begin, size_t end)
{
    assert_true(answer->is_complete);
    assert_int_equal(answer->body.len, end - begin);
    assert_memory_equal(answer->body.ptr, content->bytes.ptr + begin, end - begin);
}

void
known_recording_copy_tag(const http_fixture *f, char out_tag[64])
{
    http_answer answer = http_client_ask(f->port, "HEAD", KNOWN_RECORDING_PATH, "");
    assert_int_equal(answer.status, 200);
    const char *tag = http_client_find_header(&answer, "ETag");
    assert_non_null(tag);
    assert_int_equal(tag[0], '"'); // strong
    (void)snprintf(out_tag, 64, "%s", tag);
    http_answer_fini(&answer);
}

void
known_recording_await_none(const http_fixture *f)
{
    bool is_over = false;
    while (!is_over) { // ctest's time limit ends it
        http_answer answer = http_client_ask(f->port, "GET", "/metrics", "");
        assert_int_equal(answer.status, 200);
        is_over =
            strstr((const char *)answer.body.ptr, "\nloupe_http_downloads_active 0\n") != NULL;
        http_answer_fini(&answer);
    }
}
