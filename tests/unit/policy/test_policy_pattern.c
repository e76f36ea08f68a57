// SPDX-License-Identifier: Apache-2.0
// Patterns: cases, and random ones against a matcher that tries everything.

#include "support/chance.h"

#include "policy/policy_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_cases(void **state)
{
    (void)state;
    assert_true(policy_pattern_is("jdk.*"));
    assert_false(policy_pattern_is("jdk.SocketRead"));
    assert_true(policy_pattern_matches("jdk.Socket*", "jdk.SocketRead"));
    assert_true(policy_pattern_matches("jdk.Socket*", "jdk.Socket"));
    assert_false(policy_pattern_matches("jdk.Socket*", "jdk.socketRead"));
    assert_false(policy_pattern_matches("jdk.Socket*", "xjdk.SocketRead"));
    assert_true(policy_pattern_matches("*Read", "jdk.SocketRead"));
    assert_false(policy_pattern_matches("*Read", "jdk.SocketReading"));
    assert_true(policy_pattern_matches("*", ""));
    assert_false(policy_pattern_matches("a.b", "axb")); // no other character is special
    assert_false(policy_pattern_matches("a?b", "axb"));
}

static bool
matches_naively(const char *pattern, const char *name)
{
    if (*pattern == '*') {
        return matches_naively(pattern + 1, name) ||
               (*name != '\0' && matches_naively(pattern, name + 1));
    }
    return *pattern == *name && (*name == '\0' || matches_naively(pattern + 1, name + 1));
}

static void
fill(uint64_t *seed, const char *alphabet, char text[10])
{
    size_t len = chance_below(seed, 9);
    for (size_t i = 0; i < len; i++) {
        text[i] = alphabet[chance_below(seed, strlen(alphabet))];
    }
    text[len] = '\0';
}

static void
test_random_patterns(void **state)
{
    (void)state;
    uint64_t seed = 1;
    size_t match_count = 0;
    enum { ROUNDS = 200000 };
    for (int i = 0; i < ROUNDS; i++) {
        char pattern[10];
        char name[10];
        fill(&seed, "ab*", pattern);
        fill(&seed, "ab", name);
        bool is_match = policy_pattern_matches(pattern, name);
        assert_int_equal(is_match, matches_naively(pattern, name));
        match_count += is_match;
    }
    assert_true(match_count > ROUNDS / 20);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_random_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
