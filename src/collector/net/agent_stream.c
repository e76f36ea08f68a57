// SPDX-License-Identifier: Apache-2.0

#include "collector/net/agent_stream.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <errno.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    RECORD_BYTES = 16 << 10,           // the largest record of TLS
    READ_BYTES_MAX = 4 * RECORD_BYTES, // of one call, and up to a record more
    SKIPPED_BYTES_MAX = 256 << 10,     // read and discarded before the close
    PROBLEM_BYTES = 200,
};

struct agent_stream_tls {
    gnutls_session_t session;
    int fd;
    size_t shaken_bytes; // received of the handshake
    tls_set *set;
    bool is_shaking;
    bool wants_write;
    char problem[PROBLEM_BYTES]; // "": none
    char peer_name[AGENT_STREAM_NAME_BYTES_MAX + 1];
};

// --- Problems

static void
set_problem(agent_stream_tls *tls, const char *text, const char *more)
{
    LP_ASSERT(text[0] != '\0');
    (void)snprintf(tls->problem, sizeof(tls->problem), "%s%s", text, more);
}

static void
note_refused(agent_stream_tls *tls)
{
    gnutls_datum_t text = {0};
    unsigned status = gnutls_session_get_verify_cert_status(tls->session);
    if (gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0) < 0) {
        set_problem(tls, "the peer's certificate is refused", "");
        return;
    }
    set_problem(tls, "the peer's certificate: ", (const char *)text.data);
    size_t len = strlen(tls->problem);
    while (len > 0 && (tls->problem[len - 1] == ' ' || tls->problem[len - 1] == '.')) {
        tls->problem[--len] = '\0';
    }
    gnutls_free(text.data);
}

// note_fault sets the problem of a fatal code, unless the peer simply closed the connection.
static void
note_fault(agent_stream_tls *tls, int code)
{
    switch (code) {
    case GNUTLS_E_PREMATURE_TERMINATION:
    case GNUTLS_E_PULL_ERROR:
    case GNUTLS_E_PUSH_ERROR:
        if (tls->is_shaking && tls->shaken_bytes == AGENT_STREAM_HANDSHAKE_BYTES_MAX) {
            set_problem(tls, "the handshake has more than 64 KiB", "");
            break;
        }
        // A peer that closes after our first message rejects it, or expected another server.
        if (tls->is_shaking && (int)gnutls_handshake_get_last_in(tls->session) >= 0) {
            set_problem(tls, "the peer closed the connection in the middle of the handshake", "");
        }
        break;
    case GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR:
        note_refused(tls);
        break;
    case GNUTLS_E_NO_CERTIFICATE_FOUND:
    case GNUTLS_E_CERTIFICATE_REQUIRED:
        set_problem(tls, "the peer sent no certificate", "");
        break;
    case GNUTLS_E_FATAL_ALERT_RECEIVED: {
        const char *alert = gnutls_alert_get_name(gnutls_alert_get(tls->session));
        set_problem(tls, "the peer refuses: ", alert == NULL ? "unknown reason" : alert);
        break;
    }
    case GNUTLS_E_UNEXPECTED_PACKET:
    case GNUTLS_E_UNEXPECTED_PACKET_LENGTH:
    case GNUTLS_E_UNSUPPORTED_VERSION_PACKET:
    case GNUTLS_E_RECORD_OVERFLOW:
        set_problem(tls, gnutls_strerror(code),
            tls->is_shaking ? " Does the peer speak TLS, with tls+tcp:// in its address?" : "");
        break;
    default:
        set_problem(tls, gnutls_strerror(code), "");
    }
}

static void
end(agent_stream_tls *tls, int code)
{
    LP_ASSERT(code < 0);
    note_fault(tls, code);
    if (tls->problem[0] != '\0' && code != GNUTLS_E_FATAL_ALERT_RECEIVED) {
        (void)gnutls_alert_send_appropriate(tls->session, code); // best effort
    }
}

// --- Life

