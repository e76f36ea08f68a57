// SPDX-License-Identifier: Apache-2.0
// The wire's helpers: bulk fields come back as they were, nothing else is taken for one, and a
// context type that breaks a limit is refused.

#include "common/context/ctx_type.h"
#include "common/wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_bulk_comes_back(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 1000, WIRE_BULK_BYTES_MAX};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint8_t *bytes = malloc(sizes[i] + 1);
        assert_non_null(bytes);
        for (size_t j = 0; j < sizes[i]; j++) {
            bytes[j] = (uint8_t)(j * j >> 3);
        }
        lp_buf frame = {0};
        lp_buf back = {0};
        lp_buf_append(&back, "before", 6); // what is there already stays
        assert_int_equal(wire_compress((lp_slice){bytes, sizes[i]}, &frame), LP_OK);
        assert_int_equal(wire_decompress(lp_buf_slice(&frame), sizes[i], &back), LP_OK);
        assert_int_equal(back.len, 6 + sizes[i]);
        assert_memory_equal(back.ptr, "before", 6);
        assert_memory_equal(back.ptr + 6, bytes, sizes[i]);
        lp_buf_fini(&frame);
        lp_buf_fini(&back);
        free(bytes);
    }
}

static void
test_nothing_comes_back_into_an_empty_buffer(void **state)
{
    (void)state;
    lp_buf frame = {0};
    lp_buf back = {0};
    assert_int_equal(wire_compress((lp_slice){(const uint8_t *)"", 0}, &frame), LP_OK);
    assert_int_equal(wire_decompress(lp_buf_slice(&frame), 0, &back), LP_OK);
    assert_int_equal(back.len, 0);
    lp_buf_fini(&frame);
    lp_buf_fini(&back);
}

static void
test_what_is_no_such_frame_is_refused(void **state)
{
    (void)state;
    // "hello" as zstd has it, by its command line tool: magic, 6-byte frame of one raw block.
    static const uint8_t hello[] = {
        0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x05, 0x29, 0x00, 0x00, 'h', 'e', 'l', 'l', 'o'};
    lp_buf out = {0};
    lp_slice whole = {hello, sizeof(hello)};
    assert_int_equal(wire_decompress(whole, 5, &out), LP_OK);
    assert_memory_equal(out.ptr, "hello", 5);
    assert_int_equal(wire_decompress(whole, 4, &out), LP_ECORRUPT);
    assert_int_equal(wire_decompress(whole, 6, &out), LP_ECORRUPT);
    for (size_t i = 1; i < sizeof(hello); i++) {
        assert_int_equal(wire_decompress((lp_slice){hello, i}, 5, &out), LP_ECORRUPT);
    }
    assert_int_equal(wire_decompress(whole, (size_t)WIRE_BULK_BYTES_MAX + 1, &out), LP_ELIMIT);
    assert_int_equal(out.len, 5);
    lp_buf_fini(&out);
}

static ctx_type
make_type(char *name, char *label)
{
    ctx_type type = {
        .id = 3, .name = name, .label = label, .description = label, .attribute_count = 2};
    type.attributes[0] = (ctx_attribute){CTX_LONG, name, label, label};
    type.attributes[1] = (ctx_attribute){CTX_STRING, label, name, name};
    return type;
}

static void
test_context_type_comes_back(void **state)
{
    (void)state;
    char name[] = "trace";
    char label[] = "Label";
    const ctx_type type = make_type(name, label);
    wire_type message;
    wire_type_encode(&type, &message);

    // Through bytes, as on the wire.
    uint8_t packed[256];
    size_t size = loupe__wire__context_type__pack(&message.message, packed);
    Loupe__Wire__ContextType *unpacked = loupe__wire__context_type__unpack(NULL, size, packed);
    assert_non_null(unpacked);
    ctx_type back;
    assert_int_equal(wire_type_decode(unpacked, &back), LP_OK);
    loupe__wire__context_type__free_unpacked(unpacked, NULL);
    assert_int_equal(back.id, 3);
    assert_string_equal(back.name, "trace");
    assert_string_equal(back.label, "Label");
    assert_string_equal(back.description, "Label");
    assert_int_equal(back.attribute_count, 2);
    assert_int_equal(back.attributes[0].kind, CTX_LONG);
    assert_string_equal(back.attributes[0].name, "trace");
    assert_int_equal(back.attributes[1].kind, CTX_STRING);
    assert_string_equal(back.attributes[1].name, "Label");
    assert_string_equal(back.attributes[1].label, "trace");
    ctx_type_fini(&back);
}

