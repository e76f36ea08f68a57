// SPDX-License-Identifier: Apache-2.0
#include "collector/http/wire/http_strict.h"

#include "collector/base/metrics.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- Which libmicrohttpd

// leaves_lines returns whether this is libmicrohttpd 0.9, which reads lines leniently and leaves
// them in memory. 1.0 has the same soname, so the version at run time counts, not that of the
// build.
static bool
leaves_lines(void)
{
    return strncmp(MHD_get_version(), "0.", 2) == 0;
}

int
http_strict_get_level(void)
{
    return leaves_lines() ? 0 : 1;
}

// --- Lines

static bool
is_token_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool
is_value_char(char c)
{
    return c == '\t' || ((unsigned char)c >= 0x20 && c != 0x7f);
}

static size_t
span(lp_slice text, bool (*is_good)(char c))
{
    LP_ASSERT(text.len == 0 || text.ptr != NULL);
    size_t len = 0;
    while (len < text.len && is_good((char)text.ptr[len])) {
        len++;
    }
    return len;
}

static bool
is_all(const char *text, bool (*is_good)(char c))
{
    size_t len = strlen(text);
    return span((lp_slice){(const uint8_t *)text, len}, is_good) == len;
}

static lp_slice
behind(lp_slice text, size_t len)
{
    LP_ASSERT(len <= text.len);
    return (lp_slice){text.ptr + len, text.len - len};
}

static bool
has_line_end(lp_slice text)
{
    return text.len >= 2 && text.ptr[0] == '\0' && text.ptr[1] == '\0';
}

int
http_strict_count_lines(lp_slice lines)
{
    int count = 0;
    for (; !has_line_end(lines); count++) {
        size_t len = span(lines, is_token_char);
        LP_REQUIRE(len != 0 && len != lines.len && lines.ptr[len] == '\0', -1);
        lines = behind(lines, len + 1);
        lines = behind(lines, span(lines, is_value_char));
        LP_REQUIRE(has_line_end(lines), -1);
        lines = behind(lines, 2);
    }
    return lines.len == 2 ? count : -1;
}

// are_lines_whole returns whether the lines after the first one, which ends with version, are as
// many as libmicrohttpd 0.9 found. It takes a folded line as a part of the line before.
static bool
are_lines_whole(const http_strict_head *head, size_t size_bytes, int count)
{
    LP_ASSERT(head->method != NULL && head->version != NULL);
    size_t offset = (size_t)((uintptr_t)head->version - (uintptr_t)head->method);
    LP_REQUIRE(offset < size_bytes, false); // version is not in the head
    lp_slice rest = behind((lp_slice){(const uint8_t *)head->method, size_bytes}, offset);
    size_t len = strnlen(head->version, rest.len);
    rest = behind(rest, len);
    return has_line_end(rest) && http_strict_count_lines(behind(rest, 2)) == count;
}

// is_first_line_good returns whether method, target and version are exactly one byte apart.
static bool
is_first_line_good(const http_strict_head *head)
{
    return head->target->begin != NULL &&
           head->method + strlen(head->method) + 1 == head->target->begin &&
           head->target->end + 1 == head->version;
}

// --- Headers

typedef struct headers {
    int count;
    bool has_bad; // an invalid name or value
    int host_count;
    int length_count;
    int encoding_count;
    const char *host;
    const char *length;
} headers;

static enum MHD_Result
on_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    headers *found = arg;
    found->count++;
    LP_ASSERT(found->count > 0);
    if (name[0] == '\0' || !is_all(name, is_token_char) ||
        !is_all(value == NULL ? "" : value, is_value_char)) {
        found->has_bad = true;
    }
    if (strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0) {
        found->host_count++;
        found->host = value;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0) {
        found->length_count++;
        found->length = value;
    } else if (strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0) {
        found->encoding_count++;
    }
    return MHD_YES;
}

