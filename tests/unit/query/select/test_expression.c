// SPDX-License-Identifier: Apache-2.0
// Expressions match as in POSIX. The number of steps is bounded for any expression and any text.
// A refusal has a reason. The expected matches are from a table, and from the C library for random
// expressions of the common syntax.

#include "query/select/expression.h"

#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_BYTES = 1024, HOSTILE_COUNT = 1000, ORDINARY_COUNT = 20000 };

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static void
test_expressions_mean_what_they_should(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *text;
        bool matches;
    } cases[] = {
        {"Inventory", "shop.Inventory.reserve", true},
        {"^Inventory", "shop.Inventory.reserve", false},
        {"^shop\\.(Inventory|Stock)\\.", "shop.Stock.take", true},
        {"^shop\\.(Inventory|Stock)\\.", "shopxStock.take", false},
        {"\\[(lock|park)\\]", "[park]", true},
        {"", "anything", true},
        {"", "", true},
        {"\\{", "a{b", true},
        {"[{]", "a{b", true},
        {"}", "a}b", true},
        {"a)", "a)", true},
        {"\\\\", "a\\b", true},
        {"[\\]", "a\\b", true},
        {"^(a+b)+[]+[:digit:]+]+$", "aabab]+7", true},
        {"^(a+b)+[]+[:digit:]+]+$", "aaba", false},
        {"^[^]+a]+$", "bcd", true},
        {"^[^]+a]+$", "bc]d", false},
        {"^[a-]$", "-", true},
        {"^[-a]$", "-", true},
        {"^[a-c-]+$", "abc-", true},
        {"^[a-c-]+$", "abd", false},
        {"\\++", "1 ++ 2", true},
        {"[[.a.]]", "a", true},
        {"[[=a=]b]", "b", true},
        {"^.*a.*b?.*(c.*|d.*)*.*.*.*.*.*.*.*.*.*.*.*.*e$", "1a2b3c4e", true},
        {"^(|b)$", "", true},
        {"^(a||b)c$", "c", true},
        {"^(a|bc|def)$", "def", true},
        {"^(a|bc|def)$", "bcf", false},
        {"^((a|b)|(c|d))e$", "ce", true},
        {"a|b|^$", "c", false},
        {"^(ab)*$", "ababab", true},
        {"^(ab)*$", "ababa", false},
        {"^()*$", "", true},
        {"^(a*)*$", "aaa", true},
        {"^(a*)+b$", "aaab", true},
        {"^a**+?$", "aa", true},
        {"^x{3}$", "xxx", true},
        {"^x{3}$", "xx", false},
        {"^x{3}$", "xxxx", false},
        {"^x{2,}$", "x", false},
        {"^x{2,}$", "xxxxx", true},
        {"^x{0,}$", "", true},
        {"^x{1,3}$", "", false},
        {"^x{1,3}$", "xxx", true},
        {"^x{1,3}$", "xxxx", false},
        {"^x{0,2}$", "", true},
        {"^x{0,2}$", "xxx", false},
        {"^ax{0}b$", "ab", true},
        {"^ax{0,0}b$", "axb", false},
        {"^(a|b){2}$", "ba", true},
        {"^(a|b){2}$", "bab", false},
        {"^(ab{2}){2}$", "abbabb", true},
        {"^(a{2}|b)*c$", "aabaac", true},
        {"^(a{2}|b)*c$", "aabac", false},
        {"a$b", "a$b", false},
        {"a^b", "a^b", false},
        {"(^|\\.)run$", "A.run", true},
        {"(^|\\.)run$", "A.rerun", false},
        {"(^|\\.)run$", "run", true},
        {"\\brun\\b", "A.run(1)", true},
        {"\\brun\\b", "A.rerun", false},
        {"\\Brun", "rerun", true},
        {"\\Brun", "run", false},
        {"\\<run\\>", "a run", true},
        {"\\<un", "a run", false},
        {"ru\\>", "a run", false},
        {"\\`a.c\\'", "abc", true},
        {"\\`b", "abc", false},
        {"^\\w+\\W\\w+$", "a_1.b", true},
        {"^\\S+\\s\\S+$", "a b", true},
        {"^\\S+$", "a b", false},
        {"^\\D\\d+$", "a12", true},
        {"\\d", "add", false},
        {"a.b", "a\nb", true},
        {"^..$", "\xc3\xa9", true}, // bytes
        {"\xc3\xa9", "caf\xc3\xa9", true},
        {"[[:upper:]][[:lower:]]", "aaBc", true},
        {"^[[:alpha:]]+$", "\xc3\xa9", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        query_expression expression;
        lp_problem problem = {.text = ""};
        uint64_t steps = 0;
        lp_err err = query_expression_compile(&expression, cases[i].pattern, &problem);
        if (err != LP_OK || query_expression_matches(
                                &expression, slice_of(cases[i].text), &steps) != cases[i].matches) {
            fail_msg("'%s' in '%s': %s", cases[i].pattern, cases[i].text, problem.text);
        }
    }
}

