// SPDX-License-Identifier: Apache-2.0

// loupe collect: runs the collector until it is told to end.

#include "cli/cmd.h"
#include "collector/server/server.h"
#include "common/base/lp_log.h"
#include "common/base/lp_printable.h"
#include "policy/policy_dir.h"

#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <uv.h>

typedef struct options {
    const char *agents;
    const char *http;
    const char *data;
    const char *policy;     // NULL: none
    const char *policy_dir; // the same
} options;

static const char usage[] =
    "usage: loupe collect [OPTION...]\n"
    "\n"
    "Receives recordings from agents, leaves out the contexts in which nothing happened, and\n"
    "serves the rest over HTTP. SIGTERM and SIGINT end it cleanly.\n"
    "\n"
    "  --agents URL     where agents connect (LOUPE_AGENTS; tcp://127.0.0.1:7411)\n"
    "  --http ADDRESS   where HTTP is served (LOUPE_HTTP; 127.0.0.1:7412); :PORT means on all\n"
    "                   addresses\n"
    "  --data DIR       where everything is kept (LOUPE_DATA; ./loupe-data)\n"
    "  --policy FILE    which events to keep, a .jfc file (LOUPE_POLICY; none: all plain events,\n"
    "                   and contexts in which at least one event was kept)\n"
    "  --policy-dir DIR  instead, policies of services: SERVICE.jfc, and default.jfc for the\n"
    "                   rest (LOUPE_POLICY_DIR; none). JVMs are told what to record by them\n"
    "  -h, --help       this text\n"
    "\n"
    "A port of 0 means any free one; the addresses are printed once they are served. The\n"
    "environment variables in parentheses mean the same as the options, which win over them.\n";

static const char *
get_setting(const char *variable, const char *standard)
{
    const char *value = getenv(variable);
    return value == NULL || value[0] == '\0' ? standard : value;
}

// parse_options returns -1, or the code to exit with at once.
static int
parse_options(int argc, char **argv, options *out_options)
{
    static const struct option long_options[] = {
        {"agents", required_argument, NULL, 'a'},
        {"http", required_argument, NULL, 'w'},
        {"data", required_argument, NULL, 'd'},
        {"policy", required_argument, NULL, 'p'},
        {"policy-dir", required_argument, NULL, 'P'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    *out_options = (options){
        .agents = get_setting("LOUPE_AGENTS", "tcp://127.0.0.1:7411"),
        .http = get_setting("LOUPE_HTTP", "127.0.0.1:7412"),
        .data = get_setting("LOUPE_DATA", "./loupe-data"),
        .policy = get_setting("LOUPE_POLICY", NULL),
        .policy_dir = get_setting("LOUPE_POLICY_DIR", NULL),
    };
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        switch (option) {
        case 'a':
            out_options->agents = optarg;
            break;
        case 'w':
            out_options->http = optarg;
            break;
        case 'd':
            out_options->data = optarg;
            break;
        case 'p':
            out_options->policy = optarg;
            break;
        case 'P':
            out_options->policy_dir = optarg;
            break;
        case 'h':
            (void)fputs(usage, stdout);
            return CMD_DONE;
        default:
            return cmd_refuse_option(option, argv, long_options, usage);
        }
    }
    if (optind < argc) {
        lp_printable_line(stderr, "loupe collect: '%s' is not an option", argv[optind]);
        (void)fprintf(stderr, "\n%s", usage);
        return CMD_USAGE;
    }
    if (out_options->policy != NULL && out_options->policy_dir != NULL) {
        (void)fprintf(
            stderr, "loupe collect: --policy and --policy-dir exclude each other\n\n%s", usage);
        return CMD_USAGE;
    }
    return -1;
}

// raise_file_limit makes room for two descriptors a session, its connection and its journal.
static void
raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // where it fails the limit stays as it was
    }
}

static void
print_addresses(const server *running, const options *chosen)
{
    const char *colon = strrchr(chosen->http, ':');
    int host_length = colon == NULL ? 0 : (int)(colon - chosen->http);
    const char *host = host_length == 0 ? "*" : chosen->http; // *: all addresses
    lp_printable_line(stdout, "loupe: agents %s, http http://%.*s:%u, data %s",
        server_get_agents_url(running), host_length == 0 ? 1 : host_length, host,
        server_get_http_port(running), chosen->data);
    (void)fflush(stdout);
}

// use_all_processors gives libuv, which has four workers by default, one for each processor.
static void
use_all_processors(void)
{
    char count[20];
    (void)snprintf(count, sizeof(count), "%u", uv_available_parallelism());
    (void)setenv("UV_THREADPOOL_SIZE", count, 0); // a setting of the user's stays
}

// serve runs the collector until a signal of end_signals, which are blocked, comes.
static int
serve(const options *chosen, policy_file *rules, policy_dir *policies, const sigset_t *end_signals)
{
    const server_config config = {
        .agents_url = chosen->agents,
        .http_address = chosen->http,
        .data_dir = chosen->data,
        .policy = rules,
        .policies = policies,
        .idle_ms_max = SERVER_IDLE_MS_MAX,
    };
    server *running;
    lp_problem problem;
    if (server_start(&config, &running, &problem) != LP_OK) {
        lp_printable_line(stderr, "loupe collect: %s", problem.text);
        return CMD_FAILED;
    }
    print_addresses(running, chosen);

    int signal_number;
    while (sigwait(end_signals, &signal_number) != 0) {
    }
    lp_log(LP_LOG_INFO, "%s: ending", strsignal(signal_number));
    // A second signal ends the process at once; nothing that was acknowledged is lost by that.
    (void)pthread_sigmask(SIG_UNBLOCK, end_signals, NULL);
    server_stop(running);
    return CMD_DONE;
}

int
cmd_collect(int argc, char **argv)
{
    options chosen;
    int code = parse_options(argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    // Before any thread is there, so that all inherit it.
    sigset_t end_signals;
    (void)sigemptyset(&end_signals);
    (void)sigaddset(&end_signals, SIGTERM);
    (void)sigaddset(&end_signals, SIGINT);
    (void)pthread_sigmask(SIG_BLOCK, &end_signals, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); // a write over the limit then fails like one on a full disk
    raise_file_limit();
    use_all_processors();

    policy_file *rules = NULL;
    policy_dir *policies = NULL;
    lp_problem problem;
    if ((chosen.policy != NULL && policy_file_read(chosen.policy, &rules, &problem) != LP_OK) ||
        (chosen.policy_dir != NULL &&
            policy_dir_open(chosen.policy_dir, &policies, &problem) != LP_OK)) {
        lp_printable_line(stderr, "loupe collect: %s", problem.text);
        code = CMD_FAILED;
    } else {
        code = serve(&chosen, rules, policies, &end_signals);
    }
    policy_file_unref(rules);
    policy_dir_close(policies);
    return code;
}
