// SPDX-License-Identifier: Apache-2.0

// presence: which sessions have a connection now. The catalog does not have this, because it
// changes often and is void when the process ends.
//
// Threads: any thread.

#pragma once

#include <stdbool.h>

typedef struct presence presence;

// presence_create returns NULL if memory ran out. presence_destroy: NULL is fine.
presence *presence_create(void);
void presence_destroy(presence *presence);

// presence_set sets whether a session is connected. If memory runs out, it counts as not connected.
void presence_set(presence *presence, const char *session_id, bool is_connected);

bool presence_has(presence *presence, const char *session_id);
