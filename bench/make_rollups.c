// SPDX-License-Identifier: Apache-2.0
//
// make_rollups DIR SERVICES [JVMS [MINUTES]]: makes the catalog of a collector (DIR/catalog.db)
// that has a chunk for each of so many minutes (1440) of each of so many JVMs (100), which are of
// SERVICES services, from 2026-01-01 on. Each chunk has statistics of 2,000 contexts of 5 types,
// with an attribute of 12 values, and of the first type one of 40; and of 400 requests of that
// type, with the same attributes. Prints how long a chunk took to be added.

#include "collector/store/catalog/catalog.h"
#include "common/rollup/rollup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { TYPES = 5, CONTEXTS = 400, KEPT_EVERY = 40, VARIANTS = 50 };

static const int64_t START_NS = 1767225600000000000; // 2026-01-01T00:00:00Z
static const int64_t MINUTE_NS = 60000000000;

static void
check(bool is_good, const char *what)
{
    if (!is_good) {
        (void)fprintf(stderr, "make_rollups: %s\n", what);
        exit(1);
    }
}

static double
cpu_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t
random_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

// add_to counts a context in the numbers of a type or of a value.
static void
add_to(rollup *sums, rollup_numbers *numbers, int64_t duration_ns, bool is_kept)
{
    histogram_add(&numbers->all, &sums->arena, duration_ns);
    if (is_kept) {
        histogram_add(&numbers->kept, &sums->arena, duration_ns);
        numbers->time_ns[TIME_LOCK] += (uint64_t)duration_ns / 2;
        numbers->time_ns[TIME_IO] += (uint64_t)duration_ns / 4;
        numbers->left_ns += (uint64_t)duration_ns / 4;
    }
}

static void
add_value(rollup *sums, rollup_type *type, const char *name, unsigned value, int64_t duration_ns,
    bool is_kept)
{
    rollup_attribute *attribute = rollup_add_attribute(sums, type, name);
    check(attribute != NULL, "out of memory");
    char text[32];
    int len = snprintf(text, sizeof(text), "/%s/%u", name, value);
    rollup_value *found =
        rollup_add_value(sums, attribute, (lp_slice){(const uint8_t *)text, (size_t)len});
    check(found != NULL, "out of memory");
    add_to(sums, &found->numbers, duration_ns, is_kept);
}

static void
add_context(rollup *sums, rollup_type *type, uint64_t *state, bool is_first, bool is_kept)
{
    int64_t duration_ns = (int64_t)1 << (17 + random_next(state) % 10);
    duration_ns += (int64_t)(random_next(state) % (uint64_t)duration_ns);
    add_to(sums, &type->numbers, duration_ns, is_kept);
    add_value(sums, type, "endpoint", (unsigned)(random_next(state) % 12), duration_ns, is_kept);
    if (is_first) {
        add_value(sums, type, "tenant", (unsigned)(random_next(state) % 40), duration_ns, is_kept);
    }
    if (is_kept) {
        rollup_exemplar exemplar = {.duration_ns = duration_ns,
            .begin_wall_ns = START_NS,
            .ref = {.begin = duration_ns, .hash = (uint32_t)random_next(state)}};
        (void)snprintf(exemplar.trace, sizeof(exemplar.trace), "%016" PRIx64 "%016" PRIx64,
            random_next(state), random_next(state));
        rollup_add_exemplar(sums, type, &exemplar);
    }
}

static void
make(rollup *sums, uint64_t seed)
{
    rollup_init(sums);
    uint64_t state = seed;
    for (int i = 0; i < TYPES * CONTEXTS; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "shop.Type%d", i % TYPES);
        rollup_type *type = rollup_add_type(sums, name);
        check(type != NULL, "out of memory");
        add_context(sums, type, &state, i % TYPES == 0, i / TYPES % KEPT_EVERY == 0);
    }
    rollup_type *requests = rollup_add_type_of(sums, ROLLUP_REQUESTS, "shop.Type0");
    check(requests != NULL, "out of memory");
    for (int i = 0; i < CONTEXTS; i++) {
        add_context(sums, requests, &state, true, i % KEPT_EVERY == 0);
    }
    check(rollup_err(sums) == LP_OK, "out of memory");
}

static catalog_session
session_of(unsigned jvm, unsigned services, unsigned minutes, char names[2][32])
{
    (void)snprintf(names[0], 32, "service-%03u", jvm % services);
    (void)snprintf(names[1], 32, "host-%03u:1", jvm);
    catalog_session session = {
        .service = names[0],
        .instance = names[1],
        .jvm_name = names[0],
        .jvm_version = names[0],
        .start_wall_ns = START_NS,
        .end_wall_ns = START_NS + minutes * MINUTE_NS,
        .is_ended = true,
    };
    (void)snprintf(session.id, sizeof(session.id), "%032x", jvm);
    return session;
}

int
main(int argc, char **argv)
{
    check(argc >= 3, "DIR SERVICES [JVMS [MINUTES]]");
    unsigned services = (unsigned)strtoul(argv[2], NULL, 10);
    unsigned jvms = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 100;
    unsigned minutes = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1440;
    char path[4096];
    (void)mkdir(argv[1], 0750);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", argv[1]);
    catalog *to;
    lp_problem problem;
    check(catalog_open(path, &to, &problem) == LP_OK, "cannot open the catalog");
    static rollup variants[VARIANTS];
    for (unsigned i = 0; i < VARIANTS; i++) {
        make(&variants[i], i);
    }
    double begin_s = cpu_s();
    for (unsigned minute = 0; minute < minutes; minute++) {
        for (unsigned jvm = 0; jvm < jvms; jvm++) {
            char names[2][32];
            const catalog_session session = session_of(jvm, services, minutes, names);
            const catalog_chunk chunk = {
                .ordinal = minute,
                .start_wall_ns = START_NS + minute * MINUTE_NS + jvm * MINUTE_NS / jvms,
                .duration_ns = MINUTE_NS,
                .types_json = "{}",
                .rollup = argc > 5 ? NULL : &variants[(minute + jvm * 7) % VARIANTS],
            };
            check(catalog_add_chunk(to, &session, &chunk, (lp_slice){0}) == LP_OK,
                "cannot add a chunk");
        }
    }
    (void)printf("%.1f us of processor time for each of %u chunks\n",
        (cpu_s() - begin_s) * 1e6 / (jvms * minutes), jvms * minutes);
    catalog_close(to);
    for (unsigned i = 0; i < VARIANTS; i++) {
        rollup_fini(&variants[i]);
    }
    return 0;
}
