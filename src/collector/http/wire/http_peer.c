// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_peer.h"

#include "common/base/lp_hash.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>

static const struct sockaddr *
find_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

void
http_peer_format(struct MHD_Connection *connection, char out_address[HTTP_PEER_BYTES])
{
    const struct sockaddr *at = find_address(connection);
    socklen_t size = at != NULL && at->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                             : sizeof(struct sockaddr_in);
    if (at == NULL ||
        getnameinfo(at, size, out_address, HTTP_PEER_BYTES, NULL, 0, NI_NUMERICHOST) != 0) {
        (void)snprintf(out_address, HTTP_PEER_BYTES, "an unknown address");
    }
}

uint64_t
http_peer_hash(struct MHD_Connection *connection)
{
    enum { NETWORK_BYTES = 8, MAPPED_AT = 12 };
    const struct sockaddr *at = find_address(connection);
    lp_slice network = {0};
    if (at != NULL && at->sa_family == AF_INET) {
        const struct in_addr *address = &((const struct sockaddr_in *)(const void *)at)->sin_addr;
        network = (lp_slice){(const uint8_t *)address, sizeof(*address)};
    } else if (at != NULL && at->sa_family == AF_INET6) {
        const struct in6_addr *address =
            &((const struct sockaddr_in6 *)(const void *)at)->sin6_addr;
        bool is_mapped = IN6_IS_ADDR_V4MAPPED(address);
        network = is_mapped ? (lp_slice){address->s6_addr + MAPPED_AT, sizeof(struct in_addr)}
                            : (lp_slice){address->s6_addr, NETWORK_BYTES};
    }
    return lp_hash_bytes(lp_hash_seed(), network);
}
