// SPDX-License-Identifier: Apache-2.0
#include "collector/http/routes/http_callers.h"

#include "collector/http/wire/http_connection.h"
#include "common/base/lp_assert.h"

#include <string.h>
#include <strings.h>
#include <time.h>

lp_slice
http_callers_find_token(struct MHD_Connection *connection)
{
    static const char scheme[] = "Bearer ";
    const char *value = http_connection_get_header(connection, MHD_HTTP_HEADER_AUTHORIZATION);
    if (value == NULL || strncasecmp(value, scheme, sizeof(scheme) - 1) != 0) {
        return (lp_slice){0};
    }
    value += sizeof(scheme) - 1;
    value += strspn(value, " ");
    return (lp_slice){(const uint8_t *)value, strcspn(value, " \t")};
}

int64_t
http_callers_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// The first live session in the cookies of a request.
typedef struct session {
    access_logins *logins;
    const access_rules *rules;
    const access_rule *rule; // NULL: no live session
    const char *id;
} session;

static bool
on_id(void *arg, const char *id)
{
    session *self = arg;
    self->id = id;
    self->rule = access_logins_find(self->logins, self->rules, id, http_callers_now_ns());
    return self->rule == NULL;
}

static session
find_session(const http_callers *self, struct MHD_Connection *connection, const access_rules *rules)
{
    LP_ASSERT(self->logins != NULL);
    session found = {.logins = self->logins, .rules = rules};
    http_cookie_visit_ids(&self->cookie, connection, on_id, &found);
    return found;
}

static bool
on_any_id(void *arg, const char *id)
{
    (void)id;
    *(bool *)arg = true;
    return false;
}

// find_rule returns the rule of a request; NULL: none, and *out_finding says why.
static const access_rule *
find_rule(const http_callers *self, struct MHD_Connection *connection, const access_rules *rules,
    bool changes, http_callers_finding *out_finding)
{
    LP_ASSERT(rules != NULL);
    lp_slice token = http_callers_find_token(connection);
    if (token.ptr != NULL) {
        const access_rule *rule = access_rules_find_token(rules, token);
        *out_finding = rule == NULL ? HTTP_CALLERS_STRANGE : HTTP_CALLERS_KNOWN;
        return rule;
    }
    bool has_cookie = false;
    http_cookie_visit_ids(&self->cookie, connection, on_any_id, &has_cookie);
    if (!has_cookie) {
        *out_finding = HTTP_CALLERS_SILENT;
        return NULL;
    }
    if (!http_cookie_is_of_page(connection, changes)) { // other pages may not use it
        *out_finding = HTTP_CALLERS_ELSEWHERE;
        return NULL;
    }
    const access_rule *rule = find_session(self, connection, rules).rule;
    *out_finding = rule == NULL ? HTTP_CALLERS_OVER : HTTP_CALLERS_KNOWN;
    return rule;
}

bool
http_callers_end_session(
    const http_callers *self, struct MHD_Connection *connection, access_caller *out_owner)
{
    LP_ASSERT(self->access != NULL);
    access_caller owner = {.rules = access_file_get_rules(self->access)};
    session found = find_session(self, connection, owner.rules);
    if (found.rule == NULL) {
        access_caller_fini(&owner);
        return false;
    }
    access_logins_end(self->logins, found.id);
    owner.rule = found.rule;
    *out_owner = owner;
    return true;
}

http_callers_finding
http_callers_find(const http_callers *self, struct MHD_Connection *connection, bool changes,
    access_caller *out_caller)
{
    LP_ASSERT((self->access == NULL) == (self->logins == NULL));
    *out_caller = (access_caller){0};
    LP_REQUIRE(self->access != NULL, HTTP_CALLERS_SILENT);
    http_callers_finding finding;
    access_caller caller = {.rules = access_file_get_rules(self->access)};
    caller.rule = find_rule(self, connection, caller.rules, changes, &finding);
    LP_ASSERT((caller.rule == NULL) == (finding != HTTP_CALLERS_KNOWN));
    if (caller.rule == NULL) {
        access_caller_fini(&caller);
        return finding;
    }
    *out_caller = caller;
    return HTTP_CALLERS_KNOWN;
}
