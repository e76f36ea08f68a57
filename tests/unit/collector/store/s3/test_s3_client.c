// SPDX-License-Identifier: Apache-2.0
// The client of object stores with a scripted peer: a PUT succeeds only if the answer has an ETag.
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

// A peer that gives one answer to the first request.
typedef struct peer {
    int fd; // listening
    const char *answer;
    pthread_t thread;
} peer;

static void *
serve(void *arg)
{
    const peer *self = arg;
    char head[8192] = "";
    size_t size = 0;
    ssize_t count = 1;
    int fd = accept(self->fd, NULL, NULL);
    while (count > 0 && strstr(head, "\r\n\r\n") == NULL && size < sizeof(head) - 1) {
        count = read(fd, head + size, sizeof(head) - 1 - size);
        size += count > 0 ? (size_t)count : 0;
        head[size] = '\0';
    }
    if (write(fd, self->answer, strlen(self->answer)) < 0) {
        perror("write");
        abort();
    }
    (void)close(fd);
    return NULL;
}

static void
count_nothing(s3_count what, uint64_t amount)
{
    (void)what;
    (void)amount;
}

// put stores an empty object. Returns the client's result for the answer.
static lp_err
put(const char *answer)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    peer one = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .answer = answer};
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
    s3_client_interrupt(client, 60 * 1000); // so that it tries once
    lp_err err = s3_client_put(client, "key", (lp_slice){0});
    int error = errno;
    s3_client_destroy(client);
    (void)pthread_join(one.thread, NULL);
    (void)close(one.fd);
    errno = error;
    return err;
}

static void
test_a_put_is_stored_if_the_answer_has_an_etag(void **state)
{
    (void)state;
    assert_int_equal(put("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n"), LP_OK);
    assert_int_equal(put("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), LP_EIO);
    assert_int_equal(errno, EREMOTEIO);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_put_is_stored_if_the_answer_has_an_etag),
    };
    (void)setenv("AWS_ACCESS_KEY_ID", "key", 1);
    (void)setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    (void)setenv("no_proxy", "*", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
