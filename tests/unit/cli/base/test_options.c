// SPDX-License-Identifier: Apache-2.0
// The command line: each form of an option is read, an option goes before its variable and that
// before the default, and whatever is wrong is named as it was written. The texts are those that
// tests/e2e/cli.py sees the program print.

#include "cli/base/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ARGUMENTS_MAX = 20 };

static char *
no_variables(const char *name)
{
    (void)name;
    return NULL;
}

static char *
some_variables(const char *name)
{
    static char http[] = "[::1]:80";
    static char empty[] = "";
    static char data[] = "/var/data";
    return strcmp(name, "LOUPE_HTTP") == 0 ? http : strcmp(name, "LOUPE_DATA") == 0 ? data : empty;
}

// parse reads the words of line. What the options lend is kept until the next call.
static lp_err
parse(options_command command, const char *line, char *(*get_variable)(const char *name),
    options *out, lp_problem *out_problem)
{
    static char words[256];
    char *argv[ARGUMENTS_MAX + 2] = {"loupe"};
    static char *kept[ARGUMENTS_MAX + 2];
    int argc = 1;
    char *rest = words;
    (void)snprintf(words, sizeof(words), "%s", line);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        assert_true(argc <= ARGUMENTS_MAX);
        if (word[0] != '\0') {
            argv[argc++] = word;
        }
    }
    memcpy(kept, argv, sizeof(argv));
    return options_parse(command, argc, kept, get_variable, out, out_problem);
}

static options
parse_well(options_command command, const char *line)
{
    options out;
    lp_problem problem = {.text = ""};
    if (parse(command, line, no_variables, &out, &problem) != LP_OK) {
        fail_msg("%s: %s", line, problem.text);
    }
    return out;
}

static void
test_every_form_of_an_option_is_read(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "--output out --threads 7 --context-style ref --strict a b",
        "a --output=out --threads=7 b --context-style=ref --strict",
        "-o out --strict --threads 7 --context-style ref -- a b",
        "a b -oout --thr 7 --con ref --str",
        "--threads 9 --context-style fields a --threads 7 --context-style ref -o x -o out b --str",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        const options read = parse_well(OPTIONS_compact, lines[i]);
        assert_string_equal(read.compact_output, "out");
        assert_int_equal(read.compact_threads, 7);
        assert_int_equal(read.compact_style, 2);
        assert_true(read.compact_is_strict);
        assert_false(read.compact_is_json);
        assert_null(read.compact_policy);
        assert_int_equal(read.operand_count, 2);
        assert_string_equal(read.operands[0], "a");
        assert_string_equal(read.operands[1], "b");
    }
}

static void
test_what_is_not_given_has_its_default(void **state)
{
    (void)state;
    const options compact = parse_well(OPTIONS_compact, "");
    assert_null(compact.compact_output);
    assert_int_equal(compact.compact_threads, 0);
    assert_int_equal(compact.compact_style, 0);
    assert_false(compact.compact_has_sample_contexts);
    assert_int_equal(compact.operand_count, 0);
    const options collect = parse_well(OPTIONS_collect, "");
    assert_string_equal(collect.collect_agents, "tcp://127.0.0.1:7411");
    assert_string_equal(collect.collect_http, "127.0.0.1:7412");
    assert_string_equal(collect.collect_data, "./loupe-data");
    assert_null(collect.collect_policy);
    assert_null(collect.collect_policy_dir);
}

static void
test_an_option_goes_before_its_variable_and_an_empty_variable_is_none(void **state)
{
    (void)state;
    options read;
    assert_int_equal(
        parse(OPTIONS_collect, "--data here --policy p", some_variables, &read, NULL), LP_OK);
    assert_string_equal(read.collect_data, "here");
    assert_string_equal(read.collect_http, "[::1]:80");
    assert_string_equal(read.collect_agents, "tcp://127.0.0.1:7411");
    assert_string_equal(read.collect_policy, "p");
    assert_null(read.collect_policy_dir);
}

static void
test_an_option_of_several_commands_may_be_given_several_times(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        options_command command = i == 0 ? OPTIONS_contexts : OPTIONS_why;
        const options read = parse_well(command, "--where a=1 in.jfr --json --where=b>=2");
        assert_int_equal(read.ask_where.count, 2);
        assert_string_equal(read.ask_where.items[0], "a=1");
        assert_string_equal(read.ask_where.items[1], "b>=2");
        assert_true(read.ask_is_json);
        assert_int_equal(read.operand_count, 1);
    }
    assert_int_equal(parse_well(OPTIONS_contexts, "--sort blocked").contexts_sort, 3);
    assert_int_equal(parse_well(OPTIONS_contexts, "").contexts_limit, 20);
    assert_int_equal(parse_well(OPTIONS_why, "").ask_where.count, 0);
}

static void
test_nothing_behind_help_is_read(void **state)
{
    (void)state;
    assert_true(parse_well(OPTIONS_policy, "-h --bogus").every_is_help);
    assert_true(parse_well(OPTIONS_summary, "--json --help --json=x").every_is_help);
}

