// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/ship/test_ship_tls.c

#include "agent/ship/dial/ship_absence.h"
#include "agent/ship/ship_thread.h"

#include <arpa/inet.h>
#include <mbedtls/error.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef ship_handshake_session session;

// --- mbedTLS's side

static int
send_bytes(void *arg, const unsigned char *bytes, size_t size)
{
    session *s = arg;
    lp_buf_append(&s->out, bytes, size);
    return lp_buf_check(&s->out) == LP_OK ? (int)size : MBEDTLS_ERR_SSL_ALLOC_FAILED;
}

static int
receive_bytes(void *arg, unsigned char *out, size_t size)
{
    session *s = arg;
    size_t there = s->in_size - s->in_taken;
    if (there == 0) {
        return s->has_ended ? 0 : MBEDTLS_ERR_SSL_WANT_READ;
    }
    size = size < there ? size : there;
    memcpy(out, s->in + s->in_taken, size);
    s->in_taken += size;
    return (int)size;
}

// Prepares mbedTLS. Returns its code.
static int
configure(session *s)
{
    int code;
    if ((code = mbedtls_ctr_drbg_seed(&s->random, mbedtls_entropy_func, &s->entropy, NULL, 0)) !=
            0 ||
        (code = mbedtls_ssl_config_defaults(&s->config, MBEDTLS_SSL_IS_CLIENT,
             MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT)) != 0) {
        return code;
    }
#if MBEDTLS_VERSION_MAJOR >= 3 // 1.2, as NNG's
    mbedtls_ssl_conf_min_tls_version(&s->config, MBEDTLS_SSL_VERSION_TLS1_2);
#if MBEDTLS_VERSION_NUMBER >= 0x03060100 // older versions always report tickets
    mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
        &s->config, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
#endif
#else
    mbedtls_ssl_conf_min_version(
        &s->config, MBEDTLS_SSL_MAJOR_VERSION_3, MBEDTLS_SSL_MINOR_VERSION_3);
#endif
    mbedtls_ssl_conf_authmode(&s->config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_rng(&s->config, mbedtls_ctr_drbg_random, &s->random);
    mbedtls_ssl_conf_ca_chain(&s->config, &s->content.ca, NULL);
    if (s->content.cert_text != NULL &&
        (code = mbedtls_ssl_conf_own_cert(&s->config, &s->content.cert, &s->content.key)) != 0) {
        return code;
    }
    if ((code = mbedtls_ssl_setup(&s->ssl, &s->config)) != 0) {
        return code;
    }
    mbedtls_ssl_set_bio(&s->ssl, s, send_bytes, receive_bytes, NULL);
    return mbedtls_ssl_set_hostname(&s->ssl, s->host);
}

// --- A session

static void
destroy(session *s)
{
    if (s == NULL) {
        return;
    }
    if (s->stream != NULL) {
        nng_stream_close(s->stream);
        nng_stream_free(s->stream);
    }
    if (s->dialer != NULL) {
        nng_stream_dialer_free(s->dialer);
    }
    mbedtls_ssl_free(&s->ssl);
    mbedtls_ssl_config_free(&s->config);
    mbedtls_ctr_drbg_free(&s->random);
    mbedtls_entropy_free(&s->entropy);
    ship_tls_content_fini(&s->content);
    lp_buf_fini(&s->out);
    free(s->host);
    free(s);
}

// Returns a session that is ready to dial.
static lp_err
create(
    const ship_tls *files, const ship_address *at, session **out_session, lp_problem *out_problem)
{
    session *s = calloc(1, sizeof(*s));
    LP_REQUIRE(s != NULL, LP_ENOMEM);
    mbedtls_ssl_init(&s->ssl);
    mbedtls_ssl_config_init(&s->config);
    mbedtls_ctr_drbg_init(&s->random);
    mbedtls_entropy_init(&s->entropy);
    lp_err err = ship_tls_read(files, &s->content, out_problem);
    if (err != LP_OK) {
        destroy(s);
        return err;
    }
    nng_url *parts;
    const char *address = strchr(ship_address_get_url(at), '+') + 1; // without TLS
    int error = nng_url_parse(&parts, at->endpoint);
    if (error == 0) {
        s->host = strdup(parts->u_hostname);
        nng_url_free(parts);
        error = s->host == NULL ? NNG_ENOMEM : nng_stream_dialer_alloc(&s->dialer, address);
    }
    if (error != 0 || configure(s) != 0) {
        destroy(s);
        return LP_ENOMEM; // the URL is one that NNG dials already
    }
    *out_session = s;
    return LP_OK;
}

// --- Why

// Reports what is wrong with the collector's certificate.
static void
refuse_certificate(session *s, const ship_tls *files, lp_problem *out_problem)
{
    unsigned char address[16];
    bool is_address =
        inet_pton(AF_INET, s->host, address) == 1 || inet_pton(AF_INET6, s->host, address) == 1;
    uint32_t flags = mbedtls_ssl_get_verify_result(&s->ssl);
    const struct {
        uint32_t flag;
        const char *text;
        const char *detail;
    } reasons[] = {
        {MBEDTLS_X509_BADCERT_NOT_TRUSTED, "is from no authority in ", files->ca},
        {MBEDTLS_X509_BADCERT_EXPIRED, "has expired", ""},
        {MBEDTLS_X509_BADCERT_FUTURE, "is not valid yet", ""},
        {MBEDTLS_X509_BADCERT_CN_MISMATCH,
            is_address ? "is for another name: in the option collector, use the certificate's name "
                         "instead of the address "
                       : "is for another name than ",
            s->host},
    };
    char text[sizeof(out_problem->text)] = "";
    size_t len = 0;
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
        if ((flags & reasons[i].flag) != 0 && len < sizeof(text)) {
            len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s%s",
                len == 0 ? "" : ", and ", reasons[i].text, reasons[i].detail);
            flags &= ~reasons[i].flag;
        }
    }
    if (len == 0) {
        (void)mbedtls_x509_crt_verify_info(text, sizeof(text), "", flags);
        text[strcspn(text, "\n")] = '\0';
    }
    (void)lp_problem_set(out_problem, LP_ECORRUPT, "its certificate %s", text);
}

