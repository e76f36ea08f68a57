// SPDX-License-Identifier: Apache-2.0
// What shells complete with: the help of an option as one short clause, and quotes that keep it one
// word of the script. What the scripts offer, tests/e2e/cli.py asks the shells.

#include "cli/base/completion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_description_is_the_first_clause(void **state)
{
    (void)state;
    static const struct {
        const char *help;
        const char *description;
    } cases[] = {
        {"print JSON", "print JSON"},
        {"", ""},
        {"the longest first; or the first to begin", "the longest first"},
        {"policies of services: SERVICE.jfc", "policies of services"},
        {"ask over TLS. The rest is left out", "ask over TLS"},
        {"the output (a file)", "the output"},
        {"a name such as checkout.jfr or more", "a name such as checkout.jfr or more"},
        {"a sentence.", "a sentence"},
        {"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
            "one two three four five six seven eight nine ten eleven twelve thirteen..."},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[COMPLETION_SHORT_BYTES];
        completion_shorten(cases[i].help, text);
        assert_string_equal(text, cases[i].description);
    }
}

// expect_line checks that a script has a line, or a part of one.
static void
expect_line(void (*print)(FILE *out), const char *line)
{
    char *script = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&script, &size);
    assert_non_null(out);
    print(out);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(script, line));
    free(script);
}

static void
test_quotes_in_a_description_are_escaped(void **state) // of --tls-cert
{
    (void)state;
    expect_line(completion_print_zsh, "'--tls-cert=[the collector'\\''s certificate in PEM");
    expect_line(completion_print_fish, "-l tls-cert -r -d 'the collector\\'s certificate in PEM");
}

static void
test_a_word_comes_before_files(void **state)
{
    (void)state;
    expect_line(completion_print_bash, "' operands='check' files=yes ;;\n");
    expect_line(completion_print_zsh, "'1: :(check)' \\\n                '*: :_files' ;;\n");
    expect_line(completion_print_fish,
        "-n '__fish_seen_subcommand_from policy; and not __fish_seen_subcommand_from check' -f -a "
        "'check'\n");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_description_is_the_first_clause),
        cmocka_unit_test(test_quotes_in_a_description_are_escaped),
        cmocka_unit_test(test_a_word_comes_before_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
