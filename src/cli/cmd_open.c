// SPDX-License-Identifier: Apache-2.0

// loupe open: the page for recordings in files: a collector over a temporary directory, which gets
// them as agents would send them, for this machine alone, until it is told to end.
//
// Tests: tests/e2e/cli.py

#include "cli/cmd.h"
#include "cli/companion.h"
#include "cli/end_watch.h"
#include "cli/feed.h"
#include "cli/serving.h"
#include "collector/base/metrics.h"
#include "collector/collect.h"
#include "common/base/lp_log.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time_scale.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"
#include "offline/temp_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char program[] = "loupe open";
static const uint64_t MEMORY_BYTES = 512 << 20; // as of a collector that is not told otherwise
static const int64_t NS_PER_S = 1000000000;

enum {
    LOOK_MS = 20, // between two looks whether all is compacted
    PATH_BYTES = TEMP_FILE_PATH_BYTES + 16,
    URL_BYTES = 3 * FEED_NAME_BYTES + 256,
};

// All that is in the files, contexts in which nothing happened as well.
static const char policy_text[] = "<configuration version=\"2.0\"><event name=\"*\">"
                                  "<setting name=\"select\">all</setting></event></configuration>";

typedef struct opened {
    inputs in;
    char directory[TEMP_FILE_PATH_BYTES];
    companion beside;
    policy_file *policy;
    collect *running;
} opened;

static bool
on_note(void *arg, const input_note *note)
{
    (void)arg;
    lp_printable_line(
        stderr, "%s: %s: offset %" PRIu64 ": %s", program, note->name, note->offset, note->text);
    if (note->kind == INPUT_NOTE_CUT) { // a collector takes whole chunks alone
        lp_printable_line(
            stderr, "%s: `loupe compact` makes a recording of what can be read of it", program);
    }
    return true;
}

static bool
open_inputs(opened *o, const options *opts)
{
    const char *name;
    lp_problem problem;
    lost_input_start(program);
    lp_err err =
        inputs_open(&o->in, opts->operands, opts->operand_count, on_note, NULL, &name, &problem);
    if (err != LP_OK) {
        cmd_complain(program, name == NULL ? "input" : name, &problem);
        return false;
    }
    if (o->in.chunks.count == 0) {
        lp_printable_line(stderr, "%s: there is no recording in the input", program);
    }
    return o->in.chunks.count > 0;
}

