// SPDX-License-Identifier: Apache-2.0

#include "collector/base/pending_bytes.h"

#include "pending.pb-c.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_proto.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE_BYTES = 4 };

// --- Writing

static Loupe__Pending__Totals
totals_of(const catalog_totals *from)
{
    Loupe__Pending__Totals to = LOUPE__PENDING__TOTALS__INIT;
    to.events_in = from->events_in;
    to.events_out = from->events_out;
    to.contexts_in = from->contexts_in;
    to.contexts_out = from->contexts_out;
    to.bytes_in = from->bytes_in;
    to.bytes_out = from->bytes_out;
    to.late_events = from->late_events;
    to.late_contexts = from->late_contexts;
    to.requests_in = from->requests_in;
    to.requests_out = from->requests_out;
    to.n_requests_kept_by = CATALOG_REQUESTS_KEPT_BY; // borrowed: it is only packed
    to.requests_kept_by = (uint64_t *)(uintptr_t)from->requests_kept_by;
    to.n_requests_dropped_by = CATALOG_REQUESTS_DROPPED_BY;
    to.requests_dropped_by = (uint64_t *)(uintptr_t)from->requests_dropped_by;
    return to;
}

static lp_err
append_message(const Loupe__Pending__Pending *message, lp_buf *to)
{
    size_t size = loupe__pending__pending__get_packed_size(message);
    LP_ASSERT(size <= UINT32_MAX);
    uint8_t *bytes = lp_buf_extend(to, SIZE_BYTES + size);
    LP_REQUIRE(bytes != NULL, LP_ENOMEM);
    uint32_t be_size = htobe32((uint32_t)size);
    memcpy(bytes, &be_size, SIZE_BYTES);
    (void)loupe__pending__pending__pack(message, bytes + SIZE_BYTES);
    return LP_OK;
}

lp_err
pending_bytes_encode(const snapshot *snap, lp_buf *out_head)
{
    LP_ASSERT(snap->err == LP_OK);
    size_t count = snap->chunks.count;
    Loupe__Pending__Chunk *chunks = calloc(count + 1, sizeof(*chunks));
    Loupe__Pending__Chunk **places = calloc(count + 1, sizeof(*places));
    Loupe__Pending__Totals totals = totals_of(&snap->totals);
    Loupe__Pending__Waiting waiting = LOUPE__PENDING__WAITING__INIT;
    waiting.chunks = snap->waiting.chunks;
    waiting.journal_bytes = snap->waiting.journal_bytes;
    waiting.duration_ns = snap->waiting.duration_ns;
    Loupe__Pending__Pending message = LOUPE__PENDING__PENDING__INIT;
    message.next_chunk = snap->next_chunk;
    message.totals = &totals;
    message.waiting = &waiting;
    message.n_chunks = count;
    message.chunks = places;
    lp_err err = chunks == NULL || places == NULL ? LP_ENOMEM : LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        loupe__pending__chunk__init(&chunks[i]);
        chunks[i].size_bytes = snap->chunks.items[i].size_bytes;
        chunks[i].content_hash = snap->chunks.items[i].content_hash;
        places[i] = &chunks[i];
    }
    LP_THEN(err, append_message(&message, out_head));
    free(chunks);
    free(places);
    return err;
}

// --- Reading

// read_at reads bytes of a file. Errors: LP_ECORRUPT the file ends before; LP_EIO
static lp_err
read_at(int fd, uint64_t offset, void *out, size_t size)
{
    LP_ASSERT(fd >= 0);
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(fd, (uint8_t *)out + done, size - done, (off_t)(offset + done));
        LP_REQUIRE(got >= 0 || errno == EINTR, LP_EIO);
        LP_REQUIRE(got != 0, LP_ECORRUPT);
        done += got > 0 ? (size_t)got : 0;
    }
    return LP_OK;
}

