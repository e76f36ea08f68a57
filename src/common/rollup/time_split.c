// SPDX-License-Identifier: Apache-2.0
#include "common/rollup/time_split.h"

static const uint32_t NONE = UINT32_MAX;

// The current events, the innermost on top. Ended events are removed when they reach the top.
// TIME_PINNED events are in a separate stack as well.
typedef struct stack {
    time_span *spans;
    size_t count;
    size_t next; // the first that was not put on
    uint32_t top;
    uint32_t pinned; // the innermost TIME_PINNED of its own stack; NONE: there is none
} stack;

typedef struct splitter {
    stack thread;
    stack jvm;
    int64_t at_ns;
    int64_t left_ns;
    void (*on_piece)(void *arg, const time_piece *piece); // NULL: no callback
    void *arg;
} splitter;

// The innermost spans at a moment; NULL: none.
typedef struct moment {
    time_span *thread; // the innermost event
    time_span *pinned; // the innermost TIME_PINNED
    time_span *jvm;    // the innermost pause
} moment;

// find_top returns the innermost that goes on at at_ns, NULL if none does.
static time_span *
find_top(stack *s, int64_t at_ns)
{
    while (s->top != NONE && s->spans[s->top].end_ns <= at_ns) {
        s->top = s->spans[s->top].below;
    }
    return s->top == NONE ? NULL : &s->spans[s->top];
}

static time_span *
find_pinned(stack *s, int64_t at_ns)
{
    while (s->pinned != NONE && s->spans[s->pinned].end_ns <= at_ns) {
        s->pinned = s->spans[s->pinned].pinned_below;
    }
    return s->pinned == NONE ? NULL : &s->spans[s->pinned];
}

static moment
find_moment(splitter *s)
{
    return (moment){
        .thread = find_top(&s->thread, s->at_ns),
        .pinned = find_pinned(&s->thread, s->at_ns),
        .jvm = find_top(&s->jvm, s->at_ns),
    };
}

// find_counting returns what counts; NULL: the time is left.
static time_span *
find_counting(const moment *now)
{
    if (now->pinned != NULL) {
        return now->pinned;
    }
    bool waits = now->thread != NULL && time_category_is_waiting(now->thread->category);
    return waits || now->jvm == NULL ? now->thread : now->jvm;
}

// end_of returns when a span ends, if that is before end_ns.
static int64_t
end_of(const time_span *span, int64_t end_ns)
{
    return span != NULL && span->end_ns < end_ns ? span->end_ns : end_ns;
}

// advance counts the time up to to_ns, before which nothing else begins.
static void
advance(splitter *s, int64_t to_ns)
{
    while (s->at_ns < to_ns) {
        const moment now = find_moment(s);
        time_span *counting = find_counting(&now);
        int64_t end_ns = end_of(now.jvm, end_of(now.pinned, end_of(now.thread, to_ns)));
        bool is_stopped = now.jvm != NULL && now.thread != NULL;
        time_span *stopped = !is_stopped ? NULL : now.pinned != NULL ? now.pinned : now.thread;
        int64_t ns = end_ns - s->at_ns;
        *(counting != NULL ? &counting->own_ns : &s->left_ns) += ns;
        if (stopped != NULL) {
            stopped->stopped_ns += ns;
        }
        if (s->on_piece != NULL) {
            s->on_piece(s->arg, &(time_piece){s->at_ns, end_ns, counting, stopped});
        }
        s->at_ns = end_ns;
    }
}

// is_how_it_waits returns whether a span that begins is how the innermost event waits.
static bool
is_how_it_waits(splitter *s, stack *on, const time_span *span)
{
    const time_span *around = span->category == TIME_PARK ? find_top(on, s->at_ns) : NULL;
    return around != NULL && (around->category == TIME_SLEEP || around->category == TIME_IO);
}

static void
put_on(splitter *s, stack *on)
{
    time_span *span = &on->spans[on->next];
    if (span->end_ns <= span->begin_ns) {
        const moment now = find_moment(s);
        span->is_left = find_counting(&now) == NULL;
    } else if (!is_how_it_waits(s, on, span)) {
        span->below = on->top;
        on->top = (uint32_t)on->next;
        if (span->category == TIME_PINNED) {
            span->pinned_below = on->pinned;
            on->pinned = on->top;
        }
    }
    on->next++;
}

// find_next returns the one whose next event begins first, pauses before events of the thread:
// they go on at its begin. NULL at the end.
static stack *
find_next(splitter *s)
{
    bool has_thread = s->thread.next < s->thread.count;
    if (s->jvm.next == s->jvm.count) {
        return has_thread ? &s->thread : NULL;
    }
    bool is_jvm = !has_thread ||
                  s->jvm.spans[s->jvm.next].begin_ns <= s->thread.spans[s->thread.next].begin_ns;
    return is_jvm ? &s->jvm : &s->thread;
}

int64_t
time_split_each(int64_t begin_ns, int64_t end_ns, time_span *on_thread, size_t thread_count,
    time_span *pauses, size_t pause_count, void (*on_piece)(void *arg, const time_piece *piece),
    void *arg)
{
    splitter s = {
        .thread = {.spans = on_thread, .count = thread_count, .top = NONE, .pinned = NONE},
        .jvm = {.spans = pauses, .count = pause_count, .top = NONE, .pinned = NONE},
        .at_ns = begin_ns,
        .on_piece = on_piece,
        .arg = arg,
    };
    for (stack *on = find_next(&s); on != NULL; on = find_next(&s)) {
        time_span *span = &on->spans[on->next];
        span->own_ns = 0;
        span->stopped_ns = 0;
        span->is_left = false;
        advance(&s, span->begin_ns < end_ns ? span->begin_ns : end_ns);
        put_on(&s, on);
    }
    advance(&s, end_ns);
    return s.left_ns;
}

int64_t
time_split(int64_t begin_ns, int64_t end_ns, time_span *on_thread, size_t thread_count,
    time_span *pauses, size_t pause_count)
{
    return time_split_each(
        begin_ns, end_ns, on_thread, thread_count, pauses, pause_count, NULL, NULL);
}
