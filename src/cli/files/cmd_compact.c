// SPDX-License-Identifier: Apache-2.0
// loupe compact: the engine, offline.
//
// Tests: tests/e2e/cli.py, tests/e2e/damage.py

#include "cli/base/cmd.h"
#include "cli/files/request_counts_json.h"
#include "collector/base/dropped_json.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "common/jfr/rewrite/jfr_rewrite.h"
#include "engine/compact.h"
#include "engine/damage.h"
#include "engine/show/survey.h"
#include "engine/write/merge.h"
#include "offline/crew.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"
#include "offline/merged_file.h"
#include "offline/output_file.h"
#include "offline/pipeline.h"
#include "query/chunk/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <uv.h>

static const char program[] = "loupe compact";

enum { LARGE_PAGES_BYTES = 256 << 20 }; // at the beginning of the heap

// --- Damage of the input

// damage_report prints the damaged parts of the input on standard error, and counts them.
//
//   loupe compact: a.jfr: offset 4096: 120 bytes skipped: not a JFR chunk (no magic FLR\0)
//
// Offsets are in the unpacked recording, except for damage of the compression.

enum { DAMAGE_REPORT_LINES_MAX = 100 }; // a file of garbage has any number

// A report starts with program and is_strict, everything else 0.
typedef struct damage_report {
    const char *program;        // prefix of the lines
    bool is_strict;             // end at the first damage
    uint64_t skipped_bytes;     // unusable
    uint64_t damaged_chunks;    // partly usable
    uint64_t unreadable_chunks; // unusable
    uint64_t damaged_places;    // in chunks
    uint64_t duplicate_chunks;  // repeated in the input
    uint64_t line_count;        // including lines beyond the limit
} damage_report;

static void
write_line(damage_report *report, const char *name, uint64_t offset, uint64_t skipped_bytes,
    const char *text)
{
    if (report->line_count++ >= DAMAGE_REPORT_LINES_MAX) {
        return;
    }
    char skipped[48] = "";
    if (skipped_bytes > 0) {
        (void)snprintf(skipped, sizeof(skipped), "%" PRIu64 " bytes skipped: ", skipped_bytes);
    }
    lp_printable_line(
        stderr, "%s: %s: offset %" PRIu64 ": %s%s", report->program, name, offset, skipped, text);
}

// damage_report_input is the on_note of inputs_open; arg is the report. Unless is_strict, it leaves
// cut chunks to the functions below.
static bool
damage_report_input(void *arg, const input_note *note)
{
    damage_report *report = arg;
    if (note->kind == INPUT_NOTE_DUPLICATE) {
        report->duplicate_chunks++;
        write_line(report, note->name, note->offset, 0, note->text);
        return true;
    }
    if (report->is_strict || note->kind == INPUT_NOTE_PACKED) {
        write_line(report, note->name, note->offset, 0, note->text);
    } else if (note->kind == INPUT_NOTE_SKIPPED) {
        report->skipped_bytes += note->size_bytes;
        write_line(report, note->name, note->offset, note->size_bytes, note->text);
    }
    return !report->is_strict;
}

// damage_report_chunk reports the parts that the engine left out of a chunk.
static void
damage_report_chunk(damage_report *report, const input_chunk *chunk, const compact_damage *damage)
{
    if (chunk->damage != NULL) {
        write_line(report, chunk->file->name, chunk->offset, 0, chunk->damage->text);
    }
    for (size_t i = 0; i < damage->notes.count; i++) {
        const compact_damage_note *note = &damage->notes.items[i];
        // Without bytes it may be the chunk's size, of which we know more then.
        if (note->skipped_bytes > 0 || chunk->damage == NULL) {
            write_line(report, chunk->file->name, chunk->offset + note->problem.offset,
                note->skipped_bytes, note->problem.text);
        }
    }
    report->damaged_chunks += chunk->damage != NULL || damage->place_count > 0;
    report->damaged_places += damage->place_count;
    report->skipped_bytes += damage->skipped_bytes;
}

