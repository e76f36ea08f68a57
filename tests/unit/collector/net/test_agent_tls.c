// SPDX-License-Identifier: Apache-2.0

// Agents with TLS: requests and answers are whole and in order, however they are split into
// records. Peers without a required certificate are refused. Failed handshakes are counted and leak
// nothing. Changed files apply from the next connection on, and existing connections stay.
//
// Peers are openssl's s_client, which this thread drives through a socket while it runs the loop,
// bare sockets, and NNG's REQ sockets with mbedTLS.

#include "support/certificates.h"
#include "unit/collector/net/sp_client.h"

#include "collector/base/metrics.h"
#include "collector/net/agent_connection.h"
#include "collector/net/agent_socket.h"
#include "collector/net/agent_stream.h"
#include "common/wire/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <netinet/in.h>
#include <nng/nng.h>
#include <nng/protocol/reqrep0/req.h>
#include <nng/supplemental/tls/tls.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    REQUESTS_MAX = 4096,
    INCOMING_BYTES_MAX = 64 << 20,
    ANSWER_BYTES = 13,
    CONNECTIONS_FEW = 4,
};

static certificates made;

typedef struct fixture {
    uv_loop_t loop;
    tls_files *files;
    agent_socket *socket;
    unsigned port;
    bool is_answering; // each request at once, with its first byte
    agent_socket_request *requests[REQUESTS_MAX];
    size_t count;
    char peer_name[300]; // of the last request; "": none
} fixture;

static void
on_request(void *arg, agent_socket_request *request)
{
    fixture *f = arg;
    const char *name = agent_socket_get_peer_name(request);
    (void)snprintf(f->peer_name, sizeof(f->peer_name), "%s", name == NULL ? "" : name);
    assert_true(f->count < REQUESTS_MAX);
    if (f->is_answering) {
        uint8_t mark = agent_socket_get_bytes(request).ptr[0];
        agent_socket_answer(f->socket, request, (lp_slice){&mark, 1});
        f->count++;
    } else {
        f->requests[f->count++] = request;
    }
}

