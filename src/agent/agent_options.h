// SPDX-License-Identifier: Apache-2.0
// agent_options: the options of the agent, -agentpath:…/libloupe.so=key=value,key=value.
//
//   collector  NNG URL of a collector; default tcp://127.0.0.1:7411. host:port means
//              tcp://host:port; tls+tcp://host:port uses TLS. If the option is repeated, the agent
//              moves to another collector when the current one does not answer
//   ca         PEM file: the authorities for the collector's certificate. Required with TLS; ca,
//              cert and key are rejected without TLS
//   cert, key  PEM files: the agent's certificate and its key; default: none
//   service    name of the service; default "unnamed"
//   instance   name of the instance; default host:pid
//   version    of the service; default: from OTEL_RESOURCE_ATTRIBUTES or the manifest
//              (ServiceVersion.java)
//   policy     path of a .jfc file, or the name of a configuration of the JDK; default "loupe": the
//              JDK's profile, with the waits of loupe.jfc. Used while the collector has no policy
//              for the service
//   deny       event types that are never recorded: names or patterns with *, joined by +
//   fields     `named` or `all`; default named. all: fields of a ContextType need no @Name
//   propagate  what carries contexts: tasks, threads (tasks, threads and timers), or off; default
//              tasks
//   segment    seconds between chunk rotations, 1..86400; default 60
//   token      the sender's token, for collectors that require one: a text, or @FILE
//   log        error, warn, info or debug; default info
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_log.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    AGENT_OPTION_BYTES_MAX = 1024, // of one value, with the 0 at its end
    AGENT_COLLECTORS_MAX = 16,
    AGENT_SEGMENT_S_MAX = 24 * 60 * 60,
};

typedef enum agent_propagation {
    AGENT_PROPAGATE_TASKS,
    AGENT_PROPAGATE_THREADS, // includes tasks
    AGENT_PROPAGATE_OFF,
} agent_propagation;

typedef struct agent_options {
    char collectors[AGENT_COLLECTORS_MAX][AGENT_OPTION_BYTES_MAX]; // collector_count are set
    size_t collector_count;
    char ca[AGENT_OPTION_BYTES_MAX]; // "": none, as for cert and key
    char cert[AGENT_OPTION_BYTES_MAX];
    char key[AGENT_OPTION_BYTES_MAX];
    char service[AGENT_OPTION_BYTES_MAX];
    char instance[AGENT_OPTION_BYTES_MAX];
    char version[AGENT_OPTION_BYTES_MAX]; // "": not given
    char policy[AGENT_OPTION_BYTES_MAX];
    char token[AGENT_OPTION_BYTES_MAX];  // "": none
    char denied[AGENT_OPTION_BYTES_MAX]; // "": none
    bool has_all_fields;                 // fields=all
    agent_propagation propagation;
    int segment_s;
    lp_log_level log_level;
} agent_options;

// Parses text into *out_options; options that text lacks get their defaults. text may be NULL.
// Errors: LP_ECORRUPT for an unknown option, an invalid value, or contradictory TLS options
LP_MUST_USE lp_err agent_options_parse(
    const char *text, agent_options *out_options, lp_problem *out_problem);

// Returns whether the options contain the token itself, so that it shows in the command line.
bool agent_options_show_token(const agent_options *options);
