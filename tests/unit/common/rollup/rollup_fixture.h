// SPDX-License-Identifier: Apache-2.0
// rollup_fixture: what the tests of rollups share: rollups of a few random contexts and requests.

#pragma once

#include "support/chance.h"

#include "common/rollup/rollup.h"

#include <stdio.h>
#include <string.h>

static inline lp_slice
text_slice(const char *text)
{
    return (lp_slice){(const uint8_t *)text, strlen(text)};
}

static inline void
count_context(rollup *sums, rollup_numbers *numbers, int64_t ns, bool is_kept)
{
    histogram_add(&numbers->all, &sums->arena, ns);
    if (is_kept) {
        histogram_add(&numbers->kept, &sums->arena, ns);
        rollup_add_ns(&numbers->time_ns[ns % TIME_CATEGORY_COUNT], (uint64_t)ns / 2);
        rollup_add_ns(&numbers->left_ns, (uint64_t)ns - (uint64_t)ns / 2);
    }
}

// A context, or a request, with a value of two attributes.
typedef struct fixture_context {
    rollup_unit unit;
    char type[16];
    char attribute[2][16];
    char value[2][16];
    int64_t ns;
    bool is_kept;
    rollup_exemplar exemplar;
} fixture_context;

// next_context makes one by chance, with one of so many names each.
static inline fixture_context
next_context(uint64_t *seed, unsigned names)
{
    fixture_context made = {
        .ns = (int64_t)chance_below(seed, 5000000),
        .is_kept = chance_below(seed, 3) == 0,
        .exemplar = {.begin_wall_ns = (int64_t)chance_below(seed, 1000),
            .ref = {.begin = (int64_t)chance_below(seed, 3),
                .hash = (uint32_t)chance_below(seed, 3)}},
    };
    made.exemplar.duration_ns = made.ns;
    made.exemplar.trace[0] = chance_below(seed, 2) == 0 ? '4' : '\0';
    made.unit = chance_below(seed, 3) == 0 ? ROLLUP_REQUESTS : ROLLUP_CONTEXTS;
    made.exemplar.request = made.unit == ROLLUP_REQUESTS ? 1 + chance_below(seed, 3) : 0;
    (void)snprintf(made.type, sizeof(made.type), "shop.T%u", (unsigned)chance_below(seed, names));
    for (int i = 0; i < 2; i++) {
        (void)snprintf(made.attribute[i], sizeof(made.attribute[i]), "%c%u", "ab"[i],
            (unsigned)chance_below(seed, names));
        (void)snprintf(
            made.value[i], sizeof(made.value[i]), "v%u", (unsigned)chance_below(seed, names));
    }
    return made;
}

static inline void
add_context(rollup *sums, const fixture_context *context)
{
    if (context->is_kept) {
        int64_t begin_ns = context->exemplar.begin_wall_ns;
        rollup_note_begin(sums, begin_ns);
        rollup_note_commits(sums, begin_ns + 1, begin_ns + context->ns);
    }
    rollup_type *type = rollup_add_type_of(sums, context->unit, context->type);
    if (type == NULL) {
        rollup_leave_out(sums, context->unit, 1);
        return;
    }
    count_context(sums, &type->numbers, context->ns, context->is_kept);
    for (int i = 0; i < 2; i++) {
        rollup_attribute *attribute = rollup_add_attribute(sums, type, context->attribute[i]);
        rollup_value *value =
            attribute == NULL ? NULL
                              : rollup_add_value(sums, attribute, text_slice(context->value[i]));
        if (value != NULL) {
            count_context(sums, &value->numbers, context->ns, context->is_kept);
        }
    }
    if (context->is_kept) {
        rollup_add_exemplar(sums, type, &context->exemplar);
    }
}

// add_random adds contexts to a rollup, some of them over each of the limits if names is large.
static inline void
add_random(rollup *sums, uint64_t *seed, size_t contexts, unsigned names)
{
    for (size_t i = 0; i < contexts; i++) {
        const fixture_context context = next_context(seed, names);
        add_context(sums, &context);
    }
}
