// SPDX-License-Identifier: Apache-2.0
// URLs of object stores: the parsed parts, and rejected characters of keys, hosts and paths.

#include "collector/store/s3/s3_url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
test_what_parts_become(void **state)
{
    (void)state;
    static const struct {
        const char *text, *region;
        const char *name, *prefix, *origin, *path, *host, *made_region;
    } rows[] = {
        {"s3://loupe", NULL, "s3://loupe/", "", "https://loupe.s3.us-east-1.amazonaws.com", "",
            "loupe.s3.us-east-1.amazonaws.com", "us-east-1"},
        {"s3://loupe", "eu-west-1", "s3://loupe/", "", "https://loupe.s3.eu-west-1.amazonaws.com",
            "", "loupe.s3.eu-west-1.amazonaws.com", "eu-west-1"},
        {"s3://loupe/?region=eu-central-1", "eu-west-1", "s3://loupe/", "",
            "https://loupe.s3.eu-central-1.amazonaws.com", "",
            "loupe.s3.eu-central-1.amazonaws.com", "eu-central-1"},
        {"s3://logs.example.org/x", "eu-west-1", "s3://logs.example.org/x/", "x/",
            "https://s3.eu-west-1.amazonaws.com", "/logs.example.org", "s3.eu-west-1.amazonaws.com",
            "eu-west-1"},
        {"s3://a.b-1/x/y_z/1.2/?endpoint=http://127.0.0.1:9000", NULL, "s3://a.b-1/x/y_z/1.2/",
            "x/y_z/1.2/", "http://127.0.0.1:9000", "/a.b-1", "127.0.0.1:9000", "us-east-1"},
        {"s3://loupe/x?region=r&endpoint=https://[::1]:9000/", NULL, "s3://loupe/x/", "x/",
            "https://[::1]:9000", "/loupe", "[::1]:9000", "r"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        s3_url url;
        assert_int_equal(s3_url_parse(rows[i].text, rows[i].region, &url, NULL), LP_OK);
        assert_string_equal(url.name, rows[i].name);
        assert_string_equal(url.prefix, rows[i].prefix);
        assert_string_equal(url.origin, rows[i].origin);
        assert_string_equal(url.path, rows[i].path);
        assert_string_equal(url.region, rows[i].made_region);
        assert_string_equal(s3_url_get_host(&url), rows[i].host);
    }
}

static void
test_what_is_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {"", "loupe", "http://loupe", "S3://loupe", "s3://",
        "s3://ab", "s3:///x", "s3://Loupe", "s3://lou_pe", "s3://loupe/../x", "s3://loupe/./x",
        "s3://loupe/x/..", "s3://loupe//x", "s3://loupe/x//", "s3://loupe/a b", "s3://loupe/a%2fb",
        "s3://loupe/\xc3\xa4", "s3://loupe/x#y", "s3://loupe?", "s3://loupe?region",
        "s3://loupe?region=", "s3://loupe?region=A/b", "s3://loupe?bucket=x",
        "s3://loupe?endpoint=127.0.0.1", "s3://loupe?endpoint=ftp://x",
        "s3://loupe?endpoint=http://", "s3://loupe?endpoint=http:///",
        "s3://loupe?endpoint=http://x/y", "s3://loupe?endpoint=http://u:p@x",
        "s3://loupe?endpoint=http://x?y", "s3://loupe?region=r&", "s3://loupe?region=r&&"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        s3_url url;
        lp_problem problem = {.text = ""};
        if (s3_url_parse(rows[i], NULL, &url, &problem) != LP_ECORRUPT) {
            fail_msg("%s is taken", rows[i]);
        }
        assert_true(strlen(problem.text) > 10);
    }
    s3_url url;
    assert_int_equal(s3_url_parse("s3://loupe", "no region", &url, NULL), LP_ECORRUPT);
}

// make_url makes a URL with a bucket and a prefix of these lengths.
static void
make_url(size_t bucket_chars, size_t prefix_chars, char out_text[1000])
{
    char name[500];
    memset(name, 'a', sizeof(name));
    (void)snprintf(
        out_text, 1000, "s3://%.*s/%.*s", (int)bucket_chars, name, (int)prefix_chars, name);
}

static void
test_limits(void **state)
{
    (void)state;
    s3_url url;
    char text[1000];
    make_url(63, S3_URL_PREFIX_BYTES - 3, text);
    assert_int_equal(s3_url_parse(text, NULL, &url, NULL), LP_OK);
    assert_int_equal(strlen(url.prefix), S3_URL_PREFIX_BYTES - 2);
    assert_int_equal(strlen(url.name), strlen(text) + 1);
    make_url(64, 1, text);
    assert_int_equal(s3_url_parse(text, NULL, &url, NULL), LP_ECORRUPT);
    make_url(63, S3_URL_PREFIX_BYTES - 1, text);
    assert_int_equal(s3_url_parse(text, NULL, &url, NULL), LP_ECORRUPT);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_parts_become),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
