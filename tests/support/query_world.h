// SPDX-License-Identifier: Apache-2.0
// query_world: the chunks of a session that a test makes, queries for them, and what the test says
// of the answers: lines, to compare with what a person has counted.

#pragma once

#include "support/jfr_sample.h"

#include "query/run/run.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { QUERY_WORLD_CHUNKS_MAX = 4, QUERY_WORLD_LINES_BYTES = 4096 };

static const int64_t query_world_wall_ns = 1700000000000000000; // of tick 0

// {0} is an empty one. query_world_fini ends it.
typedef struct query_world {
    jfr_build builds[QUERY_WORLD_CHUNKS_MAX];
    query_source sources[QUERY_WORLD_CHUNKS_MAX]; // once they are finished
    size_t count;
    query_names names;
    query_attributes attributes;
    query_outcome outcome;
    bool wants_attributes; // the test's
    char lines[QUERY_WORLD_LINES_BYTES];
} query_world;

static inline void
query_world_fini(query_world *w)
{
    for (size_t i = 0; i < w->count; i++) {
        jfr_build_fini(&w->builds[i]);
    }
    query_names_fini(&w->names);
    query_attributes_fini(&w->attributes);
}

// query_world_begin_chunk begins the next chunk, with types beside those of jfr_sample and with
// threads 1 and 2, which are thread-11 and thread-12.
static inline jfr_build *
query_world_begin_chunk(query_world *w, int64_t start_ticks, int64_t ticks_per_s,
    const jfr_build_type *more_types, size_t more_count)
{
    jfr_build *build = &w->builds[w->count++];
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, more_count * sizeof(*more_types));
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start_ticks,
                               .ticks_per_s = ticks_per_s,
                               .start_wall_ns = query_world_wall_ns + start_ticks,
                               .duration_ns = 1000});
    jfr_build_metadata(build, 1, types, count + more_count);
    jfr_sample_thread(build, 1, 11);
    jfr_sample_thread(build, 2, 12);
    return build;
}

// query_world_add_times adds startTime and duration to the payload of an event.
static inline void
query_world_add_times(jfr_build *build, int64_t start, int64_t end)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)end - (uint64_t)start);
}

// query_world_finish makes the chunks sources, all of one session.
static inline void
query_world_finish(query_world *w)
{
    for (size_t i = 0; i < w->count; i++) {
        jfr_build_checkpoint(&w->builds[i]);
        w->sources[i] = (query_source){.bytes = jfr_build_finish(&w->builds[i])};
    }
}

static inline query_sources
query_world_sources(const query_world *w)
{
    return (query_sources){.items = w->sources, .count = w->count};
}

static inline void query_world_say(query_world *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// query_world_say appends to the lines.
static inline void
query_world_say(query_world *w, const char *format, ...)
{
    size_t len = strlen(w->lines);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(w->lines + len, sizeof(w->lines) - len, format, args);
    va_end(args);
}

// query_world_short_name returns a name without its package.
static inline const char *
query_world_short_name(const query_world *w, uint32_t number)
{
    const char *name = query_names_text(&w->names, number);
    const char *dot = strrchr(name, '.');
    return dot == NULL ? name : dot + 1;
}

// query_world_after returns how long after tick 0 a point in time is, in ns.
static inline long long
query_world_after(int64_t wall_ns)
{
    return (long long)((uint64_t)wall_ns - (uint64_t)query_world_wall_ns);
}
