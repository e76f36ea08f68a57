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
#include <pthread.h>
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
    char directory[TEMP_FILE_PATH_BYTES];
    companion beside;
    policy_file *policy;
    collect *running;
    uploads taken;         // files that the page sends
    pthread_mutex_t mutex; // of reading recordings: inputs are read by one thread at a time
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
open_inputs(const options *opts, inputs *in)
{
    const char *name;
    lp_problem problem;
    lost_input_start(program);
    lp_err err =
        inputs_open(in, opts->operands, opts->operand_count, on_note, NULL, &name, &problem);
    if (err != LP_OK) {
        cmd_complain(program, name == NULL ? "input" : name, &problem);
        return false;
    }
    bool is_empty = opts->operand_count > 0 && in->chunks.count == 0;
    if (is_empty) {
        lp_printable_line(stderr, "%s: there is no recording in the input", program);
    }
    return !is_empty;
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

// feed_all gives the collector the recordings, JVM by JVM. file: what all are called; NULL: as
// their files are.
static lp_err
feed_all(const opened *o, const inputs *in, const char *file, lp_problem *out_problem)
{
    static const char scheme[] = "ipc://";
    feed to;
    const char *path = collect_get_agents_url(o->running) + sizeof(scheme) - 1;
    lp_err err = feed_open(path, end_watch_is_told, &to, out_problem);
    const input_chunk *chunks = in->chunks.items;
    for (size_t begin = 0, end; begin < in->chunks.count && err == LP_OK; begin = end) {
        for (end = begin + 1;
             end < in->chunks.count && chunks[end].session == chunks[begin].session; end++) {
        }
        err = feed_session(&to, file == NULL ? chunks[begin].file->name : file, chunks + begin,
            end - begin, out_problem);
    }
    feed_close(&to);
    return err;
}

// wait_for_chunks returns when all is compacted but what was there before: so many sessions, which
// are not sent any more. Errors: LP_ECLOSED it was told to end before
static lp_err
wait_for_chunks(uint64_t before, lp_problem *out_problem)
{
    while (metrics_get(METRICS_sessions_active) > before && !end_watch_is_told(NULL)) {
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    return end_watch_is_told(NULL)
               ? lp_problem_set(out_problem, LP_ECLOSED, "ended before all was compacted")
               : LP_OK;
}

// find_time finds the time that recordings are of.
static void
find_time(const inputs *in, uploads_shown *out)
{
    out->from_wall_ns = INT64_MAX;
    out->to_wall_ns = INT64_MIN;
    for (size_t i = 0; i < in->chunks.count; i++) {
        const jfr_chunk_info *info = &in->chunks.items[i].info;
        int64_t end;
        if (__builtin_add_overflow(info->start_wall_ns, info->duration_ns, &end) ||
            __builtin_add_overflow(end, NS_PER_S, &end)) { // an absurd header
            end = INT64_MAX;
        }
        out->from_wall_ns =
            info->start_wall_ns < out->from_wall_ns ? info->start_wall_ns : out->from_wall_ns;
        out->to_wall_ns = end > out->to_wall_ns ? end : out->to_wall_ns;
    }
}

// show_inputs has the page show recordings. out->service is "" where they are of several.
static lp_err
show_inputs(const opened *o, const inputs *in, const char *file, uploads_shown *out,
    lp_problem *out_problem)
{
    const input_chunk *chunks = in->chunks.items;
    if (in->chunks.count == 0) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "there is no recording in it");
    }
    find_time(in, out);
    feed_name_service(file == NULL ? chunks[0].file->name : file, out->service);
    for (size_t i = 1; file == NULL && i < in->chunks.count; i++) {
        char service[FEED_NAME_BYTES];
        feed_name_service(chunks[i].file->name, service);
        if (strcmp(service, out->service) != 0) {
            out->service[0] = '\0';
            break;
        }
    }
    const uint64_t before = metrics_get(METRICS_sessions_active);
    lp_err err = feed_all(o, in, file, out_problem);
    return err == LP_OK ? wait_for_chunks(before, out_problem) : err;
}

// show_upload shows a file that the page has sent (uploads.h).
static lp_err
show_upload(void *arg, const char *path, const char *name, uploads_shown *out_shown,
    lp_problem *out_problem)
{
    opened *o = arg;
    if (pthread_mutex_trylock(&o->mutex) != 0) {
        return lp_problem_set(
            out_problem, LP_EAGAIN, "another file is being read: try again later");
    }
    inputs in;
    const char *input;
    char *paths[] = {(char *)(uintptr_t)path}; // which inputs_open only reads
    lp_err err = inputs_open(&in, paths, 1, on_note, NULL, &input, out_problem);
    err = err == LP_OK ? show_inputs(o, &in, name, out_shown, out_problem) : err;
    inputs_close(&in);
    (void)pthread_mutex_unlock(&o->mutex);
    return err;
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
    o->taken = (uploads){.directory = o->directory, .show = show_upload, .arg = o};
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
        .uploads = &o->taken,
    };
    return err == LP_OK ? collect_start(&config, &o->running, out_problem) : err;
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
format_url(const opened *o, const uploads_shown *shown, char out_url[URL_BYTES])
{
    char path[URL_BYTES] = "/";
    if (shown->service[0] != '\0') {
        format_service(shown->service, path);
    }
    size_t at = (size_t)snprintf(
        out_url, URL_BYTES, "http://127.0.0.1:%u%s", collect_get_http_port(o->running), path);
    if (shown->to_wall_ns != 0) {
        (void)snprintf(out_url + at, URL_BYTES - at, "?from=%" PRId64 "&to=%" PRId64,
            shown->from_wall_ns, shown->to_wall_ns);
    }
}

// wait_for_end says where the page is, and returns when it is told to end.
static int
wait_for_end(const opened *o, const options *opts, const uploads_shown *shown)
{
    char url[URL_BYTES];
    format_url(o, shown, url);
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

// serve has the page show what is in inputs, which it ends.
static int
serve(opened *o, const options *opts, inputs *in)
{
    lp_problem problem;
    uploads_shown shown = {0};
    (void)pthread_mutex_lock(&o->mutex);
    lp_err err = start(o, &problem);
    if (err == LP_OK && in->chunks.count > 0) {
        err = show_inputs(o, in, NULL, &shown, &problem);
    }
    inputs_close(in); // all of it is in the directory
    (void)pthread_mutex_unlock(&o->mutex);
    if (err == LP_OK) {
        return wait_for_end(o, opts, &shown);
    }
    if (err == LP_ECLOSED) {
        return CMD_DONE;
    }
    lp_printable_line(stderr, "%s: %s", program, problem.text);
    return CMD_FAILED;
}

int
cmd_open(int argc, char **argv)
{
    options opts;
    inputs in = {0};
    opened o = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    int code = cmd_parse(OPTIONS_open, argc, argv, &opts);
    if (code >= 0) {
        return code;
    }
    code = open_inputs(&opts, &in) && begin_process(&o) ? serve(&o, &opts, &in) : CMD_FAILED;
    collect_stop(o.running);
    policy_file_unref(o.policy);
    inputs_close(&in);
    if (o.beside.pid != 0) {
        companion_end(&o.beside);
    }
    return code;
}
