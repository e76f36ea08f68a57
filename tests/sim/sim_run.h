// SPDX-License-Identifier: Apache-2.0
// sim_run: the program of a simulation: which seeds, what it says of them, and where its files are.
//
//   PROGRAM                 all schedules of the test
//   PROGRAM SEED [COUNT]    those of COUNT seeds from SEED on; one seed with the program's log
//
// Threads: the one of the test.

#pragma once

#include "sim/sim_net.h"

#include <stdbool.h>
#include <stdint.h>

// A sim_run_seed runs the schedule of a seed, with all files in parent, and prints what is wrong.
// It returns whether nothing is.
typedef bool sim_run_seed(uint64_t seed, bool is_traced, const char *parent);

// sim_run_all runs the seeds that the arguments say, or the first `schedules`. Returns what main
// does.
int sim_run_all(int argc, char **argv, uint64_t schedules, sim_run_seed *run_seed);

// sim_run_take_message is sim_net's on_message: it gives a message to its agent or collector.
void sim_run_take_message(const sim_message *message);
