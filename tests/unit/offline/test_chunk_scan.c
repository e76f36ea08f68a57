// SPDX-License-Identifier: Apache-2.0
// Promised: whatever happens to a file, every chunk that it did not happen to is found, nothing is
// taken for a chunk that is none (the copies of headers within chunks above all), and the pieces
// lie without gaps.
//
// A file of four chunks with copies of their headers in them is damaged in every way there is at
// every place, and then at random. What has to be found is known from how the file was made.

#include "support/be64.h"
#include "support/chance.h"
#include "support/jfr_build.h"
#include "support/jfr_sample.h"

#include "offline/chunk_scan.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNKS = 4, CHUNK_HEADER_TYPE = 222, PIECES_MAX = 64, ROUNDS = 20000 };

typedef struct range {
    size_t begin;
    size_t end;
} range;

// The undamaged file, and where its chunks lie.
static lp_buf file;
static range chunks[CHUNKS];

static void
add_events(jfr_build *build, int64_t at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)jfr_sample_event(build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN,
                                          .start = at + (int64_t)i,
                                          .end = at + (int64_t)i + 5,
                                          .thread = 1 + i % 2,
                                          .text = "text"});
    }
}

// add_chunk appends a chunk with two flushes in it.
static void
add_chunk(size_t index)
{
    jfr_build build;
    int64_t start = (int64_t)(1000 * (index + 1));
    jfr_sample_begin(&build, start);
    build.size_width = index % 2 == 0 ? 0 : 4;
    add_events(&build, start, 3 + index);
    jfr_sample_thread(&build, 1, 1);
    jfr_build_checkpoint(&build);
    jfr_build_flush(&build, CHUNK_HEADER_TYPE);
    add_events(&build, start + 100, 4);
    jfr_sample_thread(&build, 2, 2);
    jfr_build_checkpoint(&build);
    jfr_build_flush(&build, CHUNK_HEADER_TYPE);
    lp_slice bytes = jfr_build_finish(&build);
    chunks[index].begin = file.len;
    lp_buf_append(&file, bytes.ptr, bytes.len);
    chunks[index].end = file.len;
    jfr_build_fini(&build);
}

static int
make_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHUNKS; i++) {
        add_chunk(i);
    }
    return 0;
}

static int
drop_file(void **state)
{
    (void)state;
    lp_buf_fini(&file);
    return 0;
}

typedef struct pieces {
    chunk_scan_piece items[PIECES_MAX];
    size_t count;
} pieces;

// scan gives the pieces of bytes, and checks what holds for any bytes.
static pieces
scan(lp_slice bytes)
{
    pieces found = {.count = 0};
    chunk_scan s = {.bytes = bytes};
    lp_problem problem;
    uint64_t at = 0;
    while (chunk_scan_next(&s, &found.items[found.count], &problem) == LP_OK) {
        const chunk_scan_piece *piece = &found.items[found.count++];
        assert_true(found.count < PIECES_MAX);
        assert_int_equal(piece->offset, at);
        assert_true(piece->size_bytes > 0);
        assert_true(piece->size_bytes <= bytes.len - at);
        assert_int_equal(piece->kind == CHUNK_SCAN_WHOLE, piece->err == LP_OK);
        if (piece->kind != CHUNK_SCAN_WHOLE) {
            assert_true(problem.has_offset);
            assert_int_equal(problem.offset, at);
            assert_true(problem.text[0] != '\0');
        }
        at += piece->size_bytes;
    }
    assert_int_equal(at, bytes.len);
    return found;
}

static const chunk_scan_piece *
piece_at(const pieces *found, uint64_t offset)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i].offset == offset) {
            return &found->items[i];
        }
    }
    return NULL;
}

// One damage: the bytes of [at, at + removed) are replaced by those of put.
typedef struct damage {
    size_t at;
    size_t removed;
    lp_slice put;
} damage;

static lp_slice
damaged_copy(const damage *d)
{
    size_t rest = file.len - d->at - d->removed;
    size_t size = d->at + d->put.len + rest;
    uint8_t *bytes = malloc(size + 1); // malloc: a sanitizer sees what is read beyond
    assert_non_null(bytes);
    memcpy(bytes, file.ptr, d->at);
    if (d->put.len > 0) {
        memcpy(bytes + d->at, d->put.ptr, d->put.len);
    }
    memcpy(bytes + d->at + d->put.len, file.ptr + d->at + d->removed, rest);
    return (lp_slice){bytes, size};
}

