// SPDX-License-Identifier: Apache-2.0
// loupe health: checks whether a collector is ready, for process supervisors.
//
// Tests: tests/e2e/hardening.py (case health), tests/e2e/tls.py (case http)

#include "cli/base/cmd.h"
#include "collector/base/loopback.h"
#include "collector/base/tcp_address.h"
#include "common/base/lp_err.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    HEALTH_MS = 5 * 1000, // for connection, question and answer together
    ANSWER_BYTES_MAX = 8 << 10,
    READY = 200, // the status of /readyz
};

static const char program[] = "loupe health";

// is_everywhere returns whether a collector that listens at host is at this machine's loopback
// addresses, too.
static bool
is_everywhere(const char *host)
{
    return host[0] == '\0' || strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
}

// set_limit has what waits at the socket wait until then and no longer; false if that is now.
static bool
set_limit(int fd, int64_t until_ms)
{
    int64_t left_ms = until_ms - lp_time_mono_ms();
    if (left_ms <= 0) {
        errno = ETIMEDOUT;
        return false;
    }
    const struct timeval left = {.tv_sec = left_ms / 1000, .tv_usec = left_ms % 1000 * 1000};
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &left, sizeof(left)) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &left, sizeof(left)) == 0;
}

// open_one returns a connection, or -1 with errno set.
static int
open_one(const struct addrinfo *at, int64_t until_ms)
{
    int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    LP_REQUIRE(fd >= 0, -1);
    if (!set_limit(fd, until_ms) || connect(fd, at->ai_addr, at->ai_addrlen) != 0) {
        int saved_errno = errno == EINPROGRESS ? ETIMEDOUT : errno;
        (void)close(fd);
        errno = saved_errno;
        return -1;
    }
    return fd;
}

static lp_err
open_connection(const tcp_address *address, int64_t until_ms, int *out_fd, lp_problem *out_problem)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(
        is_everywhere(address->host) ? NULL : address->host, address->port, &hints, &found);
    LP_REQUIRE(code == 0, lp_problem_set(out_problem, LP_EIO, "%s", gai_strerror(code)));
    int fd = -1;
    for (const struct addrinfo *at = found; at != NULL && fd < 0; at = at->ai_next) {
        fd = open_one(at, until_ms);
    }
    int saved_errno = errno;
    freeaddrinfo(found);
    *out_fd = fd;
    return fd >= 0 ? LP_OK : lp_problem_set(out_problem, LP_EIO, "%s", strerror(saved_errno));
}

// --- The connection, as it is or under TLS

typedef struct health_stream {
    int fd;                   // its limits of time are the caller's
    gnutls_session_t session; // NULL: no TLS
    gnutls_certificate_credentials_t credentials;
} health_stream;

static lp_err
refuse(const char *what, int code, lp_problem *out_problem)
{
    return lp_problem_set(out_problem, code == GNUTLS_E_MEMORY_ERROR ? LP_ENOMEM : LP_EIO, "%s: %s",
        what, gnutls_strerror(code));
}

// check_owner checks that the other side has shown the certificate of a file.
static lp_err
check_owner(const health_stream *self, const char *cert, lp_problem *out_problem)
{
    gnutls_datum_t text = {0};
    gnutls_x509_crt_t wanted = NULL;
    unsigned count = 0;
    const gnutls_datum_t *shown = gnutls_certificate_get_peers(self->session, &count);
    int code = gnutls_load_file(cert, &text);
    code = code < 0 ? code : gnutls_x509_crt_init(&wanted);
    code = code < 0 ? code : gnutls_x509_crt_import(wanted, &text, GNUTLS_X509_FMT_PEM);
    lp_err err = LP_OK;
    if (code < 0) {
        err = refuse(cert, code, out_problem);
    } else if (count == 0 || gnutls_x509_crt_equals2(wanted, &shown[0]) == 0) {
        err =
            lp_problem_set(out_problem, LP_ECORRUPT, "it shows another certificate than %s", cert);
    }
    if (wanted != NULL) {
        gnutls_x509_crt_deinit(wanted);
    }
    gnutls_free(text.data);
    return err;
}

