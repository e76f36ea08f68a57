// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/left_journals.h"

#include "collector/journal/journal_list.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

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
left_journals_remove(const data_dir *dir, const char *session_id)
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
