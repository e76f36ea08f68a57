// SPDX-License-Identifier: Apache-2.0
#include "compact_session.h"

#include "support/ctx_build.h"

#include "common/jfr/jfr_metadata.h"
#include "engine/requests/requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char id_name[] = "id";
static char number_name[] = "number";
static char tracer_name[] = "tracer";
static char order_name[] = "order";
static char request_name[] = "request";
static char recording_name[] = "loupe.RecordingContext";
static char nothing[] = "";
static char root_name[] = "loupe.Request";
static char end_name[] = "end";
static char hand_over_name[] = "loupe.HandOver";
static char from_name[] = "from";
static char handed_name[] = "handed";

const ctx_type session_types[SESSION_TYPES] = {
    {.id = SESSION_TRACER,
        .name = tracer_name,
        .label = nothing,
        .description = nothing,
        .attribute_count = 1,
        .attributes = {{CTX_STRING, id_name, nothing, nothing}}},
    {.id = SESSION_ORDER,
        .name = order_name,
        .label = nothing,
        .description = nothing,
        .attribute_count = 1,
        .attributes = {{CTX_LONG, number_name, nothing, nothing}}},
    {.id = SESSION_RECORDING,
        .name = recording_name,
        .label = nothing,
        .description = nothing,
        .is_recording = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, id_name, nothing, nothing},
            {CTX_LONG, request_name, nothing, nothing}}},
    {.id = SESSION_ROOT,
        .name = root_name,
        .label = nothing,
        .description = nothing,
        .is_root = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, request_name, nothing, nothing},
            {CTX_BOOLEAN, end_name, nothing, nothing}}},
    {.id = SESSION_HAND_OVER,
        .name = hand_over_name,
        .label = nothing,
        .description = nothing,
        .is_hand_over = true,
        .attribute_count = 2,
        .attributes = {{CTX_LONG, from_name, nothing, nothing},
            {CTX_LONG, handed_name, nothing, nothing}}},
};

session *
session_create(void)
{
    session *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    return s;
}

void
session_destroy(session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        jfr_build_fini(&s->chunks[i]);
        lp_buf_fini(&s->records[i]);
        if (s->has_run) {
            jfr_read_close(&s->outputs[i]);
            compact_result_fini(&s->results[i]);
        }
    }
    policy_destroy(s->rules);
    LP_VEC_FINI(&s->events);
    free(s);
}

int
session_setup(void **state)
{
    *state = session_create();
    return 0;
}

int
session_teardown(void **state)
{
    session_destroy(*state);
    return 0;
}

void
session_rules(session *s, const char *events)
{
    policy_destroy(s->rules);
    s->rules = compact_run_policy(events);
}

void
session_chunk(session *s, int64_t start_ticks)
{
    assert_true(s->count < SESSION_CHUNKS_MAX);
    jfr_sample_begin(&s->chunks[s->count], start_ticks);
    if (s->count == 0) {
        s->types[0] = session_types;
        s->type_count[0] = SESSION_TYPES;
    }
    s->count++;
}

jfr_build *
session_build(session *s)
{
    return &s->chunks[s->count - 1];
}

void
session_event_of(session *s, session_fate fate, const jfr_sample *event)
{
    size_t offset = jfr_sample_event(session_build(s), event);
    struct session_event *made = LP_VEC_PUSH(&s->events);
    assert_non_null(made);
    *made = (struct session_event){s->count - 1, offset, fate == KEPT};
}

void
session_trace(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread)
{
    char id[40];
    (void)snprintf(id, sizeof(id), "%" PRId64 "-%" PRId64, start, end);
    session_event_of(
        s, fate, &(jfr_sample){JFR_SAMPLE_TRACE, start, end, .thread = thread, .text = id});
}

void
session_mark(session *s, session_fate fate, int64_t time, uint64_t thread)
{
    session_event_of(s, fate, &(jfr_sample){JFR_SAMPLE_MARK, time, time, .thread = thread});
}

void
session_plain(session *s, session_fate fate, int64_t start, int64_t end, uint64_t thread)
{
    session_event_of(s, fate, &(jfr_sample){JFR_SAMPLE_PLAIN, start, end, .thread = thread});
}

void
session_set(session *s, int64_t time, int64_t thread, const char *value)
{
    lp_buf values = {0};
    ctx_build_latin1(&values, value);
    ctx_build_record(
        &s->records[s->count - 1], CTX_RECORD_SET, SESSION_TRACER, thread, time, &values);
    lp_buf_fini(&values);
}

void
session_unset(session *s, int64_t time, int64_t thread)
{
    session_unset_type(s, time, thread, SESSION_TRACER);
}

