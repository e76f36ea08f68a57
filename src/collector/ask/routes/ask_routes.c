// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/routes/ask_routes.h"

#include <stdbool.h>
#include <string.h>

static const ask_route *const routes[] = {
#define ASK_ROUTE(name) &ask_##name##_route,
#include "collector/ask/routes/ask_routes.def"
#undef ASK_ROUTE
};

const ask_route *
ask_routes_find(const char *path, const char **out_rest)
{
    for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
        size_t len = strlen(routes[i]->path);
        bool has_rest = routes[i]->set_rest != NULL;
        if (strncmp(path, routes[i]->path, len) == 0 && (path[len] != '\0') == has_rest) {
            *out_rest = path + len;
            return routes[i];
        }
    }
    return NULL;
}
