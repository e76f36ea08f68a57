// SPDX-License-Identifier: Apache-2.0
// Names of classes lose what differs from JVM to JVM, and nothing else.

#include "query/frames/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
expect(const char *name, const char *joined)
{
    size_t len = strlen(name);
    char *copy = malloc(len + 1); // exactly: ASan sees what is read behind it
    assert_non_null(copy);
    memcpy(copy, name, len);
    char *exact = realloc(copy, len == 0 ? 1 : len);
    assert_non_null(exact);
    len = query_class_name_join(exact, len);
    assert_int_equal(len, strlen(joined));
    assert_memory_equal(exact, joined, len);
    free(exact);
}

static void
test_names_that_are_made_up_are_joined(void **state)
{
    (void)state;
    expect("shop.Main$$Lambda$14+0x0000000800c8d440.1234567", "shop.Main$$Lambda"); // JDK 17
    expect("shop.Main$$Lambda+0x00007f3c1c000a18.123456", "shop.Main$$Lambda");     // JDK 25
    expect("shop.Main$$Lambda.0x00007f3c1c000a18", "shop.Main$$Lambda");
    expect("shop.Main$$Lambda$103/0x0000000800c8d440", "shop.Main$$Lambda");
    expect("shop.Main$$Lambda$103", "shop.Main$$Lambda");
    expect("java.lang.invoke.LambdaForm$MH+0x00007fb87c629400.1090831339",
        "java.lang.invoke.LambdaForm$MH");
    expect("java.lang.invoke.LambdaForm$DMH+0x00007fb87c629400", "java.lang.invoke.LambdaForm$DMH");
    expect("jdk.internal.reflect.GeneratedMethodAccessor7",
        "jdk.internal.reflect.GeneratedMethodAccessor");
    expect("jdk.internal.reflect.GeneratedConstructorAccessor12",
        "jdk.internal.reflect.GeneratedConstructorAccessor");
    expect("jdk.proxy2.$Proxy87", "jdk.proxy.$Proxy");
    expect("com.sun.proxy.$Proxy12", "com.sun.proxy.$Proxy");
    expect("shop.Cart$$SpringCGLIB$$0", "shop.Cart$$SpringCGLIB");
    expect("shop.Cart$$EnhancerBySpringCGLIB$$1a2b3c", "shop.Cart$$EnhancerBySpringCGLIB");
    expect("shop.Cart$HibernateProxy$uZ7kq", "shop.Cart$HibernateProxy");
    expect("shop.Hidden+0x00007fb87c629400.99", "shop.Hidden");
}

static void
test_names_that_people_gave_stay(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",
        "Main",
        "shop.Version0x1", // no mark before it
        "shop.Main$1",
        "java.lang.invoke.LambdaFormEditor",
        "java.lang.invoke.LambdaForm$NamedFunction",
        "shop.Cart$ByteBuddyHelper",
        "shop.Cart$HibernateProxyFactory$1",
        "shop.Main$Inner$2",
        "shop.Proxy12",
        "shop.MyGeneratedThing7",
        "jdk.proxying.Main",
        "jdk.proxy2x.Main",
        "shop.x.0xylophone", // no address
        "+0x",
        "7",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        expect(names[i], names[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_that_are_made_up_are_joined),
        cmocka_unit_test(test_names_that_people_gave_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
