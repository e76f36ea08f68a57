// SPDX-License-Identifier: Apache-2.0
#include "agent/ship/ship_thread.h"

#include <pthread.h>
#include <unistd.h>

// The default of musl is an eighth of it, and the resolver may be any library.
enum { STACK_BYTES = 1024 * 1024 };

int
ship_thread_start(const char *name, void *(*run)(void *arg), void *arg)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int error = pthread_attr_init(&attributes);
    if (error != 0) {
        return error;
    }
    error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    error = error != 0 ? error : pthread_create(&thread, &attributes, run, arg);
    (void)pthread_attr_destroy(&attributes);
    if (error == 0) {
        (void)pthread_setname_np(thread, name);
        (void)pthread_detach(thread);
    }
    return error;
}

void
ship_wake(int wake_fd)
{
    uint64_t one = 1;
    ssize_t count = write(wake_fd, &one, sizeof(one));
    (void)count; // it fails only if the counter is full: then the thread is awake
}
