// SPDX-License-Identifier: Apache-2.0
// The client of object stores with a scripted peer: a PUT succeeds only if the answer has an ETag,
// and is tried again if the store says that it failed. Costs 2 s: the client waits before a try.
// Other tests are in test_chunk_store.c, with a real store.

#include "collector/store/s3/s3_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define STORED "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n"

// A peer that gives an answer to each request, and then closes the connection.
typedef struct peer {
    int fd;               // listening; shut down at the end
    const char *first;    // answer
    const char *later;    // answer to all others
    unsigned asked_count; // the thread's until it ends
    pthread_t thread;
} peer;

static void
answer_one(const char *answer, int fd)
{
    char head[8192] = "";
    size_t size = 0;
    ssize_t count = 1;
    while (count > 0 && strstr(head, "\r\n\r\n") == NULL && size < sizeof(head) - 1) {
        count = read(fd, head + size, sizeof(head) - 1 - size);
        size += count > 0 ? (size_t)count : 0;
        head[size] = '\0';
    }
    if (write(fd, answer, strlen(answer)) < 0) {
        perror("write");
        abort();
    }
}

static void *
serve(void *arg)
{
    peer *self = arg;
    int fd = -1;
    while ((fd = accept(self->fd, NULL, NULL)) >= 0) {
        answer_one(self->asked_count++ == 0 ? self->first : self->later, fd);
        (void)close(fd);
    }
    return NULL;
}

static void
count_nothing(s3_count what, uint64_t amount)
{
    (void)what;
    (void)amount;
}

// put stores an empty object. Returns the client's result for the answers, and sets *out_count to
// the number of requests. is_once: the client has no time for a second try.
static lp_err
put(const char *first, const char *later, bool is_once, unsigned *out_count)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    peer one = {
        .fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .first = first, .later = later};
    assert_int_equal(bind(one.fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(one.fd, 1), 0);
    assert_int_equal(getsockname(one.fd, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(pthread_create(&one.thread, NULL, serve, &one), 0);
    char url[100];
    (void)snprintf(
        url, sizeof(url), "s3://bucket?endpoint=http://127.0.0.1:%u", ntohs(address.sin_port));
    s3_client_config config = {.on_count = count_nothing};
    s3_client *client;
    assert_int_equal(s3_url_parse(url, NULL, &config.url, NULL), LP_OK);
    assert_int_equal(s3_client_create(&config, &client, NULL), LP_OK);
    if (is_once) {
        s3_client_interrupt(client, 60 * 1000);
    }
    lp_err err = s3_client_put(client, "key", (lp_slice){0});
    int error = errno;
    s3_client_destroy(client);
    (void)shutdown(one.fd, SHUT_RDWR);
    (void)pthread_join(one.thread, NULL);
    (void)close(one.fd);
    *out_count = one.asked_count;
    errno = error;
    return err;
}

static void
test_a_put_is_stored_if_the_answer_has_an_etag(void **state)
{
    (void)state;
    unsigned count = 0;
    const char *without = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    assert_int_equal(put(STORED, STORED, true, &count), LP_OK);
    assert_int_equal(put(without, STORED, true, &count), LP_EIO);
    assert_int_equal(errno, EREMOTEIO);
    assert_int_equal(count, 1);
}

static void
test_a_put_is_tried_again_if_the_store_failed(void **state)
{
    (void)state;
    static const struct {
        const char *status;
        bool is_again;
    } cases[] = {{"408 Request Timeout", true}, {"429 Too Many Requests", true},
        {"500 Internal Server Error", true}, {"503 Slow Down", true}, {"400 Bad Request", false},
        {"404 Not Found", false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char first[100];
        unsigned count = 0;
        (void)snprintf(
            first, sizeof(first), "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", cases[i].status);
        lp_err err = put(first, STORED, false, &count);
        if (err != (cases[i].is_again ? LP_OK : LP_EIO) || count != (cases[i].is_again ? 2 : 1)) {
            fail_msg("%s: error %d after %u requests", cases[i].status, err, count);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_put_is_stored_if_the_answer_has_an_etag),
        cmocka_unit_test(test_a_put_is_tried_again_if_the_store_failed),
    };
    (void)setenv("AWS_ACCESS_KEY_ID", "key", 1);
    (void)setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    (void)setenv("no_proxy", "*", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
