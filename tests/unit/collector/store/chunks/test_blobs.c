// SPDX-License-Identifier: Apache-2.0
// Blobs: a chunk is read back in any pieces and order, and any zstd can unpack it. Each flipped bit
// and each truncation is noticed. A replaced chunk stays readable while it is open. Only a session
// id gets into a path. Files of a killed process do no harm. Each failing allocation is handled.

#include "support/failing_alloc.h"
#include "support/files.h"
#include "support/temp_dir.h"

#include "collector/store/chunks/blobs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

static const char id[] = "00112233445566778899aabbccddeeff";

typedef struct fixture {
    temp_dir dir;
    char blobs_path[300];
    blobs *blobs;
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->blobs_path, sizeof(f->blobs_path), "%s/blobs", f->dir.path);
    assert_int_equal(blobs_open(f->blobs_path, &f->blobs, NULL), LP_OK);
    blobs_set_durable(f->blobs, false); // no power cuts here
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    blobs_close(f->blobs);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static lp_slice
slice_of(const char *text)
{
    return (lp_slice){.ptr = (const uint8_t *)text, .len = strlen(text)};
}

static blob_name
name_of(uint32_t ordinal, lp_slice content)
{
    return (blob_name){.session_id = id,
        .ordinal = ordinal,
        .size_bytes = content.len,
        .content_hash = blobs_hash(content)};
}

static lp_err
open_chunk(const fixture *f, uint32_t ordinal, lp_slice content, blob **out_blob)
{
    const blob_name name = name_of(ordinal, content);
    return blobs_open_chunk(f->blobs, &name, out_blob);
}

static void
put(const fixture *f, uint32_t ordinal, lp_slice content)
{
    assert_int_equal(blobs_put(f->blobs, id, ordinal, content, NULL), LP_OK);
}

// assert_reads reads all of an open chunk, and closes it.
static void
assert_reads(blob *chunk, const char *expected)
{
    char bytes[64] = {0};
    assert_int_equal(blob_read(chunk, 0, bytes, strlen(expected)), LP_OK);
    assert_string_equal(bytes, expected);
    blob_close(chunk);
}

static void
path_of(const fixture *f, const char *name, char out_path[400])
{
    (void)snprintf(out_path, 400, "%s/%s/%s", f->blobs_path, id, name);
}

// make_content makes bytes that pack moderately, optionally more than the window.
static lp_buf
make_content(size_t size_bytes)
{
    lp_buf made = {0};
    uint8_t *to = lp_buf_extend(&made, size_bytes);
    assert_non_null(to);
    uint64_t x = 1;
    for (size_t i = 0; i < size_bytes; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        to[i] = i >= 5000 && (i / 1000) % 2 == 0 ? to[i - 5000] : (uint8_t)(x >> 56 & 63);
    }
    return made;
}

static void
test_what_was_put_is_read_back(void **state)
{
    const fixture *f = *state;
    blob *chunk;
    assert_int_equal(open_chunk(f, 0, slice_of("first"), &chunk), LP_ENOENT);
    put(f, 0, slice_of("first"));
    put(f, 4294967295, slice_of("last"));
    put(f, 7, (lp_slice){0});

    assert_int_equal(open_chunk(f, 0, slice_of("first"), &chunk), LP_OK);
    assert_reads(chunk, "first");
    assert_int_equal(open_chunk(f, 4294967295, slice_of("last"), &chunk), LP_OK);
    assert_reads(chunk, "last");
    assert_int_equal(open_chunk(f, 7, (lp_slice){0}, &chunk), LP_OK);
    blob_close(chunk);
    assert_int_equal(open_chunk(f, 1, (lp_slice){0}, &chunk), LP_ENOENT);
}

static void
test_a_replaced_chunk_stays_for_those_who_have_it_open(void **state)
{
    const fixture *f = *state;
    blob *old_chunk;
    blob *new_chunk;
    put(f, 3, slice_of("old"));
    assert_int_equal(open_chunk(f, 3, slice_of("old"), &old_chunk), LP_OK);
    put(f, 3, slice_of("newer"));
    assert_int_equal(open_chunk(f, 3, slice_of("newer"), &new_chunk), LP_OK);
    assert_reads(old_chunk, "old");
    assert_reads(new_chunk, "newer");
}

