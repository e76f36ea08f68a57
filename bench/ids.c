// SPDX-License-Identifier: Apache-2.0
//
// ids DIR DAYS JVMS IDS: makes an index of so many days, with so many ids of each JVM and day, each
// in a chunk of a minute, and prints how long one id takes to be found among them: with the files
// in memory, and with none of them.

#include "collector/index/id_index.h"
#include "common/base/lp_assert.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MINUTES = 24 * 60, LOOKUPS = 1000, COLD_LOOKUPS = 10 };

static const int64_t DAY_NS = 86400 * (int64_t)1000000000;
static const int64_t START_NS = 1793491200 * (int64_t)1000000000;

// hash_of returns the hash of an id: SplitMix64 of its number.
static uint64_t
hash_of(uint64_t number)
{
    uint64_t mixed = number * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static void
make_day(int dir_fd, unsigned day, unsigned jvms, unsigned ids)
{
    size_t count = (size_t)jvms * ids;
    id_segment_entry *entries = malloc(count * sizeof(*entries));
    id_segment_chunk *chunks = calloc((size_t)jvms * MINUTES, sizeof(*chunks));
    LP_ASSERT(entries != NULL && chunks != NULL);
    for (size_t i = 0; i < (size_t)jvms * MINUTES; i++) {
        uint32_t jvm = (uint32_t)(i / MINUTES);
        memcpy(chunks[i].session, &jvm, sizeof(jvm));
        chunks[i].ordinal = (uint32_t)(day * MINUTES + i % MINUTES);
    }
    for (size_t i = 0; i < count; i++) {
        size_t jvm = i / ids;
        entries[i].hash = hash_of(day * (uint64_t)count + i);
        entries[i].chunk = (uint32_t)(jvm * MINUTES + i % ids * MINUTES / ids);
    }
    const id_segment_content content = {
        .entries = entries,
        .entry_count = count,
        .chunks = chunks,
        .chunk_count = jvms * MINUTES,
        .from_wall_ns = START_NS + day * DAY_NS,
        .to_wall_ns = START_NS + (day + 1) * DAY_NS - 1,
    };
    time_t begin = (time_t)((START_NS + day * DAY_NS) / 1000000000);
    struct tm utc;
    char name[32];
    LP_ASSERT(gmtime_r(&begin, &utc) != NULL);
    LP_ASSERT(strftime(name, sizeof(name), "%Y%m%d.ids", &utc) > 0);
    LP_ASSERT(id_segment_write(dir_fd, name, &content) == LP_OK);
    free(entries);
    free(chunks);
}

// forget_files has the kernel forget what it has of the files. Returns their size.
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

static double
now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static int
compare(const void *a, const void *b)
{
    double one = *(const double *)a;
    double other = *(const double *)b;
    return one < other ? -1 : one > other;
}

// look_up looks for some of the ids and prints how long one takes.
static void
look_up(const char *dir, uint64_t ids, size_t count, bool is_cold)
{
    double times[LOOKUPS];
    id_index *index = NULL;
    for (size_t i = 0; i < count; i++) {
        unsigned found = 0;
        size_t searched;
        if (index == NULL || is_cold) {
            id_index_close(index);
            (void)forget_files(dir);
            LP_ASSERT(id_index_open(dir, &index, NULL) == LP_OK);
        }
        uint64_t hash = hash_of(hash_of(i) % ids);
        double begin = now_ms();
        LP_ASSERT(
            id_index_find(index, hash, INT64_MIN, INT64_MAX, on_chunk, &found, &searched) == LP_OK);
        times[i] = now_ms() - begin;
        LP_ASSERT(found > 0);
    }
    id_index_close(index);
    qsort(times, count, sizeof(times[0]), compare);
    (void)printf("%s: median %.3f ms, 99 of 100 below %.3f ms, longest %.3f ms\n",
        is_cold ? "no file in memory" : "files in memory", times[count / 2],
        times[count * 99 / 100], times[count - 1]);
}

int
main(int argc, char **argv)
{
    if (argc != 5) {
        (void)fprintf(stderr, "ids DIR DAYS JVMS IDS\n");
        return 2;
    }
    unsigned days = (unsigned)strtoul(argv[2], NULL, 10);
    unsigned jvms = (unsigned)strtoul(argv[3], NULL, 10);
    unsigned ids = (unsigned)strtoul(argv[4], NULL, 10);
    LP_ASSERT(mkdir(argv[1], 0700) == 0);
    int dir_fd = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned day = 0; day < days; day++) {
        make_day(dir_fd, day, jvms, ids);
    }
    (void)close(dir_fd);
    uint64_t all = (uint64_t)days * jvms * ids;
    (void)printf("%" PRIu64 " ids, %" PRId64 " MB\n", all, forget_files(argv[1]) / 1000000);
    look_up(argv[1], all, COLD_LOOKUPS, true);
    look_up(argv[1], all, LOOKUPS, false);
    return 0;
}
