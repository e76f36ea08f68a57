// SPDX-License-Identifier: Apache-2.0
#include "agent/rewrite/rewrite_code.h"

#include "common/base/lp_find.h"

#include <string.h>

enum {
    CODE_BYTES_MAX = UINT16_MAX,
    BEGIN_BYTES = 8,
    HANDLER_BYTES = 8,
};

_Static_assert(BEGIN_BYTES % 4 == 0, "switches have aligned operands");

enum {
    OP_NOP = 0x00,
    OP_ALOAD = 0x19,
    OP_ALOAD_0 = 0x2a,
    OP_ASTORE = 0x3a,
    OP_ASTORE_0 = 0x4b,
    OP_IINC = 0x84,
    OP_TABLESWITCH = 0xaa,
    OP_LOOKUPSWITCH = 0xab,
    OP_INVOKEVIRTUAL = 0xb6,
    OP_INVOKESTATIC = 0xb8,
    OP_INVOKEINTERFACE = 0xb9,
    OP_WIDE = 0xc4,
    OP_LAST = 0xc9,
};

// The lengths of instructions by opcode, up to OP_LAST; 0: variable.
static const uint8_t lengths[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 00: constants
    2, 3, 2, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, // 10: push, ldc, load
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 20
    1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, // 30: store
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 40
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 50: stack
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 60: arithmetic
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 70
    1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, // 80: iinc, conversions
    1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, // 90: comparisons, branches
    3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 0, 0, 1, 1, 1, 1, // a0: ret, switches, returns
    1, 1, 3, 3, 3, 3, 3, 3, 3, 5, 5, 3, 2, 3, 1, 1, // b0: fields, invocations, new
    3, 3, 1, 1, 0, 4, 3, 3, 5, 5,                   // c0: wide, multianewarray, goto_w, jsr_w
};

_Static_assert(sizeof(lengths) == OP_LAST + 1, "one for each");

// Returns the length of the switch at `at`; 0 if it is invalid.
static size_t
length_of_switch(const uint8_t *code, size_t at, size_t code_bytes)
{
    rewrite_bytes r = {.bytes = {code, code_bytes}, .at = (at + 4) & ~(size_t)3};
    LP_REQUIRE(r.at <= code_bytes, 0);
    (void)rewrite_bytes_u4(&r); // the default
    uint64_t low = rewrite_bytes_u4(&r);
    uint64_t jumps = low * 2; // low: the number of pairs
    if (code[at] == OP_TABLESWITCH) {
        int64_t last = (int32_t)rewrite_bytes_u4(&r);
        int64_t first = (int32_t)(uint32_t)low;
        jumps = last < first ? CODE_BYTES_MAX : (uint64_t)(last - first) + 1;
    }
    return r.is_bad || jumps >= CODE_BYTES_MAX ? 0 : r.at + (size_t)jumps * 4 - at;
}

// Returns the length of the instruction at `at`; 0 if it is invalid.
static size_t
length_at(const uint8_t *code, size_t at, size_t code_bytes)
{
    uint8_t op = code[at];
    size_t length = 0;
    if (op == OP_TABLESWITCH || op == OP_LOOKUPSWITCH) {
        length = length_of_switch(code, at, code_bytes);
    } else if (op == OP_WIDE) {
        length = at + 1 < code_bytes && code[at + 1] == OP_IINC ? 6 : 4;
    } else if (op <= OP_LAST) {
        length = lengths[op];
    }
    return length <= code_bytes - at ? length : 0;
}

// Replaces the invocation at `at` by one of a helper, if a task asks for it. The remaining bytes
// become nops.
static void
replace_call(
    const rewrite_pool *pool, uint8_t *at, size_t length, rewrite_task *tasks, size_t task_count)
{
    for (size_t i = 0; i < task_count; i++) {
        const rewrite_edit *edit = tasks[i].edit;
        if (tasks[i].is_here && edit->kind == REWRITE_CALL &&
            rewrite_pool_calls(pool, rewrite_bytes_peek_u2(at + 1), edit->called_class,
                edit->called, edit->called_descriptor)) {
            memset(at, OP_NOP, length);
            at[0] = OP_INVOKESTATIC;
            rewrite_bytes_set_u2(at + 1, tasks[i].helper);
            tasks[i].count++;
            return;
        }
    }
}