static void
open_socket(fixture *f, const char *client_ca, size_t connections_max)
{
    certificates_copy(&made, "server.pem", "own.pem");
    certificates_copy(&made, "server.key", "own.key");
    certificates_path cert = certificates_find(&made, "own.pem");
    certificates_path key = certificates_find(&made, "own.key");
    certificates_path ca = certificates_find(&made, client_ca == NULL ? "" : client_ca);
    const tls_files_config files = {
        .cert = cert.text, .key = key.text, .client_ca = client_ca == NULL ? NULL : ca.text};
    lp_problem problem;
    assert_int_equal(tls_files_open(&files, &f->files, &problem), LP_OK);
    const agent_socket_config config = {.loop = &f->loop,
        .url = "tls+tcp://127.0.0.1:0",
        .tls = f->files,
        .tls_connections_max = connections_max,
        .bytes_max = INCOMING_BYTES_MAX,
        .on_request = on_request,
        .arg = f};
    if (agent_socket_start(&config, &f->socket, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    const char *url = agent_socket_get_url(f->socket);
    assert_memory_equal(url, "tls+tcp://127.0.0.1:", 20);
    f->port = (unsigned)strtoul(strrchr(url, ':') + 1, NULL, 10);
}

static fixture *
make_fixture(const char *client_ca, size_t connections_max)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    assert_int_equal(uv_loop_init(&f->loop), 0);
    open_socket(f, client_ca, connections_max);
    return f;
}

static int
set_up(void **state)
{
    *state = make_fixture(NULL, SIZE_MAX);
    return 0;
}

static int
set_up_mutual(void **state)
{
    *state = make_fixture("ca.pem", SIZE_MAX);
    return 0;
}

static int
set_up_few(void **state)
{
    *state = make_fixture(NULL, CONNECTIONS_FEW);
    return 0;
}

static int
tear_down(void **state)
{
    fixture *f = *state;
    agent_socket_close(f->socket);
    for (size_t i = 0; i < f->count && !f->is_answering; i++) {
        agent_socket_drop(f->requests[i]);
    }
    (void)uv_run(&f->loop, UV_RUN_DEFAULT);
    agent_socket_destroy(f->socket);
    tls_files_close(f->files);
    assert_int_equal(metrics_get(METRICS_agent_connections), 0);
    assert_int_equal(metrics_get(METRICS_ingest_queue_bytes), 0);
    assert_int_equal(uv_loop_close(&f->loop), 0);
    free(f);
    return 0;
}

// --- s_client

typedef struct client {
    pid_t pid;
    int fd; // to write what s_client sends, and to read what it receives
} client;

// start_client starts s_client with certificate name (NULL: none) and another option (NULL: none).
static client
start_client(const fixture *f, const char *name, const char *option)
{
    char address[40];
    char own[40];
    char own_key[40];
    int fds[2];
    client started;
    posix_spawn_file_actions_t actions;
    certificates_path ca = certificates_find(&made, "ca.pem");
    certificates_path log = certificates_find(&made, "s_client.log");
    (void)snprintf(address, sizeof(address), "127.0.0.1:%u", f->port);
    (void)snprintf(own, sizeof(own), "%s.pem", name == NULL ? "" : name);
    (void)snprintf(own_key, sizeof(own_key), "%s.key", name == NULL ? "" : name);
    certificates_path cert = certificates_find(&made, own);
    certificates_path key = certificates_find(&made, own_key);
    const char *arguments[20] = {"openssl", "s_client", "-quiet", "-no_ign_eof", "-connect",
        address, "-CAfile", ca.text, "-verify_hostname", "localhost", "-verify_return_error"};
    size_t count = 11;
    if (name != NULL) {
        const char *const more[] = {"-cert", cert.text, "-key", key.text};
        memcpy(&arguments[count], more, sizeof(more));
        count += 4;
    }
    arguments[count] = option;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, fds[1], 0), 0);
    assert_int_equal(posix_spawn_file_actions_adddup2(&actions, fds[1], 1), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(
                         &actions, 2, log.text, O_WRONLY | O_CREAT | O_APPEND, 0600),
        0);
    assert_int_equal(posix_spawnp(&started.pid, "openssl", &actions, NULL,
                         (char *const *)(uintptr_t)arguments, environ),
        0);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)close(fds[1]);
    started.fd = fds[0];
    return started;
}

static void
end_client(client *c)
{
    int status;
    (void)close(c->fd);
    (void)kill(c->pid, SIGKILL);
    assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
}

// greet_by exchanges greetings. Returns false if the connection has ended.
static bool
greet_by(fixture *f, const client *c)
{
    static const uint8_t replier[] = {0, 'S', 'P', 0, 0, 0x31, 0, 0};
    uint8_t greeting[sizeof(replier)];
    ssize_t sent = send(c->fd, SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING), MSG_NOSIGNAL);
    bool is_greeted = sent == (ssize_t)sizeof(SP_CLIENT_GREETING) &&
                      sp_client_receive(&f->loop, c->fd, greeting, sizeof(greeting));
    if (is_greeted) {
        assert_memory_equal(greeting, replier, sizeof(replier));
    }
    return is_greeted;
}

static void
assert_answer(fixture *f, const client *c, uint32_t id, uint8_t mark)
{
    uint8_t bytes[ANSWER_BYTES];
    const uint8_t wanted[ANSWER_BYTES] = {0, 0, 0, 0, 0, 0, 0, 5, (uint8_t)(id >> 24 | 0x80),
        (uint8_t)(id >> 16), (uint8_t)(id >> 8), (uint8_t)id, mark};
    assert_true(sp_client_receive(&f->loop, c->fd, bytes, sizeof(bytes)));
    assert_memory_equal(bytes, wanted, sizeof(wanted));
}

static void
await_requests(fixture *f, size_t count)
{
    SP_CLIENT_AWAIT(&f->loop, f->count >= count);
    assert_int_equal(f->count, count);
}

// --- Requests and answers

