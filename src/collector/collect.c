// SPDX-License-Identifier: Apache-2.0

#include "collector/collect.h"

#include "collector/ask/ask_service.h"
#include "collector/base/chunk_feed.h"
#include "collector/base/metrics.h"
#include "collector/chunks/chunk_place.h"
#include "collector/client/client_http.h"
#include "collector/cluster/data_place.h"
#include "collector/http/http_server.h"
#include "collector/journal/data_dir.h"
#include "collector/mend/reconcile.h"
#include "collector/otlp/otlp_pusher.h"
#include "collector/recall/recall.h"
#include "collector/store/catalog/catalog_owners.h"
#include "collector/store/catalog/catalog_waits.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FINDINGS_LOGGED_MAX = 20 }; // of each kind; all are counted

struct collect {
    server *server;
    http_server *http;
    service_metrics *services;
    presence *presence;
    chunk_feed *feed;                         // NULL: nothing is sent by OTLP
    otlp_pusher *otlp;                        // the same
    ask_store asked;                          // of otlp
    char url[CATALOG_NODE_URL_BYTES_MAX + 1]; // see server_join
};

// The phase of this process's collector: a constant text.
static _Atomic(const char *) phase = "starting";

static void
enter(const char *next)
{
    atomic_store_explicit(&phase, next, memory_order_relaxed);
}

void
collect_describe(char *out_text, size_t text_bytes)
{
    const struct {
        uint64_t count;
        const char *one;
        const char *several;
    } works[] = {
        {metrics_get(METRICS_jobs_running), "compaction", "compactions"},
        {metrics_get(METRICS_asks_running), "question", "questions"},
        {metrics_get(METRICS_http_connections), "HTTP connection", "HTTP connections"},
        {catalog_waits_get().waiting, "call waits for the catalog", "calls wait for the catalog"},
        {client_http_count_running(), "request to the object store",
            "requests to the object store"},
    };
    size_t len = (size_t)snprintf(
        out_text, text_bytes, "%s", atomic_load_explicit(&phase, memory_order_relaxed));
    for (size_t i = 0; i < sizeof(works) / sizeof(works[0]) && len < text_bytes; i++) {
        if (works[i].count > 0) {
            len += (size_t)snprintf(out_text + len, text_bytes - len, "; %" PRIu64 " %s",
                works[i].count, works[i].count == 1 ? works[i].one : works[i].several);
        }
    }
}

// --- Mending

typedef struct mending {
    const server_config *config;
    uint64_t found[FINDING_COUNT];
} mending;

static bool
is_ending(void *arg)
{
    const server_config *config = ((const mending *)arg)->config;
    return config->is_ending != NULL && config->is_ending(config->arg);
}

static void
on_finding(void *arg, const finding *found)
{
    mending *m = arg;
    metrics_add(METRICS_findings_CATALOG_DAMAGED + (metrics_id)found->kind, 1);
    if (++m->found[found->kind] <= FINDINGS_LOGGED_MAX) {
        char text[FINDING_TEXT_BYTES];
        finding_format(found, text);
        lp_log(LP_LOG_WARN, "%s: %s", text,
            found->is_repaired ? finding_get_words(found->kind)->repair : "it is left as it is");
    }
}

static void
log_counts(const mending *m, const reconcile_counts *counts)
{
    for (finding_kind kind = 0; kind < FINDING_COUNT; kind++) {
        if (m->found[kind] > FINDINGS_LOGGED_MAX) {
            lp_log(LP_LOG_WARN, "%s: %" PRIu64 " times in all", finding_get_words(kind)->name,
                m->found[kind]);
        }
    }
    if (counts->statistics_unreadable > 0) {
        lp_log(LP_LOG_WARN, "%" PRIu64 " reads of rows of the damaged catalog failed",
            counts->statistics_unreadable);
    }
    if (counts->sessions_unsized > 0 || counts->is_catalog_unfinished) {
        lp_log(LP_LOG_INFO,
            "too much for a start: it skips the sizes of the chunks of %" PRIu64
            " recordings%s; `loupe fsck` checks all",
            counts->sessions_unsized,
            counts->is_catalog_unfinished ? " and a part of the catalog" : "");
    }
}

