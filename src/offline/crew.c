// SPDX-License-Identifier: Apache-2.0
#include "offline/crew.h"

#include "common/base/lp_assert.h"

#include <uv.h>

void
crew_run(unsigned threads, size_t chunks, void (*work)(void *arg), void *arg)
{
    LP_ASSERT(threads >= 1 && threads <= CREW_THREADS_MAX);
    uv_thread_t others[CREW_THREADS_MAX];
    unsigned started = 0;
    while (started + 1 < threads && started + 1 < chunks &&
           uv_thread_create(&others[started], work, arg) == 0) {
        started++;
    }
    work(arg);
    for (unsigned i = 0; i < started; i++) {
        (void)uv_thread_join(&others[i]);
    }
}
