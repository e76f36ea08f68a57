// SPDX-License-Identifier: Apache-2.0
// http_audit: who read or removed recordings over HTTP, and who was refused, as lines of an
// audit_log. What is read again and again, by a page that asks every few seconds or in ranges, is
// one line in HTTP_AUDIT_REPEAT_S for each that asks, and each place that it asks from. Of those
// whom nobody knows it is one for each reason for which they are refused, and each place, whatever
// they ask for.
//
// Threads: any thread.
// Tests:   tests/unit/collector/http/routes/test_http_audit.c

#ifndef LP_COLLECTOR_HTTP_HTTP_AUDIT_H
#define LP_COLLECTOR_HTTP_HTTP_AUDIT_H

#include "collector/access/access_caller.h"
#include "collector/base/audit_log.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdint.h>

enum {
    HTTP_AUDIT_REPEAT_S = 60,
    HTTP_AUDIT_RECENT_MAX = 1024,    // that are known to be repeated; of more, some are not
    HTTP_AUDIT_TEXT_BYTES_MAX = 512, // of a member; what is longer is cut
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

// What a line says beside its time and the address of who asks. A member of NULL is left out.
typedef struct http_audit_entry {
    const char *event;
    const char *identity;  // "": nobody was asked for a token, which is null
    const char *recording; // its id, "" as well: none
    const char *service;
    const char *path; // as it was asked for, without parameters
    const char *why;
} http_audit_entry;

// http_audit_note writes a line.
void http_audit_note(
    http_audit *audit, struct MHD_Connection *connection, const http_audit_entry *entry);

// http_audit_note_once writes it where it was not written in the last HTTP_AUDIT_REPEAT_S.
void http_audit_note_once(
    http_audit *audit, struct MHD_Connection *connection, const http_audit_entry *entry);

#endif // LP_COLLECTOR_HTTP_HTTP_AUDIT_H
