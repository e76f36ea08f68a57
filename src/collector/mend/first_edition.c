// SPDX-License-Identifier: Apache-2.0

#include "collector/mend/first_edition.h"

#include "collector/mend/chunk_facts.h"
#include "collector/store/chunks/blob_file.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_assert.h"

#include <limits.h>
#include <sys/stat.h>

// put has the catalog name the file with these bytes. The bounds of its events are unknown, so
// questions always read the chunk.
static lp_err
put(const first_edition_place *place, const catalog_chunk *row, const blob_list_file *file,
    lp_slice bytes, bool *out_is_back)
{
    chunk_facts facts;
    lp_problem ignored;
    struct stat info;
    char path[PATH_MAX];
    blob_list_path(place->blobs_path, place->session_id, file, path);
    LP_REQUIRE(stat(path, &info) == 0, LP_OK); // it is gone meanwhile
    lp_err err = chunk_facts_read(bytes, &facts, &ignored);
    LP_REQUIRE(err == LP_OK, err == LP_ENOMEM ? err : LP_OK);
    const catalog_chunk to = {.size_bytes = bytes.len,
        .stored_bytes = (uint64_t)info.st_size,
        .content_hash = blobs_hash(bytes),
        .place.offset = BLOB_EDITION_FIRST,
        .types_json = facts.types_json};
    const catalog_edition edition = {
        .ordinal = row->ordinal, .before_edition = row->place.offset, .to = &to};
    err = catalog_put_edition(place->catalog, place->session_id, &edition, out_is_back);
    chunk_facts_fini(&facts);
    return err;
}

lp_err
first_edition_restore(const first_edition_place *place, const catalog_chunk *row, bool *out_is_back)
{
    LP_ASSERT(row->place.object[0] == '\0');
    *out_is_back = false;
    const blob_list_file *file = blob_list_find(place->files, BLOB_LIST_CHUNK, row->ordinal);
    if (file == NULL || row->place.offset == BLOB_EDITION_FIRST) {
        return LP_OK;
    }
    lp_buf bytes = {0};
    lp_err err = blob_file_read(place->blobs_path, place->session_id, file, &bytes);
    if (err == LP_OK) {
        err = put(place, row, file, lp_buf_slice(&bytes), out_is_back);
    } else {
        err = err == LP_ENOMEM ? err : LP_OK; // it is no better
    }
    lp_buf_fini(&bytes);
    return err;
}
