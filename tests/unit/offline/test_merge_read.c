// SPDX-License-Identifier: Apache-2.0
// On any number of threads the merge is that of adding one chunk after the other; a chunk that
// cannot be read has no part in it. Each chunk has a type of its own under an id that all use, so
// that the ids in the file depend on the order, and the schema of one chunk is none for the others.
// Where memory runs out, that is told: no chunk is left out for it.

#include "inputs_fixture.h"
#include "support/compact_run.h"
#include "support/failing_alloc.h"
#include "support/jfr_sample.h"

#include "offline/merged_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNKS = 24, SOURCES = 5, THREADS_MAX = 4, OWN_TYPE = 200, CUT_BYTES = 100 };
enum { FEW = 6 }; // chunks, of two sources

typedef struct world {
    temp_dir dir;
    jfr_build builds[CHUNKS];
    inputs in; // the chunks, and one that is cut off
} world;

static void
build_chunk(jfr_build *build, int index)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    char name[32];
    size_t count = jfr_sample_types(types);
    (void)snprintf(name, sizeof(name), "test.Own%d", index);
    types[count++] = (jfr_build_type){.id = OWN_TYPE, .name = name, .super = "jdk.jfr.Event"};
    int64_t start = INT64_C(7000000000) * index;
    jfr_build_begin(build,
        &(jfr_build_clock){
            .start_ticks = start, .start_wall_ns = 1700000000000000000 + start, .duration_ns = 1});
    jfr_build_metadata(build, 1, types, count);
    jfr_sample_thread(build, 1, 1);
    jfr_build_checkpoint(build);
}

static bool
on_note(void *arg, const input_note *note)
{
    (void)arg;
    return note->kind == INPUT_NOTE_CUT;
}

static int
set_up(void **state)
{
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    w->dir = temp_dir_make();
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/a.jfr", w->dir.path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    for (int i = 0; i < CHUNKS; i++) {
        build_chunk(&w->builds[i], i);
        lp_slice chunk = jfr_build_finish(&w->builds[i]);
        assert_int_equal(write(fd, chunk.ptr, chunk.len), chunk.len);
    }
    jfr_build cut;
    build_chunk(&cut, CHUNKS);
    assert_int_equal(write(fd, jfr_build_finish(&cut).ptr, CUT_BYTES), CUT_BYTES);
    (void)close(fd);
    jfr_build_fini(&cut);

    char *paths[] = {path};
    const char *name;
    lp_problem problem;
    assert_int_equal(inputs_open(&w->in, paths, 1, on_note, NULL, &name, &problem), LP_OK);
    assert_int_equal(w->in.chunks.count, CHUNKS + 1);
    for (size_t i = 0; i <= CHUNKS; i++) {
        w->in.chunks.items[i].session = (uint32_t)(i * SOURCES / (CHUNKS + 1));
    }
    *state = w;
    return 0;
}

static int
tear_down(void **state)
{
    world *w = *state;
    inputs_fixture_end(&w->in, w->builds, CHUNKS, &w->dir);
    free(w);
    return 0;
}

static void
expect_same(const world *w, const compact_merge *found, const compact_merge *want)
{
    assert_int_equal(compact_merge_zero_wall_ns(found), compact_merge_zero_wall_ns(want));
    for (size_t i = 0; i < CHUNKS; i++) {
        const input_chunk *chunk = &w->in.chunks.items[i];
        compact_view view;
        assert_int_equal(compact_view_open_enumerations(&view, chunk->bytes, NULL, NULL), LP_OK);
        const uint64_t *ids = compact_merge_find_ids(found, chunk->session, view.schema);
        const uint64_t *others = compact_merge_find_ids(want, chunk->session, view.schema);
        size_t count = view.schema->metadata.types.count;
        assert_true(ids != NULL && others != NULL && count > 0);
        assert_memory_equal(ids, others, count * sizeof(*ids));
        const compact_schema *schema = compact_merge_find_schema(found, chunk->bytes);
        assert_true(schema != NULL && compact_schema_is_like(schema, view.schema));
        compact_view_close(&view);
    }
}

static void
test_any_number_of_threads_makes_the_same_merge(void **state)
{
    const world *w = *state;
    compact_merge *want = compact_merge_create(SOURCES);
    assert_non_null(want);
    for (size_t i = 0; i < CHUNKS; i++) {
        const input_chunk *chunk = &w->in.chunks.items[i];
        assert_int_equal(compact_run_add_to_merge(want, chunk->session, chunk->bytes, NULL), LP_OK);
    }
    assert_int_equal(compact_merge_number(want), LP_OK);
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        compact_merge *found = compact_merge_create(SOURCES);
        assert_non_null(found);
        assert_int_equal(merge_read(&w->in, NULL, threads, found), LP_OK);
        assert_int_equal(compact_merge_number(found), LP_OK);
        expect_same(w, found, want);
        assert_null(compact_merge_find_schema(found, w->in.chunks.items[CHUNKS].bytes));
        compact_merge_destroy(found);
    }
    compact_merge_destroy(want);
}

static void
test_every_allocation_failure_is_told(void **state)
{
    const world *w = *state;
    inputs in = w->in; // each failure reads all chunks before it once more
    in.chunks.count = FEW;
    lp_err err = LP_ENOMEM;
    size_t nth = 0;
    while (err != LP_OK) {
        compact_merge *merge = compact_merge_create(SOURCES);
        assert_non_null(merge);
        allocations_left = ++nth;
        err = merge_read(&in, NULL, 1, merge);
        bool has_failed = allocations_left == 0;
        allocations_left = 0;
        assert_int_equal(err, has_failed ? LP_ENOMEM : LP_OK);
        compact_merge_destroy(merge);
    }
    assert_true(nth > FEW);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_any_number_of_threads_makes_the_same_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_allocation_failure_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("merge_read", tests, NULL, NULL);
}
