// SPDX-License-Identifier: Apache-2.0

// log_client: uses a topic of Kafka as a log. It appends records to partitions, and reads the
// partitions that the consumer group assigns to this process. librdkafka works on its own threads
// and queues events; the loop polls the queues without waiting. So all callbacks run on the loop,
// and none may block for long. A query of the catalog is fine.
//
//   append   with acks=all, idempotent. After on_delivered reports success, all in-sync replicas
//            have the record. Records of a partition are in the order of their appends. A failed
//            record does not stop later ones: the caller restores their order
//   read     in order, from the last committed offset, or from the beginning. If on_record does not
//            take a record, its partition stops; log_client_look offers the record again
//
// The partition of a key depends only on the number of partitions, which is read at the start.
//
// Memory:  unsent records take at most bytes_max. Records that are read ahead take an eighth of
//          bytes_max for each partition (LOG_CLIENT_FETCH_SHARE), but at least
//          LOG_CLIENT_FETCH_LEAST_KB.
// Threads: the loop that owns it; log_client_open before it runs, and log_client_destroy after.
// Tests:   tests/unit/collector/log/test_log_client.c, test_server_log.c, tests/e2e/kafka.py

#pragma once

#include "collector/cluster/log_url.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOG_CLIENT_OPEN_MS_MAX = 10 * 1000,   // until a broker answers
    LOG_CLIENT_APPEND_MS_MAX = 30 * 1000, // until an append fails
    LOG_CLIENT_SILENT_MS_MAX = 6 * 1000,  // until the group removes a silent member
    LOG_CLIENT_HEARTBEAT_MS = 1500,       // between two heartbeats to the group
    LOG_CLIENT_ASK_MS_MAX = 5 * 1000,     // until brokers count as unreachable
    LOG_CLIENT_RENEW_MS = 10 * 1000,      // between two attempts to replace a failed producer
    LOG_CLIENT_FLUSH_MS_MAX = 3 * 1000,   // at the end, for records in flight
    LOG_CLIENT_CLOSE_MS_MAX = 5 * 1000,   // at the end, to leave the group
    LOG_CLIENT_REWIND_MS_MAX = 1000,      // for a seek
    LOG_CLIENT_EVENTS_MAX = 64,           // in one turn of the loop
    LOG_CLIENT_LOG_MS = 10 * 1000,        // between two log lines about errors
    LOG_CLIENT_FETCH_SHARE = 8,
    LOG_CLIENT_FETCH_LEAST_KB = 1024,
};

typedef struct log_client log_client;

typedef struct log_client_record {
    int32_t partition;
    int64_t offset;
    int64_t wall_ms; // time of the append, since the epoch; below 0: unknown
    lp_slice bytes;
} log_client_record;

typedef struct log_client_config {
    struct uv_loop_s *loop; // a uv_loop_t
    const log_url *url;     // borrowed until log_client_open returns
    size_t bytes_max;
    // Reports the result of an append; tag is from log_client_append. failure is NULL on success.
    // Else it is unknown whether the log has the record, and failure says why.
    void (*on_delivered)(void *arg, void *tag, const char *failure);
    // Takes a record, which is borrowed. Returns false if it cannot take the record now.
    bool (*on_record)(void *arg, const log_client_record *record);
    // Called before the first record of a partition, and after the last one.
    void (*on_assigned)(void *arg, int32_t partition);
    void (*on_revoked)(void *arg, int32_t partition);
    void *arg;
} log_client_config;

// log_client_open connects to the brokers, reads the topic's number of partitions, and joins the
// group.
// Owns:   the caller calls log_client_stop and log_client_destroy. After an error the loop has to
//         run once more.
// Errors: LP_EIO if no broker answers or the topic does not exist; LP_ECORRUPT if librdkafka
//         rejects a property; LP_ENOMEM. out_problem has the reason, without passwords
LP_MUST_USE lp_err log_client_open(
    const log_client_config *config, log_client **out_client, lp_problem *out_problem);

// log_client_get_partition returns the partition of records with this key.
int32_t log_client_get_partition(const log_client *client, lp_slice key);

// log_client_append copies head and message into one record. on_delivered is called later. Errors:
// LP_EAGAIN if too much is unsent or no broker answers; LP_ELIMIT if the record is too large
LP_MUST_USE lp_err log_client_append(
    log_client *client, lp_slice key, lp_slice head, lp_slice message, void *tag);

// log_client_look offers records again that on_record did not take, and retries failed actions.
// Call it now and then.
void log_client_look(log_client *client);

// log_client_set_member joins the group again, or leaves it. When it leaves, other members get its
// partitions.
void log_client_set_member(log_client *client, bool is_member);

// log_client_rewind seeks in a partition of this process, and waits for the result. It drops
// records that were not taken. It ignores a partition of another process. Errors: LP_EAGAIN if the
// position is now unknown: take no record before another call succeeds
LP_MUST_USE lp_err log_client_rewind(log_client *client, int32_t partition, int64_t offset);

// log_client_commit commits the offset at which the partition's next reader starts. It does not
// report failures.
void log_client_commit(log_client *client, int32_t partition, int64_t offset);

// log_client_is_current returns whether all records of a partition of this process were taken.
// While no broker answers, it returns false.
bool log_client_is_current(const log_client *client, int32_t partition);

// log_client_get_fault returns a text about why appends fail; NULL if they do not.
const char *log_client_get_fault(const log_client *client);

// log_client_stop waits up to LOG_CLIENT_FLUSH_MS_MAX for records in flight, leaves the group
// within LOG_CLIENT_CLOSE_MS_MAX and closes its handle; both waits end at the deadline of lp_end.h.
// Before it returns, it calls on_delivered for all remaining tags.
void log_client_stop(log_client *client);

// Call log_client_destroy after log_client_stop, when the loop has run once more. It never waits
// for brokers: a consumer that has not left the group is leaked.
void log_client_destroy(log_client *client);
