// SPDX-License-Identifier: Apache-2.0
#include "offline/crew.h"

#include "common/base/lp_assert.h"

#include <uv.h>

void
crew_run(unsigned count, void (*work)(void *arg), void *arg)
{
    LP_ASSERT(count >= 1 && count <= CREW_THREADS_MAX);
    uv_thread_t threads[CREW_THREADS_MAX];
    unsigned started = 0;
    while (started + 1 < count && uv_thread_create(&threads[started], work, arg) == 0) {
        started++;
    }
    work(arg);
    for (unsigned i = 0; i < started; i++) {
        (void)uv_thread_join(&threads[i]);
    }
}