// The purpose that an agent's certificate has to allow, if it is limited. GnuTLS keeps a pointer.
static char client_purpose[] = GNUTLS_KP_TLS_WWW_CLIENT;
static gnutls_typed_vdata_st client_wanted = {
    .type = GNUTLS_DT_KEY_PURPOSE_OID, .data = (unsigned char *)client_purpose};

// pull receives for GnuTLS. It limits the handshake, of which GnuTLS keeps all bytes and limits
// only each message.
static ssize_t
pull(gnutls_transport_ptr_t arg, void *out, size_t size)
{
    agent_stream_tls *tls = arg;
    LP_ASSERT(tls->shaken_bytes <= AGENT_STREAM_HANDSHAKE_BYTES_MAX);
    size_t room = AGENT_STREAM_HANDSHAKE_BYTES_MAX - tls->shaken_bytes;
    if (tls->is_shaking && room == 0) {
        gnutls_transport_set_errno(tls->session, EIO);
        return -1;
    }
    ssize_t got = recv(tls->fd, out, tls->is_shaking && size > room ? room : size, 0);
    if (got < 0) {
        gnutls_transport_set_errno(tls->session, errno);
    } else if (tls->is_shaking) {
        tls->shaken_bytes += (size_t)got;
    }
    return got;
}

static gnutls_session_t
make_session(agent_stream_tls *tls, const tls_files *files, const tls_set *set)
{
    LP_ASSERT(set != NULL && tls->fd >= 0);
    gnutls_session_t session;
    // Without tickets: agents stay connected, so sessions are hardly ever resumed.
    LP_REQUIRE(gnutls_init(&session,
                   GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS) >= 0,
        NULL);
    if (tls_set_apply(set, session) != LP_OK) {
        gnutls_deinit(session);
        return NULL;
    }
    if (tls_files_asks_clients(files)) {
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
        gnutls_session_set_verify_cert2(session, &client_wanted, 1, 0);
    }
    // GnuTLS's own push function writes to the descriptor.
    gnutls_transport_set_ptr2(session, tls, (gnutls_transport_ptr_t)(intptr_t)tls->fd);
    gnutls_transport_set_pull_function(session, pull);
    return session;
}

lp_err
agent_stream_open(agent_stream *self, int fd, tls_files *files)
{
    LP_ASSERT(fd >= 0);
    *self = (agent_stream){.fd = fd};
    if (files == NULL) {
        return LP_OK;
    }
    agent_stream_tls *tls = calloc(1, sizeof(*tls));
    if (tls != NULL) {
        tls->set = tls_files_take(files);
        tls->fd = fd;
        tls->is_shaking = true;
        tls->session = make_session(tls, files, tls->set);
    }
    if (tls == NULL || tls->session == NULL) {
        tls_set_unref(tls == NULL ? NULL : tls->set);
        free(tls);
        (void)close(fd);
        return LP_ENOMEM;
    }
    self->tls = tls;
    return LP_OK;
}

