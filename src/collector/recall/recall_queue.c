// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/recall_queue.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/recall/raw_task.h"
#include "collector/store/catalog/catalog_objects.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "policy/policy_all.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES_PER_PACKED =
        24,         // the memory of a compaction, as a multiple of the journal, which is packed
    LOOKS_MAX = 64, // at chunks that need no compaction, at a time
};

typedef struct job {
    uv_work_t work;
    memory_room_user memory;
    recall_queue *queue;
    pin_work pinned;      // pin_id 0: of no pin, but of traces
    rollup_hashes traces; // that are made whole; empty: a pin wants the chunk
    char *service;        // of the chunk; NULL: unknown. A budget needs it
    blobs_reader reader;  // retention deletes no file of the session meanwhile
    int large_fd;
    uint64_t before_bytes; // of the file so far
    uint64_t before_edition;
    // Of the worker:
    lp_err err;
    lp_problem problem;
    bool is_known;    // the stored edition was made for this, too
    bool is_left_out; // whole traces do not fit into a further edition
    bool has_nothing; // the stored edition has all that is wanted
    recall_wants wants;
    uint64_t edition;            // that is made
    uint64_t before_hash;        // of the first one
    recall_counts before_counts; // of the stored one
    chunk_task_output before;    // the first one: as the policy decides
    chunk_task_output made;
    blob_name stored; // the edition that was made
} job;

struct recall_queue {
    recall_queue_config config;
    job *job; // in work; NULL: none
    bool is_turn_of_traces;
    bool is_stopping;
};

static void
queue_check(const recall_queue *self)
{
    LP_ASSERT(self->config.loop != NULL && self->config.pins != NULL && self->config.raw != NULL &&
              self->config.traces != NULL);
    LP_ASSERT(self->job == NULL || self->job->queue == self);
}

static void
job_check(const job *j)
{
    LP_ASSERT(j->queue != NULL && j->before_edition < BLOB_EDITIONS);
    LP_ASSERT(j->pinned.pin_id == 0 || j->traces.count == 0);
}

recall_queue *
recall_queue_create(const recall_queue_config *config)
{
    recall_queue *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->config = *config;
        queue_check(self);
    }
    return self;
}

void
recall_queue_destroy(recall_queue *self)
{
    LP_ASSERT(self == NULL || self->job == NULL);
    free(self);
}

void
recall_queue_stop(recall_queue *self)
{
    if (self != NULL) {
        self->is_stopping = true;
    }
}

// --- On a worker

// compact_same compacts a chunk as the first time.
static lp_err
compact_same(job *j, const raw_task *raw)
{
    lp_buf jfr = {0};
    LP_TRY(chunk_task_compact(&raw->task, &j->before, &jfr, &j->problem));
    bool is_same = blobs_hash(lp_buf_slice(&jfr)) == raw->content_hash;
    lp_buf_fini(&jfr);
    return is_same ? LP_OK
                   : lp_problem_set(&j->problem, LP_EVERSION,
                         "its raw data makes another chunk: it is damaged, or the policy or the "
                         "version of the collector have changed");
}

// store stores the edition.
static lp_err
store(job *j, lp_slice jfr)
{
    LP_ASSERT(j->edition != BLOB_EDITION_FIRST && j->edition < BLOB_EDITIONS);
    j->stored = (blob_name){.session_id = j->pinned.chunk.session_id,
        .ordinal = j->pinned.chunk.ordinal,
        .place.offset = j->edition};
    lp_err err = blobs_put_edition(j->queue->config.blobs, jfr, &j->stored);
    return err == LP_OK
               ? LP_OK
               : lp_problem_set(&j->problem, err, "cannot store the chunk: %s", lp_err_reason(err));
}