// shake makes the session, and the handshake.
static int
shake(health_stream *self, int64_t limit_ms)
{
    int code = gnutls_certificate_allocate_credentials(&self->credentials);
    code = code < 0 ? code : gnutls_init(&self->session, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL);
    code = code < 0 ? code : gnutls_set_default_priority(self->session);
    if (code >= 0) {
        code = gnutls_credentials_set(self->session, GNUTLS_CRD_CERTIFICATE, self->credentials);
    }
    LP_REQUIRE(code >= 0, code);
    gnutls_transport_set_int(self->session, self->fd);
    gnutls_handshake_set_timeout(self->session, (unsigned)limit_ms);
    do {
        code = gnutls_handshake(self->session);
    } while (code < 0 && code != GNUTLS_E_AGAIN && gnutls_error_is_fatal(code) == 0);
    return code;
}

static void
close_stream(health_stream *self)
{
    if (self->session != NULL) {
        gnutls_deinit(self->session);
    }
    if (self->credentials != NULL) {
        gnutls_certificate_free_credentials(self->credentials);
    }
    (void)close(self->fd);
}

// open_stream makes a stream of fd, with TLS or without. cert: a file in PEM whose first
// certificate the other side has to own; whether that holds now does not matter here. NULL: any.
// Owns:   takes fd, also after an error
// Errors: LP_EIO, LP_ECORRUPT, LP_ENOMEM
static lp_err
open_stream(health_stream *self, int fd, bool has_tls, const char *cert, int64_t limit_ms,
    lp_problem *out_problem)
{
    *self = (health_stream){.fd = fd};
    if (!has_tls) {
        return LP_OK;
    }
    int code = shake(self, limit_ms);
    lp_err err = LP_OK;
    if (code < 0) {
        err = refuse("TLS", code, out_problem);
    } else if (cert != NULL) {
        err = check_owner(self, cert, out_problem);
    }
    if (err != LP_OK) {
        close_stream(self);
    }
    return err;
}

// Both return how many bytes were sent or received: 0 at the end of the connection, negative: an
// error.
static ssize_t
send_some(health_stream *self, const void *bytes, size_t size)
{
    return self->session == NULL ? send(self->fd, bytes, size, MSG_NOSIGNAL)
                                 : gnutls_record_send(self->session, bytes, size);
}

static ssize_t
receive_some(health_stream *self, void *out, size_t size)
{
    return self->session == NULL ? recv(self->fd, out, size, 0)
                                 : gnutls_record_recv(self->session, out, size);
}

static bool
ask(health_stream *stream, const char *host, const char *port, int64_t until_ms)
{
    char request[TCP_ADDRESS_HOST_BYTES_MAX + 100];
    bool is_ipv6 = strchr(host, ':') != NULL;
    int size = snprintf(request, sizeof(request),
        "GET /readyz HTTP/1.1\r\nHost: %s%s%s:%s\r\nConnection: close\r\n\r\n", is_ipv6 ? "[" : "",
        host, is_ipv6 ? "]" : "", port);
    return set_limit(stream->fd, until_ms) && send_some(stream, request, (size_t)size) == size;
}

// hear reads the answer, as much of it as there is room for, with a 0 behind it.
static lp_err
hear(
    health_stream *stream, int64_t until_ms, char answer[ANSWER_BYTES_MAX], lp_problem *out_problem)
{
    size_t len = 0;
    ssize_t size = 1;
    while (size > 0 && len < ANSWER_BYTES_MAX - 1 && set_limit(stream->fd, until_ms)) {
        size = receive_some(stream, answer + len, ANSWER_BYTES_MAX - 1 - len);
        len += size > 0 ? (size_t)size : 0;
    }
    answer[len] = '\0';
    LP_REQUIRE(len != 0,
        lp_problem_set(out_problem, LP_EIO, "no answer within %d s", (int)HEALTH_MS / 1000));
    return LP_OK;
}

