// SPDX-License-Identifier: Apache-2.0
// http_client: requests over plain sockets, so that tests control and see the exact bytes on the
// wire.

#pragma once

#include "common/base/lp_buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct http_answer {
    int status; // 0: the connection ended before a whole head came
    char head[4096];
    lp_buf body;
    bool is_complete; // as many bytes as Content-Length says (none for a HEAD)
} http_answer;

// http_client_connect opens a connection to 127.0.0.1:port; a read waits at most 30 s. It aborts
// the test program where that fails.
int http_client_connect(uint16_t port);

// http_client_send writes all of text.
void http_client_send(int fd, const char *text);

// http_client_receive reads one answer from a connection.
http_answer http_client_receive(int fd, bool is_head);

// http_client_ask sends METHOD PATH with more header lines (each with its \r\n; "" for none) on a
// connection of its own and receives the answer.
http_answer http_client_ask(
    uint16_t port, const char *method, const char *path, const char *headers);

// http_client_expect asks, and checks the status of the answer.
void http_client_expect(uint16_t port, const char *method, const char *path, int status);

// http_client_send_get sends a GET on a connection that stays. http_client_ask_slowly does on a new
// one, which takes but a few KB that are not read; the caller closes it.
void http_client_send_get(int fd, const char *path);
int http_client_ask_slowly(uint16_t port, const char *path);

// http_client_find_header lends the value of a header, NULL if there is none. It is valid until the
// next call on the same thread.
const char *http_client_find_header(const http_answer *answer, const char *name);

void http_answer_fini(http_answer *answer);
