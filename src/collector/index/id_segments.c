// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_segments.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { KEY_BYTES = sizeof(ID_SEGMENTS_FOLDER) + CATALOG_SEGMENT_NAME_BYTES };

_Static_assert((int)ID_FILES_NAME_BYTES >= (int)CATALOG_SEGMENT_NAME_BYTES, "no name is truncated");

lp_err
id_segments_open(
    id_segments *self, const char *dir, const s3_client_config *store, lp_problem *out_problem)
{
    *self = (id_segments){.client = NULL};
    (void)pthread_mutex_init(&self->mutex, NULL); // these cannot fail on Linux
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&self->searched, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    self->is_open = true;
    lp_err err = id_files_open(dir, store == NULL ? ID_FILES_WHOLE : ID_FILES_HEADS,
        ID_FILES_BYTES_MAX, &self->files, out_problem);
    return err == LP_OK && store != NULL ? s3_client_create(store, &self->client, out_problem)
                                         : err;
}

bool
id_segments_is_remote(const id_segments *self)
{
    return self->client != NULL;
}

void
id_segments_close(id_segments *self)
{
    s3_client_destroy(self->client);
    id_files_close(self->files);
    if (self->is_open) {
        (void)pthread_cond_destroy(&self->searched);
        (void)pthread_mutex_destroy(&self->mutex);
    }
    *self = (id_segments){.client = NULL};
}

static void
format_key(const char *name, char out_key[KEY_BYTES])
{
    (void)snprintf(out_key, KEY_BYTES, "%s%s", ID_SEGMENTS_FOLDER, name);
}

static id_object_shape
get_shape(const catalog_segment *segment)
{
    return (id_object_shape){
        .head_bytes = segment->head_bytes,
        .size_bytes = segment->size_bytes,
        .entry_count = segment->entry_count,
    };
}

// cut returns a piece of a segment; no bytes if the segment is too short.
static lp_slice
cut(lp_slice bytes, id_object_place place)
{
    bool is_there = place.offset + place.size_bytes <= bytes.len;
    return is_there ? (lp_slice){bytes.ptr + place.offset, (size_t)place.size_bytes}
                    : (lp_slice){0};
}

static void
segments_check(const id_segments *self)
{
    LP_ASSERT(self->is_open && self->files != NULL);
}

// --- Pieces

// Bytes of an object, in a file without a name; {0} has none.
typedef struct piece {
    void *map;
    size_t size;
} piece;

static lp_slice
slice_of(const piece *p)
{
    return (lp_slice){p->map, p->size};
}

// end_piece unmaps a piece, and keeps errno.
static void
end_piece(const piece *p)
{
    int error = errno;
    if (p->map != NULL) {
        (void)munmap(p->map, p->size); // fails if the kernel lacks memory
    }
    errno = error;
}

// map_piece maps a file, which must have this size.
static lp_err
map_piece(int fd, uint64_t size_bytes, piece *out)
{
    struct stat info;
    LP_REQUIRE(fstat(fd, &info) == 0, LP_EIO);
    LP_REQUIRE((uint64_t)info.st_size == size_bytes && size_bytes != 0, LP_ECORRUPT); // truncated
    void *map = mmap(NULL, (size_t)size_bytes, PROT_READ, MAP_SHARED, fd, 0);
    LP_REQUIRE(map != MAP_FAILED, errno == ENOMEM ? LP_ENOMEM : LP_EIO);
    *out = (piece){map, (size_t)size_bytes};
    return LP_OK;
}

// fetch_piece fetches a piece from the store; end it with end_piece.
static lp_err
fetch_piece(id_segments *self, const char *name, id_object_place place, piece *out)
{
    segments_check(self);
    LP_ASSERT(id_segments_is_remote(self));
    LP_ASSERT(place.size_bytes > 0);
    char key[KEY_BYTES];
    int fd;
    format_key(name, key);
    LP_TRY(id_files_make_file(self->files, &fd));
    lp_err err = s3_client_get_range(self->client, key, place.offset, place.size_bytes, fd);
    LP_THEN(err, map_piece(fd, place.size_bytes, out));
    lp_io_close(fd);
    return err;
}