static lp_err
replace_calls(const rewrite_pool *pool, uint8_t *code, size_t code_bytes, rewrite_task *tasks,
    size_t task_count)
{
    size_t length;
    for (size_t at = 0; at < code_bytes; at += length) {
        length = length_at(code, at, code_bytes);
        LP_REQUIRE(length != 0, LP_ECORRUPT);
        if (code[at] >= OP_INVOKEVIRTUAL && code[at] <= OP_INVOKEINTERFACE) {
            replace_call(pool, code + at, length, tasks, task_count);
        }
    }
    return LP_OK;
}

// Writes the instruction that loads or stores a local variable.
static uint8_t *
put_local(uint8_t *at, uint8_t op, uint8_t op_0, uint8_t local)
{
    if (local <= 3) { // these have opcodes of their own
        *at++ = (uint8_t)(op_0 + local);
    } else {
        *at++ = op;
        *at++ = local;
    }
    return at;
}

static void
put_begin(const rewrite_task *task, lp_buf *out)
{
    const rewrite_edit *edit = task->edit;
    uint8_t begin[BEGIN_BYTES] = {0}; // OP_NOP
    uint8_t *at = put_local(begin, OP_ALOAD, OP_ALOAD_0, edit->local);
    *at++ = OP_INVOKESTATIC;
    rewrite_bytes_set_u2(at, task->helper);
    at += 2;
    if (edit->helper_descriptor[strlen(edit->helper_descriptor) - 1] != 'V') {
        (void)put_local(at, OP_ASTORE, OP_ASTORE_0, edit->local);
    }
    lp_buf_append(out, begin, sizeof(begin));
}

// Moves a table of entries that begin with an offset: lines and, with_length, variables, whose
// length follows. Entries at offset 0 stay there.
static lp_err
move_ranges(lp_slice attribute, size_t entry_bytes, bool with_length, lp_buf *out)
{
    rewrite_bytes r = {.bytes = attribute};
    uint16_t count = rewrite_bytes_u2(&r);
    lp_slice entries = rewrite_bytes_take(&r, count * entry_bytes);
    LP_REQUIRE(!r.is_bad && r.at == attribute.len, LP_ECORRUPT);
    rewrite_bytes_put_u2(out, count);
    uint8_t *moved = lp_buf_extend(out, entries.len);
    LP_REQUIRE(moved != NULL, LP_ENOMEM);
    if (entries.len > 0) {
        memcpy(moved, entries.ptr, entries.len);
    }
    for (uint8_t *entry = moved; entry < moved + entries.len; entry += entry_bytes) {
        bool is_first = rewrite_bytes_peek_u2(entry) == 0;
        uint8_t *number = !is_first ? entry : with_length ? entry + 2 : NULL;
        uint32_t value = number == NULL ? 0 : rewrite_bytes_peek_u2(number) + (uint32_t)BEGIN_BYTES;
        LP_REQUIRE(value <= UINT16_MAX, LP_ELIMIT);
        if (number != NULL) {
            rewrite_bytes_set_u2(number, (uint16_t)value);
        }
    }
    return LP_OK;
}

// Appends the content of an attribute of the code.
static lp_err
move_attribute(const rewrite_pool *pool, uint16_t name, lp_slice content, lp_buf *out)
{
    if (rewrite_pool_is(pool, name, "StackMapTable")) {
        return rewrite_frames_move(content, BEGIN_BYTES, out);
    }
    if (rewrite_pool_is(pool, name, "LineNumberTable")) {
        return move_ranges(content, 4, false, out);
    }
    if (rewrite_pool_is(pool, name, "LocalVariableTable") ||
        rewrite_pool_is(pool, name, "LocalVariableTypeTable")) {
        return move_ranges(content, 10, true, out);
    }
    return LP_EVERSION; // it may have offsets
}

// Type annotations of code are for tools that read class files: no running program sees them.
static bool
is_dropped(const rewrite_pool *pool, uint16_t name)
{
    return rewrite_pool_is(pool, name, "RuntimeVisibleTypeAnnotations") ||
           rewrite_pool_is(pool, name, "RuntimeInvisibleTypeAnnotations");
}

