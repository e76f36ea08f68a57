// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/mend/reconcile_rig.h"

#include "support/fake_sync.h" // the disk would be waited for some 14,000 times
#include "support/jfr_orders.h"
#include "support/jfr_sample.h"

#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/catalog/sqlite/catalog_sqlite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

reconcile_id
reconcile_rig_id(unsigned session)
{
    reconcile_id id;
    (void)snprintf(id.text, sizeof(id.text), "%032x", session + 1);
    return id;
}

void
reconcile_rig_path(
    const reconcile_rig *f, char out_path[RECONCILE_PATH_BYTES], const char *format, ...)
{
    va_list arguments;
    int len = snprintf(out_path, RECONCILE_PATH_BYTES, "%s/", f->dir.path);
    va_start(arguments, format);
    len += vsnprintf(out_path + len, RECONCILE_PATH_BYTES - (size_t)len, format, arguments);
    va_end(arguments);
    assert_true(len < RECONCILE_PATH_BYTES);
}

void
reconcile_rig_chunk_path(
    const reconcile_rig *f, unsigned session, uint32_t ordinal, char out_path[RECONCILE_PATH_BYTES])
{
    reconcile_rig_path(
        f, out_path, "chunks/%s/%u.jfr.zst", reconcile_rig_id(session).text, ordinal);
}

enum { ID_REQUESTS = 390 };

#define NUMBER(field_name)                                                                         \
    {                                                                                              \
        .name = (field_name), .type = JFR_SAMPLE_LONG                                              \
    }

static const jfr_build_type requests_type = {.id = ID_REQUESTS,
    .name = "dev.loupe.RequestAccounting",
    .super = "jdk.jfr.Event",
    .fields = {JFR_SAMPLE_START_TIME, JFR_SAMPLE_DURATION, NUMBER("offered"), NUMBER("kept"),
        NUMBER("rootsWithoutEnd"), NUMBER("endsWithoutRoot"), NUMBER("rootsTwice"),
        NUMBER("reopened"), NUMBER("partsWithoutRoot"), NUMBER("overLimit"),
        NUMBER("routesOverLimit"), NUMBER("keptByParts"), NUMBER("keptByOpen"),
        NUMBER("keptByEvent"), NUMBER("keptByRare"), NUMBER("keptBySlowest"), NUMBER("keptBySlow"),
        NUMBER("keptByCondition"), NUMBER("droppedByBudget"), NUMBER("droppedByDrop")}};

static void
add_requests(jfr_build *build)
{
    const uint64_t numbers[] = {RECONCILE_REQUESTS_IN, RECONCILE_REQUESTS_OUT, 0, 0, 0, 0, 0, 0, 0,
        RECONCILE_REQUESTS_BY_PARTS, 0, 0, 0, 0, RECONCILE_REQUESTS_BY_SLOW, 0, 0,
        RECONCILE_REQUESTS_BY_DROP};
    jfr_build_varint(&build->payload, 1);
    jfr_build_varint(&build->payload, 2);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
        jfr_build_varint(&build->payload, numbers[i]);
    }
    (void)jfr_build_event(build, ID_REQUESTS);
}

// add_totals adds what a chunk says of requests, by hand.
static void
add_totals(catalog_totals *totals)
{
    totals->requests_in += RECONCILE_REQUESTS_IN;
    totals->requests_out += RECONCILE_REQUESTS_OUT;
    totals->requests_kept_by[0] += RECONCILE_REQUESTS_BY_PARTS;
    totals->requests_kept_by[5] += RECONCILE_REQUESTS_BY_SLOW;
    totals->requests_dropped_by[1] += RECONCILE_REQUESTS_BY_DROP;
}

void
reconcile_rig_check_requests(const reconcile_known *known, uint32_t chunks)
{
    catalog_totals all = {0};
    for (uint32_t i = 0; i < chunks; i++) {
        add_totals(&all);
    }
    const catalog_totals *found = &known->row.totals;
    assert_int_equal(found->requests_in, all.requests_in);
    assert_int_equal(found->requests_out, all.requests_out);
    assert_memory_equal(
        found->requests_kept_by, all.requests_kept_by, sizeof(all.requests_kept_by));
    assert_memory_equal(
        found->requests_dropped_by, all.requests_dropped_by, sizeof(all.requests_dropped_by));
}

