// SPDX-License-Identifier: Apache-2.0
// serve: the commands that run a collector or look after one, in a library of their own. They need
// most of the shared libraries, whose loading takes 5 ms at each start of the program.
//
// Threads: the first thread of the program.
// Tests:   tests/e2e/cli.py

#pragma once

#include "cli/base/options.h"

// The library, from the folder of the program.
#define SERVE_LIBRARY "../lib/loupe/loupe-serve.so"

// loupe_serve runs a command of the library. Returns its exit code.
typedef int serve_run(options_command command, const options *opts);
__attribute__((visibility("default"))) serve_run loupe_serve;
