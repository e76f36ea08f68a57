// SPDX-License-Identifier: Apache-2.0
// The file at each path; the embedded files: each can be expanded and has a known type; and
// addresses of the page's screens.

#include "collector/base/gzip.h"
#include "collector/page/page.h"
#include "collector/page/page_address.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_paths(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *file; // NULL: there is none
    } cases[] = {
        {"/", "/index.html"},
        {"/index.html", "/index.html"},
        {"/page.js", "/page.js"},
        {"/page.css", "/page.css"},
        {"/LICENSES.txt", "/LICENSES.txt"},
        {"/s/checkout", "/index.html"},
        {"/s/a/b", "/index.html"}, // a service may have a / in its name
        {"/t/635ef28344ffcf92", "/index.html"},
        {"/c/0123456789abcdef0123456789abcdef/12", "/index.html"},
        {"/q/0123456789abcdef0123456789abcdef/000000000000002e", "/index.html"},
        {"/s", "/index.html"},
        {"/e", "/index.html"},
        {"/r", "/index.html"},
        {"/r/0123456789abcdef0123456789abcdef", "/index.html"},
        {"/speedscope/", "/speedscope/index.html"},
        {"/speedscope/index.html", "/speedscope/index.html"},
        {"", NULL},
        {"//", NULL},
        {"/s/", NULL},
        {"/t", NULL},
        {"/t/", NULL},
        {"/c/", NULL},
        {"/c/a", NULL},
        {"/c/a/", NULL},
        {"/q/a/", NULL},
        {"/c//a", NULL},
        {"/e/", NULL},
        {"/r/", NULL},
        {"/page.js/", NULL},
        {"/page.j", NULL},
        {"/Page.js", NULL},
        {"page.js", NULL},
        {"/page.js.gz", NULL},
        {"/speedscope", NULL},
        {"/speedscope/page.js", NULL},
        {"/../page.js", NULL},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const page_file *file = page_find(cases[i].path);
        if (cases[i].file == NULL) {
            assert_null(file);
        } else {
            assert_non_null(file);
            assert_string_equal(file->path, cases[i].file);
        }
    }
}

static void
test_types(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        const char *type;
        bool is_speedscope;
    } cases[] = {
        {"/index.html", "text/html; charset=utf-8", false},
        {"/page.js", "text/javascript; charset=utf-8", false},
        {"/page.css", "text/css; charset=utf-8", false},
        {"/LICENSES.txt", "text/plain; charset=utf-8", false},
        {"/speedscope/index.html", "text/html; charset=utf-8", true},
        {"/speedscope/a.png", "image/png", true},
        {"/speedscope/a.ico", "image/x-icon", true},
        {"/speedscope/a.ttf-A.woff2", "font/woff2", true},
        {"/speedscopes", "application/octet-stream", false},
        {"/a.b/c", "application/octet-stream", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const page_file file = {.path = cases[i].path};
        assert_string_equal(page_type(&file), cases[i].type);
        assert_int_equal(page_is_speedscope(&file), cases[i].is_speedscope);
    }
}

static void
test_each_file_can_be_read_and_has_a_type(void **state)
{
    (void)state;
    assert_true(page_files_count > 0);
    for (size_t i = 0; i < page_files_count; i++) {
        const page_file *file = &page_files[i];
        assert_ptr_equal(page_find(file->path), file);
        assert_string_not_equal(page_type(file), "application/octet-stream");
        lp_buf bytes = {0};
        assert_int_equal(gzip_expand(page_gzip(file), &bytes), LP_OK);
        assert_true(bytes.len > 0);
        if (strcmp(file->path, "/index.html") == 0) {
            assert_memory_equal(bytes.ptr, "<!", 2); // of <!doctype html>
        }
        lp_buf_fini(&bytes);
    }
}

static void
test_addresses_are_escaped_as_the_page_escapes_them(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *path;
    } cases[] = {
        {"checkout", "/checkout"},
        {"a/b c", "/a%2Fb%20c"},
        {"\xc3\xa4?#%", "/%C3%A4%3F%23%25"},
        {"", "/~"},
        {".", "/~."},
        {"..", "/~.."},
        {"~.", "/~~."},
        {"...", "/..."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf out = {0};
        page_address_part(&out, cases[i].name);
        page_address_parameter(&out, "from", "10m");
        page_address_parameter(&out, "where", "a=b&c");
        lp_buf_append(&out, "", 1);
        assert_int_equal(lp_buf_check(&out), LP_OK);
        char expected[128];
        (void)snprintf(expected, sizeof(expected), "%s?from=10m&where=a%%3Db%%26c", cases[i].path);
        assert_string_equal((const char *)out.ptr, expected);
        lp_buf_fini(&out);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_each_file_can_be_read_and_has_a_type),
        cmocka_unit_test(test_addresses_are_escaped_as_the_page_escapes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
