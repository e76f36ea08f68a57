// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_site.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool
is(const char *value, const char *wanted)
{
    return value != NULL && strcmp(value, wanted) == 0;
}

// has_port returns whether longer is host followed by port.
static bool
has_port(const char *longer, const char *host, const char *port)
{
    size_t len = strlen(host);
    return strncasecmp(longer, host, len) == 0 && strcmp(longer + len, port) == 0;
}

// is_origin_of returns whether origin has this host. The scheme may differ: TLS may end at a proxy.
static bool
is_origin_of(const char *origin, const char *host)
{
    const char *colons = strstr(origin, "://");
    LP_REQUIRE(colons != NULL && host != NULL, false); // "null": a page without an origin
    const char *port = strncasecmp(origin, "https", strlen("https")) == 0 ? ":443" : ":80";
    const char *own = colons + strlen("://");
    return strcasecmp(own, host) == 0 || has_port(own, host, port) || has_port(host, own, port);
}

bool
http_site_is_foreign(const http_site_head *head)
{
    LP_ASSERT(head->method != NULL);
    if (head->site != NULL) {
        bool is_navigation =
            is(head->method, "GET") && is(head->mode, "navigate") && is(head->dest, "document");
        return !is(head->site, "same-origin") && !is(head->site, "none") && !is_navigation;
    }
    return head->origin != NULL && !head->has_own_header && !is_origin_of(head->origin, head->host);
}