static lp_err
read_message(int fd, Loupe__Pending__Pending **out_message, uint64_t *out_end)
{
    uint32_t be_size;
    lp_err err = read_at(fd, 0, &be_size, sizeof(be_size));
    size_t size = err == LP_OK ? be32toh(be_size) : 0;
    LP_REQUIRE(err == LP_OK && size <= PENDING_BYTES_HEAD_MAX, err == LP_OK ? LP_ECORRUPT : err);
    uint8_t *bytes = malloc(size + 1);
    err = bytes == NULL ? LP_ENOMEM : read_at(fd, SIZE_BYTES, bytes, size);
    if (err == LP_OK) {
        bool is_short;
        ProtobufCAllocator allocator = lp_proto_allocator(&is_short);
        *out_message = loupe__pending__pending__unpack(&allocator, size, bytes);
        err = *out_message != NULL ? LP_OK : lp_proto_err(is_short);
    }
    free(bytes);
    *out_end = SIZE_BYTES + size;
    return err;
}

static void
fill_reasons(const uint64_t *from, size_t from_count, uint64_t *to, size_t to_count)
{
    for (size_t i = 0; i < from_count && i < to_count; i++) {
        to[i] = from[i];
    }
}

static void
fill_totals(const Loupe__Pending__Pending *from, snapshot *to)
{
    to->next_chunk = from->next_chunk;
    if (from->totals != NULL) {
        to->totals = (catalog_totals){.events_in = from->totals->events_in,
            .events_out = from->totals->events_out,
            .contexts_in = from->totals->contexts_in,
            .contexts_out = from->totals->contexts_out,
            .bytes_in = from->totals->bytes_in,
            .bytes_out = from->totals->bytes_out,
            .late_events = from->totals->late_events,
            .late_contexts = from->totals->late_contexts,
            .requests_in = from->totals->requests_in,
            .requests_out = from->totals->requests_out};
        fill_reasons(from->totals->requests_kept_by, from->totals->n_requests_kept_by,
            to->totals.requests_kept_by, CATALOG_REQUESTS_KEPT_BY);
        fill_reasons(from->totals->requests_dropped_by, from->totals->n_requests_dropped_by,
            to->totals.requests_dropped_by, CATALOG_REQUESTS_DROPPED_BY);
    }
    if (from->waiting != NULL) {
        to->waiting = (snapshot_waiting){.chunks = from->waiting->chunks,
            .journal_bytes = from->waiting->journal_bytes,
            .duration_ns = from->waiting->duration_ns};
    }
}

// fill_chunks adds the chunks, which are behind the head. Errors: LP_ECORRUPT if their sizes do not
// add up to the file's; LP_ENOMEM
static lp_err
fill_chunks(const Loupe__Pending__Pending *from, uint64_t head_bytes, snapshot *to)
{
    uint64_t offset = head_bytes;
    for (size_t i = 0; i < from->n_chunks; i++) {
        uint64_t size = from->chunks[i]->size_bytes;
        LP_REQUIRE(size <= to->file_bytes - offset, LP_ECORRUPT);
        snapshot_chunk *chunk = LP_VEC_PUSH(&to->chunks);
        LP_REQUIRE(chunk != NULL, LP_ENOMEM);
        *chunk = (snapshot_chunk){.file_offset = offset,
            .size_bytes = size,
            .content_hash = from->chunks[i]->content_hash};
        offset += size;
        to->size_bytes += size;
    }
    return offset == to->file_bytes ? LP_OK : LP_ECORRUPT;
}

static lp_err
fill(int fd, snapshot *to)
{
    LP_ASSERT(fd >= 0 && to->chunks.count == 0);
    struct stat of;
    Loupe__Pending__Pending *message = NULL;
    uint64_t head_bytes = 0;
    LP_REQUIRE(fstat(fd, &of) == 0, LP_EIO);
    LP_TRY(read_message(fd, &message, &head_bytes));
    to->file_bytes = (uint64_t)of.st_size;
    fill_totals(message, to);
    lp_err err = fill_chunks(message, head_bytes, to);
    loupe__pending__pending__free_unpacked(message, NULL);
    return err;
}

lp_err
pending_bytes_decode(int fd, snapshot **out_snapshot)
{
    snapshot *made = snapshot_create(LP_OK);
    if (made == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    made->fd = fd;
    lp_err err = fill(fd, made);
    if (err != LP_OK) {
        snapshot_unref(made);
        return err;
    }
    *out_snapshot = made;
    return LP_OK;
}
