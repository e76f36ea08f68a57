// SPDX-License-Identifier: Apache-2.0

#include "collector/chunks/pack_copy.h"

#include "collector/store/catalog/catalog_objects.h"
#include "common/base/lp_hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// An object that was brought here.
typedef struct fetched {
    lp_slice bytes;
    object_pack_chunks chunks;
} fetched;

static void
fetched_fini(fetched *f)
{
    if (f->bytes.len > 0) {
        (void)munmap((void *)(uintptr_t)f->bytes.ptr, f->bytes.len);
    }
    LP_VEC_FINI(&f->chunks);
}

// map_file maps all of a file.
static lp_err
map_file(int fd, lp_slice *out_bytes)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return LP_EIO;
    }
    if (info.st_size == 0) {
        return LP_ECORRUPT;
    }
    void *mapped = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED) {
        return LP_EIO;
    }
    *out_bytes = (lp_slice){mapped, (size_t)info.st_size};
    return LP_OK;
}

static lp_err
fetch(blobs *from, const char *object, fetched *out_fetched)
{
    int fd;
    *out_fetched = (fetched){.bytes = {0}};
    LP_TRY(blobs_make_file(from, &fd));
    lp_err err = blobs_get_object(from, object, fd);
    LP_THEN(err, map_file(fd, &out_fetched->bytes));
    LP_THEN(err, object_pack_read(out_fetched->bytes, &out_fetched->chunks));
    int error = errno;
    (void)close(fd); // what is mapped stays
    if (err != LP_OK) {
        fetched_fini(out_fetched);
    }
    errno = error;
    return err;
}

// is_in returns whether the catalog has a chunk in an object.
static lp_err
is_in(catalog *in, const object_pack_chunk *chunk, const char *object, bool *out_is_in)
{
    blob_place place;
    uint64_t bytes;
    lp_err err = catalog_find_place(in, chunk->session_id, chunk->ordinal, &place, &bytes);
    *out_is_in = err == LP_OK && strcmp(place.object, object) == 0 && place.offset == chunk->offset;
    return err == LP_ENOENT ? LP_OK : err;
}

static lp_err
copy_chunk(
    const fetched *f, const object_pack_chunk *chunk, pack_files *to, pack_copied_list *copied)
{
    const lp_slice bytes = {f->bytes.ptr + chunk->offset, (size_t)chunk->stored_bytes};
    if (lp_hash_bytes(LP_HASH_FIXED, bytes) != chunk->stored_hash) {
        return LP_ECORRUPT;
    }
    pack_copied *item = LP_VEC_PUSH(copied);
    if (item == NULL) {
        return LP_ENOMEM;
    }
    item->chunk = *chunk;
    lp_err err = pack_files_append_packed(to, bytes, &item->piece);
    copied->count -= err == LP_OK ? 0 : 1;
    return err;
}

lp_err
pack_copy_live(
    blobs *from, catalog *in, const char *object, pack_files *to, pack_copied_list *out_copied)
{
    fetched f;
    lp_err err = fetch(from, object, &f);
    if (err != LP_OK) {
        return err;
    }
    for (size_t i = 0; i < f.chunks.count && err == LP_OK; i++) {
        bool is_live;
        err = is_in(in, &f.chunks.items[i], object, &is_live);
        if (err == LP_OK && is_live) {
            err = copy_chunk(&f, &f.chunks.items[i], to, out_copied);
        }
    }
    int error = errno;
    fetched_fini(&f);
    errno = error;
    return err;
}

static void
note_next(void *arg, const catalog_session *row)
{
    *(uint32_t *)arg = row->next_chunk;
}

int
pack_copy_compare(const void *a, const void *b)
{
    return strcmp(((const pack_copy_name *)a)->text, ((const pack_copy_name *)b)->text);
}

// is_there returns whether a place is in an object of the store. An older copy of the catalog may
// name one that has gone since.
static bool
is_there(const blob_place *place, const pack_copy_names *there)
{
    pack_copy_name key;
    memcpy(key.text, place->object, sizeof(key.text));
    return key.text[0] == '\0' ||
           (there->count > 0 && bsearch(&key, there->items, there->count, sizeof(there->items[0]),
                                    pack_copy_compare) != NULL);
}

// is_elsewhere returns whether a chunk was committed, and does not need an object.
static lp_err
is_elsewhere(catalog *in, const object_pack_chunk *chunk, const char *object,
    const pack_copy_names *there, bool *out_is_elsewhere)
{
    blob_place place;
    uint64_t bytes;
    uint32_t next_chunk = 0;
    *out_is_elsewhere = false;
    lp_err err = catalog_find(in, chunk->session_id, note_next, &next_chunk);
    if (err != LP_OK || next_chunk <= chunk->ordinal) {
        return err == LP_ENOENT ? LP_OK : err;
    }
    err = catalog_find_place(in, chunk->session_id, chunk->ordinal, &place, &bytes);
    *out_is_elsewhere =
        err == LP_ENOENT || // it is not kept any longer
        (err == LP_OK && strcmp(place.object, object) != 0 && is_there(&place, there));
    return err == LP_ENOENT ? LP_OK : err;
}

lp_err
pack_copy_is_orphan(
    blobs *from, catalog *in, const char *object, const pack_copy_names *there, bool *out_is_orphan)
{
    fetched f;
    lp_err err = fetch(from, object, &f);
    if (err != LP_OK) {
        return err;
    }
    bool is_orphan = true;
    for (size_t i = 0; i < f.chunks.count && err == LP_OK && is_orphan; i++) {
        err = is_elsewhere(in, &f.chunks.items[i], object, there, &is_orphan);
    }
    *out_is_orphan = is_orphan;
    int error = errno;
    fetched_fini(&f);
    errno = error;
    return err;
}