// is_host returns whether a value is a host, with or without a port (RFC 3986, 3.2.2), or empty, as
// from a client that asks for no particular host.
static bool
is_host(const char *value)
{
    static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-._~!$&'()*+,;=%";
    const char *rest = value;
    if (rest[0] == '[') {
        rest += 1 + strspn(rest + 1, "0123456789abcdefABCDEF:.");
        LP_REQUIRE(rest[0] == ']' && rest != value + 1, false);
        rest++;
    } else {
        rest += strspn(rest, name);
    }
    if (rest[0] == ':') {
        rest += 1 + strspn(rest + 1, "0123456789");
    }
    return rest[strspn(rest, " \t")] == '\0';
}

// --- The request

typedef struct verdict {
    unsigned status;
    const char *text; // NULL: accepted
} verdict;

static verdict
judge_target(const http_strict_head *head)
{
    LP_ASSERT(head->target != NULL);
    LP_REQUIRE(is_first_line_good(head),
        (verdict){MHD_HTTP_BAD_REQUEST,
            "the request does not begin with METHOD PATH VERSION, one space apart: the path has a "
            "space or a control character"});
    LP_REQUIRE(head->target->surplus == NULL,
        (verdict){MHD_HTTP_BAD_REQUEST, "the request has more than 128 parameters"});
    LP_REQUIRE(head->target->prefix_len == 0 ||
                   (head->target->host[0] != '\0' && head->target->host[0] != ':' &&
                       is_host(head->target->host)),
        (verdict){MHD_HTTP_BAD_REQUEST, "the target is not http://HOST/PATH"});
    return (verdict){MHD_HTTP_OK, NULL};
}

static verdict
judge_headers(const headers *found, const http_strict_head *head)
{
    LP_ASSERT(found->length_count <= found->count && found->encoding_count <= found->count);
    bool needs_host = strcmp(head->version, MHD_HTTP_VERSION_1_0) != 0;
    LP_REQUIRE(found->length_count == 0 || found->encoding_count == 0,
        (verdict){MHD_HTTP_BAD_REQUEST,
            "the request has both Content-Length and Transfer-Encoding: send one of them"});
    LP_REQUIRE(found->length_count <= 1,
        (verdict){MHD_HTTP_BAD_REQUEST, "the request has more than one Content-Length"});
    LP_REQUIRE(found->host_count <= 1 && (!needs_host || found->host_count != 0),
        (verdict){MHD_HTTP_BAD_REQUEST, "the request must have exactly one Host"});
    LP_REQUIRE(found->host == NULL || is_host(found->host),
        (verdict){MHD_HTTP_BAD_REQUEST, "Host is not HOST or HOST:PORT"});
    LP_REQUIRE(found->encoding_count == 0,
        (verdict){MHD_HTTP_LENGTH_REQUIRED, "send the body with a Content-Length"});
    // libmicrohttpd refused a value that is not a number.
    LP_REQUIRE(found->length == NULL || strtoull(found->length, NULL, 10) <= head->body_bytes_max,
        (verdict){MHD_HTTP_CONTENT_TOO_LARGE, "the request's body is too large"});
    return (verdict){MHD_HTTP_OK, NULL};
}

static verdict
judge(struct MHD_Connection *connection, const http_strict_head *head)
{
    LP_ASSERT(head->target != NULL && head->method != NULL);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    size_t size_bytes = info == NULL ? 0 : info->header_size;
    LP_REQUIRE(size_bytes <= HTTP_STRICT_HEAD_BYTES_MAX,
        (verdict){MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "the request's headers are too long"});
    verdict of_target = judge_target(head);
    LP_REQUIRE(of_target.text == NULL, of_target);
    headers found = {0};
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, &found);
    if (found.has_bad || (leaves_lines() && !are_lines_whole(head, size_bytes, found.count))) {
        return (verdict){MHD_HTTP_BAD_REQUEST,
            "the request's headers are not lines of NAME: VALUE, each in one line that ends in CR "
            "LF"};
    }
    return judge_headers(&found, head);
}

bool
http_strict_check(
    struct MHD_Connection *connection, const http_strict_head *head, enum MHD_Result *out_result)
{
    static_assert(HTTP_TARGET_PARAMETERS_MAX == 128, "the message names it");
    verdict found = judge(connection, head);
    if (found.text == NULL) {
        return true;
    }
    LP_ASSERT(found.status >= 400);
    metrics_add(METRICS_http_malformed, 1);
    *out_result = http_reply_last(connection, found.status, found.text);
    return false;
}
