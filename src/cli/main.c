// SPDX-License-Identifier: Apache-2.0

// loupe: the subcommands. Each lives in a cmd_*.c of its own.
//
// Tests: tests/e2e/cli.py

#include "cli/base/cmd.h"
#include "cli/serve.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

// The commands of this program. The others are in the library of serve.h.
static int (*const runs[OPTIONS_program])(const options *opts) = {
    [OPTIONS_attributes] = cmd_attributes,
    [OPTIONS_compact] = cmd_compact,
    [OPTIONS_completion] = cmd_completion,
    [OPTIONS_contexts] = cmd_contexts,
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

// open_library opens the library. NULL if that fails; dlerror then has the reason, if it is known.
static void *
open_library(void)
{
    char path[PATH_MAX];
    char *program = realpath((const char *)getauxval(AT_EXECFN), NULL); // without /proc
    const char *slash = program == NULL ? NULL : strrchr(program, '/');
    if (slash == NULL) {
        free(program);
        return NULL;
    }
    (void)snprintf(path, sizeof(path), "%.*s/" SERVE_LIBRARY, (int)(slash - program), program);
    free(program);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static int
run_from_library(options_command command, const options *opts)
{
    void *library = open_library();
    void *found = library == NULL ? NULL : dlsym(library, "loupe_serve");
    if (found == NULL) {
        const char *why = dlerror();
        (void)fprintf(stderr, "%s: %s\n", opts->program, why == NULL ? "no " SERVE_LIBRARY : why);
        return CMD_FAILED;
    }
    serve_run *run;
    memcpy(&run, &found, sizeof(run)); // C has no cast from an object to a function
    return run(command, opts);
}

int
main(int argc, char **argv)
{
    static char self[] = "loupe";
    options chosen;
    argv[0] = self;                 // what messages begin with
    (void)signal(SIGXFSZ, SIG_IGN); // a write over the limit then fails like one on a full disk
    int code = cmd_parse(OPTIONS_program, argc, argv, &chosen);
    if (code >= 0) {
        return code;
    }
    if (chosen.program_is_version) {
        return cmd_version(&chosen);
    }
    if (chosen.operand_count == 0) {
        options_print_help(stderr, OPTIONS_program);
        return CMD_USAGE;
    }
    char text[512];
    options_command command = options_find_command(chosen.operands[0]);
    if (command == OPTIONS_program) {
        return cmd_refuse(&chosen, "no command '%s'", chosen.operands[0]);
    }
    (void)snprintf(text, sizeof(text), "loupe %s", chosen.operands[0]);
    chosen.operands[0] = text;
    options opts;
    code = cmd_parse(command, (int)chosen.operand_count, chosen.operands, &opts);
    if (code >= 0) {
        return code;
    }
    return runs[command] == NULL ? run_from_library(command, &opts) : runs[command](&opts);
}
