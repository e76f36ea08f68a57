// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/latency_watch.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>

// A minute that waits. Its histogram is fixed in size, and needs no arena.
typedef struct open_minute {
    latency_minute shown;
    uint64_t counts[HISTOGRAM_BUCKETS];
} open_minute;

typedef struct watched {
    char *name;
    LP_VEC(open_minute *) minutes; // ascending
    int64_t judged_wall_ns;        // the end of the last judged minute; INT64_MIN: none is
    latency_run run;
} watched;

struct latency_watch {
    policy_dir *policies;
    int64_t minute_ns;
    int64_t wait_ns;
    LP_VEC(watched) services; // by name
    size_t minute_count;      // of all
};

static void
watch_check(const latency_watch *self)
{
    LP_ASSERT(self->minute_ns > 0 && self->wait_ns >= 0);
    LP_ASSERT(self->services.count <= LATENCY_WATCH_SERVICES_MAX);
    LP_ASSERT(self->minute_count <= LATENCY_WATCH_MINUTES_ALL_MAX);
}

latency_watch *
latency_watch_create(policy_dir *policies, int64_t minute_ns, int64_t wait_ns)
{
    latency_watch *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        *self = (latency_watch){.policies = policies, .minute_ns = minute_ns, .wait_ns = wait_ns};
        watch_check(self);
    }
    return self;
}

// drop_minutes forgets the first minutes of a service.
static void
drop_minutes(latency_watch *self, watched *of, size_t count)
{
    LP_ASSERT(count <= of->minutes.count && of->minutes.count <= self->minute_count);
    for (size_t i = 0; i < count; i++) {
        free(of->minutes.items[i]);
    }
    of->minutes.count -= count;
    self->minute_count -= count;
    if (count > 0) {
        memmove(of->minutes.items, of->minutes.items + count,
            of->minutes.count * sizeof(*of->minutes.items));
    }
}

static void
fini_watched(latency_watch *self, watched *of)
{
    drop_minutes(self, of, of->minutes.count);
    LP_VEC_FINI(&of->minutes);
    free(of->name);
}

void
latency_watch_destroy(latency_watch *self)
{
    if (self != NULL) {
        LP_VEC_FINI_EACH(&self->services, fini_watched(self, at));
        LP_ASSERT(self->minute_count == 0);
        free(self);
    }
}

// --- Adding

// find_service finds or adds a service. NULL: there is no room for it.
static watched *
find_service(latency_watch *self, const char *name)
{
    size_t index =
        LP_BISECT(self->services.items, 0, self->services.count, strcmp(at->name, name) < 0);
    if (index < self->services.count && strcmp(self->services.items[index].name, name) == 0) {
        return &self->services.items[index];
    }
    bool has_room =
        self->services.count < LATENCY_WATCH_SERVICES_MAX && LP_VEC_ROOM(&self->services);
    char *copy = has_room ? strdup(name) : NULL;
    LP_REQUIRE(copy != NULL, NULL);
    watched *made = &self->services.items[index];
    memmove(made + 1, made, (self->services.count++ - index) * sizeof(*made));
    *made = (watched){.name = copy, .judged_wall_ns = INT64_MIN};
    return made;
}

// find_minute finds or adds a minute. NULL: there is no room for it.
static open_minute *
find_minute(latency_watch *self, watched *of, int64_t begin_wall_ns)
{
    open_minute **items = of->minutes.items;
    size_t index =
        LP_BISECT(items, 0, of->minutes.count, (*at)->shown.begin_wall_ns < begin_wall_ns);
    if (index < of->minutes.count && items[index]->shown.begin_wall_ns == begin_wall_ns) {
        return items[index];
    }
    bool has_room = of->minutes.count < LATENCY_WATCH_MINUTES_MAX &&
                    self->minute_count < LATENCY_WATCH_MINUTES_ALL_MAX && LP_VEC_ROOM(&of->minutes);
    open_minute *made = has_room ? calloc(1, sizeof(*made)) : NULL;
    LP_REQUIRE(made != NULL, NULL);
    made->shown = (latency_minute){.begin_wall_ns = begin_wall_ns,
        .lengths = {.counts = made->counts, .bucket_count = HISTOGRAM_BUCKETS}};
    open_minute **place = &of->minutes.items[index];
    memmove(place + 1, place, (of->minutes.count++ - index) * sizeof(*place));
    *place = made;
    self->minute_count++;
    return made;
}

// merge adds durations to a minute, which has room for every bucket.
static void
merge(open_minute *to, const histogram *from)
{
    LP_ASSERT(from->first + from->bucket_count <= HISTOGRAM_BUCKETS);
    rollup_add_ns(&to->shown.lengths.zero_count, from->zero_count);
    rollup_add_ns(&to->shown.lengths.count, from->count);
    for (uint32_t i = 0; i < from->bucket_count; i++) {
        rollup_add_ns(&to->counts[from->first + i], from->counts[i]);
    }
}

