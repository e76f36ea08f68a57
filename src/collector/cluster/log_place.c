// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/log_place.h"

#include "collector/journal/journal_list.h"
#include "collector/journal/place_mark.h"
#include "collector/store/catalog/blob_list.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

// read_sessions lists the sessions with journals; the caller frees the items.
static lp_err
read_sessions(const data_dir *dir, blob_list_sessions *out)
{
    return blob_list_read_sessions(data_dir_at(dir, DATA_DIR_JOURNALS).text, out);
}

static lp_err
begin(const data_dir *dir, const char *mark_path, const char *name, lp_problem *out_problem)
{
    LP_ASSERT(name[0] != '\0');
    blob_list_sessions sessions = {0};
    lp_err err = read_sessions(dir, &sessions);
    free(sessions.items);
    if (err == LP_OK && sessions.count > 0) {
        return lp_problem_set(out_problem, LP_ELIMIT,
            "%s: it has journals that no log has: run a collector without --journal until it has "
            "compacted them, or choose another --data",
            data_dir_get_path(dir));
    }
    LP_THEN(err, place_mark_write(mark_path, name));
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: %s", mark_path, lp_err_reason(err));
}

static lp_err
go_on(const data_dir *dir, const char *mark, const char *name, lp_problem *out_problem)
{
    LP_ASSERT(mark[0] != '\0');
    if (strcmp(mark, name) != 0) {
        return name[0] == '\0' ? lp_problem_set(out_problem, LP_ELIMIT,
                                     "%s: its batches come from the log %s: pass that as --journal",
                                     data_dir_get_path(dir), mark)
                               : lp_problem_set(out_problem, LP_ELIMIT,
                                     "%s: its batches come from the log %s, not from %s",
                                     data_dir_get_path(dir), mark, name);
    }
    blob_list_sessions sessions = {0};
    lp_err err = read_sessions(dir, &sessions);
    for (size_t i = 0; i < sessions.count && err == LP_OK; i++) {
        err = journal_list_remove(dir, sessions.items[i].id);
    }
    free(sessions.items);
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: cannot remove old journals: %s",
                              data_dir_get_path(dir), lp_err_reason(err));
}

lp_err
log_place_begin(const data_dir *dir, const log_url *url, lp_problem *out_problem)
{
    LP_ASSERT(dir != NULL);
    char name[LOG_URL_TITLE_BYTES];
    char mark[PLACE_MARK_BYTES];
    const data_path path = data_dir_at(dir, DATA_DIR_LOG_PLACE);
    log_url_format(url, name);
    lp_err err = place_mark_read(path.text, mark);
    if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "%s/log: %s", data_dir_get_path(dir), lp_err_reason(err));
    } else if (mark[0] != '\0') {
        err = go_on(dir, mark, name, out_problem);
    } else if (url != NULL) {
        err = begin(dir, path.text, name, out_problem);
    }
    return err;
}
