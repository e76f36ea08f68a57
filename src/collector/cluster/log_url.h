// SPDX-License-Identifier: Apache-2.0

// log_url: where the log is that agents' batches go through, when it is not a journal of this
// machine: kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC[?group=NAME&config=FILE].
//
//   group    the consumer group that offsets are kept under; LOG_URL_GROUP without it
//   config   a file of properties for librdkafka, NAME=VALUE lines, as security needs them
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/cluster/test_log_url.c

#ifndef LP_COLLECTOR_SERVER_LOG_URL_H
#define LP_COLLECTOR_SERVER_LOG_URL_H

#include "common/base/lp_err.h"

#define LOG_URL_GROUP "loupe"

enum {
    LOG_URL_BROKERS_BYTES = 1024,
    LOG_URL_NAME_BYTES = 250, // of a topic, as Kafka has it, and of a group
    LOG_URL_PATH_BYTES = 4096,
    LOG_URL_TITLE_BYTES = 2 * LOG_URL_NAME_BYTES + 32,
};

typedef struct log_url {
    char brokers[LOG_URL_BROKERS_BYTES]; // HOST[:PORT], with commas between
    char topic[LOG_URL_NAME_BYTES];
    char group[LOG_URL_NAME_BYTES];
    char config[LOG_URL_PATH_BYTES]; // a path; "": there is none
} log_url;

// log_url_parse reads one. Errors: LP_ECORRUPT, and out_problem says what is wrong
LP_MUST_USE lp_err log_url_parse(const char *text, log_url *out_url, lp_problem *out_problem);

// log_url_format writes what tells one log from another: brokers come and go. NULL is "".
void log_url_format(const log_url *url, char out_title[LOG_URL_TITLE_BYTES]);

#endif // LP_COLLECTOR_SERVER_LOG_URL_H
