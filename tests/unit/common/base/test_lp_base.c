// SPDX-License-Identifier: Apache-2.0
// What all else rests on. The containers lp_buf, lp_map, lp_names and lp_vec, each past several
// growths and at the edges of what it may hold; that lp_hash is XXH3 and nobody can choose keys
// that meet in a table; and what people are shown of lp_printable and lp_problem.

#include "support/chance.h"

#include "common/base/lp_buf.h"
#include "common/base/lp_byte_count.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_err.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_map.h"
#include "common/base/lp_names.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_quote.h"
#include "common/base/lp_utf8.h"
#include "common/base/lp_vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_buf_keeps_what_was_appended(void **state)
{
    (void)state;
    lp_buf buf = {0};
    for (unsigned i = 0; i < 10000; i++) {
        uint8_t byte = (uint8_t)(i * 7);
        lp_buf_append(&buf, &byte, 1);
    }
    lp_buf_append(&buf, NULL, 0);
    assert_int_equal(lp_buf_check(&buf), LP_OK);
    assert_int_equal(buf.len, 10000);
    for (unsigned i = 0; i < 10000; i++) {
        assert_int_equal(buf.ptr[i], (uint8_t)(i * 7));
    }
    lp_slice slice = lp_buf_slice(&buf);
    assert_ptr_equal(slice.ptr, buf.ptr);
    assert_int_equal(slice.len, buf.len);
    lp_buf_clear(&buf);
    assert_int_equal(buf.len, 0);
    lp_buf_fini(&buf);
    assert_null(buf.ptr);
    lp_buf_fini(&buf);
}

static void
test_no_bytes_more_is_no_failure(void **state)
{
    (void)state;
    lp_buf buf = {0};
    assert_non_null(lp_buf_extend(&buf, 0)); // NULL says that memory ran out
    assert_int_equal(lp_buf_check(&buf), LP_OK);
    assert_int_equal(buf.len, 0);
    lp_buf_append(&buf, "abc", 3);
    assert_ptr_equal(lp_buf_extend(&buf, 0), buf.ptr + 3);
    assert_int_equal(buf.len, 3);
    lp_buf_fini(&buf);
}

static void
test_room_that_is_reserved_is_enough(void **state)
{
    (void)state;
    lp_buf buf = {0};
    lp_buf_append(&buf, "abc", 3);
    lp_buf_reserve(&buf, 1000);
    assert_int_equal(buf.capacity, 1003);
    assert_int_equal(buf.len, 3);
    assert_memory_equal(buf.ptr, "abc", 3);
    const uint8_t *ptr = buf.ptr;
    memset(lp_buf_extend(&buf, 1000), 'x', 1000);
    assert_ptr_equal(buf.ptr, ptr);
    lp_buf_reserve(&buf, 0);
    assert_int_equal(buf.capacity, 1003);
    lp_buf_reserve(&buf, SIZE_MAX);
    assert_int_equal(lp_buf_check(&buf), LP_ENOMEM);
    assert_int_equal(buf.len, 1003);
    lp_buf_fini(&buf);
    lp_buf_reserve(&buf, 0);
    assert_non_null(buf.ptr);
    lp_buf_fini(&buf);
}

static void
test_a_buf_remembers_that_it_could_not_grow(void **state)
{
    (void)state;
    lp_buf buf = {0};
    lp_buf_append(&buf, "abc", 3);
    assert_null(lp_buf_extend(&buf, SIZE_MAX));
    assert_null(lp_buf_extend(&buf, SIZE_MAX - 3));
    assert_int_equal(lp_buf_check(&buf), LP_ENOMEM);
    lp_buf_append(&buf, "d", 1); // does nothing
    assert_int_equal(buf.len, 3);
    assert_memory_equal(buf.ptr, "abc", 3);
    assert_int_equal(lp_buf_check(&buf), LP_ENOMEM);
    lp_buf_clear(&buf);
    lp_buf_append(&buf, "e", 1);
    assert_int_equal(lp_buf_check(&buf), LP_OK);
    assert_memory_equal(buf.ptr, "e", 1);
    lp_buf_fini(&buf);
}

static void
test_an_empty_map_has_nothing(void **state)
{
    (void)state;
    lp_map map = {0};
    assert_int_equal(lp_map_find(&map, 0), LP_MAP_NONE);
    assert_int_equal(lp_map_find(&map, UINT64_MAX), LP_MAP_NONE);
    lp_map_fini(&map);
}

