// SPDX-License-Identifier: Apache-2.0

#undef _FORTIFY_SOURCE // its inline functions are those that are defined here

#include "support/faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PATH_BYTES = 512 };

static faults *shared;
static char root[PATH_BYTES];
static uintptr_t load_base;  // as addr2line counts
static uintptr_t code_begin; // of the file whose allocations count
static uintptr_t code_end;
static uintptr_t spared_begin; // of code whose allocations do not
static uintptr_t spared_end;

static int
find_code(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    const char *wanted = arg; // NULL: the program, which is the first
    const char *name = strrchr(info->dlpi_name, '/');
    if (wanted != NULL && (name == NULL || strcmp(name + 1, wanted) != 0)) {
        return 0;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0) {
            load_base = info->dlpi_addr;
            code_begin = info->dlpi_addr + header->p_vaddr;
            code_end = code_begin + header->p_memsz;
        }
    }
    return 1;
}

// find_spared reads FAULTS_SPARED, if there is one.
static void
find_spared(const char *range)
{
    unsigned long first;
    unsigned long last;
    if (range != NULL && sscanf(range, "%lx-%lx", &first, &last) == 2) {
        spared_begin = load_base + first;
        spared_end = load_base + last;
    }
}

__attribute__((constructor)) static void
begin(void)
{
    const char *path = getenv(FAULTS_FILE);
    const char *below = getenv(FAULTS_ROOT);
    int fd = path == NULL || below == NULL ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR);
    if (fd < 0) {
        return;
    }
    (void)snprintf(root, sizeof(root), "%s", below);
    (void)dl_iterate_phdr(find_code, getenv(FAULTS_CODE));
    find_spared(getenv(FAULTS_SPARED));
    void *mapped = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    shared = mapped == MAP_FAILED ? NULL : mapped;
    (void)syscall(SYS_close, fd);
}

static bool
is_turn(faults_kind kind)
{
    if (shared == NULL || shared->kind != kind) {
        return false;
    }
    shared->asked++;
    uint64_t left = shared->left;
    while (left > 0 && !atomic_compare_exchange_weak(&shared->left, &left, left - 1)) {
    }
    return left == 1;
}

// --- Files

static bool
is_below(const char *path)
{
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static void
find_path(int fd, char out_path[PATH_BYTES])
{
    char link[40];
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t size = syscall(SYS_readlinkat, AT_FDCWD, link, out_path, PATH_BYTES - 1);
    out_path[size < 0 ? 0 : size] = '\0';
}

// fails returns whether the operation on a descriptor, or on a path that begins at one (or is
// absolute), fails.
static bool
fails(faults_kind kind, const char *name, int fd, const char *path)
{
    char found[PATH_BYTES];
    if (shared == NULL || shared->kind != kind) {
        return false;
    }
    int saved_errno = errno;
    if (path != NULL && path[0] == '/') {
        (void)snprintf(found, sizeof(found), "%s", path);
    } else {
        find_path(fd, found);
    }
    errno = saved_errno;
    if (!is_below(found) || !is_turn(kind)) {
        return false;
    }
    (void)snprintf(shared->what, sizeof(shared->what), "%s %s %s", name, found + strlen(root),
        path == NULL || path[0] == '/' ? "" : path);
    if (shared->error == 0) {
        (void)raise(SIGKILL);
    }
    errno = shared->error;
    return true;
}

#pragma GCC visibility push(default)

static int
open_at(const char *name, int at, const char *path, int flags, mode_t mode)
{
    bool is_creating = (flags & (O_CREAT | O_TMPFILE)) != 0;
    if (fails(is_creating ? FAULTS_FILES : FAULTS_READS, name, at, path)) {
        return -1;
    }
    return (int)syscall(SYS_openat, at, path, flags, mode);
}

static mode_t
take_mode(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}

#define OPEN(name, parameters, at)                                                                 \
    int name parameters                                                                            \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode_t mode = take_mode(flags, args);                                                      \
        va_end(args);                                                                              \
        return open_at("open", at, path, flags, mode);                                             \
    }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

// A call on a descriptor or a path is refused, or the kernel's.
#define CALL_OF(kind, type, name, parameters, fd, path, ...)                                       \
    type name parameters                                                                           \
    {                                                                                              \
        return fails(kind, #name, fd, path) ? (type)-1 : (type)syscall(__VA_ARGS__);               \
    }
#define CALL(...)      CALL_OF(FAULTS_FILES, __VA_ARGS__)
#define READ_CALL(...) CALL_OF(FAULTS_READS, __VA_ARGS__)

CALL(ssize_t, write, (int fd, const void *from, size_t size), fd, NULL, SYS_write, fd, from, size)
CALL(ssize_t, writev, (int fd, const struct iovec *parts, int count), fd, NULL, SYS_writev, fd,
    parts, count)
CALL(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t offset), fd, NULL, SYS_pwrite64,
    fd, from, size, offset)
CALL(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t offset), fd, NULL,
    SYS_pwrite64, fd, from, size, offset)
CALL(ssize_t, copy_file_range,
    (int from, off64_t *from_at, int to, off64_t *to_at, size_t size, unsigned flags), to, NULL,
    SYS_copy_file_range, from, from_at, to, to_at, size, flags)
