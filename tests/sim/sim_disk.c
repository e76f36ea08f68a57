// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_disk.h"

#include "sim/sim_world.h"
#include "support/temp_dir.h"

#include "collector/journal/run_mark.h"
#include "collector/store/catalog/catalog.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    FILES_MAX = 512,
    PATH_BYTES = 300,
    COPY_BYTES = 1 << 16,
    // Of SQLite's log, by its file format.
    LOG_HEADER_BYTES = 32,
    LOG_FRAME_BYTES = 24 + 4096,
};

// A journal.
typedef struct file {
    char path[PATH_BYTES]; // in the data directory
    off_t synced_bytes;
    bool is_named; // its name is on the disk
    unsigned kept; // its name is gone, and on the disk it is not: a copy has this number; 0: no
} file;

typedef struct disk {
    file files[FILES_MAX];
    size_t file_count;
    unsigned kept_count;
    unsigned boot;
} disk;

// That of a collector.
typedef struct side {
    disk now;
    disk frozen;
    bool is_frozen;
    off_t log_bytes; // of SQLite's log that "synced" has
    char parent[PATH_BYTES - 40];
    char data[PATH_BYTES];
    bool has_backup;
} side;

static side sides[SIM_COLLECTORS_MAX];

static side *
here(void)
{
    return &sides[sim.side];
}

const char *
sim_disk_get_data(void)
{
    return here()->data;
}

const char *
sim_disk_get_store(void)
{
    return sim.shared == NULL ? here()->data : sim.shared;
}

static void
join(char *out, const char *left, const char *right)
{
    LP_ASSERT(snprintf(out, PATH_BYTES, "%s/%s", left, right) < PATH_BYTES);
}

// --- Copies

static void
copy_file(const char *from, const char *to)
{
    char bytes[COPY_BYTES];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (in >= 0) {
        LP_ASSERT(out >= 0);
        for (ssize_t count; (count = read(in, bytes, sizeof(bytes))) > 0;) {
            LP_ASSERT(write(out, bytes, (size_t)count) == count);
        }
        (void)close(in);
    }
    (void)close(out);
}

static void
copy_tree(const char *from, const char *to)
{
    DIR *entries = opendir(from);
    LP_ASSERT(entries != NULL && mkdir(to, 0700) == 0);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char left[PATH_BYTES];
        char right[PATH_BYTES];
        join(left, from, entry->d_name);
        join(right, to, entry->d_name);
        if (entry->d_type == DT_REG) {
            copy_file(left, right);
        } else if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            copy_tree(left, right);
        }
    }
    (void)closedir(entries);
}

