// SPDX-License-Identifier: Apache-2.0
// loupe summary: what is in a recording, by walking over its events without decoding them.

#include "collector/cmd.h"
#include "collector/offline/recording_file.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_event.h"
#include "common/jfr/jfr_metadata.h"

#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: loupe summary FILE.jfr [--json]\n"
    "\n"
    "Prints chunks, duration, contexts, and events and bytes per event type.\n"
    "\n"
    "  FILE.jfr    a recording; gzip is unpacked, - is standard input\n"
    "  --json      print JSON\n"
    "  -h, --help  this text\n";

// Events of one type. While a chunk is walked over they go by id; names come with its metadata.
typedef struct type_count {
    char *name; // owned; NULL within a chunk
    uint64_t id;
    bool is_contextual;
    uint64_t events;
    uint64_t bytes;
} type_count;

typedef LP_VEC(type_count) type_counts;

typedef struct summary {
    uint64_t chunks;
    uint16_t major;
    uint16_t minor;
    int64_t start_wall_ns;
    int64_t end_wall_ns;
    uint64_t events;
    uint64_t contexts;
    type_counts types;
} summary;

static void
fini_counts(type_counts *counts)
{
    for (size_t i = 0; i < counts->count; i++) {
        free(counts->items[i].name);
    }
    LP_VEC_FINI(counts);
}

// add_named adds the events of one chunk under a name, which may be there already.
static lp_err
add_named(summary *s, const char *name, bool is_contextual, const type_count *from)
{
    char *copy = strdup(name);
    type_count *to = copy == NULL ? NULL : LP_VEC_PUSH(&s->types);
    if (to == NULL) {
        free(copy);
        return LP_ENOMEM;
    }
    *to = *from;
    to->name = copy;
    to->is_contextual = is_contextual;
    return LP_OK;
}

static int
compare_names(const void *a, const void *b)
{
    const type_count *x = a;
    const type_count *y = b;
    return strcmp(x->name, y->name);
}

// join_names makes one count out of those with one name. Sorting finds them in time that does not
// explode with the number of types.
static void
join_names(type_counts *counts)
{
    if (counts->count > 0) {
        qsort(counts->items, counts->count, sizeof(*counts->items), compare_names);
    }
    size_t count = 0;
    for (size_t i = 0; i < counts->count; i++) {
        type_count *from = &counts->items[i];
        type_count *to = count == 0 ? NULL : &counts->items[count - 1];
        if (to == NULL || strcmp(to->name, from->name) != 0) {
            counts->items[count++] = *from;
            continue;
        }
        to->is_contextual |= from->is_contextual;
        to->events += from->events;
        to->bytes += from->bytes;
        free(from->name);
    }
    counts->count = count;
}

// name_counts moves the counts of one chunk over to the summary, under the names of its types.
static lp_err
name_counts(summary *s, const type_counts *by_id, const jfr_metadata *metadata)
{
    for (size_t i = 0; i < by_id->count; i++) {
        const type_count *from = &by_id->items[i];
        uint32_t type = jfr_metadata_find_type(metadata, from->id);
        const char *name = "(not described)";
        bool is_contextual = false;
        if (from->id == JFR_TYPE_ID_METADATA) {
            name = "jdk.Metadata";
        } else if (from->id == JFR_TYPE_ID_CHECKPOINT) {
            name = "jdk.CheckPoint";
        } else if (type != JFR_NONE) {
            name = jfr_metadata_text(metadata, metadata->types.items[type].name);
            is_contextual = metadata->types.items[type].is_contextual;
        }
        if (from->id > JFR_TYPE_ID_CHECKPOINT) {
            s->events += from->events;
        }
        s->contexts += is_contextual ? from->events : 0;
        lp_err err = add_named(s, name, is_contextual, from);
        if (err != LP_OK) {
            return err;
        }
    }
    join_names(&s->types);
    return LP_OK;
}

static type_count *
count_of_id(type_counts *by_id, lp_map *index, uint64_t id)
{
    uint32_t i = lp_map_find(index, id);
    if (i != LP_MAP_NONE) {
        return &by_id->items[i];
    }
    type_count *count = LP_VEC_PUSH(by_id);
    if (count == NULL || lp_map_put(index, id, (uint32_t)(by_id->count - 1)) != LP_OK) {
        return NULL;
    }
    count->id = id;
    return count;
}

// walk_chunk counts the events of a chunk by type id and reads its metadata.
static lp_err
walk_chunk(
    lp_slice chunk, type_counts *by_id, lp_map *index, jfr_metadata *metadata, lp_problem *problem)
{
    jfr_cursor rest = {chunk.ptr + JFR_CHUNK_HEADER_SIZE, chunk.ptr + chunk.len};
    jfr_event event;
    lp_err err;
    while ((err = jfr_event_next(&rest, &event)) == LP_OK) {
        type_count *count = count_of_id(by_id, index, event.type_id);
        if (count == NULL) {
            return LP_ENOMEM;
        }
        count->events++;
        count->bytes += event.size;
        if (event.type_id == JFR_TYPE_ID_METADATA) {
            lp_slice payload = jfr_event_payload(&event);
            err = jfr_metadata_add(metadata, payload, problem);
            if (err != LP_OK) {
                problem->offset += (uint64_t)(payload.ptr - chunk.ptr);
                return err;
            }
        }
    }
    if (err != LP_EEND) {
        return jfr_event_problem(chunk, &rest, problem);
    }
    return jfr_metadata_resolve(metadata, problem);
}

