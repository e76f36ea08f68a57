// SPDX-License-Identifier: Apache-2.0
// Promised: an edit makes exactly the bytes that are written by hand here, and moves all that names
// a place in the code; a class of another shape than expected, cut short or damaged is refused, and
// nothing is written.
#include "support/class_sample.h"

#include "agent/rewrite/rewrite_class.h"
#include "agent/rewrite/rewrite_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const rewrite_edit argument = {.kind = REWRITE_ARGUMENT,
    .method = "m",
    .descriptor = "(LT;)V",
    .local = 1,
    .helper = "h",
    .helper_descriptor = "(LT;)LT;"};
static const rewrite_edit call = {.kind = REWRITE_CALL,
    .method = "m",
    .called_class = "A",
    .called = "run",
    .called_descriptor = "()V",
    .helper = "h",
    .helper_descriptor = "(LT;)LT;"};

// check_edit checks that the edit makes the second code of the first.
static void
check_edit(const rewrite_edit *edit, lp_slice before, lp_slice after)
{
    lp_buf file = {0};
    lp_buf expected = {0};
    lp_buf out = {0};
    class_sample_put(&file, before, false);
    class_sample_put(&expected, after, true);
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", edit, 1, &out), LP_OK);
    assert_int_equal(out.len, expected.len);
    assert_memory_equal(out.ptr, expected.ptr, out.len);
    lp_buf_fini(&file);
    lp_buf_fini(&expected);
    lp_buf_fini(&out);
}

static lp_err
try_edit(const rewrite_edit *edit, lp_slice code)
{
    lp_buf file = {0};
    lp_buf out = {0};
    class_sample_put(&file, code, false);
    lp_err err = rewrite_class(lp_buf_slice(&file), "H", edit, 1, &out);
    assert_int_equal(err == LP_OK, out.len > 0);
    lp_buf_fini(&file);
    lp_buf_fini(&out);
    return err;
}

#define SLICE(bytes) ((lp_slice){bytes, sizeof(bytes)})

// As class_sample_code is behind the edit: on the stack is one value, and nothing says where types
// are annotated.
static const uint8_t code_after[] = {0, 1, 0, 3, 0, 0, 0, 16,                              //
    0x2b, 0xb8, 0, CLASS_SAMPLE_HELPER, 0x4c, 0, 0, 0,                                     //
    0x2b, 0xc6, 0xff, 0xff, 0xbb, 0, 2, 0xb1,                                              //
    0, 1, 0, 8, 0, 12, 0, 15, 0, 2,                                                        //
    0, 3,                                                                                  //
    0, 12, 0, 0, 0, 10, 0, 2, 0, 0, 0, 9, 0, 12, 0, 10,                                    //
    0, 13, 0, 0, 0, 22, 0, 2, 0, 0, 0, 16, 0, 3, 0, 4, 0, 1, 0, 9, 0, 7, 0, 3, 0, 4, 0, 2, //
    0, 14, 0, 0, 0, 16, 0, 2, 8, 255, 0, 3, 0, 1, 7, 0, 2, 0, 1, 8, 0, 12};

static void
test_an_argument_goes_through_the_helper_first(void **state)
{
    (void)state;
    check_edit(&argument, SLICE(class_sample_code), SLICE(code_after));
}

// A class file that is made anew may have the constant pool of one with the edit.
static void
test_methods_that_are_made_anew_get_the_edit_though_the_file_names_the_helper(void **state)
{
    (void)state;
    lp_buf file = {0};
    lp_buf out = {0};
    class_sample_put(&file, SLICE(code_after), true);
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &argument, 1, &out), LP_OK);
    assert_int_equal(out.len, 0);
    assert_int_equal(rewrite_class_made(lp_buf_slice(&file), "H", &argument, 1, &out), LP_OK);
    // The pool has the helper twice then, and the edit names the second.
    static const uint8_t begun[] = {0x2b, 0xb8, 0, CLASS_SAMPLE_HELPER + 6, 0x4c, 0, 0, 0, //
        0x2b, 0xb8, 0, CLASS_SAMPLE_HELPER, 0x4c, 0, 0, 0, 0x2b, 0xc6};
    assert_non_null(memmem(out.ptr, out.len, begun, sizeof(begun)));
    lp_buf_fini(&file);
    lp_buf_fini(&out);
}

