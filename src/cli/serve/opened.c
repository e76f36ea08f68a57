// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/opened.h"

#include "cli/base/cmd.h"
#include "cli/serve/companion.h"
#include "cli/serve/end_watch.h"
#include "cli/serve/feed.h"
#include "cli/serve/serving.h"
#include "collector/base/metrics.h"
#include "collector/base/uploads.h"
#include "collector/collect.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_err.h"
#include "common/base/lp_log.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time.h"
#include "common/base/lp_vec.h"
#include "offline/inputs.h"
#include "offline/lost_input.h"
#include "offline/temp_file.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// As of a collector that is not told otherwise.
static const uint64_t MEMORY_BYTES = 512 << 20;
static const uint64_t RESERVE_BYTES = 64 << 20;

enum { PATH_BYTES = TEMP_FILE_PATH_BYTES + 16 };

// Selects everything in the files, even contexts without events.
static const char policy_text[] = "<configuration version=\"2.0\"><event name=\"*\">"
                                  "<setting name=\"select\">all</setting></event></configuration>";

struct opened {
    const char *program; // prefix of messages
    char directory[TEMP_FILE_PATH_BYTES];
    companion beside;
    policy_file *policy;
    collect *running;
    uploads taken;         // files that the page sends
    pthread_mutex_t mutex; // of reading recordings: inputs are read by one thread at a time
    uploads_shown shown;   // of the operands
};

// What there is to say about files, and where.
typedef struct noted {
    const char *program;
    const char *name; // of the file; NULL: each has its own
    uploads_shown *shown;
} noted;

static const int64_t NS_PER_S = 1000000000;

enum {
    SHOW_INPUTS_WAIT_S_MAX = 600, // the collector is stuck if it compacts no chunk for so long
    LOOK_MS = 20,                 // between two checks whether all chunks are compacted
};

static_assert(CATALOG_ID_CHARS == 2 * WIRE_SESSION_BYTES, "an id is a session's bytes in hex");

typedef struct session_id {
    char text[CATALOG_ID_CHARS + 1];
} session_id;

typedef LP_VEC(session_id) session_ids;

// --- Sending recordings to the collector

static lp_err
add_id(session_ids *ids, const feed *fed, lp_problem *out_problem)
{
    session_id *id = LP_VEC_PUSH(ids);
    LP_REQUIRE(id != NULL, lp_problem_set(out_problem, LP_ENOMEM, "%s", lp_err_text(LP_ENOMEM)));
    for (size_t i = 0; i < WIRE_SESSION_BYTES; i++) {
        (void)snprintf(id->text + 2 * i, 3, "%02x", fed->session[i]);
    }
    return LP_OK;
}

// feed_all gives the collector the recordings, JVM by JVM, and adds the ids of their sessions.
static lp_err
feed_all(const collect *collector, const inputs *in, const char *name, session_ids *ids,
    lp_problem *out_problem)
{
    static const char scheme[] = "ipc://";
    feed to;
    const char *path = collect_get_agents_url(collector) + sizeof(scheme) - 1;
    lp_err err = feed_open(path, end_watch_is_told, &to, out_problem);
    const input_chunk *chunks = in->chunks.items;
    for (size_t begin = 0, end; begin < in->chunks.count && err == LP_OK; begin = end) {
        for (end = begin + 1;
             end < in->chunks.count && chunks[end].session == chunks[begin].session; end++) {
        }
        err = feed_session(&to, name == NULL ? chunks[begin].file->name : name, chunks + begin,
            end - begin, out_problem);
        LP_THEN(err, add_id(ids, &to, out_problem));
    }
    feed_close(&to);
    return err;
}

// --- Waiting for their compaction

static void
on_session(void *arg, const catalog_session *session)
{
    bool *is_ended = arg;
    *is_ended = session->is_ended;
}

// is_compacted returns whether a session is fully compacted. False if the catalog cannot answer
// now.
static bool
is_compacted(catalog *from, const session_id *id)
{
    bool is_ended = false;
    return catalog_find(from, id->text, on_session, &is_ended) == LP_OK && is_ended;
}

