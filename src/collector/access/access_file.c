// SPDX-License-Identifier: Apache-2.0
#include "collector/access/access_file.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "policy/policy_text.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The state of the file at one time.
typedef struct look {
    int error; // of stat; 0: none
    struct stat info;
} look;

struct access_file {
    char *path;
    bool asks_certs;
    look last;        // the previous look
    look used;        // when the content was read
    bool is_stale;    // the rules in force are older than the file
    lp_problem fault; // last logged; "": none since the rules in force were read
    pthread_mutex_t mutex;
    access_rules *rules;
    // Stored (release) after rules, loaded (acquire) before them.
    _Atomic uint64_t version;
};

static look
look_at(const char *path)
{
    look now = {0};
    if (stat(path, &now.info) != 0) {
        return (look){.error = errno};
    }
    return S_ISREG(now.info.st_mode) ? now : (look){.error = EINVAL}; // opening a pipe might block
}

static bool
is_same_time(struct timespec left, struct timespec right)
{
    return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec;
}

static bool
is_same(const look *left, const look *right)
{
    const struct stat *a = &left->info;
    const struct stat *b = &right->info;
    return left->error == right->error && a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && is_same_time(a->st_mtim, b->st_mtim) &&
           is_same_time(a->st_ctim, b->st_ctim);
}

static lp_err
read_rules(
    const access_file *self, const look *at, access_rules **out_rules, lp_problem *out_problem)
{
    LP_ASSERT(self->path != NULL);
    const char *path = self->path;
    LP_REQUIRE(at->error == 0, lp_problem_set(out_problem, LP_EIO, "%s: %s", path,
                                   at->error == EINVAL ? "not a file" : strerror(at->error)));
    lp_buf text = {0};
    lp_err err = policy_text_load(path, &text, out_problem);
    if (err == LP_OK) {
        err =
            access_rules_parse(path, lp_buf_slice(&text), self->asks_certs, out_rules, out_problem);
    }
    lp_buf_fini(&text);
    return err;
}

lp_err
access_file_open(
    const char *path, bool asks_certs, access_file **out_access, lp_problem *out_problem)
{
    access_file *self = calloc(1, sizeof(*self));
    char *copy = strdup(path);
    if (self == NULL || copy == NULL) {
        free(self);
        free(copy);
        return lp_problem_set(out_problem, LP_ENOMEM, "%s: out of memory", path);
    }
    self->path = copy;
    self->asks_certs = asks_certs;
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    atomic_init(&self->version, 1);
    self->used = self->last = look_at(path);
    lp_err err = read_rules(self, &self->used, &self->rules, out_problem);
    if (err != LP_OK) {
        access_file_close(self);
        return err;
    }
    LP_ASSERT(self->rules != NULL);
    *out_access = self;
    return LP_OK;
}

void
access_file_close(access_file *self)
{
    if (self != NULL) {
        metrics_sub(METRICS_tokens_stale, self->is_stale ? 1 : 0);
        access_rules_unref(self->rules);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self->path);
        free(self);
    }
}

static void
note_stale(access_file *self, bool is_stale)
{
    metrics_add(METRICS_tokens_stale, is_stale && !self->is_stale ? 1 : 0);
    metrics_sub(METRICS_tokens_stale, !is_stale && self->is_stale ? 1 : 0);
    self->is_stale = is_stale;
}

// log_fault logs why the file cannot be used, once.
static void
log_fault(access_file *self, const lp_problem *fault)
{
    LP_ASSERT(fault->text[0] != '\0');
    if (strcmp(self->fault.text, fault->text) != 0) {
        self->fault = *fault;
        lp_log(LP_LOG_ERROR, "tokens: %s; the earlier rules stay in force", fault->text);
    }
}

void
access_file_look(access_file *self)
{
    LP_ASSERT(self->rules != NULL);
    const look now = look_at(self->path);
    bool has_settled = is_same(&now, &self->last);
    self->last = now;
    if (!has_settled || is_same(&now, &self->used)) {
        return;
    }
    access_rules *rules = NULL;
    lp_problem problem;
    lp_err err = read_rules(self, &now, &rules, &problem);
    bool may_pass = err == LP_ENOMEM || (err == LP_EIO && now.error == 0); // the next look reads
    self->used = may_pass ? (look){.error = -1} : now;
    note_stale(self, err != LP_OK);
    if (err != LP_OK) {
        log_fault(self, &problem);
        return;
    }
    self->fault.text[0] = '\0';
    lp_log(LP_LOG_INFO, "tokens: %s: %zu rules", self->path, access_rules_count(rules));
    LP_ASSERT(rules != NULL && rules != self->rules);
    (void)pthread_mutex_lock(&self->mutex);
    access_rules *before = self->rules;
    self->rules = rules;
    (void)pthread_mutex_unlock(&self->mutex);
    atomic_fetch_add_explicit(&self->version, 1, memory_order_release);
    access_rules_unref(before);
}

access_rules *
access_file_get_rules(access_file *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    LP_ASSERT(self->rules != NULL);
    access_rules *rules = access_rules_ref(self->rules);
    (void)pthread_mutex_unlock(&self->mutex);
    return rules;
}

uint64_t
access_file_get_version(const access_file *self)
{
    LP_ASSERT(self->path != NULL);
    return atomic_load_explicit(&self->version, memory_order_acquire);
}