static void
test_both_versions_carry_requests(void **state)
{
    static const char *const versions[] = {"-tls1_3", "-tls1_2"};
    fixture *f = *state;
    f->is_answering = true;
    for (size_t i = 0; i < 2; i++) {
        client c = start_client(f, NULL, versions[i]);
        assert_true(greet_by(f, &c));
        sp_client_ask(&f->loop, c.fd, 7, 'a', 3);
        assert_answer(f, &c, 7, 'a');
        assert_string_equal(f->peer_name, "");
        end_client(&c);
    }
    uint64_t before = metrics_get(METRICS_agent_connections_cut_tls);
    client old = start_client(f, NULL, "-tls1_1");
    assert_false(greet_by(f, &old));
    end_client(&old);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections_cut_tls) == before + 1);
}

// A record holds some 600 of these messages. A turn takes a few and 64 may be unanswered: the rest
// is in TLS, where poll does not see it.
static void
test_many_messages_of_one_record(void **state)
{
    enum { COUNT = 2000, MESSAGE_BYTES = 13 };
    fixture *f = *state;
    client c = start_client(f, NULL, NULL);
    uint8_t *all = calloc(COUNT, MESSAGE_BYTES);
    assert_non_null(all);
    assert_true(greet_by(f, &c));
    for (size_t i = 0; i < COUNT; i++) {
        const uint8_t message[MESSAGE_BYTES] = {
            0, 0, 0, 0, 0, 0, 0, 5, 0x80, 0, (uint8_t)(i >> 8), (uint8_t)i, (uint8_t)i};
        memcpy(all + i * MESSAGE_BYTES, message, MESSAGE_BYTES);
    }
    sp_client_send(&f->loop, c.fd, all, COUNT * MESSAGE_BYTES);
    free(all);
    await_requests(f, AGENT_CONNECTION_UNANSWERED_MAX);
    for (size_t i = 0; i < COUNT; i++) { // answers come from outside the connection's turn
        SP_CLIENT_AWAIT(&f->loop, f->count > i);
        uint8_t mark = agent_socket_get_bytes(f->requests[i]).ptr[0];
        agent_socket_answer(f->socket, f->requests[i], (lp_slice){&mark, 1});
        f->requests[i] = NULL;
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_answer(f, &c, (uint32_t)i, (uint8_t)i);
    }
    await_requests(f, COUNT);
    end_client(&c);
}

static void
test_large_messages_both_ways(void **state)
{
    enum { ANSWER_SIZE = 1500 * 1000 };
    fixture *f = *state;
    client c = start_client(f, NULL, NULL);
    assert_true(greet_by(f, &c));
    sp_client_ask(&f->loop, c.fd, 1, 'a', WIRE_MESSAGE_BYTES_MAX - 4);
    await_requests(f, 1);
    lp_slice got = agent_socket_get_bytes(f->requests[0]);
    assert_int_equal(got.len, WIRE_MESSAGE_BYTES_MAX - 4);
    for (size_t i = 0; i < got.len; i++) {
        assert_int_equal(got.ptr[i], 'a');
    }
    // Larger than the sockets' buffers: it is received piece by piece.
    uint8_t *large = malloc(ANSWER_SIZE);
    uint8_t *back = malloc(ANSWER_SIZE + 12);
    assert_true(large != NULL && back != NULL);
    for (size_t i = 0; i < ANSWER_SIZE; i++) {
        large[i] = (uint8_t)(i * 7 >> 3);
    }
    agent_socket_answer(f->socket, f->requests[0], (lp_slice){large, ANSWER_SIZE});
    for (int i = 0; i < 20; i++) {
        sp_client_turn(&f->loop);
    }
    assert_true(sp_client_receive(&f->loop, c.fd, back, ANSWER_SIZE + 12));
    assert_memory_equal(back + 12, large, ANSWER_SIZE);
    free(large);
    free(back);
    f->count = 0;
    sp_client_ask(&f->loop, c.fd, 2, 'b', 5); // it goes on
    await_requests(f, 1);
    end_client(&c);
}

// --- Who gets in

static void
test_agents_show_who_they_are(void **state)
{
    static const char *const cases[][2] = {
        {"agent", "agent-7.example"}, {"named", "agent-8"}, {"spaced", "agent of 9"}};
    fixture *f = *state;
    f->is_answering = true;
    for (size_t i = 0; i < 6; i++) {
        client c = start_client(f, cases[i / 2][0], i % 2 == 0 ? "-tls1_3" : "-tls1_2");
        assert_true(greet_by(f, &c));
        sp_client_ask(&f->loop, c.fd, 7, 'a', 3);
        assert_answer(f, &c, 7, 'a');
        assert_string_equal(f->peer_name, cases[i / 2][1]);
        end_client(&c);
    }
}

