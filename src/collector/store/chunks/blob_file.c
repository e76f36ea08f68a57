// SPDX-License-Identifier: Apache-2.0
#include "collector/store/chunks/blob_file.h"

#include "collector/store/blob_pack.h"
#include "common/base/lp_io.h"
#include "common/jfr/jfr_chunk.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

static lp_err
read_rest(blob_unpacker *from, const uint8_t header[JFR_CHUNK_HEADER_SIZE], lp_buf *out_bytes)
{
    jfr_chunk_info info;
    if (jfr_chunk_parse((lp_slice){header, JFR_CHUNK_HEADER_SIZE}, &info, NULL) != LP_OK ||
        info.size_bytes <= JFR_CHUNK_HEADER_SIZE || info.size_bytes > BLOB_FILE_BYTES_MAX) {
        return LP_ECORRUPT;
    }
    uint8_t *to = lp_buf_extend(out_bytes, (size_t)info.size_bytes);
    LP_REQUIRE(to != NULL, LP_ENOMEM);
    memcpy(to, header, JFR_CHUNK_HEADER_SIZE);
    lp_err err = blob_unpacker_read(
        from, to + JFR_CHUNK_HEADER_SIZE, (size_t)info.size_bytes - JFR_CHUNK_HEADER_SIZE);
    return err == LP_OK ? blob_unpacker_finish(from) : err;
}

static lp_err
read_packed(int fd, lp_buf *out_bytes)
{
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    blob_unpacker *from = blob_unpacker_create(fd);
    LP_REQUIRE(from != NULL, LP_ENOMEM);
    lp_err err = blob_unpacker_read(from, header, sizeof(header));
    LP_THEN(err, read_rest(from, header, out_bytes));
    blob_unpacker_destroy(from);
    return err;
}

lp_err
blob_file_read_path(const char *path, lp_buf *out_bytes)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    LP_REQUIRE(fd >= 0, LP_EIO);
    lp_err err = read_packed(fd, out_bytes);
    lp_io_close(fd);
    return err;
}

lp_err
blob_file_read(
    const char *dir, const char *session_id, const blob_list_file *file, lp_buf *out_bytes)
{
    char path[PATH_MAX];
    blob_list_path(dir, session_id, file, path);
    return blob_file_read_path(path, out_bytes);
}
