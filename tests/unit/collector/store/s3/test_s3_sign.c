// SPDX-License-Identifier: Apache-2.0
// Signatures: AWS's test suite for Signature Version 4, and the examples in the documentation of
// S3. Queries are sorted in their encoded form.

#include "collector/store/s3/s3_sign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define EMPTY      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define UNRESERVED "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define SUITE_TOKEN                                                                                \
    "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSP" \
    "fIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT" \
    "7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlz" \
    "m8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="

// A vector: a request, which also has the headers host and x-amz-date.
typedef struct vector {
    const char *name;
    const char *method;
    const char *path; // not encoded
    client_http_pair query[2];
    client_http_pair headers[4];
    const char *body;
    const char *signature;
} vector;

static size_t
count_pairs(const client_http_pair *pairs, size_t max)
{
    size_t count = 0;
    while (count < max && pairs[count].name != NULL) {
        count++;
    }
    return count;
}

// sign signs a vector. out_text gets the signed names and the signature.
static void
sign(const vector *v, const char *host, const s3_sign_scope *scope, char out_text[600])
{
    char hash[S3_SIGN_HASH_BYTES];
    lp_buf path = {0};
    lp_buf made = {0};
    client_http_pair headers[S3_SIGN_PAIRS_MAX] = {{"x-amz-date", scope->date}, {"host", host}};
    size_t count = count_pairs(v->headers, 4);
    memcpy(headers + 2, v->headers, count * sizeof(client_http_pair));
    s3_sign_hash((lp_slice){(const uint8_t *)v->body, strlen(v->body)}, hash);
    s3_sign_encode(v->path, true, &path);
    lp_buf_append(&path, "", 1);
    const s3_sign_request request = {.method = v->method,
        .path = (const char *)path.ptr,
        .query = v->query,
        .query_count = count_pairs(v->query, 2),
        .headers = headers,
        .header_count = 2 + count,
        .body_hash = hash};
    assert_int_equal(s3_sign(&request, scope, &made), LP_OK);
    (void)snprintf(out_text, 600, "%s", (const char *)made.ptr);
    lp_buf_fini(&path);
    lp_buf_fini(&made);
}

static void
check_vectors(const vector *vectors, size_t count, const char *host, const s3_sign_scope *scope)
{
    char made[600];
    for (size_t i = 0; i < count; i++) {
        sign(&vectors[i], host, scope, made);
        const char *signature = strstr(made, "Signature=");
        assert_non_null(signature);
        if (strcmp(signature + strlen("Signature="), vectors[i].signature) != 0) {
            fail_msg("%s: %s, not %s", vectors[i].name, made, vectors[i].signature);
        }
    }
}

