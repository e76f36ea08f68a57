// SPDX-License-Identifier: Apache-2.0
//
// ids DIR CHUNKS SESSIONS IDS: commits so many chunks of a day to a catalog in DIR, each with so
// many ids, as a collector does, which gathers those of each hour into a file. Prints what a commit
// takes and the longest turn of the thread that commits, then how long one id takes to be found:
// with no file in memory, with all of them, and among the ids of the last hour, which are in the
// catalog.

#include "collector/index/id_index.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_time.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOKUPS = 1000, COLD_LOOKUPS = 20, HOURS = 24, WAIT_MS = 2 };

static const int64_t HOUR_NS = 3600 * (int64_t)1000000000;

typedef struct bench {
    char index_path[300];
    char catalog_path[300];
    id_index *index;
    uint32_t chunk_count;
    uint32_t session_count;
    uint32_t id_count; // of a chunk
    int64_t start_wall_ns;
    uint64_t mono_ms; // of the clock by which looks are due
} bench;

// hash_of returns the hash of an id: SplitMix64 of its number.
static uint64_t
hash_of(uint64_t number)
{
    uint64_t mixed = number * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static double
now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
open_index(bench *b)
{
    bool is_new;
    const id_index_config config = {.dir = b->index_path, .catalog_place = b->catalog_path};
    LP_ASSERT(id_index_open(&config, &b->index, &is_new, NULL) == LP_OK);
}

// --- Adding

static void
count_rows(void *arg, const catalog_ids_group *group)
{
    *(uint64_t *)arg += group->id_count;
}

// gather has the index gather all hours before one. Returns the longest turn.
static double
gather(bench *b, catalog *to, int64_t now_wall_ns)
{
    double longest = 0;
    for (uint64_t rows = 1; rows > 0;) {
        double begin = now_ms();
        b->mono_ms += ID_INDEX_LOOK_MS;
        id_index_tick(b->index, to, now_wall_ns, b->mono_ms);
        double took = now_ms() - begin;
        longest = took > longest ? took : longest;
        (void)usleep(WAIT_MS * 1000);
        rows = 0;
        LP_ASSERT(catalog_ids_list_groups(to, count_rows, &rows) == LP_OK);
    }
    return longest;
}

static double
add_chunk(bench *b, catalog *to, uint32_t i, uint64_t *hashes)
{
    static char none[] = "";
    catalog_session row = {
        .service = none, .instance = none, .jvm_name = none, .jvm_version = none};
    int64_t start = b->start_wall_ns + HOURS * HOUR_NS / b->chunk_count * i;
    (void)snprintf(row.id, sizeof(row.id), "%032x", i % b->session_count + 1);
    for (uint32_t k = 0; k < b->id_count; k++) {
        hashes[k] = hash_of((uint64_t)i * b->id_count + k);
    }
    const rollup_ids ids = {.kept = {.items = hashes, .count = b->id_count}};
    double begin = now_ms();
    const catalog_chunk chunk = {.ordinal = i / b->session_count,
        .start_wall_ns = start,
        .types_json = "{}",
        .ids = id_index_note(b->index, start, &ids, start)};
    LP_ASSERT(catalog_add_chunk(to, &row, &chunk, (lp_slice){0}) == LP_OK);
    return now_ms() - begin;
}

static void
add_all(bench *b)
{
    catalog *to;
    double adding = 0;
    double turn = 0;
    uint64_t *hashes = calloc(b->id_count, sizeof(*hashes));
    LP_ASSERT(hashes != NULL && catalog_open(b->catalog_path, &to, NULL) == LP_OK);
    for (uint32_t i = 0; i < b->chunk_count; i++) {
        uint32_t hour = (uint32_t)((uint64_t)i * HOURS / b->chunk_count);
        if (i > 0 && hour != (uint32_t)((uint64_t)(i - 1) * HOURS / b->chunk_count)) {
            double took = gather(b, to, b->start_wall_ns + hour * HOUR_NS);
            turn = took > turn ? took : turn;
        }
        adding += add_chunk(b, to, i, hashes);
    }
    (void)printf("a commit: %.3f ms; the longest turn that drops rows: %.1f ms\n",
        adding / b->chunk_count, turn);
    catalog_close(to);
    free(hashes);
}

// --- Looking

// forget_files has the kernel forget what it has of the files of a directory. Returns their size.
static int64_t
forget_files(const char *path)
{
    int64_t size = 0;
    DIR *dir = opendir(path);
    LP_ASSERT(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct stat info;
        int fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
            (void)fdatasync(fd);
            (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
            size += info.st_size;
        }
        (void)close(fd);
    }
    (void)closedir(dir);
    return size;
}

static void
on_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)session_id;
    (void)ordinal;
    ++*(unsigned *)arg;
}

