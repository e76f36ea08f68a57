// SPDX-License-Identifier: Apache-2.0
//
// thread_times: what a thread pays to read its own processor time, and for how long it waited for a
// processor, in nanoseconds of processor time (median of 21 runs). A request has two of each: where
// it begins and where it ends.
//
//   cc -O2 -o thread_times bench/thread_times.c && ./thread_times

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 21, TURNS = 20000, TEXT_BYTES = 128 };

static int schedstat; // of this thread, kept open

static int64_t
cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t
call_nothing(void)
{
    return syscall(SYS_getppid);
}

// get_usage returns microseconds, which may be a tick of the kernel's old.
static int64_t
get_usage(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_utime.tv_usec + usage.ru_stime.tv_usec + usage.ru_nivcsw;
}

// read_schedstat adds the processor time, which may be a tick old, too, and the wait.
static int64_t
read_schedstat(void)
{
    char text[TEXT_BYTES];
    ssize_t size = pread(schedstat, text, sizeof(text) - 1, 0);
    if (size <= 0) {
        perror("schedstat");
        exit(1);
    }
    text[size] = '\0';
    char *end;
    unsigned long long ran = strtoull(text, &end, 10);
    return (int64_t)(ran + strtoull(end, NULL, 10));
}

static int
compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void
measure(const char *what, int64_t (*read_it)(void))
{
    static volatile int64_t sum;
    double runs[RUNS];
    for (int i = 0; i < RUNS; i++) {
        int64_t begin = cpu_ns();
        for (int j = 0; j < TURNS; j++) {
            sum += read_it();
        }
        runs[i] = (double)(cpu_ns() - begin) / TURNS;
    }
    qsort(runs, RUNS, sizeof(runs[0]), compare);
    printf("%-50s %5.0f ns\n", what, runs[RUNS / 2]);
}

int
main(void)
{
    char path[64];
    (void)snprintf(path, sizeof(path), "/proc/self/task/%ld/schedstat", syscall(SYS_gettid));
    schedstat = open(path, O_RDONLY | O_CLOEXEC);
    measure("a system call that does nothing", call_nothing);
    measure("getrusage(RUSAGE_THREAD)", get_usage);
    measure("clock_gettime(CLOCK_THREAD_CPUTIME_ID)", cpu_ns);
    measure("pread of schedstat", read_schedstat);
    return 0;
}
