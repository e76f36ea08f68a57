// SPDX-License-Identifier: Apache-2.0
#include "agent/tail/tail.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_find.h"
#include "common/base/lp_order.h"
#include "common/base/lp_vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#ifndef STATX_BTIME // musl before 1.2.5
#include <linux/stat.h>
#endif

// --- The directory
//
// Opens every chunk file in the JVM's repository directory, exactly once.
//
// Files are identified by inode and time of birth, because the JVM reuses a name when it deletes
// and creates a chunk in the same second. inotify is only a signal: the files are found by reading
// the directory, so a lost or missing notification costs only time.

// Takes ownership of fd; after an error it gets the same file again in the next scan.
typedef lp_err (*file_callback)(void *arg, int fd);

// The JVM's chunk names have 23 to 26 characters.
enum { NAME_BYTES_MAX = 64 };

typedef struct file_key {
    uint64_t inode;
    int64_t born_s;
    uint32_t born_ns;
} file_key;

// A chunk file that on_file took and that was still in the directory at the last scan.
typedef struct known_file {
    file_key key;
    char name[NAME_BYTES_MAX];
    bool is_here;
} known_file;

typedef struct tail_dir {
    int dir_fd;
    int notify_fd;
    bool is_scan_due; // the last scan failed, or there was none yet
    uint64_t missed_count;
    LP_VEC(known_file) known;
} tail_dir;

static void
close_dir(tail_dir *dir)
{
    if (dir == NULL) {
        return;
    }
    if (dir->notify_fd >= 0) {
        (void)close(dir->notify_fd);
    }
    if (dir->dir_fd >= 0) {
        (void)close(dir->dir_fd);
    }
    LP_VEC_FINI(&dir->known);
    free(dir);
}

static lp_err
open_dir(const char *path, tail_dir **out_dir, lp_problem *out_problem)
{
    tail_dir *dir = calloc(1, sizeof(*dir));
    LP_REQUIRE(dir != NULL, LP_ENOMEM);
    dir->is_scan_due = true;
    // The watch comes before the first scan: a file that is created in between is seen twice, not
    // missed.
    dir->notify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (dir->notify_fd >= 0 &&
        inotify_add_watch(dir->notify_fd, path, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        (void)close(dir->notify_fd);
        dir->notify_fd = -1;
    }
    dir->dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir->dir_fd < 0) {
        int error = errno;
        close_dir(dir);
        return lp_problem_set(
            out_problem, LP_EIO, "cannot read the directory %s: %s", path, strerror(error));
    }
    *out_dir = dir;
    return LP_OK;
}

static bool
is_chunk_name(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && length < NAME_BYTES_MAX && lp_ends_with(name, length, ".jfr");
}

// statx, which musl before 1.2.5 lacks.
static int
read_statx(int dir_fd, const char *name, int flags, unsigned mask, struct statx *out_found)
{
#ifdef __GLIBC__
    return statx(dir_fd, name, flags, mask, out_found);
#else
    return (int)syscall(SYS_statx, dir_fd, name, flags, mask, out_found);
#endif
}

// Reads the key of the file name in dir_fd, or of dir_fd itself if name is "".
static lp_err
stat_key(int dir_fd, const char *name, file_key *out_key)
{
    struct statx found;
    int flags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;
    if (read_statx(dir_fd, name, flags, STATX_TYPE | STATX_INO | STATX_BTIME, &found) != 0 ||
        !S_ISREG(found.stx_mode)) {
        return LP_ENOENT;
    }
    bool has_birth = (found.stx_mask & STATX_BTIME) != 0;
    *out_key = (file_key){
        .inode = found.stx_ino,
        .born_s = has_birth ? found.stx_btime.tv_sec : 0,
        .born_ns = has_birth ? found.stx_btime.tv_nsec : 0,
    };
    return LP_OK;
}

static known_file *
find_by_key(tail_dir *dir, const file_key *key)
{
    return LP_FIND(dir->known.items, dir->known.count,
        at->key.inode == key->inode && at->key.born_s == key->born_s &&
            at->key.born_ns == key->born_ns);
}

