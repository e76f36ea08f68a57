// SPDX-License-Identifier: Apache-2.0
#include "common/jfr/rewrite/jfr_legible.h"

#include "common/base/lp_find.h"
#include "common/jfr/jfr_layout.h"
#include "common/jfr/jfr_name.h"
#include "common/jfr/rewrite/jfr_turns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Design notes
//
// First the types that cannot stay are found, by the resolved fields: own_fault judges each by
// itself, and the types that are made of it go with it. Then the elements of the others are
// checked, annotation by annotation. Changed metadata is resolved again, once.

enum { MEMBERS_MAX = 64 }; // of an annotation: lookups are linear

// How the reader treats an annotation, by the name of its type.
typedef enum use {
    USE_NONE,     // shows it
    USE_TEXT,     // asks for its text
    USE_TEXTS,    // asks for its texts
    USE_POINT,    // asks for its unit, and for a number in the field
    USE_LENGTH,   // the same
    USE_NO_VALUE, // would ask, but the type has no such member
} use;

typedef struct work {
    jfr_metadata *metadata;
    jfr_legible_on_change on_change;
    void *arg;
    bool *is_gone;          // parallel to metadata->types
    bool *is_simple;        // same: it may keep simpleType
    bool *is_late;          // same: it must lose simpleType (jfr_turns.h)
    uint8_t *uses;          // the same: a use for each; of annotations
    const jfr_type *type;   // whose elements are being looked at
    const jfr_field *field; // the same; NULL: those of the type or of a setting
    bool is_changed;
    lp_err err; // the first
} work;

static const char *
text_of(const work *w, uint32_t string)
{
    return jfr_metadata_text(w->metadata, string);
}

static void __attribute__((format(printf, 2, 3))) note(work *w, const char *format, ...)
{
    lp_problem problem = {0};
    char what[sizeof(problem.text)];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    (void)lp_problem_set(&problem, LP_ECORRUPT, "metadata: %.*s", (int)sizeof(what) - 20, what);
    w->is_changed = true;
    w->err = w->err == LP_OK ? w->on_change(w->arg, &problem) : w->err;
}

// --- Types

// simple_name returns a JDK type name without its package; others whole.
static const char *
simple_name(const char *name)
{
    static const char *const prefixes[] = {"jdk.types.", "com.oracle.jfr.types."};
    const char *const *prefix =
        LP_FIND(prefixes, LP_COUNT(prefixes), strncmp(name, *at, strlen(*at)) == 0);
    return prefix != NULL ? name + strlen(*prefix) : name;
}

// Fields that the reader makes objects of, and hands on as these without a look.
static const struct role {
    const char *holder; // NULL: any event type
    const char *field;
    const char *type; // required type of a structure
    bool is_array;
} roles[] = {
    {NULL, "eventThread", "java.lang.Thread", false},
    {NULL, "stackTrace", "StackTrace", false},
    {"java.lang.Thread", "group", "ThreadGroup", false},
    {"ThreadGroup", "parent", "ThreadGroup", false},
    {"StackTrace", "frames", "StackFrame", true},
    {"StackFrame", "method", "Method", false},
    {"Method", "type", "java.lang.Class", false},
    {"java.lang.Class", "classLoader", "ClassLoader", false},
    {"ClassLoader", "type", "java.lang.Class", false},
};
enum { ROLES = LP_COUNT(roles) };

// is_made_by_reader returns whether the reader has a class of its own for values of the type.
static bool
is_made_by_reader(const char *name)
{
    return LP_ANY(roles, LP_COUNT(roles), strcmp(simple_name(name), at->type) == 0);
}

static bool
is_number_name(const char *name)
{
    return strcmp(name, "long") == 0 || strcmp(name, "int") == 0 || strcmp(name, "short") == 0 ||
           strcmp(name, "char") == 0;
}

static bool
is_built_in(const work *w, uint32_t type)
{
    return jfr_layout_is_built_in(w->metadata, &w->metadata->types.items[type]);
}

