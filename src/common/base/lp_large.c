// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_large.h"

#include "common/base/lp_io.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    HEAD_BYTES = 64, // before each block in a file; what malloc returns is aligned less
    PAGE_BYTES = 4096,
    FILE_MODE = 0600,
};

// The begin of a mapping.
typedef struct head {
    struct head *next;
    struct head *before;
    size_t mapped_bytes;
    int fd;
} head;

_Static_assert(sizeof(head) <= HEAD_BYTES, "it lies before the block");

static _Thread_local int directory = -1;
static _Thread_local size_t least; // of bytes for a file

// All blocks in files: there are few at a time, and they are large.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // of first
static head *first;
static atomic_size_t count; // how many there are; orders nothing

void
lp_large_begin(int directory_fd, size_t least_bytes)
{
    directory = directory_fd;
    least = least_bytes < LP_LARGE_BYTES ? LP_LARGE_BYTES : least_bytes;
}

void
lp_large_end(void)
{
    directory = -1;
}

size_t
lp_large_get_least(void)
{
    return directory < 0 ? 0 : least;
}

static void
link_head(head *h)
{
    (void)pthread_mutex_lock(&mutex);
    h->before = NULL;
    h->next = first;
    if (first != NULL) {
        first->before = h;
    }
    first = h;
    (void)pthread_mutex_unlock(&mutex);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}

static void
unlink_head(head *h)
{
    (void)pthread_mutex_lock(&mutex);
    if (h->before != NULL) {
        h->before->next = h->next;
    } else {
        first = h->next;
    }
    if (h->next != NULL) {
        h->next->before = h->before;
    }
    (void)pthread_mutex_unlock(&mutex);
    atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
}

// find_head returns the head of a block in a file; NULL for any other block. The owner of a block
// has seen that it was counted.
static head *
find_head(const void *block)
{
    if (atomic_load_explicit(&count, memory_order_relaxed) == 0 ||
        (uintptr_t)block % PAGE_BYTES != HEAD_BYTES) {
        return NULL;
    }
    (void)pthread_mutex_lock(&mutex);
    head *h = first;
    while (h != NULL && (const uint8_t *)h + HEAD_BYTES != (const uint8_t *)block) {
        h = h->next;
    }
    (void)pthread_mutex_unlock(&mutex);
    return h;
}

static size_t
to_pages(size_t bytes)
{
    return (bytes + HEAD_BYTES + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

// map_new returns a new block in a file; NULL with errno on failure.
static void *
map_new(size_t bytes)
{
    if (bytes > (size_t)PTRDIFF_MAX - 2 * (size_t)PAGE_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    size_t mapped_bytes = to_pages(bytes);
    int fd = openat(directory, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, FILE_MODE);
    LP_REQUIRE(fd >= 0, NULL);
    head *h = fallocate(fd, 0, 0, (off_t)mapped_bytes) != 0
                  ? MAP_FAILED
                  : mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h == MAP_FAILED) {
        lp_io_close(fd);
        return NULL;
    }
    *h = (head){.mapped_bytes = mapped_bytes, .fd = fd};
    link_head(h);
    return (uint8_t *)h + HEAD_BYTES;
}

static void
unmap(head *h)
{
    unlink_head(h);
    (void)close(h->fd);
    (void)munmap(h, h->mapped_bytes);
}

// remap makes a block in a file larger.
static void *
remap(head *h, size_t bytes)
{
    LP_REQUIRE(bytes <= (size_t)PTRDIFF_MAX - 2 * (size_t)PAGE_BYTES, NULL);
    size_t mapped_bytes = to_pages(bytes);
    if (mapped_bytes <= h->mapped_bytes) {
        return (uint8_t *)h + HEAD_BYTES;
    }
    LP_REQUIRE(fallocate(h->fd, 0, 0, (off_t)mapped_bytes) == 0, NULL);
    unlink_head(h);
    head *moved = mremap(h, h->mapped_bytes, mapped_bytes, MREMAP_MAYMOVE);
    if (moved != MAP_FAILED) {
        h = moved;
        h->mapped_bytes = mapped_bytes;
    }
    link_head(h);
    return moved == MAP_FAILED ? NULL : (uint8_t *)h + HEAD_BYTES;
}

// wants_file returns whether a new block belongs in a file.
static bool
wants_file(size_t bytes)
{
    return directory >= 0 && bytes >= least;
}

// is_full returns whether errno says that the disk had no room for a block's file.
static bool
is_full(void)
{
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
}

void *
lp_large_alloc(size_t bytes)
{
    void *block = wants_file(bytes) ? map_new(bytes) : NULL;
    return block != NULL || (wants_file(bytes) && is_full()) ? block : malloc(bytes);
}

void *
lp_large_grow(void *old, size_t old_bytes, size_t bytes)
{
    head *h = find_head(old);
    if (h != NULL) {
        return remap(h, bytes);
    }
    void *block = wants_file(bytes) ? map_new(bytes) : NULL;
    if (block == NULL) {
        return wants_file(bytes) && is_full() ? NULL : realloc(old, bytes);
    }
    if (old_bytes > 0) {
        memcpy(block, old, old_bytes);
    }
    free(old);
    return block;
}

void
lp_large_free(void *block)
{
    head *h = find_head(block);
    if (h != NULL) {
        unmap(h);
    } else {
        free(block);
    }
}
