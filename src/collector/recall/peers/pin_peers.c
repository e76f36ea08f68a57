// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/peers/pin_peers.h"

#include "collector/base/metrics.h"
#include "collector/client/client_http.h"
#include "collector/recall/raw/pin_find.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "common/base/lp_time_scale.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_OK = 200 };

typedef struct peer {
    char id[CATALOG_NODE_ID_CHARS + 1];
    char name[CATALOG_NODE_NAME_BYTES_MAX + 1];
    bool is_there; // it answered the last time
    recall_news news;
} peer;

// A collector to ask.
typedef struct target {
    char id[CATALOG_NODE_ID_CHARS + 1];
    char name[CATALOG_NODE_NAME_BYTES_MAX + 1];
    char url[CATALOG_NODE_URL_BYTES_MAX + 1];
    char key[CATALOG_NODE_KEY_CHARS + 1];
    int64_t left_ms;
} target;

typedef LP_VEC(target) targets;

struct pin_peers {
    pin_peers_config config;
    char node[CATALOG_NODE_ID_CHARS + 1];
    client_http *http;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_stopping; // orders nothing: client_http_interrupt wakes the thread
    targets targets;         // the thread's
    unsigned round;          // the same
    bool has_targets;        // the same: they are known
    pthread_mutex_t mutex;   // guards the rest
    LP_VEC(peer) peers;
    bool has_looked; // all running collectors are among peers
};

pin_peers *
pin_peers_create(const pin_peers_config *config)
{
    pin_peers *self = calloc(1, sizeof(*self));
    client_http *http = self == NULL ? NULL : client_http_create();
    if (http == NULL) {
        free(self);
        return NULL;
    }
    self->config = *config;
    self->http = http;
    (void)snprintf(self->node, sizeof(self->node), "%s", config->node);
    self->config.node = self->node;
    (void)pthread_mutex_init(&self->mutex, NULL);
    return self;
}