// is_varint returns whether a field is one varint, as start and duration of an event have to be.
static bool
is_varint(const work *w, const jfr_field *field)
{
    for (int depth = 0; depth < JFR_PROGRAM_DEPTH_MAX && field->type != JFR_NONE; depth++) {
        const jfr_type *type = &w->metadata->types.items[field->type];
        if (field->is_array || field->is_constant || type->field_count != 1) {
            return !field->is_array &&
                   (field->is_constant ||
                       (type->field_count == 0 && is_number_name(text_of(w, type->name))));
        }
        field = &w->metadata->fields.items[type->field_begin];
    }
    return false;
}

static const char *
fault_of_event(const work *w, const jfr_type *type)
{
    const jfr_field *fields = &w->metadata->fields.items[type->field_begin];
    bool has_duration = jfr_metadata_find_field(w->metadata, type, "duration") != JFR_NONE;
    if (type->field_count == 0 || !is_varint(w, &fields[0])) {
        return "is an event type that does not begin with a time";
    }
    if (has_duration && (type->field_count == 1 || !is_varint(w, &fields[1]))) {
        return "is an event type whose second field is no duration";
    }
    return NULL;
}

// own_fault returns why a type cannot stay, independent of the others; NULL if it can.
static const char *
own_fault(const work *w, const jfr_type *type)
{
    if (type->id <= JFR_TYPE_ID_CHECKPOINT) {
        const char *super = jfr_metadata_find_attribute(w->metadata, type->element, "superType");
        if (super != NULL && strcmp(super, "jdk.jfr.Event") == 0) {
            return "is an event type with the id of another";
        }
    }
    for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
        const jfr_field *field = &w->metadata->fields.items[i];
        if (field->type == JFR_NONE) {
            return "has a field of a type that is not described";
        }
        if (!field->is_constant && w->metadata->types.items[field->type].field_count == 0 &&
            !is_built_in(w, field->type)) {
            return "has a field of a type without values";
        }
    }
    if (w->uses[type - w->metadata->types.items] == USE_NO_VALUE) {
        return "is an annotation without its value";
    }
    return type->is_event ? fault_of_event(w, type) : NULL;
}

// drop_with drops the types that are made of types that go, and those that are made of them.
// uses_of is for each type the first field of that type, next for each field the next of the same
// type, owners its type.
static void
drop_with(work *w, const uint32_t *uses_of, const uint32_t *next, const uint32_t *owners,
    uint32_t *stack, size_t count)
{
    while (count > 0) {
        for (uint32_t i = uses_of[stack[--count]]; i != JFR_NONE; i = next[i]) {
            uint32_t owner = owners[i];
            if (!w->is_gone[owner]) {
                note(w, "type %s is made of one that is left out, and is as well",
                    text_of(w, w->metadata->types.items[owner].name));
                w->is_gone[owner] = true;
                stack[count++] = owner;
            }
        }
    }
}

static lp_err
drop_users(work *w, uint32_t *stack, size_t count)
{
    const jfr_metadata *metadata = w->metadata;
    size_t types = metadata->types.count;
    size_t fields = metadata->fields.count;
    uint32_t *room = malloc((types + 2 * fields + 1) * sizeof(*room));
    LP_REQUIRE(room != NULL, LP_ENOMEM);
    uint32_t *uses_of = room;
    uint32_t *next = room + types;
    uint32_t *owners = next + fields;
    memset(uses_of, 0xff, types * sizeof(*uses_of)); // JFR_NONE
    for (uint32_t i = 0; i < types; i++) {
        const jfr_type *type = &metadata->types.items[i];
        for (uint32_t f = type->field_begin; f < type->field_begin + type->field_count; f++) {
            uint32_t of = metadata->fields.items[f].type;
            owners[f] = i;
            if (of != JFR_NONE) {
                next[f] = uses_of[of];
                uses_of[of] = f;
            }
        }
    }
    drop_with(w, uses_of, next, owners, stack, count);
    free(room);
    return LP_OK;
}

