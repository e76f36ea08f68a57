// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/peers/pin_peers.h"

#include "collector/base/metrics.h"
#include "collector/client/client_http.h"
#include "collector/recall/pin/pin_json.h"
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
    pin_peers_news news;
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

// --- News of other collectors

void
pin_peers_news_fini(pin_peers_news *self)
{
    LP_VEC_FINI(&self->pins);
    LP_VEC_FINI_EACH(&self->services, free((char *)(uintptr_t)at->name));
    LP_VEC_FINI(&self->ids);
}

static lp_err
read_pins(json_t *items, pin_peers_news *out)
{
    for (size_t i = 0; i < json_array_size(items) && i < PINS_MAX; i++) {
        pin found;
        if (pin_json_read(json_array_get(items, i), &found)) {
            LP_TRY(LP_VEC_ADD(&out->pins, found));
        }
    }
    return LP_OK;
}

static lp_err
read_service(json_t *item, pin_peers_news *out)
{
    const char *name;
    json_t *from;
    json_t *dropped;
    json_int_t chunks;
    json_int_t bytes;
    if (json_unpack(item, "{s:s, s:o, s:I, s:I, s:o}", "name", &name, "from", &from, "chunks",
            &chunks, "bytes", &bytes, "dropped", &dropped) != 0 ||
        chunks < 0 || bytes < 0) {
        return LP_OK;
    }
    raw_list_service made = {.name = strdup(name),
        .from_wall_ns = json_is_integer(from) ? json_integer_value(from) : INT64_MAX,
        .chunks = (uint64_t)chunks,
        .bytes = (uint64_t)bytes};
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        json_int_t count = json_integer_value(json_array_get(dropped, i)); // 0: it is not there
        made.dropped[i] = count < 0 ? 0 : (uint64_t)count;
    }
    lp_err err = made.name == NULL ? LP_ENOMEM : LP_VEC_ADD(&out->services, made);
    if (err != LP_OK) {
        free((char *)(uintptr_t)made.name);
    }
    return err;
}

static lp_err
read_services(json_t *items, pin_peers_news *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < json_array_size(items) && i < RAW_LIST_SERVICES_MAX && err == LP_OK;
         i++) {
        err = read_service(json_array_get(items, i), out);
    }
    return err;
}

static lp_err
read_ids(json_t *of, pin_peers_news *out)
{
    json_int_t run;
    json_int_t next;
    json_int_t missed;
    json_t *hashes;
    if (json_unpack(of, "{s:I, s:I, s:I, s:o}", "run", &run, "next", &next, "missed", &missed,
            "hashes", &hashes) != 0 ||
        run < 0 || next < 0 || missed < 0) {
        return LP_ECORRUPT;
    }
    out->mark = (trace_ids_mark){(uint64_t)run, (uint64_t)next};
    out->missed = (uint64_t)missed;
    for (size_t i = 0; i < json_array_size(hashes) && i < TRACE_IDS_READ_MAX; i++) {
        uint64_t hash = (uint64_t)json_integer_value(json_array_get(hashes, i));
        LP_TRY(LP_VEC_ADD(&out->ids, hash));
    }
    return LP_OK;
}

lp_err
pin_peers_read(lp_slice text, pin_peers_news *out)
{
    pin_peers_news made = {.missed = 0};
    json_t *all = json_loadb((const char *)text.ptr, text.len, 0, NULL);
    lp_err err = json_is_object(all) ? LP_OK : LP_ECORRUPT;
    LP_THEN(err, read_pins(json_object_get(all, "pins"), &made));
    LP_THEN(err, read_services(json_object_get(all, "services"), &made));
    LP_THEN(err, read_ids(json_object_get(all, "ids"), &made));
    json_decref(all);
    LP_ASSERT(made.pins.count <= PINS_MAX && made.services.count <= RAW_LIST_SERVICES_MAX);
    LP_ASSERT(made.ids.count <= TRACE_IDS_READ_MAX);
    if (err != LP_OK) {
        pin_peers_news_fini(&made);
        return err;
    }
    *out = made;
    return LP_OK;
}

