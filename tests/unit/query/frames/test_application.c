// SPDX-License-Identifier: Apache-2.0
// Whose code a frame is, by names that a person has sorted; which package a command line names; and
// how stack traces of a chunk made by hand are named then, with what the chunk says of its JVM.

#include "support/jfr_sample.h"

#include "query/frames/application.h"
#include "query/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Types beside those of jfr_sample.
enum {
    JVM = 201,      // jdk.JVMInformation: startTime javaArguments
    PROPERTY = 202, // jdk.InitialSystemProperty: startTime key value
};

enum { LINES_BYTES = 4096, FRAMES_MAX = 8 };

static const jfr_build_type more_types[] = {
    {.id = JVM,
        .name = "jdk.JVMInformation",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, {.name = "javaArguments", .type = JFR_SAMPLE_STRING}}},
    {.id = PROPERTY,
        .name = "jdk.InitialSystemProperty",
        .super = "jdk.jfr.Event",
        .fields = {JFR_SAMPLE_START_TIME, {.name = "key", .type = JFR_SAMPLE_STRING},
            {.name = "value", .type = JFR_SAMPLE_STRING}}},
};

enum { MORE_TYPES = sizeof(more_types) / sizeof(more_types[0]) };

// --- Names

static void
test_packages_have_an_owner(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        query_code with_none; // known
        query_code with_main;
        query_code with_given;
    } cases[] = {
        {"java.lang.Thread.run", QUERY_CODE_JDK, QUERY_CODE_JDK, QUERY_CODE_JDK},
        {"jdk.proxy.$Proxy.find", QUERY_CODE_JDK, QUERY_CODE_JDK, QUERY_CODE_JDK},
        {"org.postgresql.jdbc.PgStatement.execute", QUERY_CODE_LIBRARY, QUERY_CODE_LIBRARY,
            QUERY_CODE_LIBRARY},
        {"com.zaxxer.hikari.pool.HikariPool.getConnection", QUERY_CODE_LIBRARY, QUERY_CODE_LIBRARY,
            QUERY_CODE_LIBRARY},
        {"dev.loupe.internal.task.Carried.run", QUERY_CODE_LIBRARY, QUERY_CODE_LIBRARY,
            QUERY_CODE_LIBRARY},
        {"com.acme.shop.Stock.take", QUERY_CODE_APPLICATION, QUERY_CODE_APPLICATION,
            QUERY_CODE_OTHER},
        {"com.acme.shop.db.Rows.next", QUERY_CODE_APPLICATION, QUERY_CODE_APPLICATION,
            QUERY_CODE_OTHER},
        {"com.acme.shopping.Cart.add", QUERY_CODE_APPLICATION, QUERY_CODE_OTHER, QUERY_CODE_OTHER},
        {"com.acme.Util.pad", QUERY_CODE_APPLICATION, QUERY_CODE_OTHER, QUERY_CODE_OTHER},
        {"org.apache.acme.Job.run", QUERY_CODE_LIBRARY, QUERY_CODE_LIBRARY, QUERY_CODE_APPLICATION},
        {"Main.main", QUERY_CODE_APPLICATION, QUERY_CODE_OTHER, QUERY_CODE_OTHER},
        {"io.other.Thing$Inner.run", QUERY_CODE_APPLICATION, QUERY_CODE_OTHER,
            QUERY_CODE_APPLICATION},
    };
    const query_application none = {0};
    const query_application main_class = {.main_package = "com.acme.shop"};
    const query_application of_library_owner = {.main_package = "dev.loupe"};
    const query_application given = {
        .packages = "org.apache.acme,io.other.Thing", .main_package = "com.acme.shop"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        print_message("%s\n", cases[i].method);
        assert_int_equal(query_application_code(&none, cases[i].method), cases[i].with_none);
        assert_int_equal(query_application_code(&main_class, cases[i].method), cases[i].with_main);
        assert_int_equal(query_application_code(&given, cases[i].method), cases[i].with_given);
    }
    // Who makes a library makes applications as well.
    assert_int_equal(query_application_code(&of_library_owner, "dev.loupe.internal.Agent.run"),
        QUERY_CODE_LIBRARY);
    assert_int_equal(query_application_code(&of_library_owner, "dev.loupe.demo.Shop.run"),
        QUERY_CODE_APPLICATION);
}

