// SPDX-License-Identifier: Apache-2.0
#include "policy/policy_keep.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_byte_count.h"
#include "common/base/lp_find.h"
#include "policy/policy_text.h"
#include "policy/policy_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t\r";
static const char rule_blanks[] = " \t";
static const char once[] = "each key only once";
static const int64_t SECOND_NS = 1000000000;
static const int64_t MINUTE_NS = INT64_C(60000000000);
static const int64_t HOUR_NS = INT64_C(3600000000000);

// --- Rules of pins

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
    while (len > 0 && strchr(rule_blanks, text[len - 1]) != NULL) {
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
    const char *over = text + len + strspn(text + len, rule_blanks);
    LP_REQUIRE(found != NULL && *over == '>', false);
    over += 1 + strspn(over + 1, rule_blanks);
    const char *end = strstr(over, " for ");
    policy_pin_rule rule = {.permille = found->permille};
    bool is_good = end != NULL && take_over(over, (size_t)(end - over), &rule.over_ns) &&
                   take_for(end + 5 + strspn(end + 5, rule_blanks), &rule.minutes);
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

// --- The lines of a file

bool
policy_keep_age(const char *text, int64_t *out_ns)
{
    int64_t ns;
    LP_REQUIRE(policy_value_timespan(text, &ns) && ns > 0, false);
    *out_ns = ns;
    return true;
}

// take_bytes reads a number of bytes. Returns NULL, or the expected text.
static const char *
take_bytes(const char *value, uint64_t *bytes)
{
    LP_REQUIRE(*bytes == 0, once);
    bool is_good = lp_byte_count_parse(value, bytes) && *bytes > 0;
    return is_good ? NULL : "a number of bytes such as 5G";
}

// take_pin_when reads a line `pin-when`, of which each kind may be there once. Returns NULL, or the
// expected text.
static const char *
take_pin_when(const char *value, policy_keep *keep)
{
    unsigned kind = strcmp(value, "none") == 0                      ? POLICY_KEEP_PIN_NONE
                    : strcmp(value, "crash") == 0                   ? POLICY_KEEP_PIN_CRASH
                    : policy_pin_rule_parse(value, &keep->pin_rule) ? POLICY_KEEP_PIN_LATENCY
                                                                    : 0;
    LP_REQUIRE(kind != 0, "'crash', 'none' or a rule such as " POLICY_PIN_RULES);
    LP_REQUIRE((keep->pin_when & kind) == 0, "'pin-when crash' once, and one rule at most");
    keep->pin_when |= kind;
    bool is_none = (keep->pin_when & POLICY_KEEP_PIN_NONE) != 0;
    return is_none && keep->pin_when != POLICY_KEEP_PIN_NONE ? "'pin-when none' alone" : NULL;
}

static const char *
take_pause(const char *value, int64_t *ns)
{
    LP_REQUIRE(*ns == 0, once);
    bool is_good = policy_keep_age(value, ns) && *ns <= POLICY_KEEP_PAUSE_S_MAX * SECOND_NS;
    return is_good ? NULL : "a pause of up to 1h, such as 15m";
}

static const char *
take_budget(const char *value, uint64_t *bytes)
{
    policy_throttle rate;
    LP_REQUIRE(*bytes == 0, once);
    bool is_good = policy_value_bytes(value, &rate) && rate.count > 0 && rate.per_ns == HOUR_NS;
    *bytes = is_good ? (uint64_t)rate.count : 0;
    return is_good ? NULL : "bytes an hour such as 2G/h";
}

// take_value reads the value of a key. Returns NULL, or the expected text.
static const char *
take_value(const char *key, const char *value, policy_keep *keep)
{
    if (strcmp(key, "age") == 0) {
        LP_REQUIRE(keep->age_ns == 0, once);
        return policy_keep_age(value, &keep->age_ns) ? NULL : POLICY_KEEP_AGES;
    }
    if (strcmp(key, "bytes") == 0) {
        return take_bytes(value, &keep->bytes);
    }
    if (strcmp(key, "daily") == 0) {
        return take_bytes(value, &keep->daily_bytes);
    }
    if (strcmp(key, "recall") == 0) {
        LP_REQUIRE(keep->recall_ns == 0, once);
        keep->recall_ns = POLICY_KEEP_NO_RECALL;
        bool is_good = strcmp(value, "none") == 0 || policy_keep_age(value, &keep->recall_ns);
        return is_good ? NULL : "'none', or " POLICY_KEEP_AGES;
    }
    if (strcmp(key, "pin-when") == 0) {
        return take_pin_when(value, keep);
    }
    if (strcmp(key, "pin-pause") == 0) {
        return take_pause(value, &keep->pin_pause_ns);
    }
    if (strcmp(key, "recall-budget") == 0) {
        return take_budget(value, &keep->recall_budget_bytes);
    }
    if (strcmp(key, "trace") == 0) {
        LP_REQUIRE(keep->trace == POLICY_KEEP_TRACE_UNSET, once);
        bool is_whole = strcmp(value, "whole") == 0;
        keep->trace = is_whole ? POLICY_KEEP_TRACE_WHOLE : POLICY_KEEP_TRACE_NONE;
        return is_whole || strcmp(value, "none") == 0 ? NULL : "'whole' or 'none'";
    }
    return "'age', 'bytes', 'daily', 'recall', 'pin-when', 'pin-pause', 'recall-budget' or "
           "'trace'";
}

// take_line reads a line, which it changes. Returns NULL, or the expected text.
static const char *
take_line(char *line, policy_keep *keep)
{
    line[strcspn(line, "#")] = '\0';
    char *key = line + strspn(line, blanks);
    LP_REQUIRE(*key != '\0', NULL);
    char *value = key + strcspn(key, blanks);
    if (*value != '\0') {
        *value++ = '\0';
        value += strspn(value, blanks);
    }
    for (size_t len = strlen(value); len > 0 && strchr(blanks, value[len - 1]) != NULL;) {
        value[--len] = '\0';
    }
    return take_value(key, value, keep);
}

lp_err
policy_keep_parse(const char *path, lp_slice text, policy_keep *out, lp_problem *out_problem)
{
    lp_buf copy = {0};
    lp_buf_append(&copy, text.ptr, text.len);
    lp_buf_append(&copy, "", 1);
    lp_err err = lp_buf_check(&copy);
    LP_REQUIRE(err == LP_OK, lp_problem_set(out_problem, err, "%s: out of memory", path));
    policy_keep keep = {0};
    char *rest = (char *)copy.ptr;
    const char *wanted = strlen(rest) < text.len ? "text without NUL bytes" : NULL;
    for (unsigned number = 1; rest != NULL; number++) {
        char *line = strsep(&rest, "\n");
        wanted = wanted == NULL ? take_line(line, &keep) : wanted;
        if (wanted != NULL) {
            err = lp_problem_set(
                out_problem, LP_ECORRUPT, "%s: line %u: expected %s", path, number, wanted);
            break;
        }
    }
    lp_buf_fini(&copy);
    if (err == LP_OK) {
        *out = keep;
    }
    return err;
}

lp_err
policy_keep_read(const char *path, policy_keep *out, lp_problem *out_problem)
{
    lp_buf text = {0};
    lp_err err = policy_text_load(path, &text, out_problem);
    LP_THEN(err, policy_keep_parse(path, lp_buf_slice(&text), out, out_problem));
    lp_buf_fini(&text);
    return err;
}