static lp_err
wait_for_sessions(catalog *from, const session_ids *ids, lp_problem *out_problem)
{
    uint64_t done = metrics_get(METRICS_jobs_done);
    int64_t done_ms = lp_time_mono_ms();
    for (size_t i = 0; i < ids->count;) {
        LP_REQUIRE(!end_watch_is_told(NULL),
            lp_problem_set(out_problem, LP_ECLOSED, "ended before all was compacted"));
        if (is_compacted(from, &ids->items[i])) {
            i++;
            continue;
        }
        if (metrics_get(METRICS_jobs_done) != done) {
            done = metrics_get(METRICS_jobs_done);
            done_ms = lp_time_mono_ms();
        } else if (lp_time_mono_ms() - done_ms > SHOW_INPUTS_WAIT_S_MAX * (int64_t)1000) {
            return lp_problem_set(out_problem, LP_ELIMIT,
                "no chunk was compacted for %d s: is the disk of the temporary directory full?",
                SHOW_INPUTS_WAIT_S_MAX);
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
    }
    return LP_OK;
}

static lp_err
feed_and_wait(const collect *to, const inputs *in, const char *name, lp_problem *out_problem)
{
    session_ids ids = {0};
    catalog *from = NULL;
    lp_err err = catalog_open_reader(collect_get_catalog_place(to), &from, out_problem);
    LP_THEN(err, feed_all(to, in, name, &ids, out_problem));
    LP_THEN(err, wait_for_sessions(from, &ids, out_problem));
    catalog_close(from);
    LP_VEC_FINI(&ids);
    return err;
}

// --- The time and the service of recordings

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

static void
find_service(const inputs *in, const char *name, uploads_shown *out)
{
    const input_chunk *chunks = in->chunks.items;
    feed_name_service(name == NULL ? chunks[0].file->name : name, out->service);
    for (size_t i = 1; name == NULL && i < in->chunks.count; i++) {
        char service[FEED_NAME_BYTES];
        feed_name_service(chunks[i].file->name, service);
        if (strcmp(service, out->service) != 0) {
            out->service[0] = '\0';
            break;
        }
    }
}

// show_inputs_run sends the recordings of `in` to the collector and returns once it has compacted
// them, each under the service of its file. name: the name of all files; NULL: their own.
// out->service is "" for several services. The notes in *out stay.
// Errors: LP_ECLOSED end_watch_is_told; LP_ECORRUPT no recordings, or rejected by the collector;
//         LP_ELIMIT the collector is busy or makes no progress for too long; LP_EIO, LP_ENOMEM
static lp_err
show_inputs_run(const collect *to, const inputs *in, const char *name, uploads_shown *out,
    lp_problem *out_problem)
{
    LP_REQUIRE(in->chunks.count != 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "there is no recording in it"));
    find_time(in, out);
    find_service(in, name, out);
    return feed_and_wait(to, in, name, out_problem);
}

// --- Notes

// add_note adds a note about a file to the page.
static void
add_note(uploads_shown *shown, const char *line)
{
    if (shown->note_count < UPLOADS_NOTES_MAX) {
        (void)lp_printable(line, shown->notes[shown->note_count], UPLOADS_NOTE_BYTES);
    }
    shown->note_count++;
}

static bool
on_note(void *arg, const input_note *note)
{
    const noted *to = arg;
    char line[UPLOADS_NOTE_BYTES];
    (void)snprintf(line, sizeof(line), "offset %" PRIu64 ": %s%s", note->offset, note->text,
        note->kind == INPUT_NOTE_CUT // a collector takes whole chunks alone
            ? "; `loupe compact` makes a recording of what can be read of it"
            : "");
    lp_printable_line(
        stderr, "%s: %s: %s", to->program, to->name == NULL ? note->name : to->name, line);
    add_note(to->shown, line);
    return true;
}

