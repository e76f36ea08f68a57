// SPDX-License-Identifier: Apache-2.0
#include "common/base/lp_ranges.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t left_out; // counts alone: nothing is published by it

static lp_range *
items_of(lp_ranges *self)
{
    return self->more != NULL ? self->more : self->few;
}

static const lp_range *
look_at(const lp_ranges *self)
{
    return self->more != NULL ? self->more : self->few;
}

void
lp_ranges_fini(lp_ranges *self)
{
    free(self->more);
    *self = (lp_ranges){0};
}

// find returns the index of the first range that ends behind number.
static size_t
find(const lp_ranges *self, uint64_t number)
{
    const lp_range *items = look_at(self);
    return LP_BISECT(items, 0, self->count, at->end <= number);
}

// find_behind returns the index of the first range, from an index on, that begins at end or behind.
static size_t
find_behind(const lp_ranges *self, size_t index, uint64_t end)
{
    while (index < self->count && look_at(self)[index].begin < end) {
        index++;
    }
    return index;
}

// grow makes room for one more range.
static bool
grow(lp_ranges *self)
{
    size_t capacity = self->more == NULL ? LP_RANGES_FEW : self->capacity;
    if (self->count < capacity) {
        return true;
    }
    size_t larger = 4 * capacity < LP_RANGES_MAX ? 4 * capacity : LP_RANGES_MAX;
    lp_range *grown =
        capacity == LP_RANGES_MAX ? NULL : reallocarray(self->more, larger, sizeof(*grown));
    LP_REQUIRE(grown != NULL, false);
    if (self->more == NULL) {
        memcpy(grown, self->few, sizeof(self->few));
    }
    self->more = grown;
    self->capacity = larger;
    return true;
}

// replace replaces the ranges at [from, to) by at most one more. Without room for that it leaves
// out the highest.
static void
replace(lp_ranges *self, size_t from, size_t to, const lp_range *by, size_t count)
{
    LP_ASSERT(from <= to && to <= self->count && count <= to - from + 1);

    if (count > to - from && !grow(self)) {
        atomic_fetch_add_explicit(&left_out, 1, memory_order_relaxed);
        if (to < self->count) {
            self->count--;
        } else {
            count--;
        }
    }
    lp_range *items = items_of(self);
    memmove(items + from + count, items + to, (self->count - to) * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        items[from + i] = by[i];
    }
    self->count = self->count - (to - from) + count;
}

void
lp_ranges_add(lp_ranges *self, uint64_t begin, uint64_t end)
{
    if (begin >= end) {
        return;
    }
    size_t from = begin == 0 ? 0 : find(self, begin - 1); // one that ends at begin is joined
    size_t to = find_behind(self, from, end == UINT64_MAX ? end : end + 1);
    lp_range whole = {begin, end};
    if (from < to) {
        const lp_range *items = look_at(self);
        whole.begin = items[from].begin < begin ? items[from].begin : begin;
        whole.end = items[to - 1].end > end ? items[to - 1].end : end;
    }
    replace(self, from, to, &whole, 1);
}

void
lp_ranges_remove(lp_ranges *self, uint64_t begin, uint64_t end)
{
    size_t from = find(self, begin);
    size_t to = find_behind(self, from, end);
    if (begin >= end || from == to) {
        return;
    }
    lp_range left[2];
    size_t count = 0;
    const lp_range first = look_at(self)[from];
    const lp_range last = look_at(self)[to - 1];
    if (first.begin < begin) {
        left[count++] = (lp_range){first.begin, begin};
    }
    if (last.end > end) {
        left[count++] = (lp_range){end, last.end};
    }
    replace(self, from, to, left, count);
}

void
lp_ranges_unite(lp_ranges *self, const lp_ranges *other)
{
    LP_ASSERT(self != other);

    for (size_t i = 0; i < other->count; i++) {
        lp_ranges_add(self, look_at(other)[i].begin, look_at(other)[i].end);
    }
}

void
lp_ranges_subtract(lp_ranges *self, const lp_ranges *other)
{
    LP_ASSERT(self != other);

    for (size_t i = 0; i < other->count; i++) {
        lp_ranges_remove(self, look_at(other)[i].begin, look_at(other)[i].end);
    }
}