static void
test_a_map_finds_every_key_and_no_other(void **state)
{
    (void)state;
    lp_map map = {0};
    enum { KEYS = 5000 };
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_int_equal(lp_map_put(&map, i * 0x100000001u, (uint32_t)i), LP_OK);
    }
    assert_int_equal(map.count, KEYS);
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_int_equal(lp_map_find(&map, i * 0x100000001u), i);
        assert_int_equal(lp_map_find(&map, i * 0x100000001u + 0x80000000u), LP_MAP_NONE);
    }
    lp_map_fini(&map);
}

static void
test_a_map_that_is_cleared_has_nothing_and_keeps_its_room(void **state)
{
    (void)state;
    lp_map map = {0};
    lp_map_clear(&map);
    for (uint64_t key = 0; key < 1000; key++) {
        assert_int_equal(lp_map_put(&map, key, 1), LP_OK);
    }
    const lp_map_slot *slots = map.slots;
    lp_map_clear(&map);
    assert_int_equal(map.count, 0);
    for (uint64_t key = 0; key < 1000; key++) {
        assert_int_equal(lp_map_find(&map, key), LP_MAP_NONE);
        assert_int_equal(lp_map_put(&map, key, 2), LP_OK);
    }
    assert_ptr_equal(map.slots, slots);
    lp_map_fini(&map);
}

static void
test_a_map_does_not_grow_within_what_is_reserved(void **state)
{
    (void)state;
    for (size_t count = 0; count < 100; count++) {
        lp_map map = {0};
        assert_int_equal(lp_map_put(&map, 4711, 0), LP_OK);
        assert_int_equal(lp_map_reserve(&map, count + 1), LP_OK);
        const lp_map_slot *slots = map.slots;
        for (uint64_t key = 0; key < count; key++) {
            assert_int_equal(lp_map_put(&map, key, (uint32_t)key), LP_OK);
        }
        assert_ptr_equal(map.slots, slots);
        assert_int_equal(lp_map_find(&map, 4711), 0);
        for (uint64_t key = 0; key < count; key++) {
            assert_int_equal(lp_map_find(&map, key), key);
        }
        assert_int_equal(lp_map_reserve(&map, SIZE_MAX), LP_ENOMEM);
        lp_map_fini(&map);
    }
}

static void
test_a_map_takes_any_key_and_replaces(void **state)
{
    (void)state;
    static const uint64_t keys[] = {0, 1, UINT64_MAX, 1ull << 63, 0xffffffff};
    lp_map map = {0};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(lp_map_put(&map, keys[i], 10 * round + i), LP_OK);
        }
    }
    assert_int_equal(map.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(lp_map_find(&map, keys[i]), 10 + i);
    }
    assert_int_equal(lp_map_put(&map, 2, UINT32_MAX - 1), LP_OK);
    assert_int_equal(lp_map_find(&map, 2), UINT32_MAX - 1);
    lp_map_fini(&map);
}

static void
test_names_are_found_by_their_rows(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    static char texts[COUNT][8]; // the first is empty, and each begins like some of the others
    lp_names names = {0};
    assert_int_equal(lp_names_find(&names, ""), LP_MAP_NONE);
    for (uint32_t i = 0; i < COUNT; i++) {
        (void)snprintf(texts[i], sizeof(texts[i]), "%.*x", i > 0, i);
        assert_int_equal(lp_names_find(&names, texts[i]), LP_MAP_NONE);
        assert_int_equal(lp_names_add(&names, texts[i]), LP_OK);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        char same[sizeof(texts[i])];
        memcpy(same, texts[i], sizeof(same));
        assert_int_equal(lp_names_find(&names, same), i);
    }
    char name[] = "a copy";
    char *copy;
    assert_int_equal(lp_names_add_copy(&names, name, &copy), LP_OK);
    name[0] = 'b';
    assert_ptr_equal(names.items.items[lp_names_find(&names, "a copy")], copy);
    assert_int_equal(lp_names_find(&names, "0"), LP_MAP_NONE);
    lp_names_fini(&names);
    free(copy);
    assert_int_equal(lp_names_find(&names, "1"), LP_MAP_NONE);
}

// Where the hash of "b" would be, "a" is found, as if theirs was the same.
static void
test_names_may_share_a_hash(void **state)
{
    (void)state;
    lp_names names = {0};
    assert_int_equal(lp_names_add(&names, "a"), LP_OK);
    uint64_t hash = lp_hash_text(lp_hash_seed(), "b");
    assert_int_equal(lp_map_put(&names.by_hash, hash, 0), LP_OK);
    assert_int_equal(lp_names_find(&names, "b"), LP_MAP_NONE);
    assert_int_equal(lp_names_add(&names, "b"), LP_OK);
    assert_int_equal(lp_names_find(&names, "a"), 0);
    assert_int_equal(lp_names_find(&names, "b"), 1);
    lp_names_fini(&names);
}