static void
add_slice(latency_watch *self, watched *of, const rollup_slice *slice, int64_t now_wall_ns)
{
    int64_t rest_ns = slice->begin_wall_ns % self->minute_ns;
    int64_t begin = slice->begin_wall_ns - rest_ns;
    if (rest_ns < 0 || begin < of->judged_wall_ns) { // or before 1970
        metrics_add(METRICS_recall_rule_requests_late, slice->all.count);
        return;
    }
    // Minutes of a clock that is wrong must not take the place of others.
    bool is_ahead = begin > lp_time_add(now_wall_ns, self->minute_ns);
    open_minute *minute = is_ahead ? NULL : find_minute(self, of, begin);
    if (minute == NULL) {
        metrics_add(METRICS_recall_rule_requests_left_out, slice->all.count);
        return;
    }
    merge(minute, &slice->all);
}

void
latency_watch_add(
    latency_watch *self, const char *service, const rollup *chunk, int64_t now_wall_ns)
{
    watch_check(self);
    if (policy_dir_find_keep(self->policies, service).pin_rule.permille == 0) {
        return;
    }
    watched *of = find_service(self, service);
    for (size_t i = 0; i < chunk->requests.count; i++) {
        const rollup_type *type = &chunk->requests.items[i];
        if (of == NULL) {
            metrics_add(METRICS_recall_rule_requests_left_out, type->numbers.all.count);
            continue;
        }
        for (size_t k = 0; k < type->slices.count; k++) {
            add_slice(self, of, &type->slices.items[k], now_wall_ns);
        }
    }
}

// --- Judging

bool
latency_run_add(latency_run *run, const policy_pin_rule *rule, const latency_minute *minute,
    int64_t minute_ns, int64_t *out_value_ns)
{
    LP_ASSERT(rule->permille > 0 && rule->minutes > 0 && minute_ns > 0);
    bool is_same = run->rule.permille == rule->permille && run->rule.over_ns == rule->over_ns;
    bool continues = is_same && run->end_wall_ns == minute->begin_wall_ns;
    *out_value_ns = histogram_quantile_ns(&minute->lengths, rule->permille / 1000.0);
    unsigned before = continues ? run->minutes : 0;
    *run = (latency_run){.rule = *rule,
        .end_wall_ns = lp_time_add(minute->begin_wall_ns, minute_ns),
        .minutes = *out_value_ns > rule->over_ns ? before + 1 : 0};
    return run->minutes >= rule->minutes;
}

typedef struct judging {
    int64_t due_wall_ns; // minutes that end until then are judged
    void (*on_slow)(void *arg, const latency_finding *found);
    void *arg;
} judging;

static void
judge_minute(const latency_watch *self, watched *of, const policy_keep *keep,
    const open_minute *minute, const judging *how)
{
    const policy_pin_rule *rule = &keep->pin_rule;
    latency_finding found = {.service = of->name, .keep = *keep};
    if (latency_run_add(&of->run, rule, &minute->shown, self->minute_ns, &found.value_ns)) {
        found.to_wall_ns = of->run.end_wall_ns;
        found.from_wall_ns = lp_time_add(found.to_wall_ns, -self->minute_ns * rule->minutes);
        how->on_slow(how->arg, &found);
    }
}

// judge judges the minutes of a service that are due.
static void
judge(latency_watch *self, watched *of, const judging *how)
{
    const policy_keep keep = policy_dir_find_keep(self->policies, of->name);
    size_t count = 0;
    for (; count < of->minutes.count; count++) {
        const open_minute *minute = of->minutes.items[count];
        int64_t end = lp_time_add(minute->shown.begin_wall_ns, self->minute_ns);
        if (end > how->due_wall_ns) {
            break;
        }
        of->judged_wall_ns = end;
        if (keep.pin_rule.permille > 0) {
            judge_minute(self, of, &keep, minute, how);
        }
    }
    drop_minutes(self, of, count);
}

// note_clock begins anew if the clock was set back: minutes are judged after their end.
static void
note_clock(watched *of, int64_t now_wall_ns)
{
    if (of->judged_wall_ns > now_wall_ns) {
        of->judged_wall_ns = INT64_MIN;
        of->run = (latency_run){0};
    }
}

// is_watched returns whether a service had requests recently; else it is ended.
static bool
is_watched(latency_watch *self, watched *of, int64_t now_wall_ns)
{
    const int64_t idle_ns = LATENCY_WATCH_IDLE_S * INT64_C(1000000000);
    bool is_idle =
        of->minutes.count == 0 && of->judged_wall_ns < lp_time_add(now_wall_ns, -idle_ns);
    if (is_idle) {
        fini_watched(self, of);
    }
    return !is_idle;
}

void
latency_watch_tick(latency_watch *self, int64_t now_wall_ns,
    void (*on_slow)(void *arg, const latency_finding *found), void *arg)
{
    const judging how = {
        .due_wall_ns = lp_time_add(now_wall_ns, -self->wait_ns), .on_slow = on_slow, .arg = arg};
    watch_check(self);
    for (size_t i = 0; i < self->services.count; i++) {
        note_clock(&self->services.items[i], now_wall_ns);
        if (self->services.items[i].minutes.count > 0) {
            judge(self, &self->services.items[i], &how);
        }
    }
    LP_VEC_KEEP(at, &self->services, is_watched(self, at, now_wall_ns));
}
