// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/edition/recall_wants.h"

#include "collector/journal/journal.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_find.h"
#include "common/base/lp_proto.h"
#include "query/select/request_id.h"

#include <stdlib.h>
#include <string.h>

static void
wants_check(const recall_wants *self)
{
    LP_ASSERT(self->id_count + self->request_count + self->thread_count <= RECALL_WANTS_MAX);
    LP_ASSERT(self->traces.count <= RECALL_WANTS_TRACES_MAX);
}

void
recall_wants_fini(recall_wants *self)
{
    LP_VEC_FINI(&self->traces);
    lp_arena_fini(&self->arena);
    *self = (recall_wants){0};
}

static bool
is_full(const recall_wants *self)
{
    wants_check(self);
    return self->id_count + self->request_count + self->thread_count == RECALL_WANTS_MAX;
}

// add_number adds a number to an ascending list.
static lp_err
add_number(
    const recall_wants *self, uint64_t *items, size_t *count, uint64_t number, bool *out_is_new)
{
    size_t first = LP_BISECT(items, 0, *count, *at < number);
    *out_is_new = first == *count || items[first] != number;
    LP_ASSERT(first == 0 || items[first - 1] < number);
    if (*out_is_new) {
        LP_REQUIRE(!is_full(self), LP_ELIMIT);
        memmove(&items[first + 1], &items[first], (*count - first) * sizeof(*items));
        items[first] = number;
        ++*count;
    }
    return LP_OK;
}

static const compact_also_thread *
find_thread(const recall_wants *self, const compact_also_thread *thread)
{
    return LP_FIND(self->threads, self->thread_count,
        at->java_id == thread->java_id && at->from_wall_ns == thread->from_wall_ns &&
            at->to_wall_ns == thread->to_wall_ns && strcmp(at->name, thread->name) == 0);
}

static lp_err
add_thread(recall_wants *self, const compact_also_thread *thread, bool *out_is_new)
{
    *out_is_new = find_thread(self, thread) == NULL;
    LP_REQUIRE(*out_is_new, LP_OK);
    LP_REQUIRE(!is_full(self), LP_ELIMIT);
    LP_ASSERT(self->thread_count < RECALL_WANTS_MAX);
    compact_also_thread added = *thread;
    added.name = lp_arena_text(&self->arena, thread->name);
    LP_TRY(lp_arena_err(&self->arena));
    self->threads[self->thread_count++] = added;
    return LP_OK;
}

// java_id_of returns the Java thread id that a text is; 0: it is a name.
static int64_t
java_id_of(const char *text)
{
    bool is_number = text[0] != '\0' && strspn(text, "0123456789") == strlen(text);
    return is_number ? strtoll(text, NULL, 10) : 0;
}

// thread_of returns the thread of a pin, whose name it borrows.
static compact_also_thread
thread_of(const pin_work *pinned)
{
    LP_ASSERT(pinned->selection.kind == PIN_THREAD);
    return (compact_also_thread){.name = pinned->selection.id,
        .java_id = java_id_of(pinned->selection.id),
        .from_wall_ns = pinned->from_wall_ns,
        .to_wall_ns = pinned->to_wall_ns};
}

lp_err
recall_wants_add(recall_wants *self, const pin_work *pinned, bool *out_is_new)
{
    const char *id = pinned->selection.id;
    const lp_slice text = {(const uint8_t *)id, strlen(id)};
    uint64_t number;
    bool has_number = false;
    if (pinned->selection.kind == PIN_TRACE) {
        has_number = rollup_id_hash(text, &number);
    } else if (pinned->selection.kind == PIN_REQUEST) {
        has_number = query_request_id_parse(text, &number);
    } else if (pinned->selection.kind == PIN_THREAD && strchr(id, '*') == NULL) {
        const compact_also_thread thread = thread_of(pinned);
        return add_thread(self, &thread, out_is_new);
    }
    LP_REQUIRE(has_number, LP_ELIMIT);
    return pinned->selection.kind == PIN_TRACE
               ? add_number(self, self->ids, &self->id_count, number, out_is_new)
               : add_number(self, self->requests, &self->request_count, number, out_is_new);
}

// merge writes the numbers of two ascending lists to out, ascending and each once, and returns how
// many there are. out has room for both.
static size_t
merge(
    const uint64_t *one, size_t one_count, const uint64_t *other, size_t other_count, uint64_t *out)
{
    size_t count = 0;
    for (size_t i = 0, k = 0; i < one_count || k < other_count;) {
        bool is_one = k == other_count || (i < one_count && one[i] <= other[k]);
        uint64_t number = is_one ? one[i++] : other[k++];
        if (count == 0 || out[count - 1] != number) {
            out[count++] = number;
        }
    }
    LP_ASSERT(count <= one_count + other_count);
    return count;
}

