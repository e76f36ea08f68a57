// SPDX-License-Identifier: Apache-2.0
// Registry: types get ids from 1 in order, are copies, and stay within the limits on attributes: 16
// of a type, 32 together.

#include "agent/context/ctx_registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static lp_err
add(ctx_registry *registry, char *name, size_t attribute_count, uint16_t *out_id)
{
    ctx_type type = {.name = name, .attribute_count = attribute_count};
    for (size_t i = 0; i < attribute_count && i < CTX_RECORDING_KEYS_MAX; i++) {
        type.attributes[i] = (ctx_attribute){.kind = CTX_LONG, .name = name};
    }
    return ctx_registry_add(registry, &type, out_id);
}

static void
test_types_are_copied_and_numbered(void **state)
{
    (void)state;
    // Types are never removed, so neither is a registry: this one is the only one of the test.
    static ctx_registry *registry;
    registry = ctx_registry_create();
    assert_non_null(registry);
    uint16_t id = 0;
    char name[] = "first";
    assert_int_equal(add(registry, name, 3, &id), LP_OK);
    assert_int_equal(id, 1);
    name[0] = '?';
    assert_string_equal(ctx_registry_find(registry, 0)->name, "first");
    assert_int_equal(ctx_registry_find(registry, 0)->attribute_count, 3);
    assert_null(ctx_registry_find(registry, 1));

    char second[] = "second";
    char third[] = "third";
    assert_int_equal(ctx_registry_get_left(registry), 29);
    assert_int_equal(add(registry, second, 17, &id), LP_ELIMIT);
    assert_int_equal(add(registry, second, 33, &id), LP_ELIMIT);
    assert_int_equal(add(registry, second, 0, &id), LP_ELIMIT);
    assert_null(ctx_registry_find(registry, 1));
    assert_int_equal(add(registry, second, 16, &id), LP_OK);
    assert_int_equal(id, 2);
    assert_int_equal(ctx_registry_find(registry, 1)->id, 2);
    assert_int_equal(ctx_registry_find(registry, 1)->attribute_count, 16);
    assert_int_equal(add(registry, third, 14, &id), LP_ELIMIT); // 33 attributes
    assert_int_equal(add(registry, third, 13, &id), LP_OK);
    assert_int_equal(id, 3);
    assert_int_equal(ctx_registry_get_left(registry), 0);
    assert_int_equal(add(registry, second, 1, &id), LP_ELIMIT);

    // A class that is loaded again, by another loader, is the type that it was.
    char first[] = "first";
    assert_int_equal(add(registry, first, 3, &id), LP_OK);
    assert_int_equal(id, 1);
    assert_int_equal(add(registry, second, 16, &id), LP_OK);
    assert_int_equal(id, 2);
    assert_null(ctx_registry_find(registry, 3));
    assert_int_equal(add(registry, first, 5, &id), LP_ELIMIT);
    assert_int_equal(add(registry, first, SIZE_MAX, &id), LP_ELIMIT);
    ctx_type other = {.name = first, .attribute_count = 3};
    for (size_t i = 0; i < 3; i++) {
        other.attributes[i] = (ctx_attribute){.kind = i == 2 ? CTX_INT : CTX_LONG, .name = first};
    }
    assert_int_equal(ctx_registry_add(registry, &other, &id), LP_ELIMIT);
}

// The built-in types take no attribute of the application's, whoever comes first.
static void
test_recording_contexts_take_no_attribute(void **state)
{
    (void)state;
    static ctx_registry *registry; // reachable to the end
    registry = ctx_registry_create();
    assert_non_null(registry);
    uint16_t id = 0;
    for (size_t i = 0; i < CTX_ATTRIBUTES_MAX; i++) {
        char name[] = {(char)('@' + i), '\0'};
        assert_int_equal(add(registry, name, 1, &id), LP_OK);
    }
    char hand_over[] = "loupe.HandOver";
    ctx_type other = {.name = hand_over, .is_hand_over = true, .attribute_count = 2};
    other.attributes[0] = (ctx_attribute){.kind = CTX_LONG, .name = hand_over};
    other.attributes[1] = other.attributes[0];
    assert_int_equal(ctx_registry_add(registry, &other, &id), LP_OK);
    char root[] = "loupe.Request";
    ctx_type requests = {.name = root, .is_root = true, .attribute_count = 2};
    requests.attributes[0] = other.attributes[0];
    requests.attributes[1] = (ctx_attribute){.kind = CTX_BOOLEAN, .name = root};
    assert_int_equal(ctx_registry_add(registry, &requests, &id), LP_OK);
    char name[] = "loupe.RecordingContext";
    ctx_type type = {.name = name, .is_recording = true, .attribute_count = 2};
    type.attributes[0] = (ctx_attribute){.kind = CTX_LONG, .name = name};
    type.attributes[1] = (ctx_attribute){.kind = CTX_LONG, .name = hand_over};
    assert_int_equal(ctx_registry_add(registry, &type, &id), LP_OK);
    assert_int_equal(id, CTX_TYPES_MAX);
    assert_int_equal(ctx_registry_add(registry, &type, &id), LP_OK);
    assert_int_equal(id, CTX_TYPES_MAX);
    assert_true(ctx_registry_find(registry, CTX_TYPES_MAX - 1)->is_recording);
    assert_int_equal(add(registry, name, 1, &id), LP_ELIMIT);
}

// Neither does a type that completes another, whose attributes are that one's.
static void
test_completions_take_no_attribute(void **state)
{
    (void)state;
    static ctx_registry *registry; // reachable to the end
    registry = ctx_registry_create();
    assert_non_null(registry);
    uint16_t id = 0;
    char name[] = "span";
    for (size_t left = CTX_ATTRIBUTES_MAX; left > 0; left -= CTX_TYPE_ATTRIBUTES_MAX) {
        name[0] = left == CTX_TYPE_ATTRIBUTES_MAX ? 's' : 'x';
        assert_int_equal(add(registry, name, CTX_TYPE_ATTRIBUTES_MAX, &id), LP_OK);
    }
    ctx_type type = {.name = name, .completes = id, .attribute_count = 2};
    type.attributes[0] = (ctx_attribute){.kind = CTX_LONG, .name = name};
    type.attributes[1] = (ctx_attribute){.kind = CTX_STRING, .name = name};
    assert_int_equal(ctx_registry_add(registry, &type, &id), LP_OK);
    assert_int_equal(id, 3);
    assert_int_equal(ctx_registry_find(registry, 2)->completes, 2);
    type.completes = 7; // another type
    assert_int_equal(ctx_registry_add(registry, &type, &id), LP_OK);
    assert_int_equal(id, 4);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recording_contexts_take_no_attribute),
        cmocka_unit_test(test_completions_take_no_attribute),
        cmocka_unit_test(test_types_are_copied_and_numbered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
