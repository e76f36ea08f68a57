// SPDX-License-Identifier: Apache-2.0
// What is read of an HTTP request, out of any bytes: the path, the parameters of questions, and the
// headers that we read ourselves. And the file name of a download, out of a session's names.
//
//   input: a path, with parameters behind a ? that & separates; then lines "Name: value"

#include "fuzz.h"

#include "collector/ask/work/ask_query.h"
#include "collector/http/routes/http_file_name.h"
#include "collector/http/routes/http_route.h"
#include "collector/http/wire/http_accept.h"
#include "collector/http/wire/http_query.h"
#include "collector/http/wire/http_range.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t SIZES[] = {0, 1, 100, UINT64_MAX};
enum { SIZE_COUNT = sizeof(SIZES) / sizeof(SIZES[0]) };

static void
check_range(const char *header)
{
    for (size_t i = 0; i < SIZE_COUNT; i++) {
        http_range range = http_range_parse(header, SIZES[i]);
        bool is_all = range.begin == 0 && range.end == SIZES[i];
        LP_ASSERT(range.kind != HTTP_RANGE_WHOLE || is_all);
        LP_ASSERT(
            range.kind != HTTP_RANGE_PART || (range.begin < range.end && range.end <= SIZES[i]));
        LP_ASSERT(range.kind != HTTP_RANGE_UNSATISFIABLE || range.begin >= SIZES[i]);
    }
}

// check_name expects the name of a file that can be in a header and in any folder.
static void
check_name(char *name)
{
    char disposition[HTTP_FILE_NAME_DISPOSITION_BYTES];
    static const char begin[] = "attachment; filename=\"";
    catalog_session session = {.service = name, .instance = name, .start_wall_ns = INT64_MIN};
    http_file_name_format(&session, disposition);
    LP_ASSERT(strncmp(disposition, begin, sizeof(begin) - 1) == 0);
    const char *file = disposition + sizeof(begin) - 1;
    size_t len = strspn(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    LP_ASSERT(len > 0 && file[0] != '.' && file[len] == '"');
    for (const char *at = disposition; *at != '\0'; at++) {
        LP_ASSERT(*at >= 0x20 && *at < 0x7f && *at != '/');
    }
}

static void
check_header(const char *name, char *value)
{
    if (strcmp(name, "Range") == 0) {
        check_range(value);
    } else if (strcmp(name, "If-None-Match") == 0) {
        (void)http_range_matches_any(value, "\"9b0e\"");
    } else if (strcmp(name, "Accept") == 0) {
        bool is_first = http_accept_prefers(value, "text/html", "application/json");
        bool is_second = http_accept_prefers(value, "application/json", "text/html");
        bool is_only = http_accept_prefers(value, "text/html", "no/such");
        LP_ASSERT(is_first || is_second || !is_only);
    } else if (strcmp(name, "Name") == 0) {
        check_name(value);
    }
}

static void
check_time(const char *value)
{
    int64_t wall_ns = 0;
    int64_t again_ns = 0;
    char text[LP_TIME_BYTES];
    if (lp_time_parse(value, &wall_ns)) {
        lp_time_format(wall_ns, text);
        LP_ASSERT(wall_ns >= LP_TIME_WALL_NS_MIN && lp_time_parse(text, &again_ns));
        LP_ASSERT(wall_ns == again_ns);
    }
}

// ask reads a question; parameters are cut into pieces by that.
static void
ask(const http_route *route, char *parameters)
{
    ask_query *query;
    lp_problem problem = {.text = ""};
    lp_err err = ask_query_create(route->ask, route->rest, false, &query, &problem);
    if (err != LP_OK) {
        LP_ASSERT(problem.text[0] != '\0');
        return;
    }
    for (char *name; err == LP_OK && (name = strsep(&parameters, "&")) != NULL;) {
        char *value = name;
        (void)strsep(&value, "=");
        value = value == NULL ? name + strlen(name) : value;
        check_time(value);
        err = ask_query_set(query, name, value, &problem);
    }
    err = err == LP_OK ? ask_query_finish(query, &problem) : err;
    LP_ASSERT(err == LP_OK || problem.text[0] != '\0');
    const query_selection *selection = &query->asked.selection;
    LP_ASSERT(err != LP_OK || selection->where_count <= QUERY_WHERE_MAX);
    ask_query_destroy(query);
}

static void
check_path(char *path)
{
    char *parameters = path;
    (void)strsep(&parameters, "?");
    http_route route = http_route_find(path, "GET");
    LP_ASSERT(route.session_id[0] == '\0' || catalog_id_is_valid(route.session_id));
    LP_ASSERT(route.has_method && route.path == path);
    LP_ASSERT(route.service == NULL || route.service[0] != '\0');
    LP_ASSERT(route.line->need != HTTP_NEED_ANSWER || route.ask != NULL);
    const char *text = NULL;
    lp_problem problem;
    const http_query query = {&(http_query_text){"service", &text}, 1};
    LP_ASSERT(http_query_take(&query, "service", path, &problem) == LP_OK && text == path);
    LP_ASSERT(http_query_take(&query, "service", path, &problem) == LP_ECORRUPT);
    if (route.ask != NULL) {
        ask(&route, parameters == NULL ? path + strlen(path) : parameters);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    char *text = malloc(count + 1);
    LP_ASSERT(text != NULL);
    memcpy(text, bytes, count);
    text[count] = '\0';
    char *lines = text;
    check_path(strsep(&lines, "\n"));
    for (char *name; (name = strsep(&lines, "\n")) != NULL;) {
        char *value = name;
        (void)strsep(&value, ":");
        if (value != NULL) {
            check_header(name, value + strspn(value, " "));
        }
    }
    free(text);
    return 0;
}
