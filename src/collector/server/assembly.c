// SPDX-License-Identifier: Apache-2.0

#include "collector/server/assembly.h"

#include "common/context/ctx_pack.h"
#include "common/context/ctx_type.h"
#include "common/wire/wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void
set_gap(assembly *self, const char *what, uint64_t offset)
{
    self->has_gap = true;
    (void)lp_problem_set(&self->gap, LP_OK, "%s at offset %" PRIu64, what, offset);
}

// add_jfr appends the batch's piece of the chunk. After a gap nothing more can be used.
static lp_err
add_jfr(assembly *self, const Loupe__Wire__Batch *batch)
{
    if (self->has_gap) {
        return LP_OK;
    }
    if (batch->jfr_size > 0) {
        if (batch->chunk_offset != self->jfr.len) {
            set_gap(self, "bytes of the chunk are missing", self->jfr.len);
            return LP_OK;
        }
        if (batch->jfr_size > self->bytes_max - self->jfr.len) {
            set_gap(self, "the chunk is over the limit", self->jfr.len);
            return LP_OK;
        }
        lp_slice frame = {batch->jfr_zstd.data, batch->jfr_zstd.len};
        lp_err err = wire_decompress(frame, batch->jfr_size, &self->jfr);
        if (err == LP_ENOMEM) {
            return err;
        }
        if (err != LP_OK) {
            set_gap(self, "the batch's zstd frame is damaged", self->jfr.len);
            return LP_OK;
        }
    }
    jfr_chunk_info info;
    lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
    if (header.len == JFR_CHUNK_HEADER_SIZE && jfr_chunk_parse(header, &info, NULL) == LP_OK &&
        info.size_bytes <= self->jfr.len) {
        memcpy(self->header, header.ptr, header.len);
        self->header_bytes = info.size_bytes;
    }
    return LP_OK;
}

static lp_err
add_types(assembly *self, const Loupe__Wire__Batch *batch)
{
    if (batch->n_context_types == 0) {
        return LP_OK;
    }
    ctx_type *types =
        reallocarray(self->types, self->type_count + batch->n_context_types, sizeof(*types));
    if (types == NULL) {
        return LP_ENOMEM;
    }
    self->types = types;
    for (size_t i = 0; i < batch->n_context_types; i++) {
        lp_err err = wire_type_decode(batch->context_types[i], &types[self->type_count]);
        if (err == LP_ENOMEM) {
            return err;
        }
        if (err == LP_OK) { // the engine leaves out records of a type that makes no sense
            self->type_count++;
        }
    }
    return LP_OK;
}

static lp_err
add_records(assembly *self, const Loupe__Wire__Batch *batch)
{
    if (batch->contexts_size == 0) {
        return LP_OK;
    }
    if (batch->contexts_size > self->bytes_max - self->records.len) {
        set_gap(self, "the context records are over the limit", self->jfr.len);
        return LP_OK;
    }
    lp_slice packed = {batch->contexts_packed.data, batch->contexts_packed.len};
    lp_err err = ctx_unpack(packed, batch->contexts_size, &self->records);
    if (err == LP_ENOMEM) {
        return err;
    }
    if (err != LP_OK) {
        set_gap(self, "the context records are damaged", self->jfr.len);
    }
    return LP_OK;
}

// add_recordings adds the maps of RecordingContexts, and the ids of those that have ended.
static lp_err
add_recordings(assembly *self, const Loupe__Wire__Batch *batch)
{
    for (size_t i = 0; i < batch->n_recording_contexts; i++) {
        ctx_recording map;
        lp_err err = wire_recording_decode(batch->recording_contexts[i], &map);
        if (err == LP_ECORRUPT) { // the engine leaves out contexts without a map
            continue;
        }
        ctx_recording *slot = err == LP_OK ? LP_VEC_PUSH(&self->recordings) : NULL;
        if (slot == NULL) {
            if (err == LP_OK) {
                ctx_recording_fini(&map);
            }
            return LP_ENOMEM;
        }
        *slot = map;
    }
    size_t count = batch->n_recording_contexts_ended;
    if (!LP_VEC_RESERVE(&self->recordings_ended, count)) {
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        self->recordings_ended.items[self->recordings_ended.count++] =
            batch->recording_contexts_ended[i];
    }
    return LP_OK;
}

