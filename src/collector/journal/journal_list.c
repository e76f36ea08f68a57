// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/journal_list.h"

#include "collector/store/catalog/catalog.h"
#include "common/base/lp_io.h"
#include "common/base/lp_order.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

LP_COMPARE(compare_ordinals, uint32_t, LP_ORDER(*one, *other))

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

static lp_err
add_journal(void *arg, int dir_fd, const char *name)
{
    (void)dir_fd;
    journal_list *list = arg;
    uint32_t ordinal;
    return parse_ordinal(name, &ordinal) ? LP_VEC_ADD(list, ordinal) : LP_OK;
}

lp_err
journal_list_read(const char *path, journal_list *out_list)
{
    *out_list = (journal_list){0};
    lp_err err = lp_io_list(path, add_journal, out_list);
    if (err != LP_OK) {
        LP_VEC_FINI(out_list);
    }
    LP_QSORT(out_list->items, out_list->count, compare_ordinals);
    return err;
}

bool
journal_list_has(const journal_list *list, uint32_t ordinal)
{
    return list->count > 0 && bsearch(&ordinal, list->items, list->count, sizeof(list->items[0]),
                                  compare_ordinals) != NULL;
}

static lp_err
remove_listed(const char *path)
{
    journal_list found;
    lp_err err = journal_list_read(path, &found);
    for (size_t i = 0; i < found.count && err == LP_OK; i++) {
        char file[PATH_MAX + sizeof("/4294967295.log")];
        (void)snprintf(file, sizeof(file), "%s/%" PRIu32 ".log", path, found.items[i]);
        err = unlink(file) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
    }
    LP_VEC_FINI(&found);
    return err;
}

// remove_all deletes the journals of the session in the directory at root.
static lp_err
remove_all(const char *root, const char *session_id)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/%s", root, session_id);
    if (!catalog_id_is_valid(session_id) || access(path, F_OK) != 0) {
        return LP_OK;
    }
    LP_TRY(remove_listed(path));
    (void)rmdir(path); // a directory without journals does no harm
    lp_err err = lp_io_sync_dir(AT_FDCWD, path);
    return err == LP_OK || errno == ENOENT ? lp_io_sync_dir(AT_FDCWD, root) : err;
}

lp_err
journal_list_remove(const data_dir *dir, const char *session_id)
{
    return remove_all(data_dir_at(dir, DATA_DIR_JOURNALS).text, session_id);
}

lp_err
journal_list_remove_raw(const data_dir *dir, const char *session_id)
{
    return remove_all(data_dir_at(dir, DATA_DIR_RAW).text, session_id);
}
