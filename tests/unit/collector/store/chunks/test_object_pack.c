// SPDX-License-Identifier: Apache-2.0
// Objects with several chunks: the footer has the bytes in object_pack.h, written by hand. Each
// truncation and each changed byte of a footer is noticed. No chunk that is read lies outside its
// object. Names sort by time.

#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHUNK_BYTES = 5, FOOTER_AT = 3 * CHUNK_BYTES };

// Two chunks with a gap of five bytes between them, and their footer, but for its hash.
static const uint8_t by_hand[] = {
    'f', 'i', 'r', 's', 't', 0, 0, 0, 0, 0, 'o', 't', 'h', 'e', 'r',           //
    0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0, 0, 0, 0, 0, 0, 0, 0xff, // session id
    7, 0, 0, 0, 0, 0, 0, 0,                                                    // ordinal
    0, 0, 0, 0, 0, 0, 0, 0,                                                    // offset
    5, 0, 0, 0, 0, 0, 0, 0,                                                    // stored_bytes
    0x00, 0x01, 0, 0, 0, 0, 0, 0,                                              // size_bytes
    1, 2, 3, 4, 5, 6, 7, 8,                                                    // content_hash
    9, 0, 0, 0, 0, 0, 0, 0,                                                    // stored_hash
    0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                         //
    0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0,                                        //
    10, 0, 0, 0, 0, 0, 0, 0,                                                   //
    5, 0, 0, 0, 0, 0, 0, 0,                                                    //
    0, 0, 0, 0, 1, 0, 0, 0,                                                    //
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,                            //
    0, 0, 0, 0, 0, 0, 0, 0x80,                                                 //
    'L', 'P', 'P', 'A', 'C', 'K', '1', '\n',                                   // tail
    2, 0, 0, 0, 0, 0, 0, 0,                                                    // count
    15, 0, 0, 0, 0, 0, 0, 0,                                                   // footer_at
};

static const object_pack_chunk chunks[] = {
    {"0123456789abcdef00000000000000ff", 7, 0, 5, 256, 0x0807060504030201, 9},
    {"aa000000000000000000000000000000", 4294967295, 10, 5, 4294967296, UINT64_MAX,
        0x8000000000000000},
};

enum { OBJECT_BYTES = sizeof(by_hand) + 8 };

// seal appends the hash to the bytes of an object.
static void
seal(uint8_t object[OBJECT_BYTES])
{
    const lp_slice hashed = {object + FOOTER_AT, sizeof(by_hand) - FOOTER_AT};
    uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, hashed);
    for (size_t i = 0; i < 8; i++) {
        object[sizeof(by_hand) + i] = (uint8_t)(hash >> (8 * i));
    }
}

static void
make_object(uint8_t object[OBJECT_BYTES])
{
    memcpy(object, by_hand, sizeof(by_hand));
    seal(object);
}

static lp_err
read_object(const uint8_t *object, size_t count, object_pack_chunks *out_chunks)
{
    uint8_t *exact = malloc(count == 0 ? 1 : count); // so that a read past it is noticed
    assert_non_null(exact);
    if (count > 0) {
        memcpy(exact, object, count);
    }
    lp_err err = object_pack_read((lp_slice){exact, count}, out_chunks);
    free(exact);
    return err;
}

static lp_err
judge(const uint8_t *object, size_t count)
{
    object_pack_chunks ignored = {0};
    lp_err err = read_object(object, count, &ignored);
    LP_VEC_FINI(&ignored);
    return err;
}

static void
test_a_footer_is_written_as_it_is_drawn(void **state)
{
    (void)state;
    uint8_t object[OBJECT_BYTES];
    lp_buf footer = {0};
    make_object(object);
    object_pack_append(&footer, &chunks[0]);
    object_pack_append(&footer, &chunks[1]);
    object_pack_finish(&footer, FOOTER_AT);
    assert_int_equal(lp_buf_check(&footer), LP_OK);
    assert_int_equal(footer.len, OBJECT_BYTES - FOOTER_AT);
    assert_memory_equal(footer.ptr, object + FOOTER_AT, footer.len);
    lp_buf_fini(&footer);
}

static void
test_a_footer_is_read(void **state)
{
    (void)state;
    uint8_t object[OBJECT_BYTES];
    object_pack_chunks found = {0};
    make_object(object);
    assert_int_equal(read_object(object, sizeof(object), &found), LP_OK);
    assert_int_equal(found.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const object_pack_chunk *chunk = &found.items[i];
        assert_string_equal(chunk->session_id, chunks[i].session_id);
        assert_int_equal(chunk->ordinal, chunks[i].ordinal);
        assert_int_equal(chunk->offset, chunks[i].offset);
        assert_int_equal(chunk->stored_bytes, chunks[i].stored_bytes);
        assert_int_equal(chunk->size_bytes, chunks[i].size_bytes);
        assert_true(chunk->content_hash == chunks[i].content_hash);
        assert_true(chunk->stored_hash == chunks[i].stored_hash);
    }
    LP_VEC_FINI(&found);
}

