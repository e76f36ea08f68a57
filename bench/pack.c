// SPDX-License-Identifier: Apache-2.0
//
// pack DIR FILE.jfr...: compacts the chunks of recordings as a collector does, and prints what it
// costs to pack and unpack them beside that, at several levels. DIR becomes a data directory with
// two recordings, whose ids are all 0 and all 1: the chunks packed, as they are stored, and plain,
// as they were before they were packed; often enough to be 400 MB.

#include "collector/journal/data_dir.h"
#include "collector/store/blob_pack.h"
#include "collector/store/catalog/catalog.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_vec.h"
#include "common/jfr/jfr_chunk.h"
#include "engine/compact.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

enum { ROUNDS = 5, STORED_BYTES = 400 << 20 };

typedef LP_VEC(lp_buf) chunk_list;

static double
cpu_s(void)
{
    struct timespec now;
    LP_ASSERT(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static lp_buf
read_file(const char *path)
{
    lp_buf bytes = {0};
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    LP_ASSERT(fd >= 0 && fstat(fd, &info) == 0);
    uint8_t *to = lp_buf_extend(&bytes, (size_t)info.st_size);
    LP_ASSERT(to != NULL && lp_io_pread_all(fd, to, (size_t)info.st_size, 0) == LP_OK);
    (void)close(fd);
    return bytes;
}

// compact_file adds the compacted chunks of a recording. Returns the best time that all took.
static double
compact_file(lp_slice file, chunk_list *made)
{
    const compact_options options = {.has_settings = true, .has_rollup = true};
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        compact_carry *carry = NULL;
        double begin = cpu_s();
        for (lp_slice rest = file; rest.len > 0;) {
            jfr_chunk_info info;
            LP_ASSERT(jfr_chunk_parse(rest, &info, NULL) == LP_OK && info.size_bytes <= rest.len);
            const compact_source source = {.jfr = {rest.ptr, (size_t)info.size_bytes}};
            rest.ptr += info.size_bytes;
            rest.len -= (size_t)info.size_bytes;
            compact_result result = {0};
            LP_ASSERT(compact_chunk(&source, NULL, 0, carry, &options, &result, NULL) == LP_OK);
            compact_carry_destroy(carry);
            carry = result.carry; // moves, as the bytes do
            result.carry = NULL;
            if (round == 0) {
                lp_buf *item = LP_VEC_PUSH(made);
                LP_ASSERT(item != NULL);
                *item = result.jfr;
                result.jfr = (lp_buf){0};
            }
            compact_result_fini(&result);
        }
        compact_carry_destroy(carry);
        double took = cpu_s() - begin;
        best = round == 0 || took < best ? took : best;
    }
    return best;
}

// measure_level packs the chunks from first on at a level, and unpacks them again.
static void
measure_level(const chunk_list *made, size_t first, int level, double compaction_s, size_t bytes)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(bytes);
    uint8_t *packed = malloc(room);
    uint8_t *unpacked = malloc(bytes);
    LP_ASSERT(context != NULL && packed != NULL && unpacked != NULL);
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, BLOB_PACK_WINDOW_LOG);
    (void)ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    double pack_s = 0;
    double unpack_s = 0;
    size_t packed_bytes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = cpu_s();
        packed_bytes = 0;
        for (size_t i = first; i < made->count; i++) {
            const lp_buf *chunk = &made->items[i];
            packed_bytes += ZSTD_compress2(
                context, packed + packed_bytes, room - packed_bytes, chunk->ptr, chunk->len);
        }
        double middle = cpu_s();
        LP_ASSERT(ZSTD_decompress(unpacked, bytes, packed, packed_bytes) == bytes);
        double end = cpu_s();
        pack_s = round == 0 || middle - begin < pack_s ? middle - begin : pack_s;
        unpack_s = round == 0 || end - middle < unpack_s ? end - middle : unpack_s;
    }
    printf("  level %d: %5.1f %% of the bytes, + %4.1f %% of compaction's time, unpacked at %.0f "
           "MB/s\n",
        level, 100.0 * (double)packed_bytes / (double)bytes, 100 * pack_s / compaction_s,
        (double)bytes / unpack_s / 1e6);
    (void)ZSTD_freeCCtx(context);
    free(packed);
    free(unpacked);
}