// compact_all compacts it with all events, and stores it. A policy that drops nothing has no
// contexts in which nothing happened, and a JVM's own filters: what the pins want comes besides.
static lp_err
compact_all(job *j, raw_task *raw)
{
    size_t last = chunk_task_unit_end(&raw->task, 0) - 1;
    policy *all;
    compact_also also;
    lp_buf jfr = {0};
    LP_ASSERT(last < raw->task.part_count && j->edition == BLOB_EDITION_ALL);
    LP_TRY(recall_wants_view(&j->wants, &also));
    LP_TRY(policy_all_create(chunk_task_get_policy(&raw->task, last + 1), &all));
    policy_file *own = raw->task.policies[last];
    bool is_empty = also.id_count + also.request_count + also.thread_count == 0;
    raw->task.policies[last] = NULL;
    raw->task.policy = all;
    raw->task.also = is_empty ? NULL : &also;
    lp_err err = chunk_task_compact(&raw->task, &j->made, &jfr, &j->problem);
    raw->task.also = NULL;
    LP_THEN(err, store(j, lp_buf_slice(&jfr)));
    lp_buf_fini(&jfr);
    policy_file_unref(own);
    policy_destroy(all);
    raw->task.policy = NULL;
    return err;
}

static recall_counts
counts_of(const compact_stats *stats)
{
    return (recall_counts){stats->events_out, stats->contexts_out, stats->bytes_out};
}

// compact_part compacts it with what the pins want, and stores it if it has more than before.
static lp_err
compact_part(job *j, raw_task *raw)
{
    LP_ASSERT(j->edition >= BLOB_EDITION_PART && !j->is_left_out);
    compact_also also;
    lp_buf jfr = {0};
    LP_TRY(recall_wants_view(&j->wants, &also));
    recall_wants_ask(&j->wants, &j->pinned, &also);
    raw->task.also = &also;
    lp_err err = chunk_task_compact(&raw->task, &j->made, &jfr, &j->problem);
    raw->task.also = NULL;
    if (err == LP_OK) {
        const recall_counts now = counts_of(&j->made.stats);
        j->has_nothing = now.events == j->before_counts.events &&
                         now.contexts == j->before_counts.contexts &&
                         now.bytes == j->before_counts.bytes;
        err = j->has_nothing ? LP_OK : store(j, lp_buf_slice(&jfr));
    }
    lp_buf_fini(&jfr);
    return err;
}

// choose decides which edition to make, unless the pin is_known, or the traces are left out.
// has_record: what the stored edition has is known. is_in_vain: and j->wants may be more.
static lp_err
choose(job *j, bool has_record, bool is_in_vain)
{
    bool is_new = true;
    bool is_part = j->before_edition >= BLOB_EDITION_PART;
    lp_err err = j->traces.count > 0 ? recall_wants_add_traces(&j->wants, &j->traces, &is_new)
                                     : recall_wants_add(&j->wants, &j->pinned, &is_new);
    LP_REQUIRE(err == LP_OK || err == LP_ELIMIT, err);
    j->is_known = is_part && has_record && !is_in_vain && !is_new;
    j->edition =
        err == LP_ELIMIT || j->before_edition == BLOB_EDITION_PART_LAST || (is_part && !has_record)
            ? BLOB_EDITION_ALL
        : is_part ? j->before_edition + 1
                  : BLOB_EDITION_PART;
    LP_ASSERT(j->is_known || blob_edition_has_more(j->edition, j->before_edition));
    j->is_left_out = j->traces.count > 0 && j->edition == BLOB_EDITION_ALL && !j->is_known;
    return LP_OK;
}

// compact compacts a chunk again, after the proof that raw data has all of it.
static lp_err
compact(job *j, raw_task *raw)
{
    raw->task.large_fd = j->large_fd;
    j->before_hash = raw->content_hash;
    j->wants = raw->wants; // moves
    raw->wants = (recall_wants){0};
    bool has_record = raw->counts.bytes > 0;
    LP_TRY(choose(j, has_record, raw->is_in_vain));
    if (j->is_known || j->is_left_out) {
        return LP_OK;
    }
    LP_TRY(compact_same(j, raw));
    j->before_counts = has_record ? raw->counts : counts_of(&j->before.stats);
    return j->edition == BLOB_EDITION_ALL ? compact_all(j, raw) : compact_part(j, raw);
}