static void
test_every_truncation_is_noticed(void **state)
{
    (void)state;
    uint8_t object[OBJECT_BYTES];
    make_object(object);
    for (size_t count = 0; count < sizeof(object); count++) {
        assert_int_equal(judge(object, count), LP_ECORRUPT);
    }
}

static void
test_every_changed_byte_of_a_footer_is_noticed(void **state)
{
    (void)state;
    uint8_t object[OBJECT_BYTES];
    make_object(object);
    for (size_t at = FOOTER_AT; at < sizeof(object); at++) {
        object[at] ^= 0x20;
        lp_err err = judge(object, sizeof(object));
        assert_true(err == LP_ECORRUPT || err == LP_EVERSION);
        object[at] ^= 0x20;
    }
    object[0] ^= 1; // the chunk's own checksums find that
    assert_int_equal(judge(object, sizeof(object)), LP_OK);
}

// Malformed footers with the right hash.
static void
test_what_contradicts_itself_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        size_t at;
        uint8_t value;
        lp_err err;
    } cases[] = {
        {"a later version", sizeof(by_hand) - 18, '2', LP_EVERSION},
        {"something else", sizeof(by_hand) - 24, 'X', LP_ECORRUPT},
        {"more chunks than fit", sizeof(by_hand) - 16, 3, LP_ECORRUPT},
        {"a count whose bytes overflow", sizeof(by_hand) - 13, 0xff, LP_ECORRUPT},
        {"too few chunks", sizeof(by_hand) - 16, 1, LP_ECORRUPT},
        {"a footer elsewhere", sizeof(by_hand) - 8, 14, LP_ECORRUPT},
        {"a chunk that reaches into the footer", FOOTER_AT + 32, 16, LP_ECORRUPT},
        {"a chunk that begins behind the chunks", FOOTER_AT + 24, 16, LP_ECORRUPT},
        {"a chunk whose end is no number", FOOTER_AT + 39, 0xff, LP_ECORRUPT},
        {"a chunk at the end that has no bytes", FOOTER_AT + 64 + 24, 15, LP_ECORRUPT},
        {"the same one elsewhere", FOOTER_AT + 64 + 24, 9, LP_OK},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t object[OBJECT_BYTES];
        make_object(object);
        object[cases[i].at] = cases[i].value;
        seal(object);
        lp_err err = judge(object, sizeof(object));
        if (err != cases[i].err) {
            fail_msg("%s: %d", cases[i].what, (int)err);
        }
    }
}

static void
test_an_object_may_have_no_chunks(void **state)
{
    (void)state;
    lp_buf footer = {0};
    object_pack_finish(&footer, 0);
    assert_int_equal(footer.len, OBJECT_PACK_TAIL_BYTES);
    assert_int_equal(judge(footer.ptr, footer.len), LP_OK);
    lp_buf_fini(&footer);
}

static void
test_names_begin_with_their_time(void **state)
{
    (void)state;
    static const char *const others[] = {"", "001764313529-0123456789abcdef-00004",
        "001764313529-0123456789abcdef-0000042", "001764313529-0123456789ABCDEF-000042",
        "00176431352a-0123456789abcdef-000042", "001764313529.0123456789abcdef-000042"};
    char name[BLOB_OBJECT_CHARS + 1];
    int64_t wall_ns = 0;
    object_pack_format_name(1764313529999999999, 0x0123456789abcdef, 42, name);
    assert_string_equal(name, "001764313529-0123456789abcdef-000042");
    assert_true(object_pack_name_time(name, &wall_ns));
    assert_true(wall_ns == 1764313529000000000);
    object_pack_format_name(-1, 0, 1000001, name);
    assert_string_equal(name, "000000000000-0000000000000000-000001");
    object_pack_format_name(INT64_MAX, UINT64_MAX, 0, name);
    assert_true(object_pack_name_time(name, &wall_ns));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(object_pack_name_time(others[i], &wall_ns));
    }
    assert_true(object_pack_name_time("999999999999-0123456789abcdef-000042", &wall_ns));
    assert_true(wall_ns == INT64_MAX);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_footer_is_written_as_it_is_drawn),
        cmocka_unit_test(test_a_footer_is_read),
        cmocka_unit_test(test_every_truncation_is_noticed),
        cmocka_unit_test(test_every_changed_byte_of_a_footer_is_noticed),
        cmocka_unit_test(test_what_contradicts_itself_is_refused),
        cmocka_unit_test(test_an_object_may_have_no_chunks),
        cmocka_unit_test(test_names_begin_with_their_time),
    };
    return cmocka_run_group_tests_name("object_pack", tests, NULL, NULL);
}