// find_gone finds the types that cannot stay.
static lp_err
find_gone(work *w)
{
    size_t count = 0;
    uint32_t *stack = malloc((w->metadata->types.count + 1) * sizeof(*stack));
    LP_REQUIRE(stack != NULL, LP_ENOMEM);
    for (uint32_t i = 0; i < w->metadata->types.count; i++) {
        const jfr_type *type = &w->metadata->types.items[i];
        const char *fault = own_fault(w, type);
        if (fault != NULL) {
            note(w, "type %s %s, and is left out", text_of(w, type->name), fault);
            w->is_gone[i] = true;
            stack[count++] = i;
        }
    }
    lp_err err = count > 0 ? drop_users(w, stack, count) : LP_OK;
    free(stack);
    return err;
}

// --- Annotations

static bool
has_member(const work *w, const jfr_type *type, bool is_array)
{
    LP_REQUIRE(type->field_count != 0, false);
    const jfr_field *member = &w->metadata->fields.items[type->field_begin];
    return member->type != JFR_NONE && member->is_array == is_array &&
           strcmp(text_of(w, member->name), "value") == 0 &&
           strcmp(text_of(w, w->metadata->types.items[member->type].name), "java.lang.String") == 0;
}

static use
use_of(const work *w, const jfr_type *type)
{
    static const struct {
        const char *name;
        use use;
    } known[] = {
        {"jdk.jfr.Category", USE_TEXTS},
        {"jdk.jfr.DataAmount", USE_TEXT},
        {"jdk.jfr.Description", USE_TEXT},
        {"jdk.jfr.Label", USE_TEXT},
        {"jdk.jfr.Name", USE_TEXT},
        {"jdk.jfr.Timespan", USE_LENGTH},
        {"jdk.jfr.Timestamp", USE_POINT},
    };
    const char *name = text_of(w, type->name);
    if (strncmp(name, "jdk.jfr.", 8) != 0) {
        return USE_NONE;
    }
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(name, known[i].name) == 0) {
            return has_member(w, type, known[i].use == USE_TEXTS) ? known[i].use : USE_NO_VALUE;
        }
    }
    return USE_NONE;
}

static bool
is_integer(const char *text, int64_t min, int64_t max)
{
    int64_t number;
    return jfr_metadata_parse_number(text, &number) && number >= min && number <= max;
}

// is_real takes less than Java does, but all that Java writes.
static bool
is_real(const char *text)
{
    static const char digits[] = "0123456789";
    text += *text == '-';
    if (strcmp(text, "NaN") == 0 || strcmp(text, "Infinity") == 0) {
        return true;
    }
    size_t whole = strspn(text, digits);
    text += whole;
    if (whole > 0 && *text == '.') {
        text += 1 + strspn(text + 1, digits);
    }
    if (whole > 0 && *text == 'E') {
        text += 1 + (text[1] == '-');
        whole = strspn(text, digits);
        text += whole;
    }
    return whole > 0 && *text == '\0';
}

static bool
is_one_char(const char *text)
{
    size_t units = 0;
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        units += c >= 0xf0 ? 2 : (c & 0xc0) != 0x80; // UTF-16 has two beyond U+FFFF
    }
    return units == 1;
}

// is_value returns whether text is a value of the type with this name.
static bool
is_value(const char *type, const char *text)
{
    static const struct {
        const char *type;
        int64_t min;
        int64_t max;
    } integers[] = {
        {"byte", INT8_MIN, INT8_MAX},
        {"short", INT16_MIN, INT16_MAX},
        {"int", INT32_MIN, INT32_MAX},
        {"long", INT64_MIN, INT64_MAX},
    };
    if (strcmp(type, "java.lang.String") == 0) { // most are
        return true;
    }
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
        if (strcmp(type, integers[i].type) == 0) {
            return is_integer(text, integers[i].min, integers[i].max);
        }
    }
    if (strcmp(type, "float") == 0 || strcmp(type, "double") == 0) {
        return is_real(text);
    }
    return strcmp(type, "char") == 0 ? is_one_char(text) : strcmp(type, "boolean") == 0;
}

// is_element returns whether key is that of a value of the array name: "name-0" and so on.
static bool
is_element(const char *key, const char *name)
{
    size_t length = strlen(name);
    return strncmp(key, name, length) == 0 && key[length] == '-';
}

