// SPDX-License-Identifier: Apache-2.0
#include "agent/agent_options.h"

#include "common/base/lp_find.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char DEFAULT[] = "tcp://127.0.0.1:7411"; // a collector's URL

// The members that hold the text options.
static const struct text_option {
    const char *key;
    size_t offset;
} text_options[] = {
    {"ca", offsetof(agent_options, ca)},
    {"cert", offsetof(agent_options, cert)},
    {"key", offsetof(agent_options, key)},
    {"service", offsetof(agent_options, service)},
    {"instance", offsetof(agent_options, instance)},
    {"version", offsetof(agent_options, version)},
    {"policy", offsetof(agent_options, policy)},
    {"token", offsetof(agent_options, token)},
};

static void
set_defaults(agent_options *options)
{
    char host[256] = "";
    memset(options, 0, sizeof(*options));
    if (gethostname(host, sizeof(host) - 1) != 0 || host[0] == '\0') {
        (void)snprintf(host, sizeof(host), "localhost");
    }
    (void)snprintf(options->service, sizeof(options->service), "unnamed");
    (void)snprintf(options->instance, sizeof(options->instance), "%s:%ld", host, (long)getpid());
    (void)snprintf(options->policy, sizeof(options->policy), "loupe");
    options->segment_s = 60;
    options->log_level = LP_LOG_INFO;
}

// An address without a scheme is TCP.
static lp_err
add_collector(agent_options *options, const char *value, lp_problem *out_problem)
{
    bool is_address = strstr(value, "://") == NULL && strchr(value, ':') != NULL;
    if (options->collector_count == AGENT_COLLECTORS_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "option collector=%s: an agent takes at most %d collectors; a name may have many "
            "addresses",
            value, AGENT_COLLECTORS_MAX);
    }
    (void)snprintf(options->collectors[options->collector_count++], AGENT_OPTION_BYTES_MAX, "%s%s",
        is_address ? "tcp://" : "", value); // it fits: "collector=" was longer than the scheme
    return LP_OK;
}

static lp_err
set_segment(agent_options *options, const char *value, lp_problem *out_problem)
{
    char *end = NULL;
    errno = 0;
    long seconds = strtol(value, &end, 10);
    if (errno != 0 || *end != '\0' || seconds < 1 || seconds > AGENT_SEGMENT_S_MAX) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "option segment=%s: not a number of seconds from 1 to %d", value, AGENT_SEGMENT_S_MAX);
    }
    options->segment_s = (int)seconds;
    return LP_OK;
}

static lp_err
set_fields(agent_options *options, const char *value, lp_problem *out_problem)
{
    options->has_all_fields = strcmp(value, "all") == 0;
    LP_REQUIRE(options->has_all_fields || strcmp(value, "named") == 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "option fields=%s: not one of named, all", value));
    return LP_OK;
}

// Returns whether the len bytes at text may be the name of an event type, or a pattern.
static bool
is_type(const char *text, size_t len)
{
    return !LP_ANY(text, len, !isalnum((unsigned char)*at) && strchr("._$*", *at) == NULL) &&
           len > 0;
}

static lp_err
set_denied(agent_options *options, const char *value, lp_problem *out_problem)
{
    for (const char *rest = value;; rest++) {
        size_t len = strcspn(rest, "+");
        if (!is_type(rest, len)) {
            return lp_problem_set(out_problem, LP_ECORRUPT,
                "option deny=%s: '%.*s' is neither an event type nor a pattern; several are joined "
                "by +",
                value, (int)len, rest);
        }
        rest += len;
        if (*rest == '\0') {
            break;
        }
    }
    (void)snprintf(options->denied, sizeof(options->denied), "%s", value); // its length was checked
    return LP_OK;
}

static lp_err
set_propagation(agent_options *options, const char *value, lp_problem *out_problem)
{
    static const char *const names[] = {
        [AGENT_PROPAGATE_TASKS] = "tasks",
        [AGENT_PROPAGATE_THREADS] = "threads",
        [AGENT_PROPAGATE_OFF] = "off",
    };
    for (size_t i = 0; i < LP_COUNT(names); i++) {
        if (strcmp(value, names[i]) == 0) {
            options->propagation = (agent_propagation)i;
            return LP_OK;
        }
    }
    return lp_problem_set(
        out_problem, LP_ECORRUPT, "option propagate=%s: not one of tasks, threads, off", value);
}

