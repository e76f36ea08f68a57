// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_open.h"

#include <stdbool.h>
#include <sys/mman.h>

_Static_assert((int)CTX_TYPES_MAX <= (int)CTX_OPEN_TYPE_BITS, "a bit for each type");

enum { CELLS = 2 * CTX_OPEN_THREADS_MAX };

static size_t
home_of(uint64_t thread)
{
    return (size_t)(thread * 0x9e3779b97f4a7c15u >> 32) % CELLS;
}

static uint64_t
thread_of(uint64_t cell)
{
    return cell >> CTX_OPEN_TYPE_BITS;
}

lp_err
ctx_open_init(ctx_open *open)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *cells = mmap(NULL, CELLS * sizeof(uint64_t), PROT_READ | PROT_WRITE, flags, -1, 0);
    *open = (ctx_open){.cells = cells == MAP_FAILED ? NULL : cells};
    return open->cells == NULL ? LP_ENOMEM : LP_OK;
}

void
ctx_open_fini(ctx_open *open)
{
    if (open->cells != NULL) {
        (void)munmap(open->cells, CELLS * sizeof(uint64_t));
    }
    *open = (ctx_open){0};
}

// find gives the thread's cell, or the free one where it would be.
static size_t
find(const ctx_open *open, uint64_t thread)
{
    size_t at = home_of(thread);
    while (open->cells[at] != 0 && thread_of(open->cells[at]) != thread) {
        at = (at + 1) % CELLS;
    }
    return at;
}

// free_cell moves what lies behind the cell up, so that everything is still found from its home.
static void
free_cell(ctx_open *open, size_t at)
{
    open->count--;
    open->cells[at] = 0;
    for (size_t next = (at + 1) % CELLS; open->cells[next] != 0; next = (next + 1) % CELLS) {
        size_t home = home_of(thread_of(open->cells[next]));
        bool stays = at < next ? home > at && home <= next : home > at || home <= next;
        if (!stays) {
            open->cells[at] = open->cells[next];
            open->cells[next] = 0;
            at = next;
        }
    }
}

void
ctx_open_note(ctx_open *open, const ctx_record_header *header)
{
    uint64_t thread = (uint64_t)header->thread_id;
    uint64_t bit = (uint64_t)1 << (header->type_id - 1u) % CTX_OPEN_TYPE_BITS;
    const uint64_t types = ((uint64_t)1 << CTX_OPEN_TYPE_BITS) - 1;
    size_t at = find(open, thread);
    if (header->kind == CTX_RECORD_SET) {
        bool is_new = open->cells[at] == 0;
        if (is_new && open->count == CTX_OPEN_THREADS_MAX) {
            open->unknown++;
            return;
        }
        open->count += is_new;
        open->cells[at] |= thread << CTX_OPEN_TYPE_BITS | bit;
    } else if (open->cells[at] != 0) {
        open->cells[at] &= header->kind == CTX_RECORD_UNSET ? ~bit : ~types;
        if (open->cells[at] == thread << CTX_OPEN_TYPE_BITS) {
            free_cell(open, at);
        }
    }
}

lp_err
ctx_open_list(const ctx_open *open, lp_buf *out)
{
    for (size_t i = 0; open->count > 0 && i < CELLS; i++) {
        if (open->cells[i] != 0) {
            lp_buf_append(out, &open->cells[i], sizeof(open->cells[i]));
        }
    }
    return lp_buf_check(out);
}