void
session_set_number(session *s, int64_t time, int64_t thread, uint16_t type, int64_t number)
{
    lp_buf values = {0};
    ctx_build_le(&values, (uint64_t)number, 8);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, type, thread, time, &values);
    lp_buf_fini(&values);
}

void
session_unset_type(session *s, int64_t time, int64_t thread, uint16_t type)
{
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_UNSET, type, thread, time, NULL);
}

void
session_thread_end(session *s, int64_t time, int64_t thread)
{
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_THREAD_END, 0, thread, time, NULL);
}

// add_set adds a SET record of two longs.
static void
add_set(session *s, int64_t time, int64_t thread, uint16_t type, uint64_t first, uint64_t second)
{
    lp_buf values = {0};
    ctx_build_le(&values, first, 8);
    ctx_build_le(&values, second, 8);
    ctx_build_record(&s->records[s->count - 1], CTX_RECORD_SET, type, thread, time, &values);
    lp_buf_fini(&values);
}

void
session_install_for(session *s, int64_t time, int64_t thread, int64_t map_id, uint64_t request)
{
    add_set(s, time, thread, SESSION_RECORDING, (uint64_t)map_id, request);
}

void
session_install(session *s, int64_t time, int64_t thread, int64_t map_id)
{
    session_install_for(s, time, thread, map_id, 0);
}

void
session_root(session *s, int64_t time, int64_t thread, uint64_t request, bool is_end)
{
    add_set(s, time, thread, SESSION_ROOT, request, is_end);
}

void
session_take(session *s, int64_t time, int64_t thread, int64_t from, int64_t handed)
{
    add_set(s, time, thread, SESSION_HAND_OVER, (uint64_t)from, (uint64_t)handed);
}

void
session_uninstall(session *s, int64_t time, int64_t thread)
{
    session_unset_type(s, time, thread, SESSION_RECORDING);
}

void
session_define(session *s, const ctx_recording *maps, size_t count)
{
    s->recordings[s->count - 1] = maps;
    s->recording_count[s->count - 1] = count;
}

// is_api_context returns whether a type is not of the input.
static bool
is_api_context(const session *s, const char *type_name)
{
    if (strcmp(type_name, JFR_REQUEST_TYPE) == 0 || strcmp(type_name, JFR_HAND_OVER_TYPE) == 0 ||
        strcmp(type_name, COMPACT_REQUEST_ACCOUNT_EVENT) == 0) {
        return s->has_requests;
    }
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < s->type_count[i]; k++) {
            if (strcmp(s->types[i][k].name, type_name) == 0) {
                return true;
            }
        }
    }
    return false;
}

typedef struct texts {
    LP_VEC(char *) lines;
} texts;

// texts_add appends the texts that a reader sees of an event.
static void
texts_add(texts *t, const jfr_read *in, const jfr_read_event *event)
{
    lp_buf text = {0};
    jfr_read_text(in, event, &text);
    char **line = LP_VEC_PUSH(&t->lines);
    assert_non_null(line);
    *line = (char *)text.ptr;
}

// expect_nulls puts null for keys that nothing describes, but for threads'.
static void
expect_nulls(texts *t)
{
    static const char before[] = "=undefined";
    static const char after[] = "=null";
    for (size_t i = 0; i < t->lines.count; i++) {
        char *at = t->lines.items[i];
        while ((at = strstr(at, before)) != NULL) {
            char *behind = at + strlen(before);
            bool is_thread = strncmp(at - strlen("Thread"), "Thread", strlen("Thread")) == 0;
            if (!is_thread) {
                memcpy(at, after, strlen(after));
                memmove(at + strlen(after), behind, strlen(behind) + 1);
            }
            at++;
        }
    }
}

static int
compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
texts_fini(texts *t)
{
    for (size_t i = 0; i < t->lines.count; i++) {
        free(t->lines.items[i]);
    }
    LP_VEC_FINI(&t->lines);
}

static void
texts_sort(texts *t)
{
    if (t->lines.count > 0) {
        qsort(t->lines.items, t->lines.count, sizeof(char *), compare_lines);
    }
}

static void
expect_same(texts *want, texts *got, size_t chunk)
{
    size_t i = 0;
    texts_sort(want);
    texts_sort(got);
    for (; i < want->lines.count || i < got->lines.count; i++) {
        const char *w = i < want->lines.count ? want->lines.items[i] : "(nothing more)";
        const char *g = i < got->lines.count ? got->lines.items[i] : "(nothing more)";
        if (strcmp(w, g) != 0) {
            print_error("chunk %zu\n want %s\n  got %s\n", chunk, w, g);
            break;
        }
    }
    bool is_same = i == want->lines.count && i == got->lines.count;
    texts_fini(want);
    texts_fini(got);
    assert_true(is_same);
}