// skip discards received bytes. The kernel resets a connection that is closed with unread bytes,
// and then the peer may not see the alert.
static void
skip(int fd)
{
    char bytes[4096];
    ssize_t count;
    for (size_t skipped = 0; skipped < SKIPPED_BYTES_MAX &&
                             (count = recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0;) {
        skipped += (size_t)count;
    }
}

void
agent_stream_close(agent_stream *self)
{
    LP_ASSERT(self->fd >= 0);
    agent_stream_tls *tls = self->tls;
    if (tls != NULL) {
        if (tls->problem[0] != '\0') {
            skip(self->fd);
        } else if (!tls->is_shaking) {
            (void)gnutls_bye(tls->session, GNUTLS_SHUT_WR); // best effort
        }
        gnutls_deinit(tls->session);
        tls_set_unref(tls->set);
        free(tls);
        self->tls = NULL;
    }
    (void)close(self->fd);
    self->fd = -1;
}

// --- The handshake

bool
agent_stream_is_shaking(const agent_stream *self)
{
    return self->tls != NULL && self->tls->is_shaking;
}

// take_name terminates the name in peer_name. Returns false, and clears it, if it is not printable.
static bool
take_name(agent_stream_tls *tls, int code, size_t size)
{
    bool is_text = code >= 0 && size > 0 && size <= AGENT_STREAM_NAME_BYTES_MAX &&
                   !LP_ANY(tls->peer_name, size, (unsigned char)*at < ' ' || *at == 0x7f);
    tls->peer_name[is_text ? size : 0] = '\0';
    return is_text;
}

static bool
find_dns_name(agent_stream_tls *tls, gnutls_x509_crt_t cert)
{
    for (unsigned i = 0;; i++) {
        size_t size = AGENT_STREAM_NAME_BYTES_MAX;
        int type = gnutls_x509_crt_get_subject_alt_name(cert, i, tls->peer_name, &size, NULL);
        if (type == GNUTLS_SAN_DNSNAME) {
            return take_name(tls, type, size);
        }
        if (type < 0 && type != GNUTLS_E_SHORT_MEMORY_BUFFER) {
            return take_name(tls, type, 0);
        }
    }
}

static void
note_peer(agent_stream_tls *tls)
{
    LP_ASSERT(tls->is_shaking);
    unsigned count = 0;
    const gnutls_datum_t *certs = gnutls_certificate_get_peers(tls->session, &count);
    gnutls_x509_crt_t cert;
    if (certs == NULL || count == 0 || gnutls_x509_crt_init(&cert) < 0) {
        return;
    }
    if (gnutls_x509_crt_import(cert, &certs[0], GNUTLS_X509_FMT_DER) >= 0 &&
        !find_dns_name(tls, cert)) {
        size_t size = AGENT_STREAM_NAME_BYTES_MAX;
        int code = gnutls_x509_crt_get_dn_by_oid(
            cert, GNUTLS_OID_X520_COMMON_NAME, 0, 0, tls->peer_name, &size);
        (void)take_name(tls, code, size);
    }
    gnutls_x509_crt_deinit(cert);
}

static void
note_direction(agent_stream_tls *tls)
{
    tls->wants_write = gnutls_record_get_direction(tls->session) == 1;
}

agent_stream_state
agent_stream_shake(agent_stream *self)
{
    agent_stream_tls *tls = self->tls;
    LP_ASSERT(tls != NULL && tls->is_shaking);
    int code = gnutls_handshake(tls->session);
    tls->wants_write = false;
    if (code >= 0) {
        note_peer(tls);
        tls->is_shaking = false;
        return AGENT_STREAM_READY;
    }
    if (gnutls_error_is_fatal(code) == 0) {
        note_direction(tls);
        return AGENT_STREAM_WAITS;
    }
    end(tls, code);
    return AGENT_STREAM_ENDED;
}

// --- Bytes

static ssize_t
read_plain(int fd, const struct iovec *pieces, int count, bool *out_is_drained)
{
    size_t room = 0;
    for (int i = 0; i < count; i++) {
        room += pieces[i].iov_len;
    }
    ssize_t got = readv(fd, pieces, count);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        got = 0;
    } else if (got <= 0) {
        return -1;
    }
    *out_is_drained = (size_t)got < room;
    return got;
}

// receive returns the number of bytes received, 0 if none are available, or -1 at the end.
static ssize_t
receive(agent_stream_tls *tls, void *out, size_t size)
{
    LP_ASSERT(!tls->is_shaking && size > 0);
    tls->wants_write = false;
    ssize_t got = gnutls_record_recv(tls->session, out, size);
    if (got > 0) {
        return got;
    }
    LP_REQUIRE(got != 0, -1); // the peer has closed TLS
    // No second handshake: a peer could repeat it for ever.
    if (gnutls_error_is_fatal((int)got) == 0 && got != GNUTLS_E_REHANDSHAKE) {
        note_direction(tls);
        return 0;
    }
    end(tls, (int)got);
    return -1;
}

