// SPDX-License-Identifier: Apache-2.0
#include "collector/base/loopback.h"

#include "common/base/lp_err.h"

#include <netinet/in.h>
#include <string.h>

bool
loopback_has_address(const struct sockaddr *address)
{
    LP_REQUIRE(address != NULL, false);
    if (address->sa_family == AF_INET) {
        struct sockaddr_in v4;
        memcpy(&v4, address, sizeof(v4));
        return ntohl(v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    LP_REQUIRE(address->sa_family == AF_INET6, false);
    struct sockaddr_in6 v6;
    memcpy(&v6, address, sizeof(v6));
    return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr) ||
           (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) && v6.sin6_addr.s6_addr[12] == IN_LOOPBACKNET);
}