static lp_err
move_attributes(const rewrite_pool *pool, rewrite_bytes *r, lp_buf *out)
{
    uint16_t count = rewrite_bytes_u2(r);
    uint16_t kept = 0;
    size_t count_at = out->len;
    rewrite_bytes_put_u2(out, 0);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t name = rewrite_bytes_u2(r);
        lp_slice content = rewrite_bytes_take(r, rewrite_bytes_u4(r));
        LP_REQUIRE(!r->is_bad, LP_ECORRUPT);
        if (is_dropped(pool, name)) {
            continue;
        }
        rewrite_bytes_put_u2(out, name);
        size_t size_at = out->len;
        rewrite_bytes_put_u4(out, 0);
        lp_err err = move_attribute(pool, name, content, out);
        LP_THEN(err, lp_buf_check(out));
        LP_REQUIRE(err == LP_OK, err);
        rewrite_bytes_set_u4(out->ptr + size_at, (uint32_t)(out->len - size_at - 4));
        kept++;
    }
    LP_REQUIRE(lp_buf_check(out) == LP_OK, LP_ENOMEM);
    rewrite_bytes_set_u2(out->ptr + count_at, kept);
    return LP_OK;
}

static lp_err
move_handlers(rewrite_bytes *r, lp_buf *out)
{
    uint16_t count = rewrite_bytes_u2(r);
    rewrite_bytes_put_u2(out, count);
    for (uint32_t i = 0; i < count && !r->is_bad; i++) {
        for (int place = 0; place < 3; place++) { // begin, end and handler
            uint32_t moved = rewrite_bytes_u2(r) + (uint32_t)BEGIN_BYTES;
            LP_REQUIRE(moved <= UINT16_MAX, LP_ELIMIT);
            rewrite_bytes_put_u2(out, (uint16_t)moved);
        }
        rewrite_bytes_put_u2(out, rewrite_bytes_u2(r)); // the class of exceptions
    }
    return r->is_bad ? LP_ECORRUPT : LP_OK;
}

// Appends the bytes behind the code, unchanged or moved.
static lp_err
put_rest(const rewrite_pool *pool, rewrite_bytes *r, bool is_moved, lp_buf *out)
{
    if (!is_moved) {
        lp_slice rest = rewrite_bytes_take(r, r->bytes.len - r->at);
        lp_buf_append(out, rest.ptr, rest.len);
        return LP_OK;
    }
    lp_err err = move_handlers(r, out);
    LP_THEN(err, move_attributes(pool, r, out));
    return err == LP_OK && r->at != r->bytes.len ? LP_ECORRUPT : err;
}

lp_err
rewrite_code(const rewrite_pool *pool, lp_slice attribute, rewrite_task *tasks, size_t task_count,
    lp_buf *out)
{
    rewrite_bytes r = {.bytes = attribute};
    uint16_t stack = rewrite_bytes_u2(&r);
    uint16_t locals = rewrite_bytes_u2(&r);
    uint32_t code_bytes = rewrite_bytes_u4(&r);
    lp_slice code = rewrite_bytes_take(&r, code_bytes);
    rewrite_task *begin =
        LP_FIND(tasks, task_count, at->is_here && at->edit->kind == REWRITE_ARGUMENT);
    size_t before = begin == NULL ? 0 : BEGIN_BYTES;
    if (r.is_bad || code.len == 0 || (begin != NULL && begin->edit->local >= locals)) {
        return LP_ECORRUPT;
    }
    LP_REQUIRE(code.len + before <= CODE_BYTES_MAX, LP_ELIMIT);
    rewrite_bytes_put_u2(out, stack == 0 && begin != NULL ? 1 : stack);
    rewrite_bytes_put_u2(out, locals);
    rewrite_bytes_put_u4(out, (uint32_t)(code.len + before));
    if (begin != NULL) {
        put_begin(begin, out);
        begin->count++;
    }
    uint8_t *copy = lp_buf_extend(out, code.len);
    LP_REQUIRE(copy != NULL, LP_ENOMEM);
    memcpy(copy, code.ptr, code.len);
    lp_err err = replace_calls(pool, copy, code.len, tasks, task_count);
    return err == LP_OK ? put_rest(pool, &r, begin != NULL, out) : err;
}
