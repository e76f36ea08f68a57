// SPDX-License-Identifier: Apache-2.0

// log_url: the URL of a log in front of the journals:
// kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC[?group=NAME&config=FILE].
//
//   group    the consumer group that keeps the offsets; default LOG_URL_GROUP
//   config   a file of librdkafka properties, NAME=VALUE lines, for example for security
//
// Threads: pure functions, any thread.
// Tests:   tests/unit/collector/cluster/test_log_url.c

#pragma once

#include "common/base/lp_err.h"

#define LOG_URL_GROUP "loupe"

enum {
    LOG_URL_BROKERS_BYTES = 1024,
    LOG_URL_NAME_BYTES = 250, // of a topic (Kafka's limit), and of a group
    LOG_URL_PATH_BYTES = 4096,
    LOG_URL_TITLE_BYTES = 2 * LOG_URL_NAME_BYTES + 32,
};

typedef struct log_url {
    char brokers[LOG_URL_BROKERS_BYTES]; // HOST[:PORT], separated by commas
    char topic[LOG_URL_NAME_BYTES];
    char group[LOG_URL_NAME_BYTES];
    char config[LOG_URL_PATH_BYTES]; // a path; "": none
} log_url;

// log_url_parse parses a URL. Errors: LP_ECORRUPT, with the reason in out_problem
LP_MUST_USE lp_err log_url_parse(const char *text, log_url *out_url, lp_problem *out_problem);

// log_url_format writes the identity of a log: topic and group, without brokers, which change. url
// NULL: "".
void log_url_format(const log_url *url, char out_title[LOG_URL_TITLE_BYTES]);