// Reads all notifications and returns whether there were any. It runs before prune_known, so that a
// deleted file that on_file took is not counted as missed.
static bool
read_notices(tail_dir *dir)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool has_any = false;
    for (;;) {
        ssize_t count = read(dir->notify_fd, bytes, sizeof(bytes));
        if (count <= 0) {
            return has_any;
        }
        has_any = true;
        const struct inotify_event *notice;
        for (const char *next = bytes; next < bytes + count;
             next += sizeof(*notice) + notice->len) {
            notice = (const struct inotify_event *)(const void *)next;
            file_key key;
            if (notice->len > 0 && is_chunk_name(notice->name) &&
                !LP_ANY(dir->known.items, dir->known.count, strcmp(at->name, notice->name) == 0) &&
                stat_key(dir->dir_fd, notice->name, &key) != LP_OK) {
                dir->missed_count++;
            }
        }
    }
}

// Passes the file name to on_file if it is new.
static lp_err
look_at(tail_dir *dir, const char *name, file_callback on_file, void *arg)
{
    file_key key;
    if (stat_key(dir->dir_fd, name, &key) != LP_OK) {
        return LP_OK; // deleted since the directory was read, or not a file
    }
    known_file *known = find_by_key(dir, &key);
    if (known != NULL) {
        known->is_here = true;
        return LP_OK;
    }
    int fd = openat(dir->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) {
        if (errno == ENOENT) {
            dir->missed_count++;
            return LP_OK;
        }
        return LP_EIO;
    }
    // The name may belong to another file by now: use the key of the descriptor.
    if (stat_key(fd, "", &key) != LP_OK || find_by_key(dir, &key) != NULL) {
        (void)close(fd);
        return LP_OK;
    }
    known = LP_VEC_PUSH(&dir->known);
    if (known == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    known->key = key;
    known->is_here = true;
    (void)snprintf(known->name, sizeof(known->name), "%.*s", NAME_BYTES_MAX - 1, name);
    lp_err err = on_file(arg, fd);
    if (err != LP_OK) {
        dir->known.count--;
    }
    return err;
}

static void
prune_known(tail_dir *dir)
{
    size_t kept = 0;
    for (size_t i = 0; i < dir->known.count; i++) {
        if (dir->known.items[i].is_here) {
            dir->known.items[kept++] = dir->known.items[i];
        }
    }
    dir->known.count = kept;
}

// Calls on_file for each new chunk file since the last call, in no order. A deleted directory
// counts as empty. With is_forced it reads the directory even without a notification.
// Errors: LP_EIO, and those of on_file: the next call finds the files that it did not take
static lp_err
scan_dir(tail_dir *dir, bool is_forced, file_callback on_file, void *arg)
{
    bool has_notices = dir->notify_fd >= 0 && read_notices(dir);
    if (!has_notices && !is_forced && !dir->is_scan_due && dir->notify_fd >= 0) {
        return LP_OK;
    }
    for (size_t i = 0; i < dir->known.count; i++) {
        dir->known.items[i].is_here = false;
    }
    dir->is_scan_due = true;

    int fd = openat(dir->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd < 0 ? NULL : fdopendir(fd);
    if (entries == NULL) {
        bool is_gone = fd < 0 && errno == ENOENT;
        if (fd >= 0) {
            (void)close(fd);
        }
        LP_REQUIRE(is_gone, LP_EIO);
    }
    lp_err err = LP_OK;
    while (entries != NULL && err == LP_OK) {
        const struct dirent *entry = readdir(entries);
        if (entry == NULL) {
            break;
        }
        if (is_chunk_name(entry->d_name)) {
            err = look_at(dir, entry->d_name, on_file, arg);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    if (err == LP_OK) {
        prune_known(dir);
        dir->is_scan_due = false;
    }
    return err;
}

// --- Chunks

enum {
    HEADER_TRIES_MAX = 20,         // until two reads agree
    HEADER_RETRY_NS = 1000 * 1000, // the JVM needs microseconds for the rewrite
    STREAMABLE_MINOR = 1,          // version 2.0 has no state byte: always 0, finished or not
};

// A chunk file that the JVM may still be writing.
typedef struct chunk_file {
    int fd;
    uint8_t header[JFR_CHUNK_HEADER_SIZE]; // the last valid one
    jfr_chunk_info info;                   // of header
    uint64_t published_bytes;              // readable; 0 before the first flush
    uint64_t copied_bytes;                 // already read
    bool is_finished;                      // no other header follows
} chunk_file;

// A chunk in the queue, oldest first.
typedef struct queued {
    chunk_file chunk;
    uint64_t rank;
    uint32_t number;
    bool is_begun;          // it has its number; it is not dropped any more
    bool is_final_returned; // the header of the finished chunk was returned
    uint64_t covered_bytes; // by the returned headers
} queued;

struct tail {
    tail_dir *dir;
    tail_limits limits;
    LP_VEC(int) fresh; // files that have no header yet
    LP_VEC(queued) queue;
    size_t current; // index of the chunk that is read; earlier ones were read, and are kept
    uint64_t next_rank;
    uint32_t next_number; // of the next chunk
    uint64_t dropped_chunks;
    uint64_t dropped_bytes;
    uint64_t missed_chunks; // in former directories
};

// --- A chunk file
//
// The JVM publishes flushed bytes by rewriting the header: first the state byte with a guard value,
// then everything with the new size. Bytes below the published size never change again; bytes above
// it are incomplete. So a header counts when two reads of it agree and neither shows the guard.

// Fills bytes from offset; LP_EEND if the file ends before.
static lp_err
read_at(int fd, uint64_t offset, uint8_t *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = pread(fd, bytes + done, size - done, (off_t)(offset + done));
        LP_REQUIRE(count != 0, LP_EEND);
        LP_REQUIRE(count >= 0 || errno == EINTR, LP_EIO);
        done += count > 0 ? (size_t)count : 0;
    }
    return LP_OK;
}

static lp_err
read_header(int fd, uint8_t *out_header)
{
    uint8_t first[JFR_CHUNK_HEADER_SIZE];
    uint8_t second[JFR_CHUNK_HEADER_SIZE];
    for (int i = 0; i < HEADER_TRIES_MAX; i++) {
        LP_TRY(read_at(fd, 0, first, sizeof(first)));
        if (first[JFR_CHUNK_STATE_OFFSET] == JFR_CHUNK_STATE_WRITING) {
            (void)nanosleep(&(struct timespec){.tv_nsec = HEADER_RETRY_NS}, NULL);
            continue;
        }
        LP_TRY(read_at(fd, 0, second, sizeof(second)));
        if (memcmp(first, second, sizeof(first)) == 0) {
            memcpy(out_header, first, sizeof(first));
            return LP_OK;
        }
    }
    return LP_EAGAIN;
}

static lp_err
adopt(chunk_file *chunk, const uint8_t *header, const jfr_chunk_info *info)
{
    // Without metadata nothing has been flushed yet.
    uint64_t published = info->metadata_offset == 0 ? 0 : info->size_bytes;
    LP_REQUIRE(published >= chunk->published_bytes, LP_ECORRUPT);
    memcpy(chunk->header, header, sizeof(chunk->header));
    chunk->info = *info;
    chunk->published_bytes = published;
    chunk->is_finished = info->state == JFR_CHUNK_STATE_FINISHED;
    return LP_OK;
}

// Opens fd as a chunk, once the JVM has written its header.
// Owns:   on LP_OK the chunk owns fd; close_chunk closes it
// Errors: LP_EEND     no header yet
//         LP_EAGAIN   the header is being rewritten
//         LP_EVERSION not 2.x, or a version without flushes
//         LP_ECORRUPT not a chunk; LP_EIO
static lp_err
open_chunk(int fd, chunk_file *out_chunk)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    jfr_chunk_info info;
    lp_err err = read_header(fd, header);
    LP_THEN(err, jfr_chunk_parse((lp_slice){header, sizeof(header)}, &info, NULL));
    LP_REQUIRE(err == LP_OK, err);
    LP_REQUIRE(info.major == 2 && info.minor >= STREAMABLE_MINOR, LP_EVERSION);
    chunk_file chunk = {.fd = fd};
    err = adopt(&chunk, header, &info);
    if (err == LP_OK) {
        *out_chunk = chunk;
    }
    return err;
}

static void
close_chunk(chunk_file *chunk)
{
    (void)close(chunk->fd);
    *chunk = (chunk_file){.fd = -1};
}

// Reads the header again, for newly published bytes.
// Errors: LP_EAGAIN, LP_EIO, LP_ECORRUPT: the chunk is unchanged
static lp_err
refresh_chunk(chunk_file *chunk)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    jfr_chunk_info info;
    lp_err err = read_header(chunk->fd, header);
    LP_THEN(err, jfr_chunk_parse((lp_slice){header, sizeof(header)}, &info, NULL));
    return err == LP_OK ? adopt(chunk, header, &info) : err;
}

// Appends the next bytes, at most size_max, to out, and advances. The first 68 bytes are the last
// valid header, not the current content of the file.
// Errors: LP_EEND if nothing published is left; LP_EIO; LP_ECORRUPT if the file is too short;
//         LP_ENOMEM
static lp_err
copy_chunk(chunk_file *chunk, size_t size_max, lp_buf *out)
{
    LP_ASSERT(chunk->copied_bytes <= chunk->published_bytes);
    uint64_t left = chunk->published_bytes - chunk->copied_bytes;
    LP_REQUIRE(left != 0, LP_EEND);
    size_t size = left < size_max ? (size_t)left : size_max;
    size_t before = out->len;
    uint8_t *bytes = lp_buf_extend(out, size);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    lp_err err = read_at(chunk->fd, chunk->copied_bytes, bytes, size);
    if (err != LP_OK) {
        out->len = before;
        return err == LP_EEND ? LP_ECORRUPT : err;
    }
    if (chunk->copied_bytes < sizeof(chunk->header)) {
        size_t begin = (size_t)chunk->copied_bytes;
        size_t count = sizeof(chunk->header) - begin;
        memcpy(bytes, chunk->header + begin, count < size ? count : size);
    }
    chunk->copied_bytes += size;
    return LP_OK;
}

// --- The queue

lp_err
tail_open(
    const char *directory, const tail_limits *limits, tail **out_tail, lp_problem *out_problem)
{
    tail *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, LP_ENOMEM);
    self->limits = *limits;
    lp_err err = open_dir(directory, &self->dir, out_problem);
    if (err != LP_OK) {
        tail_close(self);
        return err;
    }
    *out_tail = self;
    return LP_OK;
}

