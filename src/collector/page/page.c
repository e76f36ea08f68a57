// SPDX-License-Identifier: Apache-2.0
#include "collector/page/page.h"

#include "common/base/lp_assert.h"

#include <string.h>

static const char index_path[] = "/index.html";
static const char speedscope_prefix[] = "/speedscope/";

// has_rest returns whether path has a prefix and more after it.
static bool
has_rest(const char *path, const char *prefix)
{
    LP_ASSERT(prefix[0] == '/');
    size_t len = strlen(prefix);
    return strncmp(path, prefix, len) == 0 && path[len] != '\0';
}

// The page's screens besides /: /s and /s/{service}, /c/{recording}/{id}, /q/{recording}/{id},
// /t/{trace}, /e (events), /r and /r/{recording}.
static const struct screen {
    const char *first;   // first part of the path
    bool is_alone;       // the first part alone is a screen
    unsigned more_least; // number of parts that may follow; 0: none
} screens[] = {
    {"/s", true, 1},
    {"/c", false, 2},
    {"/q", false, 2},
    {"/t", false, 1},
    {"/e", true, 0},
    {"/r", true, 1},
};

enum { SCREEN_COUNT = sizeof(screens) / sizeof(screens[0]) };

bool
page_is_first_part(lp_slice part, const char *path)
{
    LP_ASSERT(path[0] == '/');
    return strcspn(path + 1, "/") == part.len && memcmp(path + 1, part.ptr, part.len) == 0;
}

// has_parts returns whether a screen allows rest, "" or "/...", after its first part. An unescaped
// part may contain a /.
static bool
has_parts(const struct screen *screen, const char *rest)
{
    LP_ASSERT(rest[0] == '\0' || rest[0] == '/');
    if (rest[0] == '\0') {
        return screen->is_alone;
    }
    const char *slash = strchr(rest + 1, '/');
    return screen->more_least == 1   ? rest[1] != '\0'
           : screen->more_least == 2 ? slash != NULL && slash != rest + 1 && slash[1] != '\0'
                                     : false;
}

static bool
is_screen(const char *path)
{
    size_t len = path[0] == '/' ? strcspn(path + 1, "/") : 0;
    for (size_t i = 0; i < SCREEN_COUNT && len > 0; i++) {
        if (page_is_first_part((lp_slice){(const uint8_t *)path + 1, len}, screens[i].first)) {
            return has_parts(&screens[i], path + 1 + len);
        }
    }
    return strcmp(path, "/") == 0;
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

bool
page_has_first_part(lp_slice part)
{
    for (size_t i = 0; i < SCREEN_COUNT; i++) {
        if (page_is_first_part(part, screens[i].first)) {
            return true;
        }
    }
    for (size_t i = 0; i < page_files_count; i++) {
        if (page_is_first_part(part, page_files[i].path)) {
            return true;
        }
    }
    return false;
}

const char *
page_type(const page_file *file)
{
    LP_ASSERT(file->path[0] == '/');
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
    LP_ASSERT(file->path[0] == '/');
    return strcmp(file->path, index_path) == 0;
}

bool
page_is_speedscope(const page_file *file)
{
    LP_ASSERT(file->path[0] == '/');
    return has_rest(file->path, speedscope_prefix);
}
