// SPDX-License-Identifier: Apache-2.0
// lost_input: ends the program if an input disappears while it is read. Inputs are mapped: if a
// file is truncated or its disk fails, reading the lost bytes raises SIGBUS on the reading thread.
// The program then prints a line on standard error, removes its unfinished output and exits with
// status 1, because none of the bytes read so far is reliable.
//
// Threads: call these functions on one thread, while no other thread reads an input. The signal may
//          come on any thread.
// Tests:   tests/e2e/cli.py

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

// lost_input_start handles SIGBUS from now on. The message begins with program, which is borrowed
// for good.
void lost_input_start(const char *program);

// lost_input_watch registers `bytes`, the mapping of the input `name`, until lost_input_forget.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err lost_input_watch(const char *name, lp_slice bytes);
void lost_input_forget(lp_slice bytes);

// lost_input_look touches bytes after a system call failed on them with EFAULT, which raises no
// signal. If the bytes belong to a truncated input, the program ends here.
void lost_input_look(lp_slice bytes);

// lost_input_set_output sets the file to remove; NULL: none. path is borrowed until the next call.
void lost_input_set_output(const char *path);
