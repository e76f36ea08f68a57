// SPDX-License-Identifier: Apache-2.0
//
// make_search CATALOG STORE DIR START_S COLLECTORS JVMS IDS: puts the segments of a day's hours of
// so many collectors into a store, and adds them to a catalog: each has the ids of JVMS /
// COLLECTORS JVMs, a chunk a minute with so many ids each, of the sessions %032x from 1 on. Prints
// their number and bytes on standard error, and on standard output an INSERT for each of VARIANTS
// rollups of a chunk, of 2,000 contexts of 5 types, for the table variant (n, types, exemplars,
// attributes).

#include "collector/index/id_gather.h"
#include "collector/index/id_object_writer.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/s3/s3_url.h"
#include "common/rollup/rollup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 5, CONTEXTS = 400, KEPT_EVERY = 40, VARIANTS = 50, HOURS = 24, MINUTES = 60 };

static const int64_t SECOND_NS = 1000000000;

static uint64_t state = 1;

static void
check(bool is_good, const char *what)
{
    if (!is_good) {
        (void)fprintf(stderr, "make_search: %s\n", what);
        exit(1);
    }
}

// random_next returns the next number of SplitMix64.
static uint64_t
random_next(void)
{
    uint64_t mixed = state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

// --- Rollups

static void
add_to(rollup *sums, rollup_numbers *numbers, int64_t duration_ns, bool is_kept)
{
    histogram_add(&numbers->all, &sums->arena, duration_ns);
    if (is_kept) {
        histogram_add(&numbers->kept, &sums->arena, duration_ns);
        numbers->time_ns[TIME_LOCK] += (uint64_t)duration_ns / 2;
        numbers->left_ns += (uint64_t)duration_ns / 2;
    }
}

static void
add_context(rollup *sums, rollup_type *type, int64_t start_ns, bool is_kept)
{
    char text[32];
    int64_t duration_ns = (int64_t)1 << (17 + random_next() % 10);
    duration_ns += (int64_t)(random_next() % (uint64_t)duration_ns);
    add_to(sums, &type->numbers, duration_ns, is_kept);
    rollup_attribute *attribute = rollup_add_attribute(sums, type, "endpoint");
    check(attribute != NULL, "out of memory");
    int len = snprintf(text, sizeof(text), "/endpoint/%u", (unsigned)(random_next() % 12));
    rollup_value *value =
        rollup_add_value(sums, attribute, (lp_slice){(const uint8_t *)text, (size_t)len});
    check(value != NULL, "out of memory");
    add_to(sums, &value->numbers, duration_ns, is_kept);
    if (is_kept) {
        rollup_exemplar exemplar = {.duration_ns = duration_ns,
            .begin_wall_ns = start_ns,
            .ref = {.begin = duration_ns, .hash = (uint32_t)random_next()}};
        (void)snprintf(exemplar.trace, sizeof(exemplar.trace), "%016" PRIx64 "%016" PRIx64,
            random_next(), random_next());
        rollup_add_exemplar(sums, type, &exemplar);
    }
}

static void
print_variant(unsigned n, int64_t start_ns)
{
    rollup sums;
    rollup_parts parts = {0};
    rollup_init(&sums);
    for (int i = 0; i < TYPES * CONTEXTS; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "shop.Type%d", i % TYPES);
        rollup_type *type = rollup_add_type(&sums, name);
        check(type != NULL, "out of memory");
        add_context(&sums, type, start_ns, i / TYPES % KEPT_EVERY == 0);
    }
    check(rollup_err(&sums) == LP_OK && rollup_parts_encode(&parts, &sums) == LP_OK, "a rollup");
    (void)printf("INSERT INTO variant VALUES (%u", n);
    for (int i = 0; i < ROLLUP_PARTS; i++) {
        (void)printf(", '\\x");
        for (size_t k = 0; k < parts.of[i].len; k++) {
            (void)printf("%02x", parts.of[i].ptr[k]);
        }
        (void)printf("'");
    }
    (void)printf(");\n");
    rollup_parts_fini(&parts);
    rollup_fini(&sums);
}

// --- Segments

typedef struct day {
    catalog *to;
    id_segments objects;
    int64_t start_ns;
    unsigned collectors;
    unsigned jvms;
    unsigned ids;
    uint64_t segments;
    uint64_t bytes;
    uint64_t head_bytes;
} day;