static void
run(uv_work_t *work)
{
    job *j = work->data;
    const recall_queue_config *config = &j->queue->config;
    const raw_task_from from = {
        .dir = config->sessions->dir, .rules = config->policy, .edition = j->before_edition};
    raw_task raw;
    job_check(j);
    workers_lower(WORKERS_LOW);
    j->err = raw_task_open(&from, j->pinned.chunk.session_id, j->pinned.chunk.ordinal, &raw);
    if (j->err != LP_OK) {
        (void)lp_problem_set(&j->problem, j->err, "%s", lp_err_reason(j->err));
        return;
    }
    j->err = compact(j, &raw);
    raw_task_close(&raw);
}

// --- On the loop

// has_budget returns whether nobody asked for an edition: it is for whole traces or a pin by a
// rule.
static bool
has_budget(const pin_work *pinned)
{
    return pinned->pin_id == 0 || pinned->origin != PIN_BY_CALLER;
}

// put_edition has the catalog name the new file. *out_changed is false if the chunk is another one,
// or gone.
static lp_err
put_edition(const job *j, bool *out_changed)
{
    LP_ASSERT(!j->is_known && !j->is_left_out && !j->has_nothing);
    const recall_queue_config *config = &j->queue->config;
    const char *session_id = j->pinned.chunk.session_id;
    const recall_counts now = counts_of(&j->made.stats);
    const catalog_chunk to = {.start_wall_ns = j->made.stats.start_wall_ns,
        .size_bytes = j->stored.size_bytes,
        .stored_bytes = j->stored.stored_bytes,
        .content_hash = j->stored.content_hash,
        .place = j->stored.place,
        .rollup = &j->made.contexts,
        .types_json = j->made.types_json,
        .ids =
            id_index_note(config->ids, j->made.stats.start_wall_ns, &j->made.ids, lp_time_now())};
    const catalog_edition edition = {.ordinal = j->pinned.chunk.ordinal,
        .before_hash = j->before_hash,
        .before_edition = j->before_edition,
        .to = &to,
        .events_out = (int64_t)(now.events - j->before_counts.events),
        .contexts_out = (int64_t)(now.contexts - j->before_counts.contexts),
        .bytes_out = (int64_t)(now.bytes - j->before_counts.bytes)};
    if (j->edition != BLOB_EDITION_ALL) {
        lp_err err =
            raw_task_note(config->sessions->dir, &j->pinned.chunk, &j->wants, j->edition, &now);
        // If raw data went meanwhile, there is no further edition that needs the record.
        LP_REQUIRE(err == LP_OK || err == LP_ENOENT, err);
    }
    LP_TRY(catalog_put_edition(config->sessions->catalog, session_id, &edition, out_changed));
    session *s = sessions_find(config->sessions, session_id);
    if (*out_changed && s != NULL) { // else only the catalog has its totals
        s->row.totals.events_out += (uint64_t)edition.events_out;
        s->row.totals.contexts_out += (uint64_t)edition.contexts_out;
        s->row.totals.bytes_out += (uint64_t)edition.bytes_out;
    }
    return LP_OK;
}

// note_growth counts the bytes by which a chunk has grown, and those of its new file. If its
// service is unknown, the next start counts them.
static void
note_growth(const job *j)
{
    const recall_queue_config *config = &j->queue->config;
    uint64_t more =
        j->stored.stored_bytes > j->before_bytes ? j->stored.stored_bytes - j->before_bytes : 0;
    const catalog_chunk grown = {.stored_bytes = more};
    if (j->service != NULL) {
        retention_note(config->retention, j->service, &grown, lp_time_now());
    }
    if (j->service != NULL && has_budget(&j->pinned)) {
        recall_budget_add(config->budget, j->service, j->stored.stored_bytes, lp_time_now());
    }
}

// has_selection returns whether the chunk, which has been compacted, has something of what the pin
// wants.
static bool
has_selection(const job *j)
{
    const pin_selection *wanted = &j->pinned.selection;
    return wanted->kind == PIN_TRACE ? pins_has_id(wanted, &j->before.ids)
                                     : wanted->kind == PIN_ALL || j->made.stats.has_asked;
}

