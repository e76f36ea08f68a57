// SPDX-License-Identifier: Apache-2.0
// Answers of object stores: the texts in them, and answers that are cut at any byte, too large, or
// made to harm.

#include "collector/store/s3/s3_xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char list[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
    "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b+/=</NextContinuationToken>"
    "<Contents><Key>p/1&lt;</Key><Size>5</Size><Owner><ID>me</ID></Owner></Contents>"
    "<Contents><Key/></Contents></ListBucketResult>";

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
note(void *arg, const char *name, const char *text)
{
    char *all = arg;
    size_t length = strlen(all);
    (void)snprintf(all + length, 1000 - length, "%s=%s;", name, text);
}

static void
test_texts(void **state)
{
    (void)state;
    char all[1000] = "";
    assert_int_equal(s3_xml_read(slice_of(list), note, all), LP_OK);
    assert_string_equal(all, "Name=b;IsTruncated=true;NextContinuationToken=a&b+/=;Key=p/1<;"
                             "Size=5;ID=me;Key=;");
}

static void
test_found_texts(void **state)
{
    (void)state;
    char code[20] = "";
    char message[4] = "old";
    char other[4] = "old";
    const s3_xml_field fields[] = {{"Code", code, sizeof(code)},
        {"Message", message, sizeof(message)}, {"Other", other, sizeof(other)}};
    const char *const xml = "<Error><Code>NoSuchKey</Code><Message>too long</Message>"
                            "<Code>second</Code></Error>";
    assert_int_equal(s3_xml_find(slice_of(xml), fields, 3), LP_OK);
    assert_string_equal(code, "NoSuchKey");
    assert_string_equal(message, "old");
    assert_string_equal(other, "old");
}

static void
test_cut_answers(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof(list) - 1; length++) {
        char all[1000] = "";
        uint8_t *exact = malloc(length + 1); // for the sanitizers
        assert_non_null(exact);
        memcpy(exact, list, length);
        assert_int_equal(s3_xml_read((lp_slice){exact, length}, note, all), LP_ECORRUPT);
        free(exact);
    }
}

static void
test_harmful_answers(void **state)
{
    (void)state;
    char all[1000] = "";
    static const char *const rows[] = {"", "no XML", "<a><b></a></b>", "<a>&undefined;</a>",
        "<!DOCTYPE a [<!ENTITY x \"y\"><!ENTITY z \"&x;&x;\">]><a>&z;</a>",
        "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a></a>", "<a>\xff</a>"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(s3_xml_read(slice_of(rows[i]), note, all), LP_ECORRUPT);
    }
    assert_string_equal(all, "");
}

static void
test_texts_that_are_too_long(void **state)
{
    (void)state;
    for (size_t length = S3_XML_TEXT_BYTES - 2; length <= S3_XML_TEXT_BYTES; length++) {
        char text[S3_XML_TEXT_BYTES + 20] = "<a>";
        char found[S3_XML_TEXT_BYTES + 1] = "";
        const s3_xml_field field = {"a", found, sizeof(found)};
        memset(text + 3, 'x', length);
        memcpy(text + 3 + length, "</a>", sizeof("</a>"));
        bool fits = length < S3_XML_TEXT_BYTES;
        assert_int_equal(s3_xml_find(slice_of(text), &field, 1), fits ? LP_OK : LP_ECORRUPT);
        assert_int_equal(strlen(found), fits ? length : 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_found_texts),
        cmocka_unit_test(test_cut_answers),
        cmocka_unit_test(test_harmful_answers),
        cmocka_unit_test(test_texts_that_are_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
