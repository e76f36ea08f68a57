// SPDX-License-Identifier: Apache-2.0
#include "collector/base/tcp_address.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <stdlib.h>
#include <string.h>

static bool
is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= TCP_ADDRESS_PORT_DIGITS_MAX && text[digits] == '\0' &&
           strtol(text, NULL, 10) <= TCP_ADDRESS_PORT_MAX;
}

bool
tcp_address_parse(const char *text, tcp_address *out)
{
    const char *colon = strrchr(text, ':');
    LP_REQUIRE(colon != NULL && is_port(colon + 1), false);
    const char *host = text;
    size_t len = (size_t)(colon - host);
    if (len >= 2 && host[0] == '[' && colon[-1] == ']') {
        host++;
        len -= 2;
    } else if (memchr(host, ':', len) != NULL) {
        return false; // an IPv6 address without brackets is ambiguous
    }
    LP_REQUIRE(len <= TCP_ADDRESS_HOST_BYTES_MAX, false);
    *out = (tcp_address){0};
    LP_ASSERT(strlen(colon + 1) <= TCP_ADDRESS_PORT_DIGITS_MAX);
    memcpy(out->host, host, len);
    memcpy(out->port, colon + 1, strlen(colon + 1));
    return true;
}