static lp_err
add_filters(assembly *self, const Loupe__Wire__Batch *batch)
{
    for (size_t i = 0; i < batch->n_context_filters; i++) {
        ctx_filter filter;
        lp_err err = wire_filter_decode(batch->context_filters[i], &filter);
        if (err == LP_ECORRUPT) {
            continue;
        }
        ctx_filter *slot = err == LP_OK ? LP_VEC_PUSH(&self->filters) : NULL;
        if (slot == NULL) {
            if (err == LP_OK) {
                ctx_filter_fini(&filter);
            }
            return LP_ENOMEM;
        }
        *slot = filter;
    }
    return LP_OK;
}

static lp_err
add_batch(assembly *self, const assembly_part *part, const Loupe__Wire__Batch *batch)
{
    lp_err err = add_types(self, batch);
    err = err != LP_OK ? err : add_recordings(self, batch);
    err = err != LP_OK ? err : add_filters(self, batch);
    err = err != LP_OK ? err : add_records(self, batch);
    bool is_of_chunk = batch->chunk == part->ordinal && part->has_jfr;
    return err == LP_OK && is_of_chunk ? add_jfr(self, batch) : err;
}

lp_err
assembly_add(assembly *self, const assembly_part *part)
{
    journal_cursor cursor;
    lp_slice message;
    lp_err err;
    journal_cursor_init(&cursor, part->journal, part->end_bytes);
    while ((err = journal_cursor_next(&cursor, &message)) == LP_OK) {
        Loupe__Wire__Request *request =
            loupe__wire__request__unpack(NULL, message.len, message.ptr);
        err = LP_ENOMEM; // it could be unpacked before it was written
        if (request != NULL) {
            err = request->body_case == LOUPE__WIRE__REQUEST__BODY_BATCH
                      ? add_batch(self, part, request->batch)
                      : LP_OK;
            loupe__wire__request__free_unpacked(request, NULL);
        }
        if (err != LP_OK) {
            break;
        }
    }
    if (err == LP_ECORRUPT) { // it was in order when it was written or recovered
        set_gap(self, "the journal is damaged", cursor.offset);
        err = LP_OK;
    }
    journal_cursor_fini(&cursor);
    return err == LP_EEND ? LP_OK : err;
}

lp_err
assembly_finish(assembly *self, lp_problem *out_problem)
{
    if (self->jfr.len == 0 && !self->has_gap) {
        return LP_OK;
    }
    if (self->header_bytes == 0) {
        return lp_problem_set(out_problem, LP_ECORRUPT, "%s",
            self->has_gap ? self->gap.text : "no header covers the chunk's bytes");
    }
    self->jfr.len = self->header_bytes;
    memcpy(self->jfr.ptr, self->header, JFR_CHUNK_HEADER_SIZE);
    self->jfr.ptr[JFR_CHUNK_STATE_OFFSET] = JFR_CHUNK_STATE_FINISHED;
    return LP_OK;
}

compact_source
assembly_view(const assembly *self)
{
    return (compact_source){
        .jfr = lp_buf_slice(&self->jfr),
        .records = lp_buf_slice(&self->records),
        .types = self->types,
        .type_count = self->type_count,
        .recordings = self->recordings.items,
        .recording_count = self->recordings.count,
        .recordings_ended = self->recordings_ended.items,
        .recordings_ended_count = self->recordings_ended.count,
        .filters = self->filters.items,
        .filter_count = self->filters.count,
    };
}

void
assembly_fini(assembly *self)
{
    for (size_t i = 0; i < self->type_count; i++) {
        ctx_type_fini(&self->types[i]);
    }
    free(self->types);
    for (size_t i = 0; i < self->recordings.count; i++) {
        ctx_recording_fini(&self->recordings.items[i]);
    }
    LP_VEC_FINI(&self->recordings);
    LP_VEC_FINI(&self->recordings_ended);
    for (size_t i = 0; i < self->filters.count; i++) {
        ctx_filter_fini(&self->filters.items[i]);
    }
    LP_VEC_FINI(&self->filters);
    lp_buf_fini(&self->jfr);
    lp_buf_fini(&self->records);
    *self = (struct assembly){0};
}
