// SPDX-License-Identifier: Apache-2.0
// fuzz: the one function that a fuzz target defines. It must stand any bytes and return 0.

#pragma once

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
