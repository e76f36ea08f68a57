// SPDX-License-Identifier: Apache-2.0
// chunk_writer: writes a chunk file in the steps in which HotSpot does, so that a test can stop
// between any two of them. Behind the header every byte follows from its offset and the chunk's
// seed.
//
// The header is put together here, byte by byte, and not by our own encoder.

#pragma once

#include "support/be64.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_WRITER_HEADER_BYTES = 68 };

typedef struct chunk_writer {
    char path[300];
    int fd;
    unsigned seed;
    int64_t start_ns;
    uint64_t written;   // bytes in the file
    uint64_t published; // bytes that the header admits to
    uint8_t generation;
    uint8_t minor;
    uint8_t header[CHUNK_WRITER_HEADER_BYTES]; // the last that was written in full
} chunk_writer;

static inline uint8_t
chunk_writer_byte(unsigned seed, uint64_t offset)
{
    return (uint8_t)(offset * 31 + (offset >> 9) + seed * 97);
}

static inline void
chunk_writer_must(int is_true, const char *what)
{
    if (!is_true) {
        perror(what);
        abort();
    }
}

// chunk_writer_create makes the empty file that is there before the JVM ends the chunk before.
static inline chunk_writer
chunk_writer_create(const char *directory, const char *name, unsigned seed, int64_t start_ns)
{
    chunk_writer chunk = {.seed = seed, .start_ns = start_ns, .minor = 1};
    (void)snprintf(chunk.path, sizeof(chunk.path), "%s/%s", directory, name);
    chunk.fd = open(chunk.path, O_RDWR | O_CREAT | O_EXCL, 0600);
    chunk_writer_must(chunk.fd >= 0, chunk.path);
    return chunk;
}

static inline void
chunk_writer_encode(const chunk_writer *chunk, uint64_t size, uint8_t state, uint8_t *out_header)
{
    int is_flushed = size > CHUNK_WRITER_HEADER_BYTES;
    memset(out_header, 0, CHUNK_WRITER_HEADER_BYTES);
    memcpy(out_header, "FLR\0\0\2\0", 7);
    out_header[7] = chunk->minor;
    be64_put(out_header + 8, size);
    be64_put(out_header + 16, is_flushed ? size - 1 : 0); // checkpoint
    be64_put(out_header + 24, is_flushed ? 68 : 0);       // metadata
    be64_put(out_header + 32, (uint64_t)chunk->start_ns);
    be64_put(out_header + 40, size); // a duration, different at each flush
    be64_put(out_header + 48, 1000);
    be64_put(out_header + 56, 1000000000);
    out_header[64] = state;
    out_header[67] = 1;
}

// chunk_writer_begin writes the first header: nothing is published yet.
static inline void
chunk_writer_begin(chunk_writer *chunk)
{
    chunk->generation = 1;
    chunk_writer_encode(chunk, CHUNK_WRITER_HEADER_BYTES, 1, chunk->header);
    chunk_writer_must(
        pwrite(chunk->fd, chunk->header, sizeof(chunk->header), 0) == sizeof(chunk->header),
        "begin");
    chunk->written = CHUNK_WRITER_HEADER_BYTES;
}

// chunk_writer_append stores bytes behind what is published, as full buffers are between flushes.
static inline void
chunk_writer_append(chunk_writer *chunk, size_t count)
{
    uint8_t *bytes = malloc(count);
    chunk_writer_must(bytes != NULL, "malloc");
    for (size_t i = 0; i < count; i++) {
        bytes[i] = chunk_writer_byte(chunk->seed, chunk->written + i);
    }
    chunk_writer_must(
        pwrite(chunk->fd, bytes, count, (off_t)chunk->written) == (ssize_t)count, "append");
    chunk->written += count;
    free(bytes);
}

// chunk_writer_guard and chunk_writer_publish are the two writes of a header update.
static inline void
chunk_writer_guard(chunk_writer *chunk)
{
    chunk_writer_must(pwrite(chunk->fd, "\xff", 2, 64) == 2, "guard");
}

static inline void
chunk_writer_publish(chunk_writer *chunk, uint8_t state)
{
    chunk_writer_encode(chunk, chunk->written, state, chunk->header);
    chunk_writer_must(pwrite(chunk->fd, chunk->header + 8, 60, 8) == 60, "publish");
    chunk->published = chunk->written;
}

static inline void
chunk_writer_flush(chunk_writer *chunk)
{
    chunk->generation = chunk->generation == 254 ? 1 : (uint8_t)(chunk->generation + 1);
    chunk_writer_guard(chunk);
    chunk_writer_publish(chunk, chunk->generation);
}

// chunk_writer_finish is the last flush; the file stays.
static inline void
chunk_writer_finish(chunk_writer *chunk)
{
    chunk_writer_guard(chunk);
    chunk_writer_publish(chunk, 0);
    (void)close(chunk->fd);
    chunk->fd = -1;
}

static inline void
chunk_writer_delete(const chunk_writer *chunk)
{
    chunk_writer_must(unlink(chunk->path) == 0, chunk->path);
}
