// SPDX-License-Identifier: Apache-2.0

// log_url: the URL of a log in front of the journals, and the file that it names:
// kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC[?group=NAME&config=FILE].
//
//   group    the consumer group that keeps the offsets; default LOG_URL_GROUP
//   config   a file of librdkafka properties, for example for security, in the format of its tools:
//            lines of NAME=VALUE, empty lines and comments with '#'. Messages never contain values,
//            which may be passwords
//
// Threads: any thread.
// Tests:   tests/unit/collector/cluster/test_log_url.c, test_log_properties.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

#define LOG_URL_GROUP "loupe"

enum {
    LOG_URL_BROKERS_BYTES = 1024,
    LOG_URL_NAME_BYTES = 250, // of a topic (Kafka's limit), and of a group
    LOG_URL_PATH_BYTES = 4096,
    LOG_URL_TITLE_BYTES = 2 * LOG_URL_NAME_BYTES + 32,
    LOG_URL_PROPERTIES_BYTES_MAX = 64 << 10, // of the file
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

typedef struct log_url_property {
    const char *name;
    const char *value;
} log_url_property;

// Zeroed: none.
typedef struct log_url_properties {
    char *text; // owned; items point into it
    LP_VEC(log_url_property) items;
} log_url_properties;

// log_url_read_properties reads the file at path. If path is "", there are no properties. The
// caller calls log_url_properties_fini, even after an error. Errors: LP_EIO with errno; LP_ELIMIT;
// LP_ECORRUPT with the line's number; LP_ENOMEM
LP_MUST_USE lp_err log_url_read_properties(
    const char *path, log_url_properties *out, lp_problem *out_problem);
void log_url_properties_fini(log_url_properties *properties);
