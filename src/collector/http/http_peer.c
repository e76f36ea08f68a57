// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_peer.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>

void
http_peer_format(struct MHD_Connection *connection, char out_address[HTTP_PEER_BYTES])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *at = info == NULL ? NULL : info->client_addr;
    socklen_t size = at != NULL && at->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                             : sizeof(struct sockaddr_in);
    if (at == NULL ||
        getnameinfo(at, size, out_address, HTTP_PEER_BYTES, NULL, 0, NI_NUMERICHOST) != 0) {
        (void)snprintf(out_address, HTTP_PEER_BYTES, "an unknown address");
    }
}
