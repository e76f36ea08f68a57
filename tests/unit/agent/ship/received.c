// SPDX-License-Identifier: Apache-2.0
#include "unit/agent/ship/received.h"

#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// receive_again forgets the batch's chunk, which begins again. A collector that goes back to an
// earlier one may be another: all that records name comes again.
static void
receive_again(received *r, const Loupe__Wire__Batch *batch)
{
    assert_int_equal(batch->chunk_offset, 0);
    if (batch->chunk < r->chunk_count) {
        r->has_gone_back = true;
        r->chunk_count = batch->chunk + 1;
        r->contexts.len = r->contexts_begin[batch->chunk];
        r->type_count = 0;
        r->ended_count = 0;
        r->last_count = 0;
        memset(r->is_known, 0, sizeof(r->is_known));
        memset(r->is_ended, 0, sizeof(r->is_ended));
    }
    lp_buf_clear(&r->chunks[batch->chunk]);
}

// has_nothing returns whether a batch is only there for its number: its content comes again.
static bool
has_nothing(const Loupe__Wire__Batch *batch)
{
    return batch->jfr_size == 0 && batch->contexts_size == 0 && batch->chunk_header.len == 0 &&
           batch->n_recording_contexts == 0 && batch->n_recording_contexts_ended == 0 &&
           !batch->begins_again && !batch->is_last;
}

static void
receive_jfr(received *r, const Loupe__Wire__Batch *batch)
{
    assert_true(batch->chunk < RECEIVED_CHUNKS_MAX);
    if (has_nothing(batch)) {
        return;
    }
    lp_buf *chunk = &r->chunks[batch->chunk];
    // Batches of a chunk follow each other, and so do the chunks.
    assert_true(batch->chunk + 1 == r->chunk_count || batch->chunk == r->chunk_count);
    if (batch->chunk == r->chunk_count) {
        r->contexts_begin[batch->chunk] = r->contexts.len;
    }
    r->chunk_count = batch->chunk + 1;
    assert_int_equal(batch->chunk_offset, chunk->len);
    assert_true(batch->jfr_size <= WIRE_BULK_BYTES_MAX);
    if (batch->jfr_size > 0) {
        assert_int_equal(wire_decompress((lp_slice){batch->jfr_zstd.data, batch->jfr_zstd.len},
                             batch->jfr_size, chunk),
            LP_OK);
    }
    if (batch->chunk_header.len > 0) {
        assert_int_equal(batch->chunk_header.len, JFR_CHUNK_HEADER_SIZE);
        jfr_chunk_info info;
        assert_int_equal(
            jfr_chunk_parse(
                (lp_slice){batch->chunk_header.data, batch->chunk_header.len}, &info, NULL),
            LP_OK);
        assert_int_equal(info.size_bytes, chunk->len);
        memcpy(r->headers[batch->chunk], batch->chunk_header.data, JFR_CHUNK_HEADER_SIZE);
    }
}

static void
receive_contexts(received *r, const Loupe__Wire__Batch *batch)
{
    if (batch->contexts_size == 0) {
        return;
    }
    assert_int_equal(ctx_unpack((lp_slice){batch->contexts_packed.data, batch->contexts_packed.len},
                         batch->contexts_size, &r->contexts),
        LP_OK);
    assert_true(r->type_count > 0); // before their use
}

// receive_maps expects every map once, in order, and before the first record that names it: those
// of this test have the id for a time. Behind one that has ended no record names it.
static void
receive_maps(received *r, const Loupe__Wire__Batch *batch, size_t contexts_before)
{
    for (size_t i = 0; i < batch->n_recording_contexts; i++) {
        uint64_t id = batch->recording_contexts[i]->id;
        if (r->has_gone_back) {
            r->map_count = id > r->map_count ? id : r->map_count;
        } else {
            assert_int_equal(id, ++r->map_count);
        }
        assert_in_range(id, 1, RECEIVED_MAPS_MAX - 1);
        assert_false(r->is_known[id]);
        r->is_known[id] = true;
        assert_int_equal(batch->recording_contexts[i]->n_entries, 1);
        assert_string_equal(batch->recording_contexts[i]->entries[0]->key, "key");
    }
    for (size_t at = contexts_before; r->map_count > 0 && at < r->contexts.len;) {
        ctx_record_header record;
        memcpy(&record, r->contexts.ptr + at, sizeof(record));
        assert_in_range(record.time_ticks, 1, r->map_count);
        assert_true(r->is_known[record.time_ticks]);
        assert_false(r->is_ended[record.time_ticks]);
        at += record.size_bytes;
    }
    for (size_t i = 0; i < batch->n_recording_contexts_ended; i++) {
        uint64_t id = batch->recording_contexts_ended[i];
        assert_in_range(id, 1, r->map_count);
        assert_true(r->is_known[id]);
        assert_false(r->is_ended[id]);
        r->is_ended[id] = true;
        r->ended_count++;
    }
}

received
received_assemble(fake_collector *c,
    void (*on_batch)(received *r, const Loupe__Wire__Batch *batch, void *arg), void *arg)
{
    received r = {0};
    bool is_last = false;
    assert_int_equal(c->different_count, 0);
    for (uint64_t i = 0; i < c->batch_count; i++) {
        Loupe__Wire__Batch *batch =
            loupe__wire__batch__unpack(NULL, c->batches[i].len, c->batches[i].ptr);
        assert_non_null(batch);
        assert_int_equal(batch->sequence, i);
        assert_int_equal(batch->session.len, WIRE_SESSION_BYTES);
        if (batch->begins_again) {
            receive_again(&r, batch);
        }
        r.type_count += batch->n_context_types;
        receive_jfr(&r, batch);
        size_t contexts_before = r.contexts.len;
        receive_contexts(&r, batch);
        receive_maps(&r, batch, contexts_before);
        r.last_count += batch->is_last != 0;
        if (on_batch != NULL) {
            on_batch(&r, batch, arg);
        }
        is_last = batch->is_last;
        loupe__wire__batch__free_unpacked(batch, NULL);
    }
    assert_true(r.last_count == 0 || is_last);
    return r;
}

void
received_release(received *r)
{
    for (size_t i = 0; i < RECEIVED_CHUNKS_MAX; i++) {
        lp_buf_fini(&r->chunks[i]);
    }
    lp_buf_fini(&r->contexts);
}

void
received_check_chunk(const received *r, uint32_t number, const chunk_writer *chunk)
{
    const lp_buf *bytes = &r->chunks[number];
    assert_int_equal(bytes->len, chunk->published);
    assert_memory_equal(r->headers[number], chunk->header, JFR_CHUNK_HEADER_SIZE);
    for (uint64_t i = JFR_CHUNK_HEADER_SIZE; i < bytes->len; i++) {
        if (bytes->ptr[i] != chunk_writer_byte(chunk->seed, i)) {
            fail_msg("chunk %u differs at %llu", number, (unsigned long long)i);
        }
    }
}

void
received_check_contexts(const received *r, size_t count)
{
    assert_int_equal(r->contexts.len, count * sizeof(ctx_record_header));
    for (size_t i = 0; i < count; i++) {
        ctx_record_header record;
        memcpy(&record, r->contexts.ptr + i * sizeof(record), sizeof(record));
        assert_int_equal(record.time_ticks, i);
    }
}
