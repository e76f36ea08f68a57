// SPDX-License-Identifier: Apache-2.0
#include "http_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { READ_S_MAX = 120 }; // more than any byte needs under ThreadSanitizer on a busy core

int
http_client_connect(uint16_t port)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct timeval limit = {.tv_sec = READ_S_MAX};
    struct sockaddr_in to = {.sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) != 0 ||
        connect(fd, (const struct sockaddr *)&to, sizeof(to)) != 0) {
        perror("http_client_connect");
        abort();
    }
    return fd;
}

void
http_client_send(int fd, const char *text)
{
    size_t len = strlen(text);
    while (len > 0) {
        ssize_t count = send(fd, text, len, MSG_NOSIGNAL);
        if (count <= 0) {
            return; // the answer, or its absence, tells
        }
        text += count;
        len -= (size_t)count;
    }
}

// receive is recv, but for a byte that does not come at all.
static ssize_t
receive(int fd, void *bytes, size_t size, int flags)
{
    ssize_t count = recv(fd, bytes, size, flags);
    if (count < 0 && errno == EAGAIN) {
        (void)fprintf(stderr, "http_client: nothing came within %d s\n", READ_S_MAX);
        abort();
    }
    return count;
}

// receive_head peeks before it reads, so that it does not read the body.
static bool
receive_head(int fd, http_answer *answer)
{
    char *head = answer->head;
    size_t len = 0;
    const char *end = NULL;
    while (end == NULL && len < sizeof(answer->head) - 1) {
        ssize_t count = receive(fd, head + len, sizeof(answer->head) - 1 - len, MSG_PEEK);
        if (count <= 0) {
            break;
        }
        end = memmem(head, len + (size_t)count, "\r\n\r\n", 4);
        size_t size = end == NULL ? (size_t)count : (size_t)(end + 4 - head) - len;
        if (receive(fd, head + len, size, 0) != (ssize_t)size) {
            break;
        }
        len += size;
    }
    head[len] = '\0';
    return end != NULL;
}

http_answer
http_client_receive(int fd, bool is_head)
{
    http_answer answer = {0};
    if (!receive_head(fd, &answer) || sscanf(answer.head, "HTTP/1.1 %d ", &answer.status) != 1) {
        answer.status = 0;
        return answer;
    }
    const char *length = http_client_find_header(&answer, "Content-Length");
    size_t expected =
        length == NULL || is_head || answer.status == 304 ? 0 : strtoul(length, NULL, 10);
    while (answer.body.len < expected) {
        char bytes[65536];
        size_t missing = expected - answer.body.len;
        ssize_t count = receive(fd, bytes, missing < sizeof(bytes) ? missing : sizeof(bytes), 0);
        if (count <= 0) {
            return answer;
        }
        lp_buf_append(&answer.body, bytes, (size_t)count);
    }
    lp_buf_append(&answer.body, "", 1); // so that text ends
    answer.body.len--;
    answer.is_complete = true;
    return answer;
}

http_answer
http_client_ask(uint16_t port, const char *method, const char *path, const char *headers)
{
    char request[4096];
    int len = snprintf(request, sizeof(request),
        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n", method, path, headers);
    if (len < 0 || (size_t)len >= sizeof(request)) {
        abort();
    }
    int fd = http_client_connect(port);
    http_client_send(fd, request);
    http_answer answer = http_client_receive(fd, strcmp(method, "HEAD") == 0);
    (void)close(fd);
    return answer;
}

void
http_client_expect(uint16_t port, const char *method, const char *path, int status)
{
    http_answer answer = http_client_ask(port, method, path, "");
    assert_int_equal(answer.status, status);
    http_answer_fini(&answer);
}

void
http_client_send_get(int fd, const char *path)
{
    char request[300];
    (void)snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
    http_client_send(fd, request);
}

int
http_client_ask_slowly(uint16_t port, const char *path)
{
    int fd = http_client_connect(port);
    int small = 4096;
    assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    http_client_send_get(fd, path);
    return fd;
}

const char *
http_client_find_header(const http_answer *answer, const char *name)
{
    static _Thread_local char value[1024];
    size_t name_len = strlen(name);
    for (const char *line = answer->head; line != NULL; line = strstr(line, "\r\n")) {
        line += line == answer->head ? 0 : 2;
        if (strncasecmp(line, name, name_len) == 0 && line[name_len] == ':') {
            const char *begin = line + name_len + 1 + strspn(line + name_len + 1, " ");
            (void)snprintf(value, sizeof(value), "%.*s", (int)strcspn(begin, "\r"), begin);
            return value;
        }
    }
    return NULL;
}

void
http_answer_fini(http_answer *answer)
{
    lp_buf_fini(&answer->body);
}
