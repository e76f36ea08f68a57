// SPDX-License-Identifier: Apache-2.0
#include "naive.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { NS_PER_S = 1000000000 };

bool naive_is_quiet;

void
naive_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!naive_is_quiet) {
        vprint_error(format, args);
    }
    va_end(args);
}

int64_t
naive_unit(const naive *s, policy_throttle rate, int64_t time)
{
    return (s->wall_ns + time * (NS_PER_S / s->ticks_per_s)) / rate.per_ns;
}

// --- Contexts

static bool
is_context(const naive *s, const naive_event *event)
{
    return s->rules[event->type].is_contextual;
}

static bool
is_in(int64_t begin, int64_t time, int64_t end)
{
    return begin <= time && time <= end;
}

// Whether a contextual event was chosen shows, as then it is kept.
static bool
event_matters(const naive *s, const naive_event *c)
{
    const naive_rules *rules = &s->rules[c->type];
    return c->commit - c->begin >= rules->context_threshold &&
           (rules->context_throttle.per_ns == 0 || c->is_kept);
}

// A context without an end is as long as anybody wants, and in no sample.
static bool
context_matters(const naive *s, const naive_context *c)
{
    const naive_rules *rules = &s->rules[c->type];
    return c->end == INT64_MAX || (c->end - c->begin >= rules->context_threshold &&
                                      (rules->context_throttle.per_ns == 0 || c->is_kept));
}

static bool
is_covered(const naive *s, const naive_event *event)
{
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *c = &s->events[i];
        if (c != event && is_context(s, c) && c->thread == event->thread &&
            is_in(c->begin, event->commit, c->commit) && event_matters(s, c)) {
            return true;
        }
    }
    for (size_t i = 0; i < s->context_count; i++) {
        const naive_context *c = &s->contexts[i];
        if (c->thread == event->thread && is_in(c->begin, event->commit, c->end) &&
            context_matters(s, c)) {
            return true;
        }
    }
    return false;
}

static bool
is_triggered(const naive *s, const naive_event *c)
{
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        if (event != c && event->is_kept && event->thread == c->thread &&
            is_in(c->begin, event->commit, c->commit)) {
            return true;
        }
    }
    return false;
}

// A contextual event that ends with a context of the API comes before it if it began no sooner.
static bool
is_context_triggered(const naive *s, const naive_context *c)
{
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *event = &s->events[i];
        bool is_around = is_context(s, event) && event->commit == c->end && event->begin < c->begin;
        if (event->is_kept && event->thread == c->thread && !is_around &&
            is_in(c->begin, event->commit, c->end)) {
            return true;
        }
    }
    return false;
}

// --- Events

// passes returns whether an event passes everything but its throttle.
static bool
passes(const naive *s, const naive_event *event)
{
    const naive_rules *rules = &s->rules[event->type];
    if (rules->is_disabled || event->commit - event->begin < rules->threshold) {
        return false;
    }
    if (!rules->is_contextual) {
        return rules->select == POLICY_SELECT_ALL || is_covered(s, event);
    }
    bool is_long = event->commit - event->begin >= rules->context_threshold;
    return is_long && (rules->select == POLICY_SELECT_ALL || is_triggered(s, event));
}

static bool
say_event(const naive_event *event, const char *what)
{
    naive_say("event %zu [%" PRId64 ", %" PRId64 "] thread %" PRIu64 " %s\n", event->number,
        event->begin, event->commit, event->thread, what);
    return false;
}

// is_as_many compares how many were kept of a unit with how many may be.
static bool
is_as_many(policy_throttle rate, int64_t passed, int64_t kept, const char *what)
{
    int64_t most = passed < rate.count ? passed : rate.count;
    if (kept > most || (kept < most && rate.per_ns <= NS_PER_S)) {
        naive_say("%" PRId64 " %s kept of %" PRId64 " in a unit of %" PRId64
                  " ns that may have %" PRId64 "\n",
            kept, what, passed, rate.per_ns, rate.count);
        return false;
    }
    return true;
}

// must_be_all returns whether a unit over a second has to be used up: an event is dropped in its
// last second, for which nothing could be held back.
static bool
must_be_all(const naive *s, const naive_event *event, policy_throttle rate)
{
    const policy_throttle second = {.count = 1, .per_ns = NS_PER_S};
    return !event->is_kept && passes(s, event) &&
           (naive_unit(s, second, event->commit) + 1) % (rate.per_ns / NS_PER_S) == 0;
}

// is_unit_right counts the events of the type of event, and in its unit, by one of the type's
// rates.
static bool
is_unit_right(const naive *s, const naive_event *event, policy_throttle rate, const char *what)
{
    int64_t passed = 0;
    int64_t kept = 0;
    for (size_t i = 0; i < s->event_count; i++) {
        const naive_event *other = &s->events[i];
        if (other->type == event->type &&
            naive_unit(s, rate, other->commit) == naive_unit(s, rate, event->commit)) {
            passed += passes(s, other);
            kept += other->is_kept;
        }
    }
    bool is_good = is_as_many(rate, passed, kept, what) &&
                   (rate.per_ns <= NS_PER_S || kept == rate.count || !must_be_all(s, event, rate));
    return is_good || say_event(event, "is in it");
}

static bool
is_event_right(const naive *s, const naive_event *event)
{
    const naive_rules *rules = &s->rules[event->type];
    bool is_sampled = rules->throttle.per_ns > 0 || rules->context_throttle.per_ns > 0;
    bool is_passed = passes(s, event);
    if (event->is_kept && !is_passed) {
        return say_event(event, "is kept");
    }
    if (!is_sampled) {
        return event->is_kept == is_passed || say_event(event, "is dropped");
    }
    return (rules->throttle.per_ns == 0 || is_unit_right(s, event, rules->throttle, "events")) &&
           (rules->context_throttle.per_ns == 0 ||
               is_unit_right(s, event, rules->context_throttle, "contextual events"));
}

// --- Contexts of the Java API

static bool
is_unit_of_contexts_right(const naive *s, const naive_context *context)
{
    policy_throttle rate = s->rules[context->type].context_throttle;
    int64_t passed = 0;
    int64_t kept = 0;
    for (size_t i = 0; i < s->context_count; i++) {
        const naive_context *c = &s->contexts[i];
        if (c->type == context->type && c->end != INT64_MAX &&
            naive_unit(s, rate, c->end) == naive_unit(s, rate, context->end)) {
            passed += c->end - c->begin >= s->rules[c->type].context_threshold;
            kept += c->is_kept;
        }
    }
    return is_as_many(rate, passed, kept, "contexts");
}

static bool
is_context_right(const naive *s, const naive_context *c)
{
    bool is_kept = context_matters(s, c) && is_context_triggered(s, c);
    if (c->is_kept != is_kept) {
        naive_say("context %zu [%" PRId64 ", %" PRId64 "] thread %" PRIu64 " is %s\n", c->number,
            c->begin, c->end, c->thread, c->is_kept ? "kept" : "dropped");
        return false;
    }
    return s->rules[c->type].context_throttle.per_ns == 0 || c->end == INT64_MAX ||
           is_unit_of_contexts_right(s, c);
}

bool
naive_is_right(const naive *s)
{
    for (size_t i = 0; i < s->event_count; i++) {
        if (!is_event_right(s, &s->events[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < s->context_count; i++) {
        if (!is_context_right(s, &s->contexts[i])) {
            return false;
        }
    }
    return true;
}