static void
add_chunk(const day *d, id_object_writer *writer, unsigned jvm, unsigned minute)
{
    uint64_t hashes[10000];
    id_chunk chunk = {.ordinal = minute};
    for (unsigned i = 0; i < 4; i++) { // as %032x
        chunk.session[15 - i] = (uint8_t)((jvm + 1) >> 8 * i);
    }
    check(d->ids <= sizeof(hashes) / sizeof(hashes[0]), "too many ids");
    for (unsigned i = 0; i < d->ids; i++) {
        hashes[i] = random_next();
    }
    const lp_slice bytes = {(const uint8_t *)hashes, d->ids * sizeof(*hashes)};
    check(id_object_writer_add(
              writer, &chunk, d->start_ns + (int64_t)minute * 60 * SECOND_NS, bytes) == LP_OK,
        "a chunk");
}

static void
add_segment(day *d, unsigned collector, unsigned hour)
{
    id_object_writer writer = {.from_wall_ns = 0};
    lp_buf bytes = {0};
    id_gathered made = {.last_number = 0};
    for (unsigned jvm = collector; jvm < d->jvms; jvm += d->collectors) {
        for (unsigned minute = 0; minute < MINUTES; minute++) {
            add_chunk(d, &writer, jvm, hour * MINUTES + minute);
        }
    }
    check(id_object_writer_finish(&writer, &bytes) == LP_OK, "out of memory");
    const id_object_shape shape = id_object_writer_get_shape(&writer, lp_buf_slice(&bytes));
    made.segment = (catalog_segment){.hour = d->start_ns / SECOND_NS / 3600 + hour,
        .from_wall_ns = writer.from_wall_ns,
        .to_wall_ns = writer.to_wall_ns,
        .head_bytes = shape.head_bytes,
        .size_bytes = shape.size_bytes,
        .entry_count = shape.entry_count};
    (void)snprintf(made.segment.name, sizeof(made.segment.name),
        "bench%02u/%016x-%016x" ID_OBJECT_SUFFIX, hour, collector, hour);
    (void)snprintf(made.group.collector, sizeof(made.group.collector), "%016x", collector);
    check(id_segments_put(&d->objects, &made.segment, (lp_slice){bytes.ptr, bytes.len}) == LP_OK,
        "cannot put a segment");
    check(id_gather_commit(d->to, &made) == LP_OK, "cannot add a segment");
    d->segments++;
    d->bytes += bytes.len;
    d->head_bytes += shape.head_bytes;
    lp_buf_fini(&bytes);
    id_object_writer_fini(&writer);
}

static void
on_count(s3_count what, uint64_t amount)
{
    (void)what;
    (void)amount;
}

int
main(int argc, char **argv)
{
    check(argc == 8, "CATALOG STORE DIR START_S COLLECTORS JVMS IDS");
    s3_client_config store = {.on_count = on_count};
    day d = {.start_ns = strtoll(argv[4], NULL, 10) * SECOND_NS,
        .collectors = (unsigned)strtoul(argv[5], NULL, 10),
        .jvms = (unsigned)strtoul(argv[6], NULL, 10),
        .ids = (unsigned)strtoul(argv[7], NULL, 10)};
    check(s3_url_parse(argv[2], NULL, &store.url, NULL) == LP_OK, "STORE is none");
    check(catalog_open(argv[1], &d.to, NULL) == LP_OK, "cannot open the catalog");
    check(id_segments_open(&d.objects, argv[3], &store, NULL) == LP_OK, "cannot open the store");
    for (unsigned hour = 0; hour < HOURS; hour++) {
        for (unsigned i = 0; i < d.collectors; i++) {
            add_segment(&d, i, hour);
        }
    }
    (void)fprintf(stderr,
        "%" PRIu64 " segments, %" PRIu64 " ids, %" PRIu64 " MB, heads %" PRIu64 " MB\n", d.segments,
        (uint64_t)d.jvms * HOURS * MINUTES * d.ids, d.bytes >> 20, d.head_bytes >> 20);
    for (unsigned i = 0; i < VARIANTS; i++) {
        print_variant(i, d.start_ns);
    }
    id_segments_close(&d.objects);
    catalog_close(d.to);
    return 0;
}