static void
test_a_local_above_3_has_an_operand_and_no_result_is_stored_where_there_is_none(void **state)
{
    (void)state;
    static const uint8_t before[] = {0, 2, 0, 6, 0, 0, 0, 1, 0xb1, 0, 0, 0, 0};
    static const uint8_t after[] = {0, 2, 0, 6, 0, 0, 0, 9, 0x19, 5, 0xb8, 0, CLASS_SAMPLE_HELPER,
        0x3a, 5, 0, 0xb1, 0, 0, 0, 0};
    rewrite_edit edit = argument;
    edit.local = 5;
    check_edit(&edit, SLICE(before), SLICE(after));

    lp_buf file = {0};
    lp_buf out = {0};
    edit = argument;
    edit.helper_descriptor = "(LT;)V";
    class_sample_put(&file, SLICE(before), false);
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &edit, 1, &out), LP_OK);
    static const uint8_t told[] = {0x2b, 0xb8, 0, CLASS_SAMPLE_HELPER, 0, 0, 0, 0, 0xb1};
    assert_non_null(memmem(out.ptr, out.len, told, sizeof(told)));
    lp_buf_fini(&file);
    lp_buf_fini(&out);
}

static void
test_calls_are_found_behind_instructions_of_every_length(void **state)
{
    (void)state;
    static const uint8_t after[] = {0, 2, 0, 6, 0, 0, 0, 65, CLASS_SAMPLE_SWITCHES, 0xb8, 0,
        CLASS_SAMPLE_HELPER, 0, 0, 0xb8, 0, CLASS_SAMPLE_HELPER, 0xb1, 0, 0, 0, 0};
    check_edit(&call, SLICE(class_sample_switches), SLICE(after));
}

// The last offset of a switch looks like an instruction.
static void
test_a_call_is_found_right_behind_a_switch(void **state)
{
    (void)state;
#define SWITCH 0xaa, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11
    static const uint8_t before[] = {
        0, 2, 0, 6, 0, 0, 0, 26, SWITCH, 0xb9, 0, 9, 1, 0, 0xb1, 0, 0, 0, 0};
    static const uint8_t after[] = {
        0, 2, 0, 6, 0, 0, 0, 26, SWITCH, 0xb8, 0, CLASS_SAMPLE_HELPER, 0, 0, 0xb1, 0, 0, 0, 0};
#undef SWITCH
    check_edit(&call, SLICE(before), SLICE(after));
}

static void
test_a_double_has_two_indexes_as_a_long_has(void **state)
{
    (void)state;
    static const uint8_t one[] = {5, 0, 0, 0, 0, 0, 0, 0, 1}; // the long
    lp_buf file = {0};
    lp_buf out = {0};
    class_sample_put(&file, SLICE(class_sample_code), false);
    uint8_t *tag = memmem(file.ptr, file.len, one, sizeof(one));
    assert_non_null(tag);
    *tag = 6;
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &argument, 1, &out), LP_OK);
    lp_buf_fini(&file);
    lp_buf_fini(&out);
}

// The helper gets the receiver, which the JVM must not take for another class.
static void
test_a_call_of_another_class_is_none(void **state)
{
    (void)state;
    rewrite_edit edit = call;
    edit.called_class = "T";
    assert_int_equal(try_edit(&edit, SLICE(class_sample_switches)), LP_ENOENT);
    edit = call;
    edit.called_descriptor = "(LT;)V";
    assert_int_equal(try_edit(&edit, SLICE(class_sample_switches)), LP_ENOENT);
    assert_int_equal(try_edit(&call, SLICE(class_sample_switches)), LP_OK);
    edit = call;
    edit.called_class = NULL;
    assert_int_equal(try_edit(&edit, SLICE(class_sample_switches)), LP_OK);
}

static void
test_the_names_of_a_class_are_found(void **state)
{
    (void)state;
    lp_buf file = {0};
    rewrite_class_names names;
    class_sample_put(&file, SLICE(class_sample_switches), false);
    assert_int_equal(rewrite_class_look(lp_buf_slice(&file), &names), LP_OK);
    assert_int_equal(names.name.len, 1);
    assert_memory_equal(names.name.ptr, "A", 1);
    assert_int_equal(names.superclass.len, 0);

    size_t superclass = sizeof(class_sample_head) + 2 * sizeof(uint16_t);
    file.ptr[superclass + 1] = 2; // it is its own
    assert_int_equal(rewrite_class_look(lp_buf_slice(&file), &names), LP_OK);
    assert_memory_equal(names.superclass.ptr, "A", 1);
    for (size_t len = 0; len < superclass + sizeof(uint16_t); len++) {
        assert_int_equal(rewrite_class_look((lp_slice){file.ptr, len}, &names), LP_ECORRUPT);
    }
    file.ptr[superclass - 1] = 1; // a text
    assert_int_equal(rewrite_class_look(lp_buf_slice(&file), &names), LP_ECORRUPT);
    lp_buf_fini(&file);
}