// finish returns what became of the chunk.
static pin_outcome
finish(job *j)
{
    bool has_changed = false;
    job_check(j);
    if (j->err == LP_OK && j->is_left_out) {
        return PIN_MISSING;
    }
    if (j->err == LP_OK && (j->is_known || j->has_nothing)) {
        return j->is_known || has_selection(j) ? PIN_KEPT : PIN_WITHOUT;
    }
    LP_THEN(j->err, put_edition(j, &has_changed));
    if (j->err == LP_OK && has_changed) {
        note_growth(j);
        metrics_add(METRICS_recall_chunks, 1);
        metrics_add(METRICS_recall_trace_editions, j->traces.count > 0);
        return PIN_KEPT;
    }
    if (j->err == LP_OK || j->err == LP_ENOENT) {
        return PIN_MISSING;
    }
    metrics_add(METRICS_recall_failed, 1);
    lp_log(LP_LOG_WARN, "session %s: chunk %u cannot be recalled: %s", j->pinned.chunk.session_id,
        j->pinned.chunk.ordinal,
        j->problem.text[0] == '\0' ? lp_err_reason(j->err) : j->problem.text);
    return PIN_FAILED;
}

// note notes what became of a chunk.
static void
note(const recall_queue *self, const pin_work *pinned, pin_outcome outcome)
{
    LP_ASSERT(outcome < PIN_OUTCOME_COUNT);
    if (pinned->pin_id != 0) {
        pins_note(self->config.pins, pinned->pin_id, outcome);
    } else {
        bool is_left_out =
            outcome == PIN_MISSING || outcome == PIN_FAILED || outcome == PIN_OVER_BUDGET;
        metrics_add(METRICS_recall_trace_chunks_left_out, is_left_out);
    }
}

// end_job ends a job, whose chunk has an outcome.
static void
end_job(job *j, pin_outcome outcome)
{
    recall_queue *self = j->queue;
    queue_check(self);
    LP_ASSERT(self->job == j);
    note(self, &j->pinned, outcome);
    LP_VEC_FINI(&j->traces);
    blobs_reader_end(&j->reader);
    chunk_task_output_fini(&j->before);
    chunk_task_output_fini(&j->made);
    recall_wants_fini(&j->wants);
    memory_room_leave(self->config.memory, &j->memory);
    free(j->service);
    free(j);
    self->job = NULL;
}

static void begin_next(recall_queue *self);

static void
on_done(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    job *j = work->data;
    recall_queue *self = j->queue;
    end_job(j, finish(j));
    begin_next(self);
}

