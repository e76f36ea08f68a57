// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_segment.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_MODE = 0640,
    VERSION = 1,
    STEPS_BY_SHARE = 12, // then the range is halved: hashes that somebody chose do not lie evenly
};

typedef struct segment_header {
    char magic[7];
    uint8_t version;
    uint64_t entry_count;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    uint32_t chunk_count;
    uint32_t zero;
} segment_header;

static const char magic[7] = {'L', 'P', 'I', 'D', 'S', 'E', 'G'};

static_assert(sizeof(segment_header) == 40, "there is no room between its fields");
static_assert(sizeof(id_segment_chunk) == 20, "there is no room between its fields");

struct id_segment {
    atomic_uint refs;
    void *map;
    size_t map_bytes;
    const segment_header *header;
    const uint64_t *hashes;
    const uint32_t *numbers;
    const id_segment_chunk *chunks;
};

// --- Writing

// A file on its way to its name.
typedef struct writer {
    int dir_fd;
    const char *name;
    char temporary[NAME_MAX + 1];
    FILE *out;
} writer;

static lp_err
writer_open(writer *w, int dir_fd, const char *name)
{
    *w = (writer){.dir_fd = dir_fd, .name = name};
    int len = snprintf(w->temporary, sizeof(w->temporary), "%s.tmp", name);
    LP_ASSERT(len > 0 && (size_t)len < sizeof(w->temporary));
    int fd = openat(
        dir_fd, w->temporary, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (fd < 0) {
        return LP_EIO;
    }
    w->out = fdopen(fd, "w");
    if (w->out == NULL) {
        (void)close(fd);
        return LP_ENOMEM;
    }
    return LP_OK;
}

static void
writer_put(writer *w, const void *bytes, size_t size, size_t count)
{
    (void)fwrite(bytes, size, count, w->out); // ferror says so in the end
}

// writer_close gives the file its name if all went well.
static lp_err
writer_close(writer *w, lp_err err)
{
    bool is_failed = ferror(w->out) != 0;
    is_failed |= fclose(w->out) != 0;
    if (err == LP_OK && !is_failed && renameat(w->dir_fd, w->temporary, w->dir_fd, w->name) == 0) {
        return LP_OK;
    }
    int saved = errno;
    (void)unlinkat(w->dir_fd, w->temporary, 0);
    errno = saved;
    return err == LP_OK ? LP_EIO : err;
}

static segment_header
make_header(uint64_t entry_count, uint32_t chunk_count, int64_t from_wall_ns, int64_t to_wall_ns)
{
    segment_header header = {
        .version = VERSION,
        .entry_count = entry_count,
        .from_wall_ns = from_wall_ns,
        .to_wall_ns = to_wall_ns,
        .chunk_count = chunk_count,
    };
    memcpy(header.magic, magic, sizeof(magic));
    return header;
}

static int
compare_entries(const void *a, const void *b)
{
    const id_segment_entry *one = a;
    const id_segment_entry *other = b;
    if (one->hash != other->hash) {
        return one->hash < other->hash ? -1 : 1;
    }
    return one->chunk < other->chunk ? -1 : one->chunk > other->chunk;
}

// write_content writes a file of entries that are in order.
static lp_err
write_content(int dir_fd, const char *name, const id_segment_content *content,
    const id_segment_entry *ordered)
{
    writer w;
    lp_err err = writer_open(&w, dir_fd, name);
    if (err != LP_OK) {
        return err;
    }
    const segment_header header = make_header(
        content->entry_count, content->chunk_count, content->from_wall_ns, content->to_wall_ns);
    writer_put(&w, &header, sizeof(header), 1);
    for (size_t i = 0; i < content->entry_count; i++) {
        writer_put(&w, &ordered[i].hash, sizeof(uint64_t), 1);
    }
    for (size_t i = 0; i < content->entry_count; i++) {
        writer_put(&w, &ordered[i].chunk, sizeof(uint32_t), 1);
    }
    writer_put(&w, content->chunks, sizeof(id_segment_chunk), content->chunk_count);
    return writer_close(&w, LP_OK);
}

lp_err
id_segment_write(int dir_fd, const char *name, const id_segment_content *content)
{
    size_t size = content->entry_count * sizeof(id_segment_entry);
    id_segment_entry *ordered = malloc(size + 1);
    if (ordered == NULL) {
        return LP_ENOMEM;
    }
    if (content->entry_count > 0) {
        memcpy(ordered, content->entries, size);
        qsort(ordered, content->entry_count, sizeof(*ordered), compare_entries);
    }
    lp_err err = write_content(dir_fd, name, content, ordered);
    free(ordered);
    return err;
}

// --- Merging

// A segment on the way, by the hash that comes next in it.
typedef struct source {
    const id_segment *segment;
    uint64_t at;
    uint32_t first_chunk; // in the merged file
} source;

typedef struct sources {
    source *items; // a heap: the smallest next hash first
    size_t count;
} sources;

static bool
is_before(const source *a, const source *b)
{
    uint64_t one = a->segment->hashes[a->at];
    uint64_t other = b->segment->hashes[b->at];
    return one != other ? one < other : a->first_chunk < b->first_chunk;
}

static void
sink(sources *heap, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++) {
            if (is_before(&heap->items[child], &heap->items[least])) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        source moved = heap->items[at];
        heap->items[at] = heap->items[least];
        heap->items[least] = moved;
        at = least;
    }
}

