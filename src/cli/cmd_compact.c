// SPDX-License-Identifier: Apache-2.0
// loupe compact: the engine, offline.

#include "cli/cmd.h"
#include "cli/damage_report.h"
#include "collector/base/dropped_json.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"
#include "common/jfr/jfr_rewrite.h"
#include "engine/compact.h"
#include "engine/show/survey.h"
#include "engine/write/merge.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"
#include "offline/merged_file.h"
#include "offline/pipeline.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

static_assert(COMPACT_STYLE_EVENTS == 0 && COMPACT_STYLE_FIELDS == 1 && COMPACT_STYLE_REF == 2,
    "the choices of --context-style are in this order");

enum { LARGE_PAGES_BYTES = 96 << 20 }; // at the beginning of the heap

static void
complain(const char *where, const lp_problem *problem)
{
    if (problem->has_offset) {
        lp_printable_line(stderr, "loupe compact: %s: offset %" PRIu64 ": %s", where,
            problem->offset, problem->text);
    } else {
        lp_printable_line(stderr, "loupe compact: %s: %s", where, problem->text);
    }
}

// complain_of_chunk is complain for a problem that the engine found: its offsets are in the chunk,
// and what it says of the chunk as a whole is said of the chunk's start.
static void
complain_of_chunk(const input_chunk *chunk, lp_problem *problem)
{
    problem->offset = chunk->offset + (problem->has_offset ? problem->offset : 0);
    problem->has_offset = true;
    complain(chunk->file->name, problem);
}

// parse_options returns -1, or the code to exit with at once.
static int
parse_options(int argc, char **argv, options *out)
{
    int code = cmd_parse(OPTIONS_compact, argc, argv, out);
    if (code >= 0) {
        return code;
    }
    if (out->operand_count == 0 || out->compact_output == NULL) {
        return cmd_refuse(OPTIONS_compact, argv[0],
            out->operand_count == 0 ? "no input" : "no output: say where with -o OUT.jfr");
    }
    if (out->compact_threads == 0) {
        unsigned cpus = uv_available_parallelism();
        out->compact_threads = cpus < PIPELINE_THREADS_MAX ? cpus : PIPELINE_THREADS_MAX;
    }
    return -1;
}

// is_input says whether the output path names one of the inputs.
static bool
is_input(const char *output, const inputs *in)
{
    struct stat st;
    if (stat(output, &st) != 0) {
        return false;
    }
    for (size_t i = 0; i < in->file_count; i++) {
        if (in->files[i].inode == st.st_ino && in->files[i].device == st.st_dev) {
            return true;
        }
    }
    return false;
}

// A run over the inputs: how, and what came of it.
typedef struct run {
    const options *opts;
    const policy *rules;
    inputs in;
    compact_survey survey;
    int fd;               // of the output
    FILE *statistics;     // where they go
    compact_merge *merge; // NULL if all chunks are of one JVM
    merged_file merged;   // where they go if not
    compact_stats total;
    size_t chunks_out;
    damage_report damage;
} run;

static lp_err
take_failure(run *r, const input_chunk *chunk, const pipeline_outcome *outcome)
{
    bool is_damage =
        outcome->err == LP_ECORRUPT || outcome->err == LP_EVERSION || outcome->err == LP_ELIMIT;
    if (is_damage && !r->opts->compact_is_strict) {
        damage_report_unreadable(&r->damage, chunk, outcome->problem);
        return LP_OK;
    }
    lp_problem problem = *outcome->problem;
    complain_of_chunk(chunk, &problem);
    return outcome->err;
}

