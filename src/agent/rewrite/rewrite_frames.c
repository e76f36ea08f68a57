// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/rewrite/test_rewrite_class.c

#include "agent/rewrite/rewrite_bytes.h"
#include "agent/rewrite/rewrite_code.h"

#include <stdbool.h>

// The types of frames, and the ends of ranges of them.
enum {
    FRAME_SAME_MAX = 63,
    FRAME_SAME_1_STACK = 64,
    FRAME_SAME_1_STACK_MAX = 127,
    FRAME_SAME_1_STACK_EXTENDED = 247,
    FRAME_SAME_EXTENDED = 251,
    FRAME_APPEND_MAX = 254,
    FRAME_FULL = 255,
};

// Tags of verification types.
enum { TYPE_SIMPLE_MAX = 6, TYPE_OBJECT = 7, TYPE_UNINITIALIZED = 8 };

typedef struct mover {
    rewrite_bytes from;
    lp_buf *out;
    uint8_t by;
    bool is_over; // a number is over its limit
} mover;

static void
put_moved(mover *m, uint32_t offset, uint8_t by)
{
    m->is_over = m->is_over || offset + by > UINT16_MAX;
    rewrite_bytes_put_u2(m->out, (uint16_t)(offset + by));
}

// Copies count verification types. An uninitialised object is named by the offset of its `new`.
static void
move_types(mover *m, uint16_t count)
{
    for (uint32_t i = 0; i < count && !m->from.is_bad; i++) {
        uint8_t tag = rewrite_bytes_u1(&m->from);
        rewrite_bytes_put_u1(m->out, tag);
        if (tag == TYPE_OBJECT) {
            rewrite_bytes_put_u2(m->out, rewrite_bytes_u2(&m->from));
        } else if (tag == TYPE_UNINITIALIZED) {
            put_moved(m, rewrite_bytes_u2(&m->from), m->by);
        } else if (tag > TYPE_SIMPLE_MAX) {
            m->from.is_bad = true;
        }
    }
}

// Moves a frame whose type contains the distance from the previous frame.
static void
move_short(mover *m, uint8_t type, uint8_t by)
{
    bool has_stack = type >= FRAME_SAME_1_STACK;
    uint8_t base = has_stack ? FRAME_SAME_1_STACK : 0;
    unsigned moved = (unsigned)type - base + by;
    if (moved <= FRAME_SAME_MAX) {
        rewrite_bytes_put_u1(m->out, (uint8_t)(base + moved));
    } else {
        rewrite_bytes_put_u1(m->out, has_stack ? FRAME_SAME_1_STACK_EXTENDED : FRAME_SAME_EXTENDED);
        rewrite_bytes_put_u2(m->out, (uint16_t)moved);
    }
    move_types(m, has_stack ? 1 : 0);
}

static void
move_full(mover *m)
{
    for (int part = 0; part < 2; part++) { // locals and stack
        uint16_t count = rewrite_bytes_u2(&m->from);
        rewrite_bytes_put_u2(m->out, count);
        move_types(m, count);
    }
}

// Moves one frame. Each names the distance from the previous one, so by is 0 except for the first.
static void
move_frame(mover *m, uint8_t by)
{
    uint8_t type = rewrite_bytes_u1(&m->from);
    if (type <= FRAME_SAME_1_STACK_MAX) {
        move_short(m, type, by);
        return;
    }
    if (type < FRAME_SAME_1_STACK_EXTENDED) {
        m->from.is_bad = true;
        return;
    }
    rewrite_bytes_put_u1(m->out, type);
    put_moved(m, rewrite_bytes_u2(&m->from), by);
    if (type == FRAME_SAME_1_STACK_EXTENDED) {
        move_types(m, 1);
    } else if (type == FRAME_FULL) {
        move_full(m);
    } else if (type > FRAME_SAME_EXTENDED) {
        move_types(m, (uint16_t)(type - FRAME_SAME_EXTENDED));
    }
}

lp_err
rewrite_frames_move(lp_slice attribute, uint8_t by, lp_buf *out)
{
    mover m = {.from = {.bytes = attribute}, .out = out, .by = by};
    uint16_t count = rewrite_bytes_u2(&m.from);
    rewrite_bytes_put_u2(out, count);
    for (uint32_t i = 0; i < count && !m.from.is_bad; i++) {
        move_frame(&m, i == 0 ? by : 0);
    }
    LP_REQUIRE(!m.from.is_bad && m.from.at == attribute.len, LP_ECORRUPT);
    return m.is_over ? LP_ELIMIT : lp_buf_check(out);
}
