// SPDX-License-Identifier: Apache-2.0

#include "collector/ask/ask_service.h"

#include "collector/ask/work/ask_answer.h"
#include "collector/ask/work/ask_cancel.h"
#include "collector/ask/work/ask_work.h"
#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/store/catalog/catalog.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_large.h"
#include "common/base/lp_log.h"

#include <stdlib.h>
#include <string.h>

struct ask_service {
    ask_store store;
    char *catalog_path; // the store's
    workers *workers;   // for all but narrow questions
    workers *narrow;
    ask_files files;
};

typedef struct asked {
    ask_service *service;
    ask_query *query;
    ask_client client;
} asked;

// fail makes an answer an error, and sets its problem if it has none.
static void
fail(const ask_query *query, ask_answer *answer, lp_err err)
{
    LP_ASSERT(err != LP_OK);
    answer->err = err;
    lp_buf_fini(&answer->body);
    metrics_add(err == LP_ECLOSED ? METRICS_asks_cancelled : METRICS_asks_failed, 1);
    if (err == LP_ECLOSED) {
        (void)lp_problem_set(&answer->problem, err, "the collector is stopping: try again later");
    } else if (answer->problem.text[0] == '\0') {
        lp_log(LP_LOG_ERROR, "cannot answer %s: %s", query->route->path, lp_err_text(err));
        (void)lp_problem_set(&answer->problem, err, "cannot answer: %s",
            err == LP_EAGAIN ? "the catalog does not answer: try again later" : lp_err_text(err));
        answer->err = err == LP_ECORRUPT ? LP_EIO : err; // LP_ECORRUPT means a bad question
    }
}

static void
answer_query(const asked *a, const atomic_bool *is_stopping, ask_answer *answer)
{
    LP_ASSERT(a->query->route != NULL && a->client.is_gone != NULL);
    ask_cancel cancel = {
        .is_stopping = is_stopping, .is_gone = a->client.is_gone, .arg = a->client.arg};
    ask_work work = {0};
    lp_err err = LP_ECLOSED;
    ask_cancel_begin(&cancel, a->service->store.answer_ns_max);
    if (!ask_cancel_look(&cancel)) { // it may have waited long
        const ask_route *route = a->query->route;
        err = route->prepare == NULL ? LP_OK : route->prepare(a->query->own, &answer->problem);
        LP_THEN(
            err, ask_work_open(&work, &a->service->store, &a->service->files, a->query, &cancel));
        LP_THEN(err, a->query->route->answer(&work, answer));
        ask_work_close(&work);
    }
    if (err == LP_ECLOSED && cancel.is_late) {
        err = lp_problem_set(&answer->problem, LP_ELIMIT,
            "answering takes longer than %d s: ask for less", ASK_ANSWER_S_MAX);
    }
    if (err == LP_OK) {
        if (a->client.reads_gzip) {
            ask_answer_compress(answer);
        }
        metrics_add(METRICS_asks_answered, 1);
    } else {
        fail(a->query, answer, err);
    }
}

static void
run(void *arg, const atomic_bool *is_stopping)
{
    asked *a = arg;
    metrics_sub(METRICS_asks_waiting, 1);
    metrics_add(METRICS_asks_running, 1);
    ask_answer *answer = calloc(1, sizeof(*answer));
    lp_large_begin(blobs_get_directory(a->service->store.blobs), a->service->store.large_bytes);
    if (answer != NULL) {
        answer_query(a, is_stopping, answer);
    }
    lp_large_end();
    metrics_sub(METRICS_asks_running, 1);
    a->client.on_answer(a->client.arg, answer);
    ask_query_destroy(a->query);
    free(a);
}

static void
refuse(ask_client client)
{
    ask_answer *answer = calloc(1, sizeof(*answer));
    if (answer != NULL) {
        metrics_add(METRICS_asks_refused, 1);
        answer->err = lp_problem_set(&answer->problem, LP_EAGAIN,
            "too many questions: %d are being answered and %d wait; try again later",
            ASK_WORKERS_MAX, ASK_WAITING_MAX);
    }
    client.on_answer(client.arg, answer);
}