// damage_report_unreadable reports a skipped chunk and the reason; problem may have an offset in
// the chunk.
static void
damage_report_unreadable(damage_report *report, const input_chunk *chunk, const lp_problem *problem)
{
    char text[sizeof(problem->text) + 40];
    if (chunk->damage != NULL) {
        (void)snprintf(text, sizeof(text), "%s", chunk->damage->text);
    } else if (problem->has_offset && problem->offset > 0) {
        (void)snprintf(text, sizeof(text), "%s, at offset %" PRIu64, problem->text,
            chunk->offset + problem->offset);
    } else {
        (void)snprintf(text, sizeof(text), "%s", problem->text);
    }
    write_line(report, chunk->file->name, chunk->offset, chunk->bytes.len, text);
    report->unreadable_chunks++;
    report->skipped_bytes += chunk->bytes.len;
}

// damage_report_end prints the number of suppressed lines.
static void
damage_report_end(const damage_report *report)
{
    if (report->line_count > DAMAGE_REPORT_LINES_MAX) {
        lp_printable_line(stderr, "%s: %" PRIu64 " more lines like these were left out",
            report->program, report->line_count - DAMAGE_REPORT_LINES_MAX);
    }
}

// --- Options and inputs

static unsigned
count_threads(const options *opts)
{
    unsigned cpus = uv_available_parallelism();
    return opts->compact_threads > 0 ? opts->compact_threads
           : cpus < CREW_THREADS_MAX ? cpus
                                     : CREW_THREADS_MAX;
}

// open_inputs returns -1, or the code to exit with at once.
static int
open_inputs(const options *opts, inputs *in, damage_report *damage)
{
    const char *name;
    lp_problem problem;
    lp_err err = inputs_open(
        in, opts->operands, opts->operand_count, damage_report_input, damage, &name, &problem);
    if (err != LP_OK) {
        if (err != LP_ECLOSED) { // else the report has said it
            cmd_complain(program, name == NULL ? "input" : name, &problem);
        }
        return CMD_FAILED;
    }
    return inputs_have(in, opts->compact_output)
               ? cmd_refuse_overwriting(program, opts->compact_output)
               : -1;
}

// --- Compaction: the chunks of the inputs go through the pipeline into the output

typedef struct compaction {
    const inputs *in;
    const output_file *out;
    compact_options how; // compaction_run sets survey
    unsigned threads;
    damage_report *damage;

    // The result
    compact_stats total;
    size_t chunks_out;

    // Private
    compact_survey survey;
    compact_merge *merge; // NULL if all chunks are of one JVM
    merged_file merged;   // else, the file of their chunks
} compaction;

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
    LP_REQUIRE(err == LP_OK, err);
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

// is_in_order returns whether the chunks of the input, and so probably of the output, are in the
// order of their starts.
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

