// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/edition/recall_queue.h"

#include "collector/base/metrics.h"
#include "collector/chunks/side_work.h"
#include "collector/recall/edition/raw_task.h"
#include "collector/recall/edition/recall_job.h"
#include "collector/store/catalog/catalog_objects.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>

enum {
    BYTES_PER_PACKED =
        24,          // the memory of a compaction, as a multiple of the journal, which is packed
    LOOKS_MAX = 400, // at chunks that need no compaction, at a time
    POLICY_BYTES_MAX = 4 << 20, // that a slot keeps for its next chunk
};

typedef struct lane lane;

// A place for a chunk in work.
typedef struct slot {
    side_work_job work;
    memory_room_user memory;
    lane *of;
    bool is_busy;
    recall_job job;
    blobs_reader reader;    // retention deletes no file of the session meanwhile
    char *service;          // of the chunk; NULL: unknown. A budget needs it
    uint64_t before_bytes;  // of the file so far
    policy_cache *policies; // parsed for earlier chunks
} slot;

// A chunk to store again.
typedef struct wish {
    pin_work pinned;
    rollup_hashes traces; // {0}: a pin wants it
} wish;

// The chunks of pins, or of whole traces: neither wait for the other.
struct lane {
    recall_queue *queue;
    bool (*take)(const recall_queue *queue, wish *out_wish);
    side_work *threads; // one for each slot
    slot slots[RECALL_PINS_AT_ONCE];
    size_t slot_count;
    bool has_held;
    wish held; // its chunk is in work
};

struct recall_queue {
    recall_queue_config config;
    lane pins;
    lane traces;
    bool is_stopping;
};

static void
queue_check(const recall_queue *self)
{
    LP_ASSERT(self->config.loop != NULL && self->config.pins != NULL && self->config.raw != NULL &&
              self->config.traces != NULL && self->config.run != 0);
    LP_ASSERT(self->pins.slot_count <= RECALL_PINS_AT_ONCE && self->traces.slot_count <= 1);
}

// has_budget returns whether nobody asked for an edition: it is for whole traces or a pin by a
// rule.
static bool
has_budget(const pin_work *pinned)
{
    return pinned->pin_id == 0 || pinned->origin != PIN_BY_CALLER;
}

// --- The end of a chunk

