// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_route.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"

#include <stdio.h>
#include <string.h>

const http_route_line http_route_lines[HTTP_ROUTE_COUNT] = {
#define ROUTE(path, methods, right, need, params, handler)                                         \
    {path, methods, HTTP_RIGHT_##right, HTTP_NEED_##need, HTTP_PARAMS_##params},
#include "collector/http/routes/http_routes.def"
#undef ROUTE
};

static bool
take_id(http_route *route, const char *value, size_t len)
{
    LP_REQUIRE(value[0] != '\0' && memchr(value, '/', len) == NULL, false);
    route->has_id = true;
    if (len == CATALOG_ID_CHARS) {
        memcpy(route->session_id, value, len);
        if (!catalog_id_is_valid(route->session_id)) {
            route->session_id[0] = '\0';
        }
    }
    return true;
}

// take_part reads the part of a path, of len bytes, for a name in braces. Returns whether it is
// valid.
static bool
take_part(http_route *route, const char *name, const char *value, size_t len)
{
    LP_ASSERT(name[0] == '{');
    switch (name[1]) {
    case 'i': // {id}
        return take_id(route, value, len);
    case 's': // {service}
        route->service = value;
        return len > 0;
    case 'q': // {question}
        route->ask = ask_routes_find(value, &route->rest);
        return route->ask != NULL;
    case 'p': // {page}
        route->file = page_find(route->path);
        return route->file != NULL;
    default:
        return true;
    }
}

// fits returns whether a route's path matches its line.
static bool
fits(http_route *route)
{
    const char *pattern = route->line->path;
    const char *rest = route->path;
    size_t len = strcspn(pattern, "{");
    LP_REQUIRE(strncmp(rest, pattern, len) == 0, false);
    const char *name = pattern + len;
    rest += len;
    if (name[0] == '\0') {
        return rest[0] == '\0';
    }
    const char *end = strchr(name, '}');
    LP_ASSERT(end != NULL);
    size_t end_len = strlen(++end);
    size_t rest_len = strlen(rest);
    return lp_ends_with(rest, rest_len, end) && take_part(route, name, rest, rest_len - end_len);
}

static bool
has_method(const http_route_line *line, const char *method)
{
    size_t len = strlen(method);
    for (const char *at = line->methods; at != NULL; at = strchr(at, ' ')) {
        at += at[0] == ' ';
        if (at[0] == '*' ||
            (strncmp(at, method, len) == 0 && (at[len] == ',' || at[len] == '\0'))) {
            return true;
        }
    }
    return false;
}

http_route
http_route_find(const char *path, const char *method)
{
    http_route found = {.line = NULL};
    for (size_t i = 0; i < HTTP_ROUTE_COUNT; i++) {
        http_route route = {.line = &http_route_lines[i], .path = path};
        bool is_other = found.line != NULL && strcmp(found.line->path, route.line->path) != 0;
        if (is_other || !fits(&route)) {
            continue;
        }
        route.has_method = has_method(route.line, method);
        if (route.has_method) {
            return route;
        }
        found = found.line == NULL ? route : found;
    }
    LP_ASSERT(found.line != NULL); // the last line matches every path
    return found;
}

void
http_route_list_methods(const http_route *route, char out_methods[HTTP_ROUTE_METHODS_BYTES])
{
    LP_ASSERT(route->line != NULL);
    size_t len = 0;
    for (size_t i = 0; i < HTTP_ROUTE_COUNT; i++) {
        const http_route_line *line = &http_route_lines[i];
        if (strcmp(line->path, route->line->path) == 0) {
            len += (size_t)snprintf(out_methods + len, HTTP_ROUTE_METHODS_BYTES - len, "%s%s",
                len == 0 ? "" : ", ", line->methods);
            LP_ASSERT(len < HTTP_ROUTE_METHODS_BYTES);
        }
    }
}

// has_first_part returns whether a route or a file of the page has this first part.
static bool
has_first_part(lp_slice part)
{
    for (size_t i = 0; i < HTTP_ROUTE_COUNT; i++) {
        const char *path = http_route_lines[i].path; // the last one has no /
        if (path[0] == '/' && page_is_first_part(part, path)) {
            return true;
        }
    }
    return page_has_first_part(part);
}

lp_err
http_route_read_base(const char *text, http_base *out, lp_problem *out_problem)
{
    http_base base;
    LP_TRY(http_base_read(text, &base, out_problem));
    const char *first = base.path + (base.path[0] == '/');
    const lp_slice part = {(const uint8_t *)first, strcspn(first, "/")};
    LP_REQUIRE(part.len == 0 || !has_first_part(part),
        lp_problem_set(out_problem, LP_ECORRUPT,
            "a base path cannot begin with /%.*s, which is a path of the collector itself",
            (int)part.len, first));
    *out = base;
    return LP_OK;
}
