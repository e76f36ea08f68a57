// SPDX-License-Identifier: Apache-2.0
#include "collector/mcp/mcp_bound.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    PATH_BYTES = 256,
    CUTS_MAX = 32,
    MEMBERS_MIN = 24, // of an object: as many as any answer has itself
};

typedef struct bounding {
    size_t items_max;
    json_t *cut;
} bounding;

static json_t *copy(bounding *b, const json_t *json, const char *path, size_t depth);

// cut_text returns a text without the characters beyond the limit.
static json_t *
cut_text(const json_t *json)
{
    LP_ASSERT(json_is_string(json));
    const char *text = json_string_value(json);
    size_t len = json_string_length(json);
    if (len > MCP_BOUND_TEXT_BYTES_MAX) {
        len = MCP_BOUND_TEXT_BYTES_MAX;
        while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80) { // inside of a character
            len--;
        }
    }
    return json_stringn(text, len);
}

static void
note_cut(bounding *b, const char *path, size_t count)
{
    LP_ASSERT(count > b->items_max);
    if (json_object_size(b->cut) < CUTS_MAX) {
        (void)json_object_set_new(b->cut, path, json_integer((json_int_t)count));
    }
}

static json_t *
copy_array(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json_is_array(json) && depth <= MCP_BOUND_DEPTH_MAX);
    size_t count = json_array_size(json);
    size_t kept = count < b->items_max ? count : b->items_max;
    json_t *array = json_array();
    if (kept < count) {
        note_cut(b, path, count);
    }
    for (size_t i = 0; i < kept; i++) {
        if (json_array_append_new(array, copy(b, json_array_get(json, i), path, depth)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *
copy_object(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json_is_object(json) && depth <= MCP_BOUND_DEPTH_MAX);
    json_t *object = json_object();
    const char *key;
    json_t *value;
    size_t kept_max = b->items_max + MEMBERS_MIN;
    if (json_object_size(json) > kept_max) {
        note_cut(b, path, json_object_size(json));
    }
    json_object_foreach((json_t *)(uintptr_t)json, key, value)
    {
        char below[PATH_BYTES];
        if (json_object_size(object) == kept_max) {
            break;
        }
        (void)snprintf(below, sizeof(below), "%s%s%s", path, path[0] == '\0' ? "" : ".", key);
        if (json_object_set_new(object, key, copy(b, value, below, depth)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *
copy(bounding *b, const json_t *json, const char *path, size_t depth)
{
    LP_ASSERT(json != NULL && b->items_max <= MCP_BOUND_ITEMS_MAX);
    LP_REQUIRE(depth < MCP_BOUND_DEPTH_MAX, json_null());
    switch (json_typeof(json)) {
    case JSON_ARRAY:
        return copy_array(b, json, path, depth + 1);
    case JSON_OBJECT:
        return copy_object(b, json, path, depth + 1);
    case JSON_STRING:
        return cut_text(json);
    case JSON_INTEGER:
    case JSON_REAL:
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
    return json_deep_copy(json);
}

json_t *
mcp_bound_copy(const json_t *json, json_t **out_cut)
{
    LP_ASSERT(json != NULL);
    bounding b = {.items_max = MCP_BOUND_ITEMS_MAX};
    for (;;) {
        b.cut = json_object();
        json_t *made = copy(&b, json, "", 0);
        if (made == NULL || json_dumpb(made, NULL, 0, JSON_COMPACT) <= MCP_BOUND_BYTES_MAX) {
            *out_cut = b.cut;
            return made;
        }
        json_decref(made);
        if (b.items_max == 0) { // no answer of a route
            *out_cut = b.cut;
            return json_object();
        }
        json_decref(b.cut);
        b.items_max /= 2;
    }
}
