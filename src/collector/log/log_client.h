// SPDX-License-Identifier: Apache-2.0

// log_client: a topic of Kafka's as a log: appends records to its partitions, and reads those of
// the partitions that its consumer group gives to this process. librdkafka does the work on threads
// of its own; what it has to say it puts into queues, and wakes the loop, which takes it from there
// without waiting. So all callbacks are called on the loop, and none of them may wait for
// long: what the catalog says at once is fine.
//
//   append   acks=all and idempotent: when on_delivered says so, all replicas in sync have it, and
//            records of a partition are in the order in which they were appended. A record that
//            could not be appended does not keep later ones from being: their order is its
//            appender's business
//   read     in order, from the offset that was committed last, or from the beginning. A record
//            that is not taken stops its partition; it comes again, first, with log_client_look
//
// Which partition a key has depends on the number of partitions alone, which is read at the start.
//
// Memory: what waits to be sent has bytes_max, and what was read ahead of each partition an eighth
// of that (LOG_CLIENT_FETCH_SHARE), at least LOG_CLIENT_FETCH_LEAST_KB.
//
// Threads: the loop that owns it; log_client_open and log_client_destroy before and after it runs.
// Tests:   tests/unit/collector/log/test_log_client.c, test_server_log.c, tests/e2e/kafka.py

#ifndef LP_COLLECTOR_SERVER_LOG_CLIENT_H
#define LP_COLLECTOR_SERVER_LOG_CLIENT_H

#include "collector/cluster/log_url.h"
#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LOG_CLIENT_OPEN_MS_MAX = 10 * 1000,   // for the first answer of a broker
    LOG_CLIENT_APPEND_MS_MAX = 30 * 1000, // until a record that no broker takes has failed
    LOG_CLIENT_SILENT_MS_MAX = 6 * 1000,  // of a member of the group, which is out of it then
    LOG_CLIENT_HEARTBEAT_MS = 1500,       // between two signs of it, to the group
    LOG_CLIENT_ASK_MS_MAX = 5 * 1000,     // for an answer to whether the brokers are there
    LOG_CLIENT_RENEW_MS = 10 * 1000,      // between two producers, where one takes nothing any more
    LOG_CLIENT_FLUSH_MS_MAX = 3 * 1000,   // at the end, for what is on its way
    LOG_CLIENT_CLOSE_MS_MAX = 5 * 1000,   // at the end, for leaving the group
    LOG_CLIENT_REWIND_MS_MAX = 1000,      // until a partition is read from an earlier offset
    LOG_CLIENT_EVENTS_MAX = 64,           // in one turn of the loop
    LOG_CLIENT_LOG_MS = 10 * 1000,        // at least, between two lines about the same
    LOG_CLIENT_FETCH_SHARE = 8,
    LOG_CLIENT_FETCH_LEAST_KB = 1024,
};

typedef struct log_client log_client;

typedef struct log_client_record {
    int32_t partition;
    int64_t offset;
    int64_t wall_ms; // when it was appended, since the epoch; below 0: unknown
    lp_slice bytes;
} log_client_record;

typedef struct log_client_config {
    struct uv_loop_s *loop; // a uv_loop_t
    const log_url *url;     // borrowed until log_client_open returns
    size_t bytes_max;
    // The end of a record that was appended; tag is what log_client_append was given. failure:
    // NULL, or why nobody knows whether the log has it.
    void (*on_delivered)(void *arg, void *tag, const char *failure);
    // record is borrowed. False: it cannot be taken now.
    bool (*on_record)(void *arg, const log_client_record *record);
    // Before the first record of a partition, and after the last one.
    void (*on_assigned)(void *arg, int32_t partition);
    void (*on_revoked)(void *arg, int32_t partition);
    void *arg;
} log_client_config;

// log_client_open reaches the brokers, finds out how many partitions the topic has, and joins the
// group.
// Owns:   the caller ends *out_client by log_client_stop and log_client_destroy. After an error
//         there is none; the loop has to run once more.
// Errors: LP_EIO they cannot be reached, or there is no such topic; LP_ECORRUPT a property that
//         librdkafka does not take; LP_ENOMEM. out_problem has the reason, without passwords
LP_MUST_USE lp_err log_client_open(
    const log_client_config *config, log_client **out_client, lp_problem *out_problem);

// log_client_get_partition returns which partition records with this key are in.
int32_t log_client_get_partition(const log_client *client, lp_slice key);

// log_client_append copies head and message into one record; on_delivered follows, later.
// Errors: LP_EAGAIN too much waits to be sent, or the brokers are away; LP_ELIMIT it is too large
LP_MUST_USE lp_err log_client_append(
    log_client *client, lp_slice key, lp_slice head, lp_slice message, void *tag);

// log_client_look offers again what was not taken. Now and then.
void log_client_look(log_client *client);

// log_client_set_member joins the group again, or leaves it: its partitions go to the other
// members.
void log_client_set_member(log_client *client, bool is_member);

// log_client_rewind has a partition of this process be read again from offset on, and waits for
// that; what was not taken is dropped. One that it does not have is fine.
// Errors: LP_EAGAIN nobody knows from where it goes on: nothing may be taken before another call
LP_MUST_USE lp_err log_client_rewind(log_client *client, int32_t partition, int64_t offset);

// log_client_commit has the group begin at offset of a partition when it is read next. It may fail,
// and says nothing then.
void log_client_commit(log_client *client, int32_t partition, int64_t offset);

// log_client_is_current returns whether all that a partition of this process's has was taken, as
// far as is known: false as well while the brokers are away.
bool log_client_is_current(const log_client *client, int32_t partition);

// log_client_get_fault returns why the log takes nothing, for people; NULL: it does.
const char *log_client_get_fault(const log_client *client);

// log_client_stop waits, for LOG_CLIENT_FLUSH_MS_MAX, until what was appended has ended, leaves the
// group and gives its handle back to the loop. All tags have come by on_delivered when it returns.
void log_client_stop(log_client *client);

// log_client_destroy frees it, after log_client_stop and once the loop ran.
void log_client_destroy(log_client *client);

#endif // LP_COLLECTOR_SERVER_LOG_CLIENT_H