static void
test_a_command_line_names_a_package(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"com.acme.shop.Main", "com.acme"},
        {"com.acme.shop.boot.Main --port=8080 /a/b.jar", "com.acme"},
        {"shop.module/com.acme.Main x", "com.acme"},
        {"shop.Main", "shop"},
        {"Main", ""}, // in no package
        {"/opt/shop/app.jar --server.port=1", ""},
        {"shop-1.2.JAR", ""},
        {"org.springframework.boot.loader.launch.JarLauncher", ""}, // runs another one
        {"jdk.compiler/com.sun.tools.javac.launcher.SourceLauncher Shop.java", ""},
        {"", ""},
        {" com.acme.Main", ""},
        {"com..Main", ""},
        {".Main", ""},
        {"com.acme.Ma-in", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_application application = {0};
        query_application_set_main(&application, cases[i][0]);
        assert_string_equal(application.main_package, cases[i][1]);
    }
    char longest[QUERY_PACKAGE_BYTES + 8];
    query_application application = {0};
    memset(longest, 'a', sizeof(longest));
    memcpy(longest + QUERY_PACKAGE_BYTES, ".B", 3);
    query_application_set_main(&application, longest);
    assert_string_equal(application.main_package, "");
    query_application_set_main(&application, longest + 1);
    assert_int_equal(strlen(application.main_package), QUERY_PACKAGE_BYTES - 1);
}

static void
test_packages_are_names_with_commas(void **state)
{
    (void)state;
    static const char *const good[] = {"com.acme", "com.acme,org.acme_2", "a", "com.acme.Main$In"};
    static const char *const bad[] = {
        "", ",", "com.acme,", ",com.acme", "com.acme.", "com.acme.*", "com acme", "1com", "a..b"};
    lp_problem problem;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(query_application_check("app", good[i], &problem), LP_OK);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(query_application_check("app", bad[i], &problem), LP_ECORRUPT);
    }
    assert_string_equal(
        problem.text, "app 'a..b': give names of packages, such as com.acme or com.acme,org.acme");
}

// --- Stack traces

typedef struct world {
    jfr_build build;
    query_names names;
    char lines[LINES_BYTES];
} world;

// The methods of stack traces, by key.
static const char *const methods[][2] = {
    {"java/net/SocketInputStream", "read"},
    {"org/postgresql/core/PGStream", "receive"},
    {"com/zaxxer/hikari/pool/ProxyStatement", "execute"},
    {"com/acme/shop/Orders", "find"},
    {"io/other/Server", "serve"},
    {"java/lang/Thread", "run"},
    {"java/lang/Throwable", "<init>"},
    {"com/acme/shop/NotFound", "<init>"},
};

enum { READ = 1, RECEIVE, EXECUTE, FIND, SERVE, RUN, THROWABLE, NOT_FOUND };

static world
begin(void)
{
    world w = {0};
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    size_t count = jfr_sample_types(types);
    memcpy(types + count, more_types, sizeof(more_types));
    jfr_build_begin(&w.build, &(jfr_build_clock){.start_ticks = 100, .duration_ns = 1000});
    jfr_build_metadata(&w.build, 1, types, count + MORE_TYPES);
    jfr_sample_thread(&w.build, 1, 11);
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        jfr_sample_method(&w.build, i + 1, methods[i][0], methods[i][1]);
    }
    (void)jfr_sample_trace(&w.build, 1, 100, 200, "a");
    return w;
}

// add_event adds an event with a stack trace, the topmost frame first; 0 ends it.
static void
add_event(world *w, uint64_t trace, const uint64_t *frames)
{
    lp_buf *out = &w->build.payload;
    size_t count = 0;
    while (frames[count] != 0) {
        count++;
    }
    lp_buf_append(out, "\0", 1);
    jfr_build_varint(out, count);
    for (size_t i = 0; i < count; i++) {
        jfr_build_varint(out, frames[i]);
        jfr_build_varint(out, 7);
    }
    jfr_build_constant(&w->build, JFR_SAMPLE_STACK_TRACE, trace);
    (void)jfr_sample_event(&w->build, &(jfr_sample){.type = JFR_SAMPLE_PLAIN,
                                          .start = 110 + (int64_t)trace,
                                          .end = 110 + (int64_t)trace,
                                          .thread = 1,
                                          .stack = trace});
}

static void
add_texts(world *w, uint64_t type, const char *one, const char *other)
{
    jfr_build_varint(&w->build.payload, 100);
    jfr_build_string(&w->build.payload, one);
    if (other != NULL) {
        jfr_build_string(&w->build.payload, other);
    }
    (void)jfr_build_event(&w->build, type);
}

