// SPDX-License-Identifier: Apache-2.0
// temp_dir: a directory of a test's own, in $TMPDIR or /tmp, and its removal with all that is in
// it.

#pragma once

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEMP_DIR_IN_MEMORY "/dev/shm" // a file system that needs no disk; in containers of 64 MB

typedef struct temp_dir {
    char path[200];
} temp_dir;

// temp_dir_use_memory makes the next directories in memory, where they can be: of tests that write
// little and sync often.
static inline void
temp_dir_use_memory(void)
{
    if (access(TEMP_DIR_IN_MEMORY, W_OK) == 0) {
        (void)setenv("TMPDIR", TEMP_DIR_IN_MEMORY, 0);
    }
}

static inline temp_dir
temp_dir_make(void)
{
    const char *parent = getenv("TMPDIR");
    temp_dir dir;
    (void)snprintf(
        dir.path, sizeof(dir.path), "%s/loupe-test-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(dir.path) == NULL) {
        perror(dir.path);
        abort();
    }
    return dir;
}

static inline int
temp_dir_on_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static inline void
temp_dir_remove(const temp_dir *dir)
{
    (void)nftw(dir->path, temp_dir_on_entry, 16, FTW_DEPTH | FTW_PHYS);
}