static void
test_chunks_are_read_in_any_pieces(void **state)
{
    const fixture *f = *state;
    static const size_t sizes[] = {1, 67, 68, 69, 70, 70000, 3 << 20};
    static const size_t steps[] = {1 << 16, 4096, 67, 1 << 22};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        lp_buf content = make_content(sizes[i]);
        put(f, (uint32_t)i, lp_buf_slice(&content));
        uint8_t *out = malloc(sizes[i]);
        for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
            blob *chunk;
            assert_int_equal(open_chunk(f, (uint32_t)i, lp_buf_slice(&content), &chunk), LP_OK);
            for (size_t at = 0; at < sizes[i];) {
                size_t more = sizes[i] - at < steps[k] ? sizes[i] - at : steps[k];
                assert_int_equal(blob_read(chunk, at, out + at, more), LP_OK);
                at += more;
            }
            assert_memory_equal(out, content.ptr, sizes[i]);
            blob_close(chunk);
        }
        free(out);
        lp_buf_fini(&content);
    }
}

static void
test_chunks_are_read_from_any_place(void **state)
{
    const fixture *f = *state;
    enum { SIZE = 300000 };
    lp_buf content = make_content(SIZE);
    blob *chunk;
    put(f, 0, lp_buf_slice(&content));
    static const struct {
        size_t offset;
        size_t size;
    } reads[] = {{0, 68}, {SIZE - 1, 1}, {68, 1}, {0, 1}, {200000, 50000}, {250000, 50000},
        {100, 299900}, {0, SIZE}, {67, 2}};
    static uint8_t out[SIZE];
    assert_int_equal(open_chunk(f, 0, lp_buf_slice(&content), &chunk), LP_OK);
    for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
        memset(out, 0, SIZE);
        assert_int_equal(blob_read(chunk, reads[i].offset, out, reads[i].size), LP_OK);
        assert_memory_equal(out, content.ptr + reads[i].offset, reads[i].size);
    }
    blob_close(chunk);
    lp_buf_fini(&content);
}

static void
test_any_zstd_unpacks_chunks(void **state)
{
    const fixture *f = *state;
    enum { SIZE = 200000 };
    lp_buf content = make_content(SIZE);
    blobs_stored stored;
    char path[400];
    assert_int_equal(blobs_put(f->blobs, id, 0, lp_buf_slice(&content), &stored), LP_OK);
    assert_true(stored.content_hash == blobs_hash(lp_buf_slice(&content)));
    path_of(f, "0.jfr.zst", path);
    lp_buf packed = {0};
    files_read(path, &packed);
    assert_int_equal(packed.len, stored.stored_bytes);
    assert_true(packed.len < SIZE);
    static uint8_t out[SIZE + 1];
    assert_int_equal(ZSTD_decompress(out, sizeof(out), packed.ptr, packed.len), SIZE);
    assert_memory_equal(out, content.ptr, SIZE);
    // The header of a JFR chunk has 68 bytes.
    assert_int_equal(ZSTD_getFrameContentSize(packed.ptr, packed.len), 68);
    lp_buf_fini(&packed);
    lp_buf_fini(&content);
}

// read_whole reads chunk 0 in blocks, as a download does. If it reads the end, the content is
// right.
static lp_err
read_whole(const fixture *f, lp_slice content)
{
    static uint8_t block[1000];
    blob *chunk;
    lp_err err = open_chunk(f, 0, content, &chunk);
    if (err != LP_OK) {
        return err;
    }
    for (size_t at = 0; at < content.len && err == LP_OK;) {
        size_t more = content.len - at < sizeof(block) ? content.len - at : sizeof(block);
        err = blob_read(chunk, at, block, more);
        assert_true(
            err != LP_OK || at + more < content.len || memcmp(block, content.ptr + at, more) == 0);
        at += more;
    }
    blob_close(chunk);
    return err;
}

static void
test_damage_anywhere_is_noticed(void **state)
{
    const fixture *f = *state;
    lp_buf content = make_content(400);
    char path[400];
    put(f, 0, lp_buf_slice(&content));
    path_of(f, "0.jfr.zst", path);
    lp_buf packed = {0};
    files_read(path, &packed);
    assert_int_equal(read_whole(f, lp_buf_slice(&content)), LP_OK);
    size_t harmless = 0;
    for (size_t i = 0; i < 8 * packed.len; i++) {
        packed.ptr[i / 8] ^= (uint8_t)(1 << i % 8);
        files_write(path, packed.ptr, packed.len);
        lp_err err = read_whole(f, lp_buf_slice(&content));
        assert_true(err == LP_ECORRUPT || err == LP_OK);
        harmless += err == LP_OK;
        packed.ptr[i / 8] ^= (uint8_t)(1 << i % 8);
    }
    assert_true(harmless < 16); // a frame's head has unused bits and the window's size
    for (size_t len = 0; len < packed.len; len++) {
        files_write(path, packed.ptr, len);
        assert_int_equal(read_whole(f, lp_buf_slice(&content)), LP_ECORRUPT);
    }
    lp_buf_append(&packed, "", 1);
    files_write(path, packed.ptr, packed.len);
    assert_int_equal(read_whole(f, lp_buf_slice(&content)), LP_ECORRUPT);
    lp_buf_fini(&packed);
    lp_buf_fini(&content);
}

