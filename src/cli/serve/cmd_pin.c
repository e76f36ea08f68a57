// SPDX-License-Identifier: Apache-2.0
// loupe pin: has a collector keep everything of a service, trace, request or thread (POST
// /api/v1/pins).
//
// Tests: tests/e2e/pins.py

#include "cli/base/cmd.h"
#include "cli/serve/bearer.h"
#include "collector/client/client_http.h"
#include "collector/store/s3/s3_sign.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_find.h"
#include "common/base/lp_printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ANSWER_S_MAX = 60,
    WAIT_MS = 500, // between two looks
    STATUS_NEW = 201,
    STATUS_KNOWN = 200,
};

static const char program[] = "loupe pin";

typedef struct asking {
    const options *opts;
    client_http *http;
    char header[BEARER_BYTES]; // "": no token
    json_t *pin;               // as it is now
} asking;

// make_path returns the path with the options as parameters; NULL if memory ran out. key: of a pin
// that was made.
static char *
make_path(const options *opts, const char *key)
{
    const struct {
        const char *name;
        const char *value;
    } all[] = {{"service", opts->pin_service}, {"recording", opts->pin_recording},
        {"trace", opts->pin_trace}, {"request", opts->pin_request}, {"thread", opts->pin_thread},
        {"from", opts->pin_from}, {"to", opts->pin_to}, {"reason", opts->pin_reason},
        {"key", key != NULL ? key : opts->pin_key}};
    lp_buf path = {0};
    lp_buf_append_text(&path, "api/v1/pins");
    char before = '?';
    for (size_t i = 0; i < LP_COUNT(all); i++) {
        if (all[i].value != NULL) {
            lp_buf_append(&path, &before, 1);
            lp_buf_append_text(&path, all[i].name);
            lp_buf_append_text(&path, "=");
            s3_sign_encode(all[i].value, false, &path);
            before = '&';
        }
    }
    lp_buf_append(&path, "", 1);
    if (lp_buf_check(&path) != LP_OK) {
        lp_buf_fini(&path);
        return NULL;
    }
    return (char *)path.ptr;
}

// read_answer reads the pin in an answer. Returns false after printing the problem.
static bool
read_answer(asking *self, const char *url, const client_http_answer *answer)
{
    json_t *json = json_loadb((const char *)answer->body.ptr, answer->body.len, 0, NULL);
    bool is_pin = (answer->status == STATUS_NEW || answer->status == STATUS_KNOWN) &&
                  json_is_string(json_object_get(json, "key"));
    if (!is_pin) {
        const char *why = json_string_value(json_object_get(json, "error"));
        lp_printable_line(stderr, "%s: %s: %s (status %u)", program, url,
            why == NULL ? "not the answer of a collector" : why, answer->status);
        json_decref(json);
        return false;
    }
    json_decref(self->pin);
    self->pin = json;
    return true;
}

// post makes the pin, or asks how far it is. Returns false after printing the problem.
static bool
post(asking *self)
{
    const char *key = json_string_value(json_object_get(self->pin, "key"));
    char *path = make_path(self->opts, key);
    char *url = path == NULL ? NULL : bearer_make_url(self->opts->pin_url, path);
    free(path);
    if (url == NULL) {
        (void)cmd_end(program, false);
        return false;
    }
    const client_http_pair header = {"Authorization", self->header};
    const client_http_request request = {.method = "POST",
        .url = url,
        .headers = &header,
        .header_count = self->header[0] == '\0' ? 0 : 1,
        .to_fd = -1,
        .deadline_mono_ms = client_http_now_ms() + ANSWER_S_MAX * (uint64_t)1000,
        .slow_s_max = ANSWER_S_MAX};
    client_http_answer answer;
    lp_problem problem;
    lp_err err = client_http_ask(self->http, &request, &answer, &problem);
    bool is_good = err == LP_OK && read_answer(self, self->opts->pin_url, &answer);
    if (err != LP_OK) {
        lp_printable_line(stderr, "%s: %s: %s", program, self->opts->pin_url, problem.text);
    }
    lp_buf_fini(&answer.body);
    free(url);
    return is_good;
}

