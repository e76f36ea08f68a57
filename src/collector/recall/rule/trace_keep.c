// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/rule/trace_keep.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_map.h"
#include "common/base/lp_time.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept_id {
    uint64_t hash;
    int64_t kept_mono_ns;
} kept_id;

typedef struct waiting_chunk {
    pin_chunk chunk;
    int64_t due_mono_ns;
    rollup_hashes dropped; // trace ids, ascending
    rollup_hashes before;  // those of them whose contexts began before the chunk
} waiting_chunk;

static void
waiting_chunk_fini(waiting_chunk *self)
{
    LP_VEC_FINI(&self->dropped);
    LP_VEC_FINI(&self->before);
}

// Ids of no trace in OpenTelemetry, Zipkin and Datadog: contexts with the same one have nothing in
// common.
static const char *const no_traces[] = {
    "00000000000000000000000000000000", "0000000000000000", "0"};

struct trace_keep {
    int64_t wait_ns;
    uint64_t no_traces[LP_COUNT(no_traces)]; // hashes
    LP_VEC(kept_id) kept;                    // recently, about the oldest first
    lp_map by_hash;                          // hash to the second when it was last kept
    LP_VEC(waiting_chunk) waiting;           // in the order of their commits
    size_t waiting_ids;                      // of all of them
    LP_VEC(trace_work) work;                 // in the order in which it was found
    trace_ids *shared;                       // with other collectors; NULL: there are none
};

static void
keep_check(const trace_keep *self)
{
    LP_ASSERT(self->by_hash.count == self->kept.count && self->kept.count <= TRACE_KEEP_IDS_MAX);
    LP_ASSERT(self->waiting.count <= TRACE_KEEP_CHUNKS_MAX);
    LP_ASSERT(self->waiting_ids <= TRACE_KEEP_WAITING_IDS_MAX);
    LP_ASSERT(self->work.count <= TRACE_KEEP_WORK_MAX);
}

trace_keep *
trace_keep_create(int64_t wait_ns)
{
    trace_keep *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->wait_ns = wait_ns;
        for (size_t i = 0; i < LP_COUNT(no_traces); i++) {
            const lp_slice text = {(const uint8_t *)no_traces[i], strlen(no_traces[i])};
            bool is_id = rollup_id_hash(text, &self->no_traces[i]);
            LP_ASSERT(is_id);
        }
    }
    return self;
}

void
trace_keep_share(trace_keep *self, trace_ids *with)
{
    LP_ASSERT(self->shared == NULL);
    self->shared = with;
}

void
trace_keep_destroy(trace_keep *self)
{
    if (self != NULL) {
        LP_VEC_FINI(&self->kept);
        lp_map_fini(&self->by_hash);
        LP_VEC_FINI_EACH(&self->waiting, waiting_chunk_fini(at));
        LP_VEC_FINI_EACH(&self->work, LP_VEC_FINI(&at->traces));
        free(self);
    }
}

// --- Commits

static uint32_t
second_of(int64_t mono_ns)
{
    return (uint32_t)(mono_ns / INT64_C(1000000000));
}

static void
keep_id(trace_keep *self, uint64_t hash, int64_t now_mono_ns)
{
    if (LP_ANY(self->no_traces, LP_COUNT(no_traces), *at == hash)) {
        return;
    }
    bool is_new = lp_map_find(&self->by_hash, hash) == LP_MAP_NONE;
    bool has_room = !is_new || (self->kept.count < TRACE_KEEP_IDS_MAX && LP_VEC_ROOM(&self->kept));
    bool is_added = has_room && lp_map_put(&self->by_hash, hash, second_of(now_mono_ns)) == LP_OK;
    if (is_added && is_new) {
        self->kept.items[self->kept.count++] = (kept_id){hash, now_mono_ns};
    }
    metrics_add(METRICS_recall_trace_ids_left_out, !is_added);
}

