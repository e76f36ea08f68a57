// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/damaged_files.h"

#include "common/base/lp_io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// parse_session writes the session's id that a name begins with. Returns false, and "", if none.
static bool
parse_session(const char *name, char out_id[CATALOG_ID_CHARS + 1])
{
    (void)snprintf(out_id, CATALOG_ID_CHARS + 1, "%s", name);
    if (catalog_id_is_valid(out_id) && name[CATALOG_ID_CHARS] == '-') {
        return true;
    }
    out_id[0] = '\0';
    return false;
}

// skip_number skips the number that data_dir_damaged_path adds to make a name unique.
static const char *
skip_number(const char *text)
{
    size_t digits = text[0] == '-' ? strspn(text + 1, "0123456789") : 0;
    return digits == 0 ? text : text + 1 + digits;
}

bool
damaged_files_parse_name(const char *name, damaged_name *out_name)
{
    char canonical[sizeof("4294967295")];
    damaged_name found;
    if (!parse_session(name, found.session_id)) {
        return false;
    }
    const char *number = name + CATALOG_ID_CHARS + 1;
    found.ordinal = (uint32_t)strtoul(number, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32, found.ordinal);
    size_t digits = strlen(canonical);
    if (strncmp(number, canonical, digits) != 0) {
        return false;
    }
    found.what = skip_number(number + digits);
    *out_name = found;
    return true;
}

static bool
is_listed(const struct stat *info, const damaged_file *file)
{
    bool is_unread = file->of.what != NULL && strcmp(file->of.what, DAMAGED_FILES_UNREAD) == 0;
    return S_ISREG(info->st_mode) || (S_ISDIR(info->st_mode) && is_unread);
}

// add appends a file, unless it was deleted meanwhile. `in` is "damaged/" or "".
static lp_err
add(damaged_files *files, int dir_fd, const char *in, const char *name)
{
    struct stat info;
    if (fstatat(dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return LP_OK;
    }
    // The time of the last change: a rename keeps the time of the last write.
    damaged_file file = {.bytes = (uint64_t)info.st_size,
        .since_wall_ns = (int64_t)info.st_ctim.tv_sec * 1000000000 + info.st_ctim.tv_nsec};
    (void)parse_session(name, file.session_id);
    if (asprintf(&file.name, "%s%s", in, name) < 0) {
        return LP_ENOMEM;
    }
    (void)damaged_files_parse_name(file.name + strlen(in), &file.of);
    if (!is_listed(&info, &file)) {
        free(file.name);
        return LP_OK;
    }
    damaged_file *item = LP_VEC_PUSH(files);
    if (item == NULL) {
        free(file.name);
        return LP_ENOMEM;
    }
    *item = file; // moves
    return LP_OK;
}

// list_in lists the files of a directory whose names begin with prefix; none if it is missing.
static lp_err
list_in(const char *path, const char *in, const char *prefix, damaged_files *files)
{
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return errno == ENOENT ? LP_OK : LP_EIO;
    }
    lp_err err = LP_OK;
    const struct dirent *entry;
    while (err == LP_OK && (errno = 0, entry = readdir(dir)) != NULL) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            err = add(files, dirfd(dir), in, entry->d_name);
        }
    }
    int error = errno;
    (void)closedir(dir);
    errno = error;
    return err == LP_OK && error != 0 ? LP_EIO : err;
}

lp_err
damaged_files_list(const data_dir *dir, damaged_files *out_files)
{
    char *path = data_dir_path(dir, DATA_DIR_DAMAGED);
    lp_err err = path == NULL ? LP_ENOMEM : list_in(path, DATA_DIR_DAMAGED "/", "", out_files);
    free(path);
    return err == LP_OK ? list_in(data_dir_get_path(dir), "", DATA_DIR_DAMAGED_CATALOG, out_files)
                        : err;
}

void
damaged_files_fini(damaged_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
    }
    LP_VEC_FINI(files);
}

static int
remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

static lp_err
remove_path(const char *path)
{
    enum { DESCRIPTORS = 4 };
    if (unlink(path) == 0 || errno == ENOENT) {
        return LP_OK;
    }
    bool is_gone =
        errno == EISDIR && nftw(path, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS) == 0;
    return is_gone ? LP_OK : LP_EIO;
}

lp_err
damaged_files_remove(const data_dir *dir, const char *name)
{
    char *path = data_dir_path(dir, "%s", name);
    lp_err err = path == NULL ? LP_ENOMEM : remove_path(path);
    free(path);
    return err;
}

// sync_names syncs the directory damaged/; a missing one is fine.
static lp_err
sync_names(const data_dir *dir)
{
    char *path = data_dir_path(dir, DATA_DIR_DAMAGED);
    lp_err err = path == NULL ? LP_ENOMEM : lp_io_sync_dir(AT_FDCWD, path);
    free(path);
    return err == LP_EIO && errno == ENOENT ? LP_OK : err;
}

lp_err
damaged_files_remove_of(const data_dir *dir, const char *session_id)
{
    damaged_files files = {0};
    lp_err all = damaged_files_list(dir, &files);
    int error = errno;
    for (size_t i = 0; i < files.count; i++) {
        lp_err err = strcmp(files.items[i].session_id, session_id) == 0
                         ? damaged_files_remove(dir, files.items[i].name)
                         : LP_OK;
        error = err == LP_OK ? error : errno;
        all = err == LP_OK ? all : err;
    }
    damaged_files_fini(&files);
    errno = error;
    return all == LP_OK ? sync_names(dir) : all;
}
