// SPDX-License-Identifier: Apache-2.0
#include "cli/files/compaction.h"

#include "cli/base/cmd.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "offline/lost_input.h"
#include "offline/merge_read.h"
#include "offline/pipeline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static lp_err
take_failure(compaction *c, const input_chunk *chunk, const pipeline_outcome *outcome)
{
    bool is_damage =
        outcome->err == LP_ECORRUPT || outcome->err == LP_EVERSION || outcome->err == LP_ELIMIT;
    if (is_damage && c->how.refused == COMPACT_REFUSED_NONE) {
        damage_report_unreadable(c->damage, chunk, outcome->problem);
        return LP_OK;
    }
    const lp_problem problem = inputs_locate(chunk, outcome->problem);
    cmd_complain(c->damage->program, chunk->file->name, &problem);
    return outcome->err;
}

// write_chunk writes the chunk's compacted form. Errors: LP_EIO, and errno; LP_ENOMEM
static lp_err
write_chunk(compaction *c, const compact_result *result)
{
    if (c->merge != NULL) { // all keys have changed
        return merged_file_append(&c->merged, lp_buf_slice(&result->jfr));
    }
    lp_err err = lp_io_write_pieces(c->out->fd, result->pieces.items, result->pieces.count);
    for (size_t i = 0; err == LP_EIO && errno == EFAULT && i < result->pieces.count; i++) {
        lost_input_look(result->pieces.items[i]);
    }
    return err;
}

static lp_err
take_outcome(void *arg, const pipeline_outcome *outcome)
{
    compaction *c = arg;
    const input_chunk *chunk = &c->in->chunks.items[outcome->index];
    if (outcome->err != LP_OK) {
        return take_failure(c, chunk, outcome);
    }
    damage_report_chunk(c->damage, chunk, &outcome->result->damage);
    lp_err err = write_chunk(c, outcome->result);
    if (err == LP_EIO) {
        lp_printable_line(stderr, "%s: %s: %s", c->damage->program,
            c->merged.temporary == 0 ? c->out->path : "temporary file", strerror(errno));
    }
    if (err != LP_OK) {
        return err;
    }
    c->chunks_out++;
    return compact_stats_add(&c->total, &outcome->result->stats);
}

static void
release_chunk(void *arg, size_t index)
{
    const compaction *c = arg;
    const input_chunk *chunk = &c->in->chunks.items[index];
    recording_file_release(chunk->file, chunk->bytes);
}

// survey_contexts lists the contexts of all chunks, where each of them has to know.
static lp_err
survey_contexts(compaction *c)
{
    lp_err err = LP_OK;
    bool is_needed = c->how.style != COMPACT_STYLE_EVENTS;
    for (size_t i = 0; is_needed && i < c->in->chunks.count && err == LP_OK; i++) {
        err = compact_survey_add(&c->survey, c->in->chunks.items[i].bytes, c->how.policy);
        release_chunk(c, i);
    }
    return err;
}

// compact_all runs the engine over the chunks and writes their compacted forms.
static bool
compact_all(compaction *c)
{
    const input_chunk *chunks = c->in->chunks.items;
    size_t count = c->in->chunks.count;
    pipeline_chunk *list = calloc(count + 1, sizeof(*list));
    if (list == NULL) {
        lp_printable_line(stderr, "%s: %s", c->damage->program, lp_err_text(LP_ENOMEM));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = (pipeline_chunk){
            .jfr = chunks[i].bytes,
            .goes_on = i + 1 < count && chunks[i].session == chunks[i + 1].session,
            .merge = c->merge,
            .merge_source = chunks[i].session,
        };
    }
    c->how.survey = &c->survey;
    const pipeline_input in = {
        .chunks = list,
        .count = count,
        .threads = c->threads,
        .options = &c->how,
        .take = take_outcome,
        .release = release_chunk,
        .arg = c,
    };
    lp_err err = survey_contexts(c);
    LP_THEN(err, pipeline_run(&in));
    if (err == LP_ENOMEM) {
        lp_printable_line(stderr, "%s: %s", c->damage->program, lp_err_text(err));
    }
    free(list);
    return err == LP_OK;
}

// is_in_order returns whether the chunks of the output will follow one another by their starts, as
// far as those of the input tell.
static bool
is_in_order(const inputs *in)
{
    for (size_t i = 1; i < in->chunks.count; i++) {
        if (in->chunks.items[i].info.start_wall_ns < in->chunks.items[i - 1].info.start_wall_ns) {
            return false;
        }
    }
    return true;
}

// start_merge gathers what the chunks of several JVMs have in common.
static lp_err
start_merge(compaction *c, lp_problem *problem)
{
    if (c->in->session_count > JFR_REWRITE_SOURCES_MAX) {
        return lp_problem_set(problem, LP_ELIMIT, "recordings of %zu JVMs; %d are the most",
            c->in->session_count, JFR_REWRITE_SOURCES_MAX);
    }
    c->merge = compact_merge_create((uint32_t)c->in->session_count);
    bool is_direct = c->out->temporary != NULL && is_in_order(c->in);
    lp_err err =
        c->merge == NULL ? LP_ENOMEM : merged_file_open(c->out->fd, is_direct, &c->merged, problem);
    LP_THEN(err, merge_read(c->in, c->how.policy, c->threads, c->merge));
    return err == LP_OK ? compact_merge_number(c->merge) : err;
}

// compact_apart is compact_all for recordings of several JVMs.
static bool
compact_apart(compaction *c)
{
    lp_problem problem = {.text = ""};
    lp_err err = start_merge(c, &problem);
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s", c->damage->program,
            problem.text[0] == '\0' ? lp_err_text(err) : problem.text);
        return false;
    }
    if (!compact_all(c)) {
        return false;
    }
    err = merged_file_finish(&c->merged, &problem);
    if (err != LP_OK) {
        cmd_complain(c->damage->program, c->out->path, &problem);
    }
    return err == LP_OK;
}

// has_read_all returns whether the inputs are still as long as they were.
static bool
has_read_all(const compaction *c)
{
    const char *name;
    lp_problem problem;
    lp_err err = inputs_check(c->in, &name, &problem);
    if (err != LP_OK) {
        cmd_complain(c->damage->program, name, &problem);
    }
    return err == LP_OK;
}

bool
compaction_run(compaction *c)
{
    bool is_done = c->in->session_count > 1 ? compact_apart(c) : compact_all(c);
    if (is_done && c->chunks_out == 0) {
        is_done = false;
        if (c->damage->line_count > 1) { // else that line is enough
            lp_printable_line(stderr, "%s: nothing in the input can be read", c->damage->program);
        }
    }
    return is_done && has_read_all(c);
}

void
compaction_fini(compaction *c)
{
    compact_stats_fini(&c->total);
    merged_file_close(&c->merged);
    compact_merge_destroy(c->merge);
    compact_survey_fini(&c->survey);
}
