// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/edition_object.h"

#include "collector/store/blob_pack.h"
#include "collector/store/chunks/chunk_files.h"
#include "collector/store/chunks/object_pack.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_io.h"
#include "common/base/lp_time.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

// hash_file hashes a part of a file. Errors: LP_EIO with errno
static lp_err
hash_file(int fd, uint64_t offset, uint64_t size_bytes, uint64_t *out_hash)
{
    size_t all = (size_t)(offset + size_bytes);
    const uint8_t *bytes = mmap(NULL, all, PROT_READ, MAP_SHARED, fd, 0);
    LP_REQUIRE(bytes != MAP_FAILED, LP_EIO);
    *out_hash = lp_hash_bytes(LP_HASH_FIXED, (lp_slice){bytes + offset, (size_t)size_bytes});
    (void)munmap((void *)(uintptr_t)bytes, all);
    return LP_OK;
}

// write_footer appends the footer of the only chunk, which ends at footer_at.
static lp_err
write_footer(int fd, const blob_name *name, uint64_t footer_at, uint64_t *out_size_bytes)
{
    object_pack_chunk chunk = {.ordinal = name->ordinal,
        .offset = name->place.offset,
        .stored_bytes = name->stored_bytes,
        .size_bytes = name->size_bytes,
        .content_hash = name->content_hash};
    lp_buf footer = {0};
    memcpy(chunk.session_id, name->session_id, sizeof(chunk.session_id));
    LP_TRY(hash_file(fd, chunk.offset, chunk.stored_bytes, &chunk.stored_hash));
    object_pack_append(&footer, &chunk);
    object_pack_finish(&footer, footer_at);
    lp_err err = lp_buf_check(&footer);
    LP_THEN(err, lp_io_write_all(fd, lp_buf_slice(&footer)));
    *out_size_bytes = footer_at + footer.len;
    lp_buf_fini(&footer);
    return err;
}

static lp_err
put(chunk_store *to, int fd, lp_slice bytes, blob_name *name)
{
    static const uint8_t zeros[BLOB_EDITIONS];
    uint64_t edition = name->place.offset;
    uint64_t run;
    uint64_t size_bytes;
    LP_REQUIRE(getrandom(&run, sizeof(run), 0) == sizeof(run), LP_EIO);
    object_pack_format_name(lp_time_now(), run, 0, name->place.object);
    LP_TRY(lp_io_write_all(fd, (lp_slice){zeros, (size_t)edition}));
    LP_TRY(blob_pack_write(fd, bytes, &name->stored_bytes));
    uint64_t footer_at = edition + name->stored_bytes;
    LP_TRY(write_footer(fd, name, footer_at, &size_bytes));
    return to->ops->objects->put(to, name->place.object, fd, size_bytes, footer_at);
}

lp_err
edition_object_put(chunk_store *to, int dir_fd, lp_slice bytes, blob_name *name)
{
    LP_ASSERT(name->place.offset > BLOB_EDITION_FIRST && name->place.offset < BLOB_EDITIONS);
    LP_ASSERT(to->ops->objects != NULL && name->size_bytes == bytes.len);
    int fd;
    LP_TRY(chunk_files_make(dir_fd, &fd));
    lp_err err = put(to, fd, bytes, name);
    lp_io_close(fd);
    return err;
}
