// SPDX-License-Identifier: Apache-2.0

// recall_budget: how many bytes pins by rules (auto_pin.h) and whole traces (trace_keep.h) stored
// in this hour (UTC), by service; and how often they stored nothing because of that. The budget is
// `recall-budget` in the files of policy_keep.h. Pins that somebody asked for do not count.
//
// The chunks that are in work when the budget is reached are stored. A restart begins at 0.
//
// Threads: any; a mutex protects it.
// Tests:   tests/unit/collector/recall/rule/test_recall_budget.c
// Memory:  some 100 bytes a service

#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RECALL_BUDGET_SERVICES_MAX = 10000 }; // in an hour; further ones have no room
static const uint64_t RECALL_BUDGET_BYTES = (uint64_t)10 << 30; // of an hour, without a line

// Of a service.
typedef struct recall_budget_state {
    uint64_t hour_bytes;  // that were stored in this hour
    uint64_t chunks_over; // that were not stored, since this process began
    uint64_t pins_paused; // that were not made because of an earlier one, since then
} recall_budget_state;

typedef struct recall_budget recall_budget;

// recall_budget_create returns NULL if memory ran out.
recall_budget *recall_budget_create(void);
void recall_budget_destroy(recall_budget *budget); // NULL is fine

// recall_budget_admit returns whether another chunk of a service may be stored. If not, it counts
// the chunk. bytes_max: the budget; 0: RECALL_BUDGET_BYTES.
bool recall_budget_admit(
    recall_budget *budget, const char *service, uint64_t bytes_max, int64_t now_wall_ns);

// recall_budget_add counts the bytes of a stored chunk.
void recall_budget_add(
    recall_budget *budget, const char *service, uint64_t bytes, int64_t now_wall_ns);

// recall_budget_note_pause counts a pin that was not made because of an earlier one.
void recall_budget_note_pause(recall_budget *budget, const char *service, int64_t now_wall_ns);

recall_budget_state recall_budget_get(
    recall_budget *budget, const char *service, int64_t now_wall_ns);