static void
test_others_are_refused(void **state)
{
    (void)state;
    char longest[QUERY_EXPRESSION_BYTES_MAX + 2];
    memset(longest, 'a', sizeof(longest));
    longest[sizeof(longest) - 1] = '\0';
    static const char many[] = "it needs more than 512 states, which repetitions {n,m} multiply";
    static const char bounds[] = "{ begins {n}, {n,} or {n,m} of 0 to 255; a brace is \\{";
    static const char nothing[] = "there is nothing that *, + or ? repeats";
    static const char letters[] = "of letters only b, B, d, D, s, S, w and W have a \\";
    const struct {
        const char *pattern;
        const char *text;
    } cases[] = {
        {"a(b", "a ( has no )"},
        {"(a|(b)", "a ( has no )"},
        {"[a", "a [ has no ]"},
        {"[]", "a [ has no ]"},
        {"[^]", "a [ has no ]"},
        {"[z-a]", "a range in [ ] ends before it begins"},
        {"[[:foo:]]", "this [: :] is not a class, such as [:digit:]"},
        {"[[:", "this [: :] is not a class, such as [:digit:]"},
        {"[[.ab.]]", "[. .] and [= =] have one byte"},
        {"[[=", "[. .] and [= =] have one byte"},
        {"a\\", "it ends with a backslash"},
        {"(a*)\\1", "back references such as \\1 are not for this"},
        {"\\n", letters},
        {"\\pL", letters},
        {"*a", nothing},
        {"a|*", nothing},
        {"(+)", nothing},
        {"^*", nothing},
        {"\\b?", nothing},
        {"(?:a)", nothing},
        {"(?=a)", nothing},
        {"{2}", "{ repeats nothing; a brace is \\{"},
        {"a{", bounds},
        {"a{,2}", bounds},
        {"a{2", bounds},
        {"a{2,1}", bounds},
        {"a{256}", bounds},
        {"a{1,256}", bounds},
        {"a{99999999999999999999}", bounds},
        {"a{x}", bounds},
        {"(a{255}){3}", many},
        {"((a{1,255}){1,255}){1,255}", many},
        {longest, "it has more than 256 bytes"},
    };
    query_expression expression;
    lp_problem problem;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(
            query_expression_compile(&expression, cases[i].pattern, &problem), LP_ECORRUPT);
        assert_string_equal(problem.text, cases[i].text);
    }
    longest[QUERY_EXPRESSION_BYTES_MAX] = '\0';
    assert_int_equal(query_expression_compile(&expression, longest, &problem), LP_OK);
    assert_int_equal(query_expression_compile(&expression, "(a{255}){2}", &problem), LP_OK);
}

// --- Random expressions

static uint64_t seed;

static unsigned
random_below(unsigned count)
{
    seed = seed * 6364136223846793005 + 1442695040888963407;
    return (unsigned)(seed >> 33) % count;
}

typedef struct text {
    char bytes[TEXT_BYTES + 1];
    size_t len;
    size_t max;
} text;

static void
add(text *t, const char *bytes)
{
    size_t len = strlen(bytes);
    if (t->len + len <= t->max) {
        memcpy(t->bytes + t->len, bytes, len + 1);
        t->len += len;
    }
}

// add_ordinary adds an expression of the syntax that POSIX has, with little that repeats.
static void
add_ordinary(text *t, unsigned depth)
{
    static const char *const atoms[] = {
        "a", "b", "c", ".", "[ab]", "[^a]", "[[:digit:]b]", "\\.", "\\w", "\\W"};
    static const char *const repetitions[] = {"*", "+", "?", "{2}", "{0,2}", "{1,}"};
    unsigned count = random_below(4);
    for (unsigned i = 0; i < count; i++) {
        if (depth > 0 && random_below(3) == 0) {
            add(t, "(");
            add_ordinary(t, depth - 1);
            add(t, random_below(2) == 0 ? "|" : "");
            add_ordinary(t, depth - 1);
            add(t, ")");
        } else {
            add(t, atoms[random_below(sizeof(atoms) / sizeof(atoms[0]))]);
        }
        if (random_below(3) == 0) {
            add(t, repetitions[random_below(sizeof(repetitions) / sizeof(repetitions[0]))]);
        }
    }
}

static void
add_name(text *t)
{
    static const char *const parts[] = {"a", "b", "c", ".", "1", "\xc3", "ab"};
    for (unsigned i = random_below(10); i > 0; i--) {
        add(t, parts[random_below(sizeof(parts) / sizeof(parts[0]))]);
    }
}

