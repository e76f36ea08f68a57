// SPDX-License-Identifier: Apache-2.0

// loupe collect: runs the collector until a signal ends it.
//
// Tests: tests/e2e/cli.py, tests/unit/collector/server/test_server_exit.c

#include "cli/base/cmd.h"
#include "cli/serve/end_watch.h"
#include "cli/serve/places.h"
#include "cli/serve/serving.h"
#include "collector/base/audit_log.h"
#include "collector/base/tls_files.h"
#include "collector/collect.h"
#include "collector/log/log_route.h"
#include "collector/otlp/otlp_target.h"
#include "collector/recall/rule/trace_keep.h"
#include "collector/store/s3/s3_url.h"
#include "common/base/lp_log.h"
#include "common/base/lp_printable.h"
#include "common/base/lp_time_scale.h"
#include "policy/policy_dir.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// find_tls_fault returns the fault of the TLS options; NULL if they are valid.
static const char *
find_tls_fault(const options *chosen)
{
    bool is_tls = strncmp(chosen->collect_agents, "tls+", 4) == 0;
    if ((chosen->collect_tls_cert == NULL) != (chosen->collect_tls_key == NULL)) {
        return "--tls-cert and --tls-key need each other";
    }
    if (is_tls && chosen->collect_tls_cert == NULL) {
        return "tls+tcp:// in --agents needs --tls-cert and --tls-key";
    }
    if (!is_tls && chosen->collect_tls_client_ca != NULL) {
        return "--tls-client-ca needs tls+tcp:// in --agents: without TLS the collector requests "
               "no client certificates";
    }
    return NULL;
}

static bool
is_word(const char *text)
{
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return length > 0 && text[length] == '\0';
}

// is_origin returns whether a URL is a scheme of HTTP, a host and perhaps a port.
static bool
is_origin(const char *url)
{
    size_t scheme = strncmp(url, "https://", 8) == 0 ? 8 : strncmp(url, "http://", 7) == 0 ? 7 : 0;
    return scheme > 0 && url[scheme] != '\0' && strpbrk(url + scheme, "/?#@ ") == NULL;
}

// find_node_fault does the same for the options of several collectors.
static const char *
find_node_fault(const options *chosen)
{
    bool is_shared = chosen->collect_node != NULL;
    if (is_shared && (chosen->collect_catalog == NULL || chosen->collect_store == NULL)) {
        return "--node needs --catalog and --store, which the collectors share";
    }
    if (is_shared && chosen->collect_pack_s == 0) {
        return "--node needs --pack-seconds to be 1 or more: only packs have names of their own";
    }
    if (is_shared && !is_word(chosen->collect_node)) {
        return "--node is a word of letters, digits and . _ -";
    }
    if (chosen->collect_node_url != NULL && !is_shared) {
        return "--node-url needs --node";
    }
    return chosen->collect_node_url != NULL && !is_origin(chosen->collect_node_url)
               ? "--node-url is http://HOST:PORT or https://HOST:PORT, and nothing behind it"
               : NULL;
}

// find_otlp_fault does the same for OTLP.
static const char *
find_otlp_fault(const options *chosen)
{
    const int64_t second_ns = 1000000000;
    int64_t interval_ns = chosen->collect_otlp_interval_ns;
    if (chosen->collect_otlp == NULL && chosen->collect_otlp_headers != NULL) {
        return "--otlp-headers needs --otlp";
    }
    return interval_ns < second_ns || interval_ns > 3600 * second_ns
               ? "--otlp-interval is a time from 1s to 1h"
               : NULL;
}

static void
print_addresses(const collect *running, const options *chosen)
{
    const char *colon = strrchr(chosen->collect_http, ':');
    int host_length = colon == NULL ? 0 : (int)(colon - chosen->collect_http);
    const char *host = host_length == 0 ? "*" : chosen->collect_http; // *: all addresses
    lp_printable_line(stdout, "loupe: agents %s, http http%s://%.*s:%u, data %s",
        collect_get_agents_url(running), chosen->collect_tls_cert == NULL ? "" : "s",
        host_length == 0 ? 1 : host_length, host, collect_get_http_port(running),
        chosen->collect_data);
    (void)fflush(stdout);
}

// The files that are read before the collector starts; NULL: not given.
typedef struct resources {
    s3_url store;
    bool has_store;
    log_url log;
    bool has_log;
    policy_file *policy; // --policy, as it was at the start
    policy_dir *policies;
    access_file *access;
    tls_files *tls;
    audit_log *audit;
    otlp_target otlp;
    bool has_otlp;
} resources;

