// SPDX-License-Identifier: Apache-2.0
#include "cli/base/options.h"

#include "cli/base/terminal.h"
#include "collector/base/memory_plan.h"
#include "common/base/lp_byte_count.h"
#include "engine/types.h"
#include "offline/crew.h"
#include "policy/policy_keep.h"
#include "query/events/jvm_lines.h"
#include "query/frames/stacks.h"
#include "query/list/listing.h"
#include "query/list/pools.h"
#include "query/select/attributes.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_CODES = 256, // getopt's code for a long option: this and its row; letters are below
    HELP_COLUMN = 22, // where the sentences of --help begin
    LINE_WIDTH = 80,
    LINE_WIDTH_MIN = 40,
};

typedef enum row_kind {
    KIND_FLAG,
    KIND_TEXT,
    KIND_TEXTS,
    KIND_COUNT,
    KIND_BYTES,
    KIND_AGE,
    KIND_CHOICE,
} row_kind;

typedef struct row {
    options_command command;
    row_kind kind;
    uint64_t low;               // of a COUNT or BYTES
    uint64_t high;              // the same
    const char *const *choices; // of a CHOICE, a NULL behind them
    size_t offset;              // of the value in options
    const char *name;
    char letter;
    const char *argument;
    const char *variable;
    const char *standard;
    const char *help;
} row;

#define FLAG               KIND_FLAG
#define TEXT               KIND_TEXT
#define TEXTS              KIND_TEXTS
#define COUNT(least, most) KIND_COUNT, .low = (least), .high = (most)
#define BYTES(least, most) KIND_BYTES, .low = (least), .high = (most)
#define AGE                KIND_AGE
#define CHOICE(...)                                                                                \
    KIND_CHOICE, .choices = (const char *const[])                                                  \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static const row rows[] = {
#define LOUPE_OPTION(whose, what, field, long_name, short_name, value, environment, without, text) \
    {.command = OPTIONS_##whose,                                                                   \
        .kind = what,                                                                              \
        .offset = offsetof(options, whose##_##field),                                              \
        .name = long_name,                                                                         \
        .letter = short_name,                                                                      \
        .argument = value,                                                                         \
        .variable = environment,                                                                   \
        .standard = without,                                                                       \
        .help = text},
#include "cli/base/options.def"
};

typedef struct command_row {
    const char *name;
    const char *synopsis;
    const char *purpose;
    const char *about;
    const char *notes;
} command_row;

static const command_row commands[] = {
#define LOUPE_COMMAND(name, synopsis, purpose, about, notes)                                       \
    [OPTIONS_##name] = {#name, synopsis, purpose, about, notes},
#include "cli/base/options.def"
    [OPTIONS_program] = {"COMMAND", "[OPTION...]", "",
        "Keeps the JFR events of requests that matter, and drops the rest.",
        "`loupe help COMMAND` shows the options of a command."},
};

static const struct operand_row {
    options_command command;
    const char *name;
    const char *help;
} operands[] = {
#define LOUPE_OPERAND(command, name, help) {OPTIONS_##command, name, help},
#include "cli/base/options.def"
};

enum { ROW_COUNT = sizeof(rows) / sizeof(rows[0]) };

static bool
is_of(options_command owner, options_command command)
{
    bool compares = command == OPTIONS_attributes || command == OPTIONS_flamegraph;
    bool asks = compares || command == OPTIONS_contexts || command == OPTIONS_export ||
                command == OPTIONS_hot || command == OPTIONS_jvm || command == OPTIONS_requests ||
                command == OPTIONS_slice || command == OPTIONS_trace || command == OPTIONS_why;
    return owner == command || owner == OPTIONS_every || (owner == OPTIONS_ask && asks) ||
           (owner == OPTIONS_compares && compares);
}

// --- Reading

static lp_err
set_count(const row *r, const char *text, unsigned *out, lp_problem *out_problem)
{
    char *end;
    unsigned long count = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || count < r->low || count > r->high) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "--%s %s: not a number from %" PRIu64 " to %" PRIu64, r->name, text, r->low, r->high);
    }
    *out = (unsigned)count;
    return LP_OK;
}

static lp_err
set_bytes(const row *r, const char *text, uint64_t *out, lp_problem *out_problem)
{
    uint64_t count;
    if (!lp_byte_count_parse(text, &count) || count < r->low || count > r->high) {
        return lp_problem_set(out_problem, LP_ECORRUPT,
            "--%s %s: not a number of bytes from %" PRIu64 " to %" PRIu64
            ", such as 64M; K, M, G and T are powers of 1024",
            r->name, text, r->low, r->high);
    }
    *out = count;
    return LP_OK;
}

static lp_err
set_age(const row *r, const char *text, int64_t *out, lp_problem *out_problem)
{
    if (strcmp(text, "0") == 0) {
        *out = 0;
        return LP_OK;
    }
    if (!policy_keep_age(text, out)) {
        return lp_problem_set(
            out_problem, LP_ECORRUPT, "--%s %s: neither 0 nor " POLICY_KEEP_AGES, r->name, text);
    }
    return LP_OK;
}

