// SPDX-License-Identifier: Apache-2.0
// Ambiguous requests are refused, and the bytes after them on the connection are not read; unusual
// but valid requests are answered. Each goes over a raw socket.

#include "unit/collector/http/http_client.h"
#include "unit/collector/http/http_fixture.h"

#include "collector/base/metrics.h"
#include "collector/http/wire/http_strict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define HEALTH "GET /healthz HTTP/1.1\r\n"
#define NEXT   "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"

typedef struct request {
    const char *text;
    int status; // of the answer
} request;

// status_of_coding is that of the answer to a Transfer-Encoding that is not chunked: libmicrohttpd
// 1.0 gives it.
static int
status_of_coding(void)
{
    return http_strict_get_level() == 0 ? 411 : 400;
}

// expect_last sends a request and another one behind it, and expects that nothing comes behind the
// answer.
static void
expect_last(const http_fixture *f, const request *sent)
{
    int fd = http_client_connect(f->port);
    http_client_send(fd, sent->text);
    http_client_send(fd, NEXT);
    http_answer answer = http_client_receive(fd, false);
    if (answer.status != sent->status) {
        print_error("%s\n%d instead of %d\n", sent->text, answer.status, sent->status);
        fail();
    }
    if (!answer.is_complete || strstr((const char *)answer.body.ptr, "HTTP/1") != NULL) {
        fail_msg("%s\nthe body is %s", sent->text, (const char *)answer.body.ptr);
    }
    http_answer_fini(&answer);
    char rest[4096];
    ssize_t count = recv(fd, rest, sizeof(rest) - 1, MSG_WAITALL); // to the end
    if (count > 0) {
        rest[count] = '\0';
        fail_msg("%s\nis followed by %s", sent->text, rest);
    }
    assert_int_equal(close(fd), 0);
}