void
tail_close(tail *self)
{
    if (self == NULL) {
        return;
    }
    LP_VEC_FINI_EACH(&self->fresh, (void)close(*at));
    LP_VEC_FINI_EACH(&self->queue, close_chunk(&at->chunk));
    close_dir(self->dir);
    free(self);
}

int
tail_get_fd(const tail *self)
{
    return self->dir->notify_fd;
}

static lp_err
on_file(void *arg, int fd)
{
    tail *self = arg;
    lp_err err = LP_VEC_ADD(&self->fresh, fd);
    if (err != LP_OK) {
        (void)close(fd);
    }
    return err;
}

lp_err
tail_move(tail *self, const char *directory, lp_problem *out_problem)
{
    tail_dir *dir;
    LP_TRY(open_dir(directory, &dir, out_problem));
    // The last chunk of the old directory may have appeared after the last look.
    lp_err err = scan_dir(self->dir, true, on_file, self);
    if (err != LP_OK) {
        close_dir(dir);
        return lp_problem_set(out_problem, err, "cannot read the former directory");
    }
    self->missed_chunks += self->dir->missed_count;
    close_dir(self->dir);
    self->dir = dir;
    return LP_OK;
}

static void
remove_queued(tail *self, size_t index)
{
    close_chunk(&self->queue.items[index].chunk);
    self->queue.count--;
    self->current -= index < self->current ? 1 : 0;
    memmove(self->queue.items + index, self->queue.items + index + 1,
        (self->queue.count - index) * sizeof(queued));
}

