// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_list.h"

#include "common/base/lp_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
compare_ordinals(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// parse_ordinal reads a journal's file name, "7.log". A chunk is never UINT32_MAX, as a number must
// follow it.
static bool
parse_ordinal(const char *name, uint32_t *out_ordinal)
{
    char canonical[sizeof("4294967295.log")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32 ".log", ordinal);
    *out_ordinal = ordinal;
    return ordinal < UINT32_MAX && strcmp(name, canonical) == 0;
}

lp_err
journal_list_read(const char *path, journal_list *out_list)
{
    journal_list list = {0};
    *out_list = list;
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        uint32_t ordinal;
        if (parse_ordinal(entry->d_name, &ordinal)) {
            err = LP_VEC_ROOM(&list) ? LP_OK : LP_ENOMEM;
            if (err == LP_OK) {
                list.items[list.count++] = ordinal;
            }
        }
    }
    int error = errno;
    err = err == LP_OK && error != 0 ? LP_EIO : err;
    (void)closedir(dir);
    errno = error;
    if (err != LP_OK) {
        free(list.items);
        return err;
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof(list.items[0]), compare_ordinals);
    }
    *out_list = list;
    return LP_OK;
}

bool
journal_list_has(const journal_list *list, uint32_t ordinal)
{
    return list->count > 0 && bsearch(&ordinal, list->items, list->count, sizeof(list->items[0]),
                                  compare_ordinals) != NULL;
}

static lp_err
remove_journal(const data_dir *dir, const char *session_id, uint32_t ordinal)
{
    char *path = data_dir_path(dir, DATA_DIR_JOURNAL, session_id, ordinal);
    if (path == NULL) {
        return LP_ENOMEM;
    }
    lp_err err = unlink(path) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
    free(path);
    return err;
}

static lp_err
remove_listed(const data_dir *dir, const char *session_id, const char *path)
{
    journal_list found = {0};
    lp_err err = journal_list_read(path, &found);
    for (size_t i = 0; i < found.count && err == LP_OK; i++) {
        err = remove_journal(dir, session_id, found.items[i]);
    }
    LP_VEC_FINI(&found);
    return err;
}

lp_err
journal_list_remove(const data_dir *dir, const char *session_id)
{
    char *path = data_dir_path(dir, DATA_DIR_SESSION_JOURNALS, session_id);
    char *parent = data_dir_path(dir, DATA_DIR_JOURNALS);
    lp_err err = path == NULL || parent == NULL ? LP_ENOMEM : LP_OK;
    bool is_there = err == LP_OK && access(path, F_OK) == 0;
    if (is_there) {
        err = remove_listed(dir, session_id, path);
    }
    if (is_there && err == LP_OK) {
        (void)rmdir(path); // a directory without journals does no harm
        err = lp_io_sync_dir(AT_FDCWD, path);
        err = err == LP_OK || errno == ENOENT ? lp_io_sync_dir(AT_FDCWD, parent) : err;
    }
    free(path);
    free(parent);
    return err;
}
