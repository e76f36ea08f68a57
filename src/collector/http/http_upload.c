// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_upload.h"

#include "collector/base/metrics.h"
#include "collector/http/http_cookie.h"
#include "collector/http/http_reply.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct http_upload {
    const uploads *to;
    char path[PATH_MAX];
    int fd;
    int error; // of writing; 0: none
};

static const char *
name_of(struct MHD_Connection *connection)
{
    const char *name = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name");
    return name == NULL || name[0] == '\0' ? NULL : name;
}

// create makes the file. NULL: errno has why not.
static http_upload *
create(const uploads *to)
{
    http_upload *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        return NULL;
    }
    made->to = to;
    int length = snprintf(made->path, sizeof(made->path), "%s/upload-XXXXXX", to->directory);
    errno = ENAMETOOLONG;
    made->fd = length < (int)sizeof(made->path) ? mkostemp(made->path, O_CLOEXEC) : -1;
    if (made->fd < 0) {
        free(made);
        return NULL;
    }
    return made;
}

http_upload *
http_upload_begin(const uploads *to, struct MHD_Connection *connection, enum MHD_Result *out_result)
{
    unsigned status;
    const char *fault;
    if (to == NULL) {
        status = MHD_HTTP_NOT_FOUND;
        fault = "this collector takes no files: `loupe open FILE` shows one";
    } else if (MHD_lookup_connection_value(connection, MHD_HEADER_KIND, HTTP_COOKIE_PAGE_HEADER) ==
               NULL) {
        status = MHD_HTTP_FORBIDDEN;
        fault = "files come from the page, with a header " HTTP_COOKIE_PAGE_HEADER;
    } else if (name_of(connection) == NULL) {
        status = MHD_HTTP_BAD_REQUEST;
        fault = "the parameter name says what the file is called";
    } else {
        http_upload *made = create(to);
        if (made != NULL) {
            return made;
        }
        status = MHD_HTTP_INTERNAL_SERVER_ERROR;
        fault = strerror(errno);
    }
    metrics_add(METRICS_uploads_refused, 1);
    *out_result = http_reply_last(connection, status, fault);
    return NULL;
}

void
http_upload_add(http_upload *self, const char *bytes, size_t count)
{
    metrics_add(METRICS_upload_bytes, count);
    if (self->error == 0 &&
        lp_io_write_all(self->fd, (lp_slice){(const uint8_t *)bytes, count}) != LP_OK) {
        self->error = errno;
    }
}

// status_of returns the status for a file that could not be shown.
static unsigned
status_of(lp_err err)
{
    switch (err) {
    case LP_EAGAIN:
    case LP_ECLOSED:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    case LP_ECORRUPT:
        return MHD_HTTP_BAD_REQUEST;
    case LP_OK:
    case LP_EEND:
    case LP_ENOMEM:
    case LP_EIO:
    case LP_ENOENT:
    case LP_EVERSION:
    case LP_ELIMIT:
        break;
    }
    return MHD_HTTP_INTERNAL_SERVER_ERROR;
}

enum MHD_Result
http_upload_reply(http_upload *self, struct MHD_Connection *connection)
{
    if (self->error != 0) {
        metrics_add(METRICS_uploads_refused, 1);
        return http_reply_error(connection, MHD_HTTP_INSUFFICIENT_STORAGE,
            "the file cannot be kept: %s", strerror(self->error));
    }
    uploads_shown shown;
    lp_problem problem;
    lp_err err = self->to->show(self->to->arg, self->path, name_of(connection), &shown, &problem);
    if (err != LP_OK) {
        metrics_add(METRICS_uploads_refused, 1);
        return http_reply_error(connection, status_of(err), "%s", problem.text);
    }
    metrics_add(METRICS_uploads, 1);
    char from[sizeof("-9223372036854775808")];
    char to[sizeof(from)];
    (void)snprintf(from, sizeof(from), "%" PRId64, shown.from_wall_ns);
    (void)snprintf(to, sizeof(to), "%" PRId64, shown.to_wall_ns);
    json_t *json = json_pack("{s:o, s:s, s:s}", "service", http_reply_text_json(shown.service),
        "from_ns", from, "to_ns", to);
    return http_reply_json(connection, MHD_HTTP_OK, json);
}

void
http_upload_end(http_upload *self)
{
    if (self != NULL) {
        (void)unlink(self->path);
        (void)close(self->fd);
        free(self);
    }
}
