// SPDX-License-Identifier: Apache-2.0

// log_properties: parses a file of properties for librdkafka, in the format of its tools: lines of
// NAME=VALUE, empty lines and comments with '#'. Messages never contain values, which may be
// passwords.
//
// Threads: any thread.
// Tests:   tests/unit/collector/log/test_log_properties.c

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_vec.h"

enum { LOG_PROPERTIES_BYTES_MAX = 64 << 10 }; // of a file

typedef struct log_property {
    const char *name;
    const char *value;
} log_property;

// Zeroed: none.
typedef struct log_properties {
    char *text; // owned; items point into it
    LP_VEC(log_property) items;
} log_properties;

// log_properties_read reads the file at path. If path is "", there are no properties. The caller
// calls log_properties_fini, even after an error. Errors: LP_EIO with errno; LP_ELIMIT; LP_ECORRUPT
// with the line's number; LP_ENOMEM
LP_MUST_USE lp_err log_properties_read(
    const char *path, log_properties *out, lp_problem *out_problem);
void log_properties_fini(log_properties *properties);
