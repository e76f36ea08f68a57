// SPDX-License-Identifier: Apache-2.0
// The bytes that a chunk unpacks to are in proportion to those that arrived. Short frames that
// stand for a million bytes each, and a batch that claims to begin far behind the previous one,
// cost no more than the limit and count as missing; earlier events are kept. Chunks of agents are
// below the limit, however large.

#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/chunks/assembly.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MIB = 1 << 20 };

static void
test_chunks_of_agents_are_below_the_limits(void **state)
{
    (void)state;
    static const uint64_t ratios[] = {1, 3, 20, 200, 255}; // of frames
    for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
        for (uint64_t size = 1; size <= UNPACK_LIMIT_BYTES_MAX; size *= 2) {
            assert_true(unpack_limit_chunk(size / ratios[i]) >= size);
            assert_true(unpack_limit_session(64 * (size / ratios[i])) >= 64 * size);
        }
    }
    assert_true(unpack_limit_chunk(UINT64_MAX) == UNPACK_LIMIT_BYTES_MAX);
    assert_true(unpack_limit_session(UINT64_MAX) == UINT64_MAX);
    assert_true(unpack_limit_chunk(171 << 10) < 100 * (uint64_t)MIB); // which could be 2 GB
}

// send_zeros sends a batch of a million zeros, which begin at offset in its chunk.
static void
send_zeros(server_rig *f, uint64_t offset, const lp_buf *frame)
{
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.session = (ProtobufCBinaryData){WIRE_SESSION_BYTES, f->client.session};
    batch.sequence = f->sequence++;
    batch.chunk = f->chunk;
    batch.chunk_offset = offset;
    batch.jfr_zstd = (ProtobufCBinaryData){frame->len, frame->ptr};
    batch.jfr_size = MIB;
    lp_buf message = {0};
    wire_client_pack_batch(&batch, &message);
    assert_int_equal(wire_client_ask(&f->client, message.ptr, message.len).status, OK);
    lp_buf_fini(&message);
}

static void
make_frame(lp_buf *out)
{
    uint8_t *zeros = calloc(1, MIB);
    assert_non_null(zeros);
    assert_int_equal(wire_compress((lp_slice){zeros, MIB}, out), LP_OK);
    assert_true(out->len < 100);
    free(zeros);
}

// begin sends a chunk with 10 events, and returns where it ends.
static uint64_t
begin(server_rig *f)
{
    server_rig_hello(f, 0);
    wire_piece piece = server_rig_next_piece(f, 10);
    server_rig_send(f, &piece);
    return f->ticks.sent;
}

// end ends the session and the server; the metrics have all its counts then.
static void
end(server_rig *f)
{
    server_rig_end_and_check(f);
    collector_rig_stop(&f->rig);
}

static void
test_frames_of_nothing_count_as_missing(void **state)
{
    server_rig *f = *state;
    enum { COUNT = 128 };
    lp_buf frame = {0};
    make_frame(&frame);
    uint64_t before = metrics_get(METRICS_chunk_bytes_over_limit);
    uint64_t begun = begin(f);
    for (uint64_t i = 0; i < COUNT; i++) {
        send_zeros(f, begun + i * MIB, &frame);
    }
    end(f);
    uint64_t over = metrics_get(METRICS_chunk_bytes_over_limit) - before;
    uint64_t free_bytes = UNPACK_LIMIT_CHUNK_BYTES + UNPACK_LIMIT_RATIO * COUNT * 200;
    assert_true(over >= COUNT * (uint64_t)MIB - free_bytes);
    assert_true(over <= COUNT * (uint64_t)MIB - UNPACK_LIMIT_CHUNK_BYTES);
    server_rig_check_lost(f, CATALOG_LOSS_GAP_BYTES, COUNT * (uint64_t)MIB);
    lp_buf_fini(&frame);
}

// The chunk before it needs only its beginning.
static void
test_what_is_read_behind_a_chunk_is_limited_too(void **state)
{
    server_rig *f = *state;
    lp_buf frame = {0};
    make_frame(&frame);
    uint64_t before = metrics_get(METRICS_chunks_read_in_part);
    (void)begin(f);
    server_rig_rotate(f);
    wire_piece piece = server_rig_next_piece(f, 10);
    server_rig_send(f, &piece);
    for (uint64_t i = 0; i <= UNPACK_LIMIT_CHUNK_BYTES / MIB + 1; i++) {
        send_zeros(f, f->ticks.sent + i * MIB, &frame);
    }
    end(f);
    assert_true(metrics_get(METRICS_chunks_read_in_part) > before);
    lp_buf_fini(&frame);
}

static void
test_a_batch_far_behind_counts_as_missing(void **state)
{
    server_rig *f = *state;
    lp_buf frame = {0};
    make_frame(&frame);
    uint64_t before = metrics_get(METRICS_chunk_bytes_over_limit);
    uint64_t begun = begin(f);
    uint64_t offset = UNPACK_LIMIT_BYTES_MAX - 2 * MIB;
    send_zeros(f, offset, &frame);
    end(f);
    assert_int_equal(metrics_get(METRICS_chunk_bytes_over_limit) - before, MIB);
    server_rig_check_lost(f, CATALOG_LOSS_GAP_BYTES, offset + MIB - begun);
    lp_buf_fini(&frame);
}

// Each time it is unpacked once more, up to a limit.
static void
test_a_chunk_that_begins_again_is_unpacked_so_often(void **state)
{
    server_rig *f = *state;
    enum { ROUNDS = ASSEMBLY_ROUNDS_MAX + 4, COUNT = 48 };
    lp_buf frame = {0};
    make_frame(&frame);
    uint64_t before = metrics_get(METRICS_chunk_bytes_over_limit);
    (void)begin(f);
    for (int round = 0; round < ROUNDS; round++) {
        wire_piece again = {.sequence = f->sequence++,
            .chunk = f->chunk,
            .ticks = &f->ticks,
            .duration_ns = SERVER_RIG_SECOND_NS,
            .begins_again = true};
        server_rig_send(f, &again);
        for (uint64_t i = 0; i < COUNT; i++) {
            send_zeros(f, f->ticks.sent + i * MIB, &frame);
        }
    }
    end(f);
    assert_true(metrics_get(METRICS_chunk_bytes_over_limit) > before);
    server_rig_check_lost(f, CATALOG_LOSS_GAP_BYTES, COUNT * (uint64_t)MIB);
    lp_buf_fini(&frame);
}

#define WITH_SERVER(test)                                                                          \
    cmocka_unit_test_setup_teardown(test, server_rig_set_up, server_rig_tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_of_agents_are_below_the_limits),
        WITH_SERVER(test_frames_of_nothing_count_as_missing),
        WITH_SERVER(test_what_is_read_behind_a_chunk_is_limited_too),
        WITH_SERVER(test_a_batch_far_behind_counts_as_missing),
        WITH_SERVER(test_a_chunk_that_begins_again_is_unpacked_so_often),
    };
    return cmocka_run_group_tests_name("unpack_limit", tests, NULL, NULL);
}
