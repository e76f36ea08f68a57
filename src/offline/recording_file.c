// SPDX-License-Identifier: Apache-2.0
#include "offline/recording_file.h"

#include "common/base/lp_assert.h"
#include "offline/lost_input.h"
#include "offline/temp_file.h"
#include "offline/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    // Reading a byte may bring that much around it into memory, released bytes as well. So bytes
    // are released together with those before them, which were mostly released earlier; a thread
    // that works there gets them again at once.
    FOLIO_BYTES_MAX = 2 << 20,
};

// can_map returns whether fd is a recording as it is: a file, from its start, and not wrapped.
static bool
can_map(int fd, const struct stat *st)
{
    uint8_t begin[UNPACK_MAGIC_BYTES];
    LP_REQUIRE(S_ISREG(st->st_mode) && lseek(fd, 0, SEEK_CUR) == 0, false);
    ssize_t count = pread(fd, begin, sizeof(begin), 0);
    return count >= 0 && !unpack_is_packed((lp_slice){begin, (size_t)count});
}

static lp_err
map(recording_file *file, int fd, lp_problem *problem)
{
    struct stat st;
    LP_REQUIRE(fstat(fd, &st) == 0, lp_problem_set(problem, LP_EIO, "%s", strerror(errno)));
    if (st.st_size == 0) {
        return LP_OK;
    }
    void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    LP_REQUIRE(bytes != MAP_FAILED, lp_problem_set(problem, LP_EIO, "%s", strerror(errno)));
    lp_err err = lost_input_watch(file->name, (lp_slice){bytes, (size_t)st.st_size});
    if (err != LP_OK) {
        (void)munmap(bytes, (size_t)st.st_size);
        return lp_problem_set(problem, err, "%s", lp_err_text(err));
    }
    file->bytes = (lp_slice){bytes, (size_t)st.st_size};
    return LP_OK;
}

static lp_err
map_unpacked(recording_file *file, int fd, lp_problem *problem)
{
    int unpacked;
    const char *directory;
    LP_TRY(temp_file_open(&unpacked, &directory, problem));
    lp_err err = unpack_copy(fd, unpacked, directory, &file->damage, problem);
    if (err == LP_OK) {
        file->is_damaged = file->damage.text[0] != '\0';
        err = map(file, unpacked, problem);
    }
    (void)close(unpacked); // the mapping keeps it
    return err;
}

static lp_err
load(recording_file *file, int fd, lp_problem *problem)
{
    struct stat st;
    LP_REQUIRE(fstat(fd, &st) == 0, lp_problem_set(problem, LP_EIO, "%s", strerror(errno)));
    LP_REQUIRE(!S_ISDIR(st.st_mode), lp_problem_set(problem, LP_EIO, "%s", strerror(EISDIR)));
    file->device = st.st_dev;
    file->inode = st.st_ino;
    file->is_as_it_is = can_map(fd, &st);
    return file->is_as_it_is ? map(file, fd, problem) : map_unpacked(file, fd, problem);
}

lp_err
recording_file_open(const char *path, recording_file *out_file, lp_problem *out_problem)
{
    bool is_stdin = strcmp(path, "-") == 0;
    recording_file file = {.name = is_stdin ? "standard input" : path, .is_stdin = is_stdin};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    LP_REQUIRE(fd >= 0,
        lp_problem_set(out_problem, errno == ENOENT ? LP_ENOENT : LP_EIO, "%s", strerror(errno)));
    lp_err err = load(&file, fd, out_problem);
    if (!is_stdin) {
        (void)close(fd); // read-only: nothing to lose
    }
    if (err == LP_OK) {
        *out_file = file;
    }
    return err;
}

lp_err
recording_file_check(const recording_file *file, lp_problem *out_problem)
{
    struct stat st;
    int status = file->is_stdin ? fstat(STDIN_FILENO, &st) : stat(file->name, &st);
    bool is_there = status == 0 && st.st_dev == file->device && st.st_ino == file->inode;
    LP_REQUIRE(!file->is_as_it_is || !is_there || (size_t)st.st_size >= file->bytes.len,
        lp_problem_set(out_problem, LP_EIO, "was truncated while it was read"));
    return LP_OK;
}

void
recording_file_close(recording_file *file)
{
    if (file->bytes.len > 0) {
        lost_input_forget(file->bytes);
        (void)munmap((void *)(uintptr_t)file->bytes.ptr, file->bytes.len);
    }
    *file = (recording_file){0};
}

void
recording_file_release(const recording_file *file, lp_slice bytes)
{
    size_t begin = (size_t)(bytes.ptr - file->bytes.ptr);
    size_t end = begin + bytes.len;
    if (bytes.len == 0) {
        return;
    }
    LP_ASSERT(begin < file->bytes.len && bytes.len <= file->bytes.len - begin);
    begin =
        begin < FOLIO_BYTES_MAX ? 0 : (begin - FOLIO_BYTES_MAX) / FOLIO_BYTES_MAX * FOLIO_BYTES_MAX;
    // It is advice: failing is fine.
    (void)madvise((void *)(uintptr_t)(file->bytes.ptr + begin), end - begin, MADV_DONTNEED);
}
