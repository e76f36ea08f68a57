// SPDX-License-Identifier: Apache-2.0
// Making the index of ids whole again: it has what the stored chunks have, also where a segment was
// damaged, and reads no more than it has to; a chunk that cannot be read is said, and stays without
// cover.

#include "support/jfr_orders.h"
#include "support/jfr_sample.h"
#include "support/temp_dir.h"

#include "collector/index/id_index.h"
#include "collector/mend/reindex.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const int64_t SECOND_NS = 1000000000;
static const int64_t START_NS = 1795392000000000000;
static const char session_id[] = "00112233445566778899aabbccddeeff";

typedef struct fixture {
    temp_dir dir;
    char ids_path[300];
    unsigned unreadable;
} fixture;

// make_chunk makes a chunk with id and "shared" as ids of traces, and an order 7 whose number is an
// id if is_marked.
static void
make_chunk(lp_buf *out, int64_t start_wall_ns, const char *id, bool is_marked)
{
    jfr_build build;
    jfr_build_type types[JFR_ORDERS_TYPES_MAX];
    size_t type_count = jfr_orders_types(types);
    jfr_build_begin(&build, &(jfr_build_clock){.start_ticks = start_wall_ns,
                                .ticks_per_s = SECOND_NS,
                                .start_wall_ns = start_wall_ns,
                                .duration_ns = SECOND_NS});
    jfr_build_metadata(&build, 1, types, type_count);
    jfr_sample_thread(&build, 1, 11);
    for (int64_t i = 0; i < 3; i++) {
        jfr_sample_event(&build, &(jfr_sample){.type = JFR_SAMPLE_TRACE,
                                     .start = start_wall_ns + i,
                                     .end = start_wall_ns + i + 5,
                                     .thread = 1,
                                     .text = i == 1 ? "shared" : id});
    }
    jfr_orders_add(&build, start_wall_ns, 5, 7, "8");
    if (is_marked) {
        jfr_orders_mark(&build, start_wall_ns, "orderId");
    }
    jfr_build_checkpoint(&build);
    lp_slice chunk = jfr_build_finish(&build);
    lp_buf_append(out, chunk.ptr, chunk.len);
    assert_int_equal(lp_buf_check(out), LP_OK);
    jfr_build_fini(&build);
}

// store makes a data directory with a recording of three chunks, with the ids a, b and c. In the
// third one orders have ids.
static void
store(const fixture *f)
{
    static const char *const ids[] = {"a", "b", "c"};
    static char none[] = "";
    char path[300];
    catalog *to;
    blobs *chunks;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->dir.path);
    assert_int_equal(catalog_open(path, &to, NULL), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/chunks", f->dir.path);
    assert_int_equal(blobs_open(path, &chunks, NULL), LP_OK);
    catalog_session session = {.service = none,
        .instance = none,
        .jvm_name = none,
        .jvm_version = none,
        .start_wall_ns = START_NS};
    memcpy(session.id, session_id, sizeof(session_id));
    assert_int_equal(catalog_put_session(to, &session), LP_OK);
    for (uint32_t i = 0; i < 3; i++) {
        lp_buf bytes = {0};
        make_chunk(&bytes, START_NS + i * SECOND_NS, ids[i], i == 2);
        catalog_chunk chunk = {.ordinal = i,
            .start_wall_ns = START_NS + i * SECOND_NS,
            .duration_ns = SECOND_NS,
            .size_bytes = bytes.len,
            .content_hash = blobs_hash(lp_buf_slice(&bytes)),
            .types_json = "{}"};
        assert_int_equal(blobs_put(chunks, session_id, i, lp_buf_slice(&bytes), NULL), LP_OK);
        session.next_chunk = i + 1;
        assert_int_equal(catalog_add_chunk(to, &session, &chunk, (lp_slice){0}), LP_OK);
        lp_buf_fini(&bytes);
    }
    blobs_close(chunks);
    catalog_close(to);
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->ids_path, sizeof(f->ids_path), "%s/ids", f->dir.path);
    store(f);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static void
on_unreadable(void *arg, const char *session, uint32_t ordinal, const char *why)
{
    assert_string_equal(session, session_id);
    assert_int_equal(ordinal, 1);
    assert_non_null(why);
    ((fixture *)arg)->unreadable++;
}

static reindex_counts
rebuild(fixture *f)
{
    const reindex_config config = {
        .data_dir = f->dir.path, .on_unreadable = on_unreadable, .arg = f};
    reindex_counts counts;
    lp_problem problem;
    assert_int_equal(reindex_run(&config, &counts, &problem), LP_OK);
    return counts;
}

static void
on_chunk(void *arg, const char *session, uint32_t ordinal)
{
    assert_string_equal(session, session_id);
    *(unsigned *)arg |= 1U << ordinal;
}

// The index of the directory, as a collector has it.
typedef struct known {
    catalog *from;
    id_index *index;
    id_search_counts counts; // of the last search
} known;

static known
open_known(const fixture *f)
{
    known k = {.from = NULL};
    char path[300];
    bool is_new;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->dir.path);
    const id_index_config config = {.dir = f->ids_path, .catalog_place = path};
    assert_int_equal(catalog_open(path, &k.from, NULL), LP_OK);
    assert_int_equal(id_index_open(&config, &k.index, &is_new, NULL), LP_OK);
    return k;
}

static void
close_known(known *k)
{
    id_index_close(k->index);
    catalog_close(k->from);
}

