// SPDX-License-Identifier: Apache-2.0

#include "collector/base/snapshot.h"

#include <stdlib.h>

void
snapshot_destroy(snapshot *snap)
{
    if (snap != NULL) {
        lp_buf_fini(&snap->jfr);
        compact_stats_fini(&snap->stats);
        free(snap);
    }
}