static void
remove_tree(const char *path)
{
    (void)nftw(path, temp_dir_on_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void
keep(const char *name)
{
    char path[PATH_BYTES];
    join(path, here()->parent, name);
    remove_tree(path);
    copy_tree(here()->data, path);
}

static void
put_back(const char *name)
{
    char path[PATH_BYTES];
    join(path, here()->parent, name);
    remove_tree(here()->data);
    copy_tree(path, here()->data);
}

void
sim_disk_freeze(void)
{
    keep("frozen");
    here()->frozen = here()->now;
    here()->is_frozen = true;
}

void
sim_disk_thaw(void)
{
    put_back("frozen");
    here()->now = here()->frozen;
    here()->is_frozen = false;
}

void
sim_disk_back_up(void)
{
    keep("backup");
    here()->has_backup = true;
}

static void note_all(void);

void
sim_disk_restore(void)
{
    if (here()->has_backup) {
        put_back("backup");
        note_all();
    }
}

void
sim_disk_empty(void)
{
    put_back("empty");
    note_all();
}

// make_empty makes the data directory with which all runs begin: to make a catalog takes longer
// than many runs.
static void
make_empty(void)
{
    char path[PATH_BYTES];
    catalog *made;
    join(path, here()->parent, "empty/sim");
    LP_ASSERT(mkdir(path, 0700) == 0);
    join(path, here()->parent, "empty/catalog.db");
    if (sim.shared == NULL) {
        LP_ASSERT(catalog_open(path, &made, NULL) == LP_OK);
        catalog_close(made);
    }
    join(path, here()->parent, "synced");
    LP_ASSERT(mkdir(path, 0700) == 0);
}

void
sim_disk_begin(const char *parent)
{
    char path[PATH_BYTES];
    int len = snprintf(here()->parent, sizeof(here()->parent), "%s/collector-%u", parent, sim.side);
    LP_ASSERT(len < (int)sizeof(here()->parent));
    LP_ASSERT(mkdir(here()->parent, 0700) == 0 || errno == EEXIST);
    here()->has_backup = false;
    here()->now.kept_count = 0;
    join(here()->data, here()->parent, "data");
    join(path, here()->parent, "removed");
    LP_ASSERT(mkdir(path, 0700) == 0);
    join(path, here()->parent, "empty");
    if (mkdir(path, 0700) == 0) {
        make_empty();
    }
    sim_disk_empty();
}

void
sim_disk_end(void)
{
    char path[PATH_BYTES];
    join(path, here()->parent, "removed");
    remove_tree(path);
    remove_tree(here()->data);
}

// --- What is on the disk

static file *
find(const char *path)
{
    for (size_t i = 0; i < here()->now.file_count; i++) {
        if (strcmp(here()->now.files[i].path, path) == 0 && here()->now.files[i].kept == 0) {
            return &here()->now.files[i];
        }
    }
    return NULL;
}

// find_or_add returns NULL for a file that is no journal.
static file *
find_or_add(const char *path)
{
    file *found = find(path);
    if (found == NULL && strstr(path, "/data/journal/") != NULL && strstr(path, ".log") != NULL) {
        LP_ASSERT(here()->now.file_count < FILES_MAX);
        found = &here()->now.files[here()->now.file_count++];
        *found = (file){0};
        (void)snprintf(found->path, sizeof(found->path), "%s", path);
    }
    return found;
}

// add_frames adds to the copy of SQLite's log the frames that follow those which it has. A frame
// that is of the log as it began last has the salt of its header; what follows is of earlier ones.
static void
add_frames(int from, int to, const uint8_t *header)
{
    uint8_t frame[LOG_FRAME_BYTES];
    while (pread(from, frame, sizeof(frame), here()->log_bytes) == (ssize_t)sizeof(frame) &&
           memcmp(frame + 8, header + 16, 8) == 0) {
        LP_ASSERT(pwrite(to, frame, sizeof(frame), here()->log_bytes) == (ssize_t)sizeof(frame));
        here()->log_bytes += (off_t)sizeof(frame);
    }
}

// copy_log_header copies it, and returns whether the log has begun again since the last copy.
static bool
copy_log_header(int from, int to, uint8_t *out_header)
{
    uint8_t kept[LOG_HEADER_BYTES];
    ssize_t size = pread(from, out_header, LOG_HEADER_BYTES, 0);
    if (here()->log_bytes > 0 && size == LOG_HEADER_BYTES &&
        pread(to, kept, sizeof(kept), 0) == size && memcmp(out_header, kept, sizeof(kept)) == 0) {
        return false;
    }
    here()->log_bytes = size == LOG_HEADER_BYTES ? size : 0;
    LP_ASSERT(ftruncate(to, 0) == 0);
    LP_ASSERT(pwrite(to, out_header, (size_t)here()->log_bytes, 0) == (ssize_t)here()->log_bytes);
    return true;
}

// As long as the log does not begin again, all that was written to the catalog since then is there,
// too.
void
sim_disk_note_synced(void)
{
    char from[PATH_BYTES];
    char to[PATH_BYTES];
    uint8_t header[LOG_HEADER_BYTES];
    if (here()->is_frozen || sim.shared != NULL) {
        return;
    }
    join(from, here()->data, "catalog.db-wal");
    join(to, here()->parent, "synced/catalog.db-wal");
    int log = open(from, O_RDONLY | O_CLOEXEC);
    int copy = open(to, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    LP_ASSERT(copy >= 0);
    if (copy_log_header(log, copy, header)) {
        join(from, here()->data, "catalog.db");
        join(to, here()->parent, "synced/catalog.db");
        copy_file(from, to);
    }
    if (here()->log_bytes > 0) {
        add_frames(log, copy, header);
    }
    (void)close(copy);
    (void)close(log);
}

static int
compare_paths(const void *a, const void *b)
{
    return strcmp(((const file *)a)->path, ((const file *)b)->path);
}

static void
each_journal(__nftw_func_t on_file)
{
    char path[PATH_BYTES];
    join(path, here()->data, "journal");
    (void)nftw(path, on_file, 16, FTW_PHYS);
    // In the order of names, not of the directory: a seed means the same on every machine.
    qsort(here()->now.files, here()->now.file_count, sizeof(here()->now.files[0]), compare_paths);
}

// note_unsynced notes a journal of which the disk may have nothing.
static int
note_unsynced(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)where;
    if (kind == FTW_F) {
        (void)find_or_add(path);
    }
    return 0;
}

static int
note_synced(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)where;
    file *f = kind == FTW_F ? find_or_add(path) : NULL;
    if (f != NULL) {
        f->synced_bytes = info->st_size;
        f->is_named = true;
    }
    return 0;
}

// note_all notes that everything that is there is on the disk.
static void
note_all(void)
{
    here()->now.file_count = 0;
    here()->log_bytes = 0; // it may be another log
    each_journal(note_synced);
    sim_disk_note_synced();
}

// note_names notes that the names in a directory are on the disk, and what was removed is gone.
static void
note_names(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < here()->now.file_count;) {
        file *f = &here()->now.files[i];
        bool is_here = strncmp(f->path, path, length) == 0 && f->path[length] == '/' &&
                       strchr(f->path + length + 1, '/') == NULL;
        if (is_here && f->kept != 0) {
            *f = here()->now.files[--here()->now.file_count];
            continue;
        }
        f->is_named = f->is_named || is_here;
        i++;
    }
}

