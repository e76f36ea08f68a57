// SPDX-License-Identifier: Apache-2.0

// presence: which sessions have a connection now. Whoever writes the catalog knows, and those who
// read it ask here: it changes too often for a row, and means nothing once the process is gone.
//
// Threads: any thread.

#ifndef LP_COLLECTOR_BASE_PRESENCE_H
#define LP_COLLECTOR_BASE_PRESENCE_H

#include <stdbool.h>

typedef struct presence presence;

// presence_create returns NULL if memory ran out. presence_destroy: NULL is fine.
presence *presence_create(void);
void presence_destroy(presence *presence);

// presence_set notes whether a session is connected. Without memory for it, it is not.
void presence_set(presence *presence, const char *session_id, bool is_connected);

// presence_has returns whether a session is connected.
bool presence_has(presence *presence, const char *session_id);

#endif // LP_COLLECTOR_BASE_PRESENCE_H
