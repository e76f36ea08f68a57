// SPDX-License-Identifier: Apache-2.0

// LP_ASSERT states what can be proved; it stays on in release builds of the collector. Input is
// never asserted. The agent uses it on its own threads only (see docs/style.md).

#ifndef LP_COMMON_BASE_LP_ASSERT_H
#define LP_COMMON_BASE_LP_ASSERT_H

#include <stdio.h>
#include <stdlib.h>

#define LP_ASSERT(cond)                                                                            \
    ((cond) ? (void)0                                                                              \
            : ((void)fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #cond),          \
                  abort()))

#endif // LP_COMMON_BASE_LP_ASSERT_H
