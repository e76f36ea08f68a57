// SPDX-License-Identifier: Apache-2.0

#include "collector/intake/policy_cache.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_bisect.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_order.h"
#include "common/base/lp_vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct cached {
    uint64_t hash;
    policy_file *file;
    uint64_t bytes;
    uint64_t asked; // the number of the last call that returned it
} cached;

struct policy_cache {
    LP_VEC(cached) items; // by hash
    uint64_t bytes_max;
    uint64_t bytes;
    uint64_t calls;
};

policy_cache *
policy_cache_create(uint64_t bytes_max)
{
    policy_cache *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        self->bytes_max = bytes_max;
    }
    return self;
}

static void
remove_item(policy_cache *self, size_t index)
{
    LP_ASSERT(index < self->items.count);
    cached *at = &self->items.items[index];
    LP_ASSERT(self->bytes >= at->bytes);
    self->bytes -= at->bytes;
    metrics_sub(METRICS_policies_bytes, at->bytes);
    policy_file_unref(at->file);
    self->items.count--;
    memmove(at, at + 1, (self->items.count - index) * sizeof(*at));
}

void
policy_cache_destroy(policy_cache *self)
{
    if (self == NULL) {
        return;
    }
    while (self->items.count > 0) {
        remove_item(self, self->items.count - 1);
    }
    LP_ASSERT(self->bytes == 0);
    LP_VEC_FINI(&self->items);
    free(self);
}

// find_index returns the index of the first item with the hash, or where to insert it.
static size_t
find_index(const policy_cache *self, uint64_t hash)
{
    return LP_BISECT(self->items.items, 0, self->items.count, at->hash < hash);
}

static bool
is_of(const policy_file *file, const char *path, lp_slice text, bool is_told)
{
    lp_slice its = policy_file_get_text(file);
    return policy_file_is_told(file) == is_told && strcmp(policy_file_get_path(file), path) == 0 &&
           lp_order_slices(its, text) == 0;
}

// make_room removes policies that no chunk uses until bytes are free. Returns false if it cannot.
static bool
make_room(policy_cache *self, uint64_t bytes)
{
    while (self->bytes + bytes > self->bytes_max) {
        size_t oldest = self->items.count;
        for (size_t i = 0; i < self->items.count; i++) {
            const cached *item = &self->items.items[i];
            bool is_older =
                oldest == self->items.count || item->asked < self->items.items[oldest].asked;
            if (is_older && !policy_file_is_shared(item->file)) {
                oldest = i;
            }
        }
        LP_REQUIRE(oldest != self->items.count, false);
        remove_item(self, oldest);
    }
    return true;
}

// keep adds a file to the cache. Errors: LP_ELIMIT if there is no room; LP_ENOMEM
static lp_err
keep(policy_cache *self, uint64_t hash, policy_file *file)
{
    uint64_t bytes = sizeof(cached) + policy_file_measure(file);
    LP_REQUIRE(make_room(self, bytes), LP_ELIMIT);
    LP_REQUIRE(LP_VEC_ROOM(&self->items), LP_ENOMEM);
    size_t index = find_index(self, hash);
    cached *at = &self->items.items[index];
    memmove(at + 1, at, (self->items.count++ - index) * sizeof(*at));
    *at =
        (cached){.hash = hash, .file = policy_file_ref(file), .bytes = bytes, .asked = self->calls};
    self->bytes += bytes;
    LP_ASSERT(self->bytes <= self->bytes_max);
    metrics_add(METRICS_policies_bytes, bytes);
    return LP_OK;
}

lp_err
policy_cache_find(policy_cache *self, const char *path, lp_slice text, bool is_told,
    policy_file **out_file, lp_problem *out_problem)
{
    uint64_t hash = lp_hash_bytes(lp_hash_text(lp_hash_seed(), path), text);
    size_t count = self == NULL ? 0 : self->items.count;
    for (size_t i = self == NULL ? 0 : find_index(self, hash);
         i < count && self->items.items[i].hash == hash; i++) {
        cached *item = &self->items.items[i];
        if (is_of(item->file, path, text, is_told)) {
            item->asked = ++self->calls;
            *out_file = policy_file_ref(item->file);
            return LP_OK;
        }
    }
    lp_err err =
        (is_told ? policy_file_parse_told : policy_file_parse)(path, text, out_file, out_problem);
    LP_REQUIRE(err == LP_OK && self != NULL, err);
    self->calls++;
    err = keep(self, hash, *out_file);
    if (err == LP_OK || !is_told) {
        return LP_OK;
    }
    policy_file_unref(*out_file);
    return lp_problem_set(out_problem, err,
        "%s: the policies of chunks take more than %" PRIu64 " bytes of memory (--memory)", path,
        self->bytes_max);
}