void
lp_ranges_intersect(lp_ranges *self, const lp_ranges *other)
{
    LP_ASSERT(self != other);

    uint64_t end = 0;
    for (size_t i = 0; i < other->count; i++) {
        lp_ranges_remove(self, end, look_at(other)[i].begin);
        end = look_at(other)[i].end;
    }
    lp_ranges_remove(self, end, UINT64_MAX);
}

lp_ranges
lp_ranges_copy(const lp_ranges *self)
{
    lp_ranges copy = {0};
    lp_ranges_unite(&copy, self);
    return copy;
}

bool
lp_ranges_is_empty(const lp_ranges *self)
{
    return self->count == 0;
}

uint64_t
lp_ranges_count(const lp_ranges *self)
{
    return lp_ranges_count_in(self, 0, UINT64_MAX);
}

uint64_t
lp_ranges_count_in(const lp_ranges *self, uint64_t begin, uint64_t end)
{
    uint64_t count = 0;
    size_t behind = find_behind(self, 0, end);
    for (size_t i = find(self, begin); i < behind && begin < end; i++) {
        const lp_range *item = &look_at(self)[i];
        count += (item->end < end ? item->end : end) - (item->begin > begin ? item->begin : begin);
    }
    return count;
}

bool
lp_ranges_overlaps(const lp_ranges *self, uint64_t begin, uint64_t end)
{
    size_t at = find(self, begin);
    return begin < end && at < self->count && look_at(self)[at].begin < end;
}

uint64_t
lp_ranges_first(const lp_ranges *self, uint64_t none)
{
    return self->count == 0 ? none : look_at(self)[0].begin;
}

uint64_t
lp_ranges_end(const lp_ranges *self)
{
    return self->count == 0 ? 0 : look_at(self)[self->count - 1].end;
}

uint64_t
lp_ranges_first_gap(const lp_ranges *self, uint64_t from)
{
    size_t at = find(self, from);
    return at < self->count && look_at(self)[at].begin <= from ? look_at(self)[at].end : from;
}

void
lp_ranges_format(const lp_ranges *self, char *out_text, size_t text_bytes)
{
    static const char more[] = ",...";
    char range[2 * sizeof(",18446744073709551615")];
    size_t len = 0;
    out_text[0] = '\0';
    for (size_t i = 0; i < self->count; i++) {
        const lp_range *item = &look_at(self)[i];
        const char *comma = i == 0 ? "" : ",";
        int size = snprintf(range, sizeof(range), "%s%" PRIu64, comma, item->begin);
        if (item->end - item->begin > 1) {
            size +=
                snprintf(range + size, sizeof(range) - (size_t)size, "-%" PRIu64, item->end - 1);
        }
        if ((size_t)size + sizeof(more) > text_bytes - len) {
            (void)snprintf(out_text + len, text_bytes - len, "%s", more);
            return;
        }
        memcpy(out_text + len, range, (size_t)size + 1);
        len += (size_t)size;
    }
}

_Static_assert(sizeof(lp_range) == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
    "the bytes of a set are its ranges as they are in memory");

lp_slice
lp_ranges_bytes(const lp_ranges *self)
{
    return (lp_slice){(const uint8_t *)look_at(self), self->count * sizeof(lp_range)};
}

lp_err
lp_ranges_read(lp_slice bytes, lp_ranges *out_set)
{
    lp_range item;
    *out_set = (lp_ranges){0};
    LP_REQUIRE(bytes.len % sizeof(item) == 0, LP_ECORRUPT);
    uint64_t end = 0;
    for (size_t at = 0; at < bytes.len; at += sizeof(item)) {
        memcpy(&item, bytes.ptr + at, sizeof(item));
        if (item.begin >= item.end || (at > 0 && item.begin <= end)) {
            lp_ranges_fini(out_set);
            return LP_ECORRUPT;
        }
        lp_ranges_add(out_set, item.begin, item.end);
        end = item.end;
    }
    return LP_OK;
}

uint64_t
lp_ranges_count_left_out(void)
{
    return atomic_load_explicit(&left_out, memory_order_relaxed);
}