static lp_err
add_chunk(summary *s, lp_slice chunk, lp_problem *problem)
{
    jfr_chunk_info info;
    jfr_metadata metadata;
    type_counts by_id = {0};
    lp_map index = {0};
    jfr_metadata_init(&metadata);
    lp_err err = jfr_chunk_parse(chunk, &info, problem);
    if (err == LP_OK) {
        err = walk_chunk(chunk, &by_id, &index, &metadata, problem);
    }
    if (err == LP_OK) {
        err = name_counts(s, &by_id, &metadata);
    }
    if (err == LP_OK) {
        int64_t end;
        if (__builtin_add_overflow(info.start_wall_ns, info.duration_ns, &end)) {
            end = info.start_wall_ns; // no JVM wrote this header
        }
        s->start_wall_ns = s->chunks == 0 || info.start_wall_ns < s->start_wall_ns
                               ? info.start_wall_ns
                               : s->start_wall_ns;
        s->end_wall_ns = s->chunks == 0 || end > s->end_wall_ns ? end : s->end_wall_ns;
        s->major = info.major;
        s->minor = info.minor;
        s->chunks++;
    }
    fini_counts(&by_id);
    lp_map_fini(&index);
    jfr_metadata_fini(&metadata);
    return err;
}

static int
compare_counts(const void *a, const void *b)
{
    const type_count *x = a;
    const type_count *y = b;
    if (x->events != y->events) {
        return x->events > y->events ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static void
print_text(const summary *s)
{
    char start[64] = "";
    time_t seconds = (time_t)(s->start_wall_ns / 1000000000);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) != NULL) {
        (void)strftime(start, sizeof(start), "%Y-%m-%d %H:%M:%S (UTC)", &utc);
    }
    (void)printf("Version:  %u.%u\nChunks:   %" PRIu64 "\nStart:    %s\n", s->major, s->minor,
        s->chunks, start);
    (void)printf("Duration: %.3f s\n", (double)(s->end_wall_ns - s->start_wall_ns) / 1e9);
    (void)printf("Events:   %" PRIu64 "\nContexts: %" PRIu64 "\n\n", s->events, s->contexts);
    (void)printf("%-48s %12s %14s\n", "Event type", "Count", "Size (bytes)");
    for (size_t i = 0; i < s->types.count; i++) {
        const type_count *type = &s->types.items[i];
        (void)printf("%-48s %12" PRIu64 " %14" PRIu64 "%s\n", type->name, type->events, type->bytes,
            type->is_contextual ? "  contextual" : "");
    }
}

static bool
print_json(const summary *s)
{
    json_t *types = json_object();
    for (size_t i = 0; i < s->types.count; i++) {
        const type_count *type = &s->types.items[i];
        (void)json_object_set_new(types, type->name,
            json_pack("{s:I, s:I, s:b}", "events", (json_int_t)type->events, "bytes",
                (json_int_t)type->bytes, "contextual", type->is_contextual));
    }
    json_t *root = json_pack("{s:s+, s:I, s:I, s:I, s:I, s:I, s:o}", "version",
        s->major == 1 ? "1." : "2.", s->minor == 0 ? "0" : "1", "chunks", (json_int_t)s->chunks,
        "start_ns", (json_int_t)s->start_wall_ns, "duration_ns",
        (json_int_t)(s->end_wall_ns - s->start_wall_ns), "events", (json_int_t)s->events,
        "contexts", (json_int_t)s->contexts, "types", types);
    bool is_done =
        root != NULL && json_dumpf(root, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(root);
    return is_done;
}

static lp_err
add_file(summary *s, const recording_file *file, lp_problem *problem)
{
    uint64_t offset = 0;
    for (;;) {
        uint64_t begin = offset;
        uint64_t rest;
        lp_slice chunk;
        lp_err err = recording_file_next(file, &offset, &chunk, &rest, problem);
        if (err == LP_EEND) {
            return LP_OK;
        }
        if (err == LP_OK) {
            err = add_chunk(s, chunk, problem);
            problem->offset += begin;
        }
        if (err != LP_OK) {
            return err;
        }
    }
}

static int
summarize(const char *path, bool is_json)
{
    recording_file file = {0};
    summary s = {0};
    lp_problem problem = {.text = ""};
    lp_err err = recording_file_open(path, &file, &problem);
    if (err == LP_OK) {
        err = add_file(&s, &file, &problem);
    }
    if (err != LP_OK) {
        const char *text = problem.text[0] == '\0' ? lp_err_text(err) : problem.text;
        if (problem.has_offset) {
            (void)fprintf(
                stderr, "loupe summary: %s: offset %" PRIu64 ": %s\n", path, problem.offset, text);
        } else {
            (void)fprintf(stderr, "loupe summary: %s: %s\n", path, text);
        }
    } else {
        if (s.types.count > 0) {
            qsort(s.types.items, s.types.count, sizeof(*s.types.items), compare_counts);
        }
        if (is_json) {
            err = print_json(&s) ? LP_OK : LP_EIO;
        } else {
            print_text(&s);
        }
    }
    recording_file_close(&file);
    fini_counts(&s.types);
    return err == LP_OK ? CMD_DONE : CMD_FAILED;
}

int
cmd_summary(int argc, char **argv)
{
    static const struct option longs[] = {
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    bool is_json = false;
    int c;
    optind = 1;
    while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (c) {
        case 'j':
            is_json = true;
            break;
        case 'h':
            (void)fputs(usage, stdout);
            return CMD_DONE;
        default:
            (void)fputs(usage, stderr);
            return CMD_USAGE;
        }
    }
    if (argc - optind != 1) {
        (void)fprintf(stderr, "loupe summary: give one FILE.jfr\n\n%s", usage);
        return CMD_USAGE;
    }
    return summarize(argv[optind], is_json);
}