static void
test_other_shapes_are_refused(void **state)
{
    (void)state;
    static const uint8_t plain[] = {0, 2, 0, 6, 0, 0, 0, 1, 0xb1, 0, 0, 0, 0};
    assert_int_equal(try_edit(&call, SLICE(plain)), LP_ENOENT); // nothing is called
    rewrite_edit edit = argument;
    edit.descriptor = "()V";
    assert_int_equal(try_edit(&edit, SLICE(plain)), LP_ENOENT);
    edit = argument;
    edit.local = 6;
    assert_int_equal(try_edit(&edit, SLICE(plain)), LP_ECORRUPT); // there are 6
    static const uint8_t unknown[] = {0, 2, 0, 6, 0, 0, 0, 1, 0xb1, 0, 0, 0, 1, 0, 16, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(unknown)), LP_EVERSION);
    static const uint8_t no_code[] = {0, 2, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(no_code)), LP_ECORRUPT);
    static const uint8_t no_op[] = {0, 2, 0, 6, 0, 0, 0, 1, 0xff, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(no_op)), LP_ECORRUPT);
    static const uint8_t half[] = {0, 2, 0, 6, 0, 0, 0, 1, 0xb9, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(half)), LP_ECORRUPT);
    static const uint8_t wide_switch[] = {0, 2, 0, 6, 0, 0, 0, 16, 0xaa, 0, 0, 0, 0, 0, 0, 0, 0x80,
        0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(wide_switch)), LP_ECORRUPT);
    static const uint8_t late[] = {
        0, 2, 0, 6, 0, 0, 0, 1, 0xb1, 0, 1, 0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(try_edit(&argument, SLICE(late)), LP_ELIMIT); // a handler
}

static void
test_a_class_that_has_such_edits_is_left_as_it_is(void **state)
{
    (void)state;
    lp_buf file = {0};
    lp_buf out = {0};
    class_sample_put(&file, SLICE(code_after), true);
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &argument, 1, &out), LP_OK);
    assert_int_equal(out.len, 0);
    lp_buf_fini(&file);
    lp_buf_fini(&out);
}

static void
test_code_of_the_largest_size_takes_calls_but_no_beginning(void **state)
{
    (void)state;
    enum { SIZE = 65535 };
    lp_buf code = {0};
    CLASS_SAMPLE_PUT(&code, 0, 2, 0, 6, 0, 0, 0xff, 0xff);
    uint8_t *ops = lp_buf_extend(&code, SIZE);
    memset(ops, 0, SIZE);
    static const uint8_t tail[] = {0xb6, 0, 17, 0xb1};
    memcpy(ops + SIZE - sizeof(tail), tail, sizeof(tail));
    CLASS_SAMPLE_PUT(&code, 0, 0, 0, 0);
    lp_buf file = {0};
    lp_buf out = {0};
    class_sample_put(&file, lp_buf_slice(&code), false);
    uint8_t *size = memmem(file.ptr, file.len, "\0\2\0\6\0\0\xff\xff", 8);
    size[-3] = 1; // of the attribute, over 64 KiB
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &argument, 1, &out), LP_ELIMIT);
    assert_int_equal(rewrite_class(lp_buf_slice(&file), "H", &call, 1, &out), LP_OK);
    lp_buf_fini(&code);
    lp_buf_fini(&file);
    lp_buf_fini(&out);
}

static void
test_a_class_cut_short_is_refused(void **state)
{
    (void)state;
    lp_buf file = {0};
    class_sample_put(&file, SLICE(class_sample_code), false);
    for (size_t len = 0; len < file.len; len++) {
        uint8_t *copy = malloc(len + (len == 0)); // so that a sanitizer sees what is behind it
        lp_buf out = {0};
        memcpy(copy, file.ptr, len);
        assert_int_not_equal(rewrite_class((lp_slice){copy, len}, "H", &argument, 1, &out), LP_OK);
        assert_int_equal(out.len, 0);
        free(copy);
    }
    lp_buf_fini(&file);
}

static void
test_a_damaged_class_harms_nobody(void **state)
{
    (void)state;
    lp_buf file = {0};
    class_sample_put(&file, SLICE(class_sample_code), false);
    for (size_t at = 0; at < file.len; at++) {
        uint8_t before = file.ptr[at];
        for (unsigned value = 0; value < 256; value += 5) {
            lp_buf out = {0};
            file.ptr[at] = (uint8_t)value;
            lp_err err = rewrite_class(lp_buf_slice(&file), "H", &argument, 1, &out);
            assert_int_equal(err == LP_OK, out.len > 0);
            lp_buf_fini(&out);
        }
        file.ptr[at] = before;
    }
    lp_buf_fini(&file);
}

