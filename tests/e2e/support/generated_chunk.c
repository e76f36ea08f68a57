// SPDX-License-Identifier: Apache-2.0
#include "e2e/support/generated_chunk.h"

#include "support/jfr_sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TICK = 300, // type id
    THREAD_KEY = 1,
    SIZE_AT = 8,   // of a chunk's header: from here on it changes with each flush
    STATE_AT = 64, // 0: finished; else the generation
    GUARD_BYTES = 2,
    HEADER_BYTES = 68,
    GENERATIONS = 254,
};

static const jfr_build_type tick_type = {
    .id = TICK,
    .name = "e2e.Tick",
    .super = "jdk.jfr.Event",
    .fields = {{.name = "startTime",
                   .type = JFR_SAMPLE_LONG,
                   .annotation = JFR_SAMPLE_TIMESTAMP,
                   .annotation_value = "TICKS"},
        {.name = "duration", .type = JFR_SAMPLE_LONG},
        {.name = "eventThread", .type = JFR_SAMPLE_THREAD, .is_constant = true},
        {.name = "seq", .type = JFR_SAMPLE_LONG}},
};

static void
must(bool is_done, const char *what)
{
    if (!is_done) {
        perror(what);
        abort();
    }
}

static void
write_at(int fd, const uint8_t *bytes, size_t count, size_t offset)
{
    must(pwrite(fd, bytes, count, (off_t)offset) == (ssize_t)count, "a chunk file");
}

generated_chunk
generated_chunk_create(const char *path)
{
    generated_chunk chunk = {.fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
    must(chunk.fd >= 0, path);
    return chunk;
}

void
generated_chunk_begin(generated_chunk *chunk, int64_t now_ticks)
{
    struct timespec wall;
    must(clock_gettime(CLOCK_REALTIME, &wall) == 0, "clock_gettime");
    jfr_build_begin(
        &chunk->build, &(jfr_build_clock){.start_ticks = now_ticks,
                           .start_wall_ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec});
    uint8_t header[HEADER_BYTES];
    memcpy(header, jfr_build_finish(&chunk->build).ptr, sizeof(header));
    header[STATE_AT] = chunk->generation = 1;
    write_at(chunk->fd, header, sizeof(header), 0);
    chunk->published = sizeof(header);

    jfr_build_type types[JFR_SAMPLE_TYPES_MAX + 1];
    size_t count = jfr_sample_types(types);
    types[count++] = tick_type;
    jfr_build_metadata(&chunk->build, 1, types, count);
    jfr_sample_thread(&chunk->build, THREAD_KEY, GENERATED_CHUNK_THREAD);
}

void
generated_chunk_add(generated_chunk *chunk, int64_t ticks, uint64_t sequence)
{
    lp_buf *out = &chunk->build.payload;
    jfr_build_varint(out, (uint64_t)ticks);
    jfr_build_varint(out, 0); // duration
    jfr_build_varint(out, THREAD_KEY);
    jfr_build_varint(out, sequence);
    (void)jfr_build_event(&chunk->build, TICK);
}

// publish writes what is new, and then the header that admits to it, in two writes: while the first
// of them alone is there, readers take no field of the header for true.
static void
publish(generated_chunk *chunk, int64_t now_ticks, uint8_t state)
{
    static const uint8_t guard[GUARD_BYTES] = {0xff, 0};
    chunk->build.clock.duration_ns = now_ticks - chunk->build.clock.start_ticks;
    jfr_build_checkpoint(&chunk->build);
    lp_slice whole = jfr_build_finish(&chunk->build);
    write_at(
        chunk->fd, whole.ptr + chunk->published, whole.len - chunk->published, chunk->published);
    write_at(chunk->fd, guard, sizeof(guard), STATE_AT);
    uint8_t header[HEADER_BYTES];
    memcpy(header, whole.ptr, sizeof(header));
    header[STATE_AT] = state;
    write_at(chunk->fd, header + SIZE_AT, sizeof(header) - SIZE_AT, SIZE_AT);
    chunk->published = whole.len;
}

void
generated_chunk_flush(generated_chunk *chunk, int64_t now_ticks)
{
    chunk->generation = (uint8_t)(chunk->generation % GENERATIONS + 1);
    publish(chunk, now_ticks, chunk->generation);
}

void
generated_chunk_finish(generated_chunk *chunk, int64_t now_ticks)
{
    publish(chunk, now_ticks, 0);
    (void)close(chunk->fd);
    jfr_build_fini(&chunk->build);
    *chunk = (generated_chunk){.fd = -1};
}