static void
make_chunk(lp_buf *out, uint32_t ordinal)
{
    jfr_build build;
    jfr_build_type types[JFR_ORDERS_TYPES_MAX + 1];
    size_t type_count = jfr_orders_types(types);
    types[type_count++] = requests_type;
    int64_t start_ns = RECONCILE_START_NS + ordinal * RECONCILE_SECOND_NS;
    jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = start_ns,
                                .ticks_per_s = RECONCILE_SECOND_NS,
                                .start_wall_ns = start_ns,
                                .duration_ns = RECONCILE_SECOND_NS});
    jfr_build_metadata(&build, 1, types, type_count);
    jfr_sample_thread(&build, 1, 11);
    add_requests(&build);
    for (int64_t i = 0; i < RECONCILE_EVENTS - 1; i++) {
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_ns + i,
                                     .end = start_ns + i + 5,
                                     .thread = 1,
                                     .text = "abc"});
    }
    jfr_build_checkpoint(&build);
    lp_slice chunk = jfr_build_finish(&build);
    lp_buf_append(out, chunk.ptr, chunk.len);
    assert_int_equal(lp_buf_check(out), LP_OK);
    jfr_build_fini(&build);
}

static void
make_rollup(rollup *out)
{
    rollup_init(out);
    rollup_type *type = rollup_add_type(out, "test.Order");
    assert_non_null(type);
    for (unsigned i = 0; i < 40; i++) {
        char value[16];
        (void)snprintf(value, sizeof(value), "value-%u", i);
        rollup_attribute *attribute = rollup_add_attribute(out, type, "name");
        assert_non_null(rollup_add_value(out, attribute, (lp_slice){(uint8_t *)value, 8}));
    }
}