static int
compare(const void *a, const void *b)
{
    double one = *(const double *)a;
    double other = *(const double *)b;
    return one < other ? -1 : one > other;
}

// find looks for an id, with a connection of its own, and returns how long that takes.
static double
find(bench *b, uint64_t hash)
{
    unsigned found = 0;
    catalog *from;
    id_search_counts counts;
    id_search_seen seen = {.of = NULL};
    const id_search search = {.hash = hash,
        .from_wall_ns = INT64_MIN,
        .to_wall_ns = INT64_MAX,
        .on_chunk = on_chunk,
        .arg = &found};
    double begin = now_ms();
    LP_ASSERT(catalog_open_reader(b->catalog_path, &from, NULL) == LP_OK);
    LP_ASSERT(id_index_find(b->index, from, &search, &seen, &counts) == LP_OK);
    catalog_close(from);
    double took = now_ms() - begin;
    id_search_seen_fini(&seen);
    LP_ASSERT(found > 0);
    return took;
}

// look_up looks for some of the ids from one on, and prints how long one takes.
static void
look_up(bench *b, const char *what, uint64_t first, bool is_cold)
{
    double times[LOOKUPS];
    size_t count = is_cold ? COLD_LOOKUPS : LOOKUPS;
    uint64_t ids = (uint64_t)b->chunk_count * b->id_count - first;
    for (size_t i = 0; i < count; i++) {
        if (is_cold) {
            id_index_close(b->index);
            (void)forget_files(b->index_path);
            open_index(b);
        }
        times[i] = find(b, hash_of(first + hash_of(i) % ids));
    }
    qsort(times, count, sizeof(times[0]), compare);
    (void)printf("%s: median %.3f ms, 99 of 100 below %.3f ms, longest %.3f ms\n", what,
        times[count / 2], times[count * 99 / 100], times[count - 1]);
}

int
main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "ids DIR CHUNKS SESSIONS IDS\n");
        return 2;
    }
    bench b = {.chunk_count = (uint32_t)strtoul(argv[2], NULL, 10),
        .session_count = (uint32_t)strtoul(argv[3], NULL, 10),
        .id_count = (uint32_t)strtoul(argv[4], NULL, 10),
        .start_wall_ns = lp_time_now() / HOUR_NS * HOUR_NS - HOURS * HOUR_NS};
    LP_ASSERT(mkdir(argv[1], 0700) == 0);
    (void)snprintf(b.index_path, sizeof(b.index_path), "%s/ids", argv[1]);
    (void)snprintf(b.catalog_path, sizeof(b.catalog_path), "%s/catalog.db", argv[1]);
    open_index(&b);
    add_all(&b);
    uint64_t all = (uint64_t)b.chunk_count * b.id_count;
    (void)printf("%" PRIu64 " ids, %" PRId64 " MB\n", all, forget_files(b.index_path) / 1000000);
    look_up(&b, "no file in memory", 0, true);
    look_up(&b, "files in memory", 0, false);
    look_up(&b, "ids of the last hour", all - all / HOURS, false);
    id_index_close(b.index);
    return 0;
}