// begin_process makes the temporary directory, with who removes it, and makes the process one that
// is a collector.
static bool
begin_process(opened *o)
{
    lp_problem problem;
    if (temp_file_make_directory(o->directory, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return false;
    }
    if (companion_begin(o->directory, &o->beside) != LP_OK) {
        lp_printable_line(stderr, "%s: cannot start a process: %s", program, strerror(errno));
        (void)remove(o->directory);
        return false;
    }
    lp_log_init("loupe", LP_LOG_ERROR);
    return serving_begin(program, false);
}

static lp_err
start(opened *o, lp_problem *out_problem)
{
    char data[PATH_BYTES];
    char agents[PATH_BYTES];
    (void)snprintf(data, sizeof(data), "%s/data", o->directory);
    (void)snprintf(agents, sizeof(agents), "ipc://%s/agents", o->directory);
    const lp_slice text = {(const uint8_t *)policy_text, sizeof(policy_text) - 1};
    lp_err err = policy_file_parse(program, text, &o->policy, out_problem);
    const memory_plan memory = memory_plan_make(MEMORY_BYTES);
    serving_plan(&memory);
    const collect_config config = {
        .server =
            {
                .agents_url = agents,
                .data_dir = data,
                .policy = o->policy,
                .is_local = true,
                .sync = SYNC_NEVER,
                .idle_ms_max = SERVER_LINGER_MS_MAX, // a session that is being sent has no pauses
                .killed_ms_max = SERVER_KILLED_MS_MAX,
                .linger_ms_max = SERVER_LINGER_MS_MAX,
                .lack_ms_max = SERVER_LACK_MS_MAX,
                .snapshot_kept_ms = SERVER_SNAPSHOT_KEPT_MS,
                .memory = memory,
                .is_ending = end_watch_is_told,
            },
        .http_address = "127.0.0.1:0",
    };
    return err == LP_OK ? collect_start(&config, &o->running, out_problem) : err;
}

// feed_all gives the collector the recordings, JVM by JVM.
static lp_err
feed_all(const opened *o, lp_problem *out_problem)
{
    static const char scheme[] = "ipc://";
    feed to;
    const char *path = collect_get_agents_url(o->running) + sizeof(scheme) - 1;
    lp_err err = feed_open(path, end_watch_is_told, &to, out_problem);
    const input_chunk *chunks = o->in.chunks.items;
    for (size_t begin = 0, end; begin < o->in.chunks.count && err == LP_OK; begin = end) {
        char service[FEED_NAME_BYTES];
        for (end = begin + 1;
             end < o->in.chunks.count && chunks[end].session == chunks[begin].session; end++) {
        }
        feed_name_service(chunks[begin].file->name, service);
        err = feed_session(&to, service, chunks + begin, end - begin, out_problem);
    }
    feed_close(&to);
    return err;
}

// wait_for_chunks returns when all is compacted; false: it was told to end before.
static bool
wait_for_chunks(void)
{
    while (metrics_get(METRICS_sessions_active) > 0 && !end_watch_is_told(NULL)) {
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    return !end_watch_is_told(NULL);
}

// format_service writes the path of a service's screen. What browsers take out of a path, and the
// page therefore writes in another way, leads to the list of services.
static void
format_service(const char *name, char out_path[URL_BYTES])
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    size_t at = (size_t)snprintf(out_path, URL_BYTES, "/s/");
    bool is_plain = false;
    for (const char *c = name; *c != '\0'; c++) {
        is_plain |= strchr(plain, *c) != NULL;
        at += (size_t)snprintf(out_path + at, URL_BYTES - at,
            strchr(plain, *c) != NULL || *c == '.' ? "%c" : "%%%02X", (unsigned char)*c);
    }
    if (!is_plain) {
        (void)snprintf(out_path, URL_BYTES, "/");
    }
}

// format_url writes where the recordings are: the service, where there is one, in their time.
static void
format_url(const opened *o, char out_url[URL_BYTES])
{
    char path[URL_BYTES] = "/";
    char first[FEED_NAME_BYTES];
    const input_chunk *chunks = o->in.chunks.items;
    bool is_one = true;
    int64_t from = INT64_MAX;
    int64_t to = INT64_MIN;
    feed_name_service(chunks[0].file->name, first);
    for (size_t i = 0; i < o->in.chunks.count; i++) {
        char service[FEED_NAME_BYTES];
        const jfr_chunk_info *info = &chunks[i].info;
        feed_name_service(chunks[i].file->name, service);
        is_one = is_one && strcmp(service, first) == 0;
        from = info->start_wall_ns < from ? info->start_wall_ns : from;
        int64_t end = info->start_wall_ns + info->duration_ns;
        to = end > to ? end : to;
    }
    if (is_one) {
        format_service(first, path);
    }
    (void)snprintf(out_url, URL_BYTES, "http://127.0.0.1:%u%s?from=%" PRId64 "&to=%" PRId64,
        collect_get_http_port(o->running), path, from, to + NS_PER_S);
}

static int
serve(opened *o, const options *opts)
{
    lp_problem problem;
    lp_err err = start(o, &problem);
    err = err == LP_OK ? feed_all(o, &problem) : err;
    if (err == LP_ECLOSED || (err == LP_OK && !wait_for_chunks())) {
        return CMD_DONE;
    }
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s", program, problem.text);
        return CMD_FAILED;
    }
    char url[URL_BYTES];
    format_url(o, url);
    inputs_close(&o->in); // all of it is in the directory
    (void)puts(url);
    if (cmd_end(program, true) != CMD_DONE) {
        return CMD_FAILED;
    }
    if (!opts->open_has_no_browser && companion_show(&o->beside, url) != LP_OK) {
        lp_printable_line(stderr, "%s: no browser opens it: %s", program, strerror(errno));
    }
    (void)end_watch_next();
    return CMD_DONE;
}

int
cmd_open(int argc, char **argv)
{
    options opts;
    opened o = {0};
    int code = cmd_parse(OPTIONS_open, argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    if (opts.operand_count == 0) {
        return cmd_refuse(OPTIONS_open, argv[0], "no input");
    }
    code = open_inputs(&o, &opts) && begin_process(&o) ? serve(&o, &opts) : CMD_FAILED;
    collect_stop(o.running);
    policy_file_unref(o.policy);
    inputs_close(&o.in);
    if (o.beside.pid != 0) {
        companion_end(&o.beside);
    }
    return code;
}