static int64_t
count_of(const asking *self, const char *name)
{
    return json_integer_value(json_object_get(self->pin, name));
}

static void
print_state(const asking *self, FILE *out)
{
    const char *key = json_string_value(json_object_get(self->pin, "key"));
    char line[512];
    (void)snprintf(
        line, sizeof(line), "pin %s: %" PRId64 " chunks kept", key, count_of(self, "kept"));
    static const char *const others[] = {
        "waiting", "missing", "failed", "without", "over_budget", "left_out"};
    static const char *const words[] = {"waiting", "without raw data", "failed",
        "without what is wanted", "over the budget", "over the limit"};
    for (size_t i = 0; i < LP_COUNT(others); i++) {
        size_t len = strlen(line);
        if (count_of(self, others[i]) > 0 && len < sizeof(line)) {
            (void)snprintf(line + len, sizeof(line) - len, ", %" PRId64 " %s",
                count_of(self, others[i]), words[i]);
        }
    }
    lp_printable_line(
        out, "%s; until %s", line, json_string_value(json_object_get(self->pin, "to")));
}

// wait_for asks until no chunk waits, and prints when something has changed. Returns false after
// printing a problem.
static bool
wait_for(asking *self)
{
    int64_t shown = -1;
    while (count_of(self, "waiting") + count_of(self, "unasked") > 0) {
        if (count_of(self, "waiting") != shown) {
            print_state(self, stderr);
            shown = count_of(self, "waiting");
        }
        client_http_wait(self->http, WAIT_MS);
        LP_REQUIRE(post(self), false);
    }
    return true;
}

// is_kept returns whether all chunks that no longer wait are kept, and some are.
static bool
is_kept(const asking *self)
{
    return count_of(self, "kept") > 0 && count_of(self, "missing") == 0 &&
           count_of(self, "failed") == 0 && count_of(self, "left_out") == 0;
}

static int
run(asking *self)
{
    self->http = client_http_create();
    LP_REQUIRE(self->http != NULL, cmd_end(program, false));
    const options *opts = self->opts;
    LP_REQUIRE(post(self) && (!opts->pin_is_waiting || wait_for(self)), CMD_FAILED);
    bool is_printed = true;
    if (opts->pin_is_json) {
        is_printed = cmd_print_json(stdout, json_incref(self->pin));
    } else {
        print_state(self, stdout);
    }
    int code = cmd_end(program, is_printed);
    return code == CMD_DONE && opts->pin_is_waiting && !is_kept(self) ? CMD_FAILED : code;
}

// check_options checks which options belong together. Returns -1, or the exit code.
static int
check_options(const options *opts)
{
    int whats =
        (opts->pin_trace != NULL) + (opts->pin_request != NULL) + (opts->pin_thread != NULL);
    int wheres = (opts->pin_service != NULL) + (opts->pin_recording != NULL);
    LP_REQUIRE(bearer_is_url(opts->pin_url),
        cmd_refuse(opts, "--url '%s': begin with http:// or https://", opts->pin_url));
    LP_REQUIRE(whats <= 1, cmd_refuse(opts, "give only one of --trace, --request and --thread"));
    LP_REQUIRE(wheres == 1 || (wheres == 0 && opts->pin_trace != NULL),
        cmd_refuse(opts, "give either --service or --recording, or --trace alone"));
    LP_REQUIRE(opts->pin_request == NULL || opts->pin_recording != NULL,
        cmd_refuse(opts, "--request needs its --recording"));
    return -1;
}

int
cmd_pin(const options *opts)
{
    asking self = {.opts = opts};
    int code = check_options(opts);
    LP_REQUIRE(code < 0, code);
    LP_REQUIRE(
        opts->pin_token == NULL || bearer_read(program, opts->pin_token, self.header), CMD_FAILED);
    code = run(&self);
    client_http_destroy(self.http);
    json_decref(self.pin);
    return code;
}