static void
test_the_suite(void **state)
{
    (void)state;
    static const s3_sign_scope scope = {.key_id = "AKIDEXAMPLE",
        .secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        .region = "us-east-1",
        .service = "service",
        .date = "20150830T123600Z"};
    static const vector vectors[] = {
        {"get-vanilla", "GET", "/", {{0}}, {{0}}, "",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
        {"get-vanilla-query-order-key-case", "GET", "/",
            {{"Param2", "value2"}, {"Param1", "value1"}}, {{0}}, "",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
        {"get-vanilla-query-order-value", "GET", "/", {{"Param1", "value2"}, {"Param1", "Value1"}},
            {{0}}, "", "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"},
        {"get-vanilla-empty-query-key", "GET", "/", {{"Param1", "value1"}}, {{0}}, "",
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"},
        {"get-vanilla-query-unreserved", "GET", "/", {{UNRESERVED, UNRESERVED}}, {{0}}, "",
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
        {"get-vanilla-utf8-query", "GET", "/", {{"\xe1\x88\xb4", "bar"}}, {{0}}, "",
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
        {"get-unreserved", "GET", "/" UNRESERVED, {{0}}, {{0}}, "",
            "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
        {"get-utf8", "GET", "/\xe1\x88\xb4", {{0}}, {{0}}, "",
            "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
        {"get-space", "GET", "/example space/", {{0}}, {{0}}, "",
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
        {"get-header-key-duplicate", "GET", "/", {{0}}, {{"my-header1", "value2,value2,value1"}},
            "", "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
        {"get-header-value-order", "GET", "/", {{0}},
            {{"my-header1", "value4,value1,value3,value2"}}, "",
            "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"},
        {"get-header-value-trim", "GET", "/", {{0}},
            {{"my-header1", " value1"}, {"my-header2", " \"a   b   c\""}}, "",
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
        {"post-vanilla", "POST", "/", {{0}}, {{0}}, "",
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
        {"post-vanilla-query", "POST", "/", {{"Param1", "value1"}}, {{0}}, "",
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
        {"post-header-key-case", "POST", "/", {{0}}, {{"my-header1", "value1"}}, "",
            "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"},
        {"post-header-value-case", "POST", "/", {{0}}, {{"my-header1", "VALUE1"}}, "",
            "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"},
        {"post-x-www-form-urlencoded", "POST", "/", {{0}},
            {{"content-type", "application/x-www-form-urlencoded"}}, "Param1=value1",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
        {"post-sts-header-before", "POST", "/", {{0}}, {{"x-amz-security-token", SUITE_TOKEN}}, "",
            "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"},
    };
    check_vectors(vectors, sizeof(vectors) / sizeof(vectors[0]), "example.amazonaws.com", &scope);
}

static const s3_sign_scope s3_scope = {.key_id = "AKIAIOSFODNN7EXAMPLE",
    .secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    .region = "us-east-1",
    .service = "s3",
    .date = "20130524T000000Z"};
static const char s3_host[] = "examplebucket.s3.amazonaws.com";

static void
test_the_examples_of_s3(void **state)
{
    (void)state;
    static const vector vectors[] = {
        {"GET with Range", "GET", "/test.txt", {{0}},
            {{"range", "bytes=0-9"}, {"x-amz-content-sha256", EMPTY}}, "",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"},
        {"PUT", "PUT", "/test$file.text", {{0}},
            {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                {"x-amz-storage-class", "REDUCED_REDUNDANCY"},
                {"x-amz-content-sha256",
                    "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"}},
            "Welcome to Amazon S3.",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"},
        {"GET of an empty parameter", "GET", "/", {{"lifecycle", ""}},
            {{"x-amz-content-sha256", EMPTY}}, "",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"},
        {"GET of a list", "GET", "/", {{"prefix", "J"}, {"max-keys", "2"}},
            {{"x-amz-content-sha256", EMPTY}}, "",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"},
    };
    check_vectors(vectors, sizeof(vectors) / sizeof(vectors[0]), s3_host, &s3_scope);
}

static void
test_the_whole_header(void **state)
{
    (void)state;
    static const vector range = {"GET with Range", "GET", "/test.txt", {{0}},
        {{"range", "bytes=0-9"}, {"x-amz-content-sha256", EMPTY}}, "", ""};
    char made[600];
    sign(&range, s3_host, &s3_scope, made);
    assert_string_equal(made,
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void
test_queries_are_sorted_as_they_are_encoded(void **state)
{
    (void)state;
    // '+' sorts before 'a', as does %2B; '|' sorts after 'a', but %7C before.
    const client_http_pair query[] = {{"a", "z"}, {"|", ""}, {"a", "y/="}, {"+", "1 2"}};
    lp_buf made = {0};
    s3_sign_query(query, 4, &made);
    lp_buf_append(&made, "", 1);
    assert_int_equal(lp_buf_check(&made), LP_OK);
    assert_string_equal((const char *)made.ptr, "%2B=1%202&%7C=&a=y%2F%3D&a=z");
    lp_buf_fini(&made);
}

static void
test_dates(void **state)
{
    (void)state;
    char made[S3_SIGN_DATE_BYTES];
    s3_sign_date(1440938160123456789, made); // date -u -d 2015-08-30T12:36:00Z +%s
    assert_string_equal(made, "20150830T123600Z");
    s3_sign_date(0, made);
    assert_string_equal(made, "19700101T000000Z");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_suite),
        cmocka_unit_test(test_the_examples_of_s3),
        cmocka_unit_test(test_the_whole_header),
        cmocka_unit_test(test_queries_are_sorted_as_they_are_encoded),
        cmocka_unit_test(test_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