static lp_err
on_context(void *arg, const query_answer *answer)
{
    world *w = arg;
    for (size_t i = 0; i < answer->row_count; i++) {
        const query_row *row = &answer->rows[i];
        size_t len = strlen(w->lines);
        (void)snprintf(w->lines + len, sizeof(w->lines) - len, "%s via %s\n",
            query_names_text(&w->names, row->frame), query_names_text(&w->names, row->via));
    }
    return LP_OK;
}

static void
expect_and_end(world *w, const char *packages, const char *lines)
{
    query_outcome outcome;
    const query_selection selection = query_selection_begin(false);
    jfr_build_checkpoint(&w->build);
    query_source source = {.bytes = jfr_build_finish(&w->build)};
    const query_sources sources = {.items = &source, .count = 1};
    const query_question question = {
        .sources = &sources,
        .selection = &selection,
        .wants_frames = true,
        .packages = packages,
        .on_context = on_context,
        .arg = w,
    };
    assert_int_equal(query_run(&question, &w->names, &outcome), LP_OK);
    assert_string_equal(w->lines, lines);
    jfr_build_fini(&w->build);
    query_names_fini(&w->names);
}

static const uint64_t query_stack[] = {READ, RECEIVE, EXECUTE, FIND, SERVE, RUN, 0};

static void
test_without_packages_all_but_libraries_are_the_application(void **state)
{
    (void)state;
    world w = begin();
    add_event(&w, 1, query_stack);
    add_event(&w, 2, (const uint64_t[]){READ, FIND, RUN, 0});             // on top
    add_event(&w, 3, (const uint64_t[]){READ, RECEIVE, EXECUTE, RUN, 0}); // of a library
    add_event(&w, 4, (const uint64_t[]){READ, RUN, 0});                   // of the JDK
    add_event(&w, 5, (const uint64_t[]){0});
    expect_and_end(&w, NULL,
        "com.acme.shop.Orders.find via org.postgresql.core.PGStream.receive\n"
        "com.acme.shop.Orders.find via \n"
        "org.postgresql.core.PGStream.receive via \n"
        "java.net.SocketInputStream.read via \n"
        " via \n");
}

static void
test_given_packages_are_the_application(void **state)
{
    (void)state;
    world w = begin();
    add_texts(&w, JVM, "com.acme.shop.Main", NULL);
    add_event(&w, 1, query_stack);
    add_event(&w, 2, (const uint64_t[]){READ, RECEIVE, FIND, RUN, 0}); // no frame of the packages
    expect_and_end(&w, "com.zaxxer.hikari,io.other",
        "com.zaxxer.hikari.pool.ProxyStatement.execute via org.postgresql.core.PGStream.receive\n"
        "com.acme.shop.Orders.find via org.postgresql.core.PGStream.receive\n");
}

static void
test_the_main_class_says_which_packages(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        world w = begin();
        add_texts(&w, JVM, i == 0 ? "io.other.Main 8080" : "", NULL);
        add_texts(&w, PROPERTY, "java.home", "/opt");
        add_texts(&w, PROPERTY, "sun.java.command", i == 0 ? "com.acme.Main" : "io.other.Main");
        add_event(&w, 1, query_stack);
        expect_and_end(
            &w, NULL, "io.other.Server.serve via org.postgresql.core.PGStream.receive\n");
    }
}

// JFR notes an exception in the constructor of Throwable. Whoever threw it is what a person asks
// for.
static void
test_an_exception_is_of_who_throws_it(void **state)
{
    (void)state;
    world w = begin();
    add_event(&w, 1, (const uint64_t[]){THROWABLE, NOT_FOUND, FIND, RUN, 0});
    add_event(&w, 2, (const uint64_t[]){NOT_FOUND, FIND, RUN, 0}); // a constructor that runs
    add_event(&w, 3, (const uint64_t[]){THROWABLE, NOT_FOUND, 0});
    expect_and_end(&w, NULL,
        "com.acme.shop.Orders.find via \n"
        "com.acme.shop.NotFound.<init> via \n"
        "java.lang.Throwable.<init> via \n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packages_have_an_owner),
        cmocka_unit_test(test_a_command_line_names_a_package),
        cmocka_unit_test(test_packages_are_names_with_commas),
        cmocka_unit_test(test_without_packages_all_but_libraries_are_the_application),
        cmocka_unit_test(test_given_packages_are_the_application),
        cmocka_unit_test(test_the_main_class_says_which_packages),
        cmocka_unit_test(test_an_exception_is_of_who_throws_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