static void
measure(const char *path, chunk_list *made)
{
    size_t first = made->count;
    lp_buf file = read_file(path);
    double compaction_s = compact_file(lp_buf_slice(&file), made);
    size_t bytes = 0;
    for (size_t i = first; i < made->count; i++) {
        bytes += made->items[i].len;
    }
    printf("%s: %.1f MB, compacted in %.3f s to %zu chunks of %.2f MB\n", path,
        (double)file.len / 1e6, compaction_s, made->count - first, (double)bytes / 1e6);
    lp_buf_fini(&file);
    static const int levels[] = {1, 2, 3, 5};
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        measure_level(made, first, levels[i], compaction_s, bytes);
    }
}

static char text_none[] = "-";

// store_chunk stores a chunk of one of the two recordings. Returns the bytes of its file.
static uint64_t
store_chunk(
    blobs *store, const char *plain_dir, catalog_session *session, catalog *to, lp_slice bytes)
{
    catalog_chunk chunk = {.ordinal = session->next_chunk++,
        .start_wall_ns = session->start_wall_ns + session->next_chunk,
        .size_bytes = bytes.len,
        .stored_bytes = bytes.len,
        .content_hash = blobs_hash(bytes),
        .types_json = "{}"};
    if (plain_dir == NULL) {
        blobs_stored stored;
        LP_ASSERT(blobs_put(store, session->id, chunk.ordinal, bytes, &stored) == LP_OK);
        chunk.stored_bytes = stored.stored_bytes;
    } else {
        char path[600];
        (void)snprintf(path, sizeof(path), "%s/%u.jfr", plain_dir, chunk.ordinal);
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0640);
        LP_ASSERT(fd >= 0 && lp_io_write_all(fd, bytes) == LP_OK);
        (void)close(fd);
    }
    LP_ASSERT(catalog_add_chunk(to, session, &chunk, (lp_slice){0}) == LP_OK);
    return chunk.stored_bytes;
}

static void
store_all(const char *path, const chunk_list *made, bool is_packed)
{
    data_dir *dir;
    blobs *store;
    catalog *to;
    lp_problem problem;
    char plain_dir[500];
    LP_ASSERT(data_dir_open(path, &dir, &problem) == LP_OK);
    char *blobs_path = data_dir_path(dir, DATA_DIR_CHUNKS);
    char *catalog_path = data_dir_path(dir, DATA_DIR_CATALOG);
    LP_ASSERT(blobs_open(blobs_path, &store, &problem) == LP_OK);
    blobs_set_durable(store, false);
    LP_ASSERT(catalog_open(catalog_path, &to, &problem) == LP_OK);
    catalog_session session = {.service = is_packed ? "packed" : "plain",
        .instance = text_none,
        .jvm_name = text_none,
        .jvm_version = text_none,
        .start_wall_ns = 1767225600000000000,
        .is_ended = true};
    memset(session.id, is_packed ? '0' : '1', CATALOG_ID_CHARS);
    (void)snprintf(plain_dir, sizeof(plain_dir), "%s/%s", blobs_path, session.id);
    LP_ASSERT(is_packed || mkdir(plain_dir, 0750) == 0);
    uint64_t all = 0;
    uint64_t stored = 0;
    for (size_t i = 0; all < STORED_BYTES; i = (i + 1) % made->count) {
        lp_slice bytes = lp_buf_slice(&made->items[i]);
        all += bytes.len;
        stored += store_chunk(store, is_packed ? NULL : plain_dir, &session, to, bytes);
    }
    printf("%s: %.1f MB in %.1f MB of files\n", session.service, (double)all / 1e6,
        (double)stored / 1e6);
    catalog_close(to);
    blobs_close(store);
    free(blobs_path);
    free(catalog_path);
    data_dir_close(dir);
}

int
main(int argc, char **argv)
{
    if (argc < 3) {
        (void)fprintf(stderr, "usage: pack DIR FILE.jfr...\n");
        return 2;
    }
    chunk_list made = {0};
    for (int i = 2; i < argc; i++) {
        measure(argv[i], &made);
    }
    store_all(argv[1], &made, true);
    store_all(argv[1], &made, false);
    for (size_t i = 0; i < made.count; i++) {
        lp_buf_fini(&made.items[i]);
    }
    LP_VEC_FINI(&made);
    return 0;
}