static void
test_a_vec_grows_and_zeroes(void **state)
{
    (void)state;
    typedef struct item {
        uint64_t number;
        uint8_t byte;
    } item;
    LP_VEC(item) vec = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        item *made = LP_VEC_PUSH(&vec);
        assert_non_null(made);
        assert_int_equal(made->number, 0);
        assert_int_equal(made->byte, 0);
        *made = (item){i, 0xff};
    }
    assert_int_equal(vec.count, 1000);
    assert_int_equal(LP_VEC_ADD(&vec, (item){.number = 1000, .byte = 7}), LP_OK);
    assert_int_equal(vec.count, 1001);
    assert_int_equal(vec.items[1000].byte, 7);
    for (uint64_t i = 0; i <= 1000; i++) {
        assert_int_equal(vec.items[i].number, i);
    }
    vec.count = 0;
    assert_int_equal(LP_VEC_PUSH(&vec)->byte, 0); // memory that was used before
    LP_VEC_FINI(&vec);
    assert_null(vec.items);
    assert_int_equal(vec.capacity, 0);
}

static void
test_a_vec_does_not_grow_past_what_can_be_counted(void **state)
{
    (void)state;
    void *items = NULL;
    size_t capacity = SIZE_MAX / 16;
    assert_false(lp_vec_grow(&items, &capacity, 1, 8));
    assert_null(items);
    assert_int_equal(capacity, SIZE_MAX / 16);
}

static void
test_a_hash_of_bytes_is_xxh3(void **state)
{
    (void)state; // the values of the shared library, 0.8.1; that of no bytes is published
    static const uint8_t text[] = "foobar";
    const lp_slice bytes = {text, 6};
    assert_true(lp_hash_bytes(LP_HASH_FIXED, (lp_slice){0}) == 0x2d06800538d394c2u);
    assert_true(lp_hash_bytes(LP_HASH_FIXED, bytes) == 0xd78fda63144c5c84u);
    assert_true(lp_hash_text(LP_HASH_FIXED, "foobar") == 0xd78fda63144c5c84u);
    assert_true(lp_hash_text(1, "foobar") != 0xd78fda63144c5c84u);
    lp_hash_wide wide = lp_hash_bytes_wide(LP_HASH_FIXED, bytes);
    assert_true(wide.high == 0x3c9e102628997f44u && wide.low == 0xac87b0b131c6992du);
    lp_hash_run *run = lp_hash_run_create();
    assert_non_null(run);
    for (int i = 0; i < 2; i++) {
        assert_true(lp_hash_run_get(run) == 0x2d06800538d394c2u);
        lp_hash_run_add(run, (lp_slice){text, 2});
        lp_hash_run_add(run, (lp_slice){text + 2, 4});
        assert_true(lp_hash_run_get(run) == 0xd78fda63144c5c84u);
        lp_hash_run_clear(run);
    }
    lp_hash_run_destroy(run);
}

static void
test_the_seed_of_a_process_is_odd_and_stays(void **state)
{
    (void)state;
    uint64_t seed = lp_hash_seed();
    assert_int_equal(seed & 1, 1);
    assert_true(lp_hash_seed() == seed);
}

// Keys that differ in high bits only, in such a way that xor with a shift of itself leaves the low
// ones alone: with whatever seed, all of them once had the same slot.
static void
test_no_keys_share_their_slots_whatever_the_seed(void **state)
{
    (void)state;
    enum { KEYS = 4096 };
    static bool is_home[4 * KEYS];
    lp_map map = {0};
    size_t homes = 0;
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_int_equal(lp_map_put(&map, i << 45 | i << 13, (uint32_t)i), LP_OK);
    }
    assert_true(map.capacity <= 4 * KEYS);
    for (uint64_t i = 0; i < KEYS; i++) {
        size_t home = lp_map_hash(&map, i << 45 | i << 13) & (map.capacity - 1);
        homes += !is_home[home];
        is_home[home] = true;
    }
    assert_true(homes > KEYS / 4); // two thirds and more, were they thrown at random
    lp_map_fini(&map);
}

