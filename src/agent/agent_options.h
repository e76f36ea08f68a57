// SPDX-License-Identifier: Apache-2.0
// agent_options: what stands behind the = of -agentpath:…/libloupe.so=key=value,key=value.
//
//   collector  NNG URL of a collector         default tcp://127.0.0.1:7411
//              host:port is tcp://host:port; tls+tcp://host:port is by TLS. Given again: another
//              one, to which the agent goes when the one does not answer
//   ca         PEM file: authorities, one of which the collector's certificate has to be of.
//              Needed for TLS, and for nothing else, as the next two
//   cert, key  PEM files: the certificate that the agent shows, and its key; default: none
//   service    what this JVM is part of       default "unnamed"
//   instance   which one of the service       default host:pid
//   version    of the service                 default: OTEL_RESOURCE_ATTRIBUTES, or the manifest
//              (ServiceVersion.java)
//   policy     path of a .jfc file, or the name of a configuration of the JDK; default "loupe":
//              the JDK's profile, with the waits of loupe.jfc.
//              For as long as the collector has no policy for the service
//   deny       event types that are never recorded, names or patterns with *, joined by +
//   fields     named; or all: fields of a ContextType need no @Name. Default named
//   propagate  what carries contexts: tasks, threads (tasks, threads and timers), off;
//              default tasks
//   segment    seconds between chunk rotations, 1..86400; default 60
//   token      who sends, for a collector that asks: a text, or @FILE, a file that has it
//   log        error, warn, info, debug       default info
//
// Threads: one thread at a time.

#ifndef LP_AGENT_AGENT_OPTIONS_H
#define LP_AGENT_AGENT_OPTIONS_H

#include "common/base/lp_err.h"
#include "common/base/lp_log.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    AGENT_OPTION_BYTES_MAX = 1024, // of one value, with the 0 at its end
    AGENT_COLLECTORS_MAX = 16,
    AGENT_SEGMENT_S_MAX = 24 * 60 * 60,
};

// What carries contexts.
typedef enum agent_propagation {
    AGENT_PROPAGATE_TASKS,
    AGENT_PROPAGATE_THREADS, // and with tasks
    AGENT_PROPAGATE_OFF,
} agent_propagation;

typedef struct agent_options {
    char collectors[AGENT_COLLECTORS_MAX][AGENT_OPTION_BYTES_MAX]; // the first collector_count
    size_t collector_count;
    char ca[AGENT_OPTION_BYTES_MAX]; // "": none, as the next two
    char cert[AGENT_OPTION_BYTES_MAX];
    char key[AGENT_OPTION_BYTES_MAX];
    char service[AGENT_OPTION_BYTES_MAX];
    char instance[AGENT_OPTION_BYTES_MAX];
    char version[AGENT_OPTION_BYTES_MAX]; // "": not given
    char policy[AGENT_OPTION_BYTES_MAX];
    char token[AGENT_OPTION_BYTES_MAX];  // "": none
    char denied[AGENT_OPTION_BYTES_MAX]; // "": none
    bool has_all_fields;
    agent_propagation propagation;
    int segment_s;
    lp_log_level log_level;
} agent_options;

// agent_options_parse reads text, which may be NULL, over the defaults.
// Errors: LP_ECORRUPT for an unknown key, a value that cannot be used, or options of TLS that do
// not
//         go together
LP_MUST_USE lp_err agent_options_parse(
    const char *text, agent_options *out_options, lp_problem *out_problem);

// agent_options_show_token returns whether the token itself is in them, for all to see.
bool agent_options_show_token(const agent_options *options);

#endif // LP_AGENT_AGENT_OPTIONS_H