// start fills the heap with the segments that have entries.
static void
start(sources *heap, id_segment *const *segments, size_t count)
{
    uint32_t first_chunk = 0;
    heap->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (segments[i]->header->entry_count > 0) {
            heap->items[heap->count++] =
                (source){.segment = segments[i], .first_chunk = first_chunk};
        }
        first_chunk += segments[i]->header->chunk_count;
    }
    for (size_t i = heap->count; i > 0; i--) {
        sink(heap, i - 1);
    }
}

// take moves the heap over its first entry.
static id_segment_entry
take(sources *heap)
{
    source *first = &heap->items[0];
    const id_segment_entry entry = {
        .hash = first->segment->hashes[first->at],
        .chunk = first->first_chunk + first->segment->numbers[first->at],
    };
    first->at++;
    if (first->at == first->segment->header->entry_count) {
        *first = heap->items[--heap->count];
    }
    sink(heap, 0);
    return entry;
}

static lp_err
sum_headers(id_segment *const *segments, size_t count, segment_header *out_header)
{
    uint64_t chunk_count = 0;
    uint64_t entry_count = 0;
    int64_t from = INT64_MAX;
    int64_t to = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        const segment_header *header = segments[i]->header;
        chunk_count += header->chunk_count;
        entry_count += header->entry_count;
        from = header->from_wall_ns < from ? header->from_wall_ns : from;
        to = header->to_wall_ns > to ? header->to_wall_ns : to;
    }
    if (chunk_count > UINT32_MAX) {
        return LP_ELIMIT;
    }
    *out_header = make_header(entry_count, (uint32_t)chunk_count, from, to);
    return LP_OK;
}

lp_err
id_segment_merge(int dir_fd, const char *name, id_segment *const *segments, size_t count)
{
    writer w;
    segment_header header;
    if (count > ID_SEGMENT_MERGED_MAX) {
        return LP_ELIMIT;
    }
    lp_err err = sum_headers(segments, count, &header);
    if (err != LP_OK) {
        return err;
    }
    sources heap = {.items = calloc(count + 1, sizeof(source))};
    if (heap.items == NULL) {
        return LP_ENOMEM;
    }
    err = writer_open(&w, dir_fd, name);
    if (err == LP_OK) {
        writer_put(&w, &header, sizeof(header), 1);
        for (start(&heap, segments, count); heap.count > 0;) {
            const id_segment_entry entry = take(&heap);
            writer_put(&w, &entry.hash, sizeof(entry.hash), 1);
        }
        for (start(&heap, segments, count); heap.count > 0;) { // once more saves a second file
            const id_segment_entry entry = take(&heap);
            writer_put(&w, &entry.chunk, sizeof(entry.chunk), 1);
        }
        for (size_t i = 0; i < count; i++) {
            writer_put(&w, segments[i]->chunks, sizeof(id_segment_chunk),
                segments[i]->header->chunk_count);
        }
        err = writer_close(&w, LP_OK);
    }
    free(heap.items);
    return err;
}

// --- Reading

// is_whole returns whether a file of so many bytes has all that its header says.
static bool
is_whole(const segment_header *header, size_t size)
{
    unsigned __int128 expected = sizeof(*header);
    expected += (unsigned __int128)header->entry_count * (sizeof(uint64_t) + sizeof(uint32_t));
    expected += (unsigned __int128)header->chunk_count * sizeof(id_segment_chunk);
    return memcmp(header->magic, magic, sizeof(magic)) == 0 && header->version == VERSION &&
           expected == size;
}