static void
say(const damage *d, const pieces *found)
{
    print_error("at %zu, %zu bytes replaced by %zu:", d->at, d->removed, d->put.len);
    for (size_t i = 0; i < d->put.len && i < 16; i++) {
        print_error(" %02x", d->put.ptr[i]);
    }
    print_error("\n");
    for (size_t i = 0; i < CHUNKS; i++) {
        print_error("  chunk %zu..%zu\n", chunks[i].begin, chunks[i].end);
    }
    for (size_t i = 0; i < found->count; i++) {
        const chunk_scan_piece *piece = &found->items[i];
        print_error("  piece %" PRIu64 "..%" PRIu64 " kind %d\n", piece->offset,
            piece->offset + piece->size_bytes, (int)piece->kind);
    }
}

// is_run_of_events says whether bytes could be events: then nobody can tell that they do not belong
// to the chunk before them.
static bool
is_run_of_events(lp_slice bytes)
{
    size_t at = 0;
    while (at < bytes.len && bytes.ptr[at] >= 2 && bytes.ptr[at] <= bytes.len - at) {
        if (bytes.ptr[at] >= 0x80) {
            return true; // longer sizes: it may be
        }
        at += bytes.ptr[at];
    }
    return at == bytes.len;
}

// check_intact: chunk i was not touched, so it has to be there, moved by shift.
static bool
check_intact(const damage *d, const pieces *found, size_t i, size_t offset)
{
    const chunk_scan_piece *piece = piece_at(found, offset);
    if (piece == NULL) {
        return false;
    }
    if (piece->kind == CHUNK_SCAN_WHOLE) {
        return piece->size_bytes == chunks[i].end - chunks[i].begin;
    }
    return d->at == chunks[i].end && piece->kind == CHUNK_SCAN_CUT && d->put.len > 0 &&
           piece->size_bytes > chunks[i].end - chunks[i].begin && is_run_of_events(d->put);
}

// begins_chunk says whether a chunk of the file may begin at offset after the damage: where it was,
// or moved, if its beginning was damaged so that it looks whole again.
static bool
begins_chunk(const damage *d, uint64_t offset)
{
    if (offset + 68 > d->at && offset < d->at + d->put.len && d->put.len > 1) {
        return true;
    }
    for (size_t i = 0; i < CHUNKS; i++) {
        bool is_behind = chunks[i].end > d->at;
        if (offset == chunks[i].begin ||
            (is_behind && offset == chunks[i].begin + d->put.len - d->removed)) {
            return true;
        }
    }
    return false;
}

static void
check_damage(const damage *d)
{
    lp_slice bytes = damaged_copy(d);
    pieces found = scan(bytes);
    bool is_good = true;
    for (size_t i = 0; i < CHUNKS; i++) {
        if (chunks[i].end <= d->at) {
            is_good = is_good && check_intact(d, &found, i, chunks[i].begin);
        } else if (chunks[i].begin >= d->at + d->removed) {
            size_t moved = chunks[i].begin + d->put.len - d->removed;
            is_good = is_good && check_intact(d, &found, i, moved);
        }
    }
    for (size_t i = 0; i < found.count; i++) {
        is_good = is_good && (found.items[i].kind == CHUNK_SCAN_SKIPPED ||
                                 begins_chunk(d, found.items[i].offset));
    }
    if (!is_good) {
        say(d, &found);
        fail();
    }
    free((void *)(uintptr_t)bytes.ptr);
}

static void
test_an_undamaged_file_is_its_chunks(void **state)
{
    (void)state;
    pieces found = scan(lp_buf_slice(&file));
    assert_int_equal(found.count, CHUNKS);
    for (size_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(found.items[i].kind, CHUNK_SCAN_WHOLE);
        assert_int_equal(found.items[i].size_bytes, chunks[i].end - chunks[i].begin);
        assert_int_equal(found.items[i].info.start_ticks, 1000 * (i + 1));
    }
}

static void
test_nothing_has_no_pieces(void **state)
{
    (void)state;
    assert_int_equal(scan((lp_slice){(const uint8_t *)"", 0}).count, 0);
}

static void
test_every_truncation_leaves_the_chunks_before_it(void **state)
{
    (void)state;
    for (size_t length = 1; length < file.len; length++) {
        check_damage(&(damage){.at = length, .removed = file.len - length});
    }
}

