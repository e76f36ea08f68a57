// SPDX-License-Identifier: Apache-2.0
// The file at each path; and the embedded files: each can be expanded and has a known type.

#include "collector/base/gzip.h"
#include "collector/page/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_each_file_can_be_read_and_has_a_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
