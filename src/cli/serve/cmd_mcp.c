// SPDX-License-Identifier: Apache-2.0

// loupe mcp: the Model Context Protocol over standard input and output, one message a line. It
// passes each message to POST /mcp of a collector (mcp_message.h), and the answer back: of the
// collector at --url, or of one with the recordings of files (opened.h).
//
// Tests: tests/e2e/assistants.py

#include "cli/base/cmd.h"
#include "cli/serve/bearer.h"
#include "cli/serve/end_watch.h"
#include "cli/serve/opened.h"
#include "collector/client/client_http.h"
#include "collector/http/wire/http_strict.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_printable.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_BYTES_MAX = HTTP_STRICT_BODY_BYTES_MAX,
    ANSWER_S_MAX = 300, // a call may ask two questions
    LOOK_MS = 200,      // between two checks whether a signal ends the process
    INTERNAL_ERROR = -32603,
};

typedef struct bridge {
    const char *program;
    const char *url;       // of POST /mcp
    bool is_own;           // the collector is of this process
    bool is_failed;        // standard output cannot be written
    const char *authority; // the header Authorization; NULL: none
    client_http *http;
} bridge;

// --- Answers

// print_line prints JSON as a line. Takes ownership of it.
static void
print_line(bridge *self, json_t *json)
{
    char *text = json == NULL ? NULL : json_dumps(json, JSON_COMPACT);
    self->is_failed = text == NULL || puts(text) < 0 || fflush(stdout) != 0;
    free(text);
    json_decref(json);
}

// refuse answers a request with an error; a notification gets no answer.
static void
refuse(bridge *self, const json_t *message, const char *why)
{
    char printable[512];
    json_t *id = json_object_get(message, "id");
    (void)lp_printable(why, printable, sizeof(printable));
    if (message == NULL || id != NULL) {
        print_line(self, json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error",
                             "code", INTERNAL_ERROR, "message", printable));
    }
}

// pass prints the answer of the collector. An answer that is no message of the protocol, such as
// that to an unknown token, becomes an error.
static void
pass(bridge *self, const json_t *message, const client_http_answer *answer)
{
    if (answer->body.len == 0 && answer->status / 100 == 2 &&
        json_object_get(message, "id") == NULL) {
        return; // a notification was taken
    }
    json_t *json =
        json_loadb((const char *)answer->body.ptr, answer->body.len, JSON_ALLOW_NUL, NULL);
    if (json_object_get(json, "jsonrpc") != NULL) {
        print_line(self, json);
        return;
    }
    const char *why = json_string_value(json_object_get(json, "error"));
    char text[512];
    (void)snprintf(text, sizeof(text), "%s answers with status %u%s%s", self->url, answer->status,
        why == NULL ? "" : ": ", why == NULL ? "" : why);
    refuse(self, message, text);
    json_decref(json);
}

// --- Messages

// as_header returns a value that may be sent as a header; NULL if not, or if it is no text.
static const char *
as_header(const json_t *value)
{
    const char *text = json_string_value(value);
    for (const char *at = text; at != NULL && *at != '\0'; at++) {
        LP_REQUIRE(*at >= ' ' && *at <= '~', NULL);
    }
    return text;
}

static void
ask(bridge *self, const json_t *message, lp_slice line)
{
    const json_t *params = json_object_get(message, "params");
    const json_t *version = json_object_get(
        json_object_get(params, "_meta"), "io.modelcontextprotocol/protocolVersion");
    const client_http_pair all[] = {
        {"Content-Type", "application/json"},
        {"Accept", "application/json, text/event-stream"},
        {"Authorization", self->authority},
        {"MCP-Protocol-Version", as_header(version)},
        {"Mcp-Method", as_header(json_object_get(message, "method"))},
        {"Mcp-Name", as_header(json_object_get(params, "name"))},
    };
    client_http_pair headers[LP_COUNT(all)];
    client_http_request request = {.method = "POST",
        .url = self->url,
        .headers = headers,
        .body = line,
        .to_fd = -1,
        .deadline_mono_ms = client_http_now_ms() + ANSWER_S_MAX * (uint64_t)1000,
        .slow_s_max = ANSWER_S_MAX,
        .is_direct = self->is_own};
    for (size_t i = 0; i < LP_COUNT(all); i++) {
        if (all[i].value != NULL) {
            headers[request.header_count++] = all[i];
        }
    }
    client_http_answer answer;
    lp_problem problem;
    if (client_http_ask(self->http, &request, &answer, &problem) == LP_OK) {
        pass(self, message, &answer);
    } else {
        char text[512];
        (void)snprintf(text, sizeof(text), "%s: %s", self->url, problem.text);
        refuse(self, message, text);
    }
    lp_buf_fini(&answer.body);
}

