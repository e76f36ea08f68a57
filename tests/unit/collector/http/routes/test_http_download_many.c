// SPDX-License-Identifier: Apache-2.0
// Many large downloads at once: clients that leave or are slow, and chunks that are replaced
// meanwhile, harm nobody.

#include "support/large.h"
#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"
#include "unit/collector/http/known_recording.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    LARGE_CHUNK_BYTES = 1500000,
    READ_CHUNK_BYTES = 80000, // where each client reads all of it
    CLIENT_COUNT = 64,
};

static known_recording
make_recording(http_fixture *f, size_t chunk_bytes, catalog_session *out_session)
{
    const size_t sizes[] = {chunk_bytes, 68, chunk_bytes + 1, chunk_bytes - 1, chunk_bytes};
    return known_recording_make(f, sizes, 5, out_session);
}

typedef struct download_client {
    pthread_t thread;
    const http_fixture *fixture;
    const known_recording *content;
    bool is_right;
} download_client;

static void *
run_client(void *arg)
{
    download_client *client = arg;
    http_answer answer = known_recording_ask(client->fixture, "");
    client->is_right = answer.status == 200 && answer.is_complete &&
                       answer.body.len == client->content->bytes.len &&
                       memcmp(answer.body.ptr, client->content->bytes.ptr, answer.body.len) == 0;
    http_answer_fini(&answer);
    return NULL;
}

typedef struct chunk_replacer {
    http_fixture *fixture;
    const known_recording *content;
    const char *session_id;
    atomic_bool is_over;
} chunk_replacer;

// run_replacer puts the same chunks again and again, as a collector that was killed between blob
// and catalog does when it comes back.
static void *
run_replacer(void *arg)
{
    chunk_replacer *replacer = arg;
    while (!atomic_load(&replacer->is_over)) {
        for (uint32_t i = 0; i < 4; i++) {
            if (blobs_put(replacer->fixture->blobs, replacer->session_id, i,
                    known_recording_chunk(replacer->content, i), NULL) != LP_OK) {
                abort();
            }
        }
    }
    return NULL;
}

static void
test_many_downloads_at_once_while_chunks_are_replaced(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content =
        make_recording(f, is_large ? LARGE_CHUNK_BYTES : READ_CHUNK_BYTES, &session);
    f->server.is_threaded = true;
    static download_client clients[CLIENT_COUNT];
    chunk_replacer replacer = {.fixture = f, .content = &content, .session_id = session.id};
    pthread_t replacer_thread;
    assert_int_equal(pthread_create(&replacer_thread, NULL, run_replacer, &replacer), 0);
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        clients[i] = (download_client){.fixture = f, .content = &content};
        assert_int_equal(pthread_create(&clients[i].thread, NULL, run_client, &clients[i]), 0);
    }
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
        assert_true(clients[i].is_right);
    }
    atomic_store(&replacer.is_over, true);
    assert_int_equal(pthread_join(replacer_thread, NULL), 0);
    lp_buf_fini(&content.bytes);
}

static void
test_clients_that_leave_in_mid_download(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = make_recording(f, LARGE_CHUNK_BYTES, &session);
    for (int round = 0; round < 3; round++) {
        int fds[16];
        for (size_t i = 0; i < 16; i++) {
            fds[i] = http_client_ask_slowly(f->port, KNOWN_RECORDING_PATH);
        }
        for (size_t i = 0; i < 16; i++) {
            char bytes[1000];
            assert_true(recv(fds[i], bytes, sizeof(bytes), MSG_WAITALL) == sizeof(bytes));
            if (i % 2 == 0) { // half of them with a reset rather than an end
                struct linger none = {.l_onoff = 1, .l_linger = 0};
                assert_int_equal(setsockopt(fds[i], SOL_SOCKET, SO_LINGER, &none, sizeof(none)), 0);
            }
            assert_int_equal(close(fds[i]), 0);
        }
        known_recording_await_none(f);
    }
    http_answer answer = known_recording_ask(f, "");
    known_recording_check(&answer, &content, 0, content.bytes.len);
    http_answer_fini(&answer);
    lp_buf_fini(&content.bytes);
}

static void
test_slow_clients_hold_up_nobody(void **state)
{
    http_fixture *f = *state;
    catalog_session session;
    known_recording content = make_recording(f, LARGE_CHUNK_BYTES, &session);
    int fds[CLIENT_COUNT];
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        fds[i] = http_client_ask_slowly(f->port, KNOWN_RECORDING_PATH); // and reads nothing
    }
    http_answer answer = known_recording_ask(f, "");
    known_recording_check(&answer, &content, 0, content.bytes.len);
    http_answer_fini(&answer);
    for (size_t i = 0; i < CLIENT_COUNT; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    known_recording_await_none(f);
    lp_buf_fini(&content.bytes);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(test_many_downloads_at_once_while_chunks_are_replaced),
        TEST(test_clients_that_leave_in_mid_download),
        TEST(test_slow_clients_hold_up_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