// start_merge collects the types and enumerations that the chunks of several JVMs share.
static lp_err
start_merge(compaction *c, lp_problem *problem)
{
    LP_REQUIRE(c->in->session_count <= JFR_REWRITE_SOURCES_MAX,
        lp_problem_set(problem, LP_ELIMIT, "recordings of %zu JVMs; %d are the most",
            c->in->session_count, JFR_REWRITE_SOURCES_MAX));
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
    LP_REQUIRE(compact_all(c), false);
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

// compaction_run returns whether the output holds all inputs, except for allowed damage. Call
// compaction_fini in both cases.
static bool
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

static void
compaction_fini(compaction *c)
{
    compact_stats_fini(&c->total);
    merged_file_close(&c->merged);
    compact_merge_destroy(c->merge);
    compact_survey_fini(&c->survey);
}

// --- The numbers at the end: how much went in and came out, and how much was damaged

static void
statistics_print_text(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    (void)fprintf(
        out, "events    %" PRIu64 " in, %" PRIu64 " out\n", stats->events_in, stats->events_out);
    (void)fprintf(out, "contexts  %" PRIu64 " in, %" PRIu64 " out\n", stats->contexts_in,
        stats->contexts_out);
    if (stats->requests_in > 0) {
        (void)fprintf(out, "requests  %" PRIu64 " in, %" PRIu64 " out\n", stats->requests_in,
            stats->requests_out);
    }
    (void)fprintf(
        out, "bytes     %" PRIu64 " in, %" PRIu64 " out\n", stats->bytes_in, stats->bytes_out);
    if (stats->unknown_events > 0) {
        (void)fprintf(out,
            "left out  %" PRIu64 " events of types that the metadata does not describe\n",
            stats->unknown_events);
    }
    if (damage->skipped_bytes > 0 || damage->damaged_chunks > 0) {
        (void)fprintf(out,
            "damage    %" PRIu64 " chunks in part, %" PRIu64 " wholly; %" PRIu64 " bytes skipped\n",
            damage->damaged_chunks, damage->unreadable_chunks, damage->skipped_bytes);
    }
    if (damage->duplicate_chunks > 0) {
        (void)fprintf(out, "repeated  %" PRIu64 " chunks\n", damage->duplicate_chunks);
    }
}

static json_t *
in_out(uint64_t in, uint64_t out)
{
    return json_pack("{s:I, s:I}", "in", (json_int_t)in, "out", (json_int_t)out);
}

static json_t *
type_as_json(const compact_type_stats *type)
{
    uint64_t offered = type->events_out + compact_dropped_sum(&type->dropped);
    return json_pack("{s:b, s:o, s:o, s:I, s:I, s:o}", "contextual", type->is_contextual, "events",
        in_out(type->events_in, type->events_out), "bytes", in_out(type->bytes_in, type->bytes_out),
        "offered", (json_int_t)offered, "kept", (json_int_t)type->events_out, "dropped",
        dropped_json(&type->dropped));
}

static json_t *
damage_as_json(const damage_report *damage)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "damaged_chunks", (json_int_t)damage->damaged_chunks,
        "unreadable_chunks", (json_int_t)damage->unreadable_chunks, "damaged_places",
        (json_int_t)damage->damaged_places, "skipped_bytes", (json_int_t)damage->skipped_bytes);
}

// statistics_print_json has the event types as well. Returns false where memory or out's disk ran
// out.
static bool
statistics_print_json(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    json_t *types = json_object();
    for (size_t i = 0; i < stats->type_count; i++) {
        (void)json_object_set_new(types, stats->types[i].name, type_as_json(&stats->types[i]));
    }
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:I, s:o}",
            "events", in_out(stats->events_in, stats->events_out), "contexts",
            in_out(stats->contexts_in, stats->contexts_out), "requests",
            in_out(stats->requests_in, stats->requests_out), "requests_kept_by",
            requests_kept_by_json(&stats->request_reasons), "requests_dropped_by",
            requests_dropped_by_json(&stats->request_reasons), "request_losses",
            request_losses_json(&stats->request_losses), "events_dropped",
            dropped_json(&stats->events_dropped), "contexts_dropped",
            dropped_json(&stats->contexts_dropped), "bytes",
            in_out(stats->bytes_in, stats->bytes_out), "late_events",
            (json_int_t)stats->late_events, "contexts_lost", (json_int_t)stats->contexts_lost,
            "unknown_events", (json_int_t)stats->unknown_events, "damage", damage_as_json(damage),
            "duplicate_chunks", (json_int_t)damage->duplicate_chunks, "types", types);
    return cmd_print_json(out, root);
}

static bool
print_statistics(const options *opts, FILE *out, const compaction *c)
{
    if (opts->compact_is_json) {
        return statistics_print_json(out, &c->total, c->damage);
    }
    statistics_print_text(out, &c->total, c->damage);
    return true;
}