// --- Life

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
        LP_VEC_FINI_EACH(&self->peers, pin_peers_news_fini(&at->news));
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
pin_peers_hear(pin_peers *self, const catalog_node *from, pin_peers_news *news, int64_t now_wall_ns)
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
        pin_peers_news_fini(&of->news);
        of->news = *news; // moves
        *news = (pin_peers_news){0};
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (news != NULL) {
        pin_peers_news_fini(news);
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
fetch(pin_peers *self, const target *to, pin_peers_news *out, lp_problem *out_problem)
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
        err = pin_peers_read(lp_buf_slice(&answer.body), out);
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
    pin_peers_news news = {0};
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
            pin_peers_news_fini(&of->news);
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

// --- What this collector has

static void
add_pin(void *arg, const pin *of)
{
    json_t *item = pin_json_write(of);
    if (item != NULL) {
        (void)json_array_append_new(arg, item);
    }
}

// The services to tell.
typedef struct service_list {
    json_t *items;
    size_t left_bytes;
} service_list;

// measure returns the bytes of an item of a list in an answer, which is indented.
static size_t
measure(const json_t *item)
{
    enum { INDENT_BYTES = 64 }; // by which it is deeper there
    char ignored[1];
    return json_dumpb(item, ignored, sizeof(ignored), JSON_INDENT(2)) + INDENT_BYTES;
}

static void
add_service(void *arg, const raw_list_service *of)
{
    service_list *to = arg;
    json_t *dropped = json_array();
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        (void)json_array_append_new(dropped, json_integer((json_int_t)of->dropped[i]));
    }
    json_t *item = json_pack("{s:s, s:o, s:I, s:I, s:o}", "name", of->name, "from",
        of->from_wall_ns == INT64_MAX ? json_null() : json_integer(of->from_wall_ns), "chunks",
        (json_int_t)of->chunks, "bytes", (json_int_t)of->bytes, "dropped", dropped);
    size_t bytes = item == NULL ? SIZE_MAX : measure(item);
    if (bytes > to->left_bytes) {
        json_decref(item);
        metrics_add(METRICS_recall_services_untold, 1);
        return;
    }
    to->left_bytes -= bytes;
    (void)json_array_append_new(to->items, item);
}

// add_services adds the services for which the pins leave room.
static void
add_services(raw_list *raw, const json_t *all_pins, json_t *services)
{
    size_t bytes = 0;
    for (size_t i = 0; i < json_array_size(all_pins); i++) {
        bytes += measure(json_array_get(all_pins, i));
    }
    service_list list = {.items = services,
        .left_bytes = bytes < PIN_PEERS_NEWS_BYTES_MAX ? PIN_PEERS_NEWS_BYTES_MAX - bytes : 0};
    raw_list_each(raw, add_service, &list);
}

static json_t *
ids_json(trace_ids *ids, trace_ids_mark mark)
{
    uint64_t *room = malloc(TRACE_IDS_READ_MAX * sizeof(*room));
    LP_REQUIRE(room != NULL, NULL);
    size_t count;
    uint64_t missed = trace_ids_read(ids, &mark, room, &count);
    LP_ASSERT(count <= TRACE_IDS_READ_MAX);
    json_t *hashes = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(hashes, json_integer((json_int_t)room[i]));
    }
    free(room);
    return json_pack("{s:I, s:I, s:I, s:o}", "run", (json_int_t)mark.run, "next",
        (json_int_t)mark.next, "missed", (json_int_t)missed, "hashes", hashes);
}

json_t *
pin_peers_write(pin_peers *self, trace_ids_mark since)
{
    const pin_peers_config *of = &self->config;
    LP_ASSERT(of->pins != NULL && of->raw != NULL && of->ids != NULL);
    json_t *all_pins = json_array();
    json_t *services = json_array();
    if (all_pins != NULL && services != NULL) {
        pins_each(of->pins, add_pin, all_pins);
        add_services(of->raw, all_pins, services);
    }
    return json_pack(
        "{s:o, s:o, s:o}", "pins", all_pins, "services", services, "ids", ids_json(of->ids, since));
}

// --- What the others have

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