static lp_err
set_choice(const row *r, const char *text, unsigned *out, lp_problem *out_problem)
{
    char names[80] = "";
    for (unsigned i = 0; r->choices[i] != NULL; i++) {
        if (strcmp(text, r->choices[i]) == 0) {
            *out = i;
            return LP_OK;
        }
        size_t len = strlen(names);
        const char *separator = i == 0 ? "" : r->choices[i + 1] == NULL ? " or " : ", ";
        (void)snprintf(names + len, sizeof(names) - len, "%s%s", separator, r->choices[i]);
    }
    return lp_problem_set(out_problem, LP_ECORRUPT, "--%s %s: not %s", r->name, text, names);
}

static lp_err
add_text(const row *r, const char *text, options_texts *out, lp_problem *out_problem)
{
    LP_REQUIRE(out->count != OPTIONS_TEXTS_MAX,
        lp_problem_set(
            out_problem, LP_ECORRUPT, "--%s is given over %d times", r->name, OPTIONS_TEXTS_MAX));
    out->items[out->count++] = text;
    return LP_OK;
}

// set_flag sets a FLAG: on the command line it has no argument, as a variable it is 0 or 1.
static lp_err
set_flag(const row *r, const char *text, bool *out, lp_problem *out_problem)
{
    LP_REQUIRE(text == NULL || strcmp(text, "0") == 0 || strcmp(text, "1") == 0,
        lp_problem_set(out_problem, LP_ECORRUPT, "%s=%s: neither 0 nor 1", r->variable, text));
    *out = text == NULL || text[0] == '1';
    return LP_OK;
}

// set sets the value of an option; text is NULL for a FLAG that is given.
static lp_err
set(options *out, const row *r, const char *text, lp_problem *out_problem)
{
    void *value = (char *)out + r->offset;
    lp_err err = LP_OK;
    switch (r->kind) {
    case KIND_FLAG:
        err = set_flag(r, text, value, out_problem);
        break;
    case KIND_TEXT:
        *(const char **)value = text;
        break;
    case KIND_TEXTS:
        err = add_text(r, text, value, out_problem);
        break;
    case KIND_COUNT:
        err = set_count(r, text, value, out_problem);
        break;
    case KIND_BYTES:
        err = set_bytes(r, text, value, out_problem);
        break;
    case KIND_AGE:
        err = set_age(r, text, value, out_problem);
        break;
    case KIND_CHOICE:
        err = set_choice(r, text, value, out_problem);
        break;
    }
    return err;
}

static lp_err
set_standards(options_command command, char *(*get_variable)(const char *name), options *out,
    lp_problem *out_problem)
{
    lp_err err = LP_OK;
    for (const row *r = rows; r < rows + ROW_COUNT && err == LP_OK; r++) {
        const char *text =
            is_of(r->command, command) && r->variable != NULL ? get_variable(r->variable) : "";
        text = text == NULL || text[0] == '\0' ? r->standard : text;
        err = text == NULL ? LP_OK : set(out, r, text, out_problem);
    }
    return err;
}

// What getopt_long is called with.
typedef struct getopt_table {
    char letters[ROW_COUNT * 2 + 3];
    struct option longs[ROW_COUNT + 1];
} getopt_table;

static void
fill_table(options_command command, getopt_table *out)
{
    char *letter = out->letters;
    struct option *known = out->longs;
    *out = (getopt_table){0};
    letter = stpcpy(letter, command == OPTIONS_program ? "+:" : ":");
    for (int i = 0; i < ROW_COUNT; i++) {
        if (is_of(rows[i].command, command)) {
            int has_argument = rows[i].kind == KIND_FLAG ? no_argument : required_argument;
            *known++ = (struct option){rows[i].name, has_argument, NULL, LONG_CODES + i};
            if (rows[i].letter != 0) {
                *letter++ = rows[i].letter;
                letter = stpcpy(letter, has_argument == no_argument ? "" : ":");
            }
        }
    }
}

static const row *
find_row(options_command command, int code)
{
    for (const row *r = rows; r < rows + ROW_COUNT; r++) {
        if (code == LONG_CODES + (r - rows) || (is_of(r->command, command) && code == r->letter)) {
            return r;
        }
    }
    return NULL;
}

// refuse names the option for which getopt_long returned code, '?' or ':'.
static lp_err
refuse(int code, char **argv, lp_problem *out_problem)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    bool is_known = optopt >= LONG_CODES; // a long option with an argument too many or too few
    const char *text = is_known || optopt == 0 ? argv[optind - 1] : letter;
    const char *what = code == ':' ? "needs an argument"
                       : is_known  ? "takes no argument"
                                   : "is not an option";
    return lp_problem_set(out_problem, LP_ENOENT, "'%s' %s", text, what);
}

