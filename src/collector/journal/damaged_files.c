// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/damaged_files.h"

#include "common/base/lp_io.h"

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

static bool
parse_name(const char *name, damaged_name *out_name)
{
    char canonical[sizeof("4294967295")];
    damaged_name found;
    LP_REQUIRE(parse_session(name, found.session_id), false);
    const char *number = name + CATALOG_ID_CHARS + 1;
    found.ordinal = (uint32_t)strtoul(number, NULL, 10);
    (void)snprintf(canonical, sizeof(canonical), "%" PRIu32, found.ordinal);
    size_t digits = strlen(canonical);
    LP_REQUIRE(strncmp(number, canonical, digits) == 0, false);
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
    LP_REQUIRE(asprintf(&file.name, "%s%s", in, name) >= 0, LP_ENOMEM);
    (void)parse_name(file.name + strlen(in), &file.of);
    bool is_one = is_listed(&info, &file);
    lp_err err = is_one ? LP_VEC_ADD(files, file) : LP_OK; // moves
    if (!is_one || err != LP_OK) {
        free(file.name);
    }
    return err;
}

// The files of a directory to list.
typedef struct listing {
    damaged_files *files;
    const char *in;     // of the names in the list
    const char *prefix; // of the file names
} listing;

static lp_err
add_name(void *arg, int dir_fd, const char *name)
{
    const listing *l = arg;
    bool is_one = strncmp(name, l->prefix, strlen(l->prefix)) == 0;
    return is_one ? add(l->files, dir_fd, l->in, name) : LP_OK;
}

lp_err
damaged_files_list(const data_dir *dir, damaged_files *out_files)
{
    listing all = {out_files, DATA_DIR_DAMAGED "/", ""};
    listing catalogs = {out_files, "", DATA_DIR_DAMAGED_CATALOG};
    lp_err err = lp_io_list(data_dir_at(dir, DATA_DIR_DAMAGED).text, add_name, &all);
    return err == LP_OK ? lp_io_list(data_dir_get_path(dir), add_name, &catalogs) : err;
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

lp_err
damaged_files_remove(const data_dir *dir, const char *name)
{
    enum { DESCRIPTORS = 4 };
    const data_path path = data_dir_at(dir, "%s", name);
    if (unlink(path.text) == 0 || errno == ENOENT) {
        return LP_OK;
    }
    bool is_gone =
        errno == EISDIR && nftw(path.text, remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS) == 0;
    return is_gone ? LP_OK : LP_EIO;
}

// sync_names syncs the directory damaged/; a missing one is fine.
static lp_err
sync_names(const data_dir *dir)
{
    lp_err err = lp_io_sync_dir(AT_FDCWD, data_dir_at(dir, DATA_DIR_DAMAGED).text);
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
