// SPDX-License-Identifier: Apache-2.0
// page: the files of web/dist, embedded in the program. The build compresses them and generates
// page_files (cmake/LoupeEmbed.cmake).
//
// Threads: any thread; nothing changes.
// Tests:   tests/unit/collector/page/test_page.c

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>

typedef struct page_file {
    const char *path;          // "/page.js"
    const unsigned char *gzip; // compressed content
    const size_t *gzip_bytes;
} page_file;

extern const page_file page_files[];
extern const size_t page_files_count;

// page_find returns the file at a path (without query), NULL if there is none. "/" and the page's
// own screens, such as /s/{service}, are index.html.
const page_file *page_find(const char *path);

// page_has_first_part returns whether page_find knows paths with this first part.
bool page_has_first_part(lp_slice part);

// page_is_first_part returns whether a path, which begins with a /, has this first part.
bool page_is_first_part(lp_slice part, const char *path);

// page_type returns the Content-Type of a file.
const char *page_type(const page_file *file);

// page_is_index returns whether the file is the page's index.html. In that file, ="/ begins each
// attribute that is a path of this server, and nothing else.
bool page_is_index(const page_file *file);

// page_is_speedscope returns whether the file belongs to speedscope, a separate page.
bool page_is_speedscope(const page_file *file);

static inline lp_slice
page_gzip(const page_file *file)
{
    return (lp_slice){.ptr = file->gzip, .len = *file->gzip_bytes};
}
