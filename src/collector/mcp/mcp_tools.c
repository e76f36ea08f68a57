// SPDX-License-Identifier: Apache-2.0
#include "collector/mcp/mcp_tools.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_quote.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_BYTES = 24,
    PARAMETER_BYTES = 64,
    MS_MAX = 1000 * 1000 * 1000,
};

typedef enum kind {
    TEXT,
    TEXTS,  // an array of texts
    MS,     // a number of milliseconds
    CHOICE, // one of words
    BASE,   // "rest", or an object of arguments
    OTHER,  // an object of arguments
} kind;

typedef struct argument {
    unsigned sets;
    const char *name;
    kind kind;
    const char *parameter; // of the question; "": none
    const char *words;
    const char *description;
} argument;

static bool
is_base(const argument *of)
{
    return of->kind == BASE || of->kind == OTHER;
}

static const argument arguments_of_all[] = {
#define MCP_ARGUMENT(set, name, kind, parameter, words, description)                               \
    {set, #name, kind, parameter, words, description},
#include "collector/mcp/mcp_tools.def"
};

typedef struct preset {
    mcp_tool_id tool;
    const char *parameter;
    const char *value;
} preset;

static const preset presets[] = {
#define MCP_PRESET(tool, parameter, value) {MCP_TOOL_##tool, parameter, value},
#include "collector/mcp/mcp_tools.def"
};

const mcp_tool mcp_tools[MCP_TOOL_COUNT] = {
#define MCP_TOOL(name, route, rest, sets, required, title, description)                            \
    [MCP_TOOL_##name] = {#name, route, rest, sets, required, title, description},
#include "collector/mcp/mcp_tools.def"
};

const mcp_tool *
mcp_tools_find(const char *name)
{
    return LP_FIND(mcp_tools, MCP_TOOL_COUNT, strcmp(at->name, name) == 0);
}

// next_word takes the first of words; an empty one at the end.
static lp_slice
next_word(const char **words)
{
    *words += strspn(*words, " ");
    lp_slice word = {(const uint8_t *)*words, strcspn(*words, " ")};
    *words += word.len;
    return word;
}

static bool
is_word(lp_slice word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.ptr, text, word.len) == 0;
}

static bool
has_word(const char *words, const char *text)
{
    for (lp_slice word = next_word(&words); word.len > 0; word = next_word(&words)) {
        if (is_word(word, text)) {
            return true;
        }
    }
    return false;
}

// --- The description

static json_t *
words_json(const char *words)
{
    json_t *array = json_array();
    for (lp_slice word = next_word(&words); word.len > 0; word = next_word(&words)) {
        (void)json_array_append_new(array, json_stringn((const char *)word.ptr, word.len));
    }
    return array;
}

static json_t *
schema_json(const argument *of)
{
    LP_ASSERT((of->kind == CHOICE) == (of->words[0] != '\0'));
    LP_ASSERT(!is_base(of) || strcmp(of->name, "base") == 0);
    switch (of->kind) {
    case TEXT:
        return json_pack("{s:s, s:s}", "type", "string", "description", of->description);
    case TEXTS:
        return json_pack("{s:s, s:{s:s}, s:i, s:s}", "type", "array", "items", "type", "string",
            "maxItems", QUERY_WHERE_MAX, "description", of->description);
    case MS:
        return json_pack(
            "{s:s, s:i, s:s}", "type", "number", "minimum", 0, "description", of->description);
    case CHOICE:
        return json_pack("{s:s, s:o, s:s}", "type", "string", "enum", words_json(of->words),
            "description", of->description);
    case OTHER:
        return json_pack("{s:s, s:s}", "type", "object", "description", of->description);
    case BASE:
        break;
    }
    return json_pack("{s:[{s:s}, {s:s}], s:s}", "anyOf", "const", "rest", "type", "object",
        "description", of->description);
}

static json_t *
tool_json(const mcp_tool *tool)
{
    LP_ASSERT(tool->sets != 0 && (tool->route != NULL || tool->rest[0] == '\0'));
    json_t *properties = json_object();
    for (size_t i = 0; i < LP_COUNT(arguments_of_all); i++) {
        const argument *at = &arguments_of_all[i];
        if ((at->sets & tool->sets) != 0) {
            (void)json_object_set_new(properties, at->name, schema_json(at));
        }
    }
    return json_pack("{s:s, s:s, s:s, s:{s:s, s:o, s:o, s:b}, s:{s:b, s:b, s:b, s:b}}", "name",
        tool->name, "title", tool->title, "description", tool->description, "inputSchema", "type",
        "object", "properties", properties, "required", words_json(tool->required),
        "additionalProperties", 0, "annotations", "readOnlyHint", 1, "destructiveHint", 0,
        "idempotentHint", 1, "openWorldHint", 0);
}

json_t *
mcp_tools_json(void)
{
    json_t *tools = json_array();
    for (size_t i = 0; i < MCP_TOOL_COUNT; i++) {
        (void)json_array_append_new(tools, tool_json(&mcp_tools[i]));
    }
    if (json_array_size(tools) < MCP_TOOL_COUNT) {
        json_decref(tools);
        return NULL;
    }
    return tools;
}

// --- Checks

// find_given returns an argument; NULL if it is missing or null.
static const json_t *
find_given(const json_t *arguments, const char *name)
{
    const json_t *value = json_object_get(arguments, name);
    return json_is_null(value) ? NULL : value;
}

static lp_err check_all(const char *tool, unsigned sets, const json_t *arguments, lp_problem *out);

static bool
is_text_list(const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        LP_REQUIRE(json_is_string(json_array_get(value, i)), false);
    }
    return json_is_array(value) && json_array_size(value) <= QUERY_WHERE_MAX;
}

