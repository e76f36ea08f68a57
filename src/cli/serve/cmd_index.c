// SPDX-License-Identifier: Apache-2.0
// loupe index: makes a collector's index of ids again.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/serve/places.h"
#include "collector/mend/reindex.h"
#include "common/base/lp_printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char program[] = "loupe index";

static void
on_unreadable(void *arg, const char *session_id, uint32_t ordinal, const char *why)
{
    (void)arg;
    lp_printable_line(
        stderr, "%s: recording %s: chunk %" PRIu32 ": %s", program, session_id, ordinal, why);
}

static void
on_progress(void *arg, uint64_t done, uint64_t all)
{
    if (*(const bool *)arg) {
        (void)fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 "%s", program, done, all,
            done == all ? "\n" : "");
    }
}

static lp_err
read_places(const options *chosen, s3_url *out_store, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    if (chosen->index_store != NULL) {
        err = places_read_store(chosen->index_store, out_store, out_problem);
    }
    if (err == LP_OK && chosen->index_catalog != NULL) {
        err = places_check_catalog(chosen->index_catalog, out_problem);
    }
    return err;
}

int
cmd_index(const options *opts)
{
    LP_REQUIRE(opts->index_is_rebuild, cmd_refuse(opts, "--rebuild is needed"));
    cmd_hide_files();
    bool has_terminal = isatty(STDERR_FILENO) == 1;
    lp_problem problem;
    s3_url store;
    if (read_places(opts, &store, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    const reindex_config config = {
        .data_dir = opts->index_data,
        .catalog = opts->index_catalog,
        .store = opts->index_store == NULL ? NULL : &store,
        .on_unreadable = on_unreadable,
        .on_progress = on_progress,
        .arg = &has_terminal,
    };
    reindex_counts counts;
    if (reindex_run(&config, &counts, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    (void)printf("%" PRIu64 " ids of %" PRIu64 " chunks\n", counts.ids, counts.chunks);
    int code = cmd_end(program, fflush(stdout) == 0);
    return counts.unreadable > 0 ? CMD_FAILED : code;
}
