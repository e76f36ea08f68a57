// SPDX-License-Identifier: Apache-2.0
// page: the files of the page, web/dist, which are a part of the program.
//
// The build compresses each of them and makes the table, page_files (cmake/LoupeEmbed.cmake).
//
// Threads: any thread; nothing changes.
// Tests:   tests/unit/collector/page/test_page.c

#ifndef LP_COLLECTOR_PAGE_PAGE_H
#define LP_COLLECTOR_PAGE_PAGE_H

#include "common/base/lp_slice.h"

#include <stdbool.h>

typedef struct page_file {
    const char *path;          // "/page.js"
    const unsigned char *gzip; // its bytes, compressed
    const size_t *gzip_bytes;
} page_file;

extern const page_file page_files[];
extern const size_t page_files_count;

// page_find returns the file that a path asks for, without its query; NULL if there is none. "/"
// and the paths that the page shows by itself, such as /s/{service}, are its index.html.
const page_file *page_find(const char *path);

// page_has_first_part returns whether a path that page_find may know has this first part.
bool page_has_first_part(lp_slice part);

// page_is_first_part returns whether a path, which begins with a /, has this first part.
bool page_is_first_part(lp_slice part, const char *path);

// page_type returns a file's Content-Type.
const char *page_type(const page_file *file);

// page_is_index returns whether the file is the index.html of the page itself. As an attribute in
// it each path of this server begins with ="/ and nothing else does.
bool page_is_index(const page_file *file);

// page_is_speedscope returns whether the file belongs to speedscope, which is a page of its own.
bool page_is_speedscope(const page_file *file);

static inline lp_slice
page_gzip(const page_file *file)
{
    return (lp_slice){.ptr = file->gzip, .len = *file->gzip_bytes};
}

#endif // LP_COLLECTOR_PAGE_PAGE_H