// has_values returns whether an annotation has a value for a member, or any number where that is an
// array.
static bool
has_values(const work *w, uint32_t annotation, const jfr_field *member)
{
    const char *name = text_of(w, member->name);
    const char *type = text_of(w, w->metadata->types.items[member->type].name);
    bool is_fine = is_built_in(w, member->type);
    if (!member->is_array) {
        const char *text = jfr_metadata_find_attribute(w->metadata, annotation, name);
        return is_fine && text != NULL && is_value(type, text);
    }
    const jfr_element *e = &w->metadata->elements.items[annotation];
    const jfr_attribute *first = &w->metadata->attributes.items[e->attribute_begin];
    return is_fine &&
           !LP_ANY(first, e->attribute_count,
               is_element(text_of(w, at->key), name) && !is_value(type, text_of(w, at->value)));
}

static bool
has_all_values(const work *w, uint32_t annotation, const jfr_type *type)
{
    bool is_fine = type->field_count <= MEMBERS_MAX;
    for (uint32_t i = 0; i < type->field_count && is_fine; i++) {
        is_fine = has_values(w, annotation, &w->metadata->fields.items[type->field_begin + i]);
    }
    return is_fine;
}

static bool
is_any_of(const char *text, const char *const *texts)
{
    while (*texts != NULL && strcmp(text, *texts) != 0) {
        texts++;
    }
    return *texts != NULL;
}

// can_be_asked returns whether the field is a number, and the unit of its annotation is one.
static bool
can_be_asked(const work *w, uint32_t annotation, use as)
{
    static const char *const lengths[] = {
        "TICKS", "SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS", NULL};
    static const char *const points[] = {"TICKS", "MILLISECONDS_SINCE_EPOCH", NULL};
    const char *unit = jfr_metadata_find_attribute(w->metadata, annotation, "value");
    if (w->field == NULL) {
        return true; // of a type or a setting: nobody does
    }
    const char *type =
        w->field->type == JFR_NONE ? "" : text_of(w, w->metadata->types.items[w->field->type].name);
    bool is_number = !w->field->is_array && !w->field->is_constant &&
                     (is_number_name(type) || strcmp(type, "byte") == 0);
    bool is_found = strchr(text_of(w, w->field->name), '.') == NULL; // else as a part of another
    return is_number && is_found && is_any_of(unit, as == USE_LENGTH ? lengths : points);
}

static bool
is_bad_annotation(work *w, uint32_t element)
{
    uint64_t id;
    uint32_t type = jfr_metadata_find_id(w->metadata, element, "class", &id)
                        ? jfr_metadata_find_type(w->metadata, id)
                        : JFR_NONE;
    if (type == JFR_NONE || w->is_gone[type]) {
        note(w, "an annotation in %s is of a type that is not described, and is left out",
            text_of(w, w->type->name));
        return true;
    }
    const jfr_type *t = &w->metadata->types.items[type];
    use as = (use)w->uses[type];
    bool is_asked = as == USE_LENGTH || as == USE_POINT;
    if (!has_all_values(w, element, t) || (is_asked && !can_be_asked(w, element, as))) {
        note(w, "an annotation %s in %s has not the values that it has to have, and is left out",
            text_of(w, t->name), text_of(w, w->type->name));
        return true;
    }
    return false;
}

// --- What else is in a type

static bool
is_bad_child(void *arg, uint32_t element)
{
    work *w = arg;
    return jfr_metadata_is_named(w->metadata, element, "annotation") &&
           is_bad_annotation(w, element);
}

// clean removes the annotations of an element that cannot stay.
static void
clean(work *w, uint32_t element, const jfr_field *field)
{
    w->field = field;
    jfr_metadata_remove_children(w->metadata, element, is_bad_child, w);
    w->field = NULL;
}

static bool
is_bad_setting(work *w, uint32_t element)
{
    uint64_t id;
    const char *name = jfr_metadata_find_attribute(w->metadata, element, "name");
    uint32_t type = jfr_metadata_find_id(w->metadata, element, "class", &id)
                        ? jfr_metadata_find_type(w->metadata, id)
                        : JFR_NONE;
    bool is_bad = !w->type->is_event || name == NULL || type == JFR_NONE || w->is_gone[type];
    if (is_bad) {
        note(w, "a setting of %s is none, and is left out", text_of(w, w->type->name));
    }
    return is_bad;
}