// Frames as they are, and as they are 8 bytes later. Only the first names its place.
static void
test_the_first_frame_of_each_form_is_moved(void **state)
{
    (void)state;
    static const struct {
        uint8_t before[16];
        size_t before_len;
        uint8_t after[16];
        size_t after_len;
    } rows[] = {
        {{0, 2, 0, 1}, 4, {0, 2, 8, 1}, 4},                                   // same
        {{0, 1, 55}, 3, {0, 1, 63}, 3},                                       // the last short one
        {{0, 1, 56}, 3, {0, 1, 251, 0, 64}, 5},                               // has to be longer
        {{0, 1, 64, 1}, 4, {0, 1, 72, 1}, 4},                                 // one on the stack
        {{0, 1, 127, 8, 0, 9}, 6, {0, 1, 247, 0, 71, 8, 0, 17}, 8},           // the same, longer
        {{0, 1, 247, 1, 0, 7, 0, 2}, 8, {0, 1, 247, 1, 8, 7, 0, 2}, 8},       // extended
        {{0, 1, 250, 0, 255}, 5, {0, 1, 250, 1, 7}, 5},                       // chop
        {{0, 1, 253, 0, 1, 1, 8, 0, 1}, 9, {0, 1, 253, 0, 9, 1, 8, 0, 9}, 9}, // append
        {{0, 0}, 2, {0, 0}, 2},                                               // none
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lp_buf out = {0};
        lp_slice before = {rows[i].before, rows[i].before_len};
        assert_int_equal(rewrite_frames_move(before, 8, &out), LP_OK);
        assert_int_equal(out.len, rows[i].after_len);
        assert_memory_equal(out.ptr, rows[i].after, out.len);
        lp_buf_fini(&out);
    }
}

static void
test_frames_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        uint8_t bytes[8];
        size_t len;
        lp_err err;
    } rows[] = {
        {{0}, 1, LP_ECORRUPT},                           // half a number
        {{0, 1}, 2, LP_ECORRUPT},                        // none is there
        {{0, 1, 0, 0}, 4, LP_ECORRUPT},                  // one too many
        {{0, 1, 128}, 3, LP_ECORRUPT},                   // a type that does not exist
        {{0, 1, 64, 9}, 4, LP_ECORRUPT},                 // a verification type, the same
        {{0, 1, 255, 0, 0, 0xff, 0xff}, 7, LP_ECORRUPT}, // more locals than there are
        {{0, 1, 251, 0xff, 0xf8}, 5, LP_ELIMIT},         // behind the longest code
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lp_buf out = {0};
        assert_int_equal(
            rewrite_frames_move((lp_slice){rows[i].bytes, rows[i].len}, 8, &out), rows[i].err);
        lp_buf_fini(&out);
    }
}

// Each row of the table is in the place of its class, and a place is whole.
static void
test_places_have_the_edits_of_their_version(void **state)
{
    (void)state;
    rewrite_place places[REWRITE_PLACES_MAX];
    size_t before = 0;
    for (long java = 17; java <= 25; java++) {
        size_t tasks = rewrite_places_list(java, false, places);
        size_t all = rewrite_places_list(java, true, places);
        assert_int_equal(all, tasks + 4); // Thread, and those of Timer
        assert_true(all >= before);       // no later version has fewer
        before = all;
        for (size_t i = 0; i < all; i++) {
            assert_in_range(places[i].edit_count, 1, REWRITE_PLACE_EDITS_MAX - 1);
            for (size_t j = 0; j < i; j++) {
                assert_string_not_equal(places[i].class_name, places[j].class_name);
            }
        }
    }
    assert_int_equal(rewrite_places_list(16, true, places), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_argument_goes_through_the_helper_first),
        cmocka_unit_test(
            test_methods_that_are_made_anew_get_the_edit_though_the_file_names_the_helper),
        cmocka_unit_test(
            test_a_local_above_3_has_an_operand_and_no_result_is_stored_where_there_is_none),
        cmocka_unit_test(test_calls_are_found_behind_instructions_of_every_length),
        cmocka_unit_test(test_a_call_is_found_right_behind_a_switch),
        cmocka_unit_test(test_a_double_has_two_indexes_as_a_long_has),
        cmocka_unit_test(test_the_names_of_a_class_are_found),
        cmocka_unit_test(test_a_call_of_another_class_is_none),
        cmocka_unit_test(test_other_shapes_are_refused),
        cmocka_unit_test(test_a_class_that_has_such_edits_is_left_as_it_is),
        cmocka_unit_test(test_code_of_the_largest_size_takes_calls_but_no_beginning),
        cmocka_unit_test(test_a_class_cut_short_is_refused),
        cmocka_unit_test(test_a_damaged_class_harms_nobody),
        cmocka_unit_test(test_the_first_frame_of_each_form_is_moved),
        cmocka_unit_test(test_frames_that_are_none_are_refused),
        cmocka_unit_test(test_places_have_the_edits_of_their_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