// try_all stores and reads a chunk. Returns the first error
static lp_err
try_all(const fixture *f, lp_slice content)
{
    const blob_name name = name_of(0, content);
    lp_buf bytes = {0};
    lp_err err = blobs_put(f->blobs, id, 0, content, NULL);
    if (err == LP_OK) {
        err = blobs_read_chunk(f->blobs, &name, &bytes);
    }
    if (err == LP_OK) {
        assert_int_equal(bytes.len, content.len);
        assert_memory_equal(bytes.ptr, content.ptr, content.len);
    }
    lp_buf_fini(&bytes);
    return err;
}

static void
test_running_out_of_memory_is_clean(void **state)
{
    const fixture *f = *state;
    lp_buf content = make_content(2 << 20);
    size_t tries = 0;
    lp_err err;
    do {
        allocations_left = ++tries;
        err = try_all(f, lp_buf_slice(&content));
        assert_true(err == LP_OK || err == LP_ENOMEM);
    } while (allocations_left == 0);
    allocations_left = 0;
    assert_int_equal(err, LP_OK);
    assert_true(tries > 10);
    lp_buf_fini(&content);
}

static unsigned lost; // chunks reported as lost

static void
on_lost(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)arg;
    assert_string_equal(session_id, id);
    assert_int_equal(ordinal, 0);
    lost++;
}

// note_once reports a failed read, so that the chunk is read a second time.
static unsigned
note_once(const fixture *f, lp_slice content)
{
    const blob_name name = name_of(0, content);
    lost = 0;
    blobs_note_failure(f->blobs, &name, LP_ECORRUPT);
    return lost;
}

// A chunk is lost if a second read fails because of its file, not for lack of descriptors or
// memory.
static void
test_a_chunk_is_not_lost_for_want_of_memory_or_descriptors(void **state)
{
    const fixture *f = *state;
    char path[400];
    struct rlimit before;
    lp_buf content = make_content(400);
    const lp_slice bytes = lp_buf_slice(&content);
    put(f, 0, bytes);
    blobs_set_on_lost(f->blobs, on_lost, NULL);
    assert_int_equal(note_once(f, bytes), 0);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    unsigned without_descriptors = note_once(f, bytes);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(without_descriptors, 0);
    size_t tries = 0;
    do {
        allocations_left = ++tries;
        assert_int_equal(note_once(f, bytes), 0);
    } while (allocations_left == 0);
    allocations_left = 0;
    assert_true(tries > 1);
    path_of(f, "0.jfr.zst", path);
    assert_int_equal(truncate(path, 20), 0);
    assert_int_equal(note_once(f, bytes), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(note_once(f, bytes), 1);
    lp_buf_fini(&content);
}

static void
test_only_session_ids_become_paths(void **state)
{
    static const char *const bad[] = {
        "",
        ".",
        "..",
        "../../etc/passwd",
        "00112233445566778899aabbccddeef",   // one short
        "00112233445566778899aabbccddeeff0", // one long
        "00112233445566778899AABBCCDDEEFF",
        "../112233445566778899aabbccddeef",
        "00112233445566778899aabbccddee/f",
        "00112233445566778899aabbccddeeg0",
    };
    const fixture *f = *state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        blob *chunk = NULL;
        const blob_name name = {.session_id = bad[i], .size_bytes = 1};
        assert_int_equal(blobs_put(f->blobs, bad[i], 0, slice_of("x"), NULL), LP_ECORRUPT);
        assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_ENOENT);
        assert_null(chunk);
    }
}

static void
test_links_are_not_followed(void **state)
{
    const fixture *f = *state;
    blob *chunk;
    char path[400];
    put(f, 0, slice_of("x"));
    path_of(f, "1.jfr.zst", path);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_int_equal(open_chunk(f, 1, slice_of("x"), &chunk), LP_EIO);
}

static void
test_what_a_killed_writer_left_is_overwritten(void **state)
{
    const fixture *f = *state;
    char path[400];
    blob *chunk;
    put(f, 0, slice_of("zero"));
    path_of(f, "1.jfr.zst.tmp", path);
    files_write(path, "half of somethi", strlen("half of somethi"));

    assert_int_equal(open_chunk(f, 1, slice_of("whole"), &chunk), LP_ENOENT);
    put(f, 1, slice_of("whole"));
    assert_int_equal(open_chunk(f, 1, slice_of("whole"), &chunk), LP_OK);
    assert_reads(chunk, "whole");
    assert_int_equal(access(path, F_OK), -1);
}

