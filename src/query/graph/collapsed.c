// SPDX-License-Identifier: Apache-2.0
#include "query/graph/collapsed.h"

#include "common/base/lp_printable.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER_BYTES = 32 };

// The line of a node: the frames from the root on, of each of which it is known where it ends.
typedef struct line {
    lp_buf text;
    LP_VEC(size_t) ends; // by level
} line;

// append_name appends the name of a frame without what ends a frame or a line, or changes how the
// line is shown.
static void
append_name(lp_buf *out, const char *name)
{
    lp_slice rest = {(const uint8_t *)name, strlen(name)};
    while (rest.len > 0) {
        bool is_safe;
        size_t bytes = lp_printable_measure(rest, &is_safe);
        if (is_safe && rest.ptr[0] != ';') {
            lp_buf_append(out, rest.ptr, bytes);
        } else {
            lp_buf_append(out, "_", 1);
        }
        rest = (lp_slice){rest.ptr + bytes, rest.len - bytes};
    }
}

// set_frame makes a frame the last of the line. Returns false where memory ran out.
static bool
set_frame(line *l, uint32_t level, const char *name)
{
    l->ends.count = level;
    l->text.len = level == 0 ? 0 : l->ends.items[level - 1];
    if (level > 1) {
        lp_buf_append(&l->text, ";", 1);
    }
    append_name(&l->text, name);
    size_t *end = LP_VEC_PUSH(&l->ends);
    if (end == NULL || l->text.is_failed) {
        return false;
    }
    *end = l->text.len;
    return true;
}

static void
write_line(const line *l, int64_t amount, lp_buf *out)
{
    char number[NUMBER_BYTES];
    int len = snprintf(number, sizeof(number), " %" PRId64 "\n", amount);
    lp_buf_append(out, l->text.ptr, l->text.len);
    lp_buf_append(out, number, (size_t)len);
}

bool
query_collapsed_write(const query_flame *flame, const query_profile *profile, lp_buf *out)
{
    line l = {0};
    size_t i = 0;
    for (; i < flame->nodes.count && out->len < QUERY_PROFILE_BYTES_MAX; i++) {
        const query_flame_node *node = &flame->nodes.items[i];
        const char *name = node->level == 0 ? ""
                                            : query_names_text(profile->names,
                                                  profile->stacks.nodes.items[node->stack].name);
        if (!set_frame(&l, node->level, name)) {
            out->is_failed = true;
            break;
        }
        if (node->self[0] > 0) {
            write_line(&l, node->self[0], out);
        }
    }
    lp_buf_fini(&l.text);
    LP_VEC_FINI(&l.ends);
    return i == flame->nodes.count;
}
