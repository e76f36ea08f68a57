// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/remote_pending.h"

#include "collector/base/metrics.h"
#include "collector/base/pending_bytes.h"
#include "collector/client/client_http.h" // a client of HTTP
#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STATUS_OK = 200 };

struct remote_pending {
    client_http *http;
    blobs *files;
};

remote_pending *
remote_pending_create(blobs *files)
{
    remote_pending *self = calloc(1, sizeof(*self));
    client_http *http = self == NULL ? NULL : client_http_create();
    if (http == NULL) {
        free(self);
        return NULL;
    }
    *self = (remote_pending){.http = http, .files = files};
    return self;
}

void
remote_pending_destroy(remote_pending *self)
{
    if (self != NULL) {
        client_http_destroy(self->http);
        free(self);
    }
}

void
remote_pending_interrupt(remote_pending *self)
{
    if (self != NULL) {
        client_http_interrupt(self->http, 0);
    }
}

// ask appends the owner's answer to a file. *out_status is the answer's status.
static lp_err
ask(const remote_pending *self, const catalog_owner *owner, const char *session_id, bool is_wide,
    int to_fd, unsigned *out_status, lp_problem *out_problem)
{
    char url[CATALOG_NODE_URL_BYTES_MAX + CATALOG_ID_CHARS + 64];
    char key[CATALOG_NODE_KEY_CHARS + sizeof("Bearer ")];
    (void)snprintf(url, sizeof(url), "%s/internal/v1/pending/%s%s", owner->url, session_id,
        is_wide ? "/wide" : "");
    (void)snprintf(key, sizeof(key), "Bearer %s", owner->key);
    const client_http_pair header = {"Authorization", key};
    const client_http_request request = {.method = "GET",
        .url = url,
        .headers = &header,
        .header_count = 1,
        .to_fd = to_fd,
        .deadline_mono_ms = client_http_now_ms() + REMOTE_PENDING_MS_MAX,
        .slow_s_max = REMOTE_PENDING_QUIET_S_MAX,
        .is_direct = true};
    client_http_answer answer = {0};
    lp_err err = client_http_ask(self->http, &request, &answer, out_problem);
    *out_status = answer.status;
    lp_buf_fini(&answer.body);
    return err;
}

// read_answer makes a snapshot of the answer, and takes the file.
static lp_err
read_answer(int fd, unsigned status, snapshot **out_snapshot, lp_problem *out_problem)
{
    if (status == STATUS_OK) {
        lp_err err = pending_bytes_decode(fd, out_snapshot);
        return err == LP_OK
                   ? LP_OK
                   : lp_problem_set(out_problem, err, "its answer: %s", lp_err_reason(err));
    }
    (void)close(fd);
    return lp_problem_set(out_problem, LP_EIO, "it answers %u", status);
}

static lp_err
fetch(const remote_pending *self, const catalog_owner *owner, const char *session_id, bool is_wide,
    snapshot **out_snapshot, lp_problem *out_problem)
{
    int fd;
    unsigned status;
    lp_err err = blobs_spill(self->files, (lp_slice){NULL, 0}, &fd);
    LP_REQUIRE(
        err == LP_OK, lp_problem_set(out_problem, err, "no file for it: %s", lp_err_reason(err)));
    err = ask(self, owner, session_id, is_wide, fd, &status, out_problem);
    if (err != LP_OK) {
        (void)close(fd);
        return err;
    }
    return read_answer(fd, status, out_snapshot, out_problem);
}

snapshot *
remote_pending_fetch(
    remote_pending *self, const catalog_owner *owner, const char *session_id, bool is_wide)
{
    LP_ASSERT(self->http != NULL && self->files != NULL);
    snapshot *made = NULL;
    lp_problem problem;
    lp_err err = fetch(self, owner, session_id, is_wide, &made, &problem);
    metrics_add(METRICS_pending_fetched, err == LP_OK);
    if (err == LP_OK) {
        return made;
    }
    metrics_add(METRICS_pending_not_fetched, 1);
    lp_log(LP_LOG_WARN, "session %s: cannot fetch its unstored part from %s: %s", session_id,
        owner->url, problem.text);
    return snapshot_create(LP_EAGAIN);
}
