// SPDX-License-Identifier: Apache-2.0
// lost_input: ends the program when an input goes away while it is read. Inputs are mapped: where
// somebody truncates the file, or its disk fails, reading the lost bytes raises SIGBUS, on the
// thread that reads them. The program then prints a line on standard error, removes the output that
// it was writing and ends with status 1. None of the bytes read so far can be relied on.
//
// Threads: one thread, while no other reads an input; the signal comes on any.
// Tests:   tests/e2e/cli.py

#ifndef LP_OFFLINE_LOST_INPUT_H
#define LP_OFFLINE_LOST_INPUT_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

// lost_input_start handles SIGBUS from now on. program, which the line begins with, is borrowed for
// good.
void lost_input_start(const char *program);

// lost_input_watch registers the mapping bytes of the input name, until lost_input_forget.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err lost_input_watch(const char *name, lp_slice bytes);
void lost_input_forget(lp_slice bytes);

// lost_input_look reads bytes that the kernel could not read (EFAULT), which raises no signal. If
// they are of an input that was truncated, the program ends here.
void lost_input_look(lp_slice bytes);

// lost_input_set_output names the file to remove, NULL: none. path is borrowed until the next call.
void lost_input_set_output(const char *path);

#endif // LP_OFFLINE_LOST_INPUT_H
