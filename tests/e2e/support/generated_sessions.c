// SPDX-License-Identifier: Apache-2.0
// generated_sessions [--service NAME] [--slow FILE] COUNT TICKS_PER_SECOND SEGMENT_SECONDS
// STOP_FILE ADDRESS...: so many sessions of the agent in one process, each with what a JVM that
// runs SequenceE2E would give it (generated_jvm.h), at collectors with these addresses. Session N
// is of the service NAME, or else generatedN.
//
// With --slow all sessions have the same traces. Each byte of FILE is the number of the session
// that has the entry slow in a trace, or 255. Each chunk ends within a context.
//
// They go on until STOP_FILE is there. Their chunks are in the working directory. When all of them
// have ended it prints of each "generatedN ticks LAST from 1": from that tick on there were
// contexts.

#include "e2e/support/generated_jvm.h"

#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    SESSIONS_MAX = 500, // the rings of one take some 115 of the 65,530 mappings of a process
    CYCLE_MS = 100,     // from one to the next, in each of which there are ticks
    FLUSH_CYCLES = 10,
    FINISH_TIMEOUT_MS = 60 * 1000,
    TRACES_MAX = 1000000,
};

// Static, so that what is in it counts as reachable.
static generated_jvm jvms[SESSIONS_MAX];

typedef struct plan {
    unsigned count;
    unsigned cycle_ticks;
    unsigned segment_cycles;
    const char *stop_path;
    const char *service; // NULL: of each its own
    generated_jvm_traces traces;
} plan;

static unsigned
parse(const char *text, unsigned max)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value == 0 || value > max) {
        (void)fprintf(stderr, "generated_sessions: %s is not a number from 1 to %u\n", text, max);
        exit(2);
    }
    return (unsigned)value;
}

// raise_files has the process open as many files as it may: of each session its socket, its
// directory, and the chunks that wait.
static void
raise_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // what then fails says so
    }
}

// read_traces reads the bytes of a file.
static generated_jvm_traces
read_traces(const char *path)
{
    static uint8_t slow[TRACES_MAX];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    size_t count = fread(slow, 1, sizeof(slow), file);
    (void)fclose(file);
    return (generated_jvm_traces){slow, count};
}

// run_cycle has a JVM do what is due. Sessions flush and rotate in different cycles.
static void
run_cycle(const plan *p, unsigned number, unsigned cycle)
{
    generated_jvm *jvm = &jvms[number];
    unsigned phase = cycle + number;
    bool is_end = phase % p->segment_cycles == 0;
    bool crosses = is_end && p->traces.slow != NULL;
    for (unsigned i = crosses; i < p->cycle_ticks; i++) {
        generated_jvm_tick(jvm);
    }
    if (crosses) {
        generated_jvm_cross(jvm);
    } else if (is_end) {
        generated_jvm_rotate(jvm);
    } else if (phase % FLUSH_CYCLES == 0) {
        generated_jvm_flush(jvm);
    }
}

static void
run_until_stopped(const plan *p)
{
    const struct timespec pause = {.tv_nsec = CYCLE_MS * 1000000};
    for (unsigned cycle = 1; access(p->stop_path, F_OK) != 0; cycle++) {
        for (unsigned i = 0; i < p->count; i++) {
            run_cycle(p, i, cycle);
        }
        // No cycle is made up for: chunks would follow each other faster than the agent looks.
        (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    }
}

int
main(int argc, char **argv)
{
    char directory[GENERATED_JVM_PATH_BYTES / 2];
    const char *service = NULL;
    generated_jvm_traces traces = {0};
    for (; argc > 2 && strncmp(argv[1], "--", 2) == 0; argv += 2, argc -= 2) {
        if (strcmp(argv[1], "--service") == 0) {
            service = argv[2];
        } else if (strcmp(argv[1], "--slow") == 0) {
            traces = read_traces(argv[2]);
        } else {
            break;
        }
    }
    if (argc < 6 || getcwd(directory, sizeof(directory)) == NULL) {
        (void)fprintf(stderr, "usage: generated_sessions [--service NAME] [--slow FILE] COUNT "
                              "TICKS_PER_SECOND SEGMENT_SECONDS STOP_FILE ADDRESS...\n");
        return 2;
    }
    const plan p = {
        .count = parse(argv[1], SESSIONS_MAX),
        .cycle_ticks = (parse(argv[2], 100000) * CYCLE_MS + 999) / 1000,
        .segment_cycles = parse(argv[3], 3600) * 1000 / CYCLE_MS,
        .stop_path = argv[4],
        .service = service,
        .traces = traces,
    };
    lp_log_init("loupe-agent", LP_LOG_INFO);
    raise_files();
    for (unsigned i = 0; i < p.count; i++) {
        generated_jvm_start(
            &jvms[i], i, p.service, directory, (const char *const *)&argv[5], (size_t)argc - 5);
        jvms[i].traces = p.traces;
    }
    run_until_stopped(&p);
    for (unsigned i = 0; i < p.count; i++) {
        generated_jvm_end(&jvms[i], FINISH_TIMEOUT_MS);
    }
    for (unsigned i = 0; i < p.count; i++) {
        (void)printf("%s ticks %" PRIu64 " from 1\n", jvms[i].name, jvms[i].sequence);
    }
    return 0;
}
