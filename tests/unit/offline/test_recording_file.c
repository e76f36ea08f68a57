// SPDX-License-Identifier: Apache-2.0
// Promised: a recording is the same bytes however it is wrapped (gzip, lz4, zstd, in one or several
// pieces, of several kinds) and wherever it comes from (file, pipe); of a damaged wrapping, what
// came before the damage; and no temporary file stays. What is wrapped is wrapped here by the
// libraries themselves.

#include "support/chance.h"
#include "support/temp_dir.h"

#include "common/base/lp_buf.h"
#include "offline/recording_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lz4frame.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cmocka.h>

enum { CONTENT_BYTES = 3000000, PACKED_MAX = 2 * CONTENT_BYTES };

static temp_dir dir;
static char path[300];
static uint8_t *content; // begins like no wrapping; some of it can be compressed, some cannot

static int
make_content(void **state)
{
    (void)state;
    dir = temp_dir_make();
    (void)snprintf(path, sizeof(path), "%s/recording", dir.path);
    content = malloc(CONTENT_BYTES);
    assert_non_null(content);
    uint64_t seed = 1;
    for (size_t i = 0; i < CONTENT_BYTES; i++) {
        content[i] = (uint8_t)((i / 100000) % 2 == 0 ? i / 16 : chance_below(&seed, 256));
    }
    memcpy(content, "FLR", 4);
    return 0;
}

static int
drop_content(void **state)
{
    (void)state;
    free(content);
    temp_dir_remove(&dir);
    return 0;
}

static size_t
pack_gzip(uint8_t *out, const uint8_t *bytes, size_t count)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = out;
    stream.avail_out = PACKED_MAX;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size_t size = stream.total_out;
    assert_int_equal(deflateEnd(&stream), Z_OK);
    return size;
}

static size_t
pack_lz4(uint8_t *out, const uint8_t *bytes, size_t count)
{
    LZ4F_preferences_t preferences = {.frameInfo = {.blockSizeID = LZ4F_max64KB,
                                          .contentChecksumFlag = LZ4F_contentChecksumEnabled}};
    size_t size = LZ4F_compressFrame(out, PACKED_MAX, bytes, count, &preferences);
    assert_false(LZ4F_isError(size));
    return size;
}

static size_t
pack_zstd(uint8_t *out, const uint8_t *bytes, size_t count)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    assert_non_null(context);
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
    size_t size = ZSTD_compress2(context, out, PACKED_MAX, bytes, count);
    assert_false(ZSTD_isError(size));
    (void)ZSTD_freeCCtx(context);
    return size;
}

static size_t
pack_not(uint8_t *out, const uint8_t *bytes, size_t count)
{
    memcpy(out, bytes, count);
    return count;
}

typedef size_t (*pack)(uint8_t *out, const uint8_t *bytes, size_t count);
static const struct {
    const char *name;
    pack pack;
} packs[] = {{"gzip", pack_gzip}, {"lz4", pack_lz4}, {"zstd", pack_zstd}};
enum { PACKS = sizeof(packs) / sizeof(packs[0]) };

static void
write_file(lp_slice bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes.ptr, bytes.len), bytes.len);
    assert_int_equal(close(fd), 0);
}