// find returns the chunks that have an id, by bit.
static unsigned
find(known *k, const char *id)
{
    unsigned found = 0;
    id_search search = {
        .from_wall_ns = INT64_MIN, .to_wall_ns = INT64_MAX, .on_chunk = on_chunk, .arg = &found};
    id_search_seen seen = {.of = NULL};
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &search.hash));
    assert_int_equal(id_index_find(k->index, k->from, &search, &seen, &k->counts), LP_OK);
    id_search_seen_fini(&seen);
    return found;
}

static void
count_segment(void *arg, const catalog_segment *segment)
{
    (void)segment;
    ++*(unsigned *)arg;
}

// gather has the index look until it has so many segments.
static void
gather(known *k, unsigned segments)
{
    unsigned count = 0;
    for (uint64_t mono_ms = 0; count != segments; mono_ms += ID_INDEX_LOOK_MS) {
        id_index_tick(k->index, k->from, START_NS, mono_ms);
        (void)sched_yield();
        count = 0;
        assert_int_equal(
            catalog_segments_list(k->from, INT64_MIN, INT64_MAX, count_segment, &count), LP_OK);
    }
}

static void
check_all(known *k)
{
    assert_int_equal(find(k, "a"), 1);
    assert_int_equal(find(k, "B"), 2);
    assert_int_equal(find(k, "c"), 4);
    assert_int_equal(find(k, "shared"), 7);
    assert_int_equal(find(k, "d"), 0);
    assert_int_equal(find(k, "7"), 4);
    assert_int_equal(find(k, "8"), 0);
    assert_int_equal(k->counts.uncovered, 0);
    assert_int_equal(k->counts.damaged, 0);
}

static bool
is_bad(const fixture *f)
{
    char path[300];
    catalog *from;
    bool is_found;
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->dir.path);
    assert_int_equal(catalog_open_reader(path, &from, NULL), LP_OK);
    assert_int_equal(reindex_check(from, f->ids_path, &is_found, NULL), LP_OK);
    catalog_close(from);
    return is_found;
}

static void
test_the_index_has_what_the_chunks_have(void **state)
{
    fixture *f = *state;
    assert_true(is_bad(f));
    for (unsigned i = 0; i < 3; i++) { // then as rows, then in a segment
        const reindex_counts counts = rebuild(f);
        assert_int_equal(counts.chunks, i == 0 ? 3 : 0); // no more than has to be
        assert_int_equal(counts.ids, i == 0 ? 7 : 0);
        assert_int_equal(counts.unreadable, 0);
        assert_false(is_bad(f));
        known k = open_known(f);
        check_all(&k);
        gather(&k, 1);
        check_all(&k);
        assert_int_equal(k.counts.segments, 1);
        close_known(&k);
        assert_false(is_bad(f));
    }
}

static void
test_a_chunk_that_is_lost_is_no_fault_of_the_index(void **state)
{
    fixture *f = *state;
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->dir.path);
    for (uint32_t i = 0; i < 3; i++) {
        catalog *to;
        bool has_changed;
        assert_true(is_bad(f));
        assert_int_equal(catalog_open(path, &to, NULL), LP_OK);
        assert_int_equal(catalog_lose_chunk(to, session_id, i, true, &has_changed), LP_OK);
        catalog_close(to);
    }
    assert_false(is_bad(f));
    const reindex_counts counts = rebuild(f);
    assert_int_equal(counts.chunks + counts.unreadable, 0);
}

// damage_segments changes a byte of each segment.
static void
damage_segments(const fixture *f)
{
    char path[600];
    DIR *dir = opendir(f->ids_path);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix != NULL && strcmp(suffix, ".ids") == 0) {
            (void)snprintf(path, sizeof(path), "%s/%s", f->ids_path, entry->d_name);
            int fd = open(path, O_RDWR | O_CLOEXEC);
            assert_int_equal(pwrite(fd, "x", 1, 9000), 1);
            assert_int_equal(close(fd), 0);
        }
    }
    assert_int_equal(closedir(dir), 0);
}

static void
test_a_segment_that_is_damaged_is_made_again(void **state)
{
    fixture *f = *state;
    (void)rebuild(f);
    known k = open_known(f);
    gather(&k, 1);
    close_known(&k);
    damage_segments(f);
    assert_true(is_bad(f));
    assert_int_equal(rebuild(f).chunks, 3);
    assert_false(is_bad(f));
    k = open_known(f);
    check_all(&k);
    close_known(&k);
}

static void
test_an_unreadable_chunk_is_said(void **state)
{
    fixture *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/chunks/%s/1.jfr.zst", f->dir.path, session_id);
    assert_int_equal(truncate(path, 10), 0);
    const reindex_counts counts = rebuild(f);
    assert_int_equal(counts.unreadable, 1);
    assert_int_equal(f->unreadable, 1);
    known k = open_known(f);
    assert_int_equal(find(&k, "a"), 3); // who reads the second one sees
    assert_int_equal(k.counts.uncovered, 1);
    assert_int_equal(find(&k, "shared"), 7);
    close_known(&k);
}

static void
test_a_directory_that_is_none_is_not_made(void **state)
{
    const fixture *f = *state;
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/none", f->dir.path);
    reindex_counts counts;
    lp_problem problem;
    assert_int_equal(
        reindex_run(&(reindex_config){.data_dir = path}, &counts, &problem), LP_ENOENT);
    assert_int_equal(access(path, F_OK), -1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_index_has_what_the_chunks_have, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_segment_that_is_damaged_is_made_again, setup, teardown),
        cmocka_unit_test_setup_teardown(
            test_a_chunk_that_is_lost_is_no_fault_of_the_index, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_unreadable_chunk_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_directory_that_is_none_is_not_made, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
