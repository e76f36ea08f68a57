// SPDX-License-Identifier: Apache-2.0

#include "collector/journal/run_mark.h"

#include "collector/journal/data_dir.h"
#include "collector/journal/place_mark.h"
#include "common/base/lp_io.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
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

// end_path_of returns the path of the file that shows when a run ended.
static data_path
end_path_of(const char *path)
{
    data_path end;
    (void)snprintf(end.text, sizeof(end.text), "%s.ended", path);
    return end;
}

// now_ns returns the time of the clock that files have.
static int64_t
now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return now.tv_sec * (int64_t)1000000000 + now.tv_nsec;
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

int64_t
run_mark_find_end(const char *path, const char *chunks_path)
{
    char text[TEXT_BYTES];
    char other[TEXT_BYTES];
    struct stat info;
    const data_path end = end_path_of(path);
    bool was_clean = access(path, F_OK) != 0;
    bool is_there = was_clean && read_line(end.text, text) && read_line(chunks_path, other) &&
                    strcmp(text, other) == 0 && stat(end.text, &info) == 0;
    int64_t ended_ns = is_there ? strtoll(text, NULL, 10) : 0;
    // It says nothing if the file system's clock, by which files change, was behind when it was
    // written, or if it is in the future: the clock was set back, so that later changes seem
    // earlier.
    bool is_past = is_there && ended_ns <= lp_io_changed_ns(&info) && ended_ns <= now_ns();
    return is_past ? ended_ns : 0;
}

lp_err
run_mark_begin(const char *path, const char *boot, bool is_lossy)
{
    char own_boot[TEXT_BYTES];
    char text[2 * TEXT_BYTES];
    (void)snprintf(text, sizeof(text), "%s %s", find_boot(boot, own_boot),
        is_lossy ? lossy_word : always_word);
    LP_TRY(place_mark_write(path, text));
    return unlink(end_path_of(path).text) == 0 || errno == ENOENT ? LP_OK : LP_EIO;
}

lp_err
run_mark_end(const char *path)
{
    return unlink(path) == 0 ? lp_io_sync_name(path) : LP_EIO;
}

void
run_mark_note_end(const char *path, const char *chunks_path)
{
    char text[TEXT_BYTES];
    (void)snprintf(text, sizeof(text), "%" PRId64, now_ns());
    lp_err ignored = place_mark_write(chunks_path, text);
    LP_THEN(ignored, place_mark_write(end_path_of(path).text, text));
    (void)ignored; // the next start compares everything
}