static void
test_who_cannot_show_it_does_not_get_in(void **state)
{
    static const char *const names[] = {NULL, "agent-expired", "agent-stranger"};
    fixture *f = *state;
    f->is_answering = true;
    size_t descriptors = 0;
    for (size_t i = 0; i < 12; i++) {
        uint64_t before = metrics_get(METRICS_agent_connections_cut_tls);
        client c = start_client(f, names[i % 3], i % 2 == 0 ? "-tls1_3" : "-tls1_2");
        if (greet_by(f, &c)) {
            fail_msg("%s got in", names[i % 3] == NULL ? "nobody" : names[i % 3]);
        }
        SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections_cut_tls) == before + 1);
        end_client(&c);
        SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
        if (i == 2) {
            descriptors = sp_client_count_descriptors();
        }
    }
    assert_int_equal(f->count, 0);
    assert_int_equal(sp_client_count_descriptors(), descriptors);
    client c = start_client(f, "agent", NULL); // others are served
    assert_true(greet_by(f, &c));
    end_client(&c);
}

// --- Failed handshakes

static int
connect_bare(const fixture *f)
{
    char url[40];
    (void)snprintf(url, sizeof(url), "tcp://127.0.0.1:%u", f->port);
    return sp_client_connect(url);
}

// hello is the first message of a handshake, as openssl sends it.
static size_t
take_hello(fixture *f, uint8_t *out, size_t size)
{
    // A listener of ours hears what s_client says first.
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    unsigned port = f->port;
    f->port = ntohs(address.sin_port);
    client c = start_client(f, NULL, NULL);
    f->port = port;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    ssize_t got = recv(fd, out, size, 0);
    assert_true(got > 100);
    (void)close(fd);
    (void)close(listener);
    end_client(&c);
    return (size_t)got;
}