// --- Heads

typedef struct filling {
    id_segments *of;
    const catalog_segment *segment;
    lp_slice bytes; // to write, if known
} filling;

static lp_err
fetch_head(void *arg, int fd)
{
    const filling *f = arg;
    char key[KEY_BYTES];
    LP_REQUIRE(f->segment->head_bytes != 0 && f->segment->head_bytes <= ID_OBJECT_HEAD_BYTES_MAX,
        LP_ECORRUPT);
    format_key(f->segment->name, key);
    return s3_client_get_range(f->of->client, key, 0, f->segment->head_bytes, fd);
}

static lp_err
write_bytes(void *arg, int fd)
{
    const filling *f = arg;
    return lp_io_write_all(fd, f->bytes);
}

void
id_segments_begin_search(id_segments *self)
{
    segments_check(self);
    (void)pthread_mutex_lock(&self->mutex);
    self->searches++;
    (void)pthread_mutex_unlock(&self->mutex);
}

void
id_segments_end_search(id_segments *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    LP_ASSERT(self->searches > 0);
    self->searches--;
    (void)pthread_cond_signal(&self->searched);
    (void)pthread_mutex_unlock(&self->mutex);
}

// wait_for_searches returns whether all searches ended in time.
static bool
wait_for_searches(id_segments *self, const struct timespec *until)
{
    int error = 0;
    (void)pthread_mutex_lock(&self->mutex);
    while (self->searches > 0 && error == 0) {
        error = pthread_cond_timedwait(&self->searched, &self->mutex, until);
    }
    bool is_free = self->searches == 0;
    (void)pthread_mutex_unlock(&self->mutex);
    return is_free;
}

void
id_segments_fetch_heads(id_segments *self, const catalog_segment *segments, size_t count,
    const atomic_bool *is_stopping)
{
    segments_check(self);
    lp_err err = LP_OK;
    count = id_segments_is_remote(self) ? count : 0; // local files have heads
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ID_SEGMENTS_PATIENCE_MS / 1000;
    while (count > 0 && err != LP_EIO && err != LP_ENOMEM &&           // likely to repeat
           !atomic_load_explicit(is_stopping, memory_order_relaxed)) { // orders nothing
        const catalog_segment *segment = &segments[--count];
        filling f = {.of = self, .segment = segment};
        if (id_files_has(self->files, segment->name)) {
            continue;
        }
        if (!wait_for_searches(self, &until)) {
            return;
        }
        err = id_files_fill(self->files, segment->name, fetch_head, &f, NULL);
    }
}

// --- Searching

// A segment being searched.
typedef struct reading {
    id_segments *of;
    const catalog_segment *segment;
    id_object_shape shape;
    id_file *file; // NULL: not here
    bool is_file_damaged;
} reading;

// begin_reading opens the segment's file, if it is here; either way call end_reading.
static lp_err
begin_reading(id_segments *self, const catalog_segment *segment, reading *out)
{
    segments_check(self);
    *out = (reading){.of = self, .segment = segment, .shape = get_shape(segment)};
    LP_TRY(id_object_check_shape(&out->shape));
    lp_err err = id_files_find(self->files, segment->name, &out->file);
    if (err == LP_OK) {
        const id_object_shape is = id_file_get_shape(out->file);
        out->is_file_damaged = memcmp(&is, &out->shape, sizeof(is)) != 0;
    }
    return id_segments_is_remote(self) ? LP_OK : err;
}

static void
end_reading(reading *r)
{
    if (r->file != NULL) {
        id_files_give_back(r->of->files, r->file);
    }
}

// get_from_file returns a piece from the file that is here; no bytes if it lacks it.
static lp_slice
get_from_file(const reading *r, id_object_place place)
{
    if (r->file == NULL || r->is_file_damaged) {
        return (lp_slice){0};
    }
    return cut(id_file_get(r->file), place);
}

