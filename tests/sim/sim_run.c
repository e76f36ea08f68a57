// SPDX-License-Identifier: Apache-2.0
#include "sim/sim_run.h"

#include "sim/sim_agent.h"
#include "sim/sim_collector.h"
#include "sim/sim_world.h"
#include "support/temp_dir.h"

#include "common/base/lp_log.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

sim_world sim;
static char last_words[64]; // that a schedule says which ends the program

static void
on_abort(int number)
{
    (void)number;
    ssize_t written = write(STDERR_FILENO, last_words, sizeof(last_words) - 1);
    (void)written;
}

static void
set_last_words(uint64_t seed)
{
    char text[40];
    (void)snprintf(text, sizeof(text), "seed %" PRIu64 ": ended", seed);
    (void)snprintf(last_words, sizeof(last_words), "%-62s\n", text);
}

int
sim_run_all(int argc, char **argv, uint64_t schedules, sim_run_seed *run_seed)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : schedules;
    uint64_t wrong = 0;
    temp_dir_use_memory();
    temp_dir dir = temp_dir_make();
    (void)setvbuf(stdout, NULL, _IOLBF, 0); // one that ends the program does not take it along
    (void)signal(SIGABRT, on_abort);
    lp_log_init("sim", count == 1 ? LP_LOG_DEBUG : LP_LOG_ERROR);
    printf("seeds %" PRIu64 " to %" PRIu64 "\n", first, first + count - 1);
    for (uint64_t i = 0; i < count; i++) {
        set_last_words(first + i);
        wrong += !run_seed(first + i, count == 1, dir.path);
    }
    temp_dir_remove(&dir);
    printf("%" PRIu64 " of %" PRIu64 " schedules end wrong\n", wrong, count);
    return wrong > 0;
}

void
sim_run_take_message(const sim_message *message)
{
    if (message->is_reply) {
        sim_agent_take_reply(message);
    } else {
        sim.side = message->collector;
        sim_collector_take_request(message);
    }
}
