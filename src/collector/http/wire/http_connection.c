// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_connection.h"

#include "collector/base/loopback.h"
#include "collector/http/wire/http_mhd_error.h"
#include "collector/http/wire/http_tls.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <sys/socket.h>

typedef struct kept {
    http_line *line;
    tls_set *files;
    http_target target; // of the present request
    http_base base;     // likewise
    http_mhd_error head;
} kept;

static int
fd_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

void
http_connection_notify(void *arg, struct MHD_Connection *connection, void **context,
    enum MHD_ConnectionNotificationCode code)
{
    const http_connections *self = arg;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        LP_ASSERT(*context == NULL);
        http_line *line = http_gate_begin(self->gate, fd_of(connection));
        kept *made = calloc(1, sizeof(*made));
        if (made != NULL) {
            *made = (kept){.line = line, .files = http_tls_begin(self->tls, connection)};
        }
        if (made == NULL || line == NULL) {
            (void)shutdown(fd_of(connection), SHUT_RDWR); // it could not be watched
        }
        *context = made;
        return;
    }
    kept *made = *context;
    *context = NULL;
    http_gate_leave(self->gate, fd_of(connection));
    if (made != NULL) {
        http_mhd_error_end(&made->head);
        tls_set_unref(made->files);
        free(made);
    }
}

static kept *
kept_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

http_line *
http_connection_get_line(struct MHD_Connection *connection)
{
    const kept *made = kept_of(connection);
    return made == NULL ? NULL : made->line;
}

void
http_connection_set_target(struct MHD_Connection *connection, const http_target *target)
{
    LP_ASSERT(target->begin != NULL && target->begin <= target->end);
    kept *made = kept_of(connection);
    if (made != NULL) {
        made->target = *target;
        http_mhd_error_begin(&made->head, connection);
    }
}

void
http_connection_end_head(struct MHD_Connection *connection)
{
    kept *made = kept_of(connection);
    if (made != NULL) {
        http_mhd_error_end(&made->head);
    }
}

const http_target *
http_connection_get_target(struct MHD_Connection *connection)
{
    static const http_target none = {0};
    const kept *made = kept_of(connection);
    return made == NULL ? &none : &made->target;
}

void
http_connection_set_base(struct MHD_Connection *connection, const http_base *base)
{
    LP_ASSERT(base->path[0] == '\0' || base->path[0] == '/');
    kept *made = kept_of(connection);
    if (made != NULL) {
        made->base = *base;
    }
}

const http_base *
http_connection_get_base(struct MHD_Connection *connection)
{
    static const http_base none = {0};
    const kept *made = kept_of(connection);
    return made == NULL ? &none : &made->base;
}

const char *
http_connection_get_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

const char *
http_connection_get_host(struct MHD_Connection *connection)
{
    const http_target *target = http_connection_get_target(connection);
    return target->prefix_len > 0 ? target->host
                                  : http_connection_get_header(connection, MHD_HTTP_HEADER_HOST);
}

static const struct sockaddr *
find_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

void
http_connection_format_peer(
    struct MHD_Connection *connection, char out_address[PEERS_ADDRESS_BYTES])
{
    peers_format_address(find_address(connection), out_address);
}

uint64_t
http_connection_find_peer(struct MHD_Connection *connection)
{
    const struct sockaddr *address = find_address(connection);
    return address == NULL ? PEERS_NONE : peers_of_address(address);
}

bool
http_connection_is_local(struct MHD_Connection *connection)
{
    return loopback_has_address(find_address(connection));
}