static lp_err
set_log(agent_options *options, const char *value, lp_problem *out_problem)
{
    int level = lp_log_level_parse(value);
    if (level < 0) {
        return lp_problem_set(
            out_problem, LP_ECORRUPT, "option log=%s: not one of error, warn, info, debug", value);
    }
    options->log_level = (lp_log_level)level;
    return LP_OK;
}

static const struct parsed_option {
    const char *key;
    lp_err (*set)(agent_options *options, const char *value, lp_problem *out_problem);
} parsed_options[] = {
    {"collector", add_collector},
    {"deny", set_denied},
    {"fields", set_fields},
    {"log", set_log},
    {"propagate", set_propagation},
    {"segment", set_segment},
};

static lp_err
set_option(agent_options *options, const char *key, const char *value, lp_problem *out_problem)
{
    for (size_t i = 0; i < LP_COUNT(text_options); i++) {
        if (strcmp(key, text_options[i].key) == 0) {
            char *text = (char *)options + text_options[i].offset;
            (void)snprintf(
                text, AGENT_OPTION_BYTES_MAX, "%s", value); // the caller checked the length
            return LP_OK;
        }
    }
    for (size_t i = 0; i < LP_COUNT(parsed_options); i++) {
        if (strcmp(key, parsed_options[i].key) == 0) {
            return parsed_options[i].set(options, value, out_problem);
        }
    }
    return lp_problem_set(out_problem, LP_ECORRUPT,
        "unknown option %s; there are collector, ca, cert, key, service, instance, version, "
        "policy, deny, "
        "fields, propagate, segment, token, log",
        key);
}

// Parses the len bytes at text as key=value.
static lp_err
parse_one(agent_options *options, const char *text, size_t len, lp_problem *out_problem)
{
    char pair[AGENT_OPTION_BYTES_MAX];
    LP_REQUIRE(len < sizeof(pair),
        lp_problem_set(out_problem, LP_ECORRUPT, "option %.20s...: longer than %d bytes", text,
            AGENT_OPTION_BYTES_MAX - 1));
    memcpy(pair, text, len);
    pair[len] = '\0';
    char *value = strchr(pair, '=');
    LP_REQUIRE(value != NULL && value != pair && value[1] != '\0',
        lp_problem_set(out_problem, LP_ECORRUPT, "option %s: not of the form key=value", pair));
    *value++ = '\0';
    return set_option(options, pair, value, out_problem);
}

static lp_err
check_tls(const agent_options *options, lp_problem *out_problem)
{
    const char *first = options->collectors[0];
    bool is_tls = strncmp(first, "tls+", 4) == 0;
    for (size_t i = 1; i < options->collector_count; i++) {
        if ((strncmp(options->collectors[i], "tls+", 4) == 0) != is_tls) {
            return lp_problem_set(out_problem, LP_ECORRUPT,
                "options collector=%s and collector=%s: either all collectors use TLS, or none",
                first, options->collectors[i]);
        }
    }
    bool has_cert = options->cert[0] != '\0';
    bool has_key = options->key[0] != '\0';
    if (is_tls && options->ca[0] == '\0') {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "option collector=%s needs ca=FILE: the authority of the collector's certificate",
            first);
    }
    if (!is_tls && (options->ca[0] != '\0' || has_cert || has_key)) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "options ca, cert and key need collector=tls+tcp://HOST:PORT: %s does not use TLS",
            first);
    }
    LP_REQUIRE(has_cert == has_key,
        lp_problem_set(out_problem, LP_ECORRUPT, "options cert and key need each other"));
    return LP_OK;
}

lp_err
agent_options_parse(const char *text, agent_options *out_options, lp_problem *out_problem)
{
    agent_options options;
    set_defaults(&options);
    const char *rest = text == NULL ? "" : text;
    while (*rest != '\0') {
        size_t len = strcspn(rest, ",");
        LP_TRY(parse_one(&options, rest, len, out_problem));
        rest += len + (rest[len] == ',');
    }
    if (options.collector_count == 0) {
        (void)snprintf(
            options.collectors[options.collector_count++], AGENT_OPTION_BYTES_MAX, "%s", DEFAULT);
    }
    lp_err err = check_tls(&options, out_problem);
    if (err == LP_OK) {
        *out_options = options;
    }
    return err;
}

bool
agent_options_show_token(const agent_options *options)
{
    return options->token[0] != '\0' && options->token[0] != '@';
}
