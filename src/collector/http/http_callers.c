// SPDX-License-Identifier: Apache-2.0
#include "collector/http/http_callers.h"

#include <string.h>
#include <strings.h>
#include <time.h>

// find_token returns the token of a request; ptr NULL: it has none.
static lp_slice
find_token(struct MHD_Connection *connection)
{
    static const char scheme[] = "Bearer ";
    const char *value =
        MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_AUTHORIZATION);
    if (value == NULL || strncasecmp(value, scheme, sizeof(scheme) - 1) != 0) {
        return (lp_slice){0};
    }
    value += sizeof(scheme) - 1;
    value += strspn(value, " ");
    return (lp_slice){(const uint8_t *)value, strcspn(value, " \t")};
}

bool
http_callers_has_token(struct MHD_Connection *connection)
{
    return find_token(connection).ptr != NULL;
}

int64_t
http_callers_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// find_rule finds the rule of a request; NULL, with why, where there is none.
static const access_rule *
find_rule(const http_callers *self, struct MHD_Connection *connection, const access_rules *rules,
    bool changes, http_callers_finding *out_finding)
{
    lp_slice token = find_token(connection);
    if (token.ptr != NULL) {
        const access_rule *rule = access_rules_find_token(rules, token);
        *out_finding = rule == NULL ? HTTP_CALLERS_STRANGE : HTTP_CALLERS_KNOWN;
        return rule;
    }
    const char *id = http_cookie_find(&self->cookie, connection);
    if (id == NULL) {
        *out_finding = HTTP_CALLERS_SILENT;
        return NULL;
    }
    if (!http_cookie_is_of_page(connection, changes)) {
        *out_finding = HTTP_CALLERS_ELSEWHERE;
        return NULL;
    }
    const access_rule *rule = access_logins_find(self->logins, rules, id, http_callers_now_ns());
    *out_finding = rule == NULL ? HTTP_CALLERS_OVER : HTTP_CALLERS_KNOWN;
    return rule;
}

http_callers_finding
http_callers_find(const http_callers *self, struct MHD_Connection *connection, bool changes,
    access_caller *out_caller)
{
    *out_caller = (access_caller){0};
    if (self->access == NULL) {
        return HTTP_CALLERS_SILENT;
    }
    http_callers_finding finding;
    access_caller caller = {.rules = access_file_get_rules(self->access)};
    caller.rule = find_rule(self, connection, caller.rules, changes, &finding);
    if (caller.rule == NULL) {
        access_caller_fini(&caller);
        return finding;
    }
    *out_caller = caller;
    return HTTP_CALLERS_KNOWN;
}
