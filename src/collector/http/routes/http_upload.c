// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_upload.h"

#include "collector/base/metrics.h"
#include "collector/base/workers.h"
#include "collector/http/wire/http_connection.h"
#include "collector/http/wire/http_cookie.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct http_uploads {
    const uploads *to;
    workers *workers;
    atomic_bool is_taken; // one upload's release pairs with the next one's acquire
};

struct http_upload {
    http_uploads *of;
    bool has_place; // in `of`
    bool is_counted;
    char *name;
    char path[PATH_MAX];
    int fd;
    int error; // of writing; 0: none
    uint64_t bytes;

    void (*on_shown)(void *arg);
    void *arg;
    // Written before on_shown.
    lp_err err;
    lp_problem problem;
    uploads_shown shown;
};

// --- The place.

lp_err
http_uploads_start(const uploads *to, http_uploads **out_uploads)
{
    http_uploads *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->to = to;
    lp_err err = workers_start("loupe-upload", WORKERS_NORMAL, 1, 1, &self->workers);
    if (err != LP_OK) {
        free(self);
        return err;
    }
    *out_uploads = self;
    return LP_OK;
}

void
http_uploads_stop(http_uploads *self)
{
    if (self != NULL) {
        workers_stop(self->workers);
        free(self);
    }
}

// leave deletes the file and frees its place.
static void
leave(http_upload *self)
{
    LP_ASSERT(!self->has_place || atomic_load_explicit(&self->of->is_taken, memory_order_relaxed));
    if (self->has_place) {
        self->has_place = false;
        (void)unlink(self->path);
        atomic_store_explicit(&self->of->is_taken, false, memory_order_release);
    }
}

// --- One file.

// create creates the file, in the taken place. NULL: errno says why.
static http_upload *
create(http_uploads *of, const char *name)
{
    http_upload *made = calloc(1, sizeof(*made));
    LP_REQUIRE(made != NULL, NULL);
    made->of = of;
    made->name = strdup(name);
    int length = snprintf(made->path, sizeof(made->path), "%s/upload-XXXXXX", of->to->directory);
    errno = made->name == NULL ? ENOMEM : ENAMETOOLONG;
    made->fd = made->name != NULL && length < (int)sizeof(made->path)
                   ? mkostemp(made->path, O_CLOEXEC)
                   : -1;
    if (made->fd < 0) {
        free(made->name);
        free(made);
        return NULL;
    }
    made->has_place = true;
    return made;
}

// begin takes the place. NULL: answer with *out_status and *out_fault.
static http_upload *
begin(http_uploads *of, const char *name, unsigned *out_status, const char **out_fault)
{
    LP_ASSERT(name[0] != '\0');
    if (atomic_exchange_explicit(&of->is_taken, true, memory_order_acquire)) {
        *out_status = MHD_HTTP_SERVICE_UNAVAILABLE;
        *out_fault = "another file is being read: try again later";
        return NULL;
    }
    http_upload *made = create(of, name);
    if (made == NULL) {
        *out_status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        *out_fault = strerror(errno);
        atomic_store_explicit(&of->is_taken, false, memory_order_release);
    }
    return made;
}

enum MHD_Result
http_upload_begin(const http_call *call, http_upload **out_upload)
{
    LP_ASSERT(call->upload == NULL);
    http_uploads *of = call->shared->uploads;
    struct MHD_Connection *connection = call->connection;
    unsigned status;
    const char *fault;
    const char *name = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name");
    if (of == NULL) {
        status = MHD_HTTP_NOT_FOUND;
        fault = "this collector takes no uploads: use `loupe open FILE`";
    } else if (http_connection_get_header(connection, HTTP_COOKIE_PAGE_HEADER) == NULL) {
        status = MHD_HTTP_FORBIDDEN;
        fault = "an upload needs a header " HTTP_COOKIE_PAGE_HEADER ", as the page sends it";
    } else if (name == NULL || name[0] == '\0') {
        status = MHD_HTTP_BAD_REQUEST;
        fault = "the parameter name is missing: the name of the file";
    } else {
        http_upload *made = begin(of, name, &status, &fault);
        if (made != NULL) {
            *out_upload = made;
            return MHD_YES;
        }
    }
    http_upload_refuse();
    return http_reply_last(connection, status, fault);
}

