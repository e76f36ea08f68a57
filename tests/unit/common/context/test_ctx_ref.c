// SPDX-License-Identifier: Apache-2.0
// What a context is called in answers: the same text everywhere and always, read back as what it
// was, and nothing else is read.

#include "common/context/ctx_ref.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
expect(ctx_ref ref, const char *text)
{
    char out[CTX_REF_BYTES];
    ctx_ref back;
    ctx_ref_format(ref, out);
    assert_string_equal(out, text);
    assert_true(ctx_ref_parse(text, &back));
    assert_true(ctx_ref_is_same(ref, back));
}

static void
test_texts_are_read_back(void **state)
{
    (void)state;
    expect((ctx_ref){0, 0}, "0-00000000");
    expect((ctx_ref){0x1234567890abc, 0xdeadbeef}, "1234567890abc-deadbeef");
    expect((ctx_ref){-1, UINT32_MAX}, "ffffffffffffffff-ffffffff");
    expect((ctx_ref){INT64_MIN, 1}, "8000000000000000-00000001");
}

static void
test_other_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "-", "1-", "-00000000", "1-0000000", "1-000000000",
        "1_00000000", "01-00000000", "A-00000000", "a-0000000A", "11111111111111111-00000000",
        "1-00000000 ", " 1-00000000", "+1-00000000", "0x1-00000000", "1-0000-000"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        ctx_ref ref;
        assert_false(ctx_ref_parse(texts[i], &ref));
    }
}

static void
test_it_never_changes(void **state)
{
    (void)state;
    // Links to contexts are kept, so this stays what it is.
    expect(ctx_ref_make(0x10, "shop.Request", 7 << 2 | 1), "10-73220c67");
}

static void
test_type_and_thread_matter(void **state)
{
    (void)state;
    ctx_ref ref = ctx_ref_make(5, "shop.Request", 5);
    assert_true(ctx_ref_is_same(ref, ctx_ref_make(5, "shop.Request", 5)));
    assert_false(ctx_ref_is_same(ref, ctx_ref_make(6, "shop.Request", 5)));
    assert_false(ctx_ref_is_same(ref, ctx_ref_make(5, "shop.Requests", 5)));
    assert_false(ctx_ref_is_same(ref, ctx_ref_make(5, "shop.Request", 6)));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_read_back),
        cmocka_unit_test(test_other_texts_are_refused),
        cmocka_unit_test(test_it_never_changes),
        cmocka_unit_test(test_type_and_thread_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
