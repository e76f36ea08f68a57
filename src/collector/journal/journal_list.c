// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_list.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
compare_ordinals(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// parse_ordinal reads a journal's file name, "7.log".
static bool
parse_ordinal(const char *name, uint32_t *out_ordinal)
{
    char canonical[sizeof("4294967295.log")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32 ".log", ordinal);
    *out_ordinal = ordinal;
    return strcmp(name, canonical) == 0;
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
