// SPDX-License-Identifier: Apache-2.0
//
// copy FILE: how long memcpy takes for as many bytes as FILE has, from its pages in the page cache
// to memory that is there already. Prints seconds.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { WINDOW_BYTES = 64 << 20 }; // more than a cache holds

static double
now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
    struct stat status;
    int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &status) != 0) {
        perror("copy FILE");
        return 1;
    }
    size_t size = (size_t)status.st_size;
    const char *from = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    char *to = malloc(WINDOW_BYTES);
    if (from == MAP_FAILED || to == NULL) {
        perror(argv[1]);
        return 1;
    }
    memset(to, 1, WINDOW_BYTES);
    double begin_s = now_s();
    for (size_t at = 0; at < size; at += WINDOW_BYTES) {
        size_t count = size - at < WINDOW_BYTES ? size - at : WINDOW_BYTES;
        memcpy(to, from + at, count);
        __asm__ volatile("" ::"r"(to) : "memory"); // it is read
    }
    printf("%.6f\n", now_s() - begin_s);
    return 0;
}
