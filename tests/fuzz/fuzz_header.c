// SPDX-License-Identifier: Apache-2.0
// The input as a file: its headers, where its chunks lie, and which of them are of one JVM. Pieces
// tile the file, and each chunk gets one place. A header that is read is the same when it has been
// written and read again.

#include "fuzz.h"

#include "common/base/lp_assert.h"
#include "offline/chunk_scan.h"
#include "offline/jvm_sessions.h"

#include <string.h>

enum { CHUNKS_MAX = 256 };

typedef struct file {
    lp_slice bytes;
    uint64_t passed; // up to here
    jvm_chunk chunks[CHUNKS_MAX];
    lp_slice contents[CHUNKS_MAX];
    size_t count;
    jvm_identity_reader identities;
} file;

static void
check_header(lp_slice bytes)
{
    jfr_chunk_info info;
    jfr_chunk_info again;
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    lp_problem problem;
    if (jfr_chunk_parse(bytes, &info, &problem) != LP_OK) {
        LP_ASSERT(problem.text[0] != '\0');
        return;
    }
    jfr_chunk_encode(&info, header);
    LP_ASSERT(jfr_chunk_parse((lp_slice){header, sizeof(header)}, &again, NULL) == LP_OK);
    LP_ASSERT(info.size_bytes == again.size_bytes && info.start_wall_ns == again.start_wall_ns &&
              info.start_ticks == again.start_ticks && info.ticks_per_s == again.ticks_per_s &&
              info.state == again.state && info.is_last == again.is_last);
}

static void
on_passed(void *arg, uint64_t offset, uint64_t size_bytes)
{
    file *f = arg;
    LP_ASSERT(offset <= f->bytes.len && size_bytes <= f->bytes.len - offset);
    if (offset + size_bytes > f->passed) {
        f->passed = offset + size_bytes;
    }
}

static void
take_piece(file *f, const chunk_scan_piece *piece)
{
    lp_slice bytes = {f->bytes.ptr + piece->offset, (size_t)piece->size_bytes};
    LP_ASSERT((piece->kind == CHUNK_SCAN_WHOLE) == (piece->err == LP_OK));
    LP_ASSERT(piece->kind != CHUNK_SCAN_WHOLE || piece->info.size_bytes == piece->size_bytes);
    if (piece->kind == CHUNK_SCAN_SKIPPED || f->count == CHUNKS_MAX) {
        return;
    }
    check_header(bytes);
    f->contents[f->count] = bytes;
    f->chunks[f->count++] = (jvm_chunk){
        .info = piece->info,
        .size_bytes = piece->size_bytes,
        .file = bytes.ptr[65] & 1, // padding that nobody reads
        .is_damaged = piece->kind == CHUNK_SCAN_CUT,
    };
}

static bool
identify(void *arg, size_t chunk, jvm_identity *out_identity)
{
    file *f = arg;
    return jvm_identity_read(&f->identities, f->contents[chunk], out_identity);
}

static bool
has_same_bytes(void *arg, size_t chunk, size_t other)
{
    const file *f = arg;
    return f->contents[chunk].len == f->contents[other].len &&
           memcmp(f->contents[chunk].ptr, f->contents[other].ptr, f->contents[chunk].len) == 0;
}

static bool
has_other_types(void *arg, size_t chunk, size_t other)
{
    file *f = arg;
    return jvm_identity_has_other_types(&f->identities, f->contents[chunk], f->contents[other]);
}

static void
check_sessions(file *f)
{
    const jvm_chunk_reader reader = {f, identify, has_same_bytes, has_other_types};
    jvm_place places[CHUNKS_MAX];
    bool is_placed[CHUNKS_MAX] = {false};
    LP_ASSERT(jvm_sessions_find(f->chunks, f->count, &reader, places) == LP_OK);
    for (size_t i = 0; i < f->count; i++) {
        LP_ASSERT(places[i].chunk < f->count && !is_placed[places[i].chunk]);
        is_placed[places[i].chunk] = true;
        LP_ASSERT(i == 0 || places[i].session >= places[i - 1].session);
        LP_ASSERT(places[i].session != JVM_SESSIONS_DUPLICATE || is_placed[places[i].twin]);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    file f = {.bytes = {bytes, count}};
    chunk_scan scan = {.bytes = f.bytes, .on_passed = on_passed, .arg = &f};
    chunk_scan_piece piece;
    lp_problem problem;
    uint64_t at = 0;
    while (chunk_scan_next(&scan, &piece, &problem) == LP_OK) {
        LP_ASSERT(piece.offset == at && piece.size_bytes > 0);
        at += piece.size_bytes;
        LP_ASSERT(at <= count && f.passed >= at);
        take_piece(&f, &piece);
    }
    LP_ASSERT(at == count);
    check_sessions(&f);
    jvm_identity_reader_fini(&f.identities);
    return 0;
}
