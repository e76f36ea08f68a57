// SPDX-License-Identifier: Apache-2.0
// Chunks of several files come out session by session in the order of time, each once; whatever is
// not as it should be is told with its file, offset and size, and whoever is told can end it. Files
// are known again by whatever name. The chunks are real ones of one JVM, a second long each.

#include "inputs_fixture.h"
#include "support/jfr_sample.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CHUNKS = 4, NOTES_MAX = 4, FILES_MAX = 3 };

typedef struct world {
    temp_dir dir;
    jfr_build builds[CHUNKS];
    lp_slice chunks[CHUNKS];
    char paths[FILES_MAX][300];
    size_t file_count;
    inputs in;
    // What was told:
    input_note notes[NOTES_MAX];
    char texts[NOTES_MAX][256];
    size_t note_count;
    size_t end_after; // on_note wants no more then
} world;

static int
set_up(void **state)
{
    world *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    w->dir = temp_dir_make();
    w->end_after = SIZE_MAX;
    for (size_t i = 0; i < CHUNKS; i++) {
        jfr_sample_begin(&w->builds[i], (int64_t)i * 1000000000);
        jfr_sample_thread(&w->builds[i], 1, 1);
        (void)jfr_sample_event(
            &w->builds[i], &(jfr_sample){.type = JFR_SAMPLE_PLAIN, .thread = 1, .text = "x"});
        jfr_build_checkpoint(&w->builds[i]);
        w->chunks[i] = jfr_build_finish(&w->builds[i]);
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

// add_file makes the next input of the pieces up to one without bytes.
static const char *
add_file(world *w, const lp_slice *pieces)
{
    char *path = w->paths[w->file_count];
    const temp_dir dir = w->dir;
    (void)snprintf(path, sizeof(w->paths[0]), "%s/%c.jfr", dir.path, 'a' + (int)w->file_count++);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    for (; pieces->len > 0; pieces++) {
        assert_int_equal(write(fd, pieces->ptr, pieces->len), pieces->len);
    }
    (void)close(fd);
    return path;
}

#define FILE_OF(w, ...) add_file(w, (const lp_slice[]){__VA_ARGS__, {NULL, 0}})

static bool
on_note(void *arg, const input_note *note)
{
    world *w = arg;
    assert_true(w->note_count < NOTES_MAX);
    (void)snprintf(w->texts[w->note_count], sizeof(w->texts[0]), "%s", note->text);
    w->notes[w->note_count++] = *note;
    return w->note_count < w->end_after;
}

static lp_err
open_all(world *w)
{
    char *paths[FILES_MAX];
    const char *name;
    lp_problem problem;
    for (size_t i = 0; i < w->file_count; i++) {
        paths[i] = w->paths[i];
    }
    return inputs_open(&w->in, paths, w->file_count, on_note, w, &name, &problem);
}

static void
expect_chunk(const world *w, size_t index, const char *path, uint64_t offset, lp_slice bytes)
{
    const input_chunk *found = &w->in.chunks.items[index];
    assert_true(index < w->in.chunks.count);
    assert_string_equal(found->file->name, path);
    assert_int_equal(found->offset, offset);
    assert_int_equal(found->bytes.len, bytes.len);
    assert_memory_equal(found->bytes.ptr, bytes.ptr, bytes.len);
    assert_int_equal(found->session, 0);
}

static void
expect_note(const world *w, input_note_kind kind, const char *path, uint64_t offset, uint64_t size)
{
    assert_int_equal(w->note_count, 1);
    assert_int_equal(w->notes[0].kind, kind);
    assert_string_equal(w->notes[0].name, path);
    assert_int_equal(w->notes[0].offset, offset);
    assert_int_equal(w->notes[0].size_bytes, size);
}

static void
test_chunks_of_several_files_are_in_the_order_of_time(void **state)
{
    world *w = *state;
    const char *a = FILE_OF(w, w->chunks[2]);
    const char *b = FILE_OF(w, w->chunks[0], w->chunks[1]);
    assert_int_equal(open_all(w), LP_OK);
    assert_int_equal(w->note_count, 0);
    assert_int_equal(w->in.session_count, 1);
    assert_int_equal(w->in.chunks.count, 3);
    expect_chunk(w, 0, b, 0, w->chunks[0]);
    expect_chunk(w, 1, b, w->chunks[0].len, w->chunks[1]);
    expect_chunk(w, 2, a, 0, w->chunks[2]);
}

static void
test_a_chunk_of_two_files_is_taken_once(void **state)
{
    world *w = *state;
    const char *a = FILE_OF(w, w->chunks[0], w->chunks[1]);
    const char *b = FILE_OF(w, w->chunks[1], w->chunks[2]);
    char text[512];
    assert_int_equal(open_all(w), LP_OK);
    assert_int_equal(w->in.chunks.count, 3);
    expect_chunk(w, 1, a, w->chunks[0].len, w->chunks[1]);
    expect_chunk(w, 2, b, w->chunks[1].len, w->chunks[2]);
    expect_note(w, INPUT_NOTE_DUPLICATE, b, 0, w->chunks[1].len);
    (void)snprintf(
        text, sizeof(text), "this chunk is in %s as well, at offset %zu", a, w->chunks[0].len);
    assert_string_equal(w->texts[0], text);
}

static void
test_a_chunk_that_is_cut_is_told_and_taken(void **state)
{
    world *w = *state;
    lp_slice cut = {w->chunks[1].ptr, w->chunks[1].len - 1};
    const char *a = FILE_OF(w, w->chunks[0], cut);
    assert_int_equal(open_all(w), LP_OK);
    expect_chunk(w, 1, a, w->chunks[0].len, cut);
    expect_note(w, INPUT_NOTE_CUT, a, w->chunks[0].len, cut.len);
    assert_null(w->in.chunks.items[0].damage);
    assert_string_equal(w->in.chunks.items[1].damage->text, w->texts[0]);
    assert_int_equal(w->in.chunks.items[1].damage->offset, w->chunks[0].len);
}

static void
test_bytes_of_no_chunk_are_told(void **state)
{
    world *w = *state;
    const lp_slice garbage = {(const uint8_t *)"garbage", 7};
    const char *a = FILE_OF(w, w->chunks[0], garbage, w->chunks[1]);
    assert_int_equal(open_all(w), LP_OK);
    assert_int_equal(w->in.chunks.count, 2);
    expect_chunk(w, 1, a, w->chunks[0].len + 7, w->chunks[1]);
    expect_note(w, INPUT_NOTE_SKIPPED, a, w->chunks[0].len, 7);
}

static void
test_an_empty_file_is_told(void **state)
{
    world *w = *state;
    const char *a = FILE_OF(w, {NULL, 0});
    assert_int_equal(open_all(w), LP_OK);
    assert_int_equal(w->in.chunks.count, 0);
    expect_note(w, INPUT_NOTE_SKIPPED, a, 0, 0);
    assert_string_equal(w->texts[0], "the file is empty");
}

static void
test_who_is_told_can_end_it(void **state)
{
    world *w = *state;
    (void)FILE_OF(w, {NULL, 0});
    (void)FILE_OF(w, {NULL, 0});
    w->end_after = 1;
    assert_int_equal(open_all(w), LP_ECLOSED);
    assert_int_equal(w->note_count, 1);
}

static void
test_the_file_that_cannot_be_opened_is_named(void **state)
{
    world *w = *state;
    const char *name;
    lp_problem problem;
    char missing[] = "/nowhere/at/all.jfr";
    (void)FILE_OF(w, w->chunks[0]);
    char *paths[] = {w->paths[0], missing};
    assert_int_equal(inputs_open(&w->in, paths, 2, on_note, w, &name, &problem), LP_ENOENT);
    assert_ptr_equal(name, missing);
    assert_string_equal(problem.text, "No such file or directory");
}

static void
test_an_input_is_known_by_whatever_name(void **state)
{
    world *w = *state;
    char link_path[320];
    char other[320];
    const char *a = FILE_OF(w, w->chunks[0]);
    (void)snprintf(link_path, sizeof(link_path), "%s/link", w->dir.path);
    (void)snprintf(other, sizeof(other), "%s/./a.jfr", w->dir.path);
    assert_int_equal(symlink(a, link_path), 0);
    assert_int_equal(open_all(w), LP_OK);
    assert_true(inputs_have(&w->in, a));
    assert_true(inputs_have(&w->in, other));
    assert_true(inputs_have(&w->in, link_path));
    assert_false(inputs_have(&w->in, w->dir.path));
    assert_false(inputs_have(&w->in, "/nowhere/at/all.jfr"));
}

static void
test_an_input_that_was_truncated_is_named(void **state)
{
    world *w = *state;
    const char *name = NULL;
    lp_problem problem;
    (void)FILE_OF(w, w->chunks[0]);
    const char *b = FILE_OF(w, w->chunks[1]);
    assert_int_equal(open_all(w), LP_OK);
    assert_int_equal(inputs_check(&w->in, &name, &problem), LP_OK);
    assert_int_equal(truncate(b, (off_t)w->chunks[1].len - 1), 0);
    assert_int_equal(inputs_check(&w->in, &name, &problem), LP_EIO);
    assert_string_equal(name, b);
}

static void
test_problems_of_a_chunk_lie_in_its_file(void **state)
{
    (void)state;
    const input_chunk chunk = {.offset = 1000};
    lp_problem problem = {.offset = 7, .has_offset = true, .text = "bad"};
    lp_problem located = inputs_locate(&chunk, &problem);
    assert_true(located.has_offset);
    assert_int_equal(located.offset, 1007);
    assert_string_equal(located.text, "bad");
    problem.has_offset = false;
    located = inputs_locate(&chunk, &problem);
    assert_true(located.has_offset);
    assert_int_equal(located.offset, 1000);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_chunks_of_several_files_are_in_the_order_of_time),
        TEST(test_a_chunk_of_two_files_is_taken_once),
        TEST(test_a_chunk_that_is_cut_is_told_and_taken),
        TEST(test_bytes_of_no_chunk_are_told),
        TEST(test_an_empty_file_is_told),
        TEST(test_who_is_told_can_end_it),
        TEST(test_the_file_that_cannot_be_opened_is_named),
        TEST(test_an_input_is_known_by_whatever_name),
        TEST(test_an_input_that_was_truncated_is_named),
        cmocka_unit_test(test_problems_of_a_chunk_lie_in_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