static void
test_broken_handshakes_are_counted_and_leave_nothing(void **state)
{
    enum { ROUNDS = 400 };
    uint8_t hello[2000];
    fixture *f = *state;
    size_t size = take_hello(f, hello, sizeof(hello));
    int first = connect_bare(f); // allocates what is made once
    sp_client_send(&f->loop, first, "x\r\n\r\n", 5);
    sp_client_await_end(&f->loop, first);
    size_t descriptors = sp_client_count_descriptors();
    uint64_t before = metrics_get(METRICS_agent_connections_cut_tls);
    uint64_t wanted = 0;
    for (size_t i = 0; i < ROUNDS; i++) {
        int fd = connect_bare(f);
        switch (i % 5) {
        case 0: // an agent without TLS
            sp_client_send(&f->loop, fd, SP_CLIENT_GREETING, sizeof(SP_CLIENT_GREETING));
            sp_client_await_end(&f->loop, fd);
            wanted++;
            break;
        case 1:
            sp_client_send(&f->loop, fd, "GET / HTTP/1.1\r\n\r\n", 18);
            sp_client_await_end(&f->loop, fd);
            wanted++;
            break;
        case 2: { // it closes after our first message
            uint8_t heard;
            sp_client_send(&f->loop, fd, hello, size);
            assert_true(sp_client_receive(&f->loop, fd, &heard, 1));
            sp_client_reset(fd);
            wanted++;
            break;
        }
        case 3: // a part of it
            sp_client_send(&f->loop, fd, hello, i % size);
            sp_client_reset(fd);
            break;
        default: // just somebody who looks whether anybody is there
            assert_int_equal(close(fd), 0);
        }
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
    assert_int_equal(metrics_get(METRICS_agent_connections_cut_tls), before + wanted);
    assert_int_equal(sp_client_count_descriptors(), descriptors);
    assert_int_equal(f->count, 0);
    client c = start_client(f, NULL, NULL); // others are served
    assert_true(greet_by(f, &c));
    end_client(&c);
}

// --- A peer that closes after its last message

// Bytes that a peer with GnuTLS holds back until send_held.
typedef struct held_peer {
    gnutls_session_t session;
    int fd;
    lp_buf held;
} held_peer;

static ssize_t
hold(gnutls_transport_ptr_t arg, const void *bytes, size_t size)
{
    held_peer *peer = arg;
    lp_buf_append(&peer->held, bytes, size);
    return (ssize_t)size;
}

static ssize_t
pull(gnutls_transport_ptr_t arg, void *out, size_t size)
{
    held_peer *peer = arg;
    ssize_t got = recv(peer->fd, out, size, MSG_DONTWAIT);
    gnutls_transport_set_errno(peer->session, errno);
    return got;
}

static void
send_held(held_peer *peer)
{
    assert_int_equal(
        send(peer->fd, peer->held.ptr, peer->held.len, MSG_NOSIGNAL), (ssize_t)peer->held.len);
    lp_buf_clear(&peer->held);
}

// shake_but_for_the_end shakes hands until only the peer's last message is missing.
static void
shake_but_for_the_end(fixture *f, held_peer *peer, gnutls_certificate_credentials_t nobody)
{
    *peer = (held_peer){.fd = connect_bare(f)};
    assert_int_equal(gnutls_init(&peer->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK), 0);
    assert_int_equal(gnutls_set_default_priority(peer->session), 0);
    assert_int_equal(gnutls_credentials_set(peer->session, GNUTLS_CRD_CERTIFICATE, nobody), 0);
    gnutls_transport_set_ptr(peer->session, peer);
    gnutls_transport_set_push_function(peer->session, hold);
    gnutls_transport_set_pull_function(peer->session, pull);
    int code;
    SP_CLIENT_AWAIT(&f->loop, (code = gnutls_handshake(peer->session)) == 0 ||
                                  (code == GNUTLS_E_AGAIN && (send_held(peer), false)));
    assert_int_equal(gnutls_protocol_get_version(peer->session), GNUTLS_TLS1_3);
    assert_true(peer->held.len > 0);
}

// The loop sees the end of the connection, and a finished handshake.
static void
test_the_last_word_of_a_handshake_and_a_reset(void **state)
{
    enum { ROUNDS = 20 };
    fixture *f = *state;
    gnutls_certificate_credentials_t nobody;
    assert_int_equal(gnutls_certificate_allocate_credentials(&nobody), 0);
    for (size_t i = 0; i < ROUNDS; i++) {
        held_peer peer;
        shake_but_for_the_end(f, &peer, nobody);
        send_held(&peer);
        sp_client_reset(peer.fd);
        gnutls_deinit(peer.session);
        lp_buf_fini(&peer.held);
        SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
    }
    gnutls_certificate_free_credentials(nobody);
    client c = start_client(f, NULL, NULL); // others are served
    assert_true(greet_by(f, &c));
    end_client(&c);
}

// raise_descriptors raises the limit of descriptors, which the socket reads at its start.
static void
raise_descriptors(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static uint64_t
descriptors_max(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    return limit.rlim_cur;
}

// A ClientHello of CLAIMED bytes, in records.
enum { CLAIMED = 100000, RECORD = 16384, RECORD_HEAD = 5, FLIGHT = 7 * (RECORD_HEAD + RECORD) };

static uint8_t *
make_large_hello(void)
{
    uint8_t *bytes = calloc(1, FLIGHT);
    assert_non_null(bytes);
    for (size_t at = 0; at < FLIGHT; at += RECORD_HEAD + RECORD) {
        const uint8_t head[RECORD_HEAD] = {22, 3, 1, RECORD >> 8, RECORD & 0xff};
        memcpy(bytes + at, head, sizeof(head));
    }
    const uint8_t message[] = {1, CLAIMED >> 16, CLAIMED >> 8 & 0xff, CLAIMED & 0xff};
    memcpy(bytes + RECORD_HEAD, message, sizeof(message));
    return bytes;
}

// push sends up to size bytes without blocking.
static void
push(int fd, const uint8_t *bytes, size_t size, size_t *sent)
{
    ssize_t more = send(fd, bytes + *sent, size - *sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    *sent += more > 0 ? (size_t)more : 0;
}

static void
test_a_handshake_that_is_too_large_ends(void **state)
{
    fixture *f = *state;
    uint8_t *bytes = make_large_hello();
    uint64_t before = metrics_get(METRICS_agent_connections_cut_handshake_large);
    size_t sent = 0;
    int fd = connect_bare(f);
    SP_CLIENT_AWAIT(
        &f->loop, (push(fd, bytes, FLIGHT, &sent),
                      metrics_get(METRICS_agent_connections_cut_handshake_large) == before + 1));
    assert_true(sent >= AGENT_STREAM_HANDSHAKE_BYTES_MAX);
    assert_int_equal(close(fd), 0);
    free(bytes);
    client c = start_client(f, NULL, NULL); // others are served
    assert_true(greet_by(f, &c));
    end_client(&c);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

static void
test_handshakes_have_so_many_bytes_in_all(void **state)
{
    enum { BYTES = 60000, COUNT = AGENT_SOCKET_SHAKING_BYTES_MAX / BYTES + 50 };
    fixture *f = *state;
    if (descriptors_max() < 4 * COUNT) {
        skip();
    }
    uint8_t *bytes = make_large_hello();
    uint64_t before = metrics_get(METRICS_agent_connections_cut_handshake_large);
    int *fds = calloc(COUNT, sizeof(*fds));
    assert_non_null(fds);
    for (size_t i = 0; i < COUNT; i++) {
        size_t sent = 0;
        fds[i] = connect_bare(f);
        sp_client_turn(&f->loop); // accepts that many at once
        SP_CLIENT_AWAIT(&f->loop, (push(fds[i], bytes, BYTES, &sent), sent == BYTES));
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections_cut_handshake_large) > before);
    client c = start_client(f, NULL, NULL); // whose handshake is small
    assert_true(greet_by(f, &c));
    end_client(&c);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    free(fds);
    free(bytes);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

static void
test_the_oldest_handshake_makes_room(void **state)
{
    enum { COUNT = AGENT_SOCKET_SHAKING_MAX + 10 };
    fixture *f = *state;
    if (descriptors_max() < 4 * COUNT) {
        skip();
    }
    uint64_t before = metrics_get(METRICS_agent_connections_cut_tls);
    int *fds = calloc(COUNT, sizeof(*fds));
    assert_non_null(fds);
    for (size_t i = 0; i < COUNT; i++) {
        fds[i] = connect_bare(f);
        if (i % 8 == 0) { // accepts that many at once
            sp_client_turn(&f->loop);
        }
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections_cut_tls) == before + 10);
    client c = start_client(f, NULL, NULL); // a newcomer gets through
    assert_true(greet_by(f, &c));
    for (size_t i = 0; i < 10; i++) {
        sp_client_await_end(&f->loop, fds[i]);
    }
    for (size_t i = 10; i < COUNT; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    free(fds);
    end_client(&c);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

// --- How many there are

static int
connect_bare_from(const fixture *f, const char *source)
{
    struct sockaddr_in own = {.sin_family = AF_INET};
    struct sockaddr_in to = {.sin_family = AF_INET,
        .sin_port = htons((uint16_t)f->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(inet_pton(AF_INET, source, &own.sin_addr), 1);
    assert_int_equal(bind(fd, (struct sockaddr *)&own, sizeof(own)), 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof(to)), 0);
    return fd;
}

static void
expect_refused(fixture *f, const char *source)
{
    uint64_t before = metrics_get(METRICS_agent_connections_cut_tls_connections);
    sp_client_await_end(&f->loop, connect_bare_from(f, source));
    assert_int_equal(metrics_get(METRICS_agent_connections_cut_tls_connections), before + 1);
}

static void
expect_served(fixture *f, const client *c, uint32_t id)
{
    sp_client_ask(&f->loop, c->fd, id, 'a', 3);
    assert_answer(f, c, id, 'a');
}

static void
test_there_are_so_many_connections(void **state)
{
    static const char *const sources[CONNECTIONS_FEW] = {
        "-bind=127.0.0.1:0", "-bind=127.0.0.1:0", "-bind=127.0.0.2:0", "-bind=127.0.0.2:0"};
    fixture *f = *state;
    client clients[CONNECTIONS_FEW];
    f->is_answering = true;
    for (size_t i = 0; i < CONNECTIONS_FEW; i++) {
        clients[i] = start_client(f, NULL, sources[i]);
        assert_true(greet_by(f, &clients[i]));
        if (i == 1) {
            expect_refused(f, "127.0.0.1"); // it has half of all
        }
    }
    expect_refused(f, "127.0.0.3"); // all are taken
    for (size_t i = 0; i < CONNECTIONS_FEW; i++) {
        expect_served(f, &clients[i], 7);
    }
    end_client(&clients[0]);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == CONNECTIONS_FEW - 1);
    clients[0] = start_client(f, NULL, "-bind=127.0.0.3:0"); // a closed connection frees a place
    assert_true(greet_by(f, &clients[0]));
    for (size_t i = 0; i < CONNECTIONS_FEW; i++) {
        expect_served(f, &clients[i], 8);
        end_client(&clients[i]);
    }
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

static void
test_who_is_silent_makes_room_for_others(void **state)
{
    static const char *const sources[CONNECTIONS_FEW] = {
        "127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"};
    fixture *f = *state;
    int fds[CONNECTIONS_FEW];
    uint64_t before = metrics_get(METRICS_agent_connections_cut_tls_connections);
    for (size_t i = 0; i < CONNECTIONS_FEW; i++) {
        fds[i] = connect_bare_from(f, sources[i]);
        SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == i + 1);
    }
    client c = start_client(f, NULL, "-bind=127.0.0.3:0");
    assert_true(greet_by(f, &c));
    assert_int_equal(metrics_get(METRICS_agent_connections), CONNECTIONS_FEW);
    assert_int_equal(metrics_get(METRICS_agent_connections_cut_tls_connections), before + 1);
    sp_client_await_end(&f->loop, fds[0]); // the oldest
    for (size_t i = 1; i < CONNECTIONS_FEW; i++) {
        assert_int_equal(close(fds[i]), 0);
    }
    end_client(&c);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

// --- Files that change

static void
test_files_change_under_a_connection(void **state)
{
    fixture *f = *state;
    f->is_answering = true;
    client c = start_client(f, "agent", NULL);
    assert_true(greet_by(f, &c));
    sp_client_ask(&f->loop, c.fd, 1, 'a', 3);
    assert_answer(f, &c, 1, 'a');
    certificates_copy(&made, "stranger.pem", "own.pem");
    certificates_copy(&made, "stranger.key", "own.key");
    tls_files_look(f->files);
    sp_client_ask(&f->loop, c.fd, 2, 'b', 100000);
    assert_answer(f, &c, 2, 'b');
    client next = start_client(f, "agent", NULL); // it gets the new one, and does not trust it
    assert_false(greet_by(f, &next));
    end_client(&next);
    certificates_copy(&made, "renewed.pem", "own.pem");
    certificates_copy(&made, "renewed.key", "own.key");
    tls_files_look(f->files);
    next = start_client(f, "agent", NULL);
    assert_true(greet_by(f, &next));
    sp_client_ask(&f->loop, c.fd, 3, 'c', 3);
    assert_answer(f, &c, 3, 'c');
    end_client(&next);
    end_client(&c);
}

// --- NNG's requesters

static void
give_tls(nng_dialer dialer)
{
    nng_tls_config *config;
    certificates_path ca = certificates_find(&made, "ca.pem");
    certificates_path cert = certificates_find(&made, "agent.pem");
    char both[CERTIFICATES_PATH_BYTES + 8];
    char command[4 * CERTIFICATES_PATH_BYTES];
    (void)snprintf(both, sizeof(both), "%s.both", cert.text);
    (void)snprintf(command, sizeof(command), "cat '%s' '%s' > '%s'", cert.text,
        certificates_find(&made, "agent.key").text, both);
    assert_int_equal(system(command), 0); // NOLINT(cert-env33-c): paths of ours
    assert_int_equal(nng_tls_config_alloc(&config, NNG_TLS_MODE_CLIENT), 0);
    assert_int_equal(nng_tls_config_server_name(config, "localhost"), 0);
    assert_int_equal(nng_tls_config_ca_file(config, ca.text), 0);
    assert_int_equal(nng_tls_config_cert_key_file(config, both, NULL), 0);
    assert_int_equal(nng_dialer_set_ptr(dialer, NNG_OPT_TLS_CONFIG, config), 0);
    nng_tls_config_free(config);
}

static atomic_bool is_done; // the aio

static void
on_done(void *arg)
{
    (void)arg;
    atomic_store(&is_done, true);
}

static void
await_aio(fixture *f, nng_aio *aio)
{
    SP_CLIENT_AWAIT(&f->loop, atomic_exchange(&is_done, false));
    assert_int_equal(nng_aio_result(aio), 0);
}

static void
test_requesters_of_nng(void **state)
{
    enum { REQUESTS = 50 };
    fixture *f = *state;
    nng_socket socket;
    nng_dialer dialer;
    nng_aio *aio;
    char url[60];
    f->is_answering = true;
    (void)snprintf(url, sizeof(url), "tls+tcp://127.0.0.1:%u", f->port);
    assert_int_equal(nng_req0_open(&socket), 0);
    assert_int_equal(nng_dialer_create(&dialer, socket, url), 0);
    give_tls(dialer);
    assert_int_equal(nng_dialer_start(dialer, NNG_FLAG_NONBLOCK), 0);
    assert_int_equal(nng_aio_alloc(&aio, on_done, NULL), 0);
    for (size_t i = 0; i < REQUESTS; i++) {
        nng_msg *message;
        size_t size = 1 + i * i * 400; // up to 960 KB
        assert_int_equal(nng_msg_alloc(&message, size), 0);
        memset(nng_msg_body(message), (int)i, size);
        nng_aio_set_msg(aio, message);
        nng_send_aio(socket, aio);
        await_aio(f, aio);
        nng_recv_aio(socket, aio);
        await_aio(f, aio);
        message = nng_aio_get_msg(aio);
        assert_int_equal(nng_msg_len(message), 1);
        assert_int_equal(*(uint8_t *)nng_msg_body(message), i);
        nng_msg_free(message);
    }
    assert_string_equal(f->peer_name, "agent-7.example");
    assert_int_equal(nng_close(socket), 0);
    nng_aio_free(aio);
    SP_CLIENT_AWAIT(&f->loop, metrics_get(METRICS_agent_connections) == 0);
}

static void
test_tls_needs_a_certificate(void **state)
{
    (void)state;
    uv_loop_t loop;
    agent_socket *socket;
    lp_problem problem;
    assert_int_equal(uv_loop_init(&loop), 0);
    const agent_socket_config config = {.loop = &loop, .url = "tls+tcp://127.0.0.1:0"};
    assert_int_equal(agent_socket_start(&config, &socket, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "--tls-cert"));
    assert_int_equal(uv_loop_close(&loop), 0);
}

#define TEST(name)   cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define MUTUAL(name) cmocka_unit_test_setup_teardown(name, set_up_mutual, tear_down)
#define FEW(name)    cmocka_unit_test_setup_teardown(name, set_up_few, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_both_versions_carry_requests),
        TEST(test_many_messages_of_one_record),
        TEST(test_large_messages_both_ways),
        MUTUAL(test_agents_show_who_they_are),
        MUTUAL(test_who_cannot_show_it_does_not_get_in),
        TEST(test_broken_handshakes_are_counted_and_leave_nothing),
        TEST(test_the_last_word_of_a_handshake_and_a_reset),
        TEST(test_the_oldest_handshake_makes_room),
        TEST(test_a_handshake_that_is_too_large_ends),
        TEST(test_handshakes_have_so_many_bytes_in_all),
        FEW(test_there_are_so_many_connections),
        FEW(test_who_is_silent_makes_room_for_others),
        MUTUAL(test_files_change_under_a_connection),
        MUTUAL(test_requesters_of_nng),
        cmocka_unit_test(test_tls_needs_a_certificate),
    };
    (void)signal(SIGPIPE, SIG_IGN);
    raise_descriptors();
    made = certificates_make();
    int result = cmocka_run_group_tests_name("agent_tls", tests, NULL, NULL);
    temp_dir_remove(&made.dir);
    return result;
}