static lp_err
map_file(id_segment *segment, int fd)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return LP_EIO;
    }
    size_t size = (size_t)info.st_size;
    if (size < sizeof(segment_header)) {
        return LP_ECORRUPT;
    }
    void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        return errno == ENOMEM ? LP_ENOMEM : LP_EIO;
    }
    segment->map = map;
    segment->map_bytes = size;
    segment->header = map;
    if (!is_whole(segment->header, size)) {
        return LP_ECORRUPT;
    }
    uint64_t count = segment->header->entry_count;
    segment->hashes = (const uint64_t *)(segment->header + 1);
    segment->numbers = (const uint32_t *)(segment->hashes + count);
    segment->chunks = (const id_segment_chunk *)(segment->numbers + count);
    (void)madvise(map, size, MADV_RANDOM); // a search wants a page here and there
    return LP_OK;
}

lp_err
id_segment_open(int dir_fd, const char *name, id_segment **out_segment)
{
    int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? LP_ENOENT : LP_EIO;
    }
    id_segment *segment = calloc(1, sizeof(*segment));
    lp_err err = segment == NULL ? LP_ENOMEM : map_file(segment, fd);
    (void)close(fd);
    if (segment != NULL) {
        atomic_init(&segment->refs, 1);
    }
    if (err != LP_OK) {
        id_segment_unref(segment);
        return err;
    }
    *out_segment = segment;
    return LP_OK;
}

id_segment *
id_segment_ref(id_segment *segment)
{
    (void)atomic_fetch_add_explicit(&segment->refs, 1, memory_order_relaxed);
    return segment;
}

void
id_segment_unref(id_segment *segment)
{
    // Pairs with itself: whoever unmaps comes after all who read.
    if (segment == NULL ||
        atomic_fetch_sub_explicit(&segment->refs, 1, memory_order_acq_rel) != 1) {
        return;
    }
    if (segment->map != NULL) {
        (void)munmap(segment->map, segment->map_bytes);
    }
    free(segment);
}

uint64_t
id_segment_entry_count(const id_segment *segment)
{
    return segment->header->entry_count;
}

bool
id_segment_has_time(const id_segment *segment, int64_t from_wall_ns, int64_t to_wall_ns)
{
    return segment->header->to_wall_ns >= from_wall_ns &&
           segment->header->from_wall_ns < to_wall_ns;
}

// find_first returns the index of the first hash that is not below hash.
static uint64_t
find_first(const id_segment *segment, uint64_t hash)
{
    uint64_t low = 0;
    uint64_t high = segment->header->entry_count; // the answer is in [low, high]
    uint64_t below = 0;                           // no hash from low on is below this
    uint64_t above = UINT64_MAX;                  // and none before high is above this
    for (unsigned step = 0; low < high; step++) {
        uint64_t span = high - low;
        uint64_t at = low + span / 2;
        if (step < STEPS_BY_SHARE && hash >= below && hash <= above) {
            uint64_t share = (uint64_t)((unsigned __int128)(hash - below) * span /
                                        ((unsigned __int128)(above - below) + 1));
            at = low + share;
        }
        uint64_t found = segment->hashes[at];
        if (found < hash) {
            low = at + 1;
            below = found;
        } else {
            high = at;
            above = found;
        }
    }
    return low;
}

size_t
id_segment_find(const id_segment *segment, uint64_t hash,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg)
{
    size_t count = 0;
    for (uint64_t at = find_first(segment, hash);
         at < segment->header->entry_count && segment->hashes[at] == hash; at++) {
        uint32_t number = segment->numbers[at];
        if (number < segment->header->chunk_count) { // else the file is damaged
            on_chunk(arg, &segment->chunks[number]);
            count++;
        }
    }
    return count;
}

const id_segment_chunk *
id_segment_chunks(const id_segment *segment, uint32_t *out_count)
{
    *out_count = segment->header->chunk_count;
    return segment->chunks;
}

id_segment_session
id_segment_get_session(const id_segment_chunk *chunk)
{
    static const char digits[] = "0123456789abcdef";
    id_segment_session id = {.text = ""};
    for (size_t i = 0; i < ID_SEGMENT_SESSION_BYTES; i++) {
        id.text[2 * i] = digits[chunk->session[i] >> 4];
        id.text[2 * i + 1] = digits[chunk->session[i] & 15];
    }
    return id;
}
