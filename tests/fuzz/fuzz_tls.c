// SPDX-License-Identifier: Apache-2.0
// Peers of the agents' port under TLS, over real connections: some send any bytes from the first
// one on, others are real clients of GnuTLS whose messages come in pieces, changed, or not at all,
// and which go in the middle of anything. The collector's loop runs when the input says so, and its
// clock goes as fast as that says. Whoever is gone leaves nothing behind, and what was not sent is
// not received; where agents have to show a certificate, nothing of those without one is.
//
//   input: 1 byte: whether agents have to show a certificate; then steps (fuzz_tls_steps.h)

#include "fuzz.h"
#include "fuzz_tls_steps.h"
#include "support/certificates.h"

#include "collector/base/metrics.h"
#include "collector/net/agent_connection.h"
#include "collector/net/agent_listener.h"
#include "collector/net/agent_socket.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/gnutls.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

enum {
    PEERS = 4,
    REQUESTS_MAX = 256,          // that wait for an answer; further ones are dropped at once
    STEPS_MAX = 400,             // of an input
    SHAKES_MAX = 20,             // turns of a handshake that is brought to its end
    GONE_S_MAX = 30,             // of real time, until the kernel has told of whoever is gone
    RECORDS_MAX = 64,            // of one step
    ANSWER_BYTES_EACH = 8 << 10, // for each unit of an answer's first byte
    INCOMING_BYTES_MAX = 4 << 20,
    RECEIVE_BYTES = 4096, // of a peer's socket, so that answers have to wait
    TICK_MS = AGENT_SOCKET_TICK_MS,
};

typedef struct peer {
    int fd;                   // -1: there is none
    gnutls_session_t session; // NULL: it speaks no TLS
    bool has_certificate;
    bool is_shaken;
    lp_buf held; // what GnuTLS wants to be sent
} peer;

typedef struct fixture {
    uv_loop_t loop;
    agent_socket *socket;
    struct sockaddr_in address;
    peer peers[PEERS];
    agent_socket_request *requests[REQUESTS_MAX];
    size_t request_count;
    bool asks_clients; // for certificates
    size_t sent_bytes; // at most, of what can become requests
    size_t received_bytes;
    bool is_stopped;
} fixture;

// The rest of an input.
typedef struct script {
    lp_slice rest;
} script;

static uint8_t
take_byte(script *s)
{
    if (s->rest.len == 0) {
        return 0;
    }
    s->rest.len--;
    return *s->rest.ptr++;
}

static lp_slice
take_bytes(script *s, size_t count)
{
    lp_slice taken = {s->rest.ptr, count < s->rest.len ? count : s->rest.len};
    s->rest.ptr += taken.len;
    s->rest.len -= taken.len;
    return taken;
}

// --- The clock

static int64_t ahead_ms; // of the system's

// clock_gettime is libuv's, too: its clock goes ahead when an input says so.
int
clock_gettime(clockid_t id, struct timespec *out_time)
{
    int result = (int)syscall(SYS_clock_gettime, id, out_time);
    if (result == 0 && (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE)) {
        out_time->tv_sec += ahead_ms / 1000; // whole seconds alone
    }
    return result;
}

// --- The collector

static certificates made;
static tls_files *files[2]; // without an authority of clients, and with one
static gnutls_certificate_credentials_t credentials[2]; // of peers: none, and the agent's

static void
remove_certificates(void)
{
    temp_dir_remove(&made.dir);
}

static tls_files *
open_files(bool asks_clients)
{
    certificates_path cert = certificates_find(&made, "server.pem");
    certificates_path key = certificates_find(&made, "server.key");
    certificates_path ca = certificates_find(&made, "ca.pem");
    const tls_files_config config = {
        .cert = cert.text, .key = key.text, .client_ca = asks_clients ? ca.text : NULL};
    tls_files *opened = NULL;
    lp_problem problem;
    LP_ASSERT(tls_files_open(&config, &opened, &problem) == LP_OK);
    return opened;
}

static void
prepare(void)
{
    lp_log_init("fuzz", LP_LOG_ERROR);
    made = certificates_make();
    LP_ASSERT(atexit(remove_certificates) == 0);
    certificates_path cert = certificates_find(&made, "agent.pem");
    certificates_path key = certificates_find(&made, "agent.key");
    for (int i = 0; i < 2; i++) {
        files[i] = open_files(i == 1);
        LP_ASSERT(gnutls_certificate_allocate_credentials(&credentials[i]) == 0);
    }
    LP_ASSERT(gnutls_certificate_set_x509_key_file(
                  credentials[1], cert.text, key.text, GNUTLS_X509_FMT_PEM) >= 0);
}