static void
give_up(tail *self, size_t index)
{
    const chunk_file *chunk = &self->queue.items[index].chunk;
    self->dropped_chunks++;
    self->dropped_bytes += chunk->published_bytes - chunk->copied_bytes;
    remove_queued(self, index);
}

static bool
is_deleted(int fd)
{
    struct stat found;
    return fstat(fd, &found) == 0 && found.st_nlink == 0;
}

LP_COMPARE(
    compare_start, queued, LP_ORDER(one->chunk.info.start_wall_ns, other->chunk.info.start_wall_ns))

// Moves the fresh files that have a header to the queue. The JVM writes a chunk's header before it
// creates the next file. So within one scan the files with a header are the older ones, unless a
// header is just being rewritten: then all of them wait for the next look.
static lp_err
admit(tail *self)
{
    size_t admitted = 0;
    size_t kept = 0;
    bool is_torn = false;
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->fresh.count; i++) {
        int fd = self->fresh.items[i];
        LP_THEN(err, !LP_VEC_RESERVE(&self->queue, admitted + 1) ? LP_ENOMEM : LP_OK);
        queued next = {0};
        lp_err found = err != LP_OK ? err : open_chunk(fd, &next.chunk);
        is_torn |= found == LP_EAGAIN;
        if (found == LP_OK) {
            self->queue.items[self->queue.count + admitted++] = next;
        } else if (found == LP_ECORRUPT || found == LP_EVERSION || is_deleted(fd)) {
            (void)close(fd);
        } else {
            self->fresh.items[kept++] = fd;
        }
    }
    self->fresh.count = kept;
    if (is_torn) {
        for (size_t i = 0; i < admitted; i++) {
            self->fresh.items[self->fresh.count++] =
                self->queue.items[self->queue.count + i].chunk.fd;
        }
        return err;
    }
    LP_QSORT(self->queue.items + self->queue.count, admitted, compare_start);
    for (size_t i = 0; i < admitted; i++) {
        self->queue.items[self->queue.count++].rank = self->next_rank++;
    }
    return err;
}