static void
test_random_expressions_mean_what_the_c_library_says(void **state)
{
    (void)state;
    unsigned matching = 0;
    seed = 1;
    for (unsigned i = 0; i < ORDINARY_COUNT; i++) {
        text pattern = {.max = 60};
        query_expression expression;
        lp_problem problem;
        regex_t regex;
        add(&pattern, random_below(2) == 0 ? "^" : "");
        add_ordinary(&pattern, 2);
        add(&pattern, random_below(2) == 0 ? "$" : "");
        if (query_expression_compile(&expression, pattern.bytes, &problem) != LP_OK) {
            assert_int_not_equal(regcomp(&regex, pattern.bytes, REG_EXTENDED | REG_NOSUB), 0);
            continue;
        }
        assert_int_equal(regcomp(&regex, pattern.bytes, REG_EXTENDED | REG_NOSUB), 0);
        for (unsigned j = 0; j < 5; j++) {
            text name = {.max = 60};
            uint64_t steps = 0;
            add_name(&name);
            bool matches = query_expression_matches(&expression, slice_of(name.bytes), &steps);
            if (matches != (regexec(&regex, name.bytes, 0, NULL, 0) == 0)) {
                fail_msg("'%s' in '%s'", pattern.bytes, name.bytes);
            }
            matching += matches;
        }
        regfree(&regex);
    }
    assert_in_range(matching, ORDINARY_COUNT, 4 * ORDINARY_COUNT); // both happen
}

// --- Hostile expressions

// expect_bounded compiles an expression, which may be refused, and compares it with long texts.
// Returns whether it was compiled.
static bool
expect_bounded(const char *pattern)
{
    static const char *const units[] = {"a", "ab", "aab.", "\xff", "([{", "a b"};
    query_expression expression;
    lp_problem problem;
    if (query_expression_compile(&expression, pattern, &problem) != LP_OK) {
        return false;
    }
    assert_in_range(expression.state_count, 1, QUERY_EXPRESSION_STATES_MAX);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        text name = {.max = TEXT_BYTES};
        uint64_t steps = 0;
        while (name.len + strlen(units[i]) <= TEXT_BYTES) {
            add(&name, units[i]);
        }
        (void)query_expression_matches(&expression, slice_of(name.bytes), &steps);
        assert_in_range(steps, 1, (uint64_t)expression.state_count * (name.len + 1));
    }
    return true;
}

static void
add_times(text *t, unsigned count, const char *bytes)
{
    for (unsigned i = 0; i < count; i++) {
        add(t, bytes);
    }
}

static void
test_known_attacks_are_bounded(void **state)
{
    (void)state;
    static const struct {
        unsigned count;
        const char *unit;
        const char *end;
        bool is_compiled;
    } cases[] = {
        {40, "$a**", "", true},
        {42, "\\B\\b(", "", false},
        {28, "\\B\\b()", "", true},
        {1, "a", "************************", true},
        {1, "a", "++++++++++++++++++++++++", true},
        {50, "a?", "a{50}", true},
        {1, "(a?){100}", "a{100}", true},
        {1, "(((((((((((a+)+)+)+)+)+)+)+)+)+)+)+", "b", true},
        {30, "(a|a)*", "b", true},
        {30, "(a*)*", "b", true},
        {120, ".*", "b", true},
        {120, ".?", "b", true},
        {80, "|a*", "", true},
        {60, "\\W\\S", "", true},
        {60, "[^]", "]", true},
        {1, "(()", "{255}{255}{255}{255}{255}{255}{255}{255}{255}{255}{255}){255}{255}", true},
        {1, "(^$){255}", "{255}", false},
        {127, "(", "", false},
        {1, "a{0,255}", "{0,255}{0,255}{0,255}", false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        text pattern = {.max = QUERY_EXPRESSION_BYTES_MAX};
        add_times(&pattern, cases[i].count, cases[i].unit);
        add(&pattern, cases[i].end);
        if (expect_bounded(pattern.bytes) != cases[i].is_compiled) {
            fail_msg("'%s'", pattern.bytes);
        }
    }
}

static void
test_random_attacks_are_bounded(void **state)
{
    (void)state;
    static const char *const parts[] = {"a", "a", "b", ".", "(", "(", ")", ")", "|", "*", "*", "+",
        "?", "{2}", "{0,3}", "{9,}", "{255}", "^", "$", "\\b", "\\B", "\\<", "[^a]", "[", "]",
        "\\w", "\\W", "[[:alpha:]", "{", "\\", "\xff"};
    unsigned compiled = 0;
    seed = 2;
    for (unsigned i = 0; i < HOSTILE_COUNT; i++) {
        text pattern = {.max = QUERY_EXPRESSION_BYTES_MAX};
        unsigned kinds = 1 + random_below(sizeof(parts) / sizeof(parts[0]));
        for (unsigned length = random_below(QUERY_EXPRESSION_BYTES_MAX); length > 0; length--) {
            add(&pattern, parts[random_below(kinds)]);
        }
        compiled += expect_bounded(pattern.bytes);
    }
    assert_in_range(compiled, HOSTILE_COUNT / 10, HOSTILE_COUNT * 9 / 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions_mean_what_they_should),
        cmocka_unit_test(test_others_are_refused),
        cmocka_unit_test(test_random_expressions_mean_what_the_c_library_says),
        cmocka_unit_test(test_known_attacks_are_bounded),
        cmocka_unit_test(test_random_attacks_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
