// SPDX-License-Identifier: Apache-2.0

// bin/loupe: the commands that read files. They start in a third of the time that the libraries of
// the collector take to load. For all other commands, this program replaces itself with whole.c's,
// which is in lib/loupe beside bin.
//
// Tests: tests/e2e/cli.py

#include "cli/base/program.h"
#include "common/base/lp_printable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static program_runs runs = {
    [OPTIONS_attributes] = cmd_attributes,
    [OPTIONS_compact] = cmd_compact,
    [OPTIONS_completion] = cmd_completion,
    [OPTIONS_contexts] = cmd_contexts,
    [OPTIONS_export] = cmd_export,
    [OPTIONS_flamegraph] = cmd_flamegraph,
    [OPTIONS_help] = cmd_help,
    [OPTIONS_hot] = cmd_hot,
    [OPTIONS_jvm] = cmd_jvm,
    [OPTIONS_policy] = cmd_policy,
    [OPTIONS_requests] = cmd_requests,
    [OPTIONS_slice] = cmd_slice,
    [OPTIONS_summary] = cmd_summary,
    [OPTIONS_trace] = cmd_trace,
    [OPTIONS_version] = cmd_version,
    [OPTIONS_why] = cmd_why,
};

// start_whole replaces this program with lib/loupe/loupe-whole. It returns only if that fails.
static int
start_whole(char **argv)
{
    static const char self[] = "/proc/self/exe";
    static const char whole[] = "../lib/loupe/loupe-whole";
    char path[PATH_MAX + sizeof(whole)];
    ssize_t size = readlink(self, path, PATH_MAX);
    if (size < 0) {
        lp_printable_line(stderr, "loupe: %s: %s: mount /proc", self, strerror(errno));
        return CMD_FAILED;
    }
    path[size] = '\0';
    char *slash = strrchr(path, '/');
    char *name = slash != NULL ? slash + 1 : path;
    (void)snprintf(name, sizeof(path) - (size_t)(name - path), "%s", whole);
    (void)execv(path, argv);
    lp_printable_line(stderr,
        "loupe: %s: %s: this file has the collector's commands: install it together with bin/loupe",
        path, strerror(errno));
    return CMD_FAILED;
}

int
main(int argc, char **argv)
{
    return program_main(argc, argv, runs, start_whole);
}
