// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/recall.h"

#include "collector/base/metrics.h"
#include "collector/recall/edition/recall_queue.h"
#include "collector/recall/pin/pin_file.h"
#include "collector/recall/raw/pin_find.h"
#include "collector/recall/raw/raw_ids.h"
#include "collector/recall/raw/raw_tail.h"
#include "collector/recall/rule/auto_pin.h"
#include "collector/recall/rule/latency_watch.h"
#include "collector/recall/rule/trace_ids.h"
#include "collector/recall/rule/trace_keep.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <stdlib.h>
#include <string.h>

// Of the .keep files whose rules, `pin-when` or `trace whole`, do nothing because no raw data of
// the service is kept.
typedef struct idle_rules {
    uint64_t version; // of the files when they were looked at
    uint64_t count;   // of such files then
} idle_rules;

struct recall {
    recall_config config;
    raw_tail *tail;
    raw_list *list;
    pins *pins;
    trace_keep *traces;
    latency_watch *watch;
    recall_budget *budget;
    idle_rules idle_rules;
    auto_pin_to rules_to; // pins by rules
    uint64_t run;         // a number of this run of the collector, not 0, which records have
    // Of recall_open; NULL until then.
    recall_queue *queue;
    pin_file *file;
    trace_ids *ids;   // NULL: the catalog is not shared
    pin_peers *peers; // the same
    uv_loop_t *loop;  // has the timer
    uv_timer_t timer;
    bool is_stopped;
};

// recall_check asserts that all parts of recall_create are there. Any thread.
static void
recall_check(const recall *self)
{
    LP_ASSERT(self->tail != NULL && self->list != NULL && self->pins != NULL);
    LP_ASSERT(self->traces != NULL && self->watch != NULL && self->budget != NULL);
}

static void
check_open(const recall *self)
{
    recall_check(self);
    LP_ASSERT(self->loop != NULL && self->queue != NULL && self->file != NULL);
    LP_ASSERT((self->ids == NULL) == (self->peers == NULL));
}

static lp_err
fail_memory(lp_problem *out_problem)
{
    return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
}

static lp_err
explain(lp_err err, const char *what, lp_problem *out_problem)
{
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "%s: %s", what, lp_err_text(err));
}

// --- Create

static lp_err
create_tail(recall *self, lp_problem *out_problem)
{
    LP_ASSERT(self->list != NULL && self->tail == NULL);
    const raw_tail_config chosen = {
        .keep_ns = self->config.keep_ns,
        .age_ns = self->config.age_ns,
        .bytes_max = self->config.bytes_max,
        .policies = self->config.policies,
        .dir = self->config.dir,
        .catalog = self->config.catalog,
        .list = self->list,
    };
    return explain(raw_tail_open(&chosen, &self->tail), "cannot list the raw data", out_problem);
}

static int64_t
scale_ns(uint64_t seconds)
{
    return (int64_t)lp_time_scale_ms(seconds * 1000) * 1000000;
}

static lp_err
create_parts(recall *self, lp_problem *out_problem)
{
    const recall_config *config = &self->config;
    self->pins = pins_create();
    self->list = raw_list_create(RAW_LIST_FILTER_BYTES_MAX);
    self->traces = trace_keep_create(config->trace_wait_ns);
    self->budget = recall_budget_create();
    self->watch = latency_watch_create(
        config->policies, scale_ns(LATENCY_WATCH_MINUTE_S), scale_ns(LATENCY_WATCH_WAIT_S));
    LP_REQUIRE(self->pins != NULL && self->list != NULL && self->traces != NULL &&
                   self->budget != NULL && self->watch != NULL,
        fail_memory(out_problem));
    return create_tail(self, out_problem);
}