// is_compared returns whether a comparison saw all that it needs. Files that the disk does not
// return must be compared again.
static bool
is_compared(const reconcile_counts *counts)
{
    return counts->found[FINDING_CHUNK_UNREAD] == 0 &&
           counts->found[FINDING_DIRECTORY_UNREADABLE] == 0;
}

lp_err
collect_mend(const server_config *config, bool *out_is_compared, lp_problem *out_problem)
{
    data_dir *dir;
    *out_is_compared = false;
    LP_TRY(data_dir_open(config->data_dir, &dir, out_problem));
    lp_err err = chunk_place_check(dir, config->store, out_problem);
    LP_THEN(err, data_place_check_catalog(dir, config->catalog, out_problem));
    // Objects of a store are not compared, and a catalog in PostgreSQL is not rebuilt.
    if (err != LP_OK || config->store != NULL || config->catalog != NULL) {
        data_dir_close(dir);
        return err;
    }
    mending m = {.config = config};
    const reconcile_config how = {.dir = dir,
        .is_repairing = true,
        .is_ending = is_ending,
        .on_finding = on_finding,
        .arg = &m};
    reconcile_counts counts;
    err = reconcile_run(&how, &counts, out_problem);
    data_dir_close(dir);
    log_counts(&m, &counts);
    *out_is_compared = err == LP_OK && is_compared(&counts);
    if (err != LP_OK && err != LP_ECLOSED && err != LP_EVERSION && err != LP_ENOMEM) {
        lp_log(LP_LOG_ERROR, "%s", out_problem->text);
        return LP_OK; // the server reports what keeps it from starting
    }
    return err;
}

// --- Start and stop

static lp_err
start_http(collect *self, const collect_config *chosen, lp_problem *out_problem)
{
    LP_ASSERT(self->server != NULL && self->http == NULL);
    const recall *of = server_get_recall(self->server);
    const http_config config = {
        .address = chosen->http_address,
        .base_path = chosen->base_path,
        .has_forwarded_prefix = chosen->has_forwarded_prefix,
        .links = chosen->links,
        .is_local = chosen->server.is_local,
        .access = chosen->server.access,
        .audit = chosen->audit,
        .tls = chosen->server.tls,
        .catalog_path = server_get_catalog_place(self->server),
        .blobs = server_get_blobs(self->server),
        .ids = server_get_ids(self->server),
        .snapshots = {.request = server_request_snapshot,
            .cancel = server_cancel_snapshot,
            .arg = self->server},
        .policies = chosen->server.policies,
        .services = self->services,
        .uploads = chosen->uploads,
        .pins = recall_get_pins(of),
        .raw = recall_get_list(of),
        .recall_budget = recall_get_budget(of),
        .peers = recall_get_peers(of),
        .presence = self->presence,
        .is_shared = chosen->server.node != NULL,
        .readiness = {.check = server_check_ready, .arg = self->server},
        .large_bytes = (size_t)chosen->server.memory.question_block,
    };
    return http_server_start(&config, &self->http, out_problem);
}

// find_url sets the node's HTTP address: the configured one, or one with this machine's name.
static lp_err
find_url(collect *self, const collect_config *config, lp_problem *out_problem)
{
    LP_ASSERT(self->http != NULL);
    char host[HOST_NAME_MAX + 1] = "";
    const char *scheme = config->server.tls == NULL ? "http" : "https";
    if (config->node_url == NULL && gethostname(host, sizeof(host)) != 0) {
        return lp_problem_set(
            out_problem, LP_EIO, "cannot read this machine's name; pass --node-url");
    }
    int size = config->node_url != NULL
                   ? snprintf(self->url, sizeof(self->url), "%s", config->node_url)
                   : snprintf(self->url, sizeof(self->url), "%s://%s:%u", scheme, host,
                         http_server_get_port(self->http));
    return size < (int)sizeof(self->url)
               ? LP_OK
               : lp_problem_set(out_problem, LP_ELIMIT, "--node-url is longer than %d bytes",
                     CATALOG_NODE_URL_BYTES_MAX);
}