// is_bad_part cleans settings on the way.
static bool
is_bad_part(void *arg, uint32_t element)
{
    work *w = arg;
    if (!jfr_metadata_is_named(w->metadata, element, "setting")) {
        return is_bad_child(arg, element);
    }
    if (is_bad_setting(w, element)) {
        return true;
    }
    clean(w, element, NULL);
    return false;
}

static void
set(work *w, uint32_t element, const char *key, const lp_buf *value)
{
    lp_err err = lp_buf_check(value);
    LP_THEN(err, jfr_metadata_set_attribute(w->metadata, element, key, (const char *)value->ptr));
    w->err = w->err == LP_OK ? err : w->err;
}

// is_other_role returns whether the reader would take a field for something that it is not.
static bool
is_other_role(const work *w, const jfr_field *field)
{
    const jfr_type *type = &w->metadata->types.items[field->type];
    const char *name = text_of(w, field->name);
    const char *holder = simple_name(text_of(w, w->type->name));
    for (size_t i = 0; i < ROLES; i++) {
        const struct role *r = &roles[i];
        bool is_named = *name == *r->field && strcmp(name, r->field) == 0; // few begin alike
        if (is_named && (r->holder == NULL ? w->type->is_event : strcmp(holder, r->holder) == 0)) {
            bool is_type = strcmp(simple_name(text_of(w, type->name)), r->type) == 0;
            bool is_right = r->is_array ? is_type : is_type && field->is_constant;
            bool is_taken =
                r->is_array ? field->is_array : !field->is_array && type->field_count > 0;
            return is_taken && !is_right;
        }
    }
    return false;
}

static void
check_role(work *w, const jfr_field *field)
{
    if (is_other_role(w, field)) {
        lp_buf name = {0};
        const char *old = text_of(w, field->name);
        note(w, "field %s of %s is something else, and is called %s_", old,
            text_of(w, w->type->name), old);
        lp_buf_append(&name, old, strlen(old));
        lp_buf_append(&name, "_", 2); // with its NUL
        set(w, field->element, "name", &name);
        lp_buf_fini(&name);
    }
}

// is_disguised returns whether a type that is made of others has the name of one that is not.
static bool
is_disguised(const work *w)
{
    jfr_type bare = *w->type;
    bare.field_count = 0;
    return w->type->field_count > 0 && jfr_layout_is_built_in(w->metadata, &bare);
}

static void
check_name(work *w)
{
    const char *old = text_of(w, w->type->name);
    bool is_fine = w->type->is_event ? jfr_type_name_is_class(old) : jfr_type_name_is_read(old);
    if (is_fine && !is_disguised(w)) {
        return;
    }
    lp_buf name = {0};
    jfr_type_name_append(&name, old);
    if (is_disguised(w) && strcmp(old, "java.lang.String") == 0) {
        lp_buf_append(&name, "_", 1); // the others are reserved words, and have got one
    }
    lp_buf_append(&name, "", 1);
    note(w, "%s is no name of a type, and becomes %s", old,
        name.is_failed ? "" : (const char *)name.ptr);
    set(w, w->type->element, "name", &name);
    lp_buf_fini(&name);
}

// unmake_simple removes simpleType: the reader takes a type that has it for its only field.
static void
unmake_simple(work *w, uint32_t index)
{
    const jfr_type *type = &w->metadata->types.items[index];
    note(w, "type %s is not simple", text_of(w, type->name));
    jfr_metadata_remove_attribute(w->metadata, type->element, "simpleType");
}

// check_simple finds the types that cannot be simple by themselves, and then, among the others,
// those that cannot be by their ids.
static lp_err
check_simple(work *w)
{
    for (uint32_t i = 0; i < w->metadata->types.count; i++) {
        const jfr_type *type = &w->metadata->types.items[i];
        bool says_so = !w->is_gone[i] && !type->is_event && type->field_count > 0 &&
                       jfr_turns_is_simple(w->metadata, i);
        w->is_simple[i] =
            says_so && type->field_count == 1 && !is_made_by_reader(text_of(w, type->name));
        if (says_so && !w->is_simple[i]) {
            unmake_simple(w, i);
        }
    }
    lp_err err = jfr_turns_find_late(w->metadata, w->is_gone, w->is_simple, w->is_late);
    for (uint32_t i = 0; i < w->metadata->types.count && err == LP_OK; i++) {
        if (w->is_late[i]) {
            unmake_simple(w, i);
        }
    }
    return err;
}