lp_err
recall_create(const recall_config *config, recall **out_recall, lp_problem *out_problem)
{
    LP_ASSERT(config->dir != NULL && config->catalog != NULL && config->catalog_place != NULL);
    recall *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, fail_memory(out_problem));
    self->config = *config;
    lp_err err = create_parts(self, out_problem);
    if (err != LP_OK) {
        recall_destroy(self);
        return err;
    }
    self->rules_to = (auto_pin_to){.policies = config->policies,
        .pins = self->pins,
        .raw = self->list,
        .budget = self->budget};
    self->run = lp_hash_number(lp_hash_seed(), (uint64_t)lp_time_now()) | 1;
    recall_check(self);
    *out_recall = self;
    return LP_OK;
}

// --- Open

static lp_err
open_queue(recall *self, const recall_host *host, lp_problem *out_problem)
{
    LP_ASSERT(self->queue == NULL && host->sessions != NULL && host->retention != NULL);
    const recall_queue_config chosen = {
        .loop = host->loop,
        .sessions = host->sessions,
        .blobs = host->blobs,
        .retention = host->retention,
        .memory = host->memory,
        .raw = self->tail,
        .pins = self->pins,
        .traces = self->traces,
        .budget = self->budget,
        .policies = self->config.policies,
        .ids = host->ids,
        .policy = host->policy,
        .run = self->run,
    };
    self->queue = recall_queue_create(&chosen);
    LP_REQUIRE(self->queue != NULL, fail_memory(out_problem));
    return explain(recall_queue_open(self->queue), "cannot start a thread", out_problem);
}

// find_chunks looks for the chunks of a pin of an earlier run.
static void
find_chunks(void *arg, const pin *of)
{
    const recall *self = arg;
    catalog *from = self->config.catalog;
    pin now = *of;
    if (pin_find_fill(from, self->list, catalog_is_shared(from), self->pins, &now) != LP_OK) {
        lp_log(LP_LOG_WARN, "pin %s: its chunks cannot be listed; it has only later ones", of->key);
    }
}

// open_pins continues the pins of earlier runs.
static lp_err
open_pins(recall *self, lp_problem *out_problem)
{
    LP_ASSERT(self->loop != NULL && self->file == NULL);
    const data_path path = data_dir_at(self->config.dir, DATA_DIR_PINS);
    lp_problem problem;
    lp_err err = pin_file_load(path.text, self->pins, find_chunks, self, &problem);
    LP_REQUIRE(err != LP_ENOMEM, fail_memory(out_problem));
    if (err != LP_OK) {
        lp_log(LP_LOG_WARN, "%s; the start forgets such pins", problem.text);
    }
    self->file = pin_file_create(self->loop, self->pins, path.text);
    return self->file == NULL ? fail_memory(out_problem) : LP_OK;
}

// open_peers prepares the exchange with the other collectors of the catalog.
static lp_err
open_peers(recall *self, lp_problem *out_problem)
{
    LP_ASSERT(self->peers == NULL && self->ids == NULL);
    if (!catalog_is_shared(self->config.catalog)) {
        return LP_OK;
    }
    self->ids = trace_ids_create();
    const pin_peers_config chosen = {.catalog_place = self->config.catalog_place,
        .node = catalog_get_node(self->config.catalog),
        .pins = self->pins,
        .raw = self->list,
        .ids = self->ids};
    LP_REQUIRE(self->ids != NULL, fail_memory(out_problem));
    trace_keep_share(self->traces, self->ids);
    self->peers = pin_peers_create(&chosen);
    return self->peers == NULL ? fail_memory(out_problem) : LP_OK;
}

lp_err
recall_open(recall *self, const recall_host *host, lp_problem *out_problem)
{
    recall_check(self);
    LP_ASSERT(self->loop == NULL && host->loop != NULL);
    (void)uv_timer_init(host->loop, &self->timer); // cannot fail
    self->timer.data = self;
    self->loop = host->loop;
    LP_TRY(open_queue(self, host, out_problem));
    LP_TRY(open_pins(self, out_problem));
    LP_TRY(open_peers(self, out_problem));
    check_open(self);
    return LP_OK;
}