// drop_head removes a damaged head, which is fetched again later; its borrowed bytes stay.
static void
drop_head(reading *r)
{
    LP_ASSERT(id_segments_is_remote(r->of)); // a local file cannot be fetched
    if (r->file != NULL) {
        r->is_file_damaged = true;
        id_files_drop(r->of->files, r->segment->name);
    }
}

static lp_err
open_page(reading *r, uint64_t hash, piece *fetched, const id_object_page **out_page)
{
    uint32_t page_count = id_object_count_pages(r->shape.entry_count);
    uint32_t number = id_object_choose_page(hash, page_count);
    id_object_place place = id_object_place_page(&r->shape, number);
    if (id_object_open_page(&r->shape, number, get_from_file(r, place), out_page) == LP_OK) {
        return LP_OK;
    }
    LP_REQUIRE(id_segments_is_remote(r->of), LP_ECORRUPT);
    drop_head(r);
    metrics_add(METRICS_index_pages_fetched, 1);
    lp_err err = fetch_piece(r->of, r->segment->name, place, fetched);
    return err == LP_OK ? id_object_open_page(&r->shape, number, slice_of(fetched), out_page) : err;
}

static lp_err
open_root(reading *r, piece *fetched, id_object_root *out_root)
{
    id_object_place place = id_object_place_root(&r->shape);
    if (id_object_open_root(&r->shape, get_from_file(r, place), out_root) == LP_OK) {
        return LP_OK;
    }
    LP_REQUIRE(id_segments_is_remote(r->of), LP_ECORRUPT);
    drop_head(r);
    lp_err err = fetch_piece(r->of, r->segment->name, place, fetched);
    return err == LP_OK ? id_object_open_root(&r->shape, slice_of(fetched), out_root) : err;
}

// open_entries returns the entries of a page.
static lp_err
open_entries(const reading *r, const id_object_page *page, piece *fetched, lp_slice *out_entries)
{
    LP_ASSERT(page->count > 0); // its filter has the hash
    const id_object_place place = id_object_place_entries(&r->shape, page);
    lp_err err = LP_OK;
    *out_entries = get_from_file(r, place);
    if (id_segments_is_remote(r->of)) {
        err = fetch_piece(r->of, r->segment->name, place, fetched);
        *out_entries = slice_of(fetched);
    }
    return err;
}

static lp_err
search_entries(reading *r, const id_object_page *page, uint64_t hash,
    void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg)
{
    piece root_piece = {0};
    piece entries_piece = {0};
    lp_slice entries;
    id_object_root root;
    lp_err err = open_root(r, &root_piece, &root);
    LP_THEN(err, open_entries(r, page, &entries_piece, &entries));
    LP_THEN(err, id_object_search(&root, page, entries, hash, on_chunk, arg));
    end_piece(&root_piece);
    end_piece(&entries_piece);
    return err;
}

lp_err
id_segments_search(id_segments *self, const catalog_segment *segment, uint64_t hash,
    void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg)
{
    piece page_piece = {0};
    const id_object_page *page;
    reading r;
    lp_err err = begin_reading(self, segment, &r);
    LP_THEN(err, open_page(&r, hash, &page_piece, &page));
    if (err == LP_OK && id_object_may_have(page, hash)) {
        err = search_entries(&r, page, hash, on_chunk, arg);
    }
    end_piece(&page_piece);
    end_reading(&r);
    return err;
}

// page_excludes returns whether the page of a local file excludes a hash.
static bool
page_excludes(const reading *r, uint64_t hash)
{
    uint32_t page_count = id_object_count_pages(r->shape.entry_count);
    uint32_t number = id_object_choose_page(hash, page_count);
    const lp_slice bytes = get_from_file(r, id_object_place_page(&r->shape, number));
    const id_object_page *page;
    return id_object_open_page(&r->shape, number, bytes, &page) == LP_OK &&
           !id_object_may_have(page, hash);
}

bool
id_segments_excludes(id_segments *self, const catalog_segment *segment, uint64_t hash)
{
    reading r = {.file = NULL};
    bool is_excluded = false;
    if (begin_reading(self, segment, &r) == LP_OK) {
        is_excluded = page_excludes(&r, hash);
    }
    end_reading(&r);
    return is_excluded;
}

