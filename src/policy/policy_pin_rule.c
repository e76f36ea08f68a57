// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_pin_rule.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"
#include "common/base/lp_find.h"
#include "policy/policy_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t";
static const int64_t MINUTE_NS = INT64_C(60000000000);

typedef struct percentile {
    const char *name;
    unsigned permille;
} percentile;

static const percentile percentiles[] = {
    {"p50", 500}, {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999}};

// take_over reads the timespan in a text of some bytes.
static bool
take_over(const char *text, size_t len, int64_t *out_ns)
{
    char copy[32];
    while (len > 0 && strchr(blanks, text[len - 1]) != NULL) {
        len--;
    }
    LP_REQUIRE(len < sizeof(copy), false);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return policy_value_timespan(copy, out_ns) && *out_ns > 0 && *out_ns < INT64_MAX;
}

// take_for reads a number of minutes.
static bool
take_for(const char *text, unsigned *out_minutes)
{
    int64_t ns;
    bool is_good = policy_value_timespan(text, &ns) && ns >= MINUTE_NS && ns % MINUTE_NS == 0 &&
                   ns <= POLICY_PIN_RULE_MINUTES_MAX * MINUTE_NS;
    *out_minutes = is_good ? (unsigned)(ns / MINUTE_NS) : 0;
    return is_good;
}

bool
policy_pin_rule_parse(const char *text, policy_pin_rule *out)
{
    size_t len = strcspn(text, " \t>");
    const percentile *found = LP_FIND(percentiles, LP_COUNT(percentiles),
        strlen(at->name) == len && memcmp(at->name, text, len) == 0);
    const char *over = text + len + strspn(text + len, blanks);
    LP_REQUIRE(found != NULL && *over == '>', false);
    over += 1 + strspn(over + 1, blanks);
    const char *end = strstr(over, " for ");
    policy_pin_rule rule = {.permille = found->permille};
    bool is_good = end != NULL && take_over(over, (size_t)(end - over), &rule.over_ns) &&
                   take_for(end + 5 + strspn(end + 5, blanks), &rule.minutes);
    LP_REQUIRE(is_good, false);
    *out = rule;
    return true;
}

const char *
policy_pin_rule_name(const policy_pin_rule *rule)
{
    const percentile *found =
        LP_FIND(percentiles, LP_COUNT(percentiles), at->permille == rule->permille);
    LP_ASSERT(found != NULL);
    return found->name;
}

void
policy_pin_rule_format(const policy_pin_rule *rule, char out_text[POLICY_PIN_RULE_BYTES])
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        {"m", INT64_C(60000000000)}, {"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
    __auto_type unit = LP_FIND(units, LP_COUNT(units), rule->over_ns % at->ns == 0);
    LP_ASSERT(unit != NULL && rule->over_ns > 0); // 1 divides every number
    (void)snprintf(out_text, POLICY_PIN_RULE_BYTES, "%s>%" PRId64 "%s for %um",
        policy_pin_rule_name(rule), rule->over_ns / unit->ns, unit->name, rule->minutes);
}