static lp_err
take_outcome(void *arg, const pipeline_outcome *outcome)
{
    run *r = arg;
    const input_chunk *chunk = &r->in.chunks.items[outcome->index];
    if (outcome->err != LP_OK) {
        return take_failure(r, chunk, outcome);
    }
    damage_report_chunk(&r->damage, chunk, &outcome->result->damage);
    lp_slice jfr = lp_buf_slice(&outcome->result->jfr);
    lp_err err =
        r->merge == NULL ? lp_io_write_all(r->fd, jfr) : merged_file_append(&r->merged, jfr);
    if (err == LP_EIO) {
        lp_printable_line(stderr, "loupe compact: %s: %s",
            r->merge == NULL ? r->opts->compact_output : "temporary file", strerror(errno));
    }
    if (err != LP_OK) {
        return err;
    }
    r->chunks_out++;
    return compact_stats_add(&r->total, &outcome->result->stats);
}

static void
release_chunk(void *arg, size_t index)
{
    const run *r = arg;
    const input_chunk *chunk = &r->in.chunks.items[index];
    recording_file_release(chunk->file, chunk->bytes);
}

// survey_contexts lists the contexts of all chunks, where each of them has to know.
static lp_err
survey_contexts(run *r)
{
    lp_err err = LP_OK;
    bool is_needed = r->opts->compact_style != COMPACT_STYLE_EVENTS;
    for (size_t i = 0; is_needed && i < r->in.chunks.count && err == LP_OK; i++) {
        err = compact_survey_add(&r->survey, r->in.chunks.items[i].bytes, r->rules);
        release_chunk(r, i);
    }
    return err;
}

// compact_all runs the engine over the chunks and writes what it gives.
static bool
compact_all(run *r)
{
    const input_chunk *chunks = r->in.chunks.items;
    size_t count = r->in.chunks.count;
    pipeline_chunk *list = calloc(count + 1, sizeof(*list));
    if (list == NULL) {
        lp_printable_line(stderr, "loupe compact: %s", lp_err_text(LP_ENOMEM));
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = (pipeline_chunk){
            .jfr = chunks[i].bytes,
            .goes_on = i + 1 < count && chunks[i].session == chunks[i + 1].session,
            .merge = r->merge,
            .merge_source = chunks[i].session,
        };
    }
    const compact_options how = {
        .policy = r->rules,
        .is_strict = r->opts->compact_is_strict,
        .has_sample_contexts = r->opts->compact_has_sample_contexts,
        .style = (compact_context_style)r->opts->compact_style,
        .survey = &r->survey,
    };
    const pipeline_input in = {
        .chunks = list,
        .count = count,
        .threads = r->opts->compact_threads,
        .options = &how,
        .take = take_outcome,
        .release = release_chunk,
        .arg = r,
    };
    lp_err err = survey_contexts(r);
    if (err == LP_OK) {
        err = pipeline_run(&in);
    }
    if (err == LP_ENOMEM) {
        lp_printable_line(stderr, "loupe compact: %s", lp_err_text(err));
    }
    free(list);
    return err == LP_OK;
}

// start_merge gathers what the chunks of several JVMs have in common. Those that cannot be read are
// left for the run, which says so.
static lp_err
start_merge(run *r, lp_problem *problem)
{
    if (r->in.session_count > JFR_REWRITE_SOURCES_MAX) {
        return lp_problem_set(problem, LP_ELIMIT, "recordings of %zu JVMs; %d are the most",
            r->in.session_count, JFR_REWRITE_SOURCES_MAX);
    }
    r->merge = compact_merge_create((uint32_t)r->in.session_count, r->rules);
    lp_err err = r->merge == NULL ? LP_ENOMEM : merged_file_open(&r->merged, problem);
    for (size_t i = 0; i < r->in.chunks.count && err == LP_OK; i++) {
        const input_chunk *chunk = &r->in.chunks.items[i];
        err = compact_merge_add(r->merge, chunk->session, chunk->bytes);
        err = err == LP_ENOMEM ? err : LP_OK;
        recording_file_release(chunk->file, chunk->bytes);
    }
    return err == LP_OK ? compact_merge_number(r->merge) : err;
}