static void
on_room(void *arg)
{
    job *j = arg;
    recall_queue *self = j->queue;
    LP_ASSERT(self->job == j);
    if (self->is_stopping) {
        end_job(j, PIN_MISSING);
        return;
    }
    bool suffices = memory_room_suffices(self->config.memory, &j->memory, j->memory.bytes);
    j->large_fd = suffices ? -1 : blobs_get_directory(self->config.blobs);
    int failure = uv_queue_work(self->config.loop, &j->work, run, on_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

// The edition of a chunk that is stored.
typedef struct stored_edition {
    uint64_t number;
    uint64_t bytes;
} stored_edition;

// look returns whether a chunk has to be compacted again; else *out_outcome is its outcome.
static bool
look(const recall_queue *self, const pin_chunk *chunk, stored_edition *out_stored,
    pin_outcome *out_outcome)
{
    blob_place place = {.object = ""};
    lp_err err = catalog_find_place(self->config.sessions->catalog, chunk->session_id,
        chunk->ordinal, &place, &out_stored->bytes);
    bool is_sound = err == LP_OK && (blobs_has_objects(self->config.blobs) ||
                                        (place.object[0] == '\0' && place.offset < BLOB_EDITIONS));
    bool has_all = is_sound && place.offset == BLOB_EDITION_ALL;
    out_stored->number = blob_place_get_edition(&place);
    *out_outcome = has_all ? PIN_KEPT : err == LP_OK || err == LP_ENOENT ? PIN_MISSING : PIN_FAILED;
    return is_sound && !has_all;
}

static void
note_service(void *arg, const catalog_session *row)
{
    *(char **)arg = strdup(row->service);
}

// find_service returns the service of a chunk; NULL: unknown. The caller frees it.
static char *
find_service(const recall_queue *self, const pin_chunk *chunk)
{
    char *service = NULL;
    (void)!catalog_find(self->config.sessions->catalog, chunk->session_id, note_service, &service);
    return service;
}

// may_store returns whether the budget of the chunk's service, which may be NULL, has room.
static bool
may_store(const recall_queue *self, const pin_work *pinned, const char *service)
{
    LP_REQUIRE(has_budget(pinned) && service != NULL, true);
    const policy_keep keep = policy_dir_find_keep(self->config.policies, service);
    return recall_budget_admit(
        self->config.budget, service, keep.recall_budget_bytes, lp_time_now());
}

// begin begins with a chunk, and takes the traces.
static void
begin(
    recall_queue *self, const pin_work *pinned, rollup_hashes *traces, const stored_edition *stored)
{
    LP_ASSERT(self->job == NULL);
    char *service = find_service(self, &pinned->chunk);
    bool is_admitted = may_store(self, pinned, service);
    job *j = is_admitted ? calloc(1, sizeof(*j)) : NULL;
    const pin_chunk *chunk = &pinned->chunk;
    if (j == NULL) {
        note(self, pinned, is_admitted ? PIN_FAILED : PIN_OVER_BUDGET);
        free(service);
        return;
    }
    uint64_t packed = raw_tail_measure(self->config.raw, chunk->session_id, chunk->ordinal);
    *j = (job){.work.data = j,
        .queue = self,
        .pinned = *pinned,
        .service = service,
        .traces = *traces,
        .before_bytes = stored->bytes,
        .before_edition = stored->number,
        .memory = {.bytes = CHUNK_TASK_BYTES_LEAST + BYTES_PER_PACKED * packed,
            .rank = MEMORY_ROOM_WIDE,
            .on_room = on_room,
            .arg = j}};
    *traces = (rollup_hashes){0};
    blobs_reader_begin(&j->reader, self->config.blobs, chunk->session_id);
    self->job = j;
    memory_room_ask(self->config.memory, &j->memory);
}

static bool
take_traces(recall_queue *self, pin_work *out_pinned, rollup_hashes *out_traces)
{
    trace_work found;
    LP_REQUIRE(trace_keep_take(self->config.traces, &found), false);
    LP_ASSERT(found.traces.count > 0);
    *out_pinned = (pin_work){.chunk = found.chunk};
    *out_traces = found.traces;
    return true;
}

// take takes a chunk of a pin or of whole traces. They take turns, so that neither must wait for
// all of the other. Owns: the caller frees *out_traces.
static bool
take(recall_queue *self, pin_work *out_pinned, rollup_hashes *out_traces)
{
    *out_traces = (rollup_hashes){0};
    self->is_turn_of_traces = !self->is_turn_of_traces;
    return self->is_turn_of_traces ? take_traces(self, out_pinned, out_traces) ||
                                         pins_take(self->config.pins, out_pinned)
                                   : pins_take(self->config.pins, out_pinned) ||
                                         take_traces(self, out_pinned, out_traces);
}

static void
begin_next(recall_queue *self)
{
    queue_check(self);
    pin_work pinned;
    rollup_hashes traces;
    for (size_t i = 0;
         i < LOOKS_MAX && self->job == NULL && !self->is_stopping && take(self, &pinned, &traces);
         i++) {
        stored_edition stored = {0};
        pin_outcome outcome;
        if (look(self, &pinned.chunk, &stored, &outcome)) {
            begin(self, &pinned, &traces, &stored);
        } else {
            note(self, &pinned, outcome);
        }
        LP_VEC_FINI(&traces);
    }
}

void
recall_queue_tick(recall_queue *self, int64_t now_wall_ns)
{
    begin_next(self);
    pins_forget(self->config.pins, now_wall_ns);
}