static size_t
count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    size_t count = 0;
    while (readdir(folder) != NULL) {
        count++;
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

static size_t
count_files(void)
{
    DIR *folder = opendir(dir.path);
    assert_non_null(folder);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

// expect_content opens a recording that has to be the first count bytes of the content.
static void
expect_content(const char *name, size_t count, bool is_damaged, uint64_t damage_offset_max)
{
    recording_file file;
    lp_problem problem;
    size_t descriptors = count_descriptors();
    assert_int_equal(recording_file_open(name, &file, &problem), LP_OK);
    assert_int_equal(file.is_damaged, is_damaged);
    if (is_damaged) {
        assert_true(file.damage.has_offset);
        assert_true(file.damage.offset <= damage_offset_max);
        assert_true(file.bytes.len <= count);
    } else {
        assert_int_equal(file.bytes.len, count);
    }
    for (int again = 0; again < 2 && file.bytes.len > 0; again++) {
        assert_int_equal(memcmp(file.bytes.ptr, content, file.bytes.len), 0);
        recording_file_release(&file, file.bytes);
    }
    recording_file_close(&file);
    assert_int_equal(count_descriptors(), descriptors);
    assert_true(count_files() <= 1);
}

static void
test_every_wrapping_gives_the_same_bytes(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    static const size_t sizes[] = {4, 100, 65536, 262144, CONTENT_BYTES};
    assert_non_null(packed);
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        write_file((lp_slice){content, sizes[s]});
        expect_content(path, sizes[s], false, 0);
        for (size_t i = 0; i < PACKS; i++) {
            size_t size = packs[i].pack(packed, content, sizes[s]);
            write_file((lp_slice){packed, size});
            expect_content(path, sizes[s], false, 0);
        }
    }
    free(packed);
}

static void
test_pieces_of_every_kind_may_follow_one_another(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    lp_buf file = {0};
    size_t done = 0;
    assert_non_null(packed);
    static const uint8_t skippable[] = {0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3};
    lp_buf_append(&file, skippable, sizeof(skippable));
    for (size_t i = 0; done < CONTENT_BYTES; i++) {
        size_t left = CONTENT_BYTES - done;
        size_t count = left < 77777 * (i + 1) ? left : 77777 * (i + 1);
        size_t size = packs[(i * i + 1) % PACKS].pack(packed, content + done, count);
        lp_buf_append(&file, packed, size);
        done += count;
    }
    write_file(lp_buf_slice(&file));
    expect_content(path, CONTENT_BYTES, false, 0);
    lp_buf_fini(&file);
    free(packed);
}

static void
test_what_came_before_the_cut_is_there(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    assert_non_null(packed);
    for (size_t i = 0; i < PACKS; i++) {
        size_t size = packs[i].pack(packed, content, CONTENT_BYTES);
        for (size_t cut = size - 1; cut > 4; cut = cut * 4 / 5) {
            write_file((lp_slice){packed, cut});
            expect_content(path, CONTENT_BYTES, true, cut);
        }
        // Of half the file nearly all of that half.
        write_file((lp_slice){packed, size / 2});
        recording_file file;
        lp_problem problem;
        assert_int_equal(recording_file_open(path, &file, &problem), LP_OK);
        assert_true(file.bytes.len > CONTENT_BYTES / 3);
        assert_non_null(strstr(file.damage.text, packs[i].name));
        recording_file_close(&file);
    }
    free(packed);
}

static void
test_what_came_before_the_damage_is_there(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    assert_non_null(packed);
    for (size_t i = 1; i < PACKS; i++) { // gzip may give anything before it notices
        size_t size = packs[i].pack(packed, content, CONTENT_BYTES);
        size_t half = size / 2;
        memset(packed + half, 0xff, 5000);
        write_file((lp_slice){packed, size});
        recording_file file;
        lp_problem problem;
        assert_int_equal(recording_file_open(path, &file, &problem), LP_OK);
        assert_true(file.is_damaged);
        assert_true(file.bytes.len > CONTENT_BYTES / 4);
        assert_int_equal(memcmp(file.bytes.ptr, content, CONTENT_BYTES / 4), 0);
        recording_file_close(&file);
    }
    free(packed);
}

// A decoder that gets a block together with the header of the next has nothing to show for the
// block where that header is damaged.
static void
test_a_damaged_header_of_a_block_costs_nothing_before_it(void **state)
{
    (void)state;
    enum { BLOCK_BYTES = 5, ZSTD_BLOCK_AT = 9, LZ4_BLOCK_AT = 11 };
    // A frame of two blocks that are stored as they are, of which the second is of no known type.
    uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 10, BLOCK_BYTES << 3, 0, 0, //
        0, 0, 0, 0, 0, BLOCK_BYTES << 3 | 3 << 1 | 1, 0, 0, 1, 2, 3, 4, 5};
    // The same, of which the second is larger than blocks may be.
    uint8_t lz4[] = {0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, BLOCK_BYTES, 0, 0, 0x80, //
        0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3, 4, 5};
    const struct {
        uint8_t *bytes;
        size_t size;
        size_t block_at;
    } frames[] = {{zstd, sizeof(zstd), ZSTD_BLOCK_AT}, {lz4, sizeof(lz4), LZ4_BLOCK_AT}};
    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        memcpy(frames[i].bytes + frames[i].block_at, content, BLOCK_BYTES);
        write_file((lp_slice){frames[i].bytes, frames[i].size});
        recording_file file;
        lp_problem problem;
        assert_int_equal(recording_file_open(path, &file, &problem), LP_OK);
        assert_true(file.is_damaged);
        assert_int_equal(file.bytes.len, BLOCK_BYTES);
        assert_memory_equal(file.bytes.ptr, content, BLOCK_BYTES);
        assert_int_equal(file.damage.offset, frames[i].block_at + BLOCK_BYTES);
        recording_file_close(&file);
    }
}

static void
test_garbage_behind_a_wrapping_is_damage(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    assert_non_null(packed);
    for (size_t i = 0; i < PACKS; i++) {
        size_t size = packs[i].pack(packed, content, 100000);
        memcpy(packed + size, "garbage", 7);
        write_file((lp_slice){packed, size + 7});
        recording_file file;
        lp_problem problem;
        assert_int_equal(recording_file_open(path, &file, &problem), LP_OK);
        assert_true(file.is_damaged);
        assert_int_equal(file.damage.offset, size);
        assert_int_equal(file.bytes.len, 100000);
        recording_file_close(&file);
    }
    free(packed);
}