lp_err
options_parse(options_command command, int argc, char **argv,
    char *(*get_variable)(const char *name), options *out, lp_problem *out_problem)
{
    getopt_table table;
    options read = {.command = command, .program = argv[0]};
    int code;
    lp_err err = set_standards(command, get_variable, &read, out_problem);
    fill_table(command, &table);
    opterr = 0;
    optind = 0; // begins anew, whatever was read before
    while (err == LP_OK && !read.every_is_help &&
           (code = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        const row *r = find_row(command, code);
        err = r == NULL ? refuse(code, argv, out_problem) : set(&read, r, optarg, out_problem);
    }
    if (err == LP_OK) {
        read.operands = argv + optind;
        read.operand_count = (size_t)(argc - optind);
        *out = read;
    }
    return err;
}

// --- Asking

options_command
options_find_command(const char *name)
{
    options_command command = 0;
    while (command < OPTIONS_program && strcmp(name, commands[command].name) != 0) {
        command++;
    }
    return command;
}

options_about
options_about_command(options_command command)
{
    options_about about = {.name = commands[command].name, .purpose = commands[command].purpose};
    for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
        about.operand = is_of(operands[i].command, command) ? operands[i].name : about.operand;
    }
    return about;
}

bool
options_next(options_command command, size_t *at, options_known *out)
{
    for (; *at < ROW_COUNT; (*at)++) {
        const row *r = &rows[*at];
        if (is_of(r->command, command)) {
            *out = (options_known){
                .name = r->name,
                .help = r->help,
                .argument = r->argument,
                .choices = r->choices,
                .letter = r->letter,
                .is_repeated = r->kind == KIND_TEXTS,
            };
            (*at)++;
            return true;
        }
    }
    return false;
}

// --- Help

// line_width returns how many characters a line of --help has: fewer on a narrow terminal.
static size_t
line_width(FILE *out)
{
    size_t columns = terminal_columns(out);
    return columns == 0 || columns > LINE_WIDTH ? LINE_WIDTH
           : columns < LINE_WIDTH_MIN           ? LINE_WIDTH_MIN
                                                : columns;
}

// print_wrapped breaks text into lines that begin at the column indent, where out is already.
static void
print_wrapped(FILE *out, size_t indent, const char *text)
{
    size_t column = indent;
    size_t width = line_width(out);
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column > indent && column + 1 + len > width) {
            column = (size_t)fprintf(out, "\n%*s", (int)indent, "") - 1;
        } else if (column > indent) {
            column += (size_t)fprintf(out, " ");
        }
        column += (size_t)fprintf(out, "%.*s", (int)len, text);
        text += len + (text[len] == ' ');
    }
    (void)fputc('\n', out);
}

// print_entry writes an entry of a list: its name, and the text beside or below it.
static void
print_entry(FILE *out, const char *name, const char *text)
{
    if (strlen(name) + 4 > HELP_COLUMN) {
        (void)fprintf(out, "  %s\n%*s", name, HELP_COLUMN, "");
    } else {
        (void)fprintf(out, "  %-*s", HELP_COLUMN - 2, name);
    }
    print_wrapped(out, HELP_COLUMN, text);
}

static void
print_option(FILE *out, const row *r)
{
    char name[64];
    char text[512];
    const char letter[] = {'-', r->letter, ',', ' ', '\0'};
    (void)snprintf(name, sizeof(name), "%s--%s%s%s", r->letter == 0 ? "" : letter, r->name,
        r->argument == NULL ? "" : " ", r->argument == NULL ? "" : r->argument);
    int len = snprintf(text, sizeof(text), "%s", r->help);
    if (r->variable != NULL || r->standard != NULL) {
        (void)snprintf(text + len, sizeof(text) - (size_t)len, " (%s%s%s%s)",
            r->variable == NULL ? "" : r->variable,
            r->variable == NULL || r->standard == NULL ? "" : "; ",
            r->standard == NULL ? "" : "default: ", r->standard == NULL ? "" : r->standard);
    }
    print_entry(out, name, text);
}

// print_list writes the list of commands if requested, and the operands and options of one command.
static void
print_list(FILE *out, options_command command)
{
    for (int i = 0; command == OPTIONS_program && i < OPTIONS_program; i++) {
        print_entry(out, commands[i].name, commands[i].purpose);
    }
    for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
        if (is_of(operands[i].command, command)) {
            print_entry(out, operands[i].name, operands[i].help);
        }
    }
    for (const row *r = rows; r < rows + ROW_COUNT; r++) {
        if (is_of(r->command, command)) {
            print_option(out, r);
        }
    }
}

void
options_print_help(FILE *out, options_command command)
{
    const command_row *about = &commands[command];
    (void)fprintf(out, "usage: loupe %s%s%s\n\n", about->name,
        about->synopsis[0] == '\0' ? "" : " ", about->synopsis);
    print_wrapped(out, 0, about->about);
    (void)fputc('\n', out);
    print_list(out, command);
    if (about->notes[0] != '\0') {
        (void)fputc('\n', out);
        print_wrapped(out, 0, about->notes);
    }
}
