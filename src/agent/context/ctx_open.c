// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_rings.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

#include <stdbool.h>
#include <sys/mman.h>

enum { CELLS = 2 * CTX_OPEN_THREADS_MAX, TYPE_BITS = 64 };

_Static_assert((int)CTX_TYPES_MAX <= (int)TYPE_BITS, "a bit for each type");

static size_t
home_of(uint64_t thread)
{
    return lp_hash_number(LP_HASH_FIXED_NUMBER, thread) % CELLS; // ctx_open_list has this order
}

lp_err
ctx_open_init(ctx_open *open)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *cells = mmap(NULL, CELLS * sizeof(ctx_open_cell), PROT_READ | PROT_WRITE, flags, -1, 0);
    *open = (ctx_open){.cells = cells == MAP_FAILED ? NULL : cells};
    return open->cells == NULL ? LP_ENOMEM : LP_OK;
}

void
ctx_open_fini(ctx_open *open)
{
    if (open->cells != NULL) {
        (void)munmap(open->cells, CELLS * sizeof(ctx_open_cell));
    }
    *open = (ctx_open){0};
}

// Returns the thread's cell, or the free one where it would be.
static size_t
find(const ctx_open *open, uint64_t thread)
{
    size_t at = home_of(thread);
    while (open->cells[at].types != 0 && open->cells[at].thread != thread) {
        at = (at + 1) % CELLS;
    }
    return at;
}

// Frees a cell and moves the cells behind it up, so that find still reaches them from their homes.
static void
free_cell(ctx_open *open, size_t at)
{
    if (LP_NEVER(open->count == 0)) {
        return;
    }
    open->count--;
    open->cells[at].types = 0;
    for (size_t next = (at + 1) % CELLS; open->cells[next].types != 0; next = (next + 1) % CELLS) {
        size_t home = home_of(open->cells[next].thread);
        bool stays = at < next ? home > at && home <= next : home > at || home <= next;
        if (!stays) {
            open->cells[at] = open->cells[next];
            open->cells[next].types = 0;
            at = next;
        }
    }
}

void
ctx_open_note(ctx_open *open, const ctx_record_header *header)
{
    uint64_t thread = (uint64_t)header->thread_id;
    uint64_t bit = (uint64_t)1 << (header->type_id - 1u) % TYPE_BITS;
    ctx_open_cell *cell = &open->cells[find(open, thread)];
    if (header->kind == CTX_RECORD_SET) {
        bool is_new = cell->types == 0;
        if (is_new && open->count == CTX_OPEN_THREADS_MAX) {
            open->unknown++;
            return;
        }
        open->count += is_new;
        cell->thread = thread;
        cell->types |= bit;
    } else if (cell->types != 0) {
        cell->types &= header->kind == CTX_RECORD_UNSET ? ~bit : 0;
        if (cell->types == 0) {
            free_cell(open, (size_t)(cell - open->cells));
        }
    }
}

lp_err
ctx_open_list(const ctx_open *open, lp_buf *out)
{
    for (size_t i = 0; open->count > 0 && i < CELLS; i++) {
        if (open->cells[i].types != 0) {
            lp_buf_append(out, &open->cells[i].thread, sizeof(open->cells[i].thread));
        }
    }
    return lp_buf_check(out);
}
