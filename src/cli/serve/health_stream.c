// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/health_stream.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <sys/socket.h>
#include <unistd.h>

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
    if (code < 0) {
        return code;
    }
    gnutls_transport_set_int(self->session, self->fd);
    gnutls_handshake_set_timeout(self->session, (unsigned)limit_ms);
    do {
        code = gnutls_handshake(self->session);
    } while (code < 0 && code != GNUTLS_E_AGAIN && gnutls_error_is_fatal(code) == 0);
    return code;
}

lp_err
health_stream_open(health_stream *self, int fd, bool has_tls, const char *cert, int64_t limit_ms,
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
        health_stream_close(self);
    }
    return err;
}

void
health_stream_close(health_stream *self)
{
    if (self->session != NULL) {
        gnutls_deinit(self->session);
    }
    if (self->credentials != NULL) {
        gnutls_certificate_free_credentials(self->credentials);
    }
    (void)close(self->fd);
}

ssize_t
health_stream_send(health_stream *self, const void *bytes, size_t size)
{
    return self->session == NULL ? send(self->fd, bytes, size, MSG_NOSIGNAL)
                                 : gnutls_record_send(self->session, bytes, size);
}

ssize_t
health_stream_receive(health_stream *self, void *out, size_t size)
{
    return self->session == NULL ? recv(self->fd, out, size, 0)
                                 : gnutls_record_recv(self->session, out, size);
}