// Against a table of all keys: whatever was removed is gone, and all others are found.
static void
test_a_map_forgets_what_is_removed_and_nothing_else(void **state)
{
    (void)state;
    enum { KEYS = 64, ROUNDS = 20000 };
    uint32_t values[KEYS];
    memset(values, 0xff, sizeof(values)); // LP_MAP_NONE
    lp_map map = {0};
    lp_map_remove(&map, 1); // there is nothing
    uint64_t seed = 1;
    size_t count = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint64_t key = chance_below(&seed, KEYS);
        if (chance_below(&seed, 2) == 0) {
            lp_map_remove(&map, key * key);
            count -= values[key] != LP_MAP_NONE;
            values[key] = LP_MAP_NONE;
        } else {
            assert_int_equal(lp_map_put(&map, key * key, round), LP_OK);
            count += values[key] == LP_MAP_NONE;
            values[key] = round;
        }
        assert_int_equal(map.count, count);
        for (uint64_t i = 0; i < KEYS; i++) {
            assert_int_equal(lp_map_find(&map, i * i), values[i]);
        }
    }
    assert_true(map.capacity <= 4 * KEYS);
    lp_map_fini(&map);
}

// The first and the last code point of each length, and their neighbours outside.
static void
test_a_quote_ends_with_a_whole_character(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *quote;
    } cases[] = {
        {"", ""},
        {"short", "short"},
        {"0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789"},
        {"01234567890123456789012345678901234567890",
            "0123456789012345678901234567890123456789..."},
        {"01234567890123456789012345678901234567\u00e9", // of two bytes
            "01234567890123456789012345678901234567\u00e9"},
        {"012345678901234567890123456789012345678\u00e9",
            "012345678901234567890123456789012345678..."},
        {"0123456789012345678901234567890123456\U0001f600",
            "0123456789012345678901234567890123456..."},
        {"012345678901234567890123456789012345678\xff\xff", // no UTF-8
            "012345678901234567890123456789012345678\xff..."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_string_equal(lp_quote_text(cases[i].text).text, cases[i].quote);
    }
    assert_string_equal(lp_quote_bytes((lp_slice){(const uint8_t *)"ab", 1}).text, "a");
}

static void
test_a_text_is_utf8_or_not(void **state)
{
    (void)state;
    static const char *const good[] = {"", "a\x01\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80",
        "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
        "z\xc3\xa4z\xe2\x82\xacz"};
    static const char *const bad[] = {"\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "a\xc2", "a\xe2\x82",
        "\xc3\xa4\xc3", "\xc3z"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(lp_utf8_is_text(good[i]));
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(lp_utf8_is_text(bad[i]));
    }
}

static void
test_what_is_printable_is_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *printed;
    } rows[] = {
        {"", 1, ""},
        {"a b~\\n", 64, "a b~\\n"},
        {"caf\xc3\xa9", 64, "caf\xc3\xa9"},
        {"a\nb\r\n\tc", 64, "a\\nb\\r\\n\\tc"},
        {"\x01\x1b[2J\x7f", 64, "\\x01\\x1b[2J\\x7f"},
        {"\xc2\x80\xc2\x9b[\xc2\xa0\xc2", 64, "\\x80\\x9b[\xc2\xa0\\xc2"},
        {"\x9b[2J \xc0\x9b \xe9", 64,
            "\\x9b[2J \\xc0\\x9b \\xe9"}, // no UTF-8, CSI to some terminals
        {"\xe2\x82\xac\xf0\x9f\x9b\x91", 64, "\xe2\x82\xac\xf0\x9f\x9b\x91"}, // in it, no CSI
        {"a\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", 64, "a\\u061c\\u200e\\u200f"},  // marks of direction
        {"\xe2\x80\xa8\xe2\x80\xa9", 64, "\\u2028\\u2029"}, // ends of a line and of a paragraph
        // NOLINTBEGIN(misc-misleading-bidirectional): they are what is tested
        {"\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae", 64,
            "\\u202a\\u202b\\u202c\\u202d\\u202e"}, // embeddings, overrides, and their end
        {"\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", 64, "\\u2066\\u2067\\u2068\\u2069"},
        {"\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa", 64,
            "\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"}, // beside them
        {"\xe2\x80\xae", 7, "\\u202e"},
        {"\xe2\x80\xae", 6, ""},
        // NOLINTEND(misc-misleading-bidirectional)
        {"a\xe2\x82\xac", 5, "a\xe2\x82\xac"},
        {"a\xe2\x82\xac", 4, "a"},
        {"abc", 4, "abc"},
        {"abc", 3, "ab"},
        {"abc", 1, ""},
        {"a\n", 4, "a\\n"},
        {"a\nb", 3, "a"}, // and nothing behind what does not fit
        {"\x1b", 5, "\\x1b"},
        {"\x1b", 4, ""},
        {"\xc2\x9b", 5, "\\x9b"},
        {"\xc2\x9b", 4, ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char out[64];
        memset(out, '?', sizeof(out));
        assert_int_equal(lp_printable(rows[i].text, out, rows[i].size), strlen(rows[i].printed));
        assert_string_equal(out, rows[i].printed);
        for (size_t at = rows[i].size; at < sizeof(out); at++) {
            assert_int_equal(out[at], '?');
        }
    }
}

