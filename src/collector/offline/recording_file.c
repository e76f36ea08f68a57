// SPDX-License-Identifier: Apache-2.0
#include "collector/offline/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { READ_BYTES = 1 << 18 };

static lp_err
read_all(int fd, lp_buf *out)
{
    for (;;) {
        size_t before = out->len;
        uint8_t *room = lp_buf_extend(out, READ_BYTES);
        if (room == NULL) {
            return LP_ENOMEM;
        }
        ssize_t count = read(fd, room, READ_BYTES);
        out->len = before + (count > 0 ? (size_t)count : 0);
        if (count < 0 && errno != EINTR) {
            return LP_EIO;
        }
        if (count == 0) {
            return LP_OK;
        }
    }
}

// load takes the bytes of fd: mapped where it is a file, else read.
static lp_err
load(recording_file *file, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return LP_EIO;
    }
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return LP_EIO;
    }
    if (!S_ISREG(st.st_mode) || st.st_size == 0) {
        lp_err err = read_all(fd, &file->unpacked);
        file->bytes = lp_buf_slice(&file->unpacked);
        return err;
    }
    file->device = st.st_dev;
    file->inode = st.st_ino;
    file->map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file->map == MAP_FAILED) {
        file->map = NULL;
        return LP_EIO;
    }
    file->map_bytes = (size_t)st.st_size;
    file->bytes = (lp_slice){file->map, file->map_bytes};
    return LP_OK;
}

// inflate_more runs the decompressor once into a little more room.
static int
inflate_more(z_stream *stream, lp_buf *out)
{
    uint8_t *room = lp_buf_extend(out, READ_BYTES);
    if (room == NULL) {
        return Z_MEM_ERROR;
    }
    stream->next_out = room;
    stream->avail_out = READ_BYTES;
    int status = inflate(stream, Z_NO_FLUSH);
    out->len -= stream->avail_out;
    return status;
}

// unpack_gzip appends every gzip member in packed to out. *out_offset is where it stopped.
static lp_err
unpack_gzip(lp_slice packed, lp_buf *out, uint64_t *out_offset)
{
    z_stream stream = {0};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) { // 15: the largest window; 16: gzip, not zlib
        return LP_ENOMEM;
    }
    size_t given = 0;
    int status = Z_OK;
    while (status == Z_OK || (status == Z_STREAM_END && given - stream.avail_in < packed.len)) {
        if (status == Z_STREAM_END) {
            status = inflateReset(&stream);
        }
        if (stream.avail_in == 0) {
            size_t rest = packed.len - given;
            stream.avail_in = rest < INT_MAX ? (uInt)rest : INT_MAX;
            stream.next_in = (z_const Bytef *)(uintptr_t)(packed.ptr + given); // zlib only reads
            given += stream.avail_in;
        }
        status = inflate_more(&stream, out);
    }
    *out_offset = given - stream.avail_in;
    (void)inflateEnd(&stream);
    return status == Z_STREAM_END ? LP_OK : status == Z_MEM_ERROR ? LP_ENOMEM : LP_ECORRUPT;
}

static void
unmap(recording_file *file)
{
    if (file->map != NULL) {
        (void)munmap(file->map, file->map_bytes);
        file->map = NULL;
    }
}

// unpack replaces gzip by what is in it.
static lp_err
unpack(recording_file *file, lp_problem *problem)
{
    static const uint8_t gzip_magic[] = {0x1f, 0x8b};
    if (file->bytes.len < sizeof(gzip_magic) ||
        memcmp(file->bytes.ptr, gzip_magic, sizeof(gzip_magic)) != 0) {
        return LP_OK;
    }
    lp_buf unpacked = {0};
    uint64_t offset = 0;
    lp_err err = unpack_gzip(file->bytes, &unpacked, &offset);
    if (err != LP_OK) {
        lp_buf_fini(&unpacked);
        return lp_problem_at(problem, err, offset, "gzip: %s", lp_err_text(err));
    }
    unmap(file);
    lp_buf_fini(&file->unpacked);
    file->unpacked = unpacked;
    file->bytes = lp_buf_slice(&file->unpacked);
    return LP_OK;
}

lp_err
recording_file_open(const char *path, recording_file *out_file, lp_problem *out_problem)
{
    bool is_stdin = strcmp(path, "-") == 0;
    recording_file file = {.name = is_stdin ? "standard input" : path};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return lp_problem_set(
            out_problem, errno == ENOENT ? LP_ENOENT : LP_EIO, "%s", strerror(errno));
    }
    lp_err err = load(&file, fd);
    if (err != LP_OK) {
        err = lp_problem_set(
            out_problem, err, "%s", err == LP_EIO ? strerror(errno) : lp_err_text(err));
    }
    if (!is_stdin) {
        (void)close(fd); // read-only: nothing to lose
    }
    file.size_on_disk = file.bytes.len;
    if (err == LP_OK) {
        err = unpack(&file, out_problem);
    }
    if (err != LP_OK) {
        recording_file_close(&file);
        return err;
    }
    *out_file = file;
    return LP_OK;
}

void
recording_file_close(recording_file *file)
{
    unmap(file);
    lp_buf_fini(&file->unpacked);
    *file = (recording_file){0};
}

void
recording_file_release(const recording_file *file, lp_slice bytes)
{
    if (file->map == NULL) {
        return;
    }
    // Whole pages only: on those at the ends others may be working. It is advice: failing is fine.
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)bytes.ptr + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)bytes.ptr + bytes.len) / page * page;
    if (begin < end) {
        (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
}

lp_err
recording_file_next(const recording_file *file, uint64_t *offset, lp_slice *out_chunk,
    uint64_t *out_rest, lp_problem *out_problem)
{
    lp_slice left = {file->bytes.ptr + *offset, file->bytes.len - *offset};
    *out_rest = 0;
    if (left.len == 0) {
        return *offset > 0 ? LP_EEND
                           : lp_problem_at(out_problem, LP_ECORRUPT, 0, "the file is empty");
    }
    jfr_chunk_info info;
    lp_err err = jfr_chunk_parse(left, &info, out_problem);
    if (err != LP_OK) {
        if (out_problem != NULL) {
            out_problem->has_offset = true;
            out_problem->offset = *offset;
        }
        return err == LP_EEND ? LP_ECORRUPT : err;
    }
    if (info.size_bytes > left.len) {
        return lp_problem_at(out_problem, LP_ECORRUPT, *offset,
            "a chunk of %llu bytes, with %zu left in the file: it was cut off, or never finished",
            (unsigned long long)info.size_bytes, left.len);
    }
    *out_chunk = (lp_slice){left.ptr, (size_t)info.size_bytes};
    *offset += info.size_bytes;
    lp_slice behind = {left.ptr + info.size_bytes, left.len - (size_t)info.size_bytes};
    bool is_unfinished = info.minor > 0 && info.state != JFR_CHUNK_STATE_FINISHED;
    jfr_chunk_info next;
    if (is_unfinished && behind.len > 0 && jfr_chunk_parse(behind, &next, NULL) != LP_OK) {
        *out_rest = behind.len;
        *offset = file->bytes.len;
    }
    return LP_OK;
}
