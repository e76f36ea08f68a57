// SPDX-License-Identifier: Apache-2.0
// An arena hands out memory that does not overlap and is aligned, stays failed after an allocation
// failed, and keeps its blocks for the next round. Under AddressSanitizer nothing that ended can be
// read.

#include "common/base/lp_arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

// The linker sends the arena's allocations here.
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void __real_free(void *ptr);
void __wrap_free(void *ptr);

static size_t malloc_count;
static size_t free_count;
static size_t allocations_left; // the one that makes it 0 fails; 0: none does

void *
__wrap_malloc(size_t size)
{
    malloc_count++;
    return allocations_left > 0 && --allocations_left == 0 ? NULL : __real_malloc(size);
}

void
__wrap_free(void *ptr)
{
    free_count += ptr != NULL;
    __real_free(ptr);
}

static void
test_allocations_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    lp_arena arena = {0};
    uint8_t *items[COUNT];
    size_t bytes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size_t alignment = (size_t)1 << i % 5;
        bytes[i] = i % 500 == 0 ? LP_ARENA_LARGE_BYTES + i : i % 37;
        items[i] = lp_arena_alloc(&arena, bytes[i], alignment);
        assert_non_null(items[i]);
        assert_int_equal((uintptr_t)items[i] % alignment, 0);
        memset(items[i], (int)(i & 0xff), bytes[i]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; k < bytes[i]; k++) {
            assert_int_equal(items[i][k], i & 0xff);
        }
    }
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    lp_arena_fini(&arena);
    assert_null(arena.blocks);
    lp_arena_fini(&arena);
}

static void
test_arrays_are_zeroed_in_memory_that_was_used(void **state)
{
    (void)state;
    lp_arena arena = {0};
    for (unsigned round = 0; round < 3; round++) {
        memset(lp_arena_alloc(&arena, 800, 1), 0xee, 800);
        lp_arena_reset(&arena);
        uint64_t *numbers = LP_ARENA_ARRAY(&arena, uint64_t, 100);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(numbers[i], 0);
        }
        assert_int_equal(*LP_ARENA_NEW(&arena, uint32_t), 0);
        assert_non_null(LP_ARENA_ARRAY(&arena, uint32_t, 0)); // NULL says that memory ran out
    }
    lp_arena_fini(&arena);
}

static void
test_a_vector_keeps_its_items_as_it_grows(void **state)
{
    (void)state;
    lp_arena arena = {0};
    LP_VEC(uint32_t) even = {0};
    LP_VEC(uint64_t) odd = {0}; // grows in turn with even, so neither is always the newest
    for (uint32_t i = 0; i < 200000; i++) { // to more than a block
        if (i % 2 == 0) {
            LP_ARENA_PUSH(&arena, &even, i);
        } else {
            LP_ARENA_PUSH(&arena, &odd, i);
        }
    }
    LP_ARENA_EXTEND(&arena, &even, 3);
    LP_ARENA_EXTEND(&arena, &even, 0);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    assert_int_equal(even.count, 100003);
    assert_int_equal(odd.count, 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        assert_int_equal(even.items[i], 2 * i);
        assert_int_equal(odd.items[i], 2 * i + 1);
    }
    for (uint32_t i = 100000; i < 100003; i++) {
        assert_int_equal(even.items[i], 0);
    }
    lp_arena_fini(&arena);
}

static void
test_copies_are_copies(void **state)
{
    (void)state;
    lp_arena arena = {0};
    char text[] = "dispatch";
    lp_slice bytes = {(const uint8_t *)text, 8};
    lp_slice copy = lp_arena_copy(&arena, bytes);
    const char *string = lp_arena_string(&arena, bytes);
    char *copied = lp_arena_text(&arena, text);
    const char *empty = lp_arena_string(&arena, (lp_slice){0});
    assert_int_equal(lp_arena_copy(&arena, (lp_slice){0}).len, 0);
    memset(text, 'x', 8);
    assert_int_equal(copy.len, 8);
    assert_memory_equal(copy.ptr, "dispatch", 8);
    assert_string_equal(string, "dispatch");
    assert_string_equal(copied, "dispatch");
    assert_string_equal(lp_arena_text(&arena, NULL), "");
    assert_string_equal(empty, "");
    assert_string_equal(lp_arena_print(&arena, "%s_%d", string, 2), "dispatch_2");
    lp_arena_fini(&arena);
}

