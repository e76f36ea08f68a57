// SPDX-License-Identifier: Apache-2.0

#include "collector/cluster/catalog_place.h"

#include "collector/journal/place_mark.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"

#include <string.h>
#include <unistd.h>

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
catalog_place_check(const data_dir *dir, const char *place, lp_problem *out_problem)
{
    names n;
    lp_err err = read_names(dir, place, &n, out_problem);
    LP_THEN(err, compare(dir, &n, out_problem));
    return err;
}

lp_err
catalog_place_begin(
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
