// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_run.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_MODE = 0640,
    NAME_BYTES = sizeof("run-4294967295.log"),
};

typedef struct record {
    uint64_t check; // hash of all that follows
    uint8_t session[ID_SEGMENT_SESSION_BYTES];
    int64_t start_wall_ns;
    uint64_t hash_count;
    uint32_t ordinal;
    uint32_t zero;
} record;

static_assert(sizeof(record) == 48, "there is no room between its fields");

// A chunk. Nobody changes it but to add the next one.
typedef struct id_run_item {
    struct id_run_item *next;
    int64_t start_wall_ns;
    id_segment_chunk chunk;
    size_t hash_count;
    uint64_t hashes[];
} id_run_item;

struct id_run {
    atomic_uint owners; // of the run, and of parts of it
    uint32_t number;
    int fd;
    off_t size; // of the file
    id_run_item *first;
    id_run_item *last;
    uint32_t chunk_count;
    size_t entry_count;
};

static void
format_name(char name[NAME_BYTES], uint32_t number)
{
    (void)snprintf(name, NAME_BYTES, "run-%" PRIu32 ".log", number);
}

static lp_err
open_run(int dir_fd, uint32_t number, int flags, id_run **out_run)
{
    char name[NAME_BYTES];
    format_name(name, number);
    id_run *run = calloc(1, sizeof(*run));
    if (run == NULL) {
        return LP_ENOMEM;
    }
    *run = (id_run){.number = number};
    atomic_init(&run->owners, 1);
    run->fd = openat(dir_fd, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, FILE_MODE);
    if (run->fd < 0) {
        free(run);
        return errno == ENOENT ? LP_ENOENT : LP_EIO;
    }
    *out_run = run;
    return LP_OK;
}

lp_err
id_run_create(int dir_fd, uint32_t number, id_run **out_run)
{
    return open_run(dir_fd, number, O_CREAT | O_TRUNC, out_run);
}

// unref ends the share of an owner. Acquire and release: the last one frees what others have read.
static void
unref(id_run *run)
{
    if (atomic_fetch_sub_explicit(&run->owners, 1, memory_order_acq_rel) > 1) {
        return;
    }
    for (id_run_item *item = run->first, *next; item != NULL; item = next) {
        next = item->next;
        free(item);
    }
    free(run);
}

void
id_run_destroy(id_run *run)
{
    if (run != NULL) {
        (void)close(run->fd);
        unref(run);
    }
}

void
id_run_remove(id_run *run, int dir_fd)
{
    char name[NAME_BYTES];
    format_name(name, run->number);
    (void)unlinkat(dir_fd, name, 0); // one that stays is read again, which does no harm
    id_run_destroy(run);
}

// --- Records

static uint64_t
check_of(const record *r, const uint64_t *hashes)
{
    const lp_slice head = {
        .ptr = (const uint8_t *)r + sizeof(r->check), .len = sizeof(*r) - sizeof(r->check)};
    const lp_slice rest = {
        .ptr = (const uint8_t *)hashes, .len = (size_t)r->hash_count * sizeof(*hashes)};
    return lp_hash_bytes(lp_hash_bytes(LP_HASH_FIXED, head), rest);
}

// remember adds a record to what is in memory, all or nothing.
static lp_err
remember(id_run *run, const record *r, const uint64_t *hashes)
{
    size_t bytes = (size_t)r->hash_count * sizeof(*hashes); // up to ID_RUN_CHUNK_IDS_MAX
    id_run_item *item = run->chunk_count == UINT32_MAX ? NULL : malloc(sizeof(id_run_item) + bytes);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    *item = (id_run_item){
        .start_wall_ns = r->start_wall_ns,
        .chunk.ordinal = r->ordinal,
        .hash_count = (size_t)r->hash_count,
    };
    memcpy(item->chunk.session, r->session, sizeof(item->chunk.session));
    if (bytes > 0) {
        memcpy(item->hashes, hashes, bytes);
    }
    *(run->last == NULL ? &run->first : &run->last->next) = item;
    run->last = item;
    run->chunk_count++;
    run->entry_count += item->hash_count;
    return LP_OK;
}

static uint8_t
digit_of(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

lp_err
id_run_add(id_run *run, const id_run_chunk *chunk)
{
    LP_ASSERT(strlen(chunk->session_id) == 2 * (size_t)ID_SEGMENT_SESSION_BYTES);

    if (chunk->hash_count > ID_RUN_CHUNK_IDS_MAX) {
        return LP_ELIMIT;
    }
    record r = {
        .start_wall_ns = chunk->start_wall_ns,
        .hash_count = chunk->hash_count,
        .ordinal = chunk->ordinal,
    };
    for (size_t i = 0; i < sizeof(r.session); i++) {
        r.session[i] = (uint8_t)(digit_of(chunk->session_id[2 * i]) << 4 |
                                 digit_of(chunk->session_id[2 * i + 1]));
    }
    r.check = check_of(&r, chunk->hashes);
    const lp_slice pieces[] = {
        {(const uint8_t *)&r, sizeof(r)},
        {(const uint8_t *)chunk->hashes, chunk->hash_count * sizeof(*chunk->hashes)},
    };
    lp_err err = lp_io_write_pieces(run->fd, pieces, sizeof(pieces) / sizeof(pieces[0]));
    if (err == LP_OK) {
        err = remember(run, &r, chunk->hashes);
    }
    if (err == LP_OK) {
        run->size += (off_t)(pieces[0].len + pieces[1].len);
    } else if (ftruncate(run->fd, run->size) != 0 ||
               lseek(run->fd, run->size, SEEK_SET) != run->size) {
        return LP_EIO; // what is written behind a torn record is not read again, no more than that
    }
    return err;
}

// --- Reading the file

// read_all reads so many bytes. Errors: LP_EEND there are fewer; LP_EIO
static lp_err
read_all(int fd, void *out, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = lp_io_read(fd, (uint8_t *)out + done, size - done);
        if (count <= 0) {
            return count == 0 ? LP_EEND : LP_EIO;
        }
        done += (size_t)count;
    }
    return LP_OK;
}

