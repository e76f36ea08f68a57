// SPDX-License-Identifier: Apache-2.0
// A collector that was built without a part says so, and what to do, where it is asked for. Here
// the stand-ins of all parts are linked, which a build otherwise has in place of those that it
// leaves out.

#include "collector/log/log_route.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/postgres/catalog_postgres.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_a_log_says_that_kafka_is_missing(void **state)
{
    (void)state;
    lp_problem problem;
    log_route *route = NULL;
    const log_route_config config = {0};
    assert_int_equal(log_route_check(&problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "without Kafka"));
    assert_non_null(strstr(problem.text, "-DLOUPE_KAFKA=ON"));
    problem.text[0] = '\0';
    assert_int_equal(log_route_open(&config, &route, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "without Kafka"));
    assert_null(route);
    log_route_stop(route);
    log_route_close(route);
}

static void
test_a_catalog_says_that_postgresql_is_missing(void **state)
{
    (void)state;
    lp_problem problem;
    catalog *opened = NULL;
    assert_false(catalog_is_file("postgres://localhost/loupe"));
    assert_int_equal(catalog_open("postgres://localhost/loupe", &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "without PostgreSQL"));
    assert_non_null(strstr(problem.text, "-DLOUPE_POSTGRES=ON"));
    assert_null(opened);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_log_says_that_kafka_is_missing),
        cmocka_unit_test(test_a_catalog_says_that_postgresql_is_missing),
    };
    return cmocka_run_group_tests_name("missing", tests, NULL, NULL);
}