// Reports why the handshake has failed.
static void
explain(session *s, const ship_tls *files, lp_problem *out_problem)
{
    char text[100];
    if (s->code == MBEDTLS_ERR_X509_CERT_VERIFY_FAILED) {
        refuse_certificate(s, files, out_problem);
    } else if (!s->has_heard || s->code == MBEDTLS_ERR_SSL_INVALID_RECORD) {
        (void)lp_problem_set(
            out_problem, LP_ECORRUPT, "it does not speak TLS there: use the port for tls+tcp://");
    } else if (s->code == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE ||
               s->code == MBEDTLS_ERR_SSL_CONN_EOF) {
        (void)lp_problem_set(out_problem, LP_ECORRUPT,
            files->cert == NULL
                ? "it ends the handshake: it may want a certificate (options cert and key)%s"
                : "it ends the handshake: it does not accept the certificate %s",
            files->cert == NULL ? "" : files->cert);
    } else {
        mbedtls_strerror(s->code, text, sizeof(text));
        (void)lp_problem_set(out_problem, LP_ECORRUPT, "the handshake fails: %s", text);
    }
}

// --- Steps

static void
on_done(void *arg)
{
    ship_handshake *shake = arg;
    int wake_fd = shake->wake_fd; // before is_done is stored: then the owner may start anew
    atomic_store_explicit(&shake->is_done, true, memory_order_release);
    ship_wake(wake_fd);
}

void
ship_handshake_start(
    ship_handshake *shake, const ship_tls *files, const ship_address *at, int wake_fd)
{
    if (shake->stage != SHIP_HANDSHAKE_NOT ||
        (shake->aio == NULL && nng_aio_alloc(&shake->aio, on_done, shake) != 0)) {
        return;
    }
    shake->wake_fd = wake_fd;
    shake->files = files;
    lp_err err = create(files, at, &shake->session, &shake->problem);
    if (err != LP_OK) {
        shake->is_refused = err != LP_ENOMEM;
        ship_wake(wake_fd);
        return;
    }
    nng_aio_set_timeout(shake->aio, SHIP_HANDSHAKE_MS);
    shake->stage = SHIP_HANDSHAKE_DIALS;
    nng_stream_dialer_dial(shake->session->dialer, shake->aio);
}

static ship_handshake_state
end(ship_handshake *shake, ship_handshake_state found)
{
    destroy(shake->session);
    shake->session = NULL;
    shake->stage = SHIP_HANDSHAKE_NOT;
    return found;
}

// Sends the remaining bytes.
static ship_handshake_state
send_out(ship_handshake *shake)
{
    session *s = shake->session;
    nng_iov iov = {.iov_buf = s->out.ptr, .iov_len = s->out.len};
    (void)nng_aio_set_iov(shake->aio, 1, &iov); // it fails for more than 8 pieces
    shake->stage = SHIP_HANDSHAKE_SENDS;
    nng_stream_send(s->stream, shake->aio);
    return SHIP_HANDSHAKE_BUSY;
}

