// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/run_mark.h"

#include "collector/journal/place_mark.h"
#include "common/base/lp_io.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 128 };

// A mark is "BOOT always\n", or "BOOT lossy\n" if a power cut may cost acknowledged batches.
static const char always_word[] = "always";
static const char lossy_word[] = "lossy";

// read_line reads the first line of a file, without its newline. Returns false if there is none.
static bool
read_line(const char *path, char out_text[TEXT_BYTES])
{
    size_t count = 0;
    bool is_read = lp_io_read_file(path, out_text, TEXT_BYTES - 1, &count) == LP_OK;
    char *end = memchr(out_text, '\n', count);
    if (end != NULL) {
        *end = '\0';
    }
    return is_read && end != NULL;
}

static const char *
find_boot(const char *boot, char out_text[TEXT_BYTES])
{
    if (boot != NULL) {
        return boot;
    }
    return read_line("/proc/sys/kernel/random/boot_id", out_text) ? out_text : "unknown";
}

run_mark
run_mark_look(const char *path, const char *boot)
{
    char text[TEXT_BYTES];
    char own_boot[TEXT_BYTES];
    if (access(path, F_OK) != 0) {
        return (run_mark){0}; // a clean end, or the first run
    }
    if (!read_line(path, text) || strchr(text, ' ') == NULL) {
        return (run_mark){.was_cut = true, .is_lossy = true}; // a torn mark: the power was cut
    }
    boot = find_boot(boot, own_boot);
    size_t length = strlen(boot);
    bool is_same_boot = strncmp(text, boot, length) == 0 && text[length] == ' ';
    return (run_mark){
        .was_cut = !is_same_boot, .is_lossy = strcmp(strrchr(text, ' ') + 1, always_word) != 0};
}

lp_err
run_mark_begin(const char *path, const char *boot, bool is_lossy)
{
    char own_boot[TEXT_BYTES];
    char text[2 * TEXT_BYTES];
    (void)snprintf(text, sizeof(text), "%s %s", find_boot(boot, own_boot),
        is_lossy ? lossy_word : always_word);
    return place_mark_write(path, text);
}

lp_err
run_mark_end(const char *path)
{
    return unlink(path) == 0 ? lp_io_sync_name(path) : LP_EIO;
}