static void
check_type(work *w, uint32_t index)
{
    const jfr_type *type = &w->metadata->types.items[index];
    w->type = type;
    jfr_metadata_remove_children(w->metadata, type->element, is_bad_part, w);
    for (uint32_t i = type->field_begin; i < type->field_begin + type->field_count; i++) {
        const jfr_field *field = &w->metadata->fields.items[i];
        clean(w, field->element, field);
        check_role(w, field);
    }
    check_name(w);
}

// --- All of it

// is_gone_class returns whether an element is the class of a type that cannot stay.
static bool
is_gone_class(void *arg, uint32_t element)
{
    const work *w = arg;
    uint64_t id;
    uint32_t type = jfr_metadata_is_named(w->metadata, element, "class") &&
                            jfr_metadata_find_id(w->metadata, element, "id", &id)
                        ? jfr_metadata_find_type(w->metadata, id)
                        : JFR_NONE;
    return type != JFR_NONE && w->is_gone[type]; // an older class of that id goes as well
}

static void
remove_gone(work *w)
{
    uint32_t root = w->metadata->root;
    for (; root != JFR_NONE; root = w->metadata->elements.items[root].next_sibling) {
        uint32_t child = w->metadata->elements.items[root].first_child;
        for (; child != JFR_NONE; child = w->metadata->elements.items[child].next_sibling) {
            jfr_metadata_remove_children(w->metadata, child, is_gone_class, w);
        }
    }
}

// check_region: the time zone is read as a number.
static void
check_region(work *w)
{
    static const char *const numbers[] = {"gmtOffset", "dst"};
    int64_t number;
    uint32_t child = w->metadata->elements.items[w->metadata->root].first_child;
    for (; child != JFR_NONE; child = w->metadata->elements.items[child].next_sibling) {
        for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
            const char *text = jfr_metadata_find_attribute(w->metadata, child, numbers[i]);
            if (text != NULL && jfr_metadata_is_named(w->metadata, child, "region") &&
                !jfr_metadata_parse_number(text, &number)) {
                note(w, "the region's %s is no number, and is left out", numbers[i]);
                jfr_metadata_remove_attribute(w->metadata, child, numbers[i]);
            }
        }
    }
}

static void
note_uses(work *w)
{
    for (size_t i = 0; i < w->metadata->types.count; i++) {
        w->uses[i] = (uint8_t)use_of(w, &w->metadata->types.items[i]);
    }
}

static void
check_all(work *w)
{
    for (uint32_t i = 0; i < w->metadata->types.count; i++) {
        if (!w->is_gone[i]) {
            check_type(w, i);
        }
    }
    check_region(w);
}

lp_err
jfr_legible_make(jfr_metadata *metadata, jfr_legible_on_change on_change, void *arg)
{
    size_t room = metadata->types.count + 1;
    work w = {
        .metadata = metadata,
        .on_change = on_change,
        .arg = arg,
        .is_gone = calloc(room, sizeof(*w.is_gone)),
        .uses = calloc(room, sizeof(*w.uses)),
        .is_simple = calloc(room, sizeof(*w.is_simple)),
        .is_late = calloc(room, sizeof(*w.is_late)),
    };
    bool has_room = w.is_gone != NULL && w.uses != NULL && w.is_simple != NULL && w.is_late != NULL;
    lp_err err = has_room ? LP_OK : LP_ENOMEM;
    if (err == LP_OK) {
        note_uses(&w);
        err = find_gone(&w);
    }
    LP_THEN(err, check_simple(&w));
    if (err == LP_OK) {
        check_all(&w);
        remove_gone(&w);
        err = w.err;
    }
    free(w.is_gone);
    free(w.uses);
    free(w.is_simple);
    free(w.is_late);
    return err == LP_OK && w.is_changed ? jfr_metadata_resolve(metadata, NULL) : err;
}
