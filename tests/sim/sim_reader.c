// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_reader.h"

#include "sim/sim_agent.h"
#include "sim/sim_world.h"

#include "common/context/ctx_pack.h"
#include "common/context/ctx_record.h"
#include "common/wire/wire.h"

#include <stdio.h>
#include <string.h>

enum { FRAME_BYTES = 12, HEADER_BYTES = 68 };

static void
read_file(const char *path, lp_buf *out)
{
    uint8_t bytes[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return;
    }
    for (size_t count; (count = fread(bytes, 1, sizeof(bytes), file)) > 0;) {
        lp_buf_append(out, bytes, count);
    }
    (void)fclose(file);
    LP_ASSERT(lp_buf_check(out) == LP_OK);
}

// add_bytes counts the bytes of a piece. Those of the header change in the JVM's file.
static void
add_bytes(const Loupe__Wire__Batch *batch, unsigned agent, sim_content *content)
{
    lp_buf bytes = {0};
    lp_slice frame = {batch->jfr_zstd.data, batch->jfr_zstd.len};
    LP_ASSERT(wire_decompress(frame, batch->jfr_size, &bytes) == LP_OK);
    size_t end = (size_t)batch->chunk_offset + bytes.len;
    if (content->counts.len < end) {
        size_t more = end - content->counts.len;
        memset(lp_buf_extend(&content->counts, more), 0, more);
    }
    for (size_t i = 0; i < bytes.len; i++) {
        size_t offset = (size_t)batch->chunk_offset + i;
        content->counts.ptr[offset]++;
        content->is_wrong |=
            offset >= HEADER_BYTES && bytes.ptr[i] != sim_agent_byte(agent, batch->chunk, offset);
    }
    lp_buf_fini(&bytes);
}

static void
add_records(const Loupe__Wire__Batch *batch, sim_content *content)
{
    lp_buf records = {0};
    lp_slice packed = {batch->contexts_packed.data, batch->contexts_packed.len};
    LP_ASSERT(ctx_unpack(packed, batch->contexts_size, &records) == LP_OK);
    ctx_record_header header;
    for (size_t at = 0; at < records.len; at += header.size_bytes) {
        memcpy(&header, records.ptr + at, sizeof(header));
        sim_record *record = LP_VEC_PUSH(&content->records);
        LP_ASSERT(record != NULL);
        *record = (sim_record){header.time_ticks, batch->chunk};
    }
    lp_buf_fini(&records);
}

// forget forgets what came of a chunk that begins again, since the records from first on.
static void
forget(sim_content *content, uint32_t chunk, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < content->records.count; i++) {
        if (content->records.items[i].chunk != chunk) {
            content->records.items[kept++] = content->records.items[i];
        }
    }
    content->records.count = kept;
    lp_buf_clear(&content->counts);
}

// next_record reads the request at *at, and moves it behind. The caller ends it. NULL: there is
// none.
static Loupe__Wire__Request *
next_record(const lp_buf *file, size_t *at)
{
    const uint8_t *frame = file->ptr + *at;
    if (*at + FRAME_BYTES > file->len || memcmp(frame, "LPJ1", 4) != 0) {
        return NULL;
    }
    size_t length = (size_t)frame[4] | (size_t)frame[5] << 8 | (size_t)frame[6] << 16;
    if (length > file->len - *at - FRAME_BYTES) {
        return NULL;
    }
    *at += FRAME_BYTES + length;
    return loupe__wire__request__unpack(NULL, length, frame + FRAME_BYTES);
}

// next_request does the same, and passes over what is no batch.
static Loupe__Wire__Request *
next_request(const lp_buf *file, size_t *at)
{
    Loupe__Wire__Request *request;
    while ((request = next_record(file, at)) != NULL &&
           request->body_case != LOUPE__WIRE__REQUEST__BODY_BATCH) {
        loupe__wire__request__free_unpacked(request, NULL);
    }
    return request;
}

// count_bytes counts a batch's bytes behind the end of those that came before.
static void
count_bytes(const Loupe__Wire__Batch *batch, uint64_t *bytes, uint64_t *end)
{
    uint64_t begin = batch->chunk_offset > *end ? batch->chunk_offset : *end;
    uint64_t batch_end = batch->chunk_offset + batch->jfr_size;
    if (batch->jfr_size > 0 && batch_end > begin) {
        *bytes += batch_end - begin;
        *end = batch_end;
    }
}