static lp_err
read_log(const char *text, log_url *out_url, lp_problem *out_problem)
{
    lp_problem problem;
    lp_err err = log_url_parse(text, out_url, &problem);
    LP_THEN(err, log_route_check(&problem));
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "--journal: %s", problem.text);
}

static lp_err
open_resources(const options *chosen, resources *out, lp_problem *out_problem)
{
    const tls_files_config tls = {.cert = chosen->collect_tls_cert,
        .key = chosen->collect_tls_key,
        .client_ca = chosen->collect_tls_client_ca};
    lp_err err = LP_OK;
    if (chosen->collect_store != NULL) {
        out->has_store = true;
        err = places_read_store(chosen->collect_store, &out->store, out_problem);
    }
    if (err == LP_OK && chosen->collect_journal != NULL) {
        out->has_log = true;
        err = read_log(chosen->collect_journal, &out->log, out_problem);
    }
    if (err == LP_OK && chosen->collect_catalog != NULL) {
        err = places_check_catalog(chosen->collect_catalog, out_problem);
    }
    if (err == LP_OK && chosen->collect_policy != NULL) {
        err = policy_dir_open_file(chosen->collect_policy, &out->policies, out_problem);
        out->policy = policy_dir_find(out->policies, ""); // NULL after an error
    }
    if (err == LP_OK && chosen->collect_policy_dir != NULL) {
        err = policy_dir_open(chosen->collect_policy_dir, &out->policies, out_problem);
    }
    if (err == LP_OK && chosen->collect_tokens != NULL) {
        err = access_file_open(
            chosen->collect_tokens, tls.client_ca != NULL, &out->access, out_problem);
    }
    LP_THEN(err, tls.cert != NULL ? tls_files_open(&tls, &out->tls, out_problem) : LP_OK);
    if (err == LP_OK && chosen->collect_otlp != NULL) {
        err = otlp_target_open(
            chosen->collect_otlp, chosen->collect_otlp_headers, &out->otlp, out_problem);
        out->has_otlp = err == LP_OK;
    }
    return err == LP_OK && chosen->collect_audit != NULL
               ? audit_log_open(chosen->collect_audit, &out->audit, out_problem)
               : err;
}

static void
close_resources(resources *opened)
{
    policy_file_unref(opened->policy);
    policy_dir_close(opened->policies);
    access_file_close(opened->access);
    tls_files_close(opened->tls);
    audit_log_close(opened->audit);
    otlp_target_close(&opened->otlp);
}

// wait_for_end returns the signal that ends the collector. SIGHUP, which comes only where there is
// an audit, has that look for its file.
static int
wait_for_end(audit_log *audit)
{
    for (;;) {
        int signal_number = end_watch_next();
        if (signal_number != SIGHUP) {
            return signal_number;
        }
        audit_log_reopen(audit);
    }
}

// warn_of_clear_text says that a certificate does not encrypt what agents send by itself.
static void
warn_of_clear_text(const options *chosen)
{
    if (chosen->collect_tls_cert != NULL && strncmp(chosen->collect_agents, "tcp://", 6) == 0) {
        lp_log(LP_LOG_WARN,
            "--agents %s: what agents send, tokens included, is not encrypted; tls+tcp:// is",
            chosen->collect_agents);
    }
}