// compact_apart is compact_all for recordings of several JVMs.
static bool
compact_apart(run *r)
{
    lp_problem problem = {.text = ""};
    lp_err err = start_merge(r, &problem);
    if (err != LP_OK) {
        lp_printable_line(
            stderr, "loupe compact: %s", problem.text[0] == '\0' ? lp_err_text(err) : problem.text);
        return false;
    }
    if (!compact_all(r)) {
        return false;
    }
    err = merged_file_write(&r->merged, r->fd);
    if (err != LP_OK) {
        lp_printable_line(stderr, "loupe compact: %s: %s", r->opts->compact_output,
            err == LP_EIO ? strerror(errno) : lp_err_text(err));
    }
    return err == LP_OK;
}

// has_read_all says whether the inputs are still as long as they were.
static bool
has_read_all(const run *r)
{
    const char *name;
    lp_problem problem;
    lp_err err = inputs_check(&r->in, &name, &problem);
    if (err != LP_OK) {
        complain(name, &problem);
    }
    return err == LP_OK;
}

// make_recording compacts the input into r->fd.
static bool
make_recording(run *r)
{
    bool is_done = r->in.session_count > 1 ? compact_apart(r) : compact_all(r);
    if (is_done && r->chunks_out == 0) {
        is_done = false;
        if (r->damage.line_count > 1) { // else that line says it all
            lp_printable_line(stderr, "loupe compact: nothing in the input can be read");
        }
    }
    return is_done && has_read_all(r);
}

// write_there compacts into what is there: standard output, or no file but a pipe or a device.
static bool
write_there(run *r, bool is_own)
{
    r->fd = is_own ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                   : open(r->opts->compact_output, O_WRONLY | O_CLOEXEC);
    if (r->fd < 0) {
        lp_printable_line(
            stderr, "loupe compact: %s: %s", r->opts->compact_output, strerror(errno));
        return false;
    }
    bool is_done = make_recording(r);
    (void)close(r->fd); // every write was checked
    return is_done;
}

// write_file compacts into a temporary file beside the output and renames it.
static bool
write_file(run *r)
{
    const char *output = r->opts->compact_output;
    char *temporary;
    if (asprintf(&temporary, "%s.XXXXXX", output) < 0) {
        lp_printable_line(stderr, "loupe compact: %s", lp_err_text(LP_ENOMEM));
        return false;
    }
    r->fd = mkostemp(temporary, O_CLOEXEC);
    if (r->fd < 0) {
        lp_printable_line(stderr, "loupe compact: %s: %s", output, strerror(errno));
        free(temporary);
        return false;
    }
    lost_input_set_output(temporary);
    bool is_done = make_recording(r);
    lost_input_set_output(NULL);
    mode_t mask = umask(0); // mkostemp makes it private; a recording is an ordinary file
    (void)umask(mask);
    if (is_done && (fchmod(r->fd, 0666 & ~mask) != 0 || rename(temporary, output) != 0)) {
        lp_printable_line(stderr, "loupe compact: %s: %s", output, strerror(errno));
        is_done = false;
    }
    if (!is_done) {
        (void)unlink(temporary);
    }
    (void)close(r->fd); // every write was checked
    free(temporary);
    return is_done;
}

// is_standard_output says whether what is written there comes out where this program's own output
// does. A device (/dev/null, a terminal) keeps nothing that could be mixed up.
static bool
is_standard_output(const struct stat *st)
{
    struct stat own;
    return fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == st->st_dev &&
           own.st_ino == st->st_ino && !S_ISCHR(st->st_mode);
}

static bool
write_output(run *r)
{
    struct stat st;
    bool is_there = stat(r->opts->compact_output, &st) == 0;
    bool is_own = is_there && is_standard_output(&st);
    r->statistics = is_own ? stderr : stdout;
    bool is_no_file = is_there && !S_ISREG(st.st_mode);
    return is_own || is_no_file ? write_there(r, is_own) : write_file(r);
}