static void
test_every_changed_byte_leaves_the_other_chunks(void **state)
{
    (void)state;
    static const uint8_t changes[] = {0x01, 0x80, 0xff, 0x10};
    for (size_t at = 0; at < file.len; at++) {
        for (size_t i = 0; i < sizeof(changes); i++) {
            uint8_t byte = file.ptr[at] ^ changes[i];
            check_damage(&(damage){.at = at, .removed = 1, .put = {&byte, 1}});
        }
    }
}

static void
test_every_lost_byte_leaves_the_other_chunks(void **state)
{
    (void)state;
    for (size_t at = 0; at < file.len; at++) {
        check_damage(&(damage){.at = at, .removed = 1});
    }
}

static void
test_every_added_byte_leaves_the_other_chunks(void **state)
{
    (void)state;
    for (size_t at = 0; at <= file.len; at++) {
        for (unsigned byte = 0; byte < 256; byte += 51) {
            uint8_t put = (uint8_t)byte;
            check_damage(&(damage){.at = at, .put = {&put, 1}});
        }
    }
}

static void
test_random_damage_leaves_the_other_chunks(void **state)
{
    (void)state;
    uint8_t garbage[2000];
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t seed = round;
        damage d = {.at = chance_below(&seed, file.len),
            .put = {garbage, chance_below(&seed, sizeof(garbage))}};
        size_t removed = chance_below(&seed, 3) == 0 ? 0 : chance_below(&seed, sizeof(garbage));
        d.removed = removed < file.len - d.at ? removed : file.len - d.at;
        switch (chance_below(&seed, 4)) { // what it is replaced by
        case 0:
            d.put.len = 0;
            break;
        case 1:
            memset(garbage, 0, d.put.len);
            break;
        case 2: { // something from elsewhere in the file, headers and their copies, too
            size_t from = chance_below(&seed, file.len - sizeof(garbage));
            memcpy(garbage, file.ptr + from, d.put.len);
            break;
        }
        default:
            for (size_t i = 0; i < d.put.len; i++) {
                garbage[i] = (uint8_t)chance_below(&seed, 256);
            }
        }
        check_damage(&d);
    }
}

// Of a file whose second chunk's header was changed: what the second piece is.
static chunk_scan_piece
second_piece(size_t field, uint64_t value)
{
    uint8_t *bytes = malloc(file.len);
    assert_non_null(bytes);
    memcpy(bytes, file.ptr, file.len);
    be64_put(bytes + chunks[1].begin + field, value);
    pieces found = scan((lp_slice){bytes, file.len});
    assert_int_equal(found.count, CHUNKS);
    free(bytes);
    return found.items[1];
}

static void
test_a_wrong_size_does_not_cost_the_chunk(void **state)
{
    (void)state;
    size_t size = chunks[1].end - chunks[1].begin;
    const uint64_t sizes[] = {
        0, 67, 68, 100, size - 1, size + 1, size + 1000, UINT32_MAX, INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        chunk_scan_piece piece = second_piece(8, sizes[i]);
        assert_int_equal(piece.kind, CHUNK_SCAN_CUT);
        assert_int_equal(piece.offset, chunks[1].begin);
        assert_int_equal(piece.size_bytes, size);
        assert_int_equal(piece.info.size_bytes, sizes[i]);
    }
}

static void
test_no_smaller_size_costs_the_rest(void **state)
{
    (void)state;
    for (size_t at = 68; at < chunks[2].end - chunks[2].begin; at++) {
        uint8_t *bytes = malloc(file.len);
        assert_non_null(bytes);
        memcpy(bytes, file.ptr, file.len);
        be64_put(bytes + chunks[2].begin + 8, at); // now and then an event ends there
        be64_put(bytes + chunks[2].begin + 16, 0); // offsets that do not give it away
        be64_put(bytes + chunks[2].begin + 24, 0);
        pieces found = scan((lp_slice){bytes, file.len});
        assert_int_equal(found.count, CHUNKS);
        assert_int_equal(found.items[2].kind, CHUNK_SCAN_CUT);
        assert_int_equal(found.items[2].size_bytes, chunks[2].end - chunks[2].begin);
        free(bytes);
    }
}

static void
test_offsets_that_lead_out_of_the_chunk_do_not_cost_it(void **state)
{
    (void)state;
    for (size_t field = 16; field <= 24; field += 8) {
        chunk_scan_piece piece = second_piece(field, 1u << 30);
        assert_int_equal(piece.kind, CHUNK_SCAN_CUT);
        assert_int_equal(piece.size_bytes, chunks[1].end - chunks[1].begin);
    }
}