static ship_handshake_state
hear(ship_handshake *shake)
{
    session *s = shake->session;
    nng_iov iov = {.iov_buf = s->in, .iov_len = sizeof(s->in)};
    (void)nng_aio_set_iov(shake->aio, 1, &iov);
    shake->stage = SHIP_HANDSHAKE_HEARS;
    nng_stream_recv(s->stream, shake->aio);
    return SHIP_HANDSHAKE_BUSY;
}

// The next step once everything is sent.
static ship_handshake_state
go_on(ship_handshake *shake)
{
    session *s = shake->session;
    // The last bytes that were sent may be an alert.
    if (s->code != 0 && s->code != MBEDTLS_ERR_SSL_WANT_READ) {
        explain(s, shake->files, &shake->problem);
        return end(shake, SHIP_HANDSHAKE_REFUSED);
    }
    if (s->code == 0) {
        return end(shake, SHIP_HANDSHAKE_DONE);
    }
    return hear(shake);
}

#if MBEDTLS_VERSION_MAJOR >= 3
// Reads on after a handshake. With TLS 1.3 the handshake ends for us before the collector has
// checked our certificate. The next message is an alert, a ticket, or data, with which it begins
// each connection. Returns a code of mbedTLS's.
static int
hear_verdict(session *s)
{
    if (mbedtls_ssl_get_version_number(&s->ssl) < MBEDTLS_SSL_VERSION_TLS1_3) {
        return 0;
    }
    unsigned char byte;
    int code = mbedtls_ssl_read(&s->ssl, &byte, 1);
    if (code == MBEDTLS_ERR_SSL_WANT_READ) {
        code = mbedtls_ssl_read(&s->ssl, &byte, 1); // reports a ticket that the first call took
    }
    bool is_accepted = code > 0 || code == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET;
    return is_accepted ? 0 : code == 0 ? MBEDTLS_ERR_SSL_CONN_EOF : code;
}
#else
static int
hear_verdict(session *s)
{
    (void)s;
    return 0;
}
#endif

// Makes mbedTLS take its next step, and sends its output.
static ship_handshake_state
shake_hands(ship_handshake *shake)
{
    session *s = shake->session;
    if (!s->is_through) {
        s->code = mbedtls_ssl_handshake(&s->ssl);
        s->is_through = s->code == 0;
    }
    if (s->is_through) {
        s->code = hear_verdict(s);
    }
    return s->out.len > 0 ? send_out(shake) : go_on(shake);
}

// Removes the sent bytes.
static ship_handshake_state
note_sent(ship_handshake *shake)
{
    session *s = shake->session;
    size_t count = nng_aio_count(shake->aio);
    s->out.len -= count;
    memmove(s->out.ptr, s->out.ptr + count, s->out.len);
    return s->out.len > 0 ? send_out(shake) : go_on(shake);
}

// Takes the received bytes; none: the other side has closed the connection.
static ship_handshake_state
note_heard(ship_handshake *shake, int error)
{
    session *s = shake->session;
    s->in_taken = 0;
    s->in_size = error == 0 ? nng_aio_count(shake->aio) : 0;
    s->has_ended = s->in_size == 0;
    s->has_heard |= s->in_size > 0;
    return shake_hands(shake);
}

ship_handshake_state
ship_handshake_step(ship_handshake *shake)
{
    if (shake->stage == SHIP_HANDSHAKE_NOT) {
        bool is_refused = shake->is_refused;
        shake->is_refused = false;
        return is_refused ? SHIP_HANDSHAKE_REFUSED : SHIP_HANDSHAKE_IDLE;
    }
    if (!atomic_exchange_explicit(&shake->is_done, false, memory_order_acquire)) {
        return SHIP_HANDSHAKE_BUSY;
    }
    int error = nng_aio_result(shake->aio);
    switch (shake->stage) {
    case SHIP_HANDSHAKE_DIALS:
        LP_REQUIRE(error == 0, end(shake, SHIP_HANDSHAKE_AWAY));
        shake->session->stream = nng_aio_get_output(shake->aio, 0);
        return shake_hands(shake);
    case SHIP_HANDSHAKE_SENDS:
        return error != 0 ? end(shake, SHIP_HANDSHAKE_AWAY) : note_sent(shake);
    case SHIP_HANDSHAKE_HEARS:
        return error == NNG_ETIMEDOUT ? end(shake, SHIP_HANDSHAKE_AWAY) : note_heard(shake, error);
    case SHIP_HANDSHAKE_NOT:
        break;
    }
    return SHIP_HANDSHAKE_IDLE;
}
