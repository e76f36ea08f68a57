// SPDX-License-Identifier: Apache-2.0
#include "collector/store/catalog/blob_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
compare_sessions(const void *a, const void *b)
{
    return strcmp(((const blob_list_session *)a)->id, ((const blob_list_session *)b)->id);
}

static int
compare_files(const void *a, const void *b)
{
    const blob_list_file *left = a;
    const blob_list_file *right = b;
    if (left->ordinal != right->ordinal) {
        return (left->ordinal > right->ordinal) - (left->ordinal < right->ordinal);
    }
    return (left->kind > right->kind) - (left->kind < right->kind);
}

// end_list closes the directory. Returns LP_EIO if readdir had failed: errno is not 0.
static lp_err
end_list(DIR *dir, lp_err err)
{
    int error = errno;
    (void)closedir(dir);
    errno = error;
    return err == LP_OK && error != 0 ? LP_EIO : err;
}

lp_err
blob_list_read_sessions(const char *dir, blob_list_sessions *out_sessions)
{
    blob_list_sessions list = {0};
    *out_sessions = list;
    DIR *opened = opendir(dir);
    if (opened == NULL) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(opened)) != NULL) {
        if (!catalog_id_is_valid(entry->d_name)) {
            continue;
        }
        blob_list_session *item = LP_VEC_PUSH(&list);
        err = item == NULL ? LP_ENOMEM : LP_OK;
        if (err == LP_OK) {
            memcpy(item->id, entry->d_name, sizeof(item->id));
        }
    }
    err = end_list(opened, err);
    if (err != LP_OK) {
        free(list.items);
        return err;
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof(list.items[0]), compare_sessions);
    }
    *out_sessions = list;
    return LP_OK;
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
        {.kind = BLOB_LIST_TEMPORARY, .suffix = ".jfr.zst.tmp"},
    };
    char canonical[sizeof("4294967295")];
    uint32_t ordinal = (uint32_t)strtoul(name, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32, ordinal);
    size_t length = strlen(canonical);
    if (strncmp(name, canonical, length) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(name + length, kinds[i].suffix) == 0) {
            *out_file = kinds[i];
            out_file->ordinal = ordinal;
            return true;
        }
    }
    return false;
}

// take_size reads the size of a file; 0 if the file was just deleted.
static void
take_size(int dir_fd, const char *name, blob_list_file *file)
{
    struct statx info;
    if (statx(dir_fd, name, AT_SYMLINK_NOFOLLOW, STATX_SIZE, &info) == 0) {
        file->file_bytes = info.stx_size;
    }
}

lp_err
blob_list_read_files(
    const char *dir, const char *session_id, bool has_sizes, blob_list_files *out_files)
{
    blob_list_files list = {0};
    *out_files = list;
    char path[PATH_MAX];
    (void)snprintf(path, sizeof(path), "%s/%s", dir, session_id);
    DIR *opened = opendir(path);
    if (opened == NULL) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(opened)) != NULL) {
        blob_list_file file;
        if (!parse_name(entry->d_name, &file)) {
            continue;
        }
        if (has_sizes) {
            take_size(dirfd(opened), entry->d_name, &file);
        }
        blob_list_file *item = LP_VEC_PUSH(&list);
        err = item == NULL ? LP_ENOMEM : LP_OK;
        if (err == LP_OK) {
            *item = file;
        }
    }
    err = end_list(opened, err);
    if (err != LP_OK) {
        free(list.items);
        return err;
    }
    if (list.count > 0) {
        qsort(list.items, list.count, sizeof(list.items[0]), compare_files);
    }
    *out_files = list;
    return LP_OK;
}

const blob_list_file *
blob_list_find(const blob_list_files *files, uint32_t ordinal)
{
    const blob_list_file key = {.kind = BLOB_LIST_CHUNK, .ordinal = ordinal};
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
