// SPDX-License-Identifier: Apache-2.0
// The addresses of collectors: what has no name is known without asking; a name has all of its
// addresses, and the last ones that it had where nobody answers; a question that takes long holds
// nobody up.
//
// Who answers is the test, in place of getaddrinfo.

#include "agent/ship/dial/ship_names.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_MS = 60 * 1000 };

// What the name server says; only the thread that asks reads it, and only while it asks.
static const char *answers[4]; // addresses; NULL: no more
static int fault;
static int asked_family;
static sem_t may_answer; // for which each question waits
static int wake_fd;

int __wrap_getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out);
void __wrap_freeaddrinfo(struct addrinfo *list);

static struct addrinfo *
make_answer(const char *text)
{
    struct addrinfo *item = calloc(1, sizeof(*item));
    assert_non_null(item);
    if (strchr(text, ':') == NULL) {
        struct sockaddr_in *four = calloc(1, sizeof(*four));
        assert_non_null(four);
        four->sin_family = AF_INET;
        assert_int_equal(inet_pton(AF_INET, text, &four->sin_addr), 1);
        *item = (struct addrinfo){.ai_family = AF_INET, .ai_addr = (struct sockaddr *)four};
    } else {
        struct sockaddr_in6 *six = calloc(1, sizeof(*six));
        assert_non_null(six);
        six->sin6_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
        *item = (struct addrinfo){.ai_family = AF_INET6, .ai_addr = (struct sockaddr *)six};
    }
    return item;
}

int
__wrap_getaddrinfo(
    const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    assert_null(service);
    assert_string_equal(node, "collector.example");
    assert_int_equal(sem_wait(&may_answer), 0);
    asked_family = hints->ai_family;
    *out = NULL;
    for (size_t i = 0; fault == 0 && i < 4 && answers[i] != NULL; i++) {
        *out = make_answer(answers[i]);
        out = &(*out)->ai_next;
    }
    return fault;
}

void
__wrap_freeaddrinfo(struct addrinfo *list)
{
    while (list != NULL) {
        struct addrinfo *next = list->ai_next;
        free(list->ai_addr);
        free(list);
        list = next;
    }
}

static void
expect(const char *first, const char *second, const char *third)
{
    const char *const given[] = {first, second, third, NULL};
    memcpy(answers, given, sizeof(answers));
    fault = 0;
}

static void
wait_for_answer(ship_names *names)
{
    assert_int_equal(sem_post(&may_answer), 0);
    while (ship_names_is_asking(names)) {
        struct pollfd wake = {.fd = wake_fd, .events = POLLIN};
        assert_int_equal(poll(&wake, 1, LONG_MS), 1);
        uint64_t count;
        assert_int_equal(read(wake_fd, &count, sizeof(count)), sizeof(count));
    }
}

// check takes what is new, and expects these addresses.
static void
check(ship_names *names, const char *const *wanted)
{
    ship_address found[SHIP_ADDRESSES_MAX];
    size_t count;
    assert_true(ship_names_take(names, found, &count));
    for (size_t i = 0; wanted[i] != NULL; i++) {
        assert_true(i < count);
        assert_string_equal(ship_address_get_url(&found[i]), wanted[i]);
    }
    assert_null(wanted[count]);
    assert_false(ship_names_take(names, found, &count));
}

static void
begin(ship_names *names, const char *first, const char *second)
{
    const char *const urls[] = {first, second};
    lp_problem problem;
    assert_int_equal(
        ship_names_init(names, urls, second == NULL ? 1 : 2, wake_fd, &problem), LP_OK);
}

static void
test_what_has_no_name_is_known(void **state)
{
    static const char *const urls[] = {"tcp://127.0.0.1:7411", "tls+tcp://[::1]:7411",
        "ipc:///run/loupe", "inproc://x", "tcp://:7411", "tcp6://[fe80::1%25lo]:1"};
    (void)state;
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        ship_names names;
        begin(&names, urls[i], NULL);
        assert_false(ship_names_are_asked_for(&names));
        check(&names, (const char *const[]){urls[i], NULL});
        ship_names_ask(&names);
        assert_false(ship_names_is_asking(&names));
        ship_names_fini(&names);
    }
}

static void
test_a_url_that_is_none_is_named(void **state)
{
    static const char *const urls[] = {"tcp://a:1", "nonsense"};
    ship_names names;
    lp_problem problem;
    (void)state;
    assert_int_equal(ship_names_init(&names, urls, 2, wake_fd, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, "nonsense"));
}

static void
test_a_name_has_all_of_its_addresses(void **state)
{
    ship_names names;
    (void)state;
    begin(&names, "tls+tcp://collector.example:7411", "tcp://10.0.0.9:1");
    assert_true(ship_names_are_asked_for(&names));
    check(&names, (const char *const[]){"tcp://10.0.0.9:1", NULL}); // before the answer
    expect("10.0.0.2", "fd00::1", "10.0.0.1");
    ship_names_ask(&names);
    assert_true(ship_names_is_asking(&names));
    ship_names_ask(&names); // it asks already
    ship_address found[SHIP_ADDRESSES_MAX];
    size_t count;
    assert_false(ship_names_take(&names, found, &count));
    wait_for_answer(&names);
    assert_int_equal(asked_family, AF_UNSPEC);
    assert_true(ship_names_take(&names, found, &count));
    static const char *const urls[] = {"tls+tcp://10.0.0.2:7411", "tls+tcp://[fd00::1]:7411",
        "tls+tcp://10.0.0.1:7411", "tcp://10.0.0.9:1"};
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(ship_address_get_url(&found[i]), urls[i]);
        assert_int_equal(found[i].preference, i == 1);
    }
    assert_string_equal(found[1].endpoint, "tls+tcp://collector.example:7411");
    ship_names_fini(&names);
}

static void
test_what_was_known_counts_where_nobody_answers(void **state)
{
    ship_names names;
    (void)state;
    begin(&names, "tcp6://collector.example:7411", NULL);
    expect("fd00::1", NULL, NULL);
    ship_names_ask(&names);
    wait_for_answer(&names);
    assert_int_equal(asked_family, AF_INET6);
    check(&names, (const char *const[]){"tcp6://[fd00::1]:7411", NULL});
    static const int faults[] = {EAI_NONAME, EAI_AGAIN, EAI_AGAIN};
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        fault = faults[i];
        ship_names_ask(&names);
        wait_for_answer(&names);
        ship_address found[SHIP_ADDRESSES_MAX];
        size_t count;
        assert_false(ship_names_take(&names, found, &count));
    }
    expect("fd00::2", NULL, NULL);
    ship_names_ask(&names);
    wait_for_answer(&names);
    check(&names, (const char *const[]){"tcp6://[fd00::2]:7411", NULL});
    ship_names_fini(&names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_has_no_name_is_known),
        cmocka_unit_test(test_a_url_that_is_none_is_named),
        cmocka_unit_test(test_a_name_has_all_of_its_addresses),
        cmocka_unit_test(test_what_was_known_counts_where_nobody_answers),
    };
    if (sem_init(&may_answer, 0, 0) != 0 || (wake_fd = eventfd(0, EFD_CLOEXEC)) < 0) {
        return 1;
    }
    return cmocka_run_group_tests_name("ship_names", tests, NULL, NULL);
}