// check_kind returns the type that the value lacks, in words. NULL: none.
static const char *
find_fault(const argument *of, const json_t *value)
{
    LP_ASSERT(!json_is_null(value));
    switch (of->kind) {
    case TEXT:
        return json_is_string(value) ? NULL : "a string";
    case TEXTS:
        return is_text_list(value) ? NULL : "an array of up to 16 strings";
    case MS:
        return json_is_number(value) && json_number_value(value) >= 0 &&
                       json_number_value(value) <= MS_MAX
                   ? NULL
                   : "a number from 0 to 1000000000";
    case CHOICE:
        return json_is_string(value) && has_word(of->words, json_string_value(value)) ? NULL
                                                                                      : of->words;
    case OTHER:
        return json_is_object(value) ? NULL : "an object";
    case BASE:
        break;
    }
    return json_is_object(value) ||
                   (json_is_string(value) && strcmp(json_string_value(value), "rest") == 0)
               ? NULL
               : "\"rest\" or an object";
}

static lp_err
refuse_unknown(const char *tool, unsigned sets, const char *name, lp_problem *out)
{
    (void)lp_problem_set(
        out, LP_ECORRUPT, "%s has no argument '%s':", tool, lp_quote_text(name).text);
    for (size_t i = 0; i < LP_COUNT(arguments_of_all); i++) {
        if ((arguments_of_all[i].sets & sets) != 0) {
            size_t len = strlen(out->text);
            (void)snprintf(
                out->text + len, sizeof(out->text) - len, " %s", arguments_of_all[i].name);
        }
    }
    return LP_ECORRUPT;
}

static lp_err
check_one(const char *tool, unsigned sets, const char *name, const json_t *value, lp_problem *out)
{
    const argument *known = LP_FIND(arguments_of_all, LP_COUNT(arguments_of_all),
        (at->sets & sets) != 0 && strcmp(at->name, name) == 0);
    LP_REQUIRE(known != NULL, refuse_unknown(tool, sets, name, out));
    LP_ASSERT((known->sets & sets) != 0);
    const char *fault = json_is_null(value) ? NULL : find_fault(known, value);
    LP_REQUIRE(fault == NULL, lp_problem_set(out, LP_ECORRUPT, "%s: give %s: %s", name,
                                  known->kind == CHOICE ? "one of" : "another type", fault));
    return json_is_object(value)
               ? check_all("base", sets & (MCP_TIME | MCP_JVM | MCP_PICK | MCP_CONTEXT), value, out)
               : LP_OK;
}

static lp_err
check_all(const char *tool, unsigned sets, const json_t *arguments, lp_problem *out)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
    {
        LP_TRY(check_one(tool, sets, name, value, out));
    }
    return LP_OK;
}