// --- Run

typedef struct looking {
    const raw_tail *raw;
    uint64_t count;
} looking;

static void
on_keep(void *arg, const char *path, const policy_keep *keep)
{
    looking *l = arg;
    bool has_rule = (keep->pin_when & ~(unsigned)POLICY_KEEP_PIN_NONE) != 0 ||
                    keep->trace == POLICY_KEEP_TRACE_WHOLE;
    if (has_rule && !raw_tail_wants_by(l->raw, keep)) {
        l->count++;
        lp_log(LP_LOG_WARN,
            "policy %s: pin-when and trace do nothing: no raw data is kept; start the collector "
            "with --recall 15m, or add a line 'recall 15m'",
            path);
    }
}

// look_for_idle_rules logs and counts them if the files have changed.
static void
look_for_idle_rules(const raw_tail *raw, policy_dir *policies, idle_rules *known)
{
    LP_ASSERT(policies != NULL && raw != NULL);
    uint64_t version = policy_dir_get_keep_version(policies);
    if (version == known->version) {
        return;
    }
    looking l = {.raw = raw};
    policy_dir_each_keep(policies, on_keep, &l);
    metrics_add(METRICS_recall_rules_idle, l.count);
    metrics_sub(METRICS_recall_rules_idle, known->count);
    *known = (idle_rules){.version = version, .count = l.count};
}

static void
on_slow(void *arg, const latency_finding *found)
{
    const recall *self = arg;
    recall_check(self);
    auto_pin_slow(&self->rules_to, found);
}

// is_idle returns whether no raw data is there or can come, and nobody tells of pins or traces.
static bool
is_idle(const recall *self)
{
    recall_check(self);
    return self->config.keep_ns == 0 && self->config.policies == NULL && self->peers == NULL &&
           raw_tail_get_bytes(self->tail) == 0;
}

static void
on_timer(uv_timer_t *timer)
{
    recall *self = timer->data;
    check_open(self);
    LP_ASSERT(!self->is_stopped);
    const int64_t now_wall_ns = lp_time_now();
    if (self->config.policies != NULL) {
        look_for_idle_rules(self->tail, self->config.policies, &self->idle_rules);
    }
    raw_tail_tick(self->tail, now_wall_ns);
    trace_keep_tick(self->traces, lp_time_mono_ns());
    latency_watch_tick(self->watch, now_wall_ns, on_slow, self);
    recall_queue_tick(self->queue, now_wall_ns);
    pin_file_tick(self->file);
    (void)uv_timer_start(
        timer, on_timer, lp_time_scale_ms(is_idle(self) ? RECALL_IDLE_MS : RECALL_TICK_MS), 0);
}

lp_err
recall_start(recall *self, lp_problem *out_problem)
{
    check_open(self);
    LP_ASSERT(!self->is_stopped);
    (void)uv_timer_start(&self->timer, on_timer, 0, 0); // cannot fail with a callback
    LP_REQUIRE(self->peers == NULL || pin_peers_start(self->peers) == LP_OK,
        lp_problem_set(out_problem, LP_ENOMEM, "cannot start a thread"));
    return LP_OK;
}

// --- Stop

void
recall_stop_peers(recall *self)
{
    if (self != NULL) {
        recall_check(self);
        pin_peers_stop(self->peers);
    }
}

void
recall_stop(recall *self)
{
    if (self == NULL || self->loop == NULL) {
        return;
    }
    LP_ASSERT(!self->is_stopped);
    self->is_stopped = true;
    recall_queue_stop(self->queue);
    uv_close((uv_handle_t *)&self->timer, NULL);
}

void
recall_destroy(recall *self)
{
    if (self == NULL) {
        return;
    }
    LP_ASSERT(self->loop == NULL || self->is_stopped);
    recall_queue_destroy(self->queue);
    pin_file_destroy(self->file);
    pin_peers_destroy(self->peers);
    pins_destroy(self->pins);
    raw_tail_close(self->tail);
    raw_list_destroy(self->list);
    trace_keep_destroy(self->traces);
    latency_watch_destroy(self->watch);
    recall_budget_destroy(self->budget);
    trace_ids_destroy(self->ids);
    free(self);
}

