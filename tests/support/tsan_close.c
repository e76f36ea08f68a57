// SPDX-License-Identifier: Apache-2.0
// tsan_close: lets ThreadSanitizer see that libuv closes descriptors. It does so by syscall(),
// which is not looked at: the next descriptor with that number, be it NNG's, then looked like a
// race with the first one.
//
// Threads: any thread.

#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 6 };

__attribute__((visibility("default"))) long
syscall(long number, ...)
{
    long a[ARGUMENTS_MAX];
    va_list arguments;
    va_start(arguments, number);
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        a[i] = va_arg(arguments, long); // those that there are not are not looked at
    }
    va_end(arguments);
    if (number == SYS_close) {
        return close((int)a[0]);
    }
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