// find_most returns how often the chunk had begun again when it came of which most bytes came, each
// counted once.
static unsigned
find_most(const lp_buf *file, uint32_t ordinal)
{
    Loupe__Wire__Request *request;
    unsigned again = 0;
    unsigned most = 0;
    uint64_t bytes = 0;
    uint64_t bytes_end = 0; // up to the last of these
    uint64_t most_bytes = 0;
    for (size_t at = 0; (request = next_request(file, &at)) != NULL;) {
        const Loupe__Wire__Batch *batch = request->batch;
        if (batch->chunk == ordinal) {
            again += batch->begins_again ? 1 : 0;
            bytes = batch->begins_again ? 0 : bytes;
            bytes_end = batch->begins_again ? 0 : bytes_end;
            count_bytes(batch, &bytes, &bytes_end);
        }
        if (batch->chunk == ordinal && bytes >= most_bytes) {
            most = again;
            most_bytes = bytes;
        }
        loupe__wire__request__free_unpacked(request, NULL);
    }
    return most;
}

void
sim_reader_add(
    const char *path, uint64_t end_bytes, unsigned agent, uint32_t ordinal, sim_content *content)
{
    lp_buf file = {0};
    size_t first = content->records.count;
    Loupe__Wire__Request *request;
    unsigned again = 0;
    read_file(path, &file);
    LP_ASSERT(file.len >= end_bytes);
    file.len = (size_t)end_bytes;
    unsigned most = find_most(&file, ordinal);
    for (size_t at = 0; (request = next_request(&file, &at)) != NULL;) {
        const Loupe__Wire__Batch *batch = request->batch;
        bool is_of_chunk = batch->chunk == ordinal;
        again += is_of_chunk && batch->begins_again ? 1 : 0;
        bool is_ignored = is_of_chunk && again > most;
        if (batch->begins_again && is_of_chunk && !is_ignored) {
            forget(content, ordinal, first);
        }
        if (batch->jfr_size > 0 && is_of_chunk && !is_ignored) {
            add_bytes(batch, agent, content);
        }
        if (batch->contexts_packed.len > 0 && !is_ignored) {
            add_records(batch, content);
        }
        loupe__wire__request__free_unpacked(request, NULL);
    }
    lp_buf_fini(&file);
}

void
sim_reader_add_late(const char *path, unsigned agent, sim_content *content)
{
    lp_buf file = {0};
    Loupe__Wire__Request *request;
    read_file(path, &file);
    for (size_t at = 0; (request = next_request(&file, &at)) != NULL;) {
        if (request->batch->jfr_size > 0) {
            add_bytes(request->batch, agent, content);
        }
        if (request->batch->contexts_size > 0) {
            add_records(request->batch, content);
        }
        loupe__wire__request__free_unpacked(request, NULL);
    }
    lp_buf_fini(&file);
}

void
sim_content_pack(const sim_content *content, lp_buf *out)
{
    const size_t sizes[3] = {content->counts.len, content->records.count, content->is_wrong};
    lp_buf_append(out, sizes, sizeof(sizes));
    lp_buf_append(out, content->counts.ptr, sizes[0]);
    lp_buf_append(out, content->records.items, sizes[1] * sizeof(content->records.items[0]));
    LP_ASSERT(lp_buf_check(out) == LP_OK);
}

bool
sim_content_load(const char *path, sim_content *out_content)
{
    lp_buf file = {0};
    size_t sizes[3];
    *out_content = (sim_content){0};
    read_file(path, &file);
    if (file.len < sizeof(sizes)) {
        lp_buf_fini(&file);
        return false;
    }
    memcpy(sizes, file.ptr, sizeof(sizes));
    lp_buf_append(&out_content->counts, file.ptr + sizeof(sizes), sizes[0]);
    for (size_t i = 0; i < sizes[1]; i++) {
        sim_record *record = LP_VEC_PUSH(&out_content->records);
        memcpy(record, file.ptr + sizeof(sizes) + sizes[0] + i * sizeof(*record), sizeof(*record));
    }
    out_content->is_wrong = sizes[2] != 0;
    lp_buf_fini(&file);
    return true;
}

void
sim_content_fini(sim_content *content)
{
    lp_buf_fini(&content->counts);
    LP_VEC_FINI(&content->records);
}
