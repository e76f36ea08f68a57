// SPDX-License-Identifier: Apache-2.0
// types_fixture: metadata made of a table of types, and the layouts compiled from it.

#pragma once

#include "support/jfr_sample.h"

#include "common/base/lp_assert.h"
#include "common/jfr/jfr_layout.h"

typedef struct types_fixture {
    jfr_build build;
    jfr_metadata metadata;
    jfr_layout layout;
    lp_err layout_err;
} types_fixture;

static inline void
types_fixture_init(types_fixture *f, const jfr_build_type *types, size_t count)
{
    lp_problem problem;
    jfr_build_begin(&f->build, &(jfr_build_clock){0});
    jfr_build_metadata(&f->build, 1, types, count);
    jfr_metadata_init(&f->metadata);
    lp_slice payload = jfr_build_payload(&f->build, f->build.metadata_offset);
    LP_ASSERT(jfr_metadata_add(&f->metadata, payload, &problem) == LP_OK);
    LP_ASSERT(jfr_metadata_resolve(&f->metadata, &problem) == LP_OK);
    f->layout_err = jfr_layout_init(&f->layout, &f->metadata, &problem);
}

static inline void
types_fixture_fini(types_fixture *f)
{
    if (f->layout_err == LP_OK) {
        jfr_layout_fini(&f->layout);
    }
    jfr_metadata_fini(&f->metadata);
    jfr_build_fini(&f->build);
}

// types_fixture_sample makes it of the types of jfr_sample.
static inline void
types_fixture_sample(types_fixture *f)
{
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    types_fixture_init(f, types, jfr_sample_types(types));
    LP_ASSERT(f->layout_err == LP_OK);
}
