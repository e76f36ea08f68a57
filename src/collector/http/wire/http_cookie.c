// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_cookie.h"

#include "collector/http/wire/http_connection.h"
#include "common/base/lp_assert.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

http_cookie
http_cookie_make(uint16_t port, bool is_secure, bool has_base)
{
    http_cookie made = {.is_secure = is_secure};
    const char *prefix = !is_secure ? "" : has_base ? "__Secure-" : "__Host-";
    (void)snprintf(made.name, sizeof(made.name), "%sloupe-%u", prefix, (unsigned)port);
    return made;
}

typedef struct visitor {
    const char *name;
    http_cookie_visit visit;
    void *arg;
} visitor;

static enum MHD_Result
on_cookie(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    const visitor *self = arg;
    bool is_named = value != NULL && strcmp(name, self->name) == 0;
    return is_named && !self->visit(self->arg, value) ? MHD_NO : MHD_YES;
}

// MHD_lookup_connection_value ignores case and finds the first cookie only.
void
http_cookie_visit_ids(
    const http_cookie *self, struct MHD_Connection *connection, http_cookie_visit visit, void *arg)
{
    LP_ASSERT(visit != NULL);
    visitor one = {.name = self->name, .visit = visit, .arg = arg};
    (void)MHD_get_connection_values(connection, MHD_COOKIE_KIND, on_cookie, &one);
}

void
http_cookie_format(const http_cookie *self, const http_base *base, const char *id,
    char out_header[HTTP_COOKIE_BYTES])
{
    LP_ASSERT(self->name[0] != '\0');
    (void)snprintf(out_header, HTTP_COOKIE_BYTES, "%s=%s; Path=%s; HttpOnly; SameSite=Strict%s%s",
        self->name, id == NULL ? "" : id, base->path[0] == '\0' ? "/" : base->path,
        self->is_secure ? "; Secure" : "", id == NULL ? "; Max-Age=0" : "");
}

bool
http_cookie_is_of_page(struct MHD_Connection *connection, bool changes)
{
    const char *site = http_connection_get_header(connection, "Sec-Fetch-Site");
    // Browsers send it over TLS and to localhost. "none": a typed address or a bookmark.
    LP_REQUIRE(
        site == NULL || strcmp(site, "same-origin") == 0 || (!changes && strcmp(site, "none") == 0),
        false);
    return !changes || http_connection_get_header(connection, HTTP_COOKIE_PAGE_HEADER) != NULL;
}