lp_err
ask_service_start(const ask_store *store, ask_service **out_service)
{
    ask_service *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->store = *store;
    self->catalog_path = strdup(store->catalog_path);
    self->store.catalog_path = self->catalog_path;
    lp_err err = self->catalog_path == NULL ? LP_ENOMEM
                                            : workers_start("loupe-ask", WORKERS_LOW,
                                                  ASK_WORKERS_MAX, ASK_WAITING_MAX, &self->workers);
    LP_THEN(err, workers_start("loupe-ask-one", WORKERS_NORMAL, ASK_WORKERS_MAX, ASK_WAITING_MAX,
                     &self->narrow));
    if (err != LP_OK) {
        ask_service_stop(self);
        return err;
    }
    *out_service = self;
    return LP_OK;
}

static bool
is_of_one(const query_selection *selection)
{
    return selection->recording != NULL || selection->instance != NULL;
}

// is_narrow returns whether a question is of the catalog alone or of one JVM or recording.
static bool
is_narrow(const ask_query *query)
{
    const query_comparison *of = &query->asked;
    return (query->route->is_of_catalog && !query->wants_pending) ||
           (is_of_one(&of->selection) && (!of->has_base || is_of_one(&of->base)));
}

void
ask_service_ask(ask_service *self, ask_query *query, ask_client client)
{
    LP_ASSERT(self->workers != NULL && self->narrow != NULL);
    LP_ASSERT(query->route != NULL && client.on_answer != NULL && client.is_gone != NULL);
    asked *a = malloc(sizeof(*a));
    if (a == NULL) {
        ask_query_destroy(query);
        client.on_answer(client.arg, NULL);
        return;
    }
    *a = (asked){.service = self, .query = query, .client = client};
    metrics_add(METRICS_asks_waiting, 1);
    if (workers_push(is_narrow(query) ? self->narrow : self->workers, run, a) != LP_OK) {
        metrics_sub(METRICS_asks_waiting, 1);
        ask_query_destroy(query);
        free(a);
        refuse(client);
    }
}

void
ask_service_stop(ask_service *self)
{
    if (self != NULL) {
        workers_stop(self->workers);
        workers_stop(self->narrow);
        free(self->catalog_path);
        free(self);
    }
}

// --- Without a collector

static bool
is_never_gone(void *arg)
{
    (void)arg;
    return false;
}

// check_catalog checks whether the catalog can be read. Routes do not tell HTTP clients why not.
static lp_err
check_catalog(const char *path, lp_problem *out_problem)
{
    LP_ASSERT(path != NULL);
    catalog *there = NULL;
    lp_err err = catalog_open_reader(path, &there, out_problem);
    catalog_close(there);
    return err;
}

// explain sets the problem of an answer that failed. The path of a catalog that is no file may have
// a password.
static lp_err
explain(const char *catalog_path, lp_err err, const ask_answer *answer, lp_problem *out_problem)
{
    LP_ASSERT(err != LP_OK);
    *out_problem = answer->problem;
    return out_problem->text[0] != '\0'
               ? err
               : lp_problem_set(out_problem, err, "%s cannot be read: %s",
                     catalog_is_file(catalog_path) ? catalog_path : "the catalog",
                     lp_err_reason(err));
}

lp_err
ask_service_answer_offline(
    const char *catalog_path, ask_query *query, ask_answer **out_answer, lp_problem *out_problem)
{
    LP_ASSERT(query->route->is_of_catalog && !query->wants_pending);
    static const atomic_bool is_stopping = false;
    const ask_store store = {.catalog_path = catalog_path};
    ask_cancel cancel = {.is_stopping = &is_stopping, .is_gone = is_never_gone};
    ask_work work = {0};
    ask_answer *answer = calloc(1, sizeof(*answer));
    LP_REQUIRE(answer != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_err err = check_catalog(catalog_path, out_problem);
    if (err != LP_OK) {
        ask_answer_destroy(answer);
        return err;
    }
    ask_cancel_begin(&cancel, INT64_MAX / 2); // no deadline
    err = ask_work_open(&work, &store, NULL, query, &cancel);
    LP_THEN(err, query->route->answer(&work, answer));
    ask_work_close(&work);
    if (err != LP_OK) {
        err = explain(catalog_path, err, answer, out_problem);
        ask_answer_destroy(answer);
        return err;
    }
    *out_answer = answer;
    return LP_OK;
}
