// SPDX-License-Identifier: Apache-2.0

#include "collector/otlp/otlp_target.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_trim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const paths[OTLP_SIGNALS] = {"/v1/metrics", "/v1development/profiles"};

// Headers that the collector sets itself.
static const char *const own_headers[] = {"content-type", "content-encoding", "content-length",
    "transfer-encoding", "host", "expect", "connection"};

lp_err
otlp_target_check(const char *url, lp_problem *out_problem)
{
    size_t scheme = strncmp(url, "https://", 8) == 0 ? 8 : strncmp(url, "http://", 7) == 0 ? 7 : 0;
    const char *fault = NULL;
    if (scheme == 0 || strchr("/:?#", url[scheme]) != NULL) {
        fault = "is http://HOST:PORT or https://HOST:PORT, perhaps with a path";
    } else if (strchr(url, '@') != NULL) {
        fault = "has no user and no password: use --otlp-headers";
    } else if (strpbrk(url, "?# \t\r\n") != NULL) {
        fault = "has no query, no fragment and no blank";
    } else if (strlen(url) > OTLP_TARGET_URL_BYTES_MAX) {
        fault = "is too long";
    }
    LP_REQUIRE(fault == NULL, lp_problem_set(out_problem, LP_ECORRUPT, "--otlp %s", fault));
    lp_problem why;
    lp_err err = client_http_check_url(url, &why);
    return err == LP_OK ? LP_OK
                        : lp_problem_set(out_problem, err, "--otlp is no URL: %s", why.text);
}

// --- Headers

static bool
is_name(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                             "!#$%&'*+-.^_`|~")] == '\0';
}

// is_value returns whether a text is printable ASCII, with blanks and tabs.
static bool
is_value(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if ((*at < ' ' && *at != '\t') || *at > '~') {
            return false;
        }
    }
    return text[0] != '\0';
}

// read_line adds the header of a line, which it cuts into pieces. Returns the fault, or NULL.
static const char *
read_line(otlp_target *self, char *line)
{
    LP_ASSERT(self->header_count <= OTLP_TARGET_HEADERS_MAX);
    char *text = lp_trim(line);
    if (text[0] == '\0' || text[0] == '#') {
        return NULL;
    }
    char *colon = strchr(text, ':');
    if (colon == NULL) {
        return "is not `Name: value`";
    }
    *colon = '\0';
    const client_http_pair header = {.name = text, .value = lp_trim(colon + 1)};
    if (!is_name(header.name)) {
        return "has no valid name before the colon";
    }
    if (!is_value(header.value)) {
        return "has no printable value";
    }
    if (LP_FIND(own_headers, LP_COUNT(own_headers), strcasecmp(*at, header.name) == 0) != NULL) {
        return "has a header that the collector sets itself";
    }
    if (self->header_count == OTLP_TARGET_HEADERS_MAX) {
        return "is one header too many: at most 32";
    }
    self->headers[self->header_count++] = header;
    return NULL;
}

// read_file reads the file as a text.
static lp_err
read_file(otlp_target *self, const char *path, lp_problem *out_problem)
{
    LP_ASSERT(self->text == NULL && self->header_count == 0);
    size_t size_bytes = 0;
    self->text = calloc(1, OTLP_TARGET_FILE_BYTES_MAX + 1);
    LP_REQUIRE(self->text != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_err err = lp_io_read_file(path, self->text, OTLP_TARGET_FILE_BYTES_MAX, &size_bytes);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "--otlp-headers: cannot read %s: %s",
                                 path, lp_err_reason(err)));
    bool is_text = size_bytes < OTLP_TARGET_FILE_BYTES_MAX && strlen(self->text) == size_bytes;
    return is_text ? LP_OK
                   : lp_problem_set(out_problem, LP_ECORRUPT,
                         "--otlp-headers: %s is no text of fewer than 65536 bytes", path);
}

static lp_err
read_headers(otlp_target *self, const char *path, lp_problem *out_problem)
{
    LP_TRY(read_file(self, path, out_problem));
    unsigned number = 1;
    char *rest = self->text;
    for (char *line; (line = strsep(&rest, "\n")) != NULL; number++) {
        const char *fault = read_line(self, line);
        LP_REQUIRE(fault == NULL, lp_problem_set(out_problem, LP_ECORRUPT,
                                      "--otlp-headers: %s: line %u %s", path, number, fault));
    }
    return LP_OK;
}

// --- The whole

static lp_err
open_all(const char *url, const char *headers_path, otlp_target *out, lp_problem *out_problem)
{
    LP_TRY(otlp_target_check(url, out_problem));
    size_t length = strlen(url);
    while (url[length - 1] == '/') {
        length--;
    }
    LP_ASSERT(length >= sizeof("http://x") - 1); // it has a host
    for (otlp_signal i = 0; i < OTLP_SIGNALS; i++) {
        LP_REQUIRE(asprintf(&out->urls[i], "%.*s%s", (int)length, url, paths[i]) >= 0,
            lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    }
    return headers_path == NULL ? LP_OK : read_headers(out, headers_path, out_problem);
}

lp_err
otlp_target_open(
    const char *url, const char *headers_path, otlp_target *out, lp_problem *out_problem)
{
    *out = (otlp_target){.header_count = 0};
    lp_err err = open_all(url, headers_path, out, out_problem);
    LP_ASSERT(err != LP_OK || out->urls[OTLP_SIGNALS - 1] != NULL);
    if (err != LP_OK) {
        otlp_target_close(out);
    }
    return err;
}

void
otlp_target_close(otlp_target *self)
{
    LP_ASSERT(self->header_count <= OTLP_TARGET_HEADERS_MAX);
    for (otlp_signal i = 0; i < OTLP_SIGNALS; i++) {
        free(self->urls[i]);
    }
    if (self->text != NULL) {
        explicit_bzero(self->text, OTLP_TARGET_FILE_BYTES_MAX);
    }
    free(self->text);
    *self = (otlp_target){.header_count = 0};
}
