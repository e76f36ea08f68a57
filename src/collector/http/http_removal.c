// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_removal.h"

#include "collector/http/http_catalog.h"
#include "collector/http/http_reply.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

bool
http_removal_is_allowed(const struct sockaddr *peer)
{
    if (peer == NULL) {
        return false;
    }
    if (peer->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, peer, sizeof(v4));
        return ntohl(v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    if (peer->sa_family != AF_INET6) {
        return false;
    }
    struct sockaddr_in6 v6;
    memcpy(&v6, peer, sizeof(v6));
    return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) && v6.sin6_addr.s6_addr[12] == IN_LOOPBACKNET);
}

bool
http_removal_is_local(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return http_removal_is_allowed(info == NULL ? NULL : info->client_addr);
}

enum MHD_Result
http_removal_reply(struct MHD_Connection *connection, const snapshot *done)
{
    if (done->err == LP_OK) {
        return http_reply_empty(connection, MHD_HTTP_NO_CONTENT);
    }
    if (done->err == LP_EAGAIN) {
        return http_reply_error(connection, MHD_HTTP_CONFLICT,
            "the recording is still running, or not all of it is compacted: try again later");
    }
    return http_catalog_reply_failure(connection, done->err, "removing the recording");
}