// write_output compacts the inputs into the output and prints the statistics.
static bool
write_output(const options *opts, policy *rules, const inputs *in, damage_report *damage)
{
    output_file out;
    lp_problem problem;
    if (output_file_open(opts->compact_output, &out, &problem) != LP_OK) {
        cmd_complain(program, opts->compact_output, &problem);
        return false;
    }
    compaction c = {
        .in = in,
        .out = &out,
        .how = {.policy = rules,
            .refused = opts->compact_is_strict ? COMPACT_REFUSED_ALL : COMPACT_REFUSED_NONE,
            .has_requests = true,
            .has_sample_contexts = opts->compact_has_sample_contexts,
            .style = (compact_context_style)opts->compact_style},
        .threads = count_threads(opts),
        .damage = damage,
    };
    bool is_done = compaction_run(&c);
    if (is_done && output_file_commit(&out, &problem) != LP_OK) {
        cmd_complain(program, opts->compact_output, &problem);
        is_done = false;
    }
    damage_report_end(damage);
    if (is_done) {
        compact_stats_check(&c.total, rules);
        policy_unmet_log log = {0};
        policy_check_unmet(rules, true, 0, NULL, &log);
        FILE *to = out.is_standard_output ? stderr : stdout;
        is_done = cmd_end(program, print_statistics(opts, to, &c)) == CMD_DONE;
    }
    output_file_close(&out);
    compaction_fini(&c);
    return is_done;
}

// read_settings gets the settings of the recording itself. It returns -1, or the code to exit with.
static int
read_settings(const inputs *in, policy *rules)
{
    size_t count = in->chunks.count;
    lp_slice *chunks = calloc(count + 1, sizeof(*chunks));
    for (size_t i = 0; chunks != NULL && i < count; i++) {
        chunks[i] = in->chunks.items[i].bytes;
    }
    lp_err err = chunks == NULL ? LP_ENOMEM : query_settings_read(chunks, count, rules);
    free(chunks);
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: " QUERY_SETTINGS_ORIGIN ": %s", program, lp_err_text(err));
        return CMD_FAILED;
    }
    return -1;
}

static int
compact_inputs(const options *opts, policy *rules)
{
    inputs in = {0};
    damage_report damage = {.program = program, .is_strict = opts->compact_is_strict};
    int code = open_inputs(opts, &in, &damage);
    if (code < 0 && opts->compact_policy == NULL) {
        code = read_settings(&in, rules);
    }
    if (code < 0) {
        code = write_output(opts, rules, &in, &damage) ? CMD_DONE : CMD_FAILED;
    }
    inputs_close(&in);
    return code;
}

// prepare_heap makes malloc keep the memory of one chunk for the next, or it would return it to the
// system each time and get it again, page by page. The pages that are used most are large ones,
// where the system has such: getting small ones takes turns between threads (speed.md).
static void
prepare_heap(void)
{
    (void)mallopt(M_MMAP_THRESHOLD, INT_MAX);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
    (void)mallopt(M_ARENA_MAX, 1);
    uint8_t *volatile first = malloc(LARGE_PAGES_BYTES); // volatile: this is to happen
    if (first != NULL) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        size_t to_page = page - (uintptr_t)first % page;
        (void)madvise(first + to_page, LARGE_PAGES_BYTES - page, MADV_HUGEPAGE);
    }
    free(first);
}

int
cmd_compact(const options *opts)
{
    lp_problem problem;
    if (opts->operand_count == 0 || opts->compact_output == NULL) {
        return cmd_refuse(
            opts, opts->operand_count == 0 ? "no input" : "no output: say where with -o OUT.jfr");
    }
    prepare_heap();
    lost_input_start(program);
    policy *rules = policy_create();
    if (rules == NULL) {
        lp_printable_line(stderr, "%s: %s", program, lp_err_text(LP_ENOMEM));
        return CMD_FAILED;
    }
    int code = CMD_FAILED;
    if (opts->compact_policy != NULL &&
        policy_read(rules, opts->compact_policy, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text); // which names the file
    } else {
        code = compact_inputs(opts, rules);
    }
    policy_destroy(rules);
    return code;
}