static void
expect_events(session *s, size_t chunk)
{
    texts want = {0};
    texts got = {0};
    jfr_read input;
    const jfr_read *output = &s->outputs[chunk];
    jfr_read_open(&input, lp_buf_slice(&s->chunks[chunk].bytes));
    for (size_t i = 0; i < s->events.count; i++) {
        for (size_t k = 0; s->events.items[i].chunk == chunk && k < input.events.count; k++) {
            if (s->events.items[i].is_kept &&
                input.events.items[k].offset == s->events.items[i].offset) {
                texts_add(&want, &input, &input.events.items[k]);
            }
        }
    }
    for (size_t i = 0; i < output->events.count; i++) {
        if (!is_api_context(s, jfr_read_name(output, &output->events.items[i]))) {
            texts_add(&got, output, &output->events.items[i]);
        }
    }
    jfr_read_close(&input);
    expect_nulls(&want);
    expect_same(&want, &got, chunk);
}

void
session_run(session *s)
{
    compact_source sources[SESSION_CHUNKS_MAX];
    compact_result again[SESSION_CHUNKS_MAX];
    for (size_t i = 0; i < s->count; i++) {
        for (uint64_t key = 1; key <= 4; key++) {
            jfr_sample_thread(&s->chunks[i], key, (int64_t)key);
        }
        jfr_build_checkpoint(&s->chunks[i]);
        sources[i] = (compact_source){.jfr = jfr_build_finish(&s->chunks[i]),
            .records = lp_buf_slice(&s->records[i]),
            .types = s->types[i],
            .type_count = s->type_count[i],
            .recordings = s->recordings[i],
            .recording_count = s->recording_count[i],
            .recordings_ended = s->recordings_ended[i],
            .recordings_ended_count = s->recordings_ended_count[i],
            .filters = s->filters[i],
            .filter_count = s->filter_count[i]};
    }
    const compact_options options = {.policy = s->rules,
        .refused = COMPACT_REFUSED_ALL,
        .has_requests = s->has_requests,
        .known_ns = s->known_ns,
        .also = s->also};
    compact_run_how(sources, s->count, &options, COMPACT_RUN_AS_IT_IS, s->results);
    compact_run_how(sources, s->count, &options, COMPACT_RUN_SAVED, again);
    for (size_t i = 0; i < s->count; i++) {
        assert_int_equal(s->results[i].jfr.len, again[i].jfr.len);
        assert_memory_equal(s->results[i].jfr.ptr, again[i].jfr.ptr, again[i].jfr.len);
        compact_result_fini(&again[i]);
        compact_run_read(&s->results[i], &s->outputs[i]);
    }
    s->has_run = true;
    for (size_t i = 0; i < s->count; i++) {
        expect_events(s, i);
    }
}

static void
texts_add_part(texts *t, const jfr_read *output, const jfr_read_event *event)
{
    lp_buf text = {0};
    jfr_read_text(output, event, &text);
    const char *thread = strstr((char *)text.ptr, "javaThreadId=");
    const char *id = strstr((char *)text.ptr, "contextId=");
    const char *values = id == NULL ? NULL : strchr(id, ' ');
    assert_true(thread != NULL && values != NULL);
    int64_t begin = jfr_read_number(output, event, "startTime");
    char **line = LP_VEC_PUSH(&t->lines);
    assert_non_null(line);
    assert_true(asprintf(line, "#%" PRId64 " %" PRId64 "..%" PRId64 " @%d%s",
                    jfr_read_number(output, event, "contextId"), begin,
                    begin + jfr_read_number(output, event, "duration"),
                    (int)strtol(thread + strlen("javaThreadId="), NULL, 10), values) > 0);
    lp_buf_fini(&text);
}

void
session_expect_parts(session *s, size_t chunk, const char *want)
{
    texts parts = {0};
    lp_buf got = {0};
    const jfr_read *output = &s->outputs[chunk];
    for (size_t i = 0; i < output->events.count; i++) {
        if (strncmp(jfr_read_name(output, &output->events.items[i]), "dev.loupe.", 10) != 0 &&
            is_api_context(s, jfr_read_name(output, &output->events.items[i]))) {
            texts_add_part(&parts, output, &output->events.items[i]);
        }
    }
    texts_sort(&parts);
    for (size_t i = 0; i < parts.lines.count; i++) {
        lp_buf_append(&got, ", ", i == 0 ? 0 : 2);
        lp_buf_append(&got, parts.lines.items[i], strlen(parts.lines.items[i]));
    }
    lp_buf_append(&got, "", 1);
    assert_string_equal((char *)got.ptr, want);
    texts_fini(&parts);
    lp_buf_fini(&got);
}
