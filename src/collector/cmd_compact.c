// SPDX-License-Identifier: Apache-2.0
// loupe compact: the engine, offline.

#include "collector/cmd.h"
#include "collector/compact/compact.h"
#include "collector/offline/pipeline.h"
#include "collector/offline/recording_file.h"
#include "common/base/lp_vec.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

static const char usage[] =
    "usage: loupe compact IN.jfr... -o OUT.jfr [--policy FILE.jfc] [--threads N] [--json]\n"
    "\n"
    "Keeps the events that the policy wants and the contexts in which something happened, and\n"
    "leaves out the rest, constants and types included.\n"
    "\n"
    "  IN.jfr...           recordings of one JVM; gzip is unpacked, - is standard input\n"
    "  -o, --output FILE   where the result goes; never one of the inputs\n"
    "  --policy FILE.jfc   what to keep, by event type (default: all plain events, and contexts\n"
    "                      in which at least one event was kept)\n"
    "  --threads N         work on so many chunks at once (default: one for each CPU)\n"
    "  --json              print the statistics as JSON, per event type as well\n"
    "  -h, --help          this text\n";

typedef struct options {
    char **inputs; // paths
    size_t input_count;
    const char *output;
    const char *policy_path;
    unsigned threads;
    bool is_json;
} options;

// A chunk of an input, and where it lies.
typedef struct input_chunk {
    const recording_file *file;
    uint64_t offset;
    lp_slice bytes;
    jfr_chunk_info info;
} input_chunk;

typedef LP_VEC(input_chunk) chunk_list;

