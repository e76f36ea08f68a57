// SPDX-License-Identifier: Apache-2.0
// A file that may be wrapped in gzip, lz4 or zstd: it is unpacked as far as it is sound, and one
// that breaks off gives the beginning of what the whole file gives.
//
//   input: 2 bytes, little-endian: where it breaks off; the file

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_slice.h"
#include "offline/unpack.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 2, OUTPUT_BYTES_MAX = 4 << 20 }; // a few bytes may stand for gigabytes

// limit_files has files end where the disk would be full.
static void
limit_files(void)
{
    struct rlimit limit;
    LP_ASSERT(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = OUTPUT_BYTES_MAX;
    LP_ASSERT(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static int
make_file(lp_slice content)
{
    int fd = memfd_create("recording", MFD_CLOEXEC);
    LP_ASSERT(fd >= 0 && write(fd, content.ptr, content.len) == (ssize_t)content.len);
    LP_ASSERT(lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

typedef struct unpacked {
    int fd; // of a file that has the content
    bool is_damaged;
    bool is_whole; // all of it found room
} unpacked;

static unpacked
unpack(lp_slice packed)
{
    int in = make_file(packed);
    lp_problem damage = {.text = ""};
    lp_problem problem = {.text = ""};
    int out = make_file((lp_slice){(const uint8_t *)"", 0});
    lp_err err = unpack_copy(in, out, "here", &damage, &problem);
    LP_ASSERT(err == LP_OK || (err == LP_ECORRUPT && problem.text[0] != '\0'));
    LP_ASSERT(damage.text[0] == '\0' || !damage.has_offset || damage.offset <= packed.len);
    LP_ASSERT(close(in) == 0);
    return (unpacked){out, damage.text[0] != '\0', err == LP_OK};
}

static size_t
size_of(int fd)
{
    struct stat info;
    LP_ASSERT(fstat(fd, &info) == 0);
    return (size_t)info.st_size;
}

// check_beginning expects the content of part to be the beginning of that of whole. Of a block that
// is damaged, more may be read where it is cut off.
static void
check_beginning(const unpacked *part, const unpacked *whole)
{
    size_t size = size_of(part->fd);
    size_t whole_size = size_of(whole->fd);
    LP_ASSERT(size <= whole_size || whole->is_damaged);
    size = size < whole_size ? size : whole_size;
    if (size > 0) {
        void *left = mmap(NULL, size, PROT_READ, MAP_PRIVATE, part->fd, 0);
        void *right = mmap(NULL, size, PROT_READ, MAP_PRIVATE, whole->fd, 0);
        LP_ASSERT(left != MAP_FAILED && right != MAP_FAILED && memcmp(left, right, size) == 0);
        LP_ASSERT(munmap(left, size) == 0 && munmap(right, size) == 0);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    if (count < HEAD_BYTES) {
        return 0;
    }
    limit_files();
    size_t cut = (size_t)bytes[0] | (size_t)bytes[1] << 8;
    const lp_slice packed = {bytes + HEAD_BYTES, count - HEAD_BYTES};
    const unpacked whole = unpack(packed);
    if (!unpack_is_packed(packed) && whole.is_whole) {
        LP_ASSERT(size_of(whole.fd) == packed.len);
    }
    // With less than that it is not known for a wrapped one.
    if (cut >= UNPACK_MAGIC_BYTES && cut < packed.len && whole.is_whole) {
        const unpacked part = unpack((lp_slice){packed.ptr, cut});
        LP_ASSERT(part.is_whole || whole.is_damaged);
        check_beginning(&part, &whole);
        LP_ASSERT(close(part.fd) == 0);
    }
    LP_ASSERT(close(whole.fd) == 0);
    return 0;
}
