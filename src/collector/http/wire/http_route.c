// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_route.h"

#include <microhttpd.h>
#include <string.h>

static const char api_prefix[] = "/api/v1/";
static const char recording_prefix[] = "/api/v1/recordings/";
static const char policy_prefix[] = "/api/v1/policies/";
static const char pending_prefix[] = "/internal/v1/pending/";
static const char file_suffix[] = ".jfr";

static const struct {
    const char *path;
    http_route_kind kind;
} routes[] = {
    {"/api/v1/recordings", HTTP_ROUTE_LIST},
    {"/api/v1/policies", HTTP_ROUTE_POLICIES},
    {"/api/v1/collector", HTTP_ROUTE_ABOUT},
    {"/api/v1/login", HTTP_ROUTE_LOGIN},
    {"/api/v1/uploads", HTTP_ROUTE_UPLOAD},
    {"/metrics", HTTP_ROUTE_METRICS},
    {"/healthz", HTTP_ROUTE_HEALTH},
    {"/readyz", HTTP_ROUTE_READY},
};

enum { ROUTE_COUNT = sizeof(routes) / sizeof(routes[0]) };

static http_route
route_of_recording(const char *name)
{
    http_route route = {.kind = HTTP_ROUTE_SHOW};
    size_t len = strlen(name);
    size_t suffix_len = sizeof(file_suffix) - 1;
    if (len >= suffix_len && strcmp(name + len - suffix_len, file_suffix) == 0) {
        route.kind = HTTP_ROUTE_DOWNLOAD;
        len -= suffix_len;
    }
    if (len == CATALOG_ID_CHARS) {
        memcpy(route.session_id, name, len);
        if (!catalog_id_is_valid(route.session_id)) {
            route.session_id[0] = '\0';
        }
    }
    return route;
}

static http_route
route_of_pending(const char *name)
{
    http_route route = {.kind = HTTP_ROUTE_PENDING};
    size_t len = strcspn(name, "/");
    route.is_wide = strcmp(name + len, "/wide") == 0;
    if (len == CATALOG_ID_CHARS && (name[len] == '\0' || route.is_wide)) {
        memcpy(route.session_id, name, len);
        if (!catalog_id_is_valid(route.session_id)) {
            route.session_id[0] = '\0';
        }
    }
    return route;
}

static http_route
find_route(const char *path)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        if (strcmp(path, routes[i].path) == 0) {
            return (http_route){.kind = routes[i].kind};
        }
    }
    size_t prefix_len = sizeof(recording_prefix) - 1;
    if (strncmp(path, recording_prefix, prefix_len) == 0 && path[prefix_len] != '\0' &&
        strchr(path + prefix_len, '/') == NULL) {
        return route_of_recording(path + prefix_len);
    }
    prefix_len = sizeof(pending_prefix) - 1;
    if (strncmp(path, pending_prefix, prefix_len) == 0) {
        return route_of_pending(path + prefix_len);
    }
    prefix_len = sizeof(policy_prefix) - 1; // a service may have a / in its name
    if (strncmp(path, policy_prefix, prefix_len) == 0 && path[prefix_len] != '\0') {
        return (http_route){.kind = HTTP_ROUTE_POLICY, .service = path + prefix_len};
    }
    prefix_len = sizeof(api_prefix) - 1;
    if (strncmp(path, api_prefix, prefix_len) == 0) {
        http_route route = {.kind = HTTP_ROUTE_ASK};
        route.ask = ask_routes_find(path + prefix_len, &route.rest);
        if (route.ask != NULL) {
            return route;
        }
    }
    const page_file *file = page_find(path);
    return (http_route){.kind = file == NULL ? HTTP_ROUTE_NONE : HTTP_ROUTE_PAGE, .file = file};
}

http_route
http_route_of(const char *path)
{
    http_route route = find_route(path);
    route.path = path;
    return route;
}

bool
http_route_has_first_part(lp_slice part)
{
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        if (page_is_first_part(part, routes[i].path)) {
            return true;
        }
    }
    return page_is_first_part(part, api_prefix) || page_is_first_part(part, pending_prefix) ||
           page_has_first_part(part);
}

bool
http_route_is_removal(const http_route *route, const char *method)
{
    return route->kind == HTTP_ROUTE_SHOW && strcmp(method, MHD_HTTP_METHOD_DELETE) == 0;
}