static void
test_a_failure_stays_until_the_reset(void **state)
{
    (void)state;
    lp_arena arena = {0};
    LP_VEC(uint8_t) bytes = {0};
    LP_ARENA_PUSH(&arena, &bytes, 7);
    assert_null(LP_ARENA_ARRAY(&arena, uint64_t, SIZE_MAX / 4)); // more than can be counted
    assert_int_equal(lp_arena_err(&arena), LP_ENOMEM);
    assert_null(lp_arena_alloc(&arena, 1, 1));
    assert_null(lp_arena_alloc(&arena, 0, 1));
    assert_int_equal(lp_arena_copy(&arena, (lp_slice){(const uint8_t *)"a", 1}).len, 0);
    assert_string_equal(lp_arena_string(&arena, (lp_slice){(const uint8_t *)"a", 1}), "");
    assert_string_equal(lp_arena_print(&arena, "%d", 1), "");
    assert_string_equal(lp_arena_text(&arena, "a"), "");
    LP_ARENA_EXTEND(&arena, &bytes, 1000);
    assert_int_equal(bytes.count, 1);
    assert_int_equal(bytes.items[0], 7);
    lp_arena_reset(&arena);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
    assert_non_null(lp_arena_alloc(&arena, 1, 1));
    lp_arena_fail(&arena); // of an allocation elsewhere
    assert_int_equal(lp_arena_err(&arena), LP_ENOMEM);
    assert_null(lp_arena_alloc(&arena, SIZE_MAX, 1));
    lp_arena_reset(&arena);
    assert_null(lp_arena_alloc(&arena, SIZE_MAX, 1));
    lp_arena_fini(&arena);
    assert_int_equal(lp_arena_err(&arena), LP_OK);
}

// fill uses several blocks, a large allocation and a vector that grows.
static void
fill(lp_arena *arena)
{
    LP_VEC(uint64_t) numbers = {0};
    for (uint64_t i = 0; i < 3000; i++) {
        LP_ARENA_PUSH(arena, &numbers, i);
        (void)lp_arena_alloc(arena, 11, 1);
    }
    (void)lp_arena_alloc(arena, 100000, 8);
    for (uint64_t i = 0; i < numbers.count; i++) {
        assert_int_equal(numbers.items[i], i);
    }
}

static void
test_every_failed_allocation_is_noticed_and_nothing_leaks(void **state)
{
    (void)state;
    bool is_complete = false;
    for (size_t n = 1; !is_complete; n++) {
        lp_arena arena = {0};
        malloc_count = free_count = 0;
        allocations_left = n;
        fill(&arena);
        is_complete = allocations_left > 0;
        allocations_left = 0;
        assert_int_equal(lp_arena_err(&arena), is_complete ? LP_OK : LP_ENOMEM);
        assert_int_equal(malloc_count, is_complete ? n - 1 : n); // none is tried after the failure
        lp_arena_fini(&arena);
        assert_int_equal(free_count, n - 1);
    }
}

#ifdef __SANITIZE_ADDRESS__
static void
test_nothing_that_ended_can_be_read(void **state)
{
    (void)state;
    lp_arena arena = {0};
    uint8_t *first = lp_arena_alloc(&arena, 16, 8);
    assert_false(__asan_address_is_poisoned(first + 15));
    assert_true(__asan_address_is_poisoned(first + 16));
    LP_VEC(uint64_t) numbers = {0};
    LP_ARENA_PUSH(&arena, &numbers, 1);
    uint64_t *before = numbers.items;
    LP_ARENA_EXTEND(&arena, &numbers, 100);
    assert_true(__asan_address_is_poisoned(before));
    lp_arena_reset(&arena);
    assert_true(__asan_address_is_poisoned(first));
    lp_arena_fini(&arena);
}
#else
static void
test_a_reset_keeps_the_blocks(void **state)
{
    (void)state;
    lp_arena arena = {0};
    uint8_t *first = lp_arena_alloc(&arena, 100, 8);
    assert_ptr_equal(lp_arena_alloc(&arena, 8, 8), first + 104); // beside each other
    assert_ptr_equal(lp_arena_alloc(&arena, 1, 1), first + 112);
    fill(&arena);
    lp_arena_reset(&arena);
    assert_ptr_equal(lp_arena_alloc(&arena, 100, 8), first);
    size_t large = 0; // a round allocates nothing but these again, which are freed each time
    for (unsigned round = 0; round < 3; round++) {
        lp_arena_reset(&arena);
        malloc_count = free_count = 0;
        fill(&arena);
        large = round == 0 ? malloc_count : large;
        assert_int_equal(malloc_count, large);
        lp_arena_reset(&arena);
        assert_int_equal(free_count, large);
    }
    lp_arena_fini(&arena);
}
#endif

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations_are_aligned_and_do_not_overlap),
        cmocka_unit_test(test_arrays_are_zeroed_in_memory_that_was_used),
        cmocka_unit_test(test_a_vector_keeps_its_items_as_it_grows),
        cmocka_unit_test(test_copies_are_copies),
        cmocka_unit_test(test_a_failure_stays_until_the_reset),
        cmocka_unit_test(test_every_failed_allocation_is_noticed_and_nothing_leaks),
#ifdef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_nothing_that_ended_can_be_read),
#else
        cmocka_unit_test(test_a_reset_keeps_the_blocks),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
