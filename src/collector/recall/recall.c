// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/recall.h"

#include "collector/recall/edition/recall_queue.h"
#include "collector/recall/pin/pin_file.h"
#include "collector/recall/raw/pin_find.h"
#include "collector/recall/raw/raw_tail.h"
#include "collector/recall/raw_seal.h"
#include "collector/recall/rule/auto_pin.h"
#include "collector/recall/rule/idle_rules.h"
#include "collector/recall/rule/latency_watch.h"
#include "collector/recall/rule/trace_ids.h"
#include "collector/recall/rule/trace_keep.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <stdlib.h>

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
    raw_seal seal;
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

// bind_parts gives the parts to those that use several of them.
static void
bind_parts(recall *self)
{
    recall_check(self);
    self->rules_to = (auto_pin_to){.policies = self->config.policies,
        .pins = self->pins,
        .raw = self->list,
        .budget = self->budget};
    self->seal = (raw_seal){.raw = self->tail,
        .list = self->list,
        .pins = self->pins,
        .traces = self->traces,
        .watch = self->watch,
        .policies = self->config.policies,
        .run = lp_hash_number(lp_hash_seed(), (uint64_t)lp_time_now()) | 1};
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
    bind_parts(self);
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
        .run = self->seal.run,
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
        idle_rules_look(&self->idle_rules, self->config.policies, self->tail);
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
    LP_ASSERT(self->seal.run != 0);
    return (chunk_seal){.wants = raw_seal_wants,
        .write = raw_seal_write,
        .wants_traces = raw_seal_wants_traces,
        .arg = &self->seal};
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