void
http_upload_refuse(void)
{
    metrics_add(METRICS_uploads_refused, 1);
}

bool
http_upload_add(http_upload *self, const char *bytes, size_t count)
{
    LP_ASSERT(self->has_place && self->on_shown == NULL);
    metrics_add(METRICS_upload_bytes, count);
    if (self->error == 0 &&
        lp_io_write_all(self->fd, (lp_slice){(const uint8_t *)bytes, count}) != LP_OK) {
        self->error = errno;
    }
    uint64_t steps = self->bytes / HTTP_UPLOAD_STEP_BYTES;
    self->bytes += count;
    return self->bytes / HTTP_UPLOAD_STEP_BYTES > steps;
}

static void
show(void *arg, const atomic_bool *is_stopping)
{
    (void)is_stopping; // uploads.show notices it itself
    http_upload *self = arg;
    LP_ASSERT(self->has_place && self->on_shown != NULL);
    const uploads *to = self->of->to;
    if (self->error == 0) {
        self->err = to->show(to->arg, self->path, self->name, &self->shown, &self->problem);
    }
    self->on_shown(self->arg);
}

void
http_upload_push(http_upload *self, void (*on_shown)(void *arg), void *arg)
{
    LP_ASSERT(self->on_shown == NULL && on_shown != NULL);
    self->on_shown = on_shown;
    self->arg = arg;
    lp_err err = workers_push(self->of->workers, show, self);
    LP_ASSERT(err == LP_OK); // there is one upload, and room for it
}

// status_of returns the status for a failed upload.
static unsigned
status_of(lp_err err)
{
    LP_ASSERT(err != LP_OK);
    return err == LP_ECORRUPT                      ? MHD_HTTP_BAD_REQUEST
           : err == LP_EAGAIN || err == LP_ECLOSED ? MHD_HTTP_SERVICE_UNAVAILABLE
                                                   : MHD_HTTP_INTERNAL_SERVER_ERROR;
}

static json_t *
notes_of(const uploads_shown *shown)
{
    json_t *notes = json_array();
    for (unsigned i = 0; i < shown->note_count && i < UPLOADS_NOTES_MAX; i++) {
        if (json_array_append_new(notes, http_reply_text_json(shown->notes[i])) != 0) {
            json_decref(notes);
            return NULL;
        }
    }
    return notes;
}

static enum MHD_Result
reply_shown(struct MHD_Connection *connection, const uploads_shown *shown)
{
    char from[sizeof("-9223372036854775808")];
    char to[sizeof(from)];
    (void)snprintf(from, sizeof(from), "%" PRId64, shown->from_wall_ns);
    (void)snprintf(to, sizeof(to), "%" PRId64, shown->to_wall_ns);
    json_t *json = json_pack("{s:o, s:s, s:s, s:o, s:i}", "service",
        http_reply_text_json(shown->service), "from_ns", from, "to_ns", to, "notes",
        notes_of(shown), "note_count", (int)shown->note_count);
    return http_reply_json(connection, MHD_HTTP_OK, json);
}

enum MHD_Result
http_upload_reply(http_call *call)
{
    http_call_check(call, HTTP_NEED_FILE);
    http_upload *self = call->upload;
    LP_ASSERT(self->on_shown != NULL && !self->is_counted);
    struct MHD_Connection *connection = call->connection;
    leave(self); // the reader of the answer may upload the next file at once
    bool is_shown = self->error == 0 && self->err == LP_OK;
    metrics_add(is_shown ? METRICS_uploads : METRICS_uploads_refused, 1);
    self->is_counted = true;
    LP_REQUIRE(self->error == 0, http_reply_error(connection, MHD_HTTP_INSUFFICIENT_STORAGE,
                                     "cannot store the file: %s", strerror(self->error)));
    return is_shown ? reply_shown(connection, &self->shown)
                    : http_reply_error(connection, status_of(self->err), "%s", self->problem.text);
}

void
http_upload_end(http_upload *self)
{
    if (self == NULL) {
        return;
    }
    if (!self->is_counted) { // cut, or the collector stops
        http_upload_refuse();
    }
    leave(self);
    (void)close(self->fd);
    free(self->name);
    free(self);
}