int __wrap_fdatasync(int fd);
int __wrap_fsync(int fd);

int
__wrap_fdatasync(int fd)
{
    char link[64];
    char path[PATH_BYTES] = "";
    struct stat info;
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    LP_ASSERT(readlink(link, path, sizeof(path) - 1) > 0 && fstat(fd, &info) == 0);
    if (S_ISDIR(info.st_mode)) {
        note_names(path);
    } else if (strstr(path, "/data/catalog.db") != NULL) {
        sim_disk_note_synced();
    } else if (strstr(path, ".copy") != NULL) {
        *strstr(path, ".copy") = '\0'; // it will have that name
    }
    file *f = find_or_add(path);
    if (f != NULL) {
        f->synced_bytes = info.st_size;
    }
    return 0;
}

int
__wrap_fsync(int fd)
{
    return __wrap_fdatasync(fd);
}

int __wrap_syncfs(int fd);

int
__wrap_syncfs(int fd)
{
    (void)fd;
    note_all();
    return 0;
}

int __wrap_unlink(const char *path);
int __real_unlink(const char *path);

static void
kept_path(const file *f, char *out)
{
    (void)snprintf(out, PATH_BYTES, "%s/removed/%u", here()->parent, f->kept);
}

int
__wrap_unlink(const char *path)
{
    file *f = find(path);
    char kept[PATH_BYTES];
    if (f != NULL && f->is_named) {
        f->kept = ++here()->now.kept_count;
        kept_path(f, kept);
        copy_file(path, kept);
    }
    return __real_unlink(path);
}

// cut_file leaves of a journal what was synced, and more of it by chance.
static void
cut_file(file *f)
{
    struct stat info;
    if (stat(f->path, &info) != 0) {
        return;
    }
    off_t more = info.st_size - f->synced_bytes;
    if (!f->is_named && sim_happens(5000)) {
        LP_ASSERT(__real_unlink(f->path) == 0);
    } else if (more > 0) {
        off_t left = sim_happens(3000) ? 0 : sim_happens(3000) ? more : sim_below((unsigned)more);
        LP_ASSERT(truncate(f->path, f->synced_bytes + left) == 0);
    }
}

// restore_unlinked puts a journal back whose removal did not come to the disk.
static void
restore_unlinked(const file *f)
{
    char kept[PATH_BYTES];
    kept_path(f, kept);
    if (sim_happens(5000) && access(f->path, F_OK) != 0 && access(kept, F_OK) == 0) {
        char dir[PATH_BYTES];
        (void)snprintf(dir, sizeof(dir), "%s", f->path);
        *strrchr(dir, '/') = '\0';
        (void)mkdir(dir, 0700);
        copy_file(kept, f->path);
    }
}

// The paths of raw data.
static char raw_paths[FILES_MAX][PATH_BYTES];
static size_t raw_count;

static int
note_raw(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)where;
    if (kind == FTW_F) {
        LP_ASSERT(raw_count < FILES_MAX);
        (void)snprintf(raw_paths[raw_count++], PATH_BYTES, "%s", path);
    }
    return 0;
}

static int
compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