CALL(int, ftruncate, (int fd, off_t size), fd, NULL, SYS_ftruncate, fd, size)
CALL(int, ftruncate64, (int fd, off64_t size), fd, NULL, SYS_ftruncate, fd, size)
CALL(int, fsync, (int fd), fd, NULL, SYS_fsync, fd)
CALL(int, fdatasync, (int fd), fd, NULL, SYS_fdatasync, fd)
CALL(int, mkdir, (const char *path, mode_t mode), AT_FDCWD, path, SYS_mkdirat, AT_FDCWD, path, mode)
CALL(int, mkdirat, (int at, const char *path, mode_t mode), at, path, SYS_mkdirat, at, path, mode)
CALL(int, rename, (const char *from, const char *to), AT_FDCWD, to, SYS_renameat2, AT_FDCWD, from,
    AT_FDCWD, to, 0)
CALL(int, renameat, (int from_at, const char *from, int to_at, const char *to), to_at, to,
    SYS_renameat2, from_at, from, to_at, to, 0)
CALL(int, unlink, (const char *path), AT_FDCWD, path, SYS_unlinkat, AT_FDCWD, path, 0)
CALL(int, unlinkat, (int at, const char *path, int flags), at, path, SYS_unlinkat, at, path, flags)

READ_CALL(ssize_t, read, (int fd, void *to, size_t size), fd, NULL, SYS_read, fd, to, size)
READ_CALL(ssize_t, pread, (int fd, void *to, size_t size, off_t offset), fd, NULL, SYS_pread64, fd,
    to, size, offset)
READ_CALL(ssize_t, pread64, (int fd, void *to, size_t size, off64_t offset), fd, NULL, SYS_pread64,
    fd, to, size, offset)
READ_CALL(int, fstat, (int fd, struct stat *to), fd, NULL, SYS_fstat, fd, to)
READ_CALL(int, fstat64, (int fd, struct stat64 *to), fd, NULL, SYS_fstat, fd, to)
READ_CALL(int, stat, (const char *path, struct stat *to), AT_FDCWD, path, SYS_newfstatat, AT_FDCWD,
    path, to, 0)
READ_CALL(int, stat64, (const char *path, struct stat64 *to), AT_FDCWD, path, SYS_newfstatat,
    AT_FDCWD, path, to, 0)
READ_CALL(int, fstatat, (int at, const char *path, struct stat *to, int flags), at, path,
    SYS_newfstatat, at, path, to, flags)
READ_CALL(int, statx, (int at, const char *path, int flags, unsigned mask, struct statx *to), at,
    path, SYS_statx, at, path, flags, mask, to)
READ_CALL(
    int, access, (const char *path, int mode), AT_FDCWD, path, SYS_faccessat, AT_FDCWD, path, mode)

// mmap counts where it is of a file.
static void *
map(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    bool is_refused = (flags & MAP_ANONYMOUS) == 0 && fails(FAULTS_READS, "mmap", fd, NULL);
    long mapped = is_refused ? -1 : syscall(SYS_mmap, at, size, protection, flags, fd, offset);
    return (void *)mapped; // -1: MAP_FAILED
}

void *
mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return map(at, size, protection, flags, fd, offset);
}

void *
mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return map(at, size, protection, flags, fd, offset);
}

// These are the library's and not the kernel's.
DIR *
opendir(const char *path)
{
    DIR *(*next)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    return fails(FAULTS_READS, "opendir", AT_FDCWD, path) ? NULL : next(path);
}

struct dirent *
readdir(DIR *dir)
{
    struct dirent *(*next)(DIR *) = (struct dirent * (*)(DIR *)) dlsym(RTLD_NEXT, "readdir");
    return fails(FAULTS_READS, "readdir", dirfd(dir), NULL) ? NULL : next(dir);
}

// --- Memory

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

// is_refused returns whether an allocation fails that is asked for at this place of the code.
static bool
is_refused(const void *caller)
{
    uintptr_t place = (uintptr_t)caller;
    bool is_ours =
        place >= code_begin && place < code_end && (place < spared_begin || place >= spared_end);
    if (!is_ours || !is_turn(FAULTS_MEMORY)) {
        return false;
    }
    (void)snprintf(shared->what, sizeof(shared->what), "an allocation at 0x%lx",
        (unsigned long)(place - load_base));
    errno = ENOMEM;
    return true;
}

void *
malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *
reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || is_refused(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, bytes);
}

char *
strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}

char *
strndup(const char *text, size_t size_max)
{
    size_t size = strnlen(text, size_max);
    char *copy = is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

// The fortified asprintf of the program; its checks are not what is tested.
int __asprintf_chk(char **out_text, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int
__asprintf_chk(char **out_text, int flag, const char *format, ...)
{
    (void)flag;
    if (is_refused(__builtin_return_address(0))) {
        return -1;
    }
    va_list args;
    va_start(args, format);
    int length = vasprintf(out_text, format, args);
    va_end(args);
    return length;
}

int __vasprintf_chk(char **out_text, int flag, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

int
__vasprintf_chk(char **out_text, int flag, const char *format, va_list args)
{
    (void)flag;
    return is_refused(__builtin_return_address(0)) ? -1 : vasprintf(out_text, format, args);
}
