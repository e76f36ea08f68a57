// SPDX-License-Identifier: Apache-2.0
// The main of fuzz targets in builds without libFuzzer: runs the target over every file of the
// folders that are its arguments.

#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUT_BYTES_MAX = 1 << 20 };

// replay runs the target over one file; the copy ends where the input does, for ASan to see.
static int
replay(const char *path)
{
    static uint8_t bytes[INPUT_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t count = fread(bytes, 1, sizeof(bytes), file);
    int err = ferror(file);
    (void)fclose(file);
    uint8_t *copy = malloc(count == 0 ? 1 : count);
    if (err != 0 || copy == NULL) {
        free(copy);
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        copy[i] = bytes[i];
    }
    (void)LLVMFuzzerTestOneInput(copy, count);
    free(copy);
    return 0;
}

int
main(int argc, char **argv)
{
    int failures = 0;
    int files = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            perror(argv[i]);
            return 1;
        }
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[4096];
            (void)snprintf(path, sizeof(path), "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.') {
                failures += replay(path);
                files++;
            }
        }
        (void)closedir(folder);
    }
    (void)printf("%d files\n", files);
    return failures > 0 || files == 0;
}
