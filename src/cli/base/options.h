// SPDX-License-Identifier: Apache-2.0
// options: the command line, read as options.def describes it.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The command of an option; OPTIONS_program: options before any command.
typedef enum options_command {
#define LOUPE_COMMAND(name, synopsis, purpose, about, notes) OPTIONS_##name,
#include "cli/base/options.def"
    OPTIONS_program,
    OPTIONS_ask,      // in the table only: all commands that query contexts
    OPTIONS_compares, // in the table only: all commands that compare with a base
    OPTIONS_every,    // in the table only: all commands
} options_command;

enum { OPTIONS_TEXTS_MAX = 16 };

// The arguments of an option that may be given several times.
typedef struct options_texts {
    size_t count;
    const char *items[OPTIONS_TEXTS_MAX];
} options_texts;

// A call of a command: the values of all options, such as compact_output, and its operands. Texts
// are borrowed from the command line, the environment or the table. A CHOICE is the index of the
// chosen name.
typedef struct options {
#define OPTIONS_TYPE_FLAG             bool
#define OPTIONS_TYPE_TEXT             const char *
#define OPTIONS_TYPE_TEXTS            options_texts
#define OPTIONS_TYPE_COUNT(low, high) unsigned
#define OPTIONS_TYPE_BYTES(low, high) uint64_t
#define OPTIONS_TYPE_AGE              int64_t
#define OPTIONS_TYPE_CHOICE(...)      unsigned
#define LOUPE_OPTION(command, kind, field, name, letter, argument, variable, standard, help)       \
    OPTIONS_TYPE_##kind command##_##field;
#include "cli/base/options.def"
    options_command command;
    const char *program; // such as "loupe compact": the prefix of messages
    char **operands;     // non-option arguments, in order
    size_t operand_count;
} options;

// options_parse reads the arguments after argv[0], and moves the operands to the end. With
// OPTIONS_program it moves none: the options end at the command. An option overrides its variable,
// which get_variable (such as getenv) reads; an empty variable counts as unset. Parsing ends at
// --help.
// Errors: LP_ENOENT   unknown option, or a missing or surplus argument
//         LP_ECORRUPT an invalid argument, or too many TEXTS
LP_MUST_USE lp_err options_parse(options_command command, int argc, char **argv,
    char *(*get_variable)(const char *name), options *out, lp_problem *out_problem);

// options_find_command returns the command with a name; OPTIONS_program if there is none.
options_command options_find_command(const char *name);

// The facts of a command other than OPTIONS_program. Texts are the table's.
typedef struct options_about {
    const char *name;
    const char *purpose;
    const char *operand; // the last one in the table; NULL: none
} options_about;

options_about options_about_command(options_command command);

// The facts of an option. Texts are the table's.
typedef struct options_known {
    const char *name;
    const char *help;
    const char *argument;       // NULL: it has none
    const char *const *choices; // its valid arguments and a NULL; NULL: it is no CHOICE
    char letter;                // 0: none
    bool is_repeated;           // it may be given several times
} options_known;

// options_next sets *out to the next option of a command and advances *at, which begins at 0. False
// at the end.
bool options_next(options_command command, size_t *at, options_known *out);

// options_print_help writes the usage of a command in lines of at most 80 characters.
void options_print_help(FILE *out, options_command command);
