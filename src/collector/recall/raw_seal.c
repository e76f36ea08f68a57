// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/raw_seal.h"

#include "collector/base/metrics.h"
#include "collector/recall/raw/raw_ids.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"
#include "common/base/lp_time.h"

#include <string.h>

// A message, with the parts that it points to.
typedef struct sealed_message {
    Loupe__Wire__Sealed message;
    Loupe__Wire__Sealed__Part parts[SESSION_CHUNKS_MAX];
    Loupe__Wire__Sealed__Part *pointers[SESSION_CHUNKS_MAX];
} sealed_message;

static void
seal_check(const raw_seal *self)
{
    LP_ASSERT(self->raw != NULL && self->list != NULL && self->pins != NULL && self->run != 0);
}

static ProtobufCBinaryData
data_of(lp_slice bytes)
{
    return (ProtobufCBinaryData){.len = bytes.len, .data = (uint8_t *)(uintptr_t)bytes.ptr};
}

static void
fill_part(const assembly_part *from, Loupe__Wire__Sealed__Part *to)
{
    loupe__wire__sealed__part__init(to);
    to->chunk = from->ordinal;
    to->end_bytes = from->end_bytes;
    to->has_jfr = from->has_jfr;
    to->is_damaged = from->is_damaged;
    to->owns_gap = from->owns_gap;
    to->gap_begin = from->gap_before.begin;
    to->gap_end = from->gap_before.end;
    to->due = data_of(lp_ranges_bytes(&from->due));
    to->ignored_from = from->ignored_from;
    to->inode = journal_find_inode(from->journal);
}

// fill makes the message, which borrows the task.
static void
fill(const chunk_task *task, const chunk_task_output *output, uint64_t run, sealed_message *out)
{
    LP_ASSERT(task->part_count <= SESSION_CHUNKS_MAX);
    loupe__wire__sealed__init(&out->message);
    out->message.run = run;
    out->message.events = output->stats.events_out;
    out->message.contexts = output->stats.contexts_out;
    out->message.bytes = output->stats.bytes_out;
    for (size_t i = 0; i < task->part_count; i++) {
        fill_part(&task->parts[i], &out->parts[i]);
        out->pointers[i] = &out->parts[i];
    }
    out->message.content_hash = output->stored.content_hash;
    out->message.carry = data_of(lp_buf_slice(&task->carry_in));
    out->message.n_parts = task->part_count;
    out->message.parts = out->pointers;
    out->message.has_ended = task->has_ended;
    out->message.context_hold_ns = task->context_hold_ns;
    out->message.n_losses = CATALOG_LOSS_COUNT;
    out->message.losses = (uint64_t *)(uintptr_t)task->untold; // protobuf-c has no const
    out->message.end_message = (char *)(uintptr_t)task->end_message;
    if (task->own_source != NULL) {
        out->message.own_source = task->own_source;
    }
}

static lp_err
append(const chunk_commit *commit, uint64_t run, lp_slice ids)
{
    const chunk_task *task = commit->task;
    size_t end = chunk_task_unit_end(task, 0);
    LP_ASSERT(end == commit->output->part_count && task->parts[end - 1].has_jfr);
    LP_ASSERT(task->parts[end - 1].ordinal == commit->chunk.ordinal);
    sealed_message sealed;
    fill(task, commit->output, run, &sealed);
    sealed.message.ids = data_of(ids);
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.version = WIRE_VERSION;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_SEALED;
    request.sealed = &sealed.message;
    LP_REQUIRE(
        loupe__wire__request__get_packed_size(&request) <= WIRE_MESSAGE_BYTES_MAX, LP_ELIMIT);
    lp_buf packed = {0};
    lp_err err = lp_proto_append(&request.base, &packed);
    LP_THEN(err, journal_append(task->parts[end - 1].journal, lp_buf_slice(&packed)));
    lp_buf_fini(&packed);
    return err;
}

bool
raw_seal_wants(void *seal, const session *of)
{
    const raw_seal *self = seal;
    seal_check(self);
    return of->standing == SESSION_OURS && raw_tail_wants(self->raw, of->row.service);
}

bool
raw_seal_wants_traces(void *seal)
{
    const raw_seal *self = seal;
    seal_check(self);
    return policy_dir_has_whole_traces(self->policies);
}

// expect_before adds the chunk before a new one to the pins of its traces, which may begin there.
static void
expect_before(const raw_seal *self, const pin_stored *after)
{
    LP_ASSERT(!after->is_before);
    pin_stored before = *after;
    before.is_before = true;
    before.chunk.ordinal--;
    const raw_list_span span = raw_list_find_span(self->list, &before.chunk);
    before.start_wall_ns = span.from_wall_ns;
    before.end_wall_ns = span.to_wall_ns;
    if (after->chunk.ordinal > 0 && span.from_wall_ns <= span.to_wall_ns) {
        pins_expect(self->pins, &before);
    }
}

void
raw_seal_write(void *seal, const chunk_commit *commit)
{
    const raw_seal *self = seal;
    const session *of = commit->session;
    seal_check(self);
    lp_buf ids = {0};
    if (raw_ids_make(&commit->output->ids, &ids) != LP_OK) {
        metrics_add(METRICS_recall_ids_dropped, 1);
        lp_buf_clear(&ids);
    }
    if (append(commit, self->run, lp_buf_slice(&ids)) != LP_OK) {
        metrics_add(METRICS_recall_unsealed, 1); // pins count the chunk as missing
    }
    const catalog_chunk *stored = &commit->chunk;
    pin_stored pinned = {.chunk.ordinal = stored->ordinal,
        .service = of->row.service,
        .start_wall_ns = stored->start_wall_ns,
        .end_wall_ns = pins_stored_end(stored->start_wall_ns, stored->duration_ns),
        .ids = &commit->output->ids};
    memcpy(pinned.chunk.session_id, of->row.id, sizeof(pinned.chunk.session_id));
    raw_list_add(self->list, &pinned, lp_buf_slice(&ids)); // before a pin can look for it
    lp_buf_fini(&ids);
    pins_expect(self->pins, &pinned);
    expect_before(self, &pinned);
    if (self->watch != NULL) {
        latency_watch_add(self->watch, of->row.service, &commit->output->contexts, lp_time_now());
    }
    if (raw_seal_wants_traces(seal)) {
        policy_keep keep = policy_dir_find_keep(self->policies, of->row.service);
        bool is_whole = keep.trace == POLICY_KEEP_TRACE_WHOLE;
        trace_keep_add(self->traces, &pinned, is_whole, lp_time_mono_ns());
    }
}
