// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/jfr_layout.h"

#include "common/base/lp_find.h"
#include "common/jfr/jfr_walk.h"

#include <string.h>

typedef struct compiler {
    jfr_layout *layout;
    const jfr_metadata *metadata;
    uint32_t field_count; // looked at so far, for JFR_LAYOUT_FIELDS_MAX
    lp_problem *problem;
} compiler;

static lp_err compile_value(compiler *c, uint32_t type, unsigned depth);

static lp_err
emit(compiler *c, jfr_op_code code, uint32_t arg)
{
    return LP_VEC_ADD(&c->layout->ops, (jfr_op){.code = code, .arg = arg});
}

static lp_err
compile_field(compiler *c, const jfr_field *field, unsigned depth)
{
    if (field->type == JFR_NONE) {
        // A key can be skipped without knowing the type of its constant.
        return emit(c, field->is_constant && !field->is_array ? JFR_OP_VARINT : JFR_OP_UNKNOWN, 64);
    }
    if (field->is_array) {
        return emit(c, field->is_constant ? JFR_OP_CONSTANT_ARRAY : JFR_OP_ARRAY, field->type);
    }
    if (field->is_constant) {
        return emit(c, JFR_OP_CONSTANT, field->type);
    }
    return compile_value(c, field->type, depth);
}

static bool
is_named(const compiler *c, uint32_t string, const char *name)
{
    return jfr_metadata_is_text(c->metadata, string, name);
}

// number_code returns the code for field i of type, a number. Start and duration of an event are in
// ticks even with other annotations: readers go by their names.
static jfr_op_code
number_code(const compiler *c, const jfr_type *type, uint32_t i)
{
    const jfr_field *fields = &c->metadata->fields.items[type->field_begin];
    bool has_start = type->is_event && is_named(c, fields[0].name, "startTime");
    if (has_start && i == 0) {
        return JFR_OP_TIMESTAMP;
    }
    if (has_start && i == 1 && is_named(c, fields[1].name, "duration")) {
        return JFR_OP_DURATION;
    }
    if (type->is_event && is_named(c, fields[i].name, "id") &&
        (is_named(c, type->name, "jdk.ActiveSetting") ||
            is_named(c, type->name, "com.oracle.jdk.ActiveSetting"))) { // its name in JDK 9
        return JFR_OP_TYPE_ID;
    }
    // Contexts that Loupe wrote: events of an application have their stackTrace there.
    if (type->is_contextual && i == 3 && is_named(c, fields[i].name, "contextId")) {
        return JFR_OP_CONTEXT_ID;
    }
    switch (fields[i].ticks) {
    case JFR_TICKS_POINT:
        return JFR_OP_TIMESTAMP;
    case JFR_TICKS_LENGTH:
        return JFR_OP_TIMESPAN;
    case JFR_TICKS_NONE:
        break;
    }
    return JFR_OP_VARINT;
}

static lp_err
compile_fields(compiler *c, const jfr_type *type, unsigned depth)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        uint32_t field = type->field_begin + i;
        LP_REQUIRE(c->field_count++ < JFR_LAYOUT_FIELDS_MAX,
            lp_problem_set(c->problem, LP_ECORRUPT, "metadata: the types have over %d fields",
                JFR_LAYOUT_FIELDS_MAX));
        if (depth == 0) {
            c->layout->field_ops.items[field] = (uint32_t)c->layout->ops.count;
        }
        size_t begin = c->layout->ops.count;
        LP_TRY(compile_field(c, &c->metadata->fields.items[field], depth + 1));
        bool is_key = c->metadata->fields.items[field].is_constant;
        if (!is_key && c->layout->ops.count == begin + 1 &&
            c->layout->ops.items[begin].code == JFR_OP_VARINT) {
            c->layout->ops.items[begin].code = number_code(c, type, i);
        }
    }
    return LP_OK;
}

// The types that are not made of others.
static const struct built_in {
    const char *name;
    jfr_op_code code;
    uint32_t arg;
} built_in[] = {
    {"long", JFR_OP_VARINT, 64},
    {"int", JFR_OP_VARINT, 32},
    {"short", JFR_OP_VARINT, 16},
    {"char", JFR_OP_VARINT, 16},
    {"byte", JFR_OP_BYTES, 1},
    {"boolean", JFR_OP_BYTES, 1},
    {"float", JFR_OP_BYTES, 4},
    {"double", JFR_OP_BYTES, 8},
    {"java.lang.String", JFR_OP_STRING, 0},
};

