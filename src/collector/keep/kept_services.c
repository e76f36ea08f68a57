// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/kept_services.h"

#include "collector/base/metrics.h"

#include <stdlib.h>
#include <string.h>

void
kept_services_fini(kept_services *self)
{
    metrics_sub(METRICS_stored_bytes_KEPT, self->bytes);
    for (size_t i = 0; i < self->list.count; i++) {
        free(self->list.items[i].name);
    }
    LP_VEC_FINI(&self->list);
}

kept_service *
kept_services_find(kept_services *self, const char *name)
{
    for (size_t i = 0; i < self->list.count; i++) {
        if (strcmp(self->list.items[i].name, name) == 0) {
            return &self->list.items[i];
        }
    }
    char *copy = strdup(name);
    kept_service *made = copy == NULL ? NULL : LP_VEC_PUSH(&self->list);
    if (made == NULL) {
        free(copy);
        return NULL;
    }
    *made = (kept_service){.name = copy, .due_wall_ns = INT64_MIN};
    return made;
}

void
kept_services_add(kept_services *self, kept_service *s, uint64_t bytes)
{
    s->bytes += bytes;
    self->bytes += bytes;
    metrics_add(METRICS_stored_bytes_KEPT, bytes);
}

void
kept_services_take(kept_services *self, kept_service *s, uint64_t bytes)
{
    uint64_t of_chunks = s->bytes - s->aside_bytes;
    uint64_t known = bytes < of_chunks ? bytes : of_chunks; // one may not have been counted
    s->bytes -= known;
    self->bytes -= known;
    metrics_sub(METRICS_stored_bytes_KEPT, known);
}

void
kept_services_add_aside(kept_services *self, kept_service *s, uint64_t bytes)
{
    s->bytes += bytes;
    s->aside_bytes += bytes;
    self->bytes += bytes;
    metrics_add(METRICS_stored_bytes_DAMAGED, bytes);
}

void
kept_services_take_aside(kept_services *self, kept_service *s, uint64_t bytes)
{
    s->bytes -= bytes;
    s->aside_bytes -= bytes;
    self->bytes -= bytes;
    metrics_sub(METRICS_stored_bytes_DAMAGED, bytes);
}