void
pin_peers_destroy(pin_peers *self)
{
    if (self != NULL) {
        LP_ASSERT(!self->has_thread);
        LP_VEC_FINI_EACH(&self->peers, recall_news_fini(&at->news));
        client_http_destroy(self->http);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

// peers_check is called with the mutex.
static void
peers_check(const pin_peers *self)
{
    LP_ASSERT(self->peers.count <= PIN_PEERS_NODES_MAX);
    LP_ASSERT(self->config.pins != NULL && self->config.raw != NULL && self->config.ids != NULL);
}

// --- What a collector said

static peer *
find_peer(pin_peers *self, const char *id)
{
    return LP_FIND(self->peers.items, self->peers.count, strcmp(at->id, id) == 0);
}

// find_or_add_peer returns NULL if there is no room.
static peer *
find_or_add_peer(pin_peers *self, const catalog_node *of)
{
    peer *found = find_peer(self, of->id);
    if (found == NULL && self->peers.count < PIN_PEERS_NODES_MAX) {
        found = LP_VEC_PUSH(&self->peers);
    }
    if (found != NULL) {
        (void)snprintf(found->id, sizeof(found->id), "%s", of->id);
        (void)snprintf(found->name, sizeof(found->name), "%s", of->name);
    }
    return found;
}

// is_young returns whether copies of a pin are made.
static bool
is_young(const pin *of, int64_t now_wall_ns)
{
    int64_t last_ns = of->made_wall_ns > of->to_wall_ns ? of->made_wall_ns : of->to_wall_ns;
    return !of->is_settled &&
           now_wall_ns <= lp_time_add(last_ns, PINS_SETTLED_S * INT64_C(1000000000));
}

// copy makes a copy of a pin.
static void
copy(pin_peers *self, const pin *of)
{
    pin now;
    bool is_new = false;
    pin asked = *of;
    asked.is_copy = true;
    asked.found = asked.stored = asked.waiting = asked.left_out = 0;
    memset(asked.outcomes, 0, sizeof(asked.outcomes));
    lp_err err = of->is_anytime ? pin_find_time(self->config.raw, &asked) : LP_OK;
    LP_THEN(err, pins_add(self->config.pins, &asked, &now, &is_new));
    if (err == LP_OK && is_new) {
        err = pin_find_fill_copy(self->config.raw, self->config.pins, &now);
    }
    metrics_add(METRICS_pins_copied, err == LP_OK && is_new);
    metrics_add(METRICS_pins_not_copied, err != LP_OK);
}

void
pin_peers_hear(pin_peers *self, const catalog_node *from, recall_news *news, int64_t now_wall_ns)
{
    for (size_t i = 0; news != NULL && i < news->pins.count; i++) {
        const pin *of = &news->pins.items[i];
        if (is_young(of, now_wall_ns) && !pins_has(self->config.pins, of)) {
            copy(self, of);
        }
    }
    if (news != NULL) {
        size_t left_out = trace_ids_hear(self->config.ids, news->ids.items, news->ids.count);
        metrics_add(METRICS_recall_trace_ids_left_out, left_out + news->missed);
        LP_VEC_FINI(&news->ids);
    }
    (void)pthread_mutex_lock(&self->mutex);
    peer *of = find_or_add_peer(self, from);
    peers_check(self);
    if (of != NULL) {
        of->is_there = news != NULL;
    }
    if (of != NULL && news != NULL) {
        recall_news_fini(&of->news);
        of->news = *news; // moves
        *news = (recall_news){0};
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (news != NULL) {
        recall_news_fini(news);
    }
}

// --- Asking

static trace_ids_mark
find_mark(pin_peers *self, const char *id)
{
    (void)pthread_mutex_lock(&self->mutex);
    const peer *of = find_peer(self, id);
    trace_ids_mark mark = of == NULL ? (trace_ids_mark){0} : of->news.mark;
    (void)pthread_mutex_unlock(&self->mutex);
    return mark;
}

// fetch asks a collector.
static lp_err
fetch(pin_peers *self, const target *to, recall_news *out, lp_problem *out_problem)
{
    const trace_ids_mark mark = find_mark(self, to->id);
    char url[CATALOG_NODE_URL_BYTES_MAX + 128];
    char key[CATALOG_NODE_KEY_CHARS + sizeof("Bearer ")];
    (void)snprintf(url, sizeof(url), "%s/internal/v1/recall?run=%" PRIu64 "&next=%" PRIu64, to->url,
        mark.run, mark.next);
    (void)snprintf(key, sizeof(key), "Bearer %s", to->key);
    const client_http_pair header = {"Authorization", key};
    const client_http_request request = {.method = "GET",
        .url = url,
        .headers = &header,
        .header_count = 1,
        .to_fd = -1,
        .deadline_mono_ms = client_http_now_ms() + PIN_PEERS_ANSWER_MS,
        .is_direct = true};
    client_http_answer answer = {0};
    lp_err err = client_http_ask(self->http, &request, &answer, out_problem);
    if (err == LP_OK && answer.status != STATUS_OK) {
        err = lp_problem_set(out_problem, LP_EIO, "it answers %u", answer.status);
    } else if (err == LP_OK) {
        err = recall_news_read(lp_buf_slice(&answer.body), out);
        err = err == LP_OK ? LP_OK
                           : lp_problem_set(out_problem, err, "its answer: %s", lp_err_reason(err));
    }
    lp_buf_fini(&answer.body);
    return err;
}

// note_failure logs the first failure after an answer.
static void
note_failure(pin_peers *self, const target *to, const char *why)
{
    (void)pthread_mutex_lock(&self->mutex);
    const peer *of = find_peer(self, to->id);
    bool is_first = of != NULL && of->is_there;
    (void)pthread_mutex_unlock(&self->mutex);
    metrics_add(METRICS_recall_peers_failed, 1);
    if (is_first) {
        lp_log(LP_LOG_WARN, "cannot ask collector %s about pins: %s; asking again", to->name, why);
    }
}

static void
ask(pin_peers *self, const target *to)
{
    recall_news news = {0};
    lp_problem problem = {.text = ""};
    const catalog_node from = {.id = to->id, .name = to->name};
    bool is_running = to->left_ms > 0;
    lp_err err = is_running ? fetch(self, to, &news, &problem) : LP_ECLOSED;
    if (is_running && err != LP_OK &&
        !atomic_load_explicit(&self->is_stopping, memory_order_relaxed)) {
        note_failure(self, to, problem.text);
    }
    pin_peers_hear(self, &from, err == LP_OK ? &news : NULL, lp_time_now());
}

typedef struct listing {
    const char *own;
    targets *to;
} listing;

static void
note_node(void *arg, const catalog_node *row)
{
    const listing *l = arg;
    LP_ASSERT(l->to->count <= PIN_PEERS_NODES_MAX);
    target made = {.left_ms = row->left_ms};
    bool is_other = strcmp(row->id, l->own) != 0;
    if (is_other && row->left_ms > -PIN_PEERS_FORGET_S * INT64_C(1000) &&
        l->to->count < PIN_PEERS_NODES_MAX) {
        (void)snprintf(made.id, sizeof(made.id), "%s", row->id);
        (void)snprintf(made.name, sizeof(made.name), "%s", row->name);
        (void)snprintf(made.url, sizeof(made.url), "%s", row->url);
        (void)snprintf(made.key, sizeof(made.key), "%s", row->key);
        (void)!LP_VEC_ADD(l->to, made); // without memory the next round asks it
    }
}

// forget forgets collectors that are not among those to ask.
static void
forget(pin_peers *self, const targets *to)
{
    (void)pthread_mutex_lock(&self->mutex);
    size_t kept = 0;
    for (size_t i = 0; i < self->peers.count; i++) {
        peer *of = &self->peers.items[i];
        const target *listed = LP_FIND(to->items, to->count, strcmp(at->id, of->id) == 0);
        if (listed != NULL) {
            self->peers.items[kept++] = *of;
        } else {
            recall_news_fini(&of->news);
        }
    }
    LP_ASSERT(kept <= self->peers.count);
    self->peers.count = kept;
    peers_check(self);
    (void)pthread_mutex_unlock(&self->mutex);
}

// find_targets lists the collectors to ask. If the catalog cannot be read, the earlier list stays.
static void
find_targets(pin_peers *self, catalog *from)
{
    targets found = {0};
    listing l = {self->node, &found};
    if (catalog_nodes_list(from, note_node, &l) == LP_OK) {
        LP_VEC_FINI(&self->targets);
        self->targets = found; // moves
        self->has_targets = true;
        forget(self, &self->targets);
    } else {
        LP_VEC_FINI(&found);
    }
}

// run_round asks all collectors once.
static void
run_round(pin_peers *self, catalog *from)
{
    if (self->round++ % PIN_PEERS_LIST_ROUNDS == 0) {
        find_targets(self, from);
    }
    for (size_t i = 0; i < self->targets.count; i++) {
        ask(self, &self->targets.items[i]);
    }
    (void)pthread_mutex_lock(&self->mutex);
    self->has_looked = self->has_targets;
    (void)pthread_mutex_unlock(&self->mutex);
}

static void *
run(void *arg)
{
    pin_peers *self = arg;
    catalog *from = NULL;
    lp_problem ignored;
    while (!atomic_load_explicit(&self->is_stopping, memory_order_relaxed)) {
        if (from == NULL &&
            catalog_open_reader(self->config.catalog_place, &from, &ignored) != LP_OK) {
            from = NULL; // the next round tries again
        }
        if (from != NULL) {
            run_round(self, from);
        }
        client_http_wait(self->http, lp_time_scale_ms(PIN_PEERS_MS));
    }
    catalog_close(from);
    LP_VEC_FINI(&self->targets);
    return NULL;
}

lp_err
pin_peers_start(pin_peers *self)
{
    LP_ASSERT(!self->has_thread);
    self->has_thread = pthread_create(&self->thread, NULL, run, self) == 0;
    LP_REQUIRE(self->has_thread, LP_ENOMEM);
    (void)pthread_setname_np(self->thread, "loupe-peers"); // a failure only loses the name
    return LP_OK;
}

void
pin_peers_stop(pin_peers *self)
{
    if (self != NULL && self->has_thread) {
        atomic_store_explicit(&self->is_stopping, true, memory_order_relaxed);
        client_http_interrupt(self->http, 0);
        (void)pthread_join(self->thread, NULL);
        self->has_thread = false;
    }
}

// --- What they have

json_t *
pin_peers_write(pin_peers *self, trace_ids_mark since)
{
    return recall_news_write(self->config.pins, self->config.raw, self->config.ids, since);
}

// add_of adds what a collector says of its copy.
static void
add_of(pin *to, const pin *from)
{
    to->waiting += from->waiting;
    to->left_out += from->left_out;
    to->found += from->found;
    to->stored = to->stored > from->stored ? to->stored : from->stored;
    for (size_t i = 0; i < PIN_OUTCOME_COUNT; i++) {
        to->outcomes[i] += from->outcomes[i];
    }
}

void
pin_peers_add(pin_peers *self, pin *of, int64_t now_wall_ns, pin_peers_view *view)
{
    int64_t unheard_ns = lp_time_add(of->made_wall_ns, PIN_PEERS_UNHEARD_S * INT64_C(1000000000));
    bool is_expected = is_young(of, now_wall_ns);
    (void)pthread_mutex_lock(&self->mutex);
    peers_check(self);
    bool is_known = self->has_looked || self->peers.count > 0; // whom to ask
    view->unasked = is_expected && !is_known;
    for (size_t i = 0; i < self->peers.count; i++) {
        const peer *by = &self->peers.items[i];
        const pin *its = LP_FIND(by->news.pins.items, by->news.pins.count,
            strcmp(at->key, of->key) == 0 && strcmp(at->service, of->service) == 0);
        bool is_asked = by->is_there && now_wall_ns <= unheard_ns;
        if (its != NULL) {
            add_of(of, its);
        } else if (is_expected && is_asked) {
            view->unasked++;
        }
        if (is_expected && !(by->is_there && its != NULL) && !is_asked) {
            view->on_away(view->arg, by->name);
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (view->unasked == 0 && of->stored > of->found) {
        of->outcomes[PIN_MISSING] += of->stored - of->found;
    }
}

void
pin_peers_each_service(pin_peers *self,
    void (*on_service)(void *arg, const raw_list_service *service),
    void (*on_away)(void *arg, const char *name), void *arg)
{
    LP_ASSERT(on_service != NULL && on_away != NULL);
    (void)pthread_mutex_lock(&self->mutex);
    peers_check(self);
    for (size_t i = 0; i < self->peers.count; i++) {
        const peer *by = &self->peers.items[i];
        for (size_t k = 0; k < by->news.services.count && by->is_there; k++) {
            on_service(arg, &by->news.services.items[k]);
        }
        if (!by->is_there) {
            on_away(arg, by->name);
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
}