// --- The seal: how a chunk was compacted, in its journal

// A message, with the parts that it points to.
typedef struct sealed_message {
    Loupe__Wire__Sealed message;
    Loupe__Wire__Sealed__Part parts[SESSION_CHUNKS_MAX];
    Loupe__Wire__Sealed__Part *pointers[SESSION_CHUNKS_MAX];
} sealed_message;

static ProtobufCBinaryData
data_of(lp_slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)(uintptr_t)bytes.ptr};
}

static void
fill_part(const assembly_part *from, Loupe__Wire__Sealed__Part *to)
{
    loupe__wire__sealed__part__init(to);
    to->chunk = from->ordinal;
    to->end_bytes = from->end_bytes;
    to->has_jfr = from->has_jfr;
    to->is_damaged = from->is_damaged;
    to->owns_gap = from->owns_gap;
    to->gap_begin = from->gap_before.begin;
    to->gap_end = from->gap_before.end;
    to->due = data_of(lp_ranges_bytes(&from->due));
    to->ignored_from = from->ignored_from;
    to->inode = journal_find_inode(from->journal);
}

// fill makes the message, which borrows the task.
static void
fill(const chunk_task *task, const chunk_task_output *output, uint64_t run, sealed_message *out)
{
    LP_ASSERT(task->part_count <= SESSION_CHUNKS_MAX);
    loupe__wire__sealed__init(&out->message);
    out->message.run = run;
    out->message.events = output->stats.events_out;
    out->message.contexts = output->stats.contexts_out;
    out->message.bytes = output->stats.bytes_out;
    for (size_t i = 0; i < task->part_count; i++) {
        fill_part(&task->parts[i], &out->parts[i]);
        out->pointers[i] = &out->parts[i];
    }
    out->message.content_hash = output->stored.content_hash;
    out->message.carry = data_of(lp_buf_slice(&task->carry_in));
    out->message.n_parts = task->part_count;
    out->message.parts = out->pointers;
    out->message.has_ended = task->has_ended;
    out->message.context_hold_ns = task->context_hold_ns;
    out->message.n_losses = CATALOG_LOSS_COUNT;
    out->message.losses = (uint64_t *)(uintptr_t)task->untold; // protobuf-c has no const
    out->message.end_message = (char *)(uintptr_t)task->end_message;
    if (task->own_source != NULL) {
        out->message.own_source = task->own_source;
    }
}

static lp_err
append(const chunk_commit *commit, uint64_t run, lp_slice ids)
{
    const chunk_task *task = commit->task;
    size_t end = chunk_task_unit_end(task, 0);
    LP_ASSERT(end == commit->output->part_count && task->parts[end - 1].has_jfr);
    LP_ASSERT(task->parts[end - 1].ordinal == commit->chunk.ordinal);
    sealed_message sealed;
    fill(task, commit->output, run, &sealed);
    sealed.message.ids = data_of(ids);
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_SEALED;
    request.sealed = &sealed.message;
    LP_REQUIRE(
        loupe__wire__request__get_packed_size(&request) <= WIRE_MESSAGE_BYTES_MAX, LP_ELIMIT);
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&request.base, &packed);
    LP_THEN(err, journal_append(task->parts[end - 1].journal, lp_buf_slice(&packed)));
    lp_buf_fini(&packed);
    return err;
}

// seal_wants returns whether the raw data of the session's service is kept.
static bool
seal_wants(void *arg, const session *of)
{
    const recall *self = arg;
    recall_check(self);
    return of->standing == SESSION_OURS && raw_tail_wants(self->tail, of->row.service);
}

