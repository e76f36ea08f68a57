// SPDX-License-Identifier: Apache-2.0
// certificates: what certificates.sh makes, in a directory of the test's own.

#pragma once

#include "support/temp_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CERTIFICATES_PATH_BYTES = 300 };

typedef struct certificates {
    temp_dir dir;
} certificates;

// LOUPE_CERTIFICATES is the path of certificates.sh.
static inline certificates
certificates_make(void)
{
    certificates made = {temp_dir_make()};
    char command[2 * CERTIFICATES_PATH_BYTES];
    (void)snprintf(command, sizeof(command), "'%s' '%s'", LOUPE_CERTIFICATES, made.dir.path);
    if (system(command) != 0) { // NOLINT(cert-env33-c): two paths of ours
        (void)fprintf(stderr, "certificates: %s\n", command);
        abort();
    }
    return made;
}

typedef struct certificates_path {
    char text[CERTIFICATES_PATH_BYTES];
} certificates_path;

static inline certificates_path
certificates_find(const certificates *made, const char *name)
{
    certificates_path path;
    (void)snprintf(path.text, sizeof(path.text), "%s/%s", made->dir.path, name);
    return path;
}

// certificates_copy puts the content of a file under another name, at once, as a rename does.
static inline void
certificates_copy(const certificates *made, const char *from, const char *to)
{
    certificates_path source = certificates_find(made, from);
    certificates_path target = certificates_find(made, to);
    char temporary[CERTIFICATES_PATH_BYTES + 4];
    char bytes[8192];
    (void)snprintf(temporary, sizeof(temporary), "%s.new", target.text);
    FILE *in = fopen(source.text, "re");
    FILE *out = fopen(temporary, "we");
    size_t size = in == NULL ? 0 : fread(bytes, 1, sizeof(bytes), in);
    if (out == NULL || size == 0 || fwrite(bytes, 1, size, out) != size || fclose(out) != 0 ||
        rename(temporary, target.text) != 0) {
        perror(target.text);
        abort();
    }
    (void)fclose(in);
}
