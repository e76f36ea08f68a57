// SPDX-License-Identifier: Apache-2.0
#include "cli/base/cmd.h"

#include "common/base/lp_printable.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int
cmd_refuse(const options *opts, const char *format, ...)
{
    char problem[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(problem, sizeof(problem), format, args);
    va_end(args);
    lp_printable_line(stderr, "%s: %s", opts->program, problem);
    (void)fputc('\n', stderr);
    options_print_help(stderr, opts->command);
    return CMD_USAGE;
}

int
cmd_refuse_overwriting(const char *program, const char *output)
{
    lp_printable_line(stderr,
        "%s: %s is an input: name another file with -o, inputs are never overwritten", program,
        output);
    return CMD_USAGE;
}

int
cmd_parse(options_command command, int argc, char **argv, options *out)
{
    lp_problem problem;
    *out = (options){.command = command, .program = argv[0]};
    lp_err err = options_parse(command, argc, argv, getenv, out, &problem);
    LP_REQUIRE(err != LP_ENOENT, cmd_refuse(out, "%s", problem.text));
    if (err != LP_OK) { // a call of the right form, which needs no help
        lp_printable_line(stderr, "%s: %s", argv[0], problem.text);
        return CMD_USAGE;
    }
    if (out->every_is_help) {
        options_print_help(stdout, command);
        return CMD_DONE;
    }
    bool takes_operands =
        command == OPTIONS_program || options_about_command(command).operand != NULL;
    LP_REQUIRE(takes_operands || out->operand_count == 0,
        cmd_refuse(out, "it takes no operands: '%s'", out->operands[0]));
    return -1;
}

void
cmd_complain(const char *program, const char *file, const lp_problem *problem)
{
    if (problem->has_offset) {
        lp_printable_line(stderr, "%s: %s: offset %" PRIu64 ": %s", program, file, problem->offset,
            problem->text);
    } else {
        lp_printable_line(stderr, "%s: %s: %s", program, file, problem->text);
    }
}

bool
cmd_print_json(FILE *out, json_t *json)
{
    bool is_done = json != NULL && json_dumpf(json, out, JSON_INDENT(2)) == 0 &&
                   fputc('\n', out) != EOF && fflush(out) == 0;
    json_decref(json);
    return is_done;
}

void
cmd_hide_files(void)
{
    mode_t before = umask(S_IRWXO);
    (void)umask(before | S_IRWXO);
}

int
cmd_end(const char *program, bool is_printed)
{
    is_printed = fflush(stdout) == 0 && is_printed;
    if (!is_printed) {
        lp_printable_line(stderr, "%s: standard output: %s", program,
            ferror(stdout) != 0 ? strerror(errno) : lp_err_text(LP_ENOMEM));
    }
    return is_printed ? CMD_DONE : CMD_FAILED;
}