static void
test_options_of_the_program_end_where_the_command_begins(void **state)
{
    (void)state;
    const options read = parse_well(OPTIONS_program, "compact --json --help");
    assert_false(read.every_is_help);
    assert_int_equal(read.operand_count, 3);
    assert_string_equal(read.operands[0], "compact");
    assert_string_equal(read.operands[2], "--help");
    assert_true(parse_well(OPTIONS_program, "--version").program_is_version);
}

static void
test_what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        options_command command;
        const char *line;
        lp_err err;
        const char *text;
    } cases[] = {
        {OPTIONS_compact, "--json -xo out", LP_ENOENT, "'-x' is not an option"},
        {OPTIONS_compact, "--threads=4 -tx", LP_ENOENT, "'-t' is not an option"},
        {OPTIONS_compact, "--json --bogus=1 -x", LP_ENOENT, "'--bogus=1' is not an option"},
        {OPTIONS_compact, "--s", LP_ENOENT, "'--s' is not an option"}, // of two the beginning
        {OPTIONS_compact, "--strict=foo", LP_ENOENT, "'--strict=foo' takes no argument"},
        {OPTIONS_compact, "--help=foo -o", LP_ENOENT, "'--help=foo' takes no argument"},
        {OPTIONS_compact, "--st=foo -s", LP_ENOENT, "'--st=foo' takes no argument"},
        {OPTIONS_compact, "--json -o", LP_ENOENT, "'-o' needs an argument"},
        {OPTIONS_compact, "in --output", LP_ENOENT, "'--output' needs an argument"},
        {OPTIONS_compact, "--threads 0", LP_ECORRUPT, "--threads 0: not a number from 1 to 64"},
        {OPTIONS_compact, "--threads 65", LP_ECORRUPT, "--threads 65: not a number from 1 to 64"},
        {OPTIONS_compact, "--threads=", LP_ECORRUPT, "--threads : not a number from 1 to 64"},
        {OPTIONS_compact, "--threads -1", LP_ECORRUPT, "--threads -1: not a number from 1 to 64"},
        {OPTIONS_compact, "--threads 1x", LP_ECORRUPT, "--threads 1x: not a number from 1 to 64"},
        {OPTIONS_compact, "--threads 99999999999999999999", LP_ECORRUPT,
            "--threads 99999999999999999999: not a number from 1 to 64"},
        {OPTIONS_compact, "--context-style Ref", LP_ECORRUPT,
            "--context-style Ref: not events, fields or ref"},
        {OPTIONS_why, "--limit 1", LP_ENOENT, "'--limit' is not an option"},
        {OPTIONS_compact, "--where a=1", LP_ENOENT, "'--where' is not an option"},
        {OPTIONS_compact, "--version", LP_ENOENT, "'--version' is not an option"},
        {OPTIONS_collect, "--json", LP_ENOENT, "'--json' is not an option"},
        {OPTIONS_program, "--bogus compact", LP_ENOENT, "'--bogus' is not an option"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        options read;
        lp_problem problem = {.text = ""};
        assert_int_equal(
            parse(cases[i].command, cases[i].line, no_variables, &read, &problem), cases[i].err);
        assert_string_equal(problem.text, cases[i].text);
    }
    char line[OPTIONS_TEXTS_MAX * 12 + 12] = "";
    options read;
    lp_problem problem;
    for (int i = 0; i <= OPTIONS_TEXTS_MAX; i++) {
        (void)strncat(line, "--where=a ", sizeof(line) - strlen(line) - 1);
    }
    assert_int_equal(parse(OPTIONS_why, line, no_variables, &read, &problem), LP_ECORRUPT);
    assert_string_equal(problem.text, "--where is given over 16 times");
    options fine = parse_well(OPTIONS_compact, "--threads 64"); // after all of these
    assert_int_equal(fine.compact_threads, 64);
}

static void
test_help_says_how_a_command_is_called(void **state)
{
    (void)state;
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    options_print_help(out, OPTIONS_summary);
    options_print_help(out, OPTIONS_collect);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "usage: loupe summary FILE.jfr [--json]\n\nPrints chunks,"));
    assert_non_null(strstr(text, "\n  --json              print JSON\n"
                                 "  -h, --help          show this help\n"));
    assert_non_null(strstr(text,
        "\n  --http ADDRESS      address for HTTP: HOST:PORT, [IPV6]:PORT, or :PORT for all\n"
        "                      addresses (LOUPE_HTTP; default: 127.0.0.1:7412)\n"));
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_form_of_an_option_is_read),
        cmocka_unit_test(test_what_is_not_given_has_its_default),
        cmocka_unit_test(test_an_option_goes_before_its_variable_and_an_empty_variable_is_none),
        cmocka_unit_test(test_an_option_of_several_commands_may_be_given_several_times),
        cmocka_unit_test(test_nothing_behind_help_is_read),
        cmocka_unit_test(test_options_of_the_program_end_where_the_command_begins),
        cmocka_unit_test(test_what_is_wrong_is_named),
        cmocka_unit_test(test_help_says_how_a_command_is_called),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
