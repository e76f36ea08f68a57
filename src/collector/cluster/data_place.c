// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/data_place.h"

#include "collector/journal/journal_list.h"
#include "collector/journal/place_mark.h"
#include "collector/store/catalog/blob_list.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- The catalog

// The place that a directory names, and the requested one.
typedef struct names {
    data_path path;              // of the file `catalog`
    char mark[PLACE_MARK_BYTES]; // of the directory; "": none
    char name[PLACE_MARK_BYTES]; // requested; "": the file
} names;

static lp_err
read_names(const data_dir *dir, const char *place, names *out, lp_problem *out_problem)
{
    *out = (names){.path = data_dir_at(dir, DATA_DIR_CATALOG_PLACE)};
    lp_err err = place_mark_read(out->path.text, out->mark);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "%s/catalog: %s",
                                 data_dir_get_path(dir), lp_err_reason(err)));
    LP_ASSERT(out->path.text[0] != '\0');
    err = place == NULL ? LP_OK : catalog_format_name(place, out->name, sizeof(out->name));
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "--catalog: not a URI of PostgreSQL");
}

static bool
has_file(const data_dir *dir)
{
    return access(data_dir_at(dir, DATA_DIR_CATALOG).text, F_OK) == 0;
}

static lp_err
compare(const data_dir *dir, const names *n, lp_problem *out_problem)
{
    LP_ASSERT(n->path.text[0] != '\0');
    const char *root = data_dir_get_path(dir);
    if (n->mark[0] == '\0' && n->name[0] != '\0' && has_file(dir)) {
        return lp_problem_set(out_problem, LP_ELIMIT,
            "%s: its catalog is the file catalog.db and cannot move to %s: choose another --data "
            "for "
            "that",
            root, n->name);
    }
    if (n->mark[0] == '\0' || strcmp(n->mark, n->name) == 0) {
        return LP_OK;
    }
    return n->name[0] == '\0' ? lp_problem_set(out_problem, LP_ELIMIT,
                                    "%s: its catalog is in %s: pass that as --catalog to collect "
                                    "and index; fsck does not "
                                    "read it there",
                                    root, n->mark)
                              : lp_problem_set(out_problem, LP_ELIMIT,
                                    "%s: its catalog is in %s, not in %s", root, n->mark, n->name);
}

lp_err
data_place_check_catalog(const data_dir *dir, const char *place, lp_problem *out_problem)
{
    names n;
    lp_err err = read_names(dir, place, &n, out_problem);
    LP_THEN(err, compare(dir, &n, out_problem));
    return err;
}

lp_err
data_place_begin_catalog(
    const data_dir *dir, const char *place, bool has_others, lp_problem *out_problem)
{
    names n;
    lp_err err = read_names(dir, place, &n, out_problem);
    if (err == LP_OK && n.mark[0] == '\0' && n.name[0] != '\0') {
        err = has_others
                  ? lp_problem_set(out_problem, LP_ELIMIT,
                        "%s: %s has recordings whose chunks are files of another data directory",
                        data_dir_get_path(dir), n.name)
                  : place_mark_write(n.path.text, n.name);
        if (err != LP_OK && !has_others) {
            (void)lp_problem_set(out_problem, err, "%s: %s", n.path.text, lp_err_reason(err));
        }
    }
    return err;
}

// --- The log

// read_sessions lists the sessions with journals; the caller frees the items.
static lp_err
read_sessions(const data_dir *dir, blob_list_sessions *out)
{
    return blob_list_read_sessions(data_dir_at(dir, DATA_DIR_JOURNALS).text, out);
}

static lp_err
begin_log(const data_dir *dir, const char *mark_path, const char *name, lp_problem *out_problem)
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
go_on_log(const data_dir *dir, const char *mark, const char *name, lp_problem *out_problem)
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
data_place_begin_log(const data_dir *dir, const log_url *url, lp_problem *out_problem)
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
        err = go_on_log(dir, mark, name, out_problem);
    } else if (url != NULL) {
        err = begin_log(dir, path.text, name, out_problem);
    }
    return err;
}