// cut_raw takes away some raw data, or a part of it, or that it was moved: nothing of it is synced.
static void
cut_raw(void)
{
    char path[PATH_BYTES];
    join(path, here()->data, "recall");
    raw_count = 0;
    (void)nftw(path, note_raw, 16, FTW_PHYS);
    qsort(raw_paths, raw_count, sizeof(raw_paths[0]), compare_texts);
    for (size_t i = 0; i < raw_count; i++) {
        struct stat info;
        LP_ASSERT(stat(raw_paths[i], &info) == 0);
        if (sim_happens(2000)) {
            LP_ASSERT(truncate(raw_paths[i], sim_below((unsigned)info.st_size + 1)) == 0);
        } else if (sim_happens(1000)) {
            join(path, here()->data, "journal");
            LP_ASSERT(strlen(path) + strlen(strstr(raw_paths[i], "/recall/")) < PATH_BYTES);
            (void)snprintf(path + strlen(path), PATH_BYTES - strlen(path), "%s",
                strstr(raw_paths[i], "/recall/") + strlen("/recall"));
            char *name = strrchr(path, '/');
            *name = '\0';
            (void)mkdir(path, 0700);
            *name = '/';
            LP_ASSERT(rename(raw_paths[i], path) == 0);
        }
    }
}

void
sim_disk_cut_power(void)
{
    char path[PATH_BYTES];
    each_journal(note_unsynced);
    for (size_t i = 0; i < here()->now.file_count; i++) {
        if (here()->now.files[i].kept != 0) {
            restore_unlinked(&here()->now.files[i]);
        } else {
            cut_file(&here()->now.files[i]);
        }
    }
    if (sim.shared == NULL && sim_happens(5000)) {
        char from[PATH_BYTES];
        join(from, here()->parent, "synced/catalog.db");
        join(path, here()->data, "catalog.db");
        copy_file(from, path);
        join(from, here()->parent, "synced/catalog.db-wal");
        join(path, here()->data, "catalog.db-wal");
        copy_file(from, path);
    }
    if (sim.recall_bytes_max > 0) {
        cut_raw();
    }
    join(path, here()->data, "catalog.db-shm");
    (void)__real_unlink(path);
    here()->now.boot++;
    note_all();
}

// --- The boot's name, which is another one after a power cut

run_mark __wrap_run_mark_look(const char *path, const char *boot);
run_mark __real_run_mark_look(const char *path, const char *boot);
lp_err __wrap_run_mark_begin(const char *path, const char *boot, bool is_lossy);
lp_err __real_run_mark_begin(const char *path, const char *boot, bool is_lossy);

static const char *
name_boot(void)
{
    static char name[20];
    (void)snprintf(name, sizeof(name), "boot-%u", here()->now.boot);
    return name;
}

run_mark
__wrap_run_mark_look(const char *path, const char *boot)
{
    (void)boot;
    return __real_run_mark_look(path, name_boot());
}

lp_err
__wrap_run_mark_begin(const char *path, const char *boot, bool is_lossy)
{
    (void)boot;
    return __real_run_mark_begin(path, name_boot(), is_lossy);
}

// --- A full disk

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
ssize_t __real_writev(int fd, const struct iovec *parts, int count);

ssize_t
__wrap_writev(int fd, const struct iovec *parts, int count)
{
    if (!sim.is_disk_full[sim.side] || sim_happens(5000)) {
        return __real_writev(fd, parts, count);
    }
    if (sim_happens(5000)) {
        errno = ENOSPC;
        return -1;
    }
    return write(fd, parts[0].iov_base, 1 + sim_below((unsigned)parts[0].iov_len));
}

lp_err __wrap_catalog_put_sessions(
    catalog *to, const catalog_session *const *rows, size_t count, bool *out_is_lost);
lp_err __real_catalog_put_sessions(
    catalog *to, const catalog_session *const *rows, size_t count, bool *out_is_lost);
lp_err __wrap_catalog_add_chunk(
    catalog *to, const catalog_session *row, const catalog_chunk *chunk, lp_slice carry);
lp_err __real_catalog_add_chunk(
    catalog *to, const catalog_session *row, const catalog_chunk *chunk, lp_slice carry);

// has_room returns whether the catalog's disk has.
static bool
has_room(void)
{
    return !sim.is_disk_full[sim.side] || sim.shared != NULL;
}

lp_err
__wrap_catalog_put_sessions(
    catalog *to, const catalog_session *const *rows, size_t count, bool *out_is_lost)
{
    errno = ENOSPC;
    return has_room() ? __real_catalog_put_sessions(to, rows, count, out_is_lost) : LP_EIO;
}

lp_err
__wrap_catalog_add_chunk(
    catalog *to, const catalog_session *row, const catalog_chunk *chunk, lp_slice carry)
{
    errno = ENOSPC;
    return has_room() ? __real_catalog_add_chunk(to, row, chunk, carry) : LP_EIO;
}
