// SPDX-License-Identifier: Apache-2.0
// fake_sync: a disk that refuses what a test wants it to: fsync and fdatasync of this program.
// Include it in one file.
//
// Threads: any thread.

#pragma once

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A call is refused with this errno if the path of its file has fake_sync_refused in it.
static _Atomic(const char *) fake_sync_refused;
static atomic_int fake_sync_error;

// Called before each, where it is not NULL.
static void (*_Atomic fake_sync_on_call)(const char *path);

static atomic_uint fake_sync_calls;

static int
fake_sync(int fd)
{
    char link[64];
    char path[512] = "";
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof(path) - 1);
    path[length < 0 ? 0 : length] = '\0';
    void (*on_call)(const char *) = fake_sync_on_call;
    if (on_call != NULL) {
        on_call(path);
    }
    fake_sync_calls++;
    const char *refused = fake_sync_refused;
    if (refused != NULL && strstr(path, refused) != NULL) {
        errno = fake_sync_error;
        return -1;
    }
    return 0; // nobody cuts the power of a test
}

int
fsync(int fd)
{
    return fake_sync(fd);
}

int
fdatasync(int fd)
{
    return fake_sync(fd);
}