catalog *
reconcile_rig_open_catalog(const reconcile_rig *f)
{
    char path[RECONCILE_PATH_BYTES];
    catalog *opened;
    lp_problem problem;
    reconcile_rig_path(f, path, "catalog.db");
    if (catalog_open(path, &opened, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    return opened;
}

blobs *
reconcile_rig_open_blobs(const reconcile_rig *f)
{
    char path[RECONCILE_PATH_BYTES];
    blobs *opened;
    reconcile_rig_path(f, path, "chunks");
    assert_int_equal(blobs_open(path, &opened, NULL), LP_OK);
    blobs_set_durable(opened, false);
    return opened;
}

void
reconcile_rig_sql(const reconcile_rig *f, const char *text)
{
    catalog *c = reconcile_rig_open_catalog(f);
    assert_int_equal(sqlite3_exec(catalog_sqlite_get_db(c), text, NULL, NULL, NULL), SQLITE_OK);
    catalog_close(c);
}

void
reconcile_rig_store(const reconcile_rig *f, catalog *to, blobs *chunks, unsigned session)
{
    static char service[] = "shop";
    static char instance[] = "shop-1";
    static char jvm[] = "HotSpot";
    catalog_session row = {.service = service,
        .instance = instance,
        .jvm_name = jvm,
        .jvm_version = jvm,
        .pid = session,
        .start_wall_ns = RECONCILE_START_NS,
        .next_sequence = 17};
    memcpy(row.id, reconcile_rig_id(session).text, sizeof(row.id));
    for (uint32_t i = 0; i < RECONCILE_CHUNKS; i++) {
        rollup sums;
        make_rollup(&sums);
        const catalog_chunk base = {.ordinal = i,
            .start_wall_ns = RECONCILE_START_NS + i * RECONCILE_SECOND_NS,
            .duration_ns = RECONCILE_SECOND_NS,
            .size_bytes = f->chunks[i].len,
            .rollup = &sums,
            .types_json = "{\"test.Order\":{\"in\":4,\"out\":3,\"dropped\":{\"select\":1}}}"};
        catalog_chunk chunk = base;
        blobs_stored stored;
        assert_int_equal(blobs_put(chunks, row.id, i, lp_buf_slice(&f->chunks[i]), &stored), LP_OK);
        chunk.content_hash = stored.content_hash;
        chunk.stored_bytes = stored.stored_bytes;
        row.next_chunk = i + 1;
        row.totals.events_in += RECONCILE_EVENTS + 1;
        row.totals.events_out += RECONCILE_EVENTS;
        add_totals(&row.totals);
        row.end_wall_ns = RECONCILE_START_NS + (i + 1) * RECONCILE_SECOND_NS;
        uint8_t carry[] = {1, 2, 3};
        assert_int_equal(
            catalog_add_chunk(to, &row, &chunk, (lp_slice){carry, sizeof(carry)}), LP_OK);
        rollup_fini(&sums);
    }
}

int
reconcile_rig_setup(void **state)
{
    reconcile_rig *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    for (uint32_t i = 0; i < RECONCILE_CHUNKS; i++) {
        make_chunk(&f->chunks[i], i);
    }
    catalog *to = reconcile_rig_open_catalog(f);
    blobs *chunks = reconcile_rig_open_blobs(f);
    for (unsigned s = 0; s < RECONCILE_SESSIONS; s++) {
        reconcile_rig_store(f, to, chunks, s);
    }
    blobs_close(chunks);
    catalog_close(to);
    *state = f;
    return 0;
}

int
reconcile_rig_teardown(void **state)
{
    reconcile_rig *f = *state;
    for (uint32_t i = 0; i < RECONCILE_CHUNKS; i++) {
        lp_buf_fini(&f->chunks[i]);
    }
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
on_finding(void *arg, const finding *found)
{
    reconcile_rig *f = arg;
    f->repaired += found->is_repaired ? 1 : 0;
    fprintf(stderr, "%s %s %u %s\n", finding_get_words(found->kind)->name,
        found->session_id ? found->session_id : "", found->ordinal, found->detail);
}

static bool
is_ending(void *arg)
{
    reconcile_rig *f = arg;
    if (f->looks > 0) {
        f->is_ending = --f->looks == 0 || f->is_ending;
    }
    return f->is_ending;
}

lp_err
reconcile_rig_try(reconcile_rig *f, bool is_repairing, bool is_thorough, lp_problem *out_problem)
{
    data_dir *dir;
    assert_int_equal(data_dir_open(f->dir.path, &dir, out_problem), LP_OK);
    f->repaired = 0;
    const reconcile_config config = {.dir = dir,
        .is_repairing = is_repairing,
        .is_thorough = is_thorough,
        .is_ending = is_ending,
        .on_finding = on_finding,
        .arg = f};
    lp_err err = reconcile_run(&config, &f->counts, out_problem);
    data_dir_close(dir);
    return err;
}

uint64_t
reconcile_rig_run(reconcile_rig *f, bool is_repairing, bool is_thorough)
{
    lp_problem problem;
    if (reconcile_rig_try(f, is_repairing, is_thorough, &problem) != LP_OK) {
        fail_msg("%s", problem.text);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < FINDING_COUNT; i++) {
        sum += f->counts.found[i];
    }
    return sum;
}

uint64_t
reconcile_rig_start(reconcile_rig *f)
{
    return reconcile_rig_run(f, true, false);
}

static void
note_session(void *arg, const catalog_session *row)
{
    reconcile_known *k = arg;
    k->row = *row;
    (void)snprintf(k->service, sizeof(k->service), "%s", row->service);
}

static void
note_chunk(void *arg, const catalog_chunk *chunk)
{
    reconcile_known *k = arg;
    assert_true(chunk->ordinal < RECONCILE_CHUNKS + 2);
    k->hashes[chunk->ordinal] = chunk->content_hash;
    k->lost += chunk->is_lost ? 1 : 0;
    k->chunks++;
}

void
reconcile_rig_watch_syncs(void (*on_sync)(const char *path))
{
    fake_sync_on_call = on_sync;
}

reconcile_known
reconcile_rig_look(const reconcile_rig *f, unsigned session)
{
    reconcile_known k = {0};
    const reconcile_id id = reconcile_rig_id(session);
    catalog *from = reconcile_rig_open_catalog(f);
    assert_int_equal(catalog_find(from, id.text, note_session, &k), LP_OK);
    assert_int_equal(catalog_list_chunks(from, id.text, note_chunk, &k), LP_OK);
    catalog_close(from);
    return k;
}

void
reconcile_rig_check_whole(const reconcile_rig *f)
{
    for (unsigned s = 0; s < RECONCILE_SESSIONS; s++) {
        const reconcile_known k = reconcile_rig_look(f, s);
        assert_int_equal(k.chunks, RECONCILE_CHUNKS);
        assert_int_equal(k.lost, 0);
        assert_int_equal(k.row.next_chunk, RECONCILE_CHUNKS);
        for (uint32_t i = 0; i < RECONCILE_CHUNKS; i++) {
            assert_true(k.hashes[i] == blobs_hash(lp_buf_slice(&f->chunks[i])));
        }
    }
}
