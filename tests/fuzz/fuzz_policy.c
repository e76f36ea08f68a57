// SPDX-License-Identifier: Apache-2.0
// A policy out of any bytes: what is read as one is the same when it is read again, has settings
// that make sense for every type that it names, and `loupe policy check` sees it as the collector
// does. The same bytes as a .keep file: its rule of latency, written, is read as the same.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_log.h"
#include "policy/policy_check.h"
#include "policy/policy_file.h"
#include "policy/policy_keep.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TYPES_MAX = 20 }; // that are asked for: each is compared with all patterns

static void
count_problem(void *arg, const char *text)
{
    LP_ASSERT(text[0] != '\0');
    (*(size_t *)arg)++;
}

// check looks at the text as `loupe policy check` does.
static lp_err
check(lp_slice text)
{
    char path[40];
    policy_check_counts counts = {0};
    size_t problems = 0;
    lp_problem problem = {.text = ""};
    int fd = memfd_create("policy", MFD_CLOEXEC);
    LP_ASSERT(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    lp_err err = policy_check(path, count_problem, &problems, &counts, &problem);
    LP_ASSERT(close(fd) == 0);
    LP_ASSERT(err == LP_OK ? counts.problems == problems : problem.text[0] != '\0');
    return err;
}

static void
check_throttle(policy_throttle throttle)
{
    LP_ASSERT(throttle.count >= 0 && throttle.per_ns >= 0);
}

static void
on_own(void *arg, const char *setting, const char *value)
{
    (void)arg;
    LP_ASSERT(setting[0] != '\0' && value != NULL);
}

static void
check_type(policy *rules, const char *name, bool is_contextual)
{
    static ctx_entry entry = {.key = "route", .value = {(const uint8_t *)"/pay", 4}};
    static const ctx_recording map = {.id = 1, .entry_count = 1, .entries = &entry};
    policy_event event = policy_find(rules, name, is_contextual);
    LP_ASSERT(event.threshold_ns >= 0 && event.context_threshold_ns >= 0);
    check_throttle(event.throttle);
    check_throttle(event.context_throttle);
    if (event.filter != NULL) {
        LP_ASSERT(event.filter->term_count > 0);
        (void)policy_filter_matches(event.filter, &map);
        (void)policy_filter_matches(event.filter, NULL);
    }
    if (event.context_match != NULL) {
        (void)policy_match_is(event.context_match, entry.value);
    }
    (void)policy_index_has(event.context_index, entry.key);
    policy_each_own(rules, name, is_contextual, on_own, NULL);
    policy_check_type(rules, name, is_contextual);
    policy_check_api_type(rules, name);
    LP_ASSERT(!policy_waits(NULL) && policy_is_contextual(NULL, name, true));
}

static void
check_conditions(const policy_filter_any *conditions)
{
    for (size_t i = 0; conditions != NULL && i < conditions->count; i++) {
        LP_ASSERT(conditions->items[i].term_count > 0);
    }
    LP_ASSERT(conditions == NULL || conditions->count > 0);
}

static void
check_requests(const policy *rules)
{
    const policy_requests *requests = policy_get_requests(rules);
    LP_ASSERT(requests->slow_ns >= 0 && requests->slowest.count <= POLICY_REQUESTS_COUNT_MAX);
    check_throttle(requests->slowest);
    check_throttle(requests->rare);
    check_throttle(requests->budget);
    check_conditions(requests->keep);
    check_conditions(requests->drop);
    policy_each_of_requests(rules, on_own, NULL);
}

static void
check_keep(lp_slice text)
{
    policy_keep keep;
    lp_problem problem = {.text = ""};
    if (policy_keep_parse("a.keep", text, &keep, &problem) != LP_OK) {
        LP_ASSERT(problem.text[0] != '\0');
        return;
    }
    LP_ASSERT(keep.age_ns >= 0 && keep.pin_pause_ns >= 0);
    LP_ASSERT(keep.recall_ns >= 0 || keep.recall_ns == POLICY_KEEP_NO_RECALL);
    LP_ASSERT((keep.pin_rule.permille != 0) == ((keep.pin_when & POLICY_KEEP_PIN_LATENCY) != 0));
    if (keep.pin_rule.permille != 0) {
        char written[POLICY_PIN_RULE_BYTES];
        policy_pin_rule again;
        policy_pin_rule_format(&keep.pin_rule, written);
        LP_ASSERT(policy_pin_rule_parse(written, &again));
        LP_ASSERT(again.permille == keep.pin_rule.permille);
        LP_ASSERT(again.over_ns == keep.pin_rule.over_ns);
        LP_ASSERT(again.minutes == keep.pin_rule.minutes);
    }
}

// What a policy says, as it is listed.
typedef struct listed {
    policy *rules; // NULL: it is only added up
    size_t settings;
    size_t bytes;
} listed;

static void
on_setting(void *arg, const char *event, const char *setting, const char *value)
{
    listed *l = arg;
    if (l->rules != NULL && l->settings < TYPES_MAX) {
        check_type(l->rules, event, false);
        check_type(l->rules, event, true);
    }
    l->settings++;
    l->bytes += strlen(event) + strlen(setting) + strlen(value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    lp_log_init("fuzz_policy", LP_LOG_ERROR);
    const lp_slice text = {bytes, count};
    policy_file *file;
    policy_file *again;
    lp_problem problem = {.text = ""};
    if (count > POLICY_FILE_BYTES_MAX) {
        return 0;
    }
    check_keep(text);
    lp_err err = policy_file_parse("a.jfc", text, &file, &problem);
    LP_ASSERT(err == check(text) || err == LP_ELIMIT); // the JVM's share has a limit of its own
    if (err != LP_OK) {
        LP_ASSERT(problem.text[0] != '\0');
        return 0;
    }
    listed first = {.rules = policy_file_get_rules(file)};
    listed second = {0};
    policy_file_each(file, on_setting, &first);
    check_requests(first.rules);
    LP_ASSERT(policy_file_parse("b.jfc", policy_file_get_text(file), &again, NULL) == LP_OK);
    policy_file_each(again, on_setting, &second);
    LP_ASSERT(first.settings == second.settings && first.bytes == second.bytes);
    LP_ASSERT(policy_file_get_id(file) == policy_file_get_id(again));
    LP_ASSERT(policy_file_get_jvm(file)->items.count == policy_file_get_jvm(again)->items.count);
    policy_file_unref(file);
    policy_file_unref(again);
    return 0;
}