static void
test_what_can_be_read_in_two_ways_is_refused(void **state)
{
    const request requests[] = {
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
         "0\r\n\r\n",
            400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n"
         "0\r\n\r\n",
            400},
        {HEALTH "Host: x\r\nContent-Length: 0\r\nContent-Length: 43\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent-Length: 0\r\ncontent-length: 0\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent-Length: 0, 43\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent-Length: +4\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent-Length : 43\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent-Length\t: 43\r\n\r\n", 400},
        {HEALTH "Host: x\r\n Content-Length: 43\r\n\r\n", 400},
        {HEALTH " X-First: a\r\nHost: x\r\n\r\n", 400},
        {HEALTH "Host: x\r\nContent: 43\r\n -Length\r\n\r\n", 400}, // what 0.9.75 makes of a fold
        {HEALTH "Host: x\r\nX-A: a\r\n b\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A: a\r\n\tb\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A:\r\n b\r\n\r\n", 400},
        {HEALTH "Host: x\nX-A: a\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A: a\n\r\n", 400},
        {"GET /healthz HTTP/1.1\nHost: x\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A: a\rContent-Length: 43\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX A: a\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-\xc3\xa4: a\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX(A): a\r\n\r\n", 400},
        {HEALTH "Host: x\r\n: a\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A: a\x01\r\n\r\n", 400},
        {HEALTH "Host: x\r\nX-A: a\x7f\r\n\r\n", 400},
        {HEALTH "Host: x\r\nHost: y\r\n\r\n", 400},
        {HEALTH "Host: x\r\nHost: x\r\n\r\n", 400},
        {HEALTH "\r\n", 400},
        {HEALTH "Host: x/y\r\n\r\n", 400},
        {HEALTH "Host: a@b\r\n\r\n", 400},
        {HEALTH "Host: x y\r\n\r\n", 400},
        {HEALTH "Host: x:80:80\r\n\r\n", 400},
        {HEALTH "Host: [::1\r\n\r\n", 400},
        {HEALTH "Host: [::1]x\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            status_of_coding()},
        {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            status_of_coding()},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\n", 413},
        {"GET /healthz x HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET /healthz HTTP/1.1 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET /healthz?\x01 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http:///healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http://:80/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http://a@x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http://x%2fy/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http://x:y/healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
        {"GET http://x/healthz HTTP/1.1\r\n\r\n", 400},
    };
    const http_fixture *f = *state;
    uint64_t before = metrics_get(METRICS_http_malformed);
    const size_t count = sizeof(requests) / sizeof(requests[0]);
    for (size_t i = 0; i < count; i++) {
        expect_last(f, &requests[i]);
    }
    assert_int_equal(metrics_get(METRICS_http_malformed), before + count);
}

static void
test_a_zero_in_a_head_is_refused(void **state)
{
    enum { FIRST_LINE = 4 }; // from this one on the zero is in the first line
    static const struct {
        const char *bytes;
        size_t len;
    } heads[] = {
#define HEAD(text) {text, sizeof(text) - 1}
        HEAD(HEALTH "Host: x\r\nX-A: a\0\r\nContent-Length: 43\r\n\r\n"),
        HEAD(HEALTH "Host: x\r\nX-A: a\0\0Y\0b\r\n\r\n"), // as libmicrohttpd divides lines
        HEAD(HEALTH "Host: x\r\nX-A: a\0\0Content-Length\0"
                    "43\r\n\r\n"),
        HEAD(HEALTH "Host: x\0\0X-A\0a\r\n\r\n"),
        HEAD("GET /healthz\0 HTTP/1.1\r\nHost: x\r\n\r\n"),
        HEAD("GET /healthz\0/../metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
        HEAD("GET /healthz?a=b\0c HTTP/1.1\r\nHost: x\r\n\r\n"),
        HEAD("GET\0 /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
        HEAD("GET\0POST /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
#undef HEAD
    };
    const http_fixture *f = *state;
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        uint64_t before = metrics_get(METRICS_http_malformed);
        int fd = http_client_connect(f->port);
        assert_int_equal(send(fd, heads[i].bytes, heads[i].len, MSG_NOSIGNAL), heads[i].len);
        http_answer answer = http_client_receive(fd, false);
        const char *connection = http_client_find_header(&answer, "Connection");
        bool has_ended = answer.status == 0 && i >= FIRST_LINE && http_strict_get_level() > 0;
        if (!has_ended &&
            (answer.status != 400 || connection == NULL || strcmp(connection, "close") != 0)) {
            fail_msg("case %zu: %d", i, answer.status);
        }
        assert_int_equal(metrics_get(METRICS_http_malformed), before + 1);
        http_answer_fini(&answer);
        assert_int_equal(close(fd), 0);
    }
}

static void
test_heads_have_a_size(void **state)
{
    const http_fixture *f = *state;
    static const size_t sizes[] = {HTTP_STRICT_HEAD_BYTES_MAX - 200, HTTP_STRICT_HEAD_BYTES_MAX,
        HTTP_STRICT_POOL_BYTES, 4 * HTTP_STRICT_POOL_BYTES};
    static const int statuses[] = {200, 431, 431, 431};
    for (size_t i = 0; i < 4; i++) {
        lp_buf text = {0};
        lp_buf_append(&text, HEALTH "Host: x\r\nX-A: ", strlen(HEALTH "Host: x\r\nX-A: "));
        uint8_t *filler = lp_buf_extend(&text, sizes[i]);
        assert_non_null(filler);
        memset(filler, 'a', sizes[i]);
        lp_buf_append(&text, "\r\n\r\n", 5);
        int fd = http_client_connect(f->port);
        http_client_send(fd, (const char *)text.ptr);
        http_answer answer = http_client_receive(fd, false);
        // Where bytes were left unread the connection may be reset before the answer is read.
        assert_true(answer.status == statuses[i] || (i > 1 && answer.status == 0));
        http_answer_fini(&answer);
        assert_int_equal(close(fd), 0);
        lp_buf_fini(&text);
    }
}

static void
test_what_is_unusual_and_right_is_answered(void **state)
{
    static const char *const requests[] = {
        HEALTH "Host: x\r\n\r\n",
        HEALTH "Host:x\r\n\r\n",
        HEALTH "Host: \t x \t\r\n\r\n",
        HEALTH "Host:\r\n\r\n",
        HEALTH "hOST: x:80\r\n\r\n",
        HEALTH "Host: x:\r\n\r\n",
        HEALTH "Host: [::1]:7412\r\n\r\n",
        HEALTH "Host: [2001:db8::1]\r\n\r\n",
        HEALTH "Host: a_b.c-d~e%20!$&'()*+,;=\r\n\r\n",
        HEALTH "X-Empty:\r\nHost: x\r\nX-Empty-Too: \r\n\r\n",
        HEALTH "Host: x\r\nX-A: \xc3\xa4\xff : b\r\n\r\n",
        HEALTH "Host: x\r\n!#$%&'*+-.^_`|~09aZ: b\r\n\r\n",
        HEALTH "Host: x\r\nCookie: a=b; c=\"d\"; e\r\n\r\n",
        HEALTH "Host: x\r\nContent-Length: 5\r\n\r\nhello",
        "\r\n" HEALTH "Host: x\r\n\r\n",
        "GET /healthz?a=b&c=%20d HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /%68ealthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", // absolute form
        "GET HTTPS://x.example:80/%68ealthz?a=b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://[::1]:7412/healthz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x HTTP/1.1\r\nHost: x\r\n\r\n", // the page
        "GET http://x?a=b HTTP/1.1\r\nHost: x\r\n\r\n",
    };
    const http_fixture *f = *state;
    int fd = http_client_connect(f->port);
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) { // on one connection
        http_client_send(fd, requests[i]);
        http_answer answer = http_client_receive(fd, false);
        if (answer.status != 200) {
            print_error("%s\n%d\n", requests[i], answer.status);
            fail();
        }
        http_answer_fini(&answer);
    }
    http_client_send(fd, "GET /healthz HTTP/1.0\r\n\r\n"); // without a Host
    char bytes[16] = "";
    assert_true(recv(fd, bytes, 12, MSG_WAITALL) == 12);
    assert_string_equal(bytes + 8, " 200");
    assert_int_equal(close(fd), 0);
}

// What libmicrohttpd refuses of a head that is whole, in pieces as well, has one answer.
static void
test_what_libmicrohttpd_refuses_is_answered_once(void **state)
{
    const http_fixture *f = *state;
    static const request requests[] = {
        {"Content-Length: x\r\n", 400}, {"Content-Length: 99999999999999999999999\r\n", 413},
        {"Cookie: a=1", 431}, // 2,000 of them
    };
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        uint64_t before = metrics_get(METRICS_http_malformed);
        int other = http_client_connect(f->port); // whose head is not whole
        http_client_send(other, HEALTH "Host: x\r\n");
        int fd = http_client_connect(f->port);
        http_client_send(fd, HEALTH "Host: x\r\n");
        http_client_send(fd, requests[i].text);
        for (unsigned j = 0; j < 2000 && requests[i].status == 431; j++) {
            http_client_send(fd, j == 1999 ? "\r\n" : "; b=1");
        }
        http_client_send(fd, "\r\n");
        http_answer answer = http_client_receive(fd, false);
        assert_int_equal(answer.status, requests[i].status);
        assert_true(answer.is_complete);
        assert_null(strstr((const char *)answer.body.ptr, "HTTP/1"));
        http_answer_fini(&answer);
        char rest[16];
        assert_int_equal(recv(fd, rest, sizeof(rest), 0), 0);
        assert_int_equal(close(fd), 0);
        http_client_send(other, "\r\n");
        answer = http_client_receive(other, false);
        assert_int_equal(answer.status, 200);
        http_answer_fini(&answer);
        assert_int_equal(close(other), 0);
        assert_int_equal(metrics_get(METRICS_http_malformed), before + 1);
    }
}

// With more of them libmicrohttpd has no memory for the records that it makes.
static void
test_many_parameters_are_refused_at_once(void **state)
{
    const http_fixture *f = *state;
    static const struct {
        const char *one;
        unsigned count;
        int status;
    } cases[] = {
        {"&a=1", HTTP_TARGET_PARAMETERS_MAX - 1, 200},
        {"&a=1", HTTP_TARGET_PARAMETERS_MAX, 400},
        {"&a=1", 500, 400},
        {"&a=1", 3900, 400},
        {"&", 500, 400},
        {"&", 15000, 400},
        {"&%61=%62", 1900, 400},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t before = metrics_get(METRICS_http_malformed);
        int fd = http_client_connect(f->port);
        http_client_send(fd, "GET /healthz?a=1");
        for (unsigned j = 0; j < cases[i].count; j++) {
            http_client_send(fd, cases[i].one);
        }
        http_client_send(fd, " HTTP/1.1\r\nHost: x\r\n\r\n");
        http_answer answer = http_client_receive(fd, false);
        if (answer.status != cases[i].status) {
            fail_msg("%u times '%s': %d", cases[i].count, cases[i].one, answer.status);
        }
        bool is_refused = answer.status == 400;
        assert_true(!is_refused || strstr((const char *)answer.body.ptr, "128 parameters") != NULL);
        assert_int_equal(metrics_get(METRICS_http_malformed), before + is_refused);
        http_answer_fini(&answer);
        assert_int_equal(close(fd), 0);
    }
}

static void
test_a_host_in_the_target_counts(void **state)
{
    http_fixture *f = *state;
    http_fixture_serve(f, NULL, true); // this machine alone
    static const request requests[] = {
        {"GET http://localhost/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 200},
        {"GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 421},
        {"GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421},
    };
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        int fd = http_client_connect(f->port);
        http_client_send(fd, requests[i].text);
        http_answer answer = http_client_receive(fd, false);
        assert_int_equal(answer.status, requests[i].status);
        http_answer_fini(&answer);
        assert_int_equal(close(fd), 0);
    }
}

static void
test_lines(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        int count; // of the lines; -1: they are no good
    } cases[] = {
#define CASE(text, count) {text, sizeof(text) - 1, count}
        CASE("\0\0", 0),
        CASE("a\0b\0\0\0\0", 1),
        CASE("a\0\0\0b\0 c \0\0\0\0", 2),
        CASE("", -1),
        CASE("\0", -1),
        CASE("\0\0x", -1),
        CASE("a", -1),
        CASE("a\0", -1),
        CASE("a\0b", -1),
        CASE("a\0b\0", -1),
        CASE("a\0b\0\0", -1),
        CASE("a\0b\0\0\0", -1),
        CASE("a\0b\0c\0d\0\0\0\0", -1),
        CASE("a\0b\0\0 c\0\0\0\0", -1),
        CASE("a \0b\0\0\0\0", -1),
        CASE("a\0b\rc\0\0\0\0", -1),
#undef CASE
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_slice lines = {(const uint8_t *)cases[i].bytes, cases[i].len};
        if (http_strict_count_lines(lines) != cases[i].count) {
            print_error("case %zu\n", i);
            fail();
        }
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_setup, http_fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_what_can_be_read_in_two_ways_is_refused),
        TEST(test_a_zero_in_a_head_is_refused),
        TEST(test_heads_have_a_size),
        TEST(test_what_is_unusual_and_right_is_answered),
        TEST(test_what_libmicrohttpd_refuses_is_answered_once),
        TEST(test_many_parameters_are_refused_at_once),
        TEST(test_a_host_in_the_target_counts),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