// keep_own keeps an id of this collector, and tells the others.
static void
keep_own(trace_keep *self, uint64_t hash, int64_t now_mono_ns)
{
    keep_id(self, hash, now_mono_ns);
    if (self->shared != NULL) {
        trace_ids_put(self->shared, hash);
    }
}

// keep_heard keeps the ids of other collectors.
static void
keep_heard(trace_keep *self, int64_t now_mono_ns)
{
    rollup_hashes heard = {0};
    trace_ids_take(self->shared, &heard);
    for (size_t i = 0; i < heard.count; i++) {
        keep_id(self, heard.items[i], now_mono_ns);
    }
    LP_VEC_FINI(&heard);
}

// divide keeps the traces of kept contexts, if is_whole, and adds the others to dropped. Errors:
// LP_ENOMEM
static lp_err
divide(trace_keep *self, const rollup_ids *ids, bool is_whole, int64_t now_mono_ns,
    rollup_hashes *dropped)
{
    const size_t most = TRACE_KEEP_CHUNK_IDS_MAX;
    size_t at = 0; // the first of the kept ids that is not below the one at hand
    for (size_t i = 0; i < ids->traces.count; i++) {
        uint64_t hash = ids->traces.items[i];
        LP_ASSERT(i == 0 || ids->traces.items[i - 1] < hash); // they are tidy
        while (at < ids->kept.count && ids->kept.items[at] < hash) {
            at++;
        }
        if (at < ids->kept.count && ids->kept.items[at] == hash) {
            if (is_whole) {
                keep_own(self, hash, now_mono_ns);
            }
        } else if (dropped->count < most) {
            LP_TRY(LP_VEC_ADD(dropped, hash)); // most traces may be kept: reserve for few
        } else {
            metrics_add(METRICS_recall_trace_ids_left_out, 1);
        }
    }
    return LP_OK;
}

// find_before adds the dropped traces whose contexts began before the chunk. Errors: LP_ENOMEM
static lp_err
find_before(const rollup_ids *ids, const rollup_hashes *dropped, rollup_hashes *out)
{
    size_t at = 0; // the first of the dropped ids that is not below the one at hand
    for (size_t i = 0; i < ids->before.count; i++) {
        uint64_t hash = ids->before.items[i];
        LP_ASSERT(i == 0 || ids->before.items[i - 1] < hash); // they are tidy
        while (at < dropped->count && dropped->items[at] < hash) {
            at++;
        }
        if (at < dropped->count && dropped->items[at] == hash) {
            LP_TRY(LP_VEC_ADD(out, hash));
        }
    }
    LP_ASSERT(out->count <= dropped->count);
    return LP_OK;
}

void
trace_keep_add(trace_keep *self, const pin_stored *stored, bool is_whole, int64_t now_mono_ns)
{
    LP_ASSERT(stored->ids != NULL);
    waiting_chunk made = {
        .chunk = stored->chunk, .due_mono_ns = lp_time_add(now_mono_ns, self->wait_ns)};
    keep_check(self);
    lp_err err = divide(self, stored->ids, is_whole, now_mono_ns, &made.dropped);
    LP_THEN(err, find_before(stored->ids, &made.dropped, &made.before));
    bool is_added = err == LP_OK && made.dropped.count > 0 &&
                    self->waiting.count < TRACE_KEEP_CHUNKS_MAX &&
                    self->waiting_ids + made.dropped.count <= TRACE_KEEP_WAITING_IDS_MAX &&
                    LP_VEC_ADD(&self->waiting, made) == LP_OK;
    if (is_added) {
        self->waiting_ids += made.dropped.count;
    } else {
        metrics_add(METRICS_recall_trace_chunks_left_out, err != LP_OK || made.dropped.count > 0);
        waiting_chunk_fini(&made);
    }
}

// --- Looking

// find_ids adds those of some dropped traces that were kept recently.
static void
find_ids(const trace_keep *self, const rollup_hashes *dropped, rollup_hashes *out)
{
    for (size_t i = 0; i < dropped->count; i++) {
        uint64_t hash = dropped->items[i];
        if (lp_map_find(&self->by_hash, hash) != LP_MAP_NONE) {
            bool is_added =
                out->count < TRACE_KEEP_EDITION_IDS_MAX && LP_VEC_ADD(out, hash) == LP_OK;
            metrics_add(METRICS_recall_trace_ids_left_out, !is_added);
        }
    }
}

