// SPDX-License-Identifier: Apache-2.0
// Locks of modules that application threads share with the agent's: several threads use each module
// at the same time, and ThreadSanitizer reports a missing lock. The modules' own tests have one
// thread and check the results.

#include "support/contend.h"
#include "unit/agent/context/ring_writer.h"

#include "agent/context/ctx_filters.h"
#include "agent/context/ctx_registry.h"
#include "agent/context/ctx_rings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// --- Filters

static void
set_filter(void *arg, unsigned round)
{
    ctx_filter_rule rule = {"some.Type", "a=1"};
    const ctx_filter filter = {.begin_ticks = round, .rule_count = round % 2 == 0, .rules = &rule};
    ctx_filters_set(arg, &filter);
}

static void
refuse_filter(void *arg, unsigned round)
{
    static char terms[CTX_FILTER_BYTES_MAX + 1];
    ctx_filter_rule rule = {"some.Type", terms};
    const ctx_filter filter = {.begin_ticks = round, .rule_count = 1, .rules = &rule};
    memset(terms, 'a', sizeof(terms) - 1);
    ctx_filters_set(arg, &filter);
}

static void
list_filters(void *arg, unsigned round)
{
    ctx_filter_list list = {0};
    (void)round;
    (void)!ctx_filters_list(arg, 0, &list);
    LP_VEC_FINI(&list);
}

static void
take_filters(void *arg, unsigned round)
{
    ctx_filter_list taken = {0};
    (void)!ctx_filters_take(arg, round, &taken);
    for (size_t i = 0; i < taken.count; i++) {
        ctx_filter_fini(&taken.items[i]);
    }
    LP_VEC_FINI(&taken);
}

static void
get_refused_filters(void *arg, unsigned round)
{
    (void)round;
    (void)ctx_filters_get_refused(arg);
}

static void
test_filters(void **state)
{
    (void)state;
    ctx_filters *filters = ctx_filters_create();
    assert_non_null(filters);
    contend(filters, set_filter, list_filters);
    contend(filters, set_filter, take_filters);
    contend(filters, refuse_filter, get_refused_filters);
    ctx_filters_destroy(filters);
}

// --- Types

enum { TYPES = 20 };

static void
add_type(void *arg, unsigned round)
{
    char name[] = "type.A";
    uint16_t id;
    ctx_type type = {.name = name, .attribute_count = 1, .attributes = {{.name = name}}};
    name[sizeof(name) - 2] = (char)('A' + round % TYPES);
    (void)!ctx_registry_add(arg, &type, &id);
}

static void
get_left(void *arg, unsigned round)
{
    (void)round;
    (void)ctx_registry_get_left(arg);
}

static void
find_type(void *arg, unsigned round)
{
    (void)ctx_registry_find(arg, round % TYPES);
}

static void
test_registry(void **state)
{
    (void)state;
    ctx_registry *registry = ctx_registry_create(); // it stays, as in a JVM
    assert_non_null(registry);
    contend(registry, add_type, add_type, get_left, find_type);
    assert_non_null(ctx_registry_find(registry, TYPES - 1));
    assert_null(ctx_registry_find(registry, TYPES));
}

// --- Rings

static int64_t
tick(void *arg)
{
    return ++*(int64_t *)arg;
}

// write_and_drain has a virtual thread begin a context on a carrier, and some end it.
static void
write_and_drain(void *arg, unsigned round)
{
    static const int64_t value = 1;
    static int64_t now;
    const ring_thread thread = {ctx_rings_get_layout(arg), round % 64 + 1, 1000000};
    ctx_packer packer = {.run_bytes = 4096};
    (void)ring_writer_set(thread, 1, tick, &now, 1, &value);
    if (round % 2 == 0) {
        (void)ring_writer_unset(thread, 1, tick, &now);
    }
    (void)!ctx_rings_drain(arg, &packer);
    ctx_packer_fini(&packer);
}

static void
list_open(void *arg, unsigned round)
{
    lp_buf threads = {0};
    (void)round;
    (void)!ctx_rings_list_open(arg, &threads);
    lp_buf_fini(&threads);
}

static void
test_rings(void **state)
{
    (void)state;
    ctx_rings *rings;
    assert_int_equal(ctx_rings_create(&rings), LP_OK);
    contend(rings, write_and_drain, list_open);
    ctx_rings_destroy(rings);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
