// SPDX-License-Identifier: Apache-2.0
// sim_terms: who wrote what of which session for which term, as the database sees it. It stops the
// program where a session is written by a node that has not made sure that it is its own, or that
// is not its last owner; or where a term has two owners, or goes down.
//
// Threads: the one of the test.

#pragma once

#include "collector/store/catalog/catalog_db.h"

#include <stdbool.h>

// sim_terms_begin forgets all sessions.
void sim_terms_begin(void);

// sim_terms_have_moved returns whether a session has had more than one owner.
bool sim_terms_have_moved(void);

// sim_terms_note_step notes a step of a statement, which has a row or not.
void sim_terms_note_step(catalog_db_call *call, bool has_row);