// look_for adds a chunk with those of its dropped traces that were kept recently, if there are any.
static void
look_for(trace_keep *self, const pin_chunk *chunk, const rollup_hashes *dropped)
{
    trace_work found = {.chunk = *chunk};
    find_ids(self, dropped, &found.traces);
    bool is_added = found.traces.count > 0 && self->work.count < TRACE_KEEP_WORK_MAX &&
                    LP_VEC_ADD(&self->work, found) == LP_OK;
    if (!is_added) {
        metrics_add(METRICS_recall_trace_chunks_left_out, found.traces.count > 0);
        LP_VEC_FINI(&found.traces);
    }
}

static void
look_at(trace_keep *self, const waiting_chunk *chunk)
{
    metrics_add(METRICS_recall_trace_looks, 1);
    look_for(self, &chunk->chunk, &chunk->dropped);
    if (chunk->chunk.ordinal > 0) {
        pin_chunk before = chunk->chunk;
        before.ordinal--;
        look_for(self, &before, &chunk->before);
    }
}

// remove_first removes the first items of a list.
#define REMOVE_FIRST(vec, first)                                                                   \
    do {                                                                                           \
        LP_ASSERT((first) <= (vec)->count);                                                        \
        if ((first) > 0) {                                                                         \
            (vec)->count -= (first);                                                               \
            memmove((vec)->items, (vec)->items + (first), (vec)->count * sizeof(*(vec)->items));   \
        }                                                                                          \
    } while (0)

// look looks at the chunks that are due.
static void
look(trace_keep *self, int64_t now_mono_ns)
{
    size_t first = 0;
    size_t looks = 0;
    for (; first < self->waiting.count; first++) {
        waiting_chunk *chunk = &self->waiting.items[first];
        looks += chunk->dropped.count;
        if (chunk->due_mono_ns > now_mono_ns || (first > 0 && looks > TRACE_KEEP_LOOKS_MAX)) {
            break;
        }
        look_at(self, chunk);
        self->waiting_ids -= chunk->dropped.count;
        waiting_chunk_fini(chunk);
    }
    REMOVE_FIRST(&self->waiting, first);
}

// forget_id forgets an id that was first kept long ago, unless it was kept again since.
static void
forget_id(trace_keep *self, uint64_t hash, int64_t from_mono_ns)
{
    int64_t last_mono_ns = lp_map_find(&self->by_hash, hash) * INT64_C(1000000000);
    bool stays = last_mono_ns >= from_mono_ns &&
                 LP_VEC_ADD(&self->kept, (kept_id){hash, last_mono_ns}) == LP_OK;
    if (!stays) {
        lp_map_remove(&self->by_hash, hash);
    }
}

static void
forget(trace_keep *self, int64_t now_mono_ns)
{
    int64_t from_mono_ns = lp_time_add(now_mono_ns, -TRACE_KEEP_IDS_S * INT64_C(1000000000));
    size_t first = 0;
    for (; first < self->kept.count && self->kept.items[first].kept_mono_ns < from_mono_ns;
         first++) {
        forget_id(self, self->kept.items[first].hash, from_mono_ns);
    }
    REMOVE_FIRST(&self->kept, first);
}

void
trace_keep_tick(trace_keep *self, int64_t now_mono_ns)
{
    if (self->shared != NULL) {
        keep_heard(self, now_mono_ns);
    }
    forget(self, now_mono_ns);
    look(self, now_mono_ns);
    keep_check(self);
}

bool
trace_keep_take(trace_keep *self, trace_work *out_work)
{
    keep_check(self);
    LP_REQUIRE(self->work.count > 0, false);
    *out_work = self->work.items[0];
    REMOVE_FIRST(&self->work, 1);
    return true;
}