static void
test_a_problem_keeps_what_fits(void **state)
{
    (void)state;
    char text[400];
    lp_problem problem;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_int_equal(lp_problem_at(&problem, LP_ELIMIT, 9, "%d%s", 7, text), LP_ELIMIT);
    assert_true(problem.has_offset);
    assert_int_equal(problem.offset, 9);
    assert_int_equal(strlen(problem.text), sizeof(problem.text) - 1);
    assert_memory_equal(problem.text, "7xxx", 4);
    assert_int_equal(lp_problem_set(&problem, LP_EIO, "plain"), LP_EIO);
    assert_false(problem.has_offset);
    assert_string_equal(problem.text, "plain");
    assert_int_equal(lp_problem_set(NULL, LP_EEND, "nobody asks"), LP_EEND);
    assert_int_equal(lp_problem_at(NULL, LP_EEND, 1, "nobody asks"), LP_EEND);
}

static void
test_a_byte_count_has_a_unit_or_not(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
    } good[] = {{"0", 0}, {"4096", 4096}, {"1K", 1024}, {"64M", 67108864},
        {"50G", UINT64_C(53687091200)}, {"2T", UINT64_C(2199023255552)},
        {"9223372036854775807", INT64_MAX}};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        uint64_t count = 7;
        assert_true(lp_byte_count_parse(good[i].text, &count));
        assert_int_equal(count, good[i].count);
    }
    static const char *const bad[] = {"", "K", "-1", "+1", " 1", "1 K", "1k", "1KB", "1P", "1.5G",
        "0x10", "9223372036854775808", "8388608T", "99999999999999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        uint64_t count = 7;
        assert_false(lp_byte_count_parse(bad[i], &count));
        assert_int_equal(count, 7);
    }
}

static void
test_a_text_ends_with_its_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *end;
        bool is_end;
    } cases[] = {{"a.jfr", ".jfr", true}, {".jfr", ".jfr", true}, {"jfr", ".jfr", false},
        {"a.jfr.zst", ".jfr", false}, {"a.JFR", ".jfr", false}, {"", "", true}, {"a", "", true},
        {"", "a", false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *text = cases[i].text;
        assert_int_equal(lp_ends_with(text, strlen(text), cases[i].end), cases[i].is_end);
    }
    assert_true(lp_ends_with("a.jfr.zst", 5, ".jfr")); // only these characters
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_buf_keeps_what_was_appended),
        cmocka_unit_test(test_no_bytes_more_is_no_failure),
        cmocka_unit_test(test_room_that_is_reserved_is_enough),
        cmocka_unit_test(test_a_buf_remembers_that_it_could_not_grow),
        cmocka_unit_test(test_an_empty_map_has_nothing),
        cmocka_unit_test(test_a_map_finds_every_key_and_no_other),
        cmocka_unit_test(test_a_map_that_is_cleared_has_nothing_and_keeps_its_room),
        cmocka_unit_test(test_a_map_does_not_grow_within_what_is_reserved),
        cmocka_unit_test(test_a_map_takes_any_key_and_replaces),
        cmocka_unit_test(test_names_are_found_by_their_rows),
        cmocka_unit_test(test_names_may_share_a_hash),
        cmocka_unit_test(test_a_vec_grows_and_zeroes),
        cmocka_unit_test(test_a_vec_does_not_grow_past_what_can_be_counted),
        cmocka_unit_test(test_a_hash_of_bytes_is_xxh3),
        cmocka_unit_test(test_the_seed_of_a_process_is_odd_and_stays),
        cmocka_unit_test(test_no_keys_share_their_slots_whatever_the_seed),
        cmocka_unit_test(test_a_map_forgets_what_is_removed_and_nothing_else),
        cmocka_unit_test(test_a_quote_ends_with_a_whole_character),
        cmocka_unit_test(test_a_text_is_utf8_or_not),
        cmocka_unit_test(test_what_is_printable_is_one_line),
        cmocka_unit_test(test_a_problem_keeps_what_fits),
        cmocka_unit_test(test_a_byte_count_has_a_unit_or_not),
        cmocka_unit_test(test_a_text_ends_with_its_ends),
    };
    return cmocka_run_group_tests_name("lp_base", tests, NULL, NULL);
}
