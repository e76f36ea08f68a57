// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_mhd_error.h"

#include "common/base/lp_assert.h"

#include <gnutls/gnutls.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { ANSWER_BYTES = 512 };

static _Thread_local LIST_HEAD(, http_mhd_error) heads;

void
http_mhd_error_begin(http_mhd_error *self, struct MHD_Connection *connection)
{
    if (self->connection == NULL) {
        self->connection = connection;
        LIST_INSERT_HEAD(&heads, self, listed);
    }
    LP_ASSERT(self->connection == connection);
}

void
http_mhd_error_end(http_mhd_error *self)
{
    if (self->connection != NULL) {
        LP_ASSERT(*self->listed.le_prev == self);
        LIST_REMOVE(self, listed);
        self->connection = NULL;
    }
}

// find_whole returns the connection of this thread whose head is complete. NULL: none.
static http_mhd_error *
find_whole(void)
{
    http_mhd_error *found = LIST_FIRST(&heads);
    while (found != NULL && MHD_get_connection_info(found->connection,
                                MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) == NULL) {
        found = LIST_NEXT(found, listed);
    }
    return found;
}

static void
format_answer(unsigned status, char out[ANSWER_BYTES])
{
    static const struct {
        unsigned status;
        const char *reason;
        const char *text;
    } known[] = {
        {MHD_HTTP_CONTENT_TOO_LARGE, "Content Too Large", "the request's body is too large"},
        {MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "Request Header Fields Too Large",
            "the request's headers are too long"},
        {MHD_HTTP_BAD_REQUEST, "Bad Request", "Content-Length is not a number"},
    };
    size_t i = 0;
    while (known[i].status != status && known[i].status != MHD_HTTP_BAD_REQUEST) {
        i++;
    }
    char body[ANSWER_BYTES / 2];
    int len = snprintf(body, sizeof(body), "{\n  \"error\": \"%s\"\n}", known[i].text);
    LP_ASSERT(len > 0 && len < (int)sizeof(body));
    (void)snprintf(out, ANSWER_BYTES,
        "HTTP/1.1 %u %s\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n"
        "Content-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: %d\r\n\r\n%s",
        known[i].status, known[i].reason, len, body);
}

// send_last sends as much of an answer as the kernel takes at once, and shuts the connection down.
static void
send_last(struct MHD_Connection *connection, const char *answer)
{
    LP_ASSERT(answer[0] != '\0');
    const union MHD_ConnectionInfo *fd =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    const union MHD_ConnectionInfo *tls =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    if (tls != NULL && tls->tls_session != NULL) {
        (void)gnutls_record_send(tls->tls_session, answer, strlen(answer));
    } else if (fd != NULL) {
        (void)send(fd->connect_fd, answer, strlen(answer), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (fd != NULL) {
        (void)shutdown(fd->connect_fd, SHUT_WR); // libmicrohttpd's own answer fails
    }
}

void
http_mhd_error_answer(const char *line)
{
    LP_ASSERT(line != NULL);
    static const char begin[] = "Error processing request (HTTP response code is ";
    char answer[ANSWER_BYTES];
    if (strncmp(line, begin, sizeof(begin) - 1) != 0) {
        return;
    }
    http_mhd_error *found = find_whole();
    if (found != NULL) {
        format_answer((unsigned)strtoul(line + sizeof(begin) - 1, NULL, 10), answer);
        send_last(found->connection, answer);
        http_mhd_error_end(found);
    }
}
