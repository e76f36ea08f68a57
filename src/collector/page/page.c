// SPDX-License-Identifier: Apache-2.0
#include "collector/page/page.h"

#include <string.h>

static const char index_path[] = "/index.html";
static const char speedscope_prefix[] = "/speedscope/";

// has_rest returns whether path has something behind a prefix.
static bool
has_rest(const char *path, const char *prefix)
{
    size_t len = strlen(prefix);
    return strncmp(path, prefix, len) == 0 && path[len] != '\0';
}

// is_screen returns whether the page shows something at path: / the services, /s/{service} or /s,
// /c/{recording}/{id}, /q/{recording}/{id}, /t/{trace}, /e events and /r recordings, or one. What
// is in braces may hold a / where it was escaped.
static bool
is_screen(const char *path)
{
    if (has_rest(path, "/c/") || has_rest(path, "/q/")) {
        const char *slash = strchr(path + 3, '/');
        return slash != NULL && slash != path + 3 && slash[1] != '\0';
    }
    static const char *const screens[] = {"/", "/s", "/e", "/r"};
    for (size_t i = 0; i < sizeof(screens) / sizeof(screens[0]); i++) {
        if (strcmp(path, screens[i]) == 0) {
            return true;
        }
    }
    return has_rest(path, "/s/") || has_rest(path, "/t/") || has_rest(path, "/r/");
}

static const page_file *
find_file(const char *path)
{
    for (size_t i = 0; i < page_files_count; i++) {
        if (strcmp(page_files[i].path, path) == 0) {
            return &page_files[i];
        }
    }
    return NULL;
}

const page_file *
page_find(const char *path)
{
    if (is_screen(path)) {
        return find_file(index_path);
    }
    if (strcmp(path, speedscope_prefix) == 0) {
        return find_file("/speedscope/index.html");
    }
    return find_file(path);
}

const char *
page_type(const page_file *file)
{
    static const struct {
        const char *suffix;
        const char *type;
    } types[] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".ico", "image/x-icon"},
        {".woff2", "font/woff2"},
        {".wasm", "application/wasm"},
    };
    const char *suffix = strrchr(file->path, '.');
    for (size_t i = 0; suffix != NULL && i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(suffix, types[i].suffix) == 0) {
            return types[i].type;
        }
    }
    return "application/octet-stream";
}

bool
page_is_index(const page_file *file)
{
    return strcmp(file->path, index_path) == 0;
}

bool
page_is_speedscope(const page_file *file)
{
    return has_rest(file->path, speedscope_prefix);
}
