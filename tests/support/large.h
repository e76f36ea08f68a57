// SPDX-License-Identifier: Apache-2.0

// large: tests take some steps of many for every change, and more of them with the argument "all",
// which scripts/test --all gives (loupe_test_large in cmake/LoupeTest.cmake).

#pragma once

#include <stdbool.h>
#include <string.h>

static bool is_large; // set at the beginning of main

static inline void
large_init(int argc, char **argv)
{
    is_large = argc > 1 && strcmp(argv[1], "all") == 0;
}