lp_err
recall_wants_add_traces(recall_wants *self, const rollup_hashes *traces, bool *out_is_new)
{
    rollup_hashes all = {0};
    LP_REQUIRE(LP_VEC_RESERVE(&all, self->traces.count + traces->count), LP_ENOMEM);
    all.count =
        merge(self->traces.items, self->traces.count, traces->items, traces->count, all.items);
    LP_ASSERT(all.count >= self->traces.count && all.count >= traces->count);
    *out_is_new = all.count > self->traces.count;
    if (all.count > RECALL_WANTS_TRACES_MAX) {
        LP_VEC_FINI(&all);
        return LP_ELIMIT;
    }
    LP_VEC_FINI(&self->traces);
    self->traces = all;
    wants_check(self);
    return LP_OK;
}

lp_err
recall_wants_view(recall_wants *self, compact_also *out_also)
{
    wants_check(self);
    uint64_t *ids = LP_ARENA_ARRAY(&self->arena, uint64_t, self->id_count + self->traces.count + 1);
    LP_TRY(lp_arena_err(&self->arena));
    *out_also = (compact_also){.ids = ids,
        .id_count = merge(self->ids, self->id_count, self->traces.items, self->traces.count, ids),
        .requests = self->requests,
        .request_count = self->request_count,
        .threads = self->threads,
        .thread_count = self->thread_count};
    return LP_OK;
}

void
recall_wants_ask(const recall_wants *self, const pin_work *pinned, compact_also *view)
{
    const char *id = pinned->selection.id;
    uint64_t number;
    if (pinned->selection.kind == PIN_REQUEST &&
        query_request_id_parse((lp_slice){(const uint8_t *)id, strlen(id)}, &number)) {
        view->asked_request = LP_FIND(self->requests, self->request_count, *at == number);
    } else if (pinned->selection.kind == PIN_THREAD) {
        const compact_also_thread thread = thread_of(pinned);
        view->asked_thread = find_thread(self, &thread);
    }
}

// --- The record

// A message, with the parts that it points to.
typedef struct record {
    Loupe__Wire__Recalled message;
    Loupe__Wire__Recalled__Thread threads[RECALL_WANTS_MAX];
    Loupe__Wire__Recalled__Thread *pointers[RECALL_WANTS_MAX];
} record;

// fill makes the message, which borrows wants. protobuf-c has no const.
static void
fill(const recall_wants *self, uint64_t edition, const recall_counts *counts, record *out)
{
    wants_check(self);
    LP_ASSERT(edition <= UINT32_MAX);
    loupe__wire__recalled__init(&out->message);
    for (size_t i = 0; i < self->thread_count; i++) {
        loupe__wire__recalled__thread__init(&out->threads[i]);
        out->threads[i].name = (char *)(uintptr_t)self->threads[i].name;
        out->threads[i].java_id = self->threads[i].java_id;
        out->threads[i].from_wall_ns = self->threads[i].from_wall_ns;
        out->threads[i].to_wall_ns = self->threads[i].to_wall_ns;
        out->pointers[i] = &out->threads[i];
    }
    out->message.n_ids = self->id_count;
    out->message.ids = (uint64_t *)(uintptr_t)self->ids;
    out->message.n_traces = self->traces.count;
    out->message.traces = self->traces.items;
    out->message.n_requests = self->request_count;
    out->message.requests = (uint64_t *)(uintptr_t)self->requests;
    out->message.n_threads = self->thread_count;
    out->message.threads = out->pointers;
    out->message.edition = (uint32_t)edition;
    out->message.events = counts->events;
    out->message.contexts = counts->contexts;
    out->message.bytes = counts->bytes;
}

lp_err
recall_wants_write(const recall_wants *self, uint64_t edition, const recall_counts *counts,
    const char *journal_path)
{
    record made;
    fill(self, edition, counts, &made);
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_RECALLED;
    request.recalled = &made.message;
    lp_buf packed = {0};
    journal *file = NULL;
    lp_err err = lp_proto_append(&request.base, &packed);
    LP_THEN(err, journal_open(journal_path, &file));
    LP_THEN(err, journal_append(file, lp_buf_slice(&packed)));
    journal_unref(file);
    lp_buf_fini(&packed);
    return err;
}

lp_err
recall_wants_read(recall_wants *self, const Loupe__Wire__Recalled *from)
{
    bool is_new;
    lp_err err = LP_OK;
    recall_wants_fini(self);
    for (size_t i = 0; i < from->n_ids && err == LP_OK; i++) {
        err = add_number(self, self->ids, &self->id_count, from->ids[i], &is_new);
    }
    for (size_t i = 0; i < from->n_requests && err == LP_OK; i++) {
        err = add_number(self, self->requests, &self->request_count, from->requests[i], &is_new);
    }
    for (size_t i = 0; i < from->n_threads && err == LP_OK; i++) {
        const Loupe__Wire__Recalled__Thread *t = from->threads[i];
        err = add_thread(self,
            &(compact_also_thread){t->name, t->java_id, t->from_wall_ns, t->to_wall_ns}, &is_new);
    }
    for (size_t i = 1; i < from->n_traces && err == LP_OK; i++) {
        err = from->traces[i - 1] < from->traces[i] ? LP_OK : LP_ECORRUPT;
    }
    if (err == LP_OK) {
        const rollup_hashes traces = {.items = from->traces, .count = from->n_traces};
        err = recall_wants_add_traces(self, &traces, &is_new);
    }
    return err == LP_ELIMIT ? LP_ECORRUPT : err;
}
