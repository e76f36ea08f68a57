// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_cookie.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

http_cookie
http_cookie_make(uint16_t port, bool is_secure)
{
    http_cookie made = {.is_secure = is_secure};
    (void)snprintf(
        made.name, sizeof(made.name), "%sloupe-%u", is_secure ? "__Host-" : "", (unsigned)port);
    return made;
}

const char *
http_cookie_find(const http_cookie *self, struct MHD_Connection *connection)
{
    return MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, self->name);
}

void
http_cookie_format(const http_cookie *self, const char *id, char out_header[HTTP_COOKIE_BYTES])
{
    (void)snprintf(out_header, HTTP_COOKIE_BYTES, "%s=%s; Path=/; HttpOnly; SameSite=Strict%s%s",
        self->name, id == NULL ? "" : id, self->is_secure ? "; Secure" : "",
        id == NULL ? "; Max-Age=0" : "");
}

bool
http_cookie_is_of_page(struct MHD_Connection *connection, bool changes)
{
    const char *site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site");
    // Browsers send it over TLS, and to this machine; "none" is of a person: an address that was
    // typed in, a bookmark.
    if (site != NULL && strcmp(site, "same-origin") != 0 &&
        (changes || strcmp(site, "none") != 0)) {
        return false;
    }
    return !changes || MHD_lookup_connection_value(
                           connection, MHD_HEADER_KIND, HTTP_COOKIE_PAGE_HEADER) != NULL;
}
