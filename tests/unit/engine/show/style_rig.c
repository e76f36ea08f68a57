// SPDX-License-Identifier: Apache-2.0
#include "unit/engine/show/style_rig.h"

#include "engine/show/survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int
style_rig_setup(void **state)
{
    style_rig *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->type_count = jfr_sample_types(f->types);
    *state = f;
    return 0;
}

static void
forget_outputs(style_rig *f)
{
    for (size_t i = 0; f->has_run && i < f->count; i++) {
        jfr_read_close(&f->outputs[i]);
        compact_result_fini(&f->results[i]);
    }
    f->has_run = false;
}

int
style_rig_teardown(void **state)
{
    style_rig *f = *state;
    forget_outputs(f);
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_fini(&f->chunks[i]);
        lp_buf_fini(&f->records[i]);
    }
    policy_destroy(f->rules);
    free(f);
    return 0;
}

void
style_rig_add_type(style_rig *f, jfr_build_type type)
{
    f->types[f->type_count++] = type;
}

ctx_type *
style_rig_add_context_type(style_rig *f, char *name, ctx_kind kind, char *attribute)
{
    static char none[] = "";
    assert_true(f->context_type_count < STYLE_RIG_CONTEXT_TYPES_MAX);
    ctx_type *type = &f->context_types[f->context_type_count++];
    *type = (ctx_type){
        .id = (uint16_t)f->context_type_count,
        .name = name,
        .label = none,
        .description = none,
        .attribute_count = 1,
        .attributes = {{kind, attribute, none, none}},
    };
    return type;
}

jfr_build *
style_rig_begin_chunk(style_rig *f, int64_t start)
{
    jfr_build *build = &f->chunks[f->count++];
    jfr_build_begin(build, &(jfr_build_clock){.start_ticks = start,
                               .start_wall_ns = 1700000000000000000 + start,
                               .duration_ns = 1000});
    jfr_build_metadata(build, (uint64_t)f->count, f->types, f->type_count);
    jfr_sample_thread(build, 1, 1);
    return build;
}

lp_buf *
style_rig_begin_event(jfr_build *build, int64_t start, int64_t end)
{
    jfr_build_varint(&build->payload, (uint64_t)start);
    jfr_build_varint(&build->payload, (uint64_t)(end - start));
    jfr_build_varint(&build->payload, 1);
    return &build->payload;
}

void
style_rig_run(style_rig *f, compact_context_style style)
{
    compact_source sources[STYLE_RIG_CHUNKS_MAX];
    compact_survey survey = {0};
    forget_outputs(f);
    for (size_t i = 0; i < f->count; i++) {
        jfr_build_checkpoint(&f->chunks[i]);
        sources[i] = (compact_source){
            .jfr = jfr_build_finish(&f->chunks[i]),
            .records = lp_buf_slice(&f->records[i]),
            .types = f->context_types,
            .type_count = i == 0 ? f->context_type_count : 0,
        };
        assert_int_equal(compact_survey_add(&survey, sources[i].jfr, f->rules), LP_OK);
    }
    const compact_options options = {
        .policy = f->rules,
        .refused = f->is_damaged ? COMPACT_REFUSED_NONE : COMPACT_REFUSED_ALL,
        .has_sample_contexts = f->has_sample_contexts,
        .style = style,
        .survey = f->is_unsurveyed ? NULL : &survey,
    };
    compact_run_with(sources, f->count, &options, f->results);
    compact_survey_fini(&survey);
    for (size_t i = 0; i < f->count; i++) {
        compact_run_read(&f->results[i], &f->outputs[i]);
    }
    f->has_run = true;
}

const jfr_read_event *
style_rig_event_of(const jfr_read *read, const char *type, size_t number)
{
    for (size_t i = 0; i < read->events.count; i++) {
        const jfr_read_event *event = &read->events.items[i];
        if (strcmp(jfr_read_name(read, event), type) == 0 && number-- == 0) {
            return event;
        }
    }
    fail_msg("no %s", type);
    return NULL;
}

void
style_rig_assert_field(
    const jfr_read *read, const jfr_read_event *event, const char *field, const char *want)
{
    lp_buf text = {0};
    if (!jfr_read_value(read, event, field, &text)) {
        fail_msg("no field %s", field);
    }
    assert_string_equal((const char *)text.ptr, want);
    lp_buf_fini(&text);
}

uint64_t
style_rig_key_in(const jfr_read *read, const jfr_read_event *event, const char *field)
{
    uint64_t key;
    assert_true(jfr_read_key(read, event, field, &key));
    return key;
}

// fields_of writes the names of a type's fields, with spaces between them.
static const char *
fields_of(const jfr_read *read, const char *type_name, char *text, size_t size)
{
    const jfr_read_type *type = jfr_read_find_type(read, type_name);
    size_t used = 0;
    assert_non_null(type);
    for (size_t i = 0; i < type->fields.count; i++) {
        used += (size_t)snprintf(
            text + used, size - used, "%s%s", i == 0 ? "" : " ", type->fields.items[i].name);
    }
    return text;
}

void
style_rig_assert_fields(const jfr_read *read, const char *type, const char *want)
{
    char text[8192];
    assert_string_equal(fields_of(read, type, text, sizeof(text)), want);
}