static ssize_t
read_tls(agent_stream_tls *tls, const struct iovec *pieces, int count, bool *out_is_drained)
{
    size_t got = 0;
    for (int i = 0; i < count; i++) {
        for (size_t filled = 0; filled < pieces[i].iov_len;) {
            if (got >= READ_BYTES_MAX) {
                *out_is_drained = false;
                return (ssize_t)got;
            }
            ssize_t more =
                receive(tls, (char *)pieces[i].iov_base + filled, pieces[i].iov_len - filled);
            if (more <= 0) {
                *out_is_drained = true; // the next call returns an end again
                return more < 0 && got == 0 ? -1 : (ssize_t)got;
            }
            filled += (size_t)more;
            got += (size_t)more;
        }
    }
    *out_is_drained = false;
    return (ssize_t)got;
}

ssize_t
agent_stream_read(agent_stream *self, const struct iovec *pieces, int count, bool *out_is_drained)
{
    LP_ASSERT(self->fd >= 0 && count > 0);
    return self->tls == NULL ? read_plain(self->fd, pieces, count, out_is_drained)
                             : read_tls(self->tls, pieces, count, out_is_drained);
}

static ssize_t
send_plain(int fd, const struct iovec *pieces, int count)
{
    const struct msghdr message = {
        .msg_iov = (struct iovec *)(uintptr_t)pieces, .msg_iovlen = (size_t)count}; // is only read
    ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    return sent < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : sent;
}

// gather copies up to a record of the bytes after the first skipped ones. Returns their number.
static size_t
gather(const struct iovec *pieces, int count, size_t skipped, uint8_t out_record[RECORD_BYTES])
{
    size_t filled = 0;
    for (int i = 0; i < count; i++) {
        size_t from = skipped < pieces[i].iov_len ? skipped : pieces[i].iov_len;
        size_t size = pieces[i].iov_len - from;
        size = size < RECORD_BYTES - filled ? size : RECORD_BYTES - filled;
        skipped -= from;
        if (size > 0) {
            memcpy(out_record + filled, (const uint8_t *)pieces[i].iov_base + from, size);
            filled += size;
        }
    }
    LP_ASSERT(filled <= RECORD_BYTES);
    return filled;
}

// send_tls packs pieces into as few records as possible. If the peer has no room for a record,
// GnuTLS keeps it, sends it at the next call and then returns its size.
static ssize_t
send_tls(agent_stream_tls *tls, const struct iovec *pieces, int count)
{
    LP_ASSERT(!tls->is_shaking && count > 0);
    uint8_t record[RECORD_BYTES];
    size_t taken = 0;
    size_t size;
    while ((size = gather(pieces, count, taken, record)) > 0) {
        ssize_t sent = gnutls_record_send(tls->session, record, size);
        if (sent < 0 && gnutls_error_is_fatal((int)sent) == 0) {
            break;
        }
        if (sent < 0) {
            end(tls, (int)sent);
            return -1;
        }
        taken += (size_t)sent;
    }
    return (ssize_t)taken;
}

ssize_t
agent_stream_send(agent_stream *self, const struct iovec *pieces, int count)
{
    LP_ASSERT(self->fd >= 0 && count > 0);
    return self->tls == NULL ? send_plain(self->fd, pieces, count)
                             : send_tls(self->tls, pieces, count);
}

size_t
agent_stream_get_shaken_bytes(const agent_stream *self)
{
    return self->tls == NULL ? 0 : self->tls->shaken_bytes;
}

bool
agent_stream_has_more(const agent_stream *self)
{
    return self->tls != NULL && !self->tls->is_shaking &&
           gnutls_record_check_pending(self->tls->session) > 0;
}

bool
agent_stream_wants_write(const agent_stream *self)
{
    return self->tls != NULL && self->tls->wants_write;
}

const char *
agent_stream_get_problem(const agent_stream *self)
{
    return self->tls == NULL || self->tls->problem[0] == '\0' ? NULL : self->tls->problem;
}

const char *
agent_stream_get_peer_name(const agent_stream *self)
{
    return self->tls == NULL || self->tls->peer_name[0] == '\0' ? NULL : self->tls->peer_name;
}