void
id_segments_complain(id_segments *self, const catalog_segment *segment, lp_err why)
{
    uint64_t name = lp_hash_text(LP_HASH_FIXED, segment->name);
    if (atomic_exchange_explicit(&self->complained, name, memory_order_relaxed) != name) {
        lp_log(LP_LOG_WARN,
            "segment %s of the index of ids: cannot read: %s; searches read its chunks instead; "
            "`loupe index --rebuild` repairs it",
            segment->name, lp_err_text(why));
    }
}

// --- Segments

lp_err
id_segments_put(id_segments *self, const catalog_segment *segment, lp_slice bytes)
{
    segments_check(self);
    LP_ASSERT(bytes.len == segment->size_bytes);
    LP_ASSERT(segment->head_bytes > 0 && segment->head_bytes < segment->size_bytes);
    char key[KEY_BYTES];
    filling f = {.of = self, .segment = segment, .bytes = bytes};
    if (!id_segments_is_remote(self)) {
        return id_files_fill(self->files, segment->name, write_bytes, &f, NULL);
    }
    format_key(segment->name, key);
    lp_err err = s3_client_put_new(self->client, key, bytes);
    err = err == LP_EIO && errno == EEXIST ? LP_OK : err; // the name has a hash of the content
    if (err == LP_OK) {                                   // a missing head is fetched
        f.bytes.len = (size_t)segment->head_bytes;
        lp_err ignored = id_files_fill(self->files, segment->name, write_bytes, &f, NULL);
        (void)ignored;
    }
    return err;
}

static void
ignore_chunk(void *arg, const id_chunk *chunk)
{
    (void)arg;
    (void)chunk;
}

static lp_err
check_whole(const catalog_segment *segment, lp_slice bytes)
{
    const id_object_shape shape = get_shape(segment);
    id_object_root root;
    lp_err err = id_object_check_shape(&shape);
    LP_THEN(err, id_object_open_root(&shape, cut(bytes, id_object_place_root(&shape)), &root));
    for (uint32_t i = 0; err == LP_OK && i < id_object_count_pages(shape.entry_count); i++) {
        const id_object_page *page;
        err = id_object_open_page(&shape, i, cut(bytes, id_object_place_page(&shape, i)), &page);
        if (err == LP_OK) {
            const lp_slice entries = cut(bytes, id_object_place_entries(&shape, page));
            err = id_object_search(&root, page, entries, 0, ignore_chunk, NULL);
        }
    }
    return err;
}

static lp_err
check_object(id_segments *self, const catalog_segment *segment)
{
    char key[KEY_BYTES];
    int fd;
    piece whole = {0};
    format_key(segment->name, key);
    LP_TRY(id_files_make_file(self->files, &fd));
    lp_err err = s3_client_get(self->client, key, fd);
    LP_THEN(err, map_piece(fd, segment->size_bytes, &whole));
    lp_io_close(fd);
    LP_THEN(err, check_whole(segment, slice_of(&whole)));
    end_piece(&whole);
    return err;
}

lp_err
id_segments_check(id_segments *self, const catalog_segment *segment)
{
    segments_check(self);
    id_file *file;
    if (id_segments_is_remote(self)) {
        return check_object(self, segment);
    }
    lp_err err = id_files_find(self->files, segment->name, &file);
    if (err == LP_OK) {
        err = check_whole(segment, id_file_get(file));
        id_files_give_back(self->files, file);
    }
    return err;
}

lp_err
id_segments_delete(id_segments *self, const char *name)
{
    segments_check(self);
    char key[KEY_BYTES];
    if (!id_segments_is_remote(self)) {
        id_files_drop(self->files, name);
        return LP_OK;
    }
    format_key(name, key);
    return s3_client_delete(self->client, key);
}

void
id_segments_keep(
    id_segments *self, bool (*is_kept)(const void *arg, const char *flat_name), const void *arg)
{
    if (!id_segments_is_remote(self)) {
        id_files_keep(self->files, is_kept, arg);
    }
}