lp_err
mcp_tools_check(const mcp_tool *tool, const json_t *arguments, lp_problem *out_problem)
{
    LP_ASSERT(tool >= mcp_tools && tool < mcp_tools + MCP_TOOL_COUNT);
    LP_TRY(check_all(tool->name, tool->sets, arguments, out_problem));
    for (size_t i = 0; i < LP_COUNT(arguments_of_all); i++) {
        const char *name = arguments_of_all[i].name;
        LP_REQUIRE(!has_word(tool->required, name) || find_given(arguments, name) != NULL,
            lp_problem_set(out_problem, LP_ECORRUPT, "%s needs the argument %s", tool->name, name));
    }
    return LP_OK;
}

// --- The question

lp_err
mcp_tools_each(const json_t *arguments, mcp_on_parameter *on_parameter, void *arg)
{
    for (size_t i = 0; i < LP_COUNT(arguments_of_all); i++) {
        const argument *of = &arguments_of_all[i];
        const json_t *value = find_given(arguments, of->name);
        char number[NUMBER_BYTES];
        if (value == NULL || of->parameter[0] == '\0' || is_base(of)) {
            continue;
        }
        if (of->kind == MS) {
            (void)snprintf(
                number, sizeof(number), "%" PRId64, (int64_t)(json_number_value(value) * 1e6));
            LP_TRY(on_parameter(arg, of->parameter, number));
        } else if (of->kind == TEXTS) {
            for (size_t k = 0; k < json_array_size(value); k++) {
                LP_TRY(
                    on_parameter(arg, of->parameter, json_string_value(json_array_get(value, k))));
            }
        } else {
            LP_TRY(on_parameter(arg, of->parameter, json_string_value(value)));
        }
    }
    return LP_OK;
}

// A question while its parameters are set.
typedef struct asking {
    ask_query *query;
    const mcp_tool *tool;
    const char *prefix; // of the names of parameters
    lp_problem *problem;
} asking;

static lp_err
set_one(void *arg, const char *name, const char *value)
{
    const asking *a = arg;
    LP_ASSERT(a->query != NULL && a->problem != NULL);
    char whole[PARAMETER_BYTES];
    if (a->prefix[0] == '\0' && has_word(a->tool->rest, name)) {
        return LP_OK;
    }
    int len = snprintf(whole, sizeof(whole), "%s%s", a->prefix, name);
    LP_ASSERT(len > 0 && len < PARAMETER_BYTES);
    return ask_query_set(a->query, whole, value, a->problem);
}

// names_time returns whether arguments say which time they are about.
static bool
names_time(const json_t *arguments)
{
    return find_given(arguments, "from") != NULL || find_given(arguments, "recording") != NULL;
}

// set_base sets the parameters of the base. It inherits service and time from the call.
static lp_err
set_base(asking *a, const json_t *arguments, const char *from)
{
    LP_ASSERT(a->prefix[0] == '\0');
    static const char *const shared[] = {"service", "from", "to"};
    const json_t *base = find_given(arguments, "base");
    if (json_is_string(base)) {
        return ask_query_set(a->query, "base", json_string_value(base), a->problem);
    }
    LP_REQUIRE(base != NULL, LP_OK);
    a->prefix = "base_";
    LP_TRY(mcp_tools_each(base, set_one, a));
    bool has_time = names_time(base) || find_given(base, "to") != NULL;
    for (size_t i = 0; i < LP_COUNT(shared); i++) {
        const json_t *value = find_given(arguments, shared[i]);
        if (value != NULL && find_given(base, shared[i]) == NULL && (i == 0 || !has_time)) {
            LP_TRY(set_one(a, shared[i], json_string_value(value)));
        }
    }
    return has_time || names_time(arguments) ? LP_OK : set_one(a, "from", from);
}

static lp_err
set_presets(asking *a, const json_t *arguments)
{
    LP_ASSERT(a->prefix[0] == '\0');
    for (size_t i = 0; i < LP_COUNT(presets); i++) {
        if (&mcp_tools[presets[i].tool] == a->tool &&
            find_given(arguments, presets[i].parameter) == NULL) {
            LP_TRY(ask_query_set(a->query, presets[i].parameter, presets[i].value, a->problem));
        }
    }
    return LP_OK;
}