static void
test_what_a_killed_jvm_had_not_flushed_belongs_to_its_chunk(void **state)
{
    (void)state;
    jfr_build build;
    jfr_sample_begin(&build, 9000);
    add_events(&build, 9000, 3);
    jfr_build_flush(&build, CHUNK_HEADER_TYPE);
    (void)jfr_build_finish(&build);
    build.bytes.ptr[64] = 5; // not finished
    size_t flushed = build.bytes.len;
    add_events(&build, 9100, 3);
    lp_buf_append(&build.bytes, "\x20\x30\x40", 3); // and a piece of an event
    size_t unfinished = build.bytes.len;
    lp_buf_append(&build.bytes, file.ptr, chunks[0].end); // another recording behind it

    pieces found = scan(lp_buf_slice(&build.bytes));
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].kind, CHUNK_SCAN_CUT);
    assert_int_equal(found.items[0].size_bytes, unfinished);
    assert_int_equal(found.items[0].info.size_bytes, flushed);
    assert_int_equal(found.items[1].kind, CHUNK_SCAN_WHOLE);

    found = scan((lp_slice){build.bytes.ptr, unfinished});
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].size_bytes, unfinished);

    found = scan((lp_slice){build.bytes.ptr, flushed}); // nothing is missing that we know of
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].kind, CHUNK_SCAN_WHOLE);
    jfr_build_fini(&build);
}

static void
test_other_versions_are_skipped_as_such(void **state)
{
    (void)state;
    uint8_t *bytes = malloc(file.len);
    assert_non_null(bytes);
    memcpy(bytes, file.ptr, file.len);
    memcpy(bytes + 4, "\0\0\0\x9", 4);
    pieces found = scan((lp_slice){bytes, file.len});
    assert_int_equal(found.count, CHUNKS);
    assert_int_equal(found.items[0].kind, CHUNK_SCAN_SKIPPED);
    assert_int_equal(found.items[0].err, LP_EVERSION);
    free(bytes);
}

typedef struct passed {
    uint8_t *counts; // per byte
    size_t size;
} passed;

static void
on_passed(void *arg, uint64_t offset, uint64_t size_bytes)
{
    passed *p = arg;
    assert_true(offset + size_bytes <= p->size);
    for (uint64_t i = offset; i < offset + size_bytes; i++) {
        p->counts[i]++;
    }
}

static void
test_every_byte_is_passed_on(void **state)
{
    (void)state;
    uint8_t *bytes = malloc(file.len);
    passed p = {calloc(file.len, 1), file.len};
    assert_non_null(bytes);
    assert_non_null(p.counts);
    memcpy(bytes, file.ptr, file.len);
    bytes[chunks[2].begin] = 'X';
    chunk_scan s = {.bytes = {bytes, file.len}, .on_passed = on_passed, .arg = &p};
    chunk_scan_piece piece;
    lp_problem problem;
    while (chunk_scan_next(&s, &piece, &problem) == LP_OK) {
        for (uint64_t i = 0; i < piece.offset + piece.size_bytes; i++) {
            assert_true(p.counts[i] > 0);
        }
    }
    free(bytes);
    free(p.counts);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_undamaged_file_is_its_chunks),
        cmocka_unit_test(test_nothing_has_no_pieces),
        cmocka_unit_test(test_every_truncation_leaves_the_chunks_before_it),
        cmocka_unit_test(test_every_changed_byte_leaves_the_other_chunks),
        cmocka_unit_test(test_every_lost_byte_leaves_the_other_chunks),
        cmocka_unit_test(test_every_added_byte_leaves_the_other_chunks),
        cmocka_unit_test(test_random_damage_leaves_the_other_chunks),
        cmocka_unit_test(test_a_wrong_size_does_not_cost_the_chunk),
        cmocka_unit_test(test_no_smaller_size_costs_the_rest),
        cmocka_unit_test(test_offsets_that_lead_out_of_the_chunk_do_not_cost_it),
        cmocka_unit_test(test_what_a_killed_jvm_had_not_flushed_belongs_to_its_chunk),
        cmocka_unit_test(test_other_versions_are_skipped_as_such),
        cmocka_unit_test(test_every_byte_is_passed_on),
    };
    return cmocka_run_group_tests(tests, make_file, drop_file);
}
