// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/serving.h"

#include "cli/base/cmd.h"
#include "cli/serve/end_watch.h"
#include "collector/base/syscall_filter.h"
#include "collector/collect.h"
#include "common/base/lp_log.h"
#include "common/base/lp_printable.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include <uv.h>

// raise_file_limit makes room for two descriptors a session, its connection and its journal.
static void
raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // where it fails the limit stays as it was
    }
}

// use_all_processors makes libuv start a worker for each processor, instead of four.
static void
use_all_processors(void)
{
    char count[20];
    (void)snprintf(count, sizeof(count), "%u", uv_available_parallelism());
    (void)setenv("UV_THREADPOOL_SIZE", count, 0); // a setting of the user's stays
}

enum { ARENAS_MAX = 128 }; // there are fewer threads, where malloc would have fewer arenas

// set_malloc has malloc return blocks of a megabyte and more to the system when they are freed.
// Left to itself it keeps those that were freed before, and may have twice the memory that is used.
// Of smaller ones it keeps what the plan says: a thread that gave all back would have the kernel
// clear the same pages again for the next chunk, which is a quarter of what a question takes.
// And each thread gets an arena of its own: there would be eight for a processor, so that on two of
// them threads wait for one of lower priority that has the lock of the arena that they share.
static void
set_malloc(const memory_plan *plan)
{
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, (int)plan->malloc_kept);
    if (8 * sysconf(_SC_NPROCESSORS_ONLN) < ARENAS_MAX) {
        (void)mallopt(M_ARENA_MAX, ARENAS_MAX);
    }
}

// give_up_calls gives up the system calls that a collector does not need; where the kernel cannot
// do that, it runs as any process.
static void
give_up_calls(void)
{
    lp_problem problem;
    if (syscall_filter_load(&problem) != LP_OK) {
        lp_log(LP_LOG_WARN, "all system calls stay allowed: %s", problem.text);
    }
}

bool
serving_begin(const char *program, bool has_hangup)
{
    (void)signal(SIGPIPE, SIG_IGN);
    cmd_hide_files();
    give_up_calls(); // and threads that are begun from now on
    const end_watch_config config = {.ms_max = END_WATCH_MS_MAX,
        .has_hangup = has_hangup,
        .status = CMD_STUCK,
        .describe = collect_describe};
    if (end_watch_begin(&config) != LP_OK) {
        lp_printable_line(stderr, "%s: cannot start a thread", program);
        return false;
    }
    return true;
}

void
serving_plan(const memory_plan *plan)
{
    raise_file_limit();
    use_all_processors();
    set_malloc(plan);
}