static lp_err
set_all(asking *a, const json_t *arguments, const char *from)
{
    LP_ASSERT(a->prefix[0] == '\0' && from[0] != '\0');
    LP_TRY(mcp_tools_each(arguments, set_one, a));
    LP_TRY(set_presets(a, arguments));
    bool needs_from = (a->tool->sets & MCP_TIME) != 0 && a->tool->rest[0] == '\0';
    if (needs_from && !names_time(arguments)) {
        LP_TRY(set_one(a, "from", from));
    }
    LP_TRY(set_base(a, arguments, from));
    return ask_query_finish(a->query, a->problem);
}

lp_err
mcp_tools_ask(const mcp_tool *tool, const json_t *arguments, const char *from,
    ask_query **out_query, lp_problem *out_problem)
{
    LP_ASSERT(tool->route != NULL);
    asking a = {.tool = tool, .prefix = "", .problem = out_problem};
    lp_buf rest = {0};
    const char *words = tool->rest;
    for (lp_slice word = next_word(&words); word.len > 0; word = next_word(&words)) {
        char name[PARAMETER_BYTES];
        (void)snprintf(name, sizeof(name), "%.*s", (int)word.len, (const char *)word.ptr);
        lp_buf_append_text(&rest, rest.len == 0 ? "" : "/");
        lp_buf_append_text(&rest, json_string_value(json_object_get(arguments, name)));
    }
    lp_buf_append(&rest, "", 1);
    lp_err err = lp_buf_check(&rest);
    LP_THEN(
        err, ask_query_create(tool->route, (const char *)rest.ptr, false, &a.query, out_problem));
    lp_buf_fini(&rest);
    LP_REQUIRE(err == LP_OK, err);
    err = set_all(&a, arguments, from);
    if (err != LP_OK) {
        ask_query_destroy(a.query);
        return err;
    }
    *out_query = a.query;
    return LP_OK;
}

// --- Refusals

// find_argument returns the argument that sets a parameter; NULL if there is none.
static const argument *
find_argument(lp_slice parameter)
{
    return LP_FIND(arguments_of_all, LP_COUNT(arguments_of_all),
        parameter.len > 0 && is_word(parameter, at->parameter));
}

// name_argument appends a word of a refusal. A word without '_' that does not begin the refusal is
// no parameter: "frame" may be one of English.
static void
name_argument(lp_slice word, bool is_first, char *out_text, size_t text_bytes)
{
    static const char base[] = "base_";
    const size_t base_len = sizeof(base) - 1;
    bool is_of_base = word.len > base_len && memcmp(word.ptr, base, base_len) == 0;
    const argument *found =
        find_argument(is_of_base ? (lp_slice){word.ptr + base_len, word.len - base_len} : word);
    bool is_name = found != NULL && (is_first || memchr(word.ptr, '_', word.len) != NULL);
    size_t len = strlen(out_text);
    LP_ASSERT(len < text_bytes);
    if (is_name) {
        (void)snprintf(
            out_text + len, text_bytes - len, "%s%s", is_of_base ? "base." : "", found->name);
    } else {
        (void)snprintf(out_text + len, text_bytes - len, "%.*s", (int)word.len, word.ptr);
    }
}

void
mcp_tools_name_arguments(const char *why, char *out_text, size_t text_bytes)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    bool is_quoted = false; // a value
    LP_ASSERT(text_bytes > 0);
    out_text[0] = '\0';
    for (const char *at = why; *at != '\0';) {
        size_t len = strspn(at, letters);
        const lp_slice word = {(const uint8_t *)at, len == 0 ? 1 : len};
        is_quoted ^= *at == '\'';
        if (len > 0 && !is_quoted) {
            name_argument(word, at == why, out_text, text_bytes);
        } else {
            size_t used = strlen(out_text);
            (void)snprintf(out_text + used, text_bytes - used, "%.*s", (int)word.len, word.ptr);
        }
        at += word.len;
    }
}

json_t *
mcp_tools_carry(mcp_tool_id to, const json_t *arguments)
{
    LP_ASSERT(to < MCP_TOOL_COUNT);
    json_t *carried = json_object();
    for (size_t i = 0; i < LP_COUNT(arguments_of_all); i++) {
        const argument *of = &arguments_of_all[i];
        json_t *value = json_object_get(arguments, of->name);
        bool is_had = value != NULL && !json_is_null(value) && !is_base(of) &&
                      (of->sets & mcp_tools[to].sets) != 0 && find_fault(of, value) == NULL;
        if (is_had && json_object_set(carried, of->name, value) != 0) {
            json_decref(carried);
            return NULL;
        }
    }
    return carried;
}
