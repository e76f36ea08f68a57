// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_file_name.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"
#include "common/base/lp_utf8.h"

#include <stdio.h>
#include <string.h>

enum {
    NAME_BYTES = 2 * HTTP_FILE_NAME_PART_BYTES_MAX + LP_TIME_COMPACT_BYTES + sizeof("--.jfr"),
};

static bool
is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

// cut_len returns the length of text up to the limit, and never ends inside a UTF-8 character.
static size_t
cut_len(const char *text)
{
    size_t len = strnlen(text, HTTP_FILE_NAME_PART_BYTES_MAX + 1);
    if (len > HTTP_FILE_NAME_PART_BYTES_MAX) {
        len = HTTP_FILE_NAME_PART_BYTES_MAX;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) {
            len--;
        }
    }
    LP_ASSERT(len <= HTTP_FILE_NAME_PART_BYTES_MAX);
    return len;
}

// append_part copies text to name at `at`, with '_' for each character that is not plain; bytes
// beyond ASCII stay if may_be_utf8. Returns the end of the copy.
static size_t
append_part(char name[NAME_BYTES], size_t at, const char *text, bool may_be_utf8)
{
    size_t len = cut_len(text);
    for (size_t i = 0; i < len; i++) {
        bool is_kept = is_plain(text[i]) || (may_be_utf8 && (unsigned char)text[i] >= 0x80);
        is_kept = is_kept && !(text[i] == '.' && at == 0); // no hidden file
        name[at++] = is_kept ? text[i] : '_';
    }
    return at;
}

static void
format_name(const catalog_session *session, bool may_be_utf8, char out_name[NAME_BYTES])
{
    char start[LP_TIME_COMPACT_BYTES];
    lp_time_format_compact(session->start_wall_ns, start);
    size_t at = append_part(out_name, 0, session->service, may_be_utf8);
    out_name[at++] = '-';
    at = append_part(out_name, at, session->instance, may_be_utf8);
    LP_ASSERT(at <= 2 * HTTP_FILE_NAME_PART_BYTES_MAX + 1);
    (void)snprintf(out_name + at, NAME_BYTES - at, "-%s.jfr", start);
}

void
http_file_name_format(
    const catalog_session *session, char out_disposition[HTTP_FILE_NAME_DISPOSITION_BYTES])
{
    static const char hex[] = "0123456789ABCDEF";
    char ascii[NAME_BYTES];
    char utf8[NAME_BYTES];
    format_name(session, false, ascii);
    format_name(
        session, lp_utf8_is_text(session->service) && lp_utf8_is_text(session->instance), utf8);
    size_t len = (size_t)snprintf(
        out_disposition, HTTP_FILE_NAME_DISPOSITION_BYTES, "attachment; filename=\"%s\"", ascii);
    if (strcmp(ascii, utf8) == 0) {
        return;
    }
    len += (size_t)snprintf(
        out_disposition + len, HTTP_FILE_NAME_DISPOSITION_BYTES - len, "; filename*=UTF-8''");
    for (const char *at = utf8; *at != '\0'; at++) {
        if (is_plain(*at)) {
            out_disposition[len++] = *at;
        } else {
            unsigned char byte = (unsigned char)*at;
            out_disposition[len++] = '%';
            out_disposition[len++] = hex[byte >> 4];
            out_disposition[len++] = hex[byte & 15];
        }
    }
    LP_ASSERT(len < HTTP_FILE_NAME_DISPOSITION_BYTES);
    out_disposition[len] = '\0';
}
