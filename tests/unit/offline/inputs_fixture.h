// SPDX-License-Identifier: Apache-2.0
// inputs_fixture: what tests end that write chunks of their own to files and open these.

#pragma once

#include "support/jfr_build.h"
#include "support/temp_dir.h"

#include "offline/inputs.h"

static inline void
inputs_fixture_end(inputs *in, jfr_build *chunks, size_t count, temp_dir *dir)
{
    inputs_close(in);
    for (size_t i = 0; i < count; i++) {
        jfr_build_fini(&chunks[i]);
    }
    temp_dir_remove(dir);
}
