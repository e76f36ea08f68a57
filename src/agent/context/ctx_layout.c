// SPDX-License-Identifier: Apache-2.0
#include "agent/context/ctx_layout.h"

#include "agent/context/ctx_rings.h"
#include "common/context/ctx_record.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES_MAX = 128 }; // of a line of the class

typedef struct number {
    enum { INT, LONG } type; // in Java
    const char *name;
    int64_t value;
} number;

#define CONTROL(field) offsetof(ctx_rings_control, field)
#define COMMON(field)  offsetof(ctx_rings_common, field)

static const number numbers[] = {
    // Records
    {INT, "RECORD_SET", CTX_RECORD_SET},
    {INT, "RECORD_UNSET", CTX_RECORD_UNSET},
    {INT, "RECORD_THREAD_END", CTX_RECORD_THREAD_END},
    {LONG, "RECORD_LOOSE", (int64_t)CTX_RECORD_LOOSE},
    {INT, "HEADER_BYTES", CTX_RECORD_HEADER_BYTES},
    {INT, "HEADER_TYPE_SHIFT", 8 * offsetof(ctx_record_header, type_id)},
    {INT, "HEADER_KIND_SHIFT", 8 * offsetof(ctx_record_header, kind)},
    {INT, "HEADER_FLAGS_SHIFT", 8 * offsetof(ctx_record_header, flags)},
    {INT, "HEADER_THREAD", offsetof(ctx_record_header, thread_id)},
    {INT, "HEADER_TIME", offsetof(ctx_record_header, time_ticks)},
    {INT, "STRING_HEADER_BYTES", CTX_STRING_HEADER_BYTES},
    {LONG, "STRING_NULL", (int64_t)CTX_STRING_NULL},
    {INT, "VALUE_BYTES_MAX", CTX_VALUE_BYTES_MAX},
    // Kinds of attributes, and limits on them
    {INT, "KIND_BOOLEAN", CTX_BOOLEAN},
    {INT, "KIND_BYTE", CTX_BYTE},
    {INT, "KIND_CHAR", CTX_CHAR},
    {INT, "KIND_SHORT", CTX_SHORT},
    {INT, "KIND_INT", CTX_INT},
    {INT, "KIND_LONG", CTX_LONG},
    {INT, "KIND_FLOAT", CTX_FLOAT},
    {INT, "KIND_DOUBLE", CTX_DOUBLE},
    {INT, "KIND_STRING", CTX_STRING},
    {INT, "KIND_HEX", CTX_HEX},
    {INT, "ROOT_KEY", CTX_LAYOUT_ROOT_KEY},
    {INT, "REQUEST_ROOTED", CTX_REQUEST_ROOTED},
    {INT, "TYPE_ATTRIBUTES_MAX", CTX_TYPE_ATTRIBUTES_MAX},
    {INT, "ATTRIBUTES_MAX", CTX_ATTRIBUTES_MAX},
    {INT, "TYPES_MAX", CTX_TYPES_MAX},
    // Rings
    {INT, "RING_BYTES", CTX_RINGS_RING_BYTES},
    {INT, "SLACK_BYTES", CTX_RINGS_SLACK_BYTES},
    {INT, "RINGS_OWN", CTX_RINGS_OWN},
    {INT, "RINGS_SHARED", CTX_RINGS_SHARED},
    {INT, "RINGS_SPARE", CTX_RINGS_SPARE},
    {INT, "MODE_PLAIN", CTX_RINGS_PLAIN},
    {INT, "MODE_LOOSE", CTX_RINGS_LOOSE},
    {INT, "MODE_UNKNOWN", CTX_RINGS_UNKNOWN},
    // How a thread's ring is found
    {INT, "CELL_BITS", CTX_RINGS_CELL_BITS},
    {INT, "BUCKET_CELLS", CTX_RINGS_BUCKET_CELLS},
    {INT, "BUCKET_BITS", CTX_RINGS_BUCKET_BITS},
    {LONG, "BUCKET_FACTOR", (int64_t)CTX_RINGS_BUCKET_FACTOR},
    // The control words of a ring
    {INT, "CONTROL_BYTES", sizeof(ctx_rings_control)},
    {INT, "CONTROL_OWNER", CONTROL(owner)},
    {INT, "CONTROL_RING", CONTROL(ring)},
    {INT, "CONTROL_HEAD", CONTROL(head)},
    {INT, "CONTROL_MODE", CONTROL(mode)},
    {INT, "CONTROL_OPEN", CONTROL(open)},
    {INT, "CONTROL_LOOSE_TICKS", CONTROL(loose_ticks)},
    {INT, "CONTROL_DROPPED", CONTROL(contexts_dropped)},
    {INT, "CONTROL_CUT", CONTROL(values_cut)},
    {INT, "CONTROL_PLAIN_FROM", CONTROL(plain_from)},
    {INT, "CONTROL_TAIL", CONTROL(tail)},
    // The words of all rings
    {INT, "COMMON_IS_SHORT", COMMON(is_short)},
    {INT, "COMMON_LOST_FROM", COMMON(lost_from)},
    {INT, "COMMON_DROPPED", COMMON(contexts_dropped)},
    {INT, "COMMON_DRAINS", COMMON(drains)},
    {INT, "COMMON_FULL_AT", COMMON(full_at)},
    {INT, "COMMON_IS_NAPPING", COMMON(is_napping)},
};

enum { NUMBER_COUNT = sizeof(numbers) / sizeof(numbers[0]) };

static void
put(lp_buf *out, const char *text)
{
    lp_buf_append(out, text, strlen(text));
}

// The version comes first: classes of another version may have the same numbers and other methods.
static void
put_all(lp_buf *out)
{
    put(out, "VERSION=" LOUPE_VERSION " ");
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        char text[NUMBER_BYTES_MAX];
        (void)snprintf(text, sizeof(text), "%s%s=%" PRId64, i == 0 ? "" : " ", numbers[i].name,
            numbers[i].value);
        put(out, text);
    }
}

lp_err
ctx_layout_put_text(lp_buf *out)
{
    put_all(out);
    lp_buf_append(out, "", 1);
    return lp_buf_check(out);
}

lp_err
ctx_layout_put_java(lp_buf *out)
{
    put(out, "// Written by the build from ctx_layout.c.\n"
             "package dev.loupe.internal.ring;\n\n"
             "/** The layout of context records and rings, which is the agent's. */\n"
             "public final class RingLayout {\n");
    for (size_t i = 0; i < NUMBER_COUNT; i++) {
        char line[NUMBER_BYTES_MAX];
        (void)snprintf(line, sizeof(line), "    public static final %s %s = %" PRId64 "%s;\n",
            numbers[i].type == LONG ? "long" : "int", numbers[i].name, numbers[i].value,
            numbers[i].type == LONG ? "L" : "");
        put(out, line);
    }
    put(out, "    static final String ALL = \"");
    put_all(out);
    put(out, "\";\n\n    private RingLayout() {}\n}\n");
    return lp_buf_check(out);
}