typedef struct feed {
    int fd;
    lp_slice bytes;
} feed;

static void *
feed_pipe(void *arg)
{
    feed *f = arg;
    size_t step = 1;
    while (f->bytes.len > 0) { // in pieces of every size
        size_t count = f->bytes.len < step ? f->bytes.len : step;
        ssize_t done = write(f->fd, f->bytes.ptr, count);
        if (done < 0) {
            break;
        }
        f->bytes.ptr += done;
        f->bytes.len -= (size_t)done;
        step = step % 70000 + 997;
    }
    (void)close(f->fd);
    return NULL;
}

static void
test_standard_input_may_be_a_pipe(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    int saved = dup(STDIN_FILENO);
    static const pack ways[] = {pack_not, pack_gzip, pack_lz4, pack_zstd};
    assert_non_null(packed);
    for (size_t i = 0; i < 4; i++) {
        int ends[2];
        pthread_t thread;
        assert_int_equal(pipe(ends), 0);
        feed f = {ends[1], {packed, ways[i](packed, content, CONTENT_BYTES)}};
        assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(close(ends[0]), 0);
        assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &f), 0);
        recording_file file;
        lp_problem problem;
        assert_int_equal(recording_file_open("-", &file, &problem), LP_OK);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_false(file.is_damaged);
        assert_int_equal(file.bytes.len, CONTENT_BYTES);
        assert_int_equal(memcmp(file.bytes.ptr, content, CONTENT_BYTES), 0);
        recording_file_close(&file);
    }
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(saved), 0);
    free(packed);
}

static void
test_a_file_may_be_empty(void **state)
{
    (void)state;
    write_file((lp_slice){content, 0});
    expect_content(path, 0, false, 0);
}

static void
test_no_file_and_a_directory_are_errors(void **state)
{
    (void)state;
    recording_file file;
    lp_problem problem;
    assert_int_equal(recording_file_open("/no/such/file", &file, &problem), LP_ENOENT);
    assert_int_equal(recording_file_open(dir.path, &file, &problem), LP_EIO);
    assert_string_equal(problem.text, strerror(EISDIR));
}

static void
test_a_wrapping_that_is_not_unpacked_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *begin; // as xz, bzip2 and zip write it
        const char *problem;
    } cases[] = {
        {"\xfd"
         "7zXZ\0\0\4",
            "compressed by xz; unpack it first (unxz)"},
        {"BZh91AY&", "compressed by bzip2; unpack it first (bunzip2)"},
        {"PK\3\4\24\0\0", "a zip archive; unpack it first (unzip)"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        recording_file file;
        lp_problem problem;
        write_file((lp_slice){(const uint8_t *)cases[i].begin, 8});
        assert_int_equal(recording_file_open(path, &file, &problem), LP_ECORRUPT);
        assert_string_equal(problem.text, cases[i].problem);
    }
}

static void
test_no_room_is_an_error_that_names_the_place(void **state)
{
    (void)state;
    uint8_t *packed = malloc(PACKED_MAX);
    assert_non_null(packed);
    size_t size = pack_zstd(packed, content, CONTENT_BYTES);
    write_file((lp_slice){packed, size});
    recording_file file;
    lp_problem problem;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 1000000, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    lp_err err = recording_file_open(path, &file, &problem);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(err, LP_EIO);
    assert_non_null(strstr(problem.text, dir.path));
    assert_non_null(strstr(problem.text, strerror(EFBIG)));

    assert_int_equal(setenv("TMPDIR", "/no/such/place", 1), 0);
    assert_int_equal(recording_file_open(path, &file, &problem), LP_EIO);
    assert_non_null(strstr(problem.text, "/no/such/place"));
    free(packed);
    assert_int_equal(setenv("TMPDIR", dir.path, 1), 0);
}

static int
use_own_directory(void **state)
{
    (void)state;
    return setenv("TMPDIR", dir.path, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_wrapping_gives_the_same_bytes, use_own_directory),
        cmocka_unit_test(test_pieces_of_every_kind_may_follow_one_another),
        cmocka_unit_test(test_what_came_before_the_cut_is_there),
        cmocka_unit_test(test_what_came_before_the_damage_is_there),
        cmocka_unit_test(test_a_damaged_header_of_a_block_costs_nothing_before_it),
        cmocka_unit_test(test_garbage_behind_a_wrapping_is_damage),
        cmocka_unit_test(test_standard_input_may_be_a_pipe),
        cmocka_unit_test(test_a_file_may_be_empty),
        cmocka_unit_test(test_no_file_and_a_directory_are_errors),
        cmocka_unit_test(test_a_wrapping_that_is_not_unpacked_is_named),
        cmocka_unit_test(test_no_room_is_an_error_that_names_the_place),
    };
    return cmocka_run_group_tests(tests, make_content, drop_content);
}
