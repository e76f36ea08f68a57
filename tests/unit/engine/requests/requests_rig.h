// SPDX-License-Identifier: Apache-2.0
// requests_rig: parts, roots and windows as tests of requests.h write them by hand, in one line
// each.
//
// Threads: one thread at a time.

#pragma once

#include "engine/request_reasons.h"
#include "engine/requests/requests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    LINGER = 10,
    NONE = -1,
    OPEN = 0, // in place of an end
    MANY = 100000,
};

// A session: its windows one after the other.
typedef struct session {
    lp_arena arena;
    lp_arena carried[2];
    size_t windows;
    compact_open_requests open;
    compact_requests out;
} session;

static inline session *
begin_session(void)
{
    session *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    return s;
}

static inline void
end_session(session *s)
{
    lp_arena_fini(&s->arena);
    lp_arena_fini(&s->carried[0]);
    lp_arena_fini(&s->carried[1]);
    free(s);
}

// run_window finds the requests of the next window.
static inline lp_err
run_window(session *s, compact_requests_input input)
{
    lp_arena *next = &s->carried[s->windows % 2];
    lp_arena_reset(&s->arena);
    lp_arena_reset(next);
    input.open = s->windows == 0 ? NULL : &s->open;
    input.lo = s->windows == 0 ? INT64_MIN : input.lo;
    input.linger_ticks = LINGER;
    input.known = input.known == 0 ? input.hi : input.known;
    s->out = (compact_requests){.request_of = NULL};
    compact_requests_make(&input, &s->arena, &s->out);
    lp_err err = lp_arena_err(&s->arena);
    compact_open_requests open = {.arena = next};
    if (err == LP_OK) {
        compact_requests_carry(&s->out, &open);
        err = lp_arena_err(next);
    }
    s->open = open;
    s->windows++;
    return err;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// RUN runs a window of these arrays up to hi.
#define RUN(s, begin, end, parts_, ...)                                                            \
    assert_int_equal(run_window(s, (compact_requests_input){.lo = (begin),                         \
                                       .hi = (end),                                                \
                                       .parts = (parts_),                                          \
                                       .part_count = COUNT_OF(parts_),                             \
                                       __VA_ARGS__}),                                              \
        LP_OK)

static inline compact_request_part
part(uint64_t thread, int64_t begin, int64_t end, uint64_t key)
{
    return (compact_request_part){
        .thread = thread,
        .begin = begin,
        .end = end == OPEN ? INT64_MAX : end,
        .key = key,
        .source = key == 0 ? COMPACT_REQUEST_NESTED : COMPACT_REQUEST_BY_ATTRIBUTE,
        .is_new = true,
    };
}

static inline compact_request_part
rooted(uint64_t thread, int64_t begin, int64_t end, uint64_t key)
{
    compact_request_part p = part(thread, begin, end, key);
    p.is_rooted = true;
    p.source = COMPACT_REQUEST_BY_API;
    return p;
}

static inline compact_request_part
known(compact_request_part p)
{
    p.is_new = false;
    return p;
}

static inline compact_root
root(uint64_t key, int64_t ticks, bool is_end)
{
    return (compact_root){.key = key,
        .thread = 1,
        .ticks = ticks,
        .source = COMPACT_REQUEST_BY_API,
        .is_end = is_end};
}

static inline void
expect(const session *s, size_t index, uint64_t key, int64_t begin, int64_t end, int64_t busy,
    uint64_t parts)
{
    assert_true(index < s->out.items.count);
    const compact_request *r = &s->out.items.items[index];
    assert_true(key == 0 || r->key == key);
    assert_int_equal(r->begin, begin);
    assert_int_equal(r->end, end);
    assert_int_equal(r->busy_ticks, busy);
    assert_int_equal(r->part_count, parts);
}

static inline const compact_request *
item(const session *s, size_t index)
{
    assert_true(index < s->out.items.count);
    return &s->out.items.items[index];
}

static inline int
request_of(const session *s, size_t part)
{
    return s->out.request_of[part] == COMPACT_REQUEST_NONE ? NONE : (int)s->out.request_of[part];
}
