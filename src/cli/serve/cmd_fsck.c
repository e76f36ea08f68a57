// SPDX-License-Identifier: Apache-2.0
// loupe fsck: checks a collector's data directory, and mends it.
//
// Tests: tests/e2e/mend.py, tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "collector/mend/fsck.h"
#include "common/base/lp_printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char program[] = "loupe fsck";

typedef struct printing {
    bool is_repairing;
    json_t *found; // NULL: as text
    bool has_failed;
    bool has_terminal;
} printing;

static const char *
become_of(const printing *p, const finding *found)
{
    return found->is_repaired || !p->is_repairing ? finding_get_words(found->kind)->repair
                                                  : "it is left as it is";
}

static void
print_text(const printing *p, const finding *found)
{
    char text[FINDING_TEXT_BYTES];
    finding_format(found, text);
    lp_printable_line(
        stdout, "%s; %s%s", text, p->is_repairing ? "" : "with --repair ", become_of(p, found));
}

static void
add_json(printing *p, const finding *found)
{
    const finding_words *words = finding_get_words(found->kind);
    json_t *json = json_pack("{s:s, s:s?, s:s, s:s, s:s, s:b}", "kind", words->name, "session",
        found->session_id, "text", words->text, "detail", found->detail, "repair", words->repair,
        "repaired", found->is_repaired ? 1 : 0);
    if (found->is_of_chunk && json != NULL &&
        json_object_set_new(json, "chunk", json_integer((json_int_t)found->ordinal)) != 0) {
        p->has_failed = true;
    }
    p->has_failed |= json_array_append_new(p->found, json) != 0;
}

static void
on_finding(void *arg, const finding *found)
{
    printing *p = arg;
    if (p->found != NULL) {
        add_json(p, found);
    } else {
        print_text(p, found);
    }
}

static void
on_progress(void *arg, uint64_t done, uint64_t all)
{
    if (((const printing *)arg)->has_terminal) {
        (void)fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " recordings%s", program, done, all,
            done == all ? "\n" : "");
    }
}

// problem is NULL if everything was checked.
static bool
print_json(printing *p, const fsck_counts *counts, const char *problem)
{
    json_t *root = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s?, s:O}", "recordings",
        (json_int_t)counts->sessions, "chunks", (json_int_t)counts->chunks, "journals",
        (json_int_t)counts->journals, "found", (json_int_t)counts->findings, "repaired",
        (json_int_t)counts->repaired, "kept", (json_int_t)counts->kept, "problem", problem,
        "findings", p->found);
    return cmd_print_json(stdout, root) && !p->has_failed;
}

static bool
print_sums(const fsck_counts *counts, bool is_repairing, const char *problem)
{
    (void)printf("%" PRIu64 " recordings, %" PRIu64 " chunks, %" PRIu64 " journals: ",
        counts->sessions, counts->chunks, counts->journals);
    if (problem != NULL) {
        (void)printf("not everything was checked, %" PRIu64 " found\n", counts->findings);
    } else if (counts->findings == 0) {
        (void)printf("all is well\n");
    } else if (is_repairing) {
        (void)printf(
            "%" PRIu64 " found, %" PRIu64 " repaired\n", counts->findings, counts->repaired);
    } else {
        (void)printf("%" PRIu64 " found\n", counts->findings);
    }
    if (counts->kept > 0) {
        (void)printf("%" PRIu64 " pieces are kept in damaged/, of which nothing can be made\n",
            counts->kept);
    }
    return true;
}

int
cmd_fsck(const options *opts)
{
    cmd_hide_files();
    printing p = {.is_repairing = opts->fsck_is_repair,
        .found = opts->fsck_is_json ? json_array() : NULL,
        .has_terminal = isatty(STDERR_FILENO) == 1};
    const fsck_config config = {.data_dir = opts->fsck_data,
        .is_repairing = opts->fsck_is_repair,
        .on_finding = on_finding,
        .on_progress = on_progress,
        .arg = &p};
    fsck_counts counts;
    lp_problem of_run;
    lp_err err = fsck_run(&config, &counts, &of_run);
    const char *problem = err == LP_OK ? NULL : of_run.text;
    if (problem != NULL) {
        lp_printable_line(stderr, "%s: %s", program, problem);
    }
    bool is_printed = opts->fsck_is_json ? p.found != NULL && print_json(&p, &counts, problem)
                                         : print_sums(&counts, opts->fsck_is_repair, problem);
    json_decref(p.found);
    int code = cmd_end(program, is_printed);
    bool is_well = err == LP_OK && counts.findings == counts.repaired;
    return is_well ? code : CMD_FAILED;
}