// take_line passes a line, which is too long if it does not end within LINE_BYTES_MAX.
static void
take_line(bridge *self, lp_slice line)
{
    if (line.len == 0) {
        return;
    }
    if (line.len > LINE_BYTES_MAX) {
        refuse(self, NULL, "the message is longer than 64 KiB");
        return;
    }
    json_t *message = json_loadb((const char *)line.ptr, line.len, 0, NULL);
    ask(self, message, line);
    json_decref(message);
}

// --- Standard input

// take_lines passes the complete lines in held, and removes them. Of a line that is too long it
// keeps as much as shows that.
static void
take_lines(bridge *self, lp_buf *held)
{
    size_t begin = 0;
    for (size_t i = 0; i < held->len && !self->is_failed; i++) {
        if (held->ptr[i] == '\n') {
            take_line(self, (lp_slice){held->ptr + begin, i - begin});
            begin = i + 1;
        }
    }
    held->len -= begin;
    memmove(held->ptr, held->ptr + begin, held->len);
    if (held->len > LINE_BYTES_MAX) {
        held->len = LINE_BYTES_MAX + 1;
    }
}

// wait_for_input returns whether standard input can be read; false if a signal ends the process.
static bool
wait_for_input(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int found = 0;
    while (found == 0 && !end_watch_is_told(NULL)) {
        found = poll(&input, 1, LOOK_MS);
        found = found < 0 && errno == EINTR ? 0 : found;
    }
    return found > 0;
}

static int
serve(bridge *self)
{
    lp_buf held = {0};
    ssize_t size = 1;
    self->http = client_http_create();
    while (
        self->http != NULL && size > 0 && !self->is_failed && !held.is_failed && wait_for_input()) {
        uint8_t bytes[16 * 1024];
        size = lp_io_read(STDIN_FILENO, bytes, sizeof(bytes));
        if (size > 0) {
            lp_buf_append(&held, bytes, (size_t)size);
            take_lines(self, &held);
        }
    }
    if (size == 0) { // the last line may lack its end
        take_line(self, lp_buf_slice(&held));
    }
    bool is_whole = self->http != NULL && size >= 0 && !held.is_failed && !self->is_failed;
    client_http_destroy(self->http);
    lp_buf_fini(&held);
    return cmd_end(self->program, is_whole);
}

// --- The command

static int
serve_files(const opened *o, const options *opts)
{
    char url[64];
    bridge self = {.program = opts->program, .url = url, .is_own = true};
    (void)snprintf(url, sizeof(url), "http://127.0.0.1:%u/mcp", opened_get_http_port(o));
    return serve(&self);
}

static int
serve_url(const options *opts)
{
    const char *url = opts->mcp_url;
    char header[BEARER_BYTES];
    bridge self = {.program = opts->program};
    LP_REQUIRE(
        bearer_is_url(url), cmd_refuse(opts, "--url '%s': begin with http:// or https://", url));
    if (opts->mcp_token != NULL) {
        LP_REQUIRE(bearer_read(opts->program, opts->mcp_token, header), CMD_FAILED);
        self.authority = header;
    }
    char *whole = bearer_make_url(url, "mcp");
    LP_REQUIRE(whole != NULL, cmd_end(opts->program, false));
    self.url = whole;
    int code = serve(&self);
    free(whole);
    return code;
}

int
cmd_mcp(const options *opts)
{
    bool has_url = opts->mcp_url != NULL;
    LP_REQUIRE(has_url != (opts->operand_count > 0),
        cmd_refuse(opts, "give recordings, or --url of a collector"));
    return has_url ? serve_url(opts) : opened_run(opts, serve_files);
}