static void
answer(fixture *f, agent_socket_request *request)
{
    static const uint8_t nothing[UINT8_MAX * ANSWER_BYTES_EACH];
    lp_slice bytes = agent_socket_get_bytes(request);
    size_t size = bytes.len == 0 ? 0 : bytes.ptr[0] * (size_t)ANSWER_BYTES_EACH;
    agent_socket_answer(f->socket, request, (lp_slice){nothing, size});
}

static void
on_request(void *arg, agent_socket_request *request)
{
    fixture *f = arg;
    f->received_bytes += agent_socket_get_bytes(request).len;
    LP_ASSERT(f->sent_bytes > 0 && f->received_bytes <= f->sent_bytes);
    LP_ASSERT(agent_socket_is_connected(f->socket, agent_socket_get_connection(request)));
    if (f->request_count < REQUESTS_MAX) {
        f->requests[f->request_count++] = request;
    } else {
        agent_socket_drop(request);
    }
}

static void
end_requests(fixture *f, bool is_answering)
{
    for (size_t i = 0; i < f->request_count; i++) {
        if (is_answering) {
            answer(f, f->requests[i]);
        } else {
            agent_socket_drop(f->requests[i]);
        }
    }
    f->request_count = 0;
}

static void
start(fixture *f, bool asks_clients)
{
    f->asks_clients = asks_clients;
    LP_ASSERT(uv_loop_init(&f->loop) == 0);
    const agent_socket_config config = {.loop = &f->loop,
        .url = "tls+tcp://127.0.0.1:0",
        .tls = files[asks_clients],
        .tls_connections_max = AGENT_SOCKET_SHAKING_MAX,
        .bytes_max = INCOMING_BYTES_MAX,
        .on_request = on_request,
        .arg = f};
    lp_problem problem;
    LP_ASSERT(agent_socket_start(&config, &f->socket, &problem) == LP_OK);
    const char *port = strrchr(agent_socket_get_url(f->socket), ':') + 1;
    f->address = (struct sockaddr_in){.sin_family = AF_INET,
        .sin_port = htons((uint16_t)strtoul(port, NULL, 10)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0; i < PEERS; i++) {
        f->peers[i].fd = -1;
    }
}

static void
turn(fixture *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)uv_run(&f->loop, UV_RUN_NOWAIT);
    }
}

// --- Peers

static void
forget(peer *p)
{
    if (p->session != NULL) {
        gnutls_deinit(p->session);
    }
    lp_buf_fini(&p->held);
    *p = (peer){.fd = -1};
}

// leave ends a connection; with a reset, as a process does that is killed with bytes unread.
static void
leave(peer *p, bool has_reset)
{
    const struct linger at_once = {.l_onoff = 1};
    if (p->fd >= 0) {
        LP_ASSERT(
            !has_reset || setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0);
        (void)close(p->fd);
    }
    forget(p);
}

static void
come(fixture *f, peer *p)
{
    const int receive_bytes = RECEIVE_BYTES;
    leave(p, true);
    if (f->is_stopped) {
        return;
    }
    p->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    LP_ASSERT(p->fd >= 0);
    (void)setsockopt(p->fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof(receive_bytes));
    if (connect(p->fd, (const struct sockaddr *)&f->address, sizeof(f->address)) != 0) {
        LP_ASSERT(errno == EINTR); // libFuzzer's clock, while too many wait to be accepted
        leave(p, true);
        return;
    }
    LP_ASSERT(fcntl(p->fd, F_SETFL, O_NONBLOCK) == 0);
}

static ssize_t
push(gnutls_transport_ptr_t arg, const void *bytes, size_t size)
{
    peer *p = arg;
    lp_buf_append(&p->held, bytes, size);
    LP_ASSERT(lp_buf_check(&p->held) == LP_OK);
    return (ssize_t)size;
}

static ssize_t
pull(gnutls_transport_ptr_t arg, void *out, size_t size)
{
    peer *p = arg;
    ssize_t got = recv(p->fd, out, size, MSG_DONTWAIT);
    if (got < 0) {
        gnutls_transport_set_errno(p->session, errno);
    }
    return got;
}

