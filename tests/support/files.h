// SPDX-License-Identifier: Apache-2.0
// files: what tests do to files from outside. Where it fails they abort.

#pragma once

#include "common/base/lp_buf.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static inline void
files_must(bool is_true, const char *path)
{
    if (!is_true) {
        perror(path);
        abort();
    }
}

static inline off_t
files_size(const char *path)
{
    struct stat info;
    files_must(stat(path, &info) == 0, path);
    return info.st_size;
}

// files_write makes a file of so many bytes.
static inline void
files_write(const char *path, const void *bytes, size_t count)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    files_must(fd >= 0 && write(fd, bytes, count) == (ssize_t)count && close(fd) == 0, path);
}

// files_read appends what is in a file.
static inline void
files_read(const char *path, lp_buf *out)
{
    uint8_t bytes[4096];
    FILE *file = fopen(path, "rb");
    files_must(file != NULL, path);
    for (size_t count; (count = fread(bytes, 1, sizeof(bytes), file)) > 0;) {
        lp_buf_append(out, bytes, count);
    }
    files_must(ferror(file) == 0 && fclose(file) == 0 && !out->is_failed, path);
}

// files_flip changes the bits of mask in the byte at offset.
static inline void
files_flip(const char *path, off_t offset, uint8_t mask)
{
    uint8_t byte;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    files_must(fd >= 0, path);
    files_must(pread(fd, &byte, 1, offset) == 1, path);
    byte ^= mask;
    files_must(pwrite(fd, &byte, 1, offset) == 1 && close(fd) == 0, path);
}
