// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/blob_list.h"

#include "common/base/lp_io.h"
#include "common/base/lp_order.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

LP_COMPARE(compare_sessions, blob_list_session, strcmp(one->id, other->id))

LP_COMPARE(compare_files, blob_list_file,
    LP_ORDER(one->ordinal, other->ordinal) ?: LP_ORDER(one->kind, other->kind))

static lp_err
add_session(void *arg, int dir_fd, const char *name)
{
    (void)dir_fd;
    blob_list_sessions *list = arg;
    blob_list_session session;
    if (!catalog_id_is_valid(name)) {
        return LP_OK;
    }
    memcpy(session.id, name, sizeof(session.id));
    return LP_VEC_ADD(list, session);
}

lp_err
blob_list_read_sessions(const char *dir, blob_list_sessions *out_sessions)
{
    *out_sessions = (blob_list_sessions){0};
    lp_err err = lp_io_list(dir, add_session, out_sessions);
    if (err != LP_OK) {
        LP_VEC_FINI(out_sessions);
    }
    blob_list_sort(out_sessions);
    return err;
}

void
blob_list_sort(blob_list_sessions *sessions)
{
    LP_QSORT(sessions->items, sessions->count, compare_sessions);
}

bool
blob_list_has_session(const blob_list_sessions *sessions, const char *session_id)
{
    blob_list_session key;
    (void)snprintf(key.id, sizeof(key.id), "%s", session_id);
    return sessions->count > 0 && bsearch(&key, sessions->items, sessions->count,
                                      sizeof(sessions->items[0]), compare_sessions) != NULL;
}

// parse_name reads the name of a file, such as "7.jfr.zst".
static bool
parse_name(const char *name, blob_list_file *out_file)
{
    static const blob_list_file kinds[] = {
        {.kind = BLOB_LIST_CHUNK, .suffix = ".jfr.zst"},
        {.kind = BLOB_LIST_ALL, .suffix = ".all.jfr.zst"},
        {.kind = BLOB_LIST_PART, .suffix = ".1.jfr.zst"},
        {.kind = BLOB_LIST_PART + 1, .suffix = ".2.jfr.zst"},
        {.kind = BLOB_LIST_PART + 2, .suffix = ".3.jfr.zst"},
        {.kind = BLOB_LIST_PART + 3, .suffix = ".4.jfr.zst"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".jfr.zst.tmp"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".all.jfr.zst.tmp"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".1.jfr.zst.tmp"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".2.jfr.zst.tmp"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".3.jfr.zst.tmp"},
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".4.jfr.zst.tmp"},
    };
    char canonical[sizeof("4294967295")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32, ordinal);
    size_t length = strlen(canonical);
    LP_REQUIRE(strncmp(name, canonical, length) == 0, false);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name + length, kinds[i].suffix) == 0) {
            *out_file = kinds[i];
            out_file->ordinal = ordinal;
            return true;
        }
    }
    return false;
}

typedef struct file_listing {
    blob_list_files *files;
    bool has_sizes;
} file_listing;

// add_file adds a file; its size is 0 if the file was just deleted.
static lp_err
add_file(void *arg, int dir_fd, const char *name)
{
    const file_listing *l = arg;
    blob_list_file file;
    struct statx info;
    if (!parse_name(name, &file)) {
        return LP_OK;
    }
    if (l->has_sizes && statx(dir_fd, name, AT_SYMLINK_NOFOLLOW, STATX_SIZE, &info) == 0) {
        file.file_bytes = info.stx_size;
    }
    return LP_VEC_ADD(l->files, file);
}

lp_err
blob_list_read_files(
    const char *dir, const char *session_id, bool has_sizes, blob_list_files *out_files)
{
    *out_files = (blob_list_files){0};
    file_listing listing = {out_files, has_sizes};
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/%s", dir, session_id);
    lp_err err = lp_io_list(path, add_file, &listing);
    if (err != LP_OK) {
        LP_VEC_FINI(out_files);
    }
    LP_QSORT(out_files->items, out_files->count, compare_files);
    return err;
}

const blob_list_file *
blob_list_find(const blob_list_files *files, blob_list_kind kind, uint32_t ordinal)
{
    const blob_list_file key = {.kind = kind, .ordinal = ordinal};
    return files->count == 0
               ? NULL
               : bsearch(&key, files->items, files->count, sizeof(files->items[0]), compare_files);
}

void
blob_list_path(const char *dir, const char *session_id, const blob_list_file *file, char *out_path)
{
    (void)snprintf(
        out_path, PATH_MAX, "%s/%s/%" PRIu32 "%s", dir, session_id, file->ordinal, file->suffix);
}