static void
test_hashes_tell_contents_apart(void **state)
{
    (void)state;
    assert_true(blobs_hash(slice_of("a")) != blobs_hash(slice_of("b")));
    // XXH3 64 bits of no bytes with seed 0, from the algorithm's published test vectors.
    assert_true(blobs_hash((lp_slice){0}) == 0x2d06800538d394c2);
}

static void
test_spilled_bytes_have_no_name(void **state)
{
    const fixture *f = *state;
    struct stat info;
    int fd;
    assert_int_equal(blobs_spill(f->blobs, slice_of("spilled"), &fd), LP_OK);
    char bytes[8] = "";
    assert_int_equal(pread(fd, bytes, sizeof(bytes), 0), 7);
    assert_string_equal(bytes, "spilled");
    assert_int_equal(fstat(fd, &info), 0);
    assert_int_equal(info.st_nlink, 0);
    assert_int_equal(close(fd), 0);
}

static void
test_opening_says_what_is_wrong(void **state)
{
    const fixture *f = *state;
    lp_problem problem;
    blobs *opened;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/none/blobs", f->dir.path);
    assert_int_equal(blobs_open(path, &opened, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, path));
    assert_non_null(strstr(problem.text, "No such file or directory"));
    blobs_close(NULL);
}

static void
test_a_whole_chunk_is_read_or_refused(void **state)
{
    const fixture *f = *state;
    lp_buf bytes = {0};
    const blob_name good = name_of(3, slice_of("content"));
    const uint64_t hash = good.content_hash;
    put(f, 3, slice_of("content"));
    assert_int_equal(blobs_read_chunk(f->blobs, &good, &bytes), LP_OK);
    assert_int_equal(bytes.len, 7);
    assert_memory_equal(bytes.ptr, "content", 7);
    const struct {
        uint32_t ordinal;
        uint64_t size_bytes;
        uint64_t hash;
        lp_err err;
    } cases[] = {
        {4, 7, hash, LP_ENOENT},
        {3, 6, hash, LP_ECORRUPT},
        {3, 8, hash, LP_ECORRUPT},
        {3, 7, hash + 1, LP_ECORRUPT},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lp_buf_clear(&bytes);
        const blob_name name = {.session_id = id,
            .ordinal = cases[i].ordinal,
            .size_bytes = cases[i].size_bytes,
            .content_hash = cases[i].hash};
        assert_int_equal(blobs_read_chunk(f->blobs, &name, &bytes), cases[i].err);
    }
    lp_buf_fini(&bytes);
}

static void
test_editions_of_a_chunk_are_beside_each_other(void **state)
{
    const fixture *f = *state;
    lp_slice first = slice_of("some");
    lp_slice all = slice_of("all of it");
    blob_name name = {.session_id = id, .ordinal = 7, .place.offset = BLOB_EDITION_ALL};
    blob_name invalid = {.session_id = "../7", .place.offset = BLOB_EDITION_ALL};
    blob *chunk;
    put(f, 7, first);
    assert_int_equal(blobs_put_edition(f->blobs, all, &name), LP_OK);
    assert_true(name.content_hash == blobs_hash(all) && name.size_bytes == all.len);
    assert_true(name.place.object[0] == '\0' && name.place.offset == BLOB_EDITION_ALL);
    assert_true(blobs_has_chunk(f->blobs, id, 7, name.stored_bytes));
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_OK);
    assert_reads(chunk, "all of it");
    assert_int_equal(open_chunk(f, 7, first, &chunk), LP_OK);
    assert_reads(chunk, "some");
    assert_int_equal(blobs_put_edition(f->blobs, all, &invalid), LP_ECORRUPT);
    assert_int_equal(blobs_remove(f->blobs, id, 7), LP_OK); // both
    assert_int_equal(blobs_open_chunk(f->blobs, &name, &chunk), LP_ENOENT);
    assert_int_equal(open_chunk(f, 7, first, &chunk), LP_ENOENT);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_what_was_put_is_read_back),
        TEST(test_a_replaced_chunk_stays_for_those_who_have_it_open),
        TEST(test_editions_of_a_chunk_are_beside_each_other),
        TEST(test_chunks_are_read_in_any_pieces),
        TEST(test_chunks_are_read_from_any_place),
        TEST(test_any_zstd_unpacks_chunks),
        TEST(test_damage_anywhere_is_noticed),
        TEST(test_running_out_of_memory_is_clean),
        TEST(test_a_chunk_is_not_lost_for_want_of_memory_or_descriptors),
        TEST(test_only_session_ids_become_paths),
        TEST(test_links_are_not_followed),
        TEST(test_what_a_killed_writer_left_is_overwritten),
        TEST(test_hashes_tell_contents_apart),
        TEST(test_spilled_bytes_have_no_name),
        TEST(test_opening_says_what_is_wrong),
        TEST(test_a_whole_chunk_is_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
