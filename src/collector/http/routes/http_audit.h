// SPDX-License-Identifier: Apache-2.0
// http_audit: lines in an audit_log about reads, removals, logins and refused requests over HTTP.
//
// Repeated reads, such as by a page that polls or of a download in ranges, get one line in
// HTTP_AUDIT_REPEAT_S for each identity and address. Refusals of unknown callers get one line for
// each reason and address, whatever their path.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/routes/test_http_audit.c

#pragma once

#include "collector/access/access_caller.h"
#include "collector/base/audit_log.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    HTTP_AUDIT_REPEAT_S = 60,
    HTTP_AUDIT_RECENT_MAX = 1024,    // lines remembered; with more, some are written again
    HTTP_AUDIT_TEXT_BYTES_MAX = 512, // of a member; the rest is cut
};

typedef struct http_audit_recent {
    uint64_t hash; // 0: none
    int64_t until_s;
} http_audit_recent;

// {0} with a mutex writes nothing.
typedef struct http_audit {
    audit_log *log; // NULL: none
    pthread_mutex_t mutex;
    http_audit_recent recent[HTTP_AUDIT_RECENT_MAX];
} http_audit;

// A line, without its time and the client's address. NULL members are left out.
typedef struct http_audit_entry {
    const char *event;
    const char *identity;  // "": no tokens, written as null
    const char *recording; // its id; "": none
    const char *service;
    const char *path; // without parameters
    const char *why;
    bool is_once; // left out if it was written in the last HTTP_AUDIT_REPEAT_S
} http_audit_entry;

// http_audit_note writes a line.
void http_audit_note(
    http_audit *audit, struct MHD_Connection *connection, const http_audit_entry *entry);
