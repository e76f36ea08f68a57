// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_peer.h"

static const struct sockaddr *
find_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

void
http_peer_format(struct MHD_Connection *connection, char out_address[PEERS_ADDRESS_BYTES])
{
    peers_format_address(find_address(connection), out_address);
}

uint64_t
http_peer_find(struct MHD_Connection *connection)
{
    const struct sockaddr *address = find_address(connection);
    return address == NULL ? PEERS_NONE : peers_of_address(address);
}