static void
print_text(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    (void)fprintf(
        out, "events    %" PRIu64 " in, %" PRIu64 " out\n", stats->events_in, stats->events_out);
    (void)fprintf(out, "contexts  %" PRIu64 " in, %" PRIu64 " out\n", stats->contexts_in,
        stats->contexts_out);
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

static bool
print_json(FILE *out, const compact_stats *stats, const damage_report *damage)
{
    json_t *types = json_object();
    for (size_t i = 0; i < stats->type_count; i++) {
        (void)json_object_set_new(types, stats->types[i].name, type_as_json(&stats->types[i]));
    }
    json_t *root = json_pack("{s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:I, s:o}", "events",
        in_out(stats->events_in, stats->events_out), "contexts",
        in_out(stats->contexts_in, stats->contexts_out), "events_dropped",
        dropped_json(&stats->events_dropped), "contexts_dropped",
        dropped_json(&stats->contexts_dropped), "bytes", in_out(stats->bytes_in, stats->bytes_out),
        "late_events", (json_int_t)stats->late_events, "contexts_lost",
        (json_int_t)stats->contexts_lost, "unknown_events", (json_int_t)stats->unknown_events,
        "damage", damage_as_json(damage), "duplicate_chunks", (json_int_t)damage->duplicate_chunks,
        "types", types);
    bool is_done =
        root != NULL && json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
    json_decref(root);
    return is_done;
}

// open_inputs gives the exit code to end with, or -1 to go on.
static int
open_inputs(run *r)
{
    const options *opts = r->opts;
    const char *name;
    lp_problem problem;
    lp_err err = inputs_open(&r->in, opts->operands, opts->operand_count, damage_report_input,
        &r->damage, &name, &problem);
    if (err != LP_OK) {
        if (err != LP_ECLOSED) { // else it has been said
            complain(name == NULL ? "input" : name, &problem);
        }
        return CMD_FAILED;
    }
    if (is_input(opts->compact_output, &r->in)) {
        lp_printable_line(stderr,
            "loupe compact: %s is an input: name another file with -o, inputs are never "
            "overwritten",
            opts->compact_output);
        return CMD_USAGE;
    }
    return -1;
}

static int
compact_inputs(const options *opts, policy *rules)
{
    run r = {
        .opts = opts,
        .rules = rules,
        .damage = {.program = "loupe compact", .is_strict = opts->compact_is_strict},
    };
    int code = open_inputs(&r);
    if (code < 0) {
        bool is_done = write_output(&r);
        damage_report_end(&r.damage);
        if (is_done) {
            compact_stats_check(&r.total, rules);
        }
        if (is_done && opts->compact_is_json) {
            is_done = print_json(r.statistics, &r.total, &r.damage);
        } else if (is_done) {
            print_text(r.statistics, &r.total, &r.damage);
        }
        code = is_done ? CMD_DONE : CMD_FAILED;
    }
    compact_stats_fini(&r.total);
    merged_file_close(&r.merged);
    compact_merge_destroy(r.merge);
    compact_survey_fini(&r.survey);
    inputs_close(&r.in);
    return code;
}

// prepare_heap makes malloc keep what one chunk took for the next, or it would give it back to the
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
cmd_compact(int argc, char **argv)
{
    options opts;
    lp_problem problem;
    int code = parse_options(argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    prepare_heap();
    lost_input_start("loupe compact");
    policy *rules = policy_create();
    if (rules == NULL) {
        lp_printable_line(stderr, "loupe compact: %s", lp_err_text(LP_ENOMEM));
        return CMD_FAILED;
    }
    if (opts.compact_policy != NULL && policy_read(rules, opts.compact_policy, &problem) != LP_OK) {
        lp_printable_line(stderr, "loupe compact: %s", problem.text); // which names the file
        code = CMD_FAILED;
    } else {
        code = compact_inputs(&opts, rules);
    }
    policy_destroy(rules);
    return code;
}