static lp_err
start_otlp(collect *self, const collect_config *config)
{
    LP_ASSERT(self->feed != NULL && self->otlp == NULL);
    self->asked = (ask_store){.answer_ns_max = ASK_ANSWER_S_MAX * (int64_t)1000000000,
        .catalog_path = server_get_catalog_place(self->server),
        .blobs = server_get_blobs(self->server),
        .large_bytes = (size_t)config->server.memory.question_block};
    const otlp_pusher_config otlp = {.target = config->otlp,
        .interval_ms = config->otlp_interval_ms,
        .collector = self->url,
        .services = self->services,
        .feed = self->feed,
        .store = &self->asked};
    return otlp_pusher_start(&otlp, &self->otlp);
}

static lp_err
start(collect *self, const collect_config *config, lp_problem *out_problem)
{
    LP_ASSERT(self->server == NULL && self->http == NULL);
    self->services = service_metrics_create();
    self->presence = presence_create();
    self->feed = config->otlp == NULL ? NULL : chunk_feed_create();
    if (self->services == NULL || self->presence == NULL ||
        (config->otlp != NULL && self->feed == NULL)) {
        return lp_problem_set(out_problem, LP_ENOMEM, "out of memory");
    }
    server_config chosen = config->server;
    chosen.services = self->services;
    chosen.presence = self->presence;
    chosen.feed = self->feed;
    // Agents come last: if HTTP cannot get its address, no agent has lost its session to this
    // start.
    lp_err err;
    if ((err = collect_mend(&chosen, &chosen.is_compared, out_problem)) != LP_OK ||
        (err = server_create(&chosen, &self->server, out_problem)) != LP_OK ||
        (err = start_http(self, config, out_problem)) != LP_OK ||
        (err = find_url(self, config, out_problem)) != LP_OK ||
        (err = server_join(self->server, self->url, out_problem)) != LP_OK) {
        return err;
    }
    http_server_set_node_key(self->http, server_get_node_key(self->server));
    if ((err = server_start(self->server, out_problem)) != LP_OK) {
        return err;
    }
    err = http_server_set_agents(self->http, server_get_agents_url(self->server));
    LP_THEN(err, config->otlp != NULL ? start_otlp(self, config) : LP_OK);
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "out of memory");
}

lp_err
collect_start(const collect_config *config, collect **out_collect, lp_problem *out_problem)
{
    enter("starting");
    collect *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_err err = start(self, config, out_problem);
    if (err != LP_OK) {
        collect_stop(self);
        return err;
    }
    http_server_set_ready(self->http, true);
    enter("serving");
    *out_collect = self;
    return LP_OK;
}

const char *
collect_get_agents_url(const collect *self)
{
    LP_ASSERT(self->server != NULL);
    return server_get_agents_url(self->server);
}

uint16_t
collect_get_http_port(const collect *self)
{
    LP_ASSERT(self->http != NULL);
    return http_server_get_port(self->http);
}

const char *
collect_get_catalog_place(const collect *self)
{
    return server_get_catalog_place(self->server);
}

void
collect_stop(collect *self)
{
    if (self == NULL) {
        return;
    }
    if (self->http != NULL) {
        http_server_set_ready(self->http, false);
    }
    // HTTP outlives the server's loop, which answers the snapshots that HTTP waits for, but not the
    // blobs, which HTTP reads.
    enter("ending the loop, with agents and journals");
    if (self->server != NULL) {
        server_stop(self->server);
    }
    enter("sending the last chunks by OTLP");
    otlp_pusher_stop(self->otlp);
    enter("ending HTTP, with questions and downloads");
    http_server_stop(self->http);
    enter("closing the catalog and files");
    server_destroy(self->server);
    service_metrics_destroy(self->services);
    presence_destroy(self->presence);
    chunk_feed_destroy(self->feed);
    free(self);
}