// Reads the headers of chunks that may still grow, after admit: a chunk with a successor is
// finished.
static void
refresh(tail *self)
{
    for (size_t i = 0; i < self->queue.count; i++) {
        chunk_file *chunk = &self->queue.items[i].chunk;
        if (chunk->is_finished) {
            continue;
        }
        lp_err err = refresh_chunk(chunk);
        if (err != LP_EAGAIN && i + 1 < self->queue.count) {
            chunk->is_finished = true;
        }
    }
}

// Returns the index of the oldest chunk that may be dropped; queue_count if there is none.
static size_t
find_oldest_idle(const tail *self)
{
    size_t index = 0;
    while (index < self->queue.count &&
           (self->queue.items[index].is_begun || !self->queue.items[index].chunk.is_finished)) {
        index++;
    }
    return index;
}

static void
enforce_limits(tail *self)
{
    uint64_t deleted_bytes = 0;
    for (size_t i = 0; i < self->queue.count; i++) {
        const chunk_file *chunk = &self->queue.items[i].chunk;
        deleted_bytes += is_deleted(chunk->fd) ? chunk->published_bytes : 0;
    }
    for (;;) {
        size_t idle = find_oldest_idle(self);
        bool is_over = self->queue.count > self->limits.chunk_count_max ||
                       deleted_bytes > self->limits.deleted_bytes_max;
        if (!is_over || (idle == self->queue.count && self->current == 0)) {
            return;
        }
        const chunk_file *chunk = &self->queue.items[self->current > 0 ? 0 : idle].chunk;
        deleted_bytes -= is_deleted(chunk->fd) ? chunk->published_bytes : 0;
        if (self->current > 0) {
            remove_queued(self, 0); // already read
        } else {
            give_up(self, idle);
        }
    }
}

lp_err
tail_look(tail *self, bool is_forced)
{
    lp_err scanned = scan_dir(self->dir, is_forced, on_file, self);
    lp_err admitted = admit(self);
    refresh(self);
    enforce_limits(self);
    return scanned != LP_OK ? scanned : admitted;
}

uint64_t
tail_get_growing(const tail *self)
{
    for (size_t i = 0; i < self->queue.count; i++) {
        if (!self->queue.items[i].chunk.is_finished) {
            return self->queue.items[i].rank;
        }
    }
    return self->next_rank;
}