// begin_companion makes the temporary directory, and the process that removes it.
static bool
begin_companion(opened *o)
{
    lp_problem problem;
    if (temp_file_make_directory(o->directory, &problem) != LP_OK) {
        lp_printable_line(stderr, "%s: %s", o->program, problem.text);
        return false;
    }
    if (companion_begin(o->directory, &o->beside) != LP_OK) {
        lp_printable_line(stderr, "%s: cannot start a process: %s", o->program, strerror(errno));
        (void)remove(o->directory);
        return false;
    }
    return true;
}

static bool
open_inputs(opened *o, const options *opts, inputs *in)
{
    const char *name;
    lp_problem problem;
    noted to = {.program = o->program, .shown = &o->shown};
    lost_input_start(o->program);
    lp_err err =
        inputs_open(in, opts->operands, opts->operand_count, on_note, &to, &name, &problem);
    if (err != LP_OK) {
        cmd_complain(o->program, name == NULL ? "input" : name, &problem);
        return false;
    }
    bool is_empty = opts->operand_count > 0 && in->chunks.count == 0;
    if (is_empty) {
        lp_printable_line(stderr, "%s: there is no recording in the input", o->program);
    }
    return !is_empty;
}

// show_upload shows a file that the page has sent (uploads.h).
static lp_err
show_upload(void *arg, const char *path, const char *name, uploads_shown *out_shown,
    lp_problem *out_problem)
{
    opened *o = arg;
    LP_REQUIRE(pthread_mutex_trylock(&o->mutex) == 0,
        lp_problem_set(out_problem, LP_EAGAIN, "another file is being read: try again later"));
    inputs in;
    const char *input;
    noted to = {.program = o->program, .name = name, .shown = out_shown};
    char *paths[] = {(char *)(uintptr_t)path}; // which inputs_open only reads
    lp_err err = inputs_open(&in, paths, 1, on_note, &to, &input, out_problem);
    LP_THEN(err, show_inputs_run(o->running, &in, name, out_shown, out_problem));
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
    lp_err err = policy_file_parse(o->program, text, &o->policy, out_problem);
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
                .reserve_bytes = RESERVE_BYTES,
                .is_ending = end_watch_is_told,
            },
        .http_address = "127.0.0.1:0",
        .uploads = &o->taken,
    };
    return err == LP_OK ? collect_start(&config, &o->running, out_problem) : err;
}

uint16_t
opened_get_http_port(const opened *self)
{
    return collect_get_http_port(self->running);
}

const uploads_shown *
opened_get_shown(const opened *self)
{
    return &self->shown;
}

lp_err
opened_browse(const opened *self, const char *url)
{
    return companion_show(&self->beside, url);
}

// serve serves the recordings in `in`, which it closes.
static int
serve(opened *o, const options *opts, inputs *in, opened_use *use)
{
    lp_problem problem;
    (void)pthread_mutex_lock(&o->mutex);
    lp_err err = start(o, &problem);
    if (err == LP_OK && in->chunks.count > 0) {
        err = show_inputs_run(o->running, in, NULL, &o->shown, &problem);
    }
    inputs_close(in);   // the collector has all of it
    if (err == LP_OK) { // else files of the page stay refused
        (void)pthread_mutex_unlock(&o->mutex);
        return use(o, opts);
    }
    if (err == LP_ECLOSED) {
        return CMD_DONE;
    }
    lp_printable_line(stderr, "%s: %s", o->program, problem.text);
    return CMD_FAILED;
}

int
opened_run(const options *opts, opened_use *use)
{
    inputs in = {0};
    opened o = {.program = opts->program, .mutex = PTHREAD_MUTEX_INITIALIZER};
    int code = CMD_FAILED;
    if (begin_companion(&o) && open_inputs(&o, opts, &in)) {
        lp_log_init("loupe", LP_LOG_ERROR);
        code = serving_begin(o.program, false) ? serve(&o, opts, &in, use) : CMD_FAILED;
    }
    collect_stop(o.running);
    policy_file_unref(o.policy);
    inputs_close(&in);
    if (o.beside.pid != 0) {
        companion_end(&o.beside);
    }
    return code;
}