// seal_wants_traces returns whether any service wants whole traces.
static bool
seal_wants_traces(void *arg)
{
    const recall *self = arg;
    recall_check(self);
    return policy_dir_has_whole_traces(self->config.policies);
}

// expect_before adds the chunk before a new one to the pins of its traces, which may begin there.
static void
expect_before(const recall *self, const pin_stored *after)
{
    LP_ASSERT(!after->is_before);
    pin_stored before = *after;
    before.is_before = true;
    before.chunk.ordinal--;
    const raw_list_span span = raw_list_find_span(self->list, &before.chunk);
    before.start_wall_ns = span.from_wall_ns;
    before.end_wall_ns = span.to_wall_ns;
    if (after->chunk.ordinal > 0 && span.from_wall_ns <= span.to_wall_ns) {
        pins_expect(self->pins, &before);
    }
}

// seal_write appends the record to the journal with the chunk's JFR bytes, and tells the list, the
// pins, the watch and, if any service wants whole traces, trace_keep of the chunk. A failure is
// counted.
static void
seal_write(void *arg, const chunk_commit *commit)
{
    const recall *self = arg;
    const session *of = commit->session;
    recall_check(self);
    lp_buf ids = {0};
    if (raw_ids_make(&commit->output->ids, &ids) != LP_OK) {
        metrics_add(METRICS_recall_ids_dropped, 1);
        lp_buf_clear(&ids);
    }
    if (append(commit, self->run, lp_buf_slice(&ids)) != LP_OK) {
        metrics_add(METRICS_recall_unsealed, 1); // pins count the chunk as missing
    }
    const catalog_chunk *stored = &commit->chunk;
    pin_stored pinned = {.chunk.ordinal = stored->ordinal,
        .service = of->row.service,
        .start_wall_ns = stored->start_wall_ns,
        .end_wall_ns = pins_stored_end(stored->start_wall_ns, stored->duration_ns),
        .ids = &commit->output->ids};
    memcpy(pinned.chunk.session_id, of->row.id, sizeof(pinned.chunk.session_id));
    raw_list_add(self->list, &pinned, lp_buf_slice(&ids)); // before a pin can look for it
    lp_buf_fini(&ids);
    pins_expect(self->pins, &pinned);
    expect_before(self, &pinned);
    latency_watch_add(self->watch, of->row.service, &commit->output->contexts, lp_time_now());
    if (seal_wants_traces(arg)) {
        policy_keep keep = policy_dir_find_keep(self->config.policies, of->row.service);
        bool is_whole = keep.trace == POLICY_KEEP_TRACE_WHOLE;
        trace_keep_add(self->traces, &pinned, is_whole, lp_time_mono_ns());
    }
}

// --- What other parts of the server call

bool
recall_take(void *of, const char *session_id, const char *service, uint32_t ordinal)
{
    recall *self = of;
    recall_check(self);
    return raw_tail_take(self->tail, session_id, service, ordinal);
}

bool
recall_relieve(void *of)
{
    recall *self = of;
    recall_check(self);
    return raw_tail_relieve(self->tail);
}

chunk_seal
recall_get_seal(recall *self)
{
    LP_ASSERT(self->run != 0);
    return (chunk_seal){
        .wants = seal_wants, .write = seal_write, .wants_traces = seal_wants_traces, .arg = self};
}

void
recall_note_killed(const recall *self, const catalog_session *recording)
{
    check_open(self);
    auto_pin_crash(&self->rules_to, recording);
}

pins *
recall_get_pins(const recall *self)
{
    LP_ASSERT(self->pins != NULL);
    return self->pins;
}

raw_list *
recall_get_list(const recall *self)
{
    LP_ASSERT(self->list != NULL);
    return self->list;
}

recall_budget *
recall_get_budget(const recall *self)
{
    LP_ASSERT(self->budget != NULL);
    return self->budget;
}

pin_peers *
recall_get_peers(const recall *self)
{
    LP_ASSERT((self->ids == NULL) == (self->peers == NULL));
    return self->peers;
}