// Skips the chunks that were returned completely, and lends the next one; NULL if there is none.
static queued *
find_current(tail *self)
{
    LP_ASSERT(self->current <= self->queue.count);
    while (self->current < self->queue.count) {
        queued *head = &self->queue.items[self->current];
        const chunk_file *chunk = &head->chunk;
        // Nothing was ever flushed, or the JVM began the next chunk without finishing this one.
        bool has_no_end =
            chunk->published_bytes == 0 || chunk->info.state != JFR_CHUNK_STATE_FINISHED;
        if (!chunk->is_finished || chunk->copied_bytes < chunk->published_bytes ||
            (!head->is_final_returned && !has_no_end)) {
            return head;
        }
        if (head->is_begun) {
            self->current++;
        } else {
            remove_queued(self, self->current);
        }
    }
    return NULL;
}

bool
tail_find_place(tail *self, tail_place *out_place)
{
    queued *current = find_current(self);
    LP_REQUIRE(current != NULL, false);
    if (!current->is_begun) {
        current->is_begun = true;
        current->number = self->next_number++;
    }
    *out_place = (tail_place){
        .rank = current->rank,
        .chunk = current->number,
        .offset = current->chunk.copied_bytes,
        .start_wall_ns = current->chunk.info.start_wall_ns,
    };
    return true;
}

lp_err
tail_next(tail *self, size_t size_max, lp_buf *out, tail_piece *out_piece)
{
    tail_piece piece = {0};
    while (tail_find_place(self, &piece.place)) {
        queued *current = &self->queue.items[self->current];
        LP_ASSERT(current->number < self->next_number);
        chunk_file *chunk = &current->chunk;
        lp_err err = copy_chunk(chunk, size_max, out);
        LP_REQUIRE(err != LP_ENOMEM, err);
        if (err == LP_EIO || err == LP_ECORRUPT) {
            give_up(self, self->current); // the file is damaged: try the next chunk
            continue;
        }
        LP_REQUIRE(err != LP_EEND || chunk->is_finished, LP_EEND);
        piece.size = (size_t)(chunk->copied_bytes - piece.place.offset);
        piece.begins_event = piece.place.offset > 0 && piece.place.offset == current->covered_bytes;
        piece.has_header = chunk->copied_bytes == chunk->published_bytes;
        current->covered_bytes = piece.has_header ? chunk->copied_bytes : current->covered_bytes;
        memcpy(piece.header, chunk->header, sizeof(piece.header));
        current->is_final_returned = piece.has_header && chunk->is_finished;
        *out_piece = piece;
        return LP_OK;
    }
    return LP_EEND;
}

void
tail_release(tail *self, uint32_t end)
{
    (void)find_current(self);
    while (self->current > 0 && self->queue.items[0].number < end) {
        remove_queued(self, 0);
    }
}

bool
tail_go_back(tail *self, uint32_t from, uint32_t *out_number)
{
    size_t index = 0;
    while (index < self->queue.count && self->queue.items[index].is_begun &&
           self->queue.items[index].number < from) {
        index++;
    }
    if (index == self->queue.count || !self->queue.items[index].is_begun) {
        return false;
    }
    for (size_t i = index; i < self->queue.count && self->queue.items[i].is_begun; i++) {
        self->queue.items[i].chunk.copied_bytes = 0;
        self->queue.items[i].is_final_returned = false;
    }
    self->current = index;
    *out_number = self->queue.items[index].number;
    return true;
}

uint64_t
tail_get_unread(const tail *self)
{
    uint64_t unread = 0;
    for (size_t i = 0; i < self->queue.count; i++) {
        const chunk_file *chunk = &self->queue.items[i].chunk;
        LP_ASSERT(chunk->copied_bytes <= chunk->published_bytes);
        unread += chunk->published_bytes - chunk->copied_bytes;
    }
    return unread;
}

tail_counts
tail_get_counts(const tail *self)
{
    return (tail_counts){
        .dropped_chunks = self->dropped_chunks,
        .dropped_bytes = self->dropped_bytes,
        .missed_chunks = self->missed_chunks + self->dir->missed_count,
    };
}
