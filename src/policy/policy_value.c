// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_value.h"

#include "common/base/lp_byte_count.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool
policy_value_bool(const char *text, bool *out_value)
{
    bool is_true = strcmp(text, "true") == 0;
    LP_REQUIRE(is_true || strcmp(text, "false") == 0, false);
    *out_value = is_true;
    return true;
}

// parse_count reads a whole number and the blanks after it.
static bool
parse_count(const char **at, int64_t *out_count)
{
    LP_REQUIRE(**at >= '0' && **at <= '9', false);
    errno = 0;
    char *end;
    *out_count = strtoll(*at, &end, 10);
    *at = end + strspn(end, " ");
    return errno == 0;
}

static bool
parse_unit(const char *text, int64_t *out_ns)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {
        {"ns", 1},
        {"us", 1000},
        {"ms", 1000000},
        {"s", 1000000000},
        {"m", 60000000000},
        {"h", 3600000000000},
        {"d", 86400000000000},
    };
    __auto_type unit = LP_FIND(units, LP_COUNT(units), strcmp(text, at->unit) == 0);
    if (unit != NULL) {
        *out_ns = unit->ns;
    }
    return unit != NULL;
}

bool
policy_value_timespan(const char *text, int64_t *out_ns)
{
    if (strcmp(text, "infinity") == 0) {
        *out_ns = INT64_MAX;
        return true;
    }
    int64_t count;
    int64_t unit_ns;
    int64_t ns;
    if (!parse_count(&text, &count) || !parse_unit(text, &unit_ns) ||
        __builtin_mul_overflow(count, unit_ns, &ns)) {
        return false;
    }
    *out_ns = ns;
    return true;
}

bool
policy_value_time(const char *text, int64_t now_wall_ns, int64_t *out_wall_ns)
{
    int64_t back_ns;
    if (lp_time_parse(text, out_wall_ns)) {
        return true;
    }
    if (!policy_value_timespan(text, &back_ns) || back_ns > now_wall_ns - LP_TIME_WALL_NS_MIN) {
        return false;
    }
    *out_wall_ns = now_wall_ns - back_ns;
    return true;
}

bool
policy_value_throttle(const char *text, policy_throttle *out_throttle)
{
    if (strcmp(text, "off") == 0) {
        *out_throttle = (policy_throttle){0};
        return true;
    }
    policy_throttle throttle;
    if (!parse_count(&text, &throttle.count) || *text++ != '/' ||
        !parse_unit(text + strspn(text, " "), &throttle.per_ns)) {
        return false;
    }
    *out_throttle = throttle;
    return true;
}

bool
policy_value_bytes(const char *text, policy_throttle *out_bytes)
{
    if (strcmp(text, "off") == 0) {
        *out_bytes = (policy_throttle){0};
        return true;
    }
    char count_text[32];
    size_t len = strcspn(text, " /");
    const char *slash = text + len + strspn(text + len, " ");
    LP_REQUIRE(len < sizeof(count_text) && *slash == '/', false);
    memcpy(count_text, text, len);
    count_text[len] = '\0';
    uint64_t count;
    int64_t per_ns;
    if (!lp_byte_count_parse(count_text, &count) ||
        !parse_unit(slash + 1 + strspn(slash + 1, " "), &per_ns)) {
        return false;
    }
    *out_bytes = (policy_throttle){.count = (int64_t)count, .per_ns = per_ns};
    return true;
}