// come_with_tls makes a client of one of four kinds: of TLS 1.3 or 1.2, with a certificate or not.
static void
come_with_tls(fixture *f, peer *p, uint8_t kind)
{
    static const char *const spoken[] = {
        "NORMAL:-VERS-ALL:+VERS-TLS1.3", "NORMAL:-VERS-ALL:+VERS-TLS1.2"};
    come(f, p);
    if (p->fd < 0) {
        return;
    }
    p->has_certificate = (kind >> 1 & 1) == 1;
    LP_ASSERT(gnutls_init(&p->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) == 0);
    LP_ASSERT(gnutls_priority_set_direct(p->session, spoken[kind & 1], NULL) == 0);
    LP_ASSERT(gnutls_credentials_set(
                  p->session, GNUTLS_CRD_CERTIFICATE, credentials[p->has_certificate]) == 0);
    gnutls_transport_set_ptr(p->session, p);
    gnutls_transport_set_push_function(p->session, push);
    gnutls_transport_set_pull_function(p->session, pull);
}

static void
send_raw(peer *p, lp_slice bytes)
{
    if (p->fd >= 0) {
        (void)send(p->fd, bytes.ptr, bytes.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

// flush sends so much of what is held; 0: all.
static void
flush(peer *p, size_t count)
{
    if (p->fd < 0 || p->held.len == 0) {
        return;
    }
    count = count == 0 || count > p->held.len ? p->held.len : count;
    ssize_t sent = send(p->fd, p->held.ptr, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
        memmove(p->held.ptr, p->held.ptr + sent, p->held.len - (size_t)sent);
        p->held.len -= (size_t)sent;
    }
}

static void
tamper(peer *p, size_t at, uint8_t with)
{
    if (p->held.len > 0) {
        p->held.ptr[at % p->held.len] ^= with;
    }
}

static void
shake(peer *p)
{
    if (p->session != NULL && !p->is_shaken) {
        p->is_shaken = gnutls_handshake(p->session) == 0;
    }
}

// shake_to_the_end leaves the last words of the handshake on the connection; the loop has not seen
// them.
static void
shake_to_the_end(fixture *f, peer *p)
{
    for (int i = 0; i < SHAKES_MAX && p->session != NULL; i++) {
        shake(p);
        flush(p, 0);
        if (p->is_shaken) {
            return;
        }
        turn(f, 1);
    }
}

static void
send_records(fixture *f, peer *p, lp_slice bytes, size_t count)
{
    for (size_t i = 0; i < count && p->session != NULL && p->is_shaken; i++) {
        if (gnutls_record_send(p->session, bytes.ptr, bytes.len) < 0) {
            return;
        }
        f->sent_bytes += !f->asks_clients || p->has_certificate ? bytes.len : 0;
    }
}

static void
receive(peer *p)
{
    char bytes[RECEIVE_BYTES];
    for (int i = 0; i < RECORDS_MAX && p->fd >= 0; i++) {
        ssize_t got = p->session != NULL && p->is_shaken
                          ? gnutls_record_recv(p->session, bytes, sizeof(bytes))
                          : recv(p->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
        if (got <= 0) {
            return;
        }
    }
}

// --- Steps

static void
send_much(fixture *f, peer *p, script *s, bool is_raw)
{
    uint8_t bytes[1024];
    size_t count = take_byte(s) % RECORDS_MAX;
    memset(bytes, take_byte(s), sizeof(bytes));
    const lp_slice much = {bytes, sizeof(bytes)};
    for (size_t i = 0; is_raw && i < count; i++) {
        send_raw(p, much);
    }
    send_records(f, p, much, is_raw ? 0 : count);
}

// speak has a client of TLS do what only one with a session can.
static void
speak(peer *p, unsigned what, uint8_t how)
{
    if (p->session == NULL || !p->is_shaken) {
        return;
    }
    if (what == FUZZ_TLS_UPDATE_KEYS || what == FUZZ_TLS_ASK_UPDATE_KEYS) {
        (void)gnutls_session_key_update(
            p->session, what == FUZZ_TLS_UPDATE_KEYS ? 0 : GNUTLS_KU_PEER);
    } else if (what == FUZZ_TLS_SHAKE_AGAIN) {
        (void)gnutls_handshake(p->session);
    } else if (what == FUZZ_TLS_SAY_BYE) {
        (void)gnutls_bye(p->session, GNUTLS_SHUT_WR);
    } else {
        (void)gnutls_alert_send(
            p->session, how % 2 == 0 ? GNUTLS_AL_WARNING : GNUTLS_AL_FATAL, how);
    }
}

static void
move_held(peer *p, unsigned what, script *s)
{
    size_t much = take_byte(s);
    if (what == FUZZ_TLS_FLUSH) {
        flush(p, much);
    } else if (what == FUZZ_TLS_TAMPER) {
        size_t at = much << 8 | take_byte(s);
        tamper(p, at, take_byte(s));
    } else {
        lp_buf_clear(&p->held);
    }
}

static void
end_peer(peer *p, unsigned what, script *s)
{
    if (what == FUZZ_TLS_SHUT && p->fd >= 0) {
        (void)shutdown(p->fd, take_byte(s) % 3); // SHUT_RD, SHUT_WR, SHUT_RDWR
    } else if (what != FUZZ_TLS_SHUT) {
        leave(p, what == FUZZ_TLS_RESET);
    }
}

static void
do_for_all(fixture *f, unsigned what, script *s)
{
    if (what == FUZZ_TLS_TURN) {
        turn(f, 1 + take_byte(s) % 8);
    } else if (what == FUZZ_TLS_WAIT) {
        ahead_ms += take_byte(s) * INT64_C(2000);
        turn(f, 2);
    } else if (what == FUZZ_TLS_STOP) {
        agent_socket_stop(f->socket);
        f->is_stopped = true;
    } else {
        end_requests(f, what == FUZZ_TLS_ANSWER);
    }
}

static void
do_step(fixture *f, script *s)
{
    uint8_t code = take_byte(s);
    unsigned what = (code & 31U) % FUZZ_TLS_STEP_COUNT;
    peer *p = &f->peers[code >> 5 & (PEERS - 1)];
    switch (what) {
    case FUZZ_TLS_COME:
        come(f, p);
        break;
    case FUZZ_TLS_COME_WITH_TLS:
        come_with_tls(f, p, take_byte(s));
        break;
    case FUZZ_TLS_SEND_RAW:
        send_raw(p, take_bytes(s, take_byte(s)));
        break;
    case FUZZ_TLS_SHAKE:
        shake(p);
        break;
    case FUZZ_TLS_SHAKE_TO_THE_END:
        shake_to_the_end(f, p);
        break;
    case FUZZ_TLS_SEND_RECORD:
        send_records(f, p, take_bytes(s, take_byte(s)), 1);
        break;
    case FUZZ_TLS_FILL_RAW:
    case FUZZ_TLS_SEND_RECORDS:
        send_much(f, p, s, what == FUZZ_TLS_FILL_RAW);
        break;
    case FUZZ_TLS_FLUSH:
    case FUZZ_TLS_TAMPER:
    case FUZZ_TLS_HOLD_BACK:
        move_held(p, what, s);
        break;
    case FUZZ_TLS_RECEIVE:
        receive(p);
        break;
    case FUZZ_TLS_SHUT:
    case FUZZ_TLS_CLOSE:
    case FUZZ_TLS_RESET:
        end_peer(p, what, s);
        break;
    case FUZZ_TLS_TURN:
    case FUZZ_TLS_WAIT:
    case FUZZ_TLS_ANSWER:
    case FUZZ_TLS_DROP:
    case FUZZ_TLS_STOP:
        do_for_all(f, what, s);
        break;
    default:
        speak(p, what, take_byte(s));
    }
}

// --- The end

// see_all_gone has every peer go, and the loop find that out.
static void
see_all_gone(fixture *f)
{
    for (int i = 0; i < PEERS; i++) {
        leave(&f->peers[i], true);
    }
    end_requests(f, true);
    const time_t end = time(NULL) + GONE_S_MAX;
    while (time(NULL) < end && !f->is_stopped && metrics_get(METRICS_agent_connections) > 0) {
        ahead_ms += TICK_MS;
        turn(f, 1);
        end_requests(f, false);
    }
    LP_ASSERT(f->is_stopped || metrics_get(METRICS_agent_connections) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (files[0] == NULL) {
        prepare();
    }
    fixture f = {0};
    script s = {{bytes, count}};
    start(&f, take_byte(&s) % 2 == 1);
    for (int i = 0; i < STEPS_MAX && s.rest.len > 0; i++) {
        do_step(&f, &s);
    }
    see_all_gone(&f);
    agent_socket_close(f.socket);
    end_requests(&f, false);
    LP_ASSERT(uv_run(&f.loop, UV_RUN_DEFAULT) == 0);
    agent_socket_destroy(f.socket); // which asserts that no handshake is left
    LP_ASSERT(uv_loop_close(&f.loop) == 0);
    LP_ASSERT(metrics_get(METRICS_agent_connections) == 0);
    LP_ASSERT(metrics_get(METRICS_ingest_queue_bytes) == 0);
    ahead_ms = 0;
    return 0;
}