static void
test_context_type_over_a_limit_is_refused(void **state)
{
    (void)state;
    char name[] = "trace";
    const ctx_type type = make_type(name, name);
    ctx_type back;
    wire_type message;
    static const struct {
        uint32_t id;
        uint32_t kind;
        size_t attribute_count;
    } cases[] = {
        {0, CTX_LONG, 2},
        {UINT16_MAX + 1, CTX_LONG, 2},
        {1, 0, 2},
        {1, CTX_HEX + 1, 2},
        {1, CTX_LONG, 0},
        {1, CTX_LONG, CTX_ATTRIBUTES_MAX + 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        wire_type_encode(&type, &message);
        message.message.id = cases[i].id;
        message.attributes[0].kind = cases[i].kind;
        message.message.n_attributes = cases[i].attribute_count;
        assert_int_equal(wire_type_decode(&message.message, &back), LP_ECORRUPT);
    }
}

static void
test_a_type_has_the_attributes_of_its_role(void **state)
{
    (void)state;
    char name[] = "root";
    static const struct {
        uint32_t completes;
        bool is_recording;
        bool is_hand_over;
        bool is_root;
        ctx_kind kinds[3];
        size_t attribute_count;
        lp_err err;
    } cases[] = {
        {9, false, false, false, {CTX_LONG, CTX_STRING}, 2, LP_OK},
        {UINT16_MAX, false, false, false, {CTX_HEX, CTX_STRING}, 2, LP_OK},
        {UINT16_MAX + 1, false, false, false, {CTX_LONG, CTX_STRING}, 2, LP_ECORRUPT},
        {9, false, false, false, {CTX_INT, CTX_STRING}, 2, LP_ECORRUPT},
        {9, false, false, false, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {9, false, false, false, {CTX_LONG}, 1, LP_ECORRUPT},
        {9, false, false, false, {CTX_LONG, CTX_STRING, CTX_STRING}, 3, LP_ECORRUPT},
        {3, false, false, false, {CTX_LONG, CTX_STRING}, 2, LP_ECORRUPT}, // itself
        {0, true, false, false, {CTX_LONG}, 1, LP_ECORRUPT},
        {9, true, false, false, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {9, true, false, false, {CTX_LONG, CTX_STRING}, 2, LP_ECORRUPT},
        {0, true, false, false, {CTX_HEX, CTX_LONG}, 2, LP_ECORRUPT},
        {0, true, false, false, {CTX_LONG, CTX_LONG}, 2, LP_OK},
        {0, true, false, false, {CTX_LONG, CTX_STRING}, 2, LP_ECORRUPT},
        {0, true, false, false, {CTX_LONG, CTX_LONG, CTX_LONG}, 3, LP_ECORRUPT},
        {0, false, true, false, {CTX_LONG, CTX_LONG}, 2, LP_OK},
        {0, false, true, false, {CTX_LONG, CTX_STRING}, 2, LP_ECORRUPT},
        {0, false, true, false, {CTX_LONG}, 1, LP_ECORRUPT},
        {9, false, true, false, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {0, true, true, false, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {0, false, false, true, {CTX_LONG, CTX_BOOLEAN}, 2, LP_OK},
        {0, false, false, true, {CTX_HEX, CTX_BOOLEAN}, 2, LP_OK},
        {0, false, false, true, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {0, false, false, true, {CTX_STRING, CTX_BOOLEAN}, 2, LP_ECORRUPT},
        {0, false, false, true, {CTX_LONG}, 1, LP_ECORRUPT},
        {9, false, false, true, {CTX_LONG, CTX_BOOLEAN}, 2, LP_ECORRUPT},
        {0, true, false, true, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
        {0, false, true, true, {CTX_LONG, CTX_LONG}, 2, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ctx_type type = make_type(name, name);
        type.is_recording = cases[i].is_recording;
        type.is_hand_over = cases[i].is_hand_over;
        type.is_root = cases[i].is_root;
        type.attribute_count = cases[i].attribute_count;
        for (size_t k = 0; k < type.attribute_count; k++) {
            type.attributes[k] = (ctx_attribute){cases[i].kinds[k], name, name, name, k == 1};
        }
        wire_type message;
        ctx_type back;
        wire_type_encode(&type, &message);
        message.message.completes = cases[i].completes;
        assert_int_equal(wire_type_decode(&message.message, &back), cases[i].err);
        if (cases[i].err == LP_OK) {
            assert_int_equal(back.completes, cases[i].completes);
            assert_int_equal(back.is_hand_over, cases[i].is_hand_over);
            assert_int_equal(back.is_root, cases[i].is_root);
            assert_false(back.attributes[0].is_root_key);
            assert_int_equal(back.attributes[1].is_root_key, back.attribute_count > 1);
            wire_type_encode(&back, &message);
            assert_int_equal(message.message.completes, cases[i].completes);
            ctx_type_fini(&back);
        }
    }
}

static Loupe__Wire__RecordingContext *
recording_through_bytes(const ctx_recording *map)
{
    wire_recording message;
    wire_recording_encode(map, &message);
    uint8_t packed[256];
    size_t size = loupe__wire__recording_context__pack(&message.message, packed);
    return loupe__wire__recording_context__unpack(NULL, size, packed);
}

static void
test_recording_comes_back(void **state)
{
    (void)state;
    ctx_entry entries[] = {
        {.key = "a", .value = {(const uint8_t *)"x\0y", 3}},
        {.key = "b", .is_null = true},
        {.key = "c"},
    };
    const ctx_recording map = {1234567890123, 3, entries};
    Loupe__Wire__RecordingContext *message = recording_through_bytes(&map);
    assert_non_null(message);
    lp_arena arena = {0};
    ctx_recording back;
    assert_int_equal(wire_recording_decode(message, &arena, &back), LP_OK);
    Loupe__Wire__RecordingContext *twice[] = {message, message};
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    batch.recording_contexts = twice;
    batch.n_recording_contexts = 2;
    uint64_t measured = wire_recordings_measure(&batch);
    loupe__wire__recording_context__free_unpacked(message, NULL);
    assert_int_equal(measured, 2 * (sizeof(back) + ctx_recording_measure(&back))); // of two of them
    assert_true(back.id == map.id);
    assert_int_equal(back.entry_count, 3);
    assert_string_equal(back.entries[0].key, "a");
    assert_int_equal(back.entries[0].value.len, 3);
    assert_memory_equal(back.entries[0].value.ptr, "x\0y", 3);
    assert_false(back.entries[0].is_null);
    assert_string_equal(back.entries[1].key, "b");
    assert_true(back.entries[1].is_null);
    assert_string_equal(back.entries[2].key, "c");
    assert_false(back.entries[2].is_null);
    assert_int_equal(back.entries[2].value.len, 0);
    lp_arena_fini(&arena);
}

static void
test_recording_over_a_limit_is_refused(void **state)
{
    (void)state;
    char name[] = "key";
    char long_name[CTX_RECORDING_TEXT_BYTES_MAX + 2];
    memset(long_name, 'k', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    char empty[] = "";
    struct {
        uint64_t id;
        char *key;
        size_t value_len;
        bool is_null;
        size_t count;
    } cases[] = {
        {0, name, 1, false, 1},
        {1, empty, 1, false, 1},
        {1, long_name, 1, false, 1},
        {1, name, CTX_RECORDING_TEXT_BYTES_MAX + 1, false, 1},
        {1, name, 1, true, 1},
        {1, name, 1, false, 2}, // the same key twice
        {1, name, 1, false, CTX_RECORDING_ENTRIES_MAX + 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Loupe__Wire__RecordingContext message = LOUPE__WIRE__RECORDING_CONTEXT__INIT;
        Loupe__Wire__RecordingContext__Entry entry = LOUPE__WIRE__RECORDING_CONTEXT__ENTRY__INIT;
        Loupe__Wire__RecordingContext__Entry *entries[CTX_RECORDING_ENTRIES_MAX + 1];
        for (size_t k = 0; k <= CTX_RECORDING_ENTRIES_MAX; k++) {
            entries[k] = &entry;
        }
        entry.key = cases[i].key;
        entry.value = (ProtobufCBinaryData){cases[i].value_len, (uint8_t *)long_name};
        entry.is_null = cases[i].is_null;
        message.id = cases[i].id;
        message.entries = entries;
        message.n_entries = cases[i].count;
        lp_arena arena = {0};
        ctx_recording back;
        assert_int_equal(wire_recording_decode(&message, &arena, &back), LP_ECORRUPT);
        lp_arena_fini(&arena);
    }
}

static void
test_filters_come_back(void **state)
{
    (void)state;
    ctx_filter_rule two[] = {{"", "has-context"}, {"a.B", ""}};
    ctx_filter_rule one[] = {{"a.C", "has-key k"}};
    const ctx_filter filters[] = {{1, -5, 2, two}, {2, 1234567890123, 0, NULL}, {9, 7, 1, one}};
    wire_filters messages;
    assert_int_equal(wire_filters_encode(filters, 3, &messages), LP_OK);
    assert_int_equal(messages.count, 3);
    for (size_t i = 0; i < 3; i++) {
        uint8_t packed[256];
        size_t size = loupe__wire__context_filter__pack(messages.pointers[i], packed);
        Loupe__Wire__ContextFilter *message =
            loupe__wire__context_filter__unpack(NULL, size, packed);
        assert_non_null(message);
        ctx_filter back;
        assert_int_equal(wire_filter_decode(message, &back), LP_OK);
        loupe__wire__context_filter__free_unpacked(message, NULL);
        assert_true(back.id == filters[i].id);
        assert_true(back.begin_ticks == filters[i].begin_ticks);
        assert_int_equal(back.rule_count, filters[i].rule_count);
        for (size_t k = 0; k < back.rule_count; k++) {
            assert_string_equal(back.rules[k].type, filters[i].rules[k].type);
            assert_string_equal(back.rules[k].terms, filters[i].rules[k].terms);
        }
        ctx_filter_fini(&back);
    }
    wire_filters_fini(&messages);
}

static void
test_filter_over_a_limit_has_no_rules(void **state)
{
    (void)state;
    char terms[CTX_FILTER_BYTES_MAX];
    memset(terms, 'x', sizeof(terms));
    ctx_filter_rule rule = {"", terms};
    ctx_filter filter = {3, 10, 1, &rule};
    for (size_t over = 0; over < 2; over++) {
        terms[CTX_FILTER_BYTES_MAX - sizeof(rule) - 2 + over] = '\0';
        wire_filters messages;
        ctx_filter back;
        assert_int_equal(wire_filters_encode(&filter, 1, &messages), LP_OK);
        assert_int_equal(wire_filter_decode(messages.pointers[0], &back), LP_OK);
        assert_int_equal(back.id, 3);
        assert_int_equal(back.begin_ticks, 10);
        assert_int_equal(back.rule_count, over == 0 ? 1 : 0);
        ctx_filter_fini(&back);
        messages.messages[0].id = 0;
        assert_int_equal(wire_filter_decode(messages.pointers[0], &back), LP_ECORRUPT);
        wire_filters_fini(&messages);
        terms[CTX_FILTER_BYTES_MAX - sizeof(rule) - 2] = 'x';
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bulk_comes_back),
        cmocka_unit_test(test_nothing_comes_back_into_an_empty_buffer),
        cmocka_unit_test(test_what_is_no_such_frame_is_refused),
        cmocka_unit_test(test_context_type_comes_back),
        cmocka_unit_test(test_context_type_over_a_limit_is_refused),
        cmocka_unit_test(test_a_type_has_the_attributes_of_its_role),
        cmocka_unit_test(test_recording_comes_back),
        cmocka_unit_test(test_recording_over_a_limit_is_refused),
        cmocka_unit_test(test_filters_come_back),
        cmocka_unit_test(test_filter_over_a_limit_has_no_rules),
    };
    return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