// load_record reads the next record. LP_EEND behind the last whole one. A disk that fails to read
// is none: what is behind it stays, and is there at the next start.
static lp_err
load_record(id_run *run, off_t file_size)
{
    record r;
    lp_err err = read_all(run->fd, &r, sizeof(r));
    if (err != LP_OK) {
        return err;
    }
    if (r.hash_count > ID_RUN_CHUNK_IDS_MAX ||
        (off_t)(r.hash_count * sizeof(uint64_t)) > file_size - run->size - (off_t)sizeof(r)) {
        return LP_EEND;
    }
    size_t size = (size_t)r.hash_count * sizeof(uint64_t);
    uint64_t *hashes = malloc(size + 1);
    if (hashes == NULL) {
        return LP_ENOMEM;
    }
    err = read_all(run->fd, hashes, size);
    if (err == LP_OK) {
        err = check_of(&r, hashes) == r.check ? remember(run, &r, hashes) : LP_EEND;
    }
    if (err == LP_OK) {
        run->size += (off_t)(sizeof(r) + size);
    }
    free(hashes);
    return err;
}

lp_err
id_run_load(int dir_fd, uint32_t number, id_run **out_run, bool *out_was_cut)
{
    id_run *run;
    struct stat info;
    lp_err err = open_run(dir_fd, number, 0, &run);
    if (err != LP_OK) {
        return err;
    }
    err = fstat(run->fd, &info) == 0 ? LP_OK : LP_EIO;
    while (err == LP_OK) {
        err = load_record(run, info.st_size);
    }
    if (err == LP_EEND) {
        *out_was_cut = run->size < info.st_size;
        bool is_cut =
            ftruncate(run->fd, run->size) == 0 && lseek(run->fd, run->size, SEEK_SET) == run->size;
        err = is_cut ? LP_OK : LP_EIO;
    }
    if (err != LP_OK) {
        id_run_destroy(run);
        return err;
    }
    *out_run = run;
    return LP_OK;
}

// --- Asking

bool
id_run_is_empty(const id_run *run)
{
    return run->first == NULL;
}

bool
id_run_is_full(const id_run *run)
{
    return run->entry_count >= ID_RUN_ENTRIES_MAX;
}

uint32_t
id_run_number(const id_run *run)
{
    return run->number;
}

size_t
id_run_entry_count(const id_run *run)
{
    return run->entry_count;
}

int64_t
id_run_wall_ns(const id_run *run)
{
    LP_ASSERT(run->first != NULL);

    return run->first->start_wall_ns;
}

id_run_part
id_run_take(id_run *run)
{
    // Orders nothing: who takes has the run.
    (void)atomic_fetch_add_explicit(&run->owners, 1, memory_order_relaxed);
    return (id_run_part){run, run->last};
}

void
id_run_put_back(const id_run_part *part)
{
    unref(part->run);
}

static bool
has_hash(const id_run_item *item, uint64_t hash)
{
    bool has = false;
    for (size_t i = 0; i < item->hash_count; i++) {
        has |= item->hashes[i] == hash; // without a branch it is several at a time
    }
    return has;
}

size_t
id_run_find(const id_run_part *part, uint64_t hash, int64_t from_wall_ns, int64_t to_wall_ns,
    void (*on_chunk)(void *arg, const id_segment_chunk *chunk), void *arg)
{
    size_t count = 0;
    // That the last one has a next one is the business of others.
    for (const id_run_item *item = part->last == NULL ? NULL : part->run->first; item != NULL;
         item = item == part->last ? NULL : item->next) {
        bool is_in = item->start_wall_ns >= from_wall_ns && item->start_wall_ns < to_wall_ns;
        if (is_in && has_hash(item, hash)) {
            on_chunk(arg, &item->chunk);
            count++;
        }
    }
    return count;
}

// fill_content lists what a run has, in the order in which it came.
static void
fill_content(
    const id_run *run, id_segment_entry *entries, id_segment_chunk *chunks, id_segment_content *out)
{
    *out = (id_segment_content){
        .entries = entries, .chunks = chunks, .from_wall_ns = INT64_MAX, .to_wall_ns = INT64_MIN};
    for (const id_run_item *item = run->first; item != NULL; item = item->next) {
        for (size_t i = 0; i < item->hash_count; i++) {
            entries[out->entry_count++] = (id_segment_entry){item->hashes[i], out->chunk_count};
        }
        chunks[out->chunk_count++] = item->chunk;
        int64_t start_wall_ns = item->start_wall_ns;
        out->from_wall_ns = start_wall_ns < out->from_wall_ns ? start_wall_ns : out->from_wall_ns;
        out->to_wall_ns = start_wall_ns > out->to_wall_ns ? start_wall_ns : out->to_wall_ns;
    }
}

lp_err
id_run_write(const id_run *run, int dir_fd, const char *name)
{
    id_segment_entry *entries = calloc(run->entry_count + 1, sizeof(*entries));
    id_segment_chunk *chunks = calloc(run->chunk_count + (size_t)1, sizeof(*chunks));
    lp_err err = LP_ENOMEM;
    if (entries != NULL && chunks != NULL) {
        id_segment_content content;
        fill_content(run, entries, chunks, &content);
        err = id_segment_write(dir_fd, name, &content);
    }
    free(entries);
    free(chunks);
    return err;
}