// serve runs the collector until a signal ends it.
static int
serve(const options *chosen, const resources *with)
{
    const collect_config config = {
        .server =
            {
                .agents_url = chosen->collect_agents,
                .data_dir = chosen->collect_data,
                .store = with->has_store ? &with->store : NULL,
                .pack_ms = (uint64_t)chosen->collect_pack_s * 1000,
                .log = with->has_log ? &with->log : NULL,
                .catalog = chosen->collect_catalog,
                .node = chosen->collect_node,
                .tls = with->tls,
                .policy = with->policy,
                .policies = with->policies,
                .access = with->access,
                .is_local = with->access == NULL && !chosen->collect_is_insecure,
                .sync = (sync_mode)chosen->collect_sync,
                .reserve_bytes = chosen->collect_reserve,
                .keep = {.age_ns = chosen->collect_keep_ns, .bytes = chosen->collect_keep_bytes},
                .recall_ns = chosen->collect_recall_ns,
                .recall_bytes_max = chosen->collect_recall_bytes,
                .sessions_peer_max = (uint64_t)chosen->collect_sessions_per_peer,
                .idle_ms_max = lp_time_scale_ms((uint64_t)chosen->collect_idle_s * 1000),
                .killed_ms_max = lp_time_scale_ms(SERVER_KILLED_MS_MAX),
                .linger_ms_max = lp_time_scale_ms(SERVER_LINGER_MS_MAX),
                .trace_wait_ms = lp_time_scale_ms((uint64_t)TRACE_KEEP_WAIT_S * 1000),
                .lack_ms_max = SERVER_LACK_MS_MAX,
                .context_hold_ns = (int64_t)chosen->collect_context_hold_s * 1000000000,
                .snapshot_kept_ms = SERVER_SNAPSHOT_KEPT_MS,
                .memory = memory_plan_make(chosen->collect_memory),
                .is_ending = end_watch_is_told,
            },
        .http_address = chosen->collect_http,
        .base_path = chosen->collect_base_path,
        .has_forwarded_prefix = chosen->collect_has_forwarded_prefix,
        .links = {.trace = chosen->collect_trace_link, .source = chosen->collect_source_link},
        .node_url = chosen->collect_node_url,
        .otlp = with->has_otlp ? &with->otlp : NULL,
        .otlp_interval_ms = (uint64_t)chosen->collect_otlp_interval_ns / 1000000,
        .audit = with->audit,
    };
    collect *running;
    lp_problem problem;
    lp_err err = collect_start(&config, &running, &problem);
    if (err == LP_ECLOSED) {
        lp_log(LP_LOG_INFO, "ending before it was ready");
        return CMD_DONE;
    }
    if (err != LP_OK && end_watch_is_told(NULL)) {
        lp_log(LP_LOG_INFO, "ending before it was ready: %s", problem.text);
        return CMD_DONE;
    }
    if (err != LP_OK) {
        lp_printable_line(stderr, "loupe collect: %s", problem.text);
        return CMD_FAILED;
    }
    print_addresses(running, chosen);

    lp_log(LP_LOG_INFO, "%s: ending", strsignal(wait_for_end(with->audit)));
    collect_stop(running);
    return CMD_DONE;
}

// For end-to-end tests: by how much the times of lp_time_scale.h are divided
// (docs/contribute/testing.md).
static const char divisor_variable[] = "LOUPE_TIMES_DIVIDED_BY";

// divide_times returns whether the variable is absent or a number that can be used.
static bool
divide_times(void)
{
    const char *text = getenv(divisor_variable);
    if (text == NULL || text[0] == '\0') {
        return true;
    }
    char *end;
    long divisor = strtol(text, &end, 10);
    if (*end != '\0' || divisor < 1 || divisor > LP_TIME_SCALE_DIVISOR_MAX) {
        lp_printable_line(stderr, "loupe collect: %s is not a number from 1 to %d: %s",
            divisor_variable, LP_TIME_SCALE_DIVISOR_MAX, text);
        return false;
    }
    lp_time_scale_set((unsigned)divisor);
    return true;
}

int
cmd_collect(const options *opts)
{
    LP_REQUIRE(opts->collect_policy == NULL || opts->collect_policy_dir == NULL,
        cmd_refuse(opts, "--policy and --policy-dir exclude each other"));
    LP_REQUIRE(opts->collect_tokens == NULL || !opts->collect_is_insecure,
        cmd_refuse(opts, "--tokens and --insecure exclude each other"));
    const char *fault = find_tls_fault(opts);
    fault = fault == NULL ? find_node_fault(opts) : fault;
    fault = fault == NULL ? find_otlp_fault(opts) : fault;
    LP_REQUIRE(fault == NULL, cmd_refuse(opts, "%s", fault));
    LP_REQUIRE(divide_times(), CMD_FAILED);
    lp_log_init("loupe", (lp_log_level)opts->collect_log_level);
    LP_REQUIRE(serving_begin(opts->program, opts->collect_audit != NULL), CMD_FAILED);
    warn_of_clear_text(opts);
    const memory_plan memory = memory_plan_make(opts->collect_memory);
    serving_plan(&memory);

    resources with = {0};
    lp_problem problem;
    int code = CMD_FAILED;
    if (open_resources(opts, &with, &problem) == LP_OK) {
        code = serve(opts, &with);
    } else {
        lp_printable_line(stderr, "loupe collect: %s", problem.text);
    }
    close_resources(&with);
    return code;
}