// put_edition has the catalog name the new file. *out_changed is false if the chunk is another one,
// or gone.
static lp_err
put_edition(const recall_queue_config *config, const recall_job *j, bool *out_changed)
{
    LP_ASSERT(!j->is_known && !j->is_left_out && !j->has_nothing);
    const char *session_id = j->pinned.chunk.session_id;
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
        .events_out = (int64_t)(j->counts.events - j->before_counts.events),
        .contexts_out = (int64_t)(j->counts.contexts - j->before_counts.contexts),
        .bytes_out = (int64_t)(j->counts.bytes - j->before_counts.bytes)};
    if (j->edition != BLOB_EDITION_ALL) {
        lp_err err = raw_task_note(
            config->sessions->dir, &j->pinned.chunk, &j->wants, j->edition, &j->counts);
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
note_growth(const recall_queue_config *config, const slot *s)
{
    LP_ASSERT(s->is_busy && s->job.err == LP_OK);
    uint64_t bytes = s->job.stored.stored_bytes;
    const catalog_chunk grown = {
        .stored_bytes = bytes > s->before_bytes ? bytes - s->before_bytes : 0};
    if (s->service != NULL) {
        retention_note(config->retention, s->service, &grown, lp_time_now());
    }
    if (s->service != NULL && has_budget(&s->job.pinned)) {
        recall_budget_add(config->budget, s->service, bytes, lp_time_now());
    }
}

// has_selection returns whether the chunk, which has been compacted, has something of what the pin
// wants.
static bool
has_selection(const recall_job *j)
{
    LP_ASSERT(j->err == LP_OK);
    const pin_selection *wanted = &j->pinned.selection;
    return wanted->kind == PIN_TRACE ? pins_has_id(wanted, &j->made.ids)
                                     : wanted->kind == PIN_ALL || j->made.stats.has_asked;
}

// finish returns what became of the chunk.
static pin_outcome
finish(const recall_queue_config *config, slot *s)
{
    recall_job *j = &s->job;
    bool has_changed = false;
    LP_ASSERT(s->is_busy);
    if (j->err == LP_OK && (j->is_left_out || j->is_without)) {
        return j->is_left_out ? PIN_MISSING : PIN_WITHOUT;
    }
    if (j->err == LP_OK && (j->is_known || j->has_nothing)) {
        return j->is_known || has_selection(j) ? PIN_KEPT : PIN_WITHOUT;
    }
    LP_THEN(j->err, put_edition(config, j, &has_changed));
    if (j->err == LP_OK && has_changed) {
        note_growth(config, s);
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

// end_slot ends a job, whose chunk has an outcome.
static void
end_slot(slot *s, pin_outcome outcome)
{
    recall_queue *self = s->of->queue;
    queue_check(self);
    LP_ASSERT(s->is_busy);
    note(self, &s->job.pinned, outcome);
    blobs_reader_end(&s->reader);
    recall_job_fini(&s->job);
    free(s->service);
    s->is_busy = false;
    memory_room_leave(self->config.memory, &s->memory);
}

static void begin_next(lane *of);

static void
on_done(void *arg)
{
    slot *s = arg;
    recall_queue *self = s->of->queue;
    end_slot(s, finish(&self->config, s));
    begin_next(&self->pins); // either may wait for this chunk
    begin_next(&self->traces);
}

// --- The begin of a chunk

static void
run(void *arg)
{
    slot *s = arg;
    recall_job_run(&s->job);
}

static void
on_room(void *arg)
{
    slot *s = arg;
    const recall_queue *self = s->of->queue;
    LP_ASSERT(s->is_busy);
    if (self->is_stopping) {
        end_slot(s, PIN_MISSING);
        return;
    }
    bool suffices = memory_room_suffices(self->config.memory, &s->memory, s->memory.bytes);
    s->job.large_fd = suffices ? -1 : blobs_get_directory(self->config.blobs);
    side_work_push(s->of->threads, &s->work);
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

// begin begins with a chunk in a free slot, and takes the traces of the wish.
static void
begin(slot *s, wish *wanted, const stored_edition *stored)
{
    const recall_queue *self = s->of->queue;
    const recall_queue_config *config = &self->config;
    const pin_chunk *chunk = &wanted->pinned.chunk;
    LP_ASSERT(!s->is_busy);
    s->service = find_service(self, chunk);
    if (!may_store(self, &wanted->pinned, s->service)) {
        note(self, &wanted->pinned, PIN_OVER_BUDGET);
        free(s->service);
        return;
    }
    uint64_t packed = raw_tail_measure(config->raw, chunk->session_id, chunk->ordinal);
    s->job = (recall_job){.dir = config->sessions->dir,
        .blobs = config->blobs,
        .policies = s->policies,
        .rules = config->policy,
        .run = config->run,
        .pinned = wanted->pinned,
        .traces = wanted->traces,
        .before_edition = stored->number};
    s->work = (side_work_job){.on_thread = run, .on_done = on_done, .arg = s};
    s->memory = (memory_room_user){.bytes = CHUNK_TASK_BYTES_LEAST + BYTES_PER_PACKED * packed,
        .rank = MEMORY_ROOM_WIDE,
        .on_room = on_room,
        .arg = s};
    s->before_bytes = stored->bytes;
    s->is_busy = true;
    wanted->traces = (rollup_hashes){0};
    blobs_reader_begin(&s->reader, config->blobs, chunk->session_id);
    memory_room_ask(config->memory, &s->memory);
}

static bool
take_pin(const recall_queue *self, wish *out_wish)
{
    *out_wish = (wish){0};
    return pins_take(self->config.pins, &out_wish->pinned);
}

static bool
take_traces(const recall_queue *self, wish *out_wish)
{
    trace_work found;
    LP_REQUIRE(trace_keep_take(self->config.traces, &found), false);
    LP_ASSERT(found.traces.count > 0);
    *out_wish = (wish){.pinned.chunk = found.chunk, .traces = found.traces};
    return true;
}

// is_in_work returns whether a lane works on a chunk.
static bool
is_in_work(const lane *of, const pin_chunk *chunk)
{
    return LP_ANY(of->slots, of->slot_count,
        at->is_busy && at->job.pinned.chunk.ordinal == chunk->ordinal &&
            strcmp(at->job.pinned.chunk.session_id, chunk->session_id) == 0);
}

// take takes the next wish of a lane. If its chunk is in work, the lane holds it until that ends.
static bool
take(lane *of, wish *out_wish)
{
    const recall_queue *self = of->queue;
    LP_REQUIRE(of->has_held || of->take(self, &of->held), false);
    LP_ASSERT((of->held.pinned.pin_id == 0) == (of->held.traces.count > 0));
    of->has_held = is_in_work(&self->pins, &of->held.pinned.chunk) ||
                   is_in_work(&self->traces, &of->held.pinned.chunk);
    LP_REQUIRE(!of->has_held, false);
    *out_wish = of->held;
    return true;
}

static void
begin_next(lane *of)
{
    recall_queue *self = of->queue;
    wish next;
    slot *s;
    queue_check(self);
    LP_ASSERT(of == &self->pins || of == &self->traces);
    for (size_t i = 0;
         i < LOOKS_MAX && !self->is_stopping &&
         (s = LP_FIND(of->slots, of->slot_count, !at->is_busy)) != NULL && take(of, &next);
         i++) {
        stored_edition stored = {0};
        pin_outcome outcome;
        if (look(self, &next.pinned.chunk, &stored, &outcome)) {
            begin(s, &next, &stored);
        } else {
            note(self, &next.pinned, outcome);
        }
        LP_VEC_FINI(&next.traces);
    }
}

void
recall_queue_tick(recall_queue *self, int64_t now_wall_ns)
{
    queue_check(self);
    begin_next(&self->pins);
    begin_next(&self->traces);
    pins_forget(self->config.pins, now_wall_ns);
}

// --- Life

recall_queue *
recall_queue_create(const recall_queue_config *config)
{
    recall_queue *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->config = *config;
        self->pins = (lane){.queue = self, .take = take_pin};
        self->traces = (lane){.queue = self, .take = take_traces};
        queue_check(self);
    }
    return self;
}

static lp_err
open_lane(lane *of, const char *name, workers_priority priority, size_t slot_count)
{
    LP_ASSERT(of->slot_count == 0 && slot_count <= RECALL_PINS_AT_ONCE);
    LP_TRY(side_work_create(of->queue->config.loop, name, priority, slot_count, &of->threads));
    for (size_t i = 0; i < slot_count; i++) {
        of->slots[i] = (slot){.of = of, .policies = policy_cache_create(POLICY_BYTES_MAX)};
        of->slot_count = i + 1;
        LP_REQUIRE(of->slots[i].policies != NULL, LP_ENOMEM);
    }
    return LP_OK;
}

lp_err
recall_queue_open(recall_queue *self)
{
    LP_TRY(open_lane(&self->pins, "loupe-pin", WORKERS_BEHIND, RECALL_PINS_AT_ONCE));
    return open_lane(&self->traces, "loupe-trace", WORKERS_LOW, 1);
}

void
recall_queue_stop(recall_queue *self)
{
    if (self != NULL) {
        self->is_stopping = true;
        side_work_stop(self->pins.threads);
        side_work_stop(self->traces.threads);
    }
}

static void
close_lane(lane *of)
{
    for (size_t i = 0; i < of->slot_count; i++) {
        LP_ASSERT(!of->slots[i].is_busy);
        policy_cache_destroy(of->slots[i].policies);
    }
    if (of->has_held) {
        LP_VEC_FINI(&of->held.traces);
    }
    side_work_destroy(of->threads);
}

void
recall_queue_destroy(recall_queue *self)
{
    if (self != NULL) {
        close_lane(&self->pins);
        close_lane(&self->traces);
        free(self);
    }
}