static const struct built_in *
find_built_in(const char *name)
{
    return LP_FIND(built_in, LP_COUNT(built_in), *name == *at->name && strcmp(name, at->name) == 0);
}

bool
jfr_layout_is_built_in(const jfr_metadata *metadata, const jfr_type *type)
{
    return type->field_count == 0 && find_built_in(jfr_metadata_text(metadata, type->name)) != NULL;
}

static lp_err
compile_value(compiler *c, uint32_t type, unsigned depth)
{
    const jfr_type *t = &c->metadata->types.items[type];
    const char *name = jfr_metadata_text(c->metadata, t->name);
    const struct built_in *known = t->field_count == 0 ? find_built_in(name) : NULL;
    if (known != NULL) {
        return emit(c, known->code, known->arg);
    }
    LP_REQUIRE(depth <= JFR_PROGRAM_DEPTH_MAX,
        lp_problem_set(
            c->problem, LP_ECORRUPT, "metadata: type %s is nested too deep or in itself", name));
    return compile_fields(c, t, depth);
}

static bool
is_number(jfr_op_code code)
{
    return code == JFR_OP_VARINT || code == JFR_OP_TIMESTAMP || code == JFR_OP_TIMESPAN ||
           code == JFR_OP_DURATION || code == JFR_OP_TYPE_ID || code == JFR_OP_CONTEXT_ID;
}

// find_runs notes where walking can take several ops at once. A program may end within a run.
static void
find_runs(jfr_layout *layout)
{
    uint16_t numbers = 0;
    uint16_t varints = 0;
    for (size_t i = layout->ops.count; i > 0; i--) {
        jfr_op *op = &layout->ops.items[i - 1];
        bool is_varint = is_number(op->code) || op->code == JFR_OP_CONSTANT;
        numbers = !is_number(op->code) || numbers == UINT16_MAX ? 0 : numbers;
        varints = !is_varint || varints == UINT16_MAX ? 0 : varints;
        numbers += is_number(op->code);
        varints += is_varint;
        op->number_run = numbers;
        op->varint_run = varints;
    }
}

lp_err
jfr_layout_init(jfr_layout *layout, const jfr_metadata *metadata, lp_problem *out_problem)
{
    *layout = (jfr_layout){
        .string_type = jfr_metadata_find_type_named(metadata, "java.lang.String"),
        .thread_type = jfr_metadata_find_type_named(metadata, "java.lang.Thread"),
    };
    compiler c = {.layout = layout, .metadata = metadata, .problem = out_problem};
    if (!LP_VEC_ROOM(&layout->ops)) { // a program without ops points somewhere, too
        return LP_ENOMEM;
    }
    for (size_t i = 0; i < metadata->fields.count; i++) {
        if (LP_VEC_PUSH(&layout->field_ops) == NULL) {
            goto no_memory;
        }
    }
    for (size_t i = 0; i < metadata->types.count; i++) {
        uint32_t begin = (uint32_t)layout->ops.count;
        lp_err err = compile_value(&c, (uint32_t)i, 0);
        if (err != LP_OK) {
            jfr_layout_fini(layout);
            return err;
        }
        jfr_program *program = LP_VEC_PUSH(&layout->types);
        if (program == NULL) {
            goto no_memory;
        }
        *program = (jfr_program){.begin = begin, .end = (uint32_t)layout->ops.count};
    }
    find_runs(layout);
    return LP_OK;

no_memory:
    jfr_layout_fini(layout);
    return LP_ENOMEM;
}

void
jfr_layout_fini(jfr_layout *layout)
{
    LP_VEC_FINI(&layout->ops);
    LP_VEC_FINI(&layout->types);
    LP_VEC_FINI(&layout->field_ops);
}

bool
jfr_layout_is_number(const jfr_layout *layout, const jfr_metadata *metadata, uint32_t field)
{
    const jfr_field *f = &metadata->fields.items[field];
    if (f->type == JFR_NONE || f->is_constant || f->is_array) {
        return false;
    }
    jfr_program program = layout->types.items[f->type];
    return program.end - program.begin == 1 &&
           layout->ops.items[program.begin].code == JFR_OP_VARINT;
}

bool
jfr_layout_walk(const jfr_layout *layout, jfr_program program, jfr_cursor *cursor)
{
    return jfr_walk(layout, program, cursor, (jfr_walk_visitor){0});
}