static void
complain(const char *where, const lp_problem *problem)
{
    if (problem->has_offset) {
        (void)fprintf(stderr, "loupe compact: %s: offset %" PRIu64 ": %s\n", where, problem->offset,
            problem->text);
    } else {
        (void)fprintf(stderr, "loupe compact: %s: %s\n", where, problem->text);
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

static bool
parse_threads(const char *text, unsigned *out_threads)
{
    char *end;
    unsigned long threads = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || threads < 1 ||
        threads > PIPELINE_THREADS_MAX) {
        (void)fprintf(
            stderr, "loupe compact: --threads %s: 1 to %d threads\n", text, PIPELINE_THREADS_MAX);
        return false;
    }
    *out_threads = (unsigned)threads;
    return true;
}

// parse_options fills out; the exit code to end with, or -1 to go on.
static int
parse_options(int argc, char **argv, options *out)
{
    static const struct option longs[] = {
        {"output", required_argument, NULL, 'o'},
        {"policy", required_argument, NULL, 'p'},
        {"threads", required_argument, NULL, 't'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    int c;
    unsigned cpus = uv_available_parallelism();
    out->threads = cpus < PIPELINE_THREADS_MAX ? cpus : PIPELINE_THREADS_MAX;
    optind = 1;
    while ((c = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
        switch (c) {
        case 'o':
            out->output = optarg;
            break;
        case 'p':
            out->policy_path = optarg;
            break;
        case 't':
            if (!parse_threads(optarg, &out->threads)) {
                return CMD_USAGE;
            }
            break;
        case 'j':
            out->is_json = true;
            break;
        case 'h':
            (void)fputs(usage, stdout);
            return CMD_DONE;
        default:
            (void)fputs(usage, stderr);
            return CMD_USAGE;
        }
    }
    out->inputs = argv + optind;
    out->input_count = (size_t)(argc - optind);
    if (out->input_count == 0 || out->output == NULL) {
        (void)fprintf(stderr, "loupe compact: %s\n\n%s",
            out->input_count == 0 ? "no input" : "no output: say where with -o OUT.jfr", usage);
        return CMD_USAGE;
    }
    return -1;
}

// is_input says whether the output path names one of the inputs.
static bool
is_input(const options *opts, const recording_file *files)
{
    struct stat st;
    if (stat(opts->output, &st) != 0) {
        return false;
    }
    for (size_t i = 0; i < opts->input_count; i++) {
        if (files[i].inode == st.st_ino && files[i].device == st.st_dev) {
            return true;
        }
    }
    return false;
}

static bool
list_chunks(const recording_file *file, chunk_list *chunks)
{
    uint64_t offset = 0;
    for (;;) {
        input_chunk chunk = {.file = file, .offset = offset};
        lp_problem problem;
        uint64_t rest;
        lp_err err = recording_file_next(file, &offset, &chunk.bytes, &rest, &problem);
        if (err == LP_EEND) {
            return true;
        }
        if (err == LP_OK) {
            err = jfr_chunk_parse(chunk.bytes, &chunk.info, &problem);
        }
        if (err != LP_OK) {
            complain(file->name, &problem);
            return false;
        }
        if (rest > 0) {
            (void)fprintf(stderr,
                "loupe compact: %s: offset %" PRIu64 ": the JVM was stopped before it flushed the "
                "last %" PRIu64 " bytes; they are left out\n",
                file->name, offset - rest, rest);
        }
        input_chunk *slot = LP_VEC_PUSH(chunks);
        if (slot == NULL) {
            (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(LP_ENOMEM));
            return false;
        }
        *slot = chunk;
    }
}

static int
compare_starts(const void *a, const void *b)
{
    const input_chunk *x = a;
    const input_chunk *y = b;
    if (x->info.start_ticks != y->info.start_ticks) {
        return x->info.start_ticks < y->info.start_ticks ? -1 : 1;
    }
    return (x->offset > y->offset) - (x->offset < y->offset);
}

// zero_wall_ns is the wall time at which the chunk's tick counter was 0: the JVM's start, or the
// machine's.
static double
zero_wall_ns(const jfr_chunk_info *info)
{
    return (double)info->start_wall_ns -
           (double)info->start_ticks * 1e9 / (double)info->ticks_per_s;
}

// is_same_jvm compares the clocks of two chunks. The frequency in the header may be off by 0.2 %.
static bool
is_same_jvm(const jfr_chunk_info *a, const jfr_chunk_info *b)
{
    double apart = (double)b->start_wall_ns - (double)a->start_wall_ns;
    double difference = zero_wall_ns(a) - zero_wall_ns(b);
    double tolerance = 1e9 + 0.003 * (apart < 0 ? -apart : apart);
    return a->ticks_per_s == b->ticks_per_s && difference < tolerance && difference > -tolerance;
}

// order_chunks sorts the chunks of several files by time. Those of one file stay as they are.
static bool
order_chunks(const options *opts, chunk_list *chunks)
{
    if (opts->input_count == 1) {
        return true;
    }
    for (size_t i = 1; i < chunks->count; i++) {
        if (!is_same_jvm(&chunks->items[0].info, &chunks->items[i].info)) {
            (void)fprintf(stderr,
                "loupe compact: %s and %s are recordings of different JVMs: their ids and clocks "
                "do not go together; compact each by itself\n",
                chunks->items[0].file->name, chunks->items[i].file->name);
            return false;
        }
    }
    qsort(chunks->items, chunks->count, sizeof(*chunks->items), compare_starts);
    return true;
}

static bool
write_fully(int fd, lp_slice bytes)
{
    while (bytes.len > 0) {
        ssize_t count = write(fd, bytes.ptr, bytes.len);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return false;
        }
        bytes.ptr += count;
        bytes.len -= (size_t)count;
    }
    return true;
}

// Where the results of the engine go.
typedef struct sink {
    const chunk_list *chunks;
    int fd;
    const char *output;
    compact_stats *total;
} sink;

static lp_err
take_result(void *arg, const pipeline_outcome *outcome)
{
    sink *to = arg;
    if (outcome->err != LP_OK) {
        lp_problem problem = *outcome->problem;
        complain_of_chunk(&to->chunks->items[outcome->index], &problem);
        return outcome->err;
    }
    if (!write_fully(to->fd, lp_buf_slice(&outcome->result->jfr))) {
        (void)fprintf(stderr, "loupe compact: %s: %s\n", to->output, strerror(errno));
        return LP_EIO;
    }
    return compact_stats_add(to->total, &outcome->result->stats);
}

static void
release_chunk(void *arg, size_t index)
{
    const sink *to = arg;
    const input_chunk *chunk = &to->chunks->items[index];
    recording_file_release(chunk->file, chunk->bytes);
}

// compact_all runs the engine over the chunks and writes what it gives to fd.
static bool
compact_all(const options *opts, const chunk_list *chunks, const policy *rules, int fd,
    compact_stats *total)
{
    pipeline_chunk *list = calloc(chunks->count + 1, sizeof(*list));
    if (list == NULL) {
        (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(LP_ENOMEM));
        return false;
    }
    for (size_t i = 0; i < chunks->count; i++) {
        const input_chunk *chunk = &chunks->items[i];
        list[i] = (pipeline_chunk){
            .jfr = chunk->bytes,
            .goes_on = i + 1 < chunks->count && is_same_jvm(&chunk->info, &chunk[1].info),
        };
    }
    sink to = {.chunks = chunks, .fd = fd, .output = opts->output, .total = total};
    const compact_options how = {.policy = rules, .is_strict = true};
    const pipeline_input in = {
        .chunks = list,
        .count = chunks->count,
        .threads = opts->threads,
        .options = &how,
        .take = take_result,
        .release = release_chunk,
        .arg = &to,
    };
    lp_err err = pipeline_run(&in);
    if (err == LP_ENOMEM) {
        (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(err));
    }
    free(list);
    return err == LP_OK;
}

// write_output compacts into a temporary file beside the output and renames it.
static bool
write_output(
    const options *opts, const chunk_list *chunks, const policy *rules, compact_stats *total)
{
    const char *output = opts->output;
    char *temporary;
    if (asprintf(&temporary, "%s.XXXXXX", output) < 0) {
        (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(LP_ENOMEM));
        return false;
    }
    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0) {
        (void)fprintf(stderr, "loupe compact: %s: %s\n", output, strerror(errno));
        free(temporary);
        return false;
    }
    bool is_done = compact_all(opts, chunks, rules, fd, total);
    mode_t mask = umask(0); // mkostemp makes it private; a recording is an ordinary file
    (void)umask(mask);
    if (is_done && (fchmod(fd, 0666 & ~mask) != 0 || rename(temporary, output) != 0)) {
        (void)fprintf(stderr, "loupe compact: %s: %s\n", output, strerror(errno));
        is_done = false;
    }
    if (!is_done) {
        (void)unlink(temporary);
    }
    (void)close(fd); // every write was checked
    free(temporary);
    return is_done;
}

static void
print_text(const compact_stats *stats)
{
    (void)printf(
        "events    %" PRIu64 " in, %" PRIu64 " out\n", stats->events_in, stats->events_out);
    (void)printf(
        "contexts  %" PRIu64 " in, %" PRIu64 " out\n", stats->contexts_in, stats->contexts_out);
    (void)printf("bytes     %" PRIu64 " in, %" PRIu64 " out\n", stats->bytes_in, stats->bytes_out);
    if (stats->contexts_lost > 0) {
        (void)printf("lost      %" PRIu64 " parts of contexts on threads that are not described\n",
            stats->contexts_lost);
    }
    if (stats->unknown_events > 0) {
        (void)printf("left out  %" PRIu64 " events of types that the metadata does not describe\n",
            stats->unknown_events);
    }
}

static json_t *
in_out(uint64_t in, uint64_t out)
{
    return json_pack("{s:I, s:I}", "in", (json_int_t)in, "out", (json_int_t)out);
}

static bool
print_json(const compact_stats *stats)
{
    json_t *types = json_object();
    for (size_t i = 0; i < stats->type_count; i++) {
        const compact_type_stats *type = &stats->types[i];
        (void)json_object_set_new(types, type->name,
            json_pack("{s:b, s:o, s:o}", "contextual", type->is_contextual, "events",
                in_out(type->events_in, type->events_out), "bytes",
                in_out(type->bytes_in, type->bytes_out)));
    }
    json_t *root = json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "events",
        in_out(stats->events_in, stats->events_out), "contexts",
        in_out(stats->contexts_in, stats->contexts_out), "bytes",
        in_out(stats->bytes_in, stats->bytes_out), "late_events", (json_int_t)stats->late_events,
        "contexts_lost", (json_int_t)stats->contexts_lost, "unknown_events",
        (json_int_t)stats->unknown_events, "types", types);
    bool is_done =
        root != NULL && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(root);
    return is_done;
}

static int
run(const options *opts, recording_file *files)
{
    policy *rules = policy_create();
    chunk_list chunks = {0};
    compact_stats total = {0};
    lp_problem problem;
    int code = CMD_FAILED;

    if (rules == NULL) {
        (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(LP_ENOMEM));
        goto done;
    }
    if (opts->policy_path != NULL && policy_read(rules, opts->policy_path, &problem) != LP_OK) {
        (void)fprintf(stderr, "loupe compact: %s\n", problem.text); // which names the file
        goto done;
    }
    for (size_t i = 0; i < opts->input_count; i++) {
        if (recording_file_open(opts->inputs[i], &files[i], &problem) != LP_OK) {
            complain(opts->inputs[i], &problem);
            goto done;
        }
        if (!list_chunks(&files[i], &chunks)) {
            goto done;
        }
    }
    if (is_input(opts, files)) {
        (void)fprintf(stderr,
            "loupe compact: %s is an input: name another file with -o, inputs are never "
            "overwritten\n",
            opts->output);
        code = CMD_USAGE;
        goto done;
    }
    if (!order_chunks(opts, &chunks) || !write_output(opts, &chunks, rules, &total)) {
        goto done;
    }
    compact_stats_check(&total, rules);
    if (!opts->is_json) {
        print_text(&total);
        code = CMD_DONE;
    } else if (print_json(&total)) {
        code = CMD_DONE;
    }

done:
    compact_stats_fini(&total);
    LP_VEC_FINI(&chunks);
    policy_destroy(rules);
    return code;
}

int
cmd_compact(int argc, char **argv)
{
    options opts = {0};
    int code = parse_options(argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    // What one chunk took is for the next: without this, malloc would give it back to the system
    // each time and get it again, page by page.
    (void)mallopt(M_MMAP_THRESHOLD, INT_MAX);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
    (void)mallopt(M_ARENA_MAX, 1);
    recording_file *files = calloc(opts.input_count, sizeof(*files));
    if (files == NULL) {
        (void)fprintf(stderr, "loupe compact: %s\n", lp_err_text(LP_ENOMEM));
        return CMD_FAILED;
    }
    code = run(&opts, files);
    for (size_t i = 0; i < opts.input_count; i++) {
        recording_file_close(&files[i]);
    }
    free(files);
    return code;
}
