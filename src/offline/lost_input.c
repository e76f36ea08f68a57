// SPDX-License-Identifier: Apache-2.0
#include "offline/lost_input.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_printable.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The line is made beforehand: a handler of signals may not format one.
typedef struct watched {
    struct watched *next;
    lp_slice bytes;
    size_t line_bytes;
    char line[];
} watched;

// The handler runs on the thread that reads, which was started after these were set.
static watched *all_watched;
static const char *output_path;
static const char *program_name = "loupe";

static void
on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    const uint8_t *at = info->si_addr;
    for (const watched *w = all_watched; w != NULL; w = w->next) {
        if (at >= w->bytes.ptr && at < w->bytes.ptr + w->bytes.len) {
            if (output_path != NULL) {
                (void)unlink(output_path);
            }
            ssize_t written = write(STDERR_FILENO, w->line, w->line_bytes);
            (void)written; // nowhere left to report it
            _exit(EXIT_FAILURE);
        }
    }
    (void)signal(signal_number, SIG_DFL); // not ours: reading it again ends the program
}

void
lost_input_start(const char *program)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    program_name = program;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL); // fails for no signal that there is
}

lp_err
lost_input_watch(const char *name, lp_slice bytes)
{
    static const char what[] = "was truncated while it was read, or its disk fails";
    char printable[LP_PRINTABLE_LINE_BYTES];
    (void)lp_printable(name, printable, sizeof(printable));
    int line_bytes = snprintf(NULL, 0, "%s: %s: %s\n", program_name, printable, what);
    watched *new = malloc(sizeof(*new) + (size_t)line_bytes + 1);
    LP_REQUIRE(new != NULL, LP_ENOMEM);
    *new = (watched){.next = all_watched, .bytes = bytes, .line_bytes = (size_t)line_bytes};
    (void)snprintf(
        new->line, (size_t)line_bytes + 1, "%s: %s: %s\n", program_name, printable, what);
    all_watched = new;
    return LP_OK;
}

void
lost_input_forget(lp_slice bytes)
{
    watched **at = &all_watched;
    while (*at != NULL && (*at)->bytes.ptr != bytes.ptr) {
        at = &(*at)->next;
    }
    watched *found = *at;
    LP_ASSERT(found != NULL);
    *at = found->next;
    free(found);
}

void
lost_input_look(lp_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        (void)*(const volatile uint8_t *)(bytes.ptr + i);
    }
}

void
lost_input_set_output(const char *path)
{
    output_path = path;
}