// judge returns LP_OK if the answer says that the collector is ready, and else why it is not.
static lp_err
judge(const char *answer, lp_problem *out_problem)
{
    static const char version[] = "HTTP/1.1 ";
    LP_REQUIRE(strncmp(answer, version, sizeof(version) - 1) == 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "not an HTTP server"));
    long status = strtol(answer + sizeof(version) - 1, NULL, 10);
    if (status == READY) {
        return LP_OK;
    }
    const char *body = strstr(answer, "\r\n\r\n");
    json_t *json = body == NULL ? NULL : json_loads(body + 4, 0, NULL);
    const char *why = json_string_value(json_object_get(json, "error"));
    lp_err err = lp_problem_set(out_problem, LP_EAGAIN, "not ready (%ld)%s%s", status,
        why == NULL ? "" : ": ", why == NULL ? "" : why);
    json_decref(json);
    return err;
}

// is_own returns whether the other side is on this machine.
static bool
is_own(int fd)
{
    struct sockaddr_storage peer = {0};
    socklen_t size = sizeof(peer);
    return getpeername(fd, (struct sockaddr *)&peer, &size) == 0 &&
           loopback_has_address((const struct sockaddr *)&peer);
}

// How the collector is asked.
typedef struct question {
    tcp_address address;
    bool has_tls;
    const char *cert; // see open_stream
    int64_t until_ms;
} question;

// ask_once asks, on a connection of its own. *out_is_own is whether the answer comes from this
// machine. Errors: LP_EAGAIN not ready; LP_ECORRUPT, LP_EIO no answer of a collector's
static lp_err
ask_once(const question *asked, bool *out_is_own, lp_problem *out_problem)
{
    char answer[ANSWER_BYTES_MAX];
    int fd = -1;
    health_stream stream;
    *out_is_own = false;
    lp_err err = open_connection(&asked->address, asked->until_ms, &fd, out_problem);
    if (err == LP_OK) {
        // Nobody is in between there, and which of its certificates the collector has does not
        // matter: it may have been started with another one, or not have taken a new one yet.
        *out_is_own = is_own(fd);
        err = open_stream(
            &stream, fd, asked->has_tls, *out_is_own ? NULL : asked->cert, HEALTH_MS, out_problem);
    }
    LP_REQUIRE(err == LP_OK, err);
    const char *host = asked->address.host;
    if (!ask(&stream, is_everywhere(host) ? "localhost" : host, asked->address.port,
            asked->until_ms)) {
        err = lp_problem_set(out_problem, LP_EIO, "%s", strerror(errno));
    }
    err = err != LP_OK ? err : hear(&stream, asked->until_ms, answer, out_problem);
    close_stream(&stream);
    return err != LP_OK ? err : judge(answer, out_problem);
}

static lp_err
check(const tcp_address *address, const char *cert, lp_problem *out_problem)
{
    question asked = {.address = *address,
        .has_tls = cert != NULL,
        .cert = cert,
        .until_ms = lp_time_mono_ms() + HEALTH_MS};
    bool is_own;
    lp_err err = ask_once(&asked, &is_own, out_problem);
    if (err == LP_OK || err == LP_EAGAIN || !is_own || lp_time_mono_ms() >= asked.until_ms) {
        return err;
    }
    // The collector's own options may say what this command's do not.
    lp_problem other;
    asked.has_tls = !asked.has_tls;
    lp_err second = ask_once(&asked, &is_own, &other);
    if (second == LP_OK || second == LP_EAGAIN) {
        *out_problem = other;
        return second;
    }
    return err;
}

int
cmd_health(const options *opts)
{
    tcp_address address;
    if (!tcp_address_parse(opts->health_http, &address)) {
        return cmd_refuse(
            opts, "'%s' is no address: give HOST:PORT, [IPV6]:PORT or :PORT", opts->health_http);
    }
    lp_problem problem;
    if (check(&address, opts->health_tls_cert, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, opts->health_http, problem.text);
        return CMD_FAILED;
    }
    (void)puts("ready");
    return cmd_end(program, true);
}
