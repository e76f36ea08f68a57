// SPDX-License-Identifier: Apache-2.0
// Messages of the Model Context Protocol: each fault has the error and the status of its revision.
// Every answer of a tool fits into its limits, however long the answer of the route is, says what
// it leaves out, and proposes only calls that are valid. Costs 0.2 s.

#include "collector/mcp/mcp_answers.h"
#include "collector/mcp/mcp_message.h"
#include "collector/mcp/mcp_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SITE    "http://loupe.example:7412/tools"
#define VERSION "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""
#define META    "\"_meta\":{" VERSION ",\"io.modelcontextprotocol/clientCapabilities\":{}}"

static mcp_message
read_message(const char *body, const char *version, const char *method, const char *name)
{
    mcp_message message = {.place = {.site = SITE, .from = "1h"}};
    const mcp_head head = {.version = version, .method = method, .name = name};
    mcp_message_read(&message, (lp_slice){(const uint8_t *)body, strlen(body)}, &head);
    return message;
}

// take_json returns the answer of a message, which it ends; NULL: it is empty.
static json_t *
take_json(mcp_message *message)
{
    lp_buf out = {0};
    mcp_message_write(message, &out);
    assert_int_equal(lp_buf_check(&out), LP_OK);
    json_t *json =
        out.len == 0 ? NULL : json_loadb((const char *)out.ptr, out.len, JSON_ALLOW_NUL, NULL);
    assert_true(out.len == 0 || json != NULL);
    lp_buf_fini(&out);
    mcp_message_fini(message);
    return json;
}

static json_t *
get(json_t *json, const char *path)
{
    char copy[128];
    char *rest = NULL;
    (void)snprintf(copy, sizeof(copy), "%s", path);
    for (char *key = strtok_r(copy, ".", &rest); key != NULL; key = strtok_r(NULL, ".", &rest)) {
        json = key[0] >= '0' && key[0] <= '9' ? json_array_get(json, (size_t)atol(key))
                                              : json_object_get(json, key);
    }
    return json;
}

static const char *
get_text(json_t *json, const char *path)
{
    const char *text = json_string_value(get(json, path));
    return text == NULL ? "" : text;
}

// --- The protocol

static void
test_each_fault_has_its_error(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *version;
        const char *method;
        const char *name;
        unsigned status;
        int code; // 0: none
    } cases[] = {
        {"", NULL, NULL, NULL, 400, -32700},
        {"{\"jsonrpc\":\"2.0\",", NULL, NULL, NULL, 400, -32700},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", NULL, NULL, NULL, 400,
            -32700},
        {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", NULL, NULL, NULL, 400, -32600},
        {"1", NULL, NULL, NULL, 400, -32700},
        {"{\"id\":1,\"method\":\"ping\"}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", NULL, NULL, NULL, 400, -32600},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL, NULL, NULL, 202,
            0},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"anything\"}", "2026-07-28", NULL, NULL, 202, 0},
        // 2025-11-25
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", NULL, NULL, NULL, 200, 0},
        {"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}", "2025-06-18", NULL, NULL, 200,
            0},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "1900-01-01", NULL, NULL, 400,
            -32022},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}", NULL, NULL, NULL, 200,
            -32601},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}", NULL, NULL, NULL, 200,
            -32601},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}",
            NULL, NULL, NULL, 200, -32602},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":[]}", NULL, NULL, NULL,
            200, -32602},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"why\","
         "\"arguments\":[]}}",
            NULL, NULL, NULL, 200, -32602},
        // 2026-07-28
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
            "2026-07-28", "server/discover", NULL, 200, 0},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
            NULL, "server/discover", NULL, 400, -32020},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
            "2025-11-25", "server/discover", NULL, 400, -32020},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
            "2026-07-28", "tools/list", NULL, 400, -32020},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
            "2026-07-28", NULL, NULL, 400, -32020},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
         "call\",\"params\":{\"name\":\"why\"," META "}}",
            "2026-07-28", "tools/call", "frames", 400, -32020},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "2026-07-28", "tools/list",
            NULL, 400, -32602},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{" VERSION
         "}}}",
            "2026-07-28", "tools/list", NULL, 400, -32602},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{" META "}}", "2026-07-28",
            "ping", NULL, 404, -32601},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"," META
         "}}",
            "2026-07-28", "tools/call", "rm", 400, -32602},
        {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
         "\"io.modelcontextprotocol/protocolVersion\":\"2027-01-01\","
         "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            "2027-01-01", "tools/list", NULL, 400, -32022},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mcp_message message =
            read_message(cases[i].body, cases[i].version, cases[i].method, cases[i].name);
        unsigned status = message.status;
        assert_null(mcp_message_next(&message));
        json_t *json = take_json(&message);
        int code = (int)json_integer_value(get(json, "error.code"));
        if (status != cases[i].status || code != cases[i].code) {
            fail_msg("%s: %u, %d", cases[i].body, status, code);
        }
        assert_true((json == NULL) == (cases[i].status == 202));
        json_decref(json);
    }
}

static void
test_a_refused_version_names_the_others(void **state)
{
    (void)state;
    mcp_message message = read_message(
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}", "2020-01-01", NULL, NULL);
    json_t *json = take_json(&message);
    assert_string_equal(get_text(json, "id"), "x");
    assert_string_equal(get_text(json, "error.data.requested"), "2020-01-01");
    assert_string_equal(get_text(json, "error.data.supported.0"), "2026-07-28");
    assert_string_equal(get_text(json, "error.data.supported.1"), "2025-11-25");
    json_decref(json);
}

static void
test_both_revisions_introduce_the_server(void **state)
{
    (void)state;
    mcp_message message = read_message(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2030-01-01\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
        NULL, NULL, NULL);
    json_t *json = take_json(&message);
    assert_string_equal(get_text(json, "result.protocolVersion"), "2025-11-25");
    assert_string_equal(get_text(json, "result.serverInfo.name"), "loupe");
    assert_true(json_is_object(get(json, "result.capabilities.tools")));
    assert_null(get(json, "result.resultType"));
    json_decref(json);
    message = read_message(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}",
        "2026-07-28", "server/discover", NULL);
    json = take_json(&message);
    assert_string_equal(get_text(json, "result.resultType"), "complete");
    assert_string_equal(get_text(json, "result.supportedVersions.0"), "2026-07-28");
    assert_true(json_is_object(get(json, "result.capabilities.tools")));
    assert_true(json_is_integer(get(json, "result.ttlMs")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(get(json, "result._meta"),
                                                              "io.modelcontextprotocol/serverInfo"),
                            "name")),
        "loupe");
    json_decref(json);
}

// --- Tools

static void
test_each_tool_only_reads_and_has_what_it_needs(void **state)
{
    (void)state;
    json_t *tools = mcp_tools_json();
    assert_int_equal(json_array_size(tools), 9);
    for (size_t i = 0; i < json_array_size(tools); i++) {
        json_t *tool = json_array_get(tools, i);
        json_t *properties = get(tool, "inputSchema.properties");
        json_t *required = get(tool, "inputSchema.required");
        assert_true(json_is_true(get(tool, "annotations.readOnlyHint")));
        assert_string_equal(get_text(tool, "inputSchema.type"), "object");
        for (size_t k = 0; k < json_array_size(required); k++) {
            assert_non_null(
                json_object_get(properties, json_string_value(json_array_get(required, k))));
        }
    }
    json_decref(tools);
}

static void
test_wrong_arguments_are_told_to_the_assistant(void **state)
{
    (void)state;
    static const struct {
        const char *tool;
        const char *arguments;
        const char *told; // a part of the text
    } cases[] = {
        {"why", "{\"sevice\":\"shop\"}", "why has no argument 'sevice': service"},
        {"why", "{\"service\":7}", "service: give another type: a string"},
        {"why", "{\"where\":\"a=b\"}", "where: give another type: an array of up to 16 strings"},
        {"why", "{\"min_ms\":-1}", "min_ms: give another type: a number"},
        {"why", "{\"unit\":\"days\"}", "unit: give one of: requests contexts threads"},
        {"attributes", "{\"unit\":\"threads\"}", "unit: give one of: requests contexts"},
        {"compare", "{\"unit\":\"threads\",\"base\":{\"version\":\"7\"}}",
            "unit: give one of: requests contexts"},
        {"why", "{\"min_ms\":5,\"max_ms\":1}", "min_ms: longer than max_ms"},
        {"why", "{\"base\":{\"min_ms\":5,\"max_ms\":1}}", "base.min_ms: longer than base.max_ms"},
        {"why", "{\"where\":[\"max_duration_ns frame\"]}",
            "where 'max_duration_ns frame': not KEY"},
        {"why", "{\"base\":\"all\"}", "base: give another type: \"rest\" or an object"},
        {"why", "{\"base\":{\"unit\":\"threads\"}}", "base has no argument 'unit'"},
        {"why", "{\"from\":\"yesterday\"}", "from 'yesterday'"},
        {"why", "{\"recording\":\"7\"}", "recording '7': not an id"},
        {"why", "{\"where\":[\"no operator\"]}", "where"},
        {"frames", "{\"through\":\"(\"}", NULL}, // the question refuses it (prepare)
        {"request", "{\"recording\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
            "request needs the argument id"},
        {"request", "{\"recording\":\"a/b\",\"id\":\"1\"}", "a request is at"},
        {"trace", "{\"id\":null}", "trace needs the argument id"},
        {"compare", "{}", "compare needs the argument base"},
        {"compare", "{\"base\":\"rest\"}", "base: give another type: an object"},
        {"policy_check", "{\"text\":\"<configuration/>\",\"more\":1}",
            "policy_check has no argument"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char body[512];
        (void)snprintf(body, sizeof(body),
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
            "\"arguments\":%s}}",
            cases[i].tool, cases[i].arguments);
        mcp_message message = read_message(body, NULL, NULL, NULL);
        ask_query *query = mcp_message_next(&message);
        assert_true((query == NULL) == (cases[i].told != NULL));
        ask_query_destroy(query);
        if (query != NULL) {
            mcp_message_fini(&message);
            continue;
        }
        json_t *json = take_json(&message);
        assert_true(json_is_true(get(json, "result.isError")));
        if (strstr(get_text(json, "result.content.0.text"), cases[i].told) == NULL) {
            fail_msg("%s %s: %s", cases[i].tool, cases[i].arguments,
                get_text(json, "result.content.0.text"));
        }
        json_decref(json);
    }
}

static void
test_refusals_name_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        const char *named;
    } cases[] = {
        {"frame '(frame': not a regular expression", "through '(frame': not a regular expression"},
        {"where: no frame is min_duration_ns", "where: no frame is min_ms"},
        {"use base_from, base_max_duration_ns and so on", "use base.from, base.max_ms and so on"},
        {"base_unknown, base_: _", "base_unknown, base_: _"},
        {"", ""},
    };
    char text[64];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        mcp_tools_name_arguments(cases[i].why, text, sizeof(text));
        assert_string_equal(text, cases[i].named);
    }
    mcp_tools_name_arguments("from, base_to", text, 9);
    assert_string_equal(text, "from, ba"); // cut
}

static ask_query *
ask(mcp_tool_id tool, const char *text)
{
    json_t *arguments = json_loads(text, 0, NULL);
    lp_problem problem;
    ask_query *query = NULL;
    assert_non_null(arguments);
    lp_err err = mcp_tools_check(&mcp_tools[tool], arguments, &problem);
    LP_THEN(
        err, mcp_tools_ask(&mcp_tools[tool], arguments, "1767000000000001000", &query, &problem));
    if (err != LP_OK) {
        fail_msg("%s: %s", text, problem.text);
    }
    json_decref(arguments);
    return query;
}

// The route of a tool takes each unit that the tool offers.
static void
test_each_unit_can_be_asked_for(void **state)
{
    (void)state;
    size_t asked = 0;
    json_t *tools = mcp_tools_json();
    for (size_t i = 0; i < MCP_TOOL_COUNT; i++) {
        const json_t *units = get(json_array_get(tools, i), "inputSchema.properties.unit.enum");
        for (size_t k = 0; k < json_array_size(units); k++, asked++) {
            char text[128];
            (void)snprintf(text, sizeof(text), "{\"unit\":\"%s\"%s}",
                json_string_value(json_array_get(units, k)),
                i == MCP_TOOL_frames ? "" : ",\"base\":{\"version\":\"7\"}");
            ask_query_destroy(ask((mcp_tool_id)i, text));
        }
    }
    assert_int_equal(asked, 3 + 2 + 3 + 2); // why, attributes, frames, compare
    json_decref(tools);
    json_t *given = json_pack("{s:s, s:s}", "unit", "threads", "service", "shop");
    json_t *carried = mcp_tools_carry(MCP_TOOL_attributes, given);
    assert_null(json_object_get(carried, "unit"));
    assert_string_equal(get_text(carried, "service"), "shop");
    json_decref(carried);
    json_decref(given);
}

static void
test_arguments_become_parameters(void **state)
{
    (void)state;
    ask_query *query = ask(MCP_TOOL_why,
        "{\"service\":\"shop\",\"where\":[\"a=1\",\"b>=2\"],\"min_ms\":1.5,\"version\":null,"
        "\"base\":{\"version\":\"7\"}}");
    const query_selection *selection = &query->asked.selection;
    const query_selection *base = &query->asked.base;
    assert_int_equal(selection->unit, QUERY_UNIT_REQUESTS);
    assert_string_equal(selection->service, "shop");
    assert_int_equal(selection->where_count, 2);
    assert_int_equal(selection->min_duration_ns, 1500000);
    assert_int_equal(selection->from_wall_ns, 1767000000000001000);
    assert_null(selection->version);
    assert_string_equal(base->service, "shop"); // of the call
    assert_string_equal(base->version, "7");
    assert_int_equal(base->from_wall_ns, 1767000000000001000);
    ask_query_destroy(query);
    query = ask(MCP_TOOL_attributes,
        "{\"from\":\"1767000000000000020\",\"to\":\"1767000000000000030\",\"unit\":\"contexts\","
        "\"base\":{\"service\":\"bank\",\"to\":\"1767000000000000015\"}}");
    assert_int_equal(query->asked.selection.unit, QUERY_UNIT_CONTEXTS);
    assert_int_equal(query->asked.selection.from_wall_ns, 1767000000000000020);
    assert_string_equal(query->asked.base.service, "bank");
    assert_int_equal(query->asked.base.from_wall_ns, INT64_MIN); // its own time
    assert_int_equal(query->asked.base.to_wall_ns, 1767000000000000015);
    ask_query_destroy(query);
    query = ask(MCP_TOOL_request,
        "{\"recording\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"id\":\"000000000000002e\"}");
    assert_int_equal(query->asked.selection.request, 0x2e);
    assert_int_equal(query->asked.selection.from_wall_ns, INT64_MIN);
    ask_query_destroy(query);
    query = ask(MCP_TOOL_frames, "{\"recording\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}");
    assert_int_equal(query->asked.selection.from_wall_ns, INT64_MIN); // all of it
    ask_query_destroy(query);
}

// --- Answers

enum { MANY = 1000 };

// long_text returns a text with characters that end cells, code and JSON.
static json_t *
long_text(char end)
{
    char text[2048];
    memset(text, 'x', sizeof(text));
    memcpy(text, "a|b`c\"d\n\xc3\xa4", 10);
    text[sizeof(text) - 2] = end;
    text[sizeof(text) - 1] = '\0';
    return json_string(text);
}

static json_t *
repeat(json_t *item, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(json_array_append(array, item), 0);
    }
    json_decref(item);
    return array;
}

static json_t *
make_why(void)
{
    json_t *frame = json_pack("{s:o, s:o, s:I, s:I}", "frame", long_text('f'), "via",
        long_text('v'), "total_ns", (json_int_t)1000, "events", (json_int_t)1);
    json_t *slice = json_pack("{s:s, s:I, s:I, s:I, s:b, s:o}", "category", "lock", "total_ns",
        (json_int_t)1000, "per_request_ns", (json_int_t)10, "events", (json_int_t)3, "is_count", 0,
        "top", repeat(frame, 5));
    json_t *repeated = json_pack("{s:s, s:o, s:I, s:I, s:I, s:I}", "category", "io", "frame",
        long_text('r'), "requests", (json_int_t)1, "per_request", (json_int_t)50, "total_ns",
        (json_int_t)7, "each_ns", (json_int_t)1);
    return json_pack("{s:I, s:I, s:o, s:o}", "requests", (json_int_t)MANY, "total_ns",
        (json_int_t)1000000, "slices", repeat(slice, 100), "repeated", repeat(repeated, 100));
}

static json_t *
make_list(const char *columns, json_t *row)
{
    json_t *names = json_loads(columns, 0, NULL);
    assert_non_null(names);
    return json_pack("{s:s, s:o, s:o, s:I, s:I, s:I, s:s, s:{}, s:{s:b}}", "t0_ns",
        "1767323045123456789", "columns", names, "rows", repeat(row, MANY), "matched",
        (json_int_t)212000, "p50_ns", (json_int_t)1000000, "p99_ns", (json_int_t)90000000, "state",
        "kept", "recordings", "searched", "is_whole", 1);
}

static json_t *
make_request(void)
{
    json_t *event = json_pack("[s, I, I, s, [o]]", "jdk.JavaMonitorEnter", (json_int_t)1,
        (json_int_t)500, "exec-1", long_text('s'));
    json_t *owner =
        json_pack("{s:s, s:o, s:I, s:I, s:I, s:[]}", "thread", "exec-2", "monitor", long_text('m'),
            "had", (json_int_t)5, "start", (json_int_t)10, "end", (json_int_t)20, "owners");
    json_t *task = json_pack(
        "{s:s, s:o, s:I}", "from", "exec-1", "pool", long_text('p'), "duration", (json_int_t)900);
    json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:I, s:o, s:o, s:o, s:{s:o}}", "t0_ns",
        "1767323045000000000", "recording", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "id",
        "000000000000002e", "type", long_text('t'), "duration", (json_int_t)1000, "owners",
        repeat(owner, 100), "hand_overs", repeat(task, 100), "why", make_why(), "events", "rows",
        repeat(event, MANY));
    json_t *attributes = json_object();
    for (size_t i = 0; i < 64; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "key%zu", i);
        assert_int_equal(json_object_set_new(attributes, name, long_text('w')), 0);
    }
    assert_int_equal(json_object_set_new(attributes, "trace.id", json_string("4bf9")), 0);
    assert_int_equal(json_object_set_new(attributes, "http_route", json_string("/a`b")), 0);
    assert_int_equal(json_object_set_new(json, "attributes", attributes), 0);
    return json;
}

static json_t *
make_graph(void)
{
    json_t *json = json_pack("{s:s, s:s, s:I, s:I, s:[], s:[], s:[], s:[], s:[]}", "of", "time",
        "unit", "ns", "requests", (json_int_t)3, "total", (json_int_t)MANY, "names", "level",
        "name", "value", "self");
    for (int i = 0; i < MANY; i++) { // one deep stack trace
        assert_int_equal(json_array_append_new(get(json, "names"), long_text('n')), 0);
        assert_int_equal(json_array_append_new(get(json, "level"), json_integer(i)), 0);
        assert_int_equal(json_array_append_new(get(json, "name"), json_integer(i)), 0);
        assert_int_equal(json_array_append_new(get(json, "value"), json_integer(MANY - i)), 0);
        assert_int_equal(json_array_append_new(get(json, "self"), json_integer(1)), 0);
    }
    return json;
}

static json_t *
make_services(void)
{
    return json_pack("{s:o}", "services",
        repeat(json_pack("{s:s, s:i, s:[{s:o}], s:{s:i, s:i, s:I, s:I, s:{s:s, s:f}}}", "service",
                   "a/b", "jvms", 3, "versions", "version", long_text('v'), "requests",
                   "requests_in", 5, "requests_out", 2, "p50_ns", (json_int_t)5, "p99_ns",
                   (json_int_t)50, "top", "category", "lock", "share", 0.5),
            100));
}

static json_t *
make_attributes(void)
{
    json_t *value = json_pack("{s:o, s:i, s:i, s:f, s:i}", "value", long_text('v'), "count", 5,
        "base_count", 1, "lift", 4.5, "p99_ns", 5000000);
    json_t *keys =
        repeat(json_pack("{s:o, s:o}", "key", long_text('k'), "values", repeat(value, 10)), 100);
    assert_int_equal(
        json_array_append_new(keys, json_pack("{s:s, s:[{s:s, s:i, s:f}]}", "key", "route",
                                        "values", "value", "/a`b", "count", 1, "lift", 9.0)),
        0);
    return json_pack("{s:i, s:i, s:o}", "contexts", 10, "base_contexts", 100, "keys", keys);
}

static json_t *
make_comparison(void)
{
    static const char side[] = "{\"count\":100,\"mean_ns\":10,\"p50_ns\":5,\"p99_ns\":50}";
    json_t *value = json_pack("{s:o, s:o, s:n, s:{s:s, s:n, s:s}}", "value", long_text('v'), "here",
        json_loads(side, 0, NULL), "base", "verdicts", "mean", "slower", "p50", "p99", "slower");
    json_t *type = json_pack("{s:s, s:o, s:o, s:{s:s}, s:[{s:s, s:o}]}", "type", "shop.Order",
        "here", json_loads(side, 0, NULL), "base", json_loads(side, 0, NULL), "verdicts", "p99",
        "slower", "attributes", "key", "route", "values", repeat(value, 100));
    return json_pack("{s:s, s:o}", "unit", "requests", "types", json_pack("[o]", type));
}

static json_t *
make_answer(mcp_tool_id tool)
{
    static const char contexts[] =
        "[\"recording\",\"type\",\"start\",\"duration\",\"triggers\",\"blocked\",\"thread\",\"id\","
        "\"attr.a\",\"attr.b\"]";
    static const char requests[] = "[\"recording\",\"type\",\"start\",\"duration\",\"busy\","
                                   "\"queued\",\"elsewhere\",\"parts\","
                                   "\"state\",\"kept_by\",\"id\",\"attr.a\"]";
    switch (tool) {
    case MCP_TOOL_services:
        return make_services();
    case MCP_TOOL_slow_requests:
        return make_list(requests,
            json_pack("[s, s, I, I, I, I, I, I, s, s, s, o]", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "shop.Order", (json_int_t)0, (json_int_t)9000000, (json_int_t)1, (json_int_t)2,
                (json_int_t)3, (json_int_t)4, "over", "slow", "000000000000002e", long_text('a')));
    case MCP_TOOL_why:
        return make_why();
    case MCP_TOOL_request:
        return make_request();
    case MCP_TOOL_trace:
        return make_list(contexts,
            json_pack("[s, s, I, I, I, I, s, s, o, f]", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "shop.Order", (json_int_t)0, (json_int_t)9000000, (json_int_t)1, (json_int_t)2, "t",
                "id", long_text('a'), 1.5));
    case MCP_TOOL_attributes:
        return make_attributes();
    case MCP_TOOL_frames:
        return make_graph();
    case MCP_TOOL_compare:
        return make_comparison();
    case MCP_TOOL_policy_check:
    case MCP_TOOL_COUNT:
        break;
    }
    return NULL;
}

// call_with calls a tool, and answers its questions with the answer. Returns the result.
static json_t *
call_with(mcp_tool_id tool, const char *arguments, const json_t *answer)
{
    char body[4096];
    lp_buf bytes = {0};
    char *text = json_dumps(answer, JSON_COMPACT);
    assert_non_null(text);
    (void)snprintf(body, sizeof(body),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\","
        "\"arguments\":%s}}",
        mcp_tools[tool].name, arguments);
    mcp_message message = read_message(body, NULL, NULL, NULL);
    ask_query *query = mcp_message_next(&message);
    assert_non_null(query);
    while (query != NULL) {
        json_t *second = query->route == &ask_why_route && tool != MCP_TOOL_why ? make_why() : NULL;
        char *other = second == NULL ? NULL : json_dumps(second, JSON_COMPACT);
        const char *sent = other == NULL ? text : other;
        ask_query_destroy(query);
        mcp_message_add(&message, (lp_slice){(const uint8_t *)sent, strlen(sent)});
        free(other);
        json_decref(second);
        query = mcp_message_next(&message);
    }
    free(text);
    lp_buf_fini(&bytes);
    json_t *json = take_json(&message);
    json_t *result = json_incref(json_object_get(json, "result"));
    json_decref(json);
    assert_true(json_is_false(json_object_get(result, "isError")));
    return result;
}

static const char *
arguments_of(mcp_tool_id tool)
{
    return tool == MCP_TOOL_request
               ? "{\"recording\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"id\":\"000000000000002e\"}"
           : tool == MCP_TOOL_trace    ? "{\"id\":\"4bf9\"}"
           : tool == MCP_TOOL_compare  ? "{\"service\":\"a/b\",\"base\":{\"version\":\"1\"}}"
           : tool == MCP_TOOL_services ? "{}"
                                       : "{\"service\":\"a/b\",\"from\":\"10m\"}";
}

// check_next checks that each proposed call is valid, and that the text has it as it is; a call
// with backquotes is checked by test_no_value_ends_the_code_of_a_proposed_call.
static void
check_next(json_t *result, const char *text)
{
    json_t *next = get(result, "structuredContent.next");
    if (json_array_size(next) == 0) {
        fail_msg("no next call: %s", text);
    }
    for (size_t i = 0; i < json_array_size(next); i++) {
        json_t *one = json_array_get(next, i);
        const mcp_tool *tool = mcp_tools_find(get_text(one, "tool"));
        lp_problem problem = {.text = ""};
        ask_query *query = NULL;
        assert_non_null(tool);
        json_t *arguments = json_object_get(one, "arguments");
        lp_err err = mcp_tools_check(tool, arguments, &problem);
        LP_THEN(err, mcp_tools_ask(tool, arguments, "1h", &query, &problem));
        if (err != LP_OK) {
            fail_msg("%s: %s", tool->name, problem.text);
        }
        ask_query_destroy(query);
        char *dumped = json_dumps(arguments, JSON_COMPACT | JSON_SORT_KEYS);
        if (strchr(dumped, '`') == NULL) {
            assert_non_null(strstr(text, dumped));
        }
        free(dumped);
    }
}

static void
test_every_answer_fits_and_tells_what_is_missing(void **state)
{
    (void)state;
    for (mcp_tool_id tool = 0; tool < MCP_TOOL_policy_check; tool++) {
        json_t *answer = make_answer(tool);
        assert_non_null(answer);
        assert_int_equal(json_object_set_new(answer, "is_truncated", json_true()), 0);
        assert_int_equal(
            json_object_set_new(answer, "left_out", json_pack("{s:i}", "chunks", 3)), 0);
        json_t *result = call_with(tool, arguments_of(tool), answer);
        const char *text = get_text(result, "content.0.text");
        json_t *structured = get(result, "structuredContent");
        size_t bytes = json_dumpb(get(structured, "answer"), NULL, 0, JSON_COMPACT);
        if (strlen(text) > MCP_PAGE_BYTES_MAX || strlen(text) < 500) {
            fail_msg("%s: %zu bytes: %s", mcp_tools[tool].name, strlen(text), text);
        }
        assert_non_null(strstr(text, " of "));
        assert_non_null(strstr(text, "**A limit of the collector was reached"));
        assert_non_null(strstr(text, "**3 chunks could not be read.**"));
        assert_non_null(strstr(text, "\nPage: " SITE "/"));
        assert_true(bytes <= MCP_PAGE_JSON_BYTES_MAX);
        assert_true(json_object_size(get(structured, "cut")) > 0);
        check_next(result, text);
        json_decref(result);
        json_decref(answer);
    }
}

static void
test_an_empty_answer_proposes_what_may_find_more(void **state)
{
    (void)state;
    static const mcp_tool_id tools[] = {MCP_TOOL_services, MCP_TOOL_slow_requests};
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        json_t *answer = json_object();
        json_t *result = call_with(tools[i], arguments_of(tools[i]), answer);
        check_next(result, get_text(result, "content.0.text"));
        json_decref(result);
        json_decref(answer);
    }
}

// find_next returns the arguments of the proposed call of a tool with a reason; NULL: none.
static json_t *
find_next(json_t *result, const char *tool, const char *shows)
{
    json_t *next = get(result, "structuredContent.next");
    for (size_t i = 0; i < json_array_size(next); i++) {
        json_t *one = json_array_get(next, i);
        if (strcmp(get_text(one, "tool"), tool) == 0 &&
            strcmp(get_text(one, "shows"), shows) == 0) {
            return json_object_get(one, "arguments");
        }
    }
    return NULL;
}

static void
test_calls_about_threads_have_no_arguments_of_requests(void **state)
{
    (void)state;
    static const struct {
        mcp_tool_id tool;
        const char *shows;
    } cases[] = {
        {MCP_TOOL_why, "the work of the threads of that pool"},
        {MCP_TOOL_slow_requests, "without requests: where the time of threads went"},
    };
    json_t *queued = json_pack("{s:[{s:s, s:I, s:[{s:s}]}]}", "slices", "category", "queued",
        "total_ns", (json_int_t)5, "top", "frame", "exec-*");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *result = call_with(cases[i].tool,
            "{\"service\":\"a\",\"version\":\"7\",\"from\":\"3h\",\"to\":\"2h\",\"context\":"
            "\"Order\","
            "\"where\":[\"a=1\"],\"min_ms\":5,\"max_ms\":9,\"trace\":\"4bf9\"}",
            queued);
        check_next(result, get_text(result, "content.0.text"));
        json_t *arguments = find_next(result, "why", cases[i].shows);
        assert_string_equal(get_text(arguments, "unit"), "threads");
        assert_string_equal(get_text(arguments, "service"), "a");
        assert_string_equal(get_text(arguments, "version"), "7");
        assert_string_equal(get_text(arguments, "from"), "3h");
        assert_string_equal(get_text(arguments, "to"), "2h");
        json_decref(result);
    }
    json_decref(queued);
}

static void
test_an_empty_answer_proposes_no_shorter_time(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        bool is_proposed;
    } cases[] = {
        {"{}", true},
        {"{\"from\":\"10m\"}", true},
        {"{\"from\":\"3h\",\"to\":\"2h\"}", true},
        {"{\"from\":\"2d\"}", false},
        {"{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\"}", false},
        {"{\"recording\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}", false},
    };
    json_t *answer = json_object();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *result = call_with(MCP_TOOL_slow_requests, cases[i].arguments, answer);
        check_next(result, get_text(result, "content.0.text"));
        if ((find_next(result, "slow_requests", "the last day") != NULL) != cases[i].is_proposed) {
            fail_msg("%s: %s", cases[i].arguments, get_text(result, "content.0.text"));
        }
        json_decref(result);
    }
    json_decref(answer);
}

static void
test_no_value_ends_the_code_of_a_proposed_call(void **state)
{
    (void)state;
    static const char value[] = "/a``b`c\xe2\x80\xa8";
    json_t *answer = json_pack("{s:[{s:s, s:[{s:s, s:i}]}]}", "keys", "key", "http_route", "values",
        "value", value, "count", 1);
    json_t *result = call_with(MCP_TOOL_attributes, "{\"service\":\"a\"}", answer);
    const char *text = strstr(get_text(result, "content.0.text"), "\nNext:\n");
    assert_non_null(text);
    assert_null(strstr(text, "``"));
    assert_null(strstr(text, "\xe2\x80\xa8"));
    const char *begin = strchr(text, '{');
    const char *end = begin == NULL ? NULL : strchr(begin, '\n');
    assert_non_null(end);
    assert_int_equal(end[-1], '`');
    json_t *arguments = json_loadb(begin, (size_t)(end - begin) - 1, 0, NULL);
    assert_string_equal(get_text(arguments, "where.0"), "http_route=/a``b`c\xe2\x80\xa8");
    json_decref(arguments);
    json_decref(result);
    json_decref(answer);
}

static void
test_a_value_may_have_a_zero(void **state)
{
    (void)state;
    json_t *answer = json_pack("{s:[{s:s, s:[{s:o, s:i}]}]}", "keys", "key", "path", "values",
        "value", json_stringn("/a\0b", 4), "count", 1);
    json_t *result = call_with(MCP_TOOL_attributes, "{\"service\":\"a\"}", answer);
    const json_t *value = get(result, "structuredContent.answer.keys.0.values.0.value");
    assert_int_equal(json_string_length(value), 4);
    assert_memory_equal(json_string_value(value), "/a\0b", 4);
    json_decref(result);
    json_decref(answer);
}

// count_text returns how often text has a part.
static size_t
count_text(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

// A request with many events and hand-overs. Long attributes leave no room for some of them.
static json_t *
make_busy_request(size_t attribute_count)
{
    json_t *event =
        json_pack("[s, I, I, s, n]", "jdk.ThreadPark", (json_int_t)1, (json_int_t)500, "exec-1");
    json_t *task = json_pack(
        "{s:s, s:s, s:I}", "from", "exec-1", "pool", "exec-*", "duration", (json_int_t)900);
    json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:i, s:{}, s:o, s:{s:o}}", "t0_ns", "0",
        "recording", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "id", "000000000000002e", "type", "Order",
        "duration", 1000, "attributes", "hand_overs", repeat(task, 7), "events", "rows",
        repeat(event, 5));
    for (size_t i = 0; i < attribute_count; i++) {
        char name[32];
        (void)snprintf(name, sizeof(name), "key%zu", i);
        assert_int_equal(json_object_set_new(get(json, "attributes"), name, long_text('w')), 0);
    }
    return json;
}

static void
test_a_request_tells_what_does_not_fit(void **state)
{
    (void)state;
    for (size_t attributes = 0; attributes < 30; attributes++) {
        json_t *answer = make_busy_request(attributes);
        json_t *result = call_with(MCP_TOOL_request, arguments_of(MCP_TOOL_request), answer);
        const char *text = get_text(result, "content.0.text");
        char told[64];
        size_t events = count_text(text, "`jdk.ThreadPark`");
        (void)snprintf(told, sizeof(told), "\n%zu of 5 events", events);
        if (events < 5 && strstr(text, told) == NULL) {
            fail_msg("%zu attributes, %zu events: %s", attributes, events, text);
        }
        assert_true((events > 0) == (strstr(text, "Longest events:") != NULL));
        size_t tasks = count_text(text, "handed over by");
        (void)snprintf(told, sizeof(told), "\n%zu of 7 tasks", tasks);
        assert_non_null(strstr(text, told));
        size_t shown = count_text(text, "\n- `key");
        (void)snprintf(told, sizeof(told), "\n%zu of %zu attributes", shown, attributes);
        assert_true(shown == attributes || strstr(text, told) != NULL);
        assert_true(attributes < 20 || events > 0); // long attributes leave room for the cause
        json_decref(result);
        json_decref(answer);
    }
}

static void
test_a_trace_is_seen_or_unknown(void **state)
{
    (void)state;
    static const struct {
        const char *state;
        const char *told;
    } cases[] = {{"eliminated", "seen, nothing happened"}, {"eliminated", "loupe pin"},
        {"unknown", "that you may read"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_t *answer = json_pack(
            "{s:s, s:[], s:{s:b}}", "state", cases[i].state, "rows", "searched", "is_whole", 1);
        json_t *result = call_with(MCP_TOOL_trace, "{\"id\":\"4bf9\"}", answer);
        assert_non_null(strstr(get_text(result, "content.0.text"), cases[i].told));
        json_decref(result);
        json_decref(answer);
    }
}

static void
test_a_failed_question_is_told_to_the_assistant(void **state)
{
    (void)state;
    mcp_message message = read_message(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"why\"}}",
        NULL, NULL, NULL);
    ask_query_destroy(mcp_message_next(&message));
    mcp_message_fail(&message, "too many questions");
    assert_null(mcp_message_next(&message));
    json_t *json = take_json(&message);
    assert_true(json_is_true(get(json, "result.isError")));
    assert_string_equal(get_text(json, "result.content.0.text"), "too many questions");
    json_decref(json);
}

static void
test_a_policy_is_checked(void **state)
{
    (void)state;
    mcp_message message = read_message(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
        "\"policy_check\",\"arguments\":{\"text\":\"<configuration version='2.0'><event "
        "name='jdk.ThreadPark'><setting name='select'>sometimes</setting></event>"
        "</configuration>\"}}}",
        NULL, NULL, NULL);
    assert_null(mcp_message_next(&message));
    json_t *json = take_json(&message);
    assert_int_equal(json_integer_value(get(json, "result.structuredContent.problem_count")), 1);
    assert_non_null(strstr(get_text(json, "result.content.0.text"), "sometimes"));
    json_decref(json);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fault_has_its_error),
        cmocka_unit_test(test_a_refused_version_names_the_others),
        cmocka_unit_test(test_both_revisions_introduce_the_server),
        cmocka_unit_test(test_each_tool_only_reads_and_has_what_it_needs),
        cmocka_unit_test(test_wrong_arguments_are_told_to_the_assistant),
        cmocka_unit_test(test_refusals_name_arguments),
        cmocka_unit_test(test_each_unit_can_be_asked_for),
        cmocka_unit_test(test_arguments_become_parameters),
        cmocka_unit_test(test_every_answer_fits_and_tells_what_is_missing),
        cmocka_unit_test(test_an_empty_answer_proposes_what_may_find_more),
        cmocka_unit_test(test_calls_about_threads_have_no_arguments_of_requests),
        cmocka_unit_test(test_an_empty_answer_proposes_no_shorter_time),
        cmocka_unit_test(test_no_value_ends_the_code_of_a_proposed_call),
        cmocka_unit_test(test_a_value_may_have_a_zero),
        cmocka_unit_test(test_a_request_tells_what_does_not_fit),
        cmocka_unit_test(test_a_trace_is_seen_or_unknown),
        cmocka_unit_test(test_a_failed_question_is_told_to_the_assistant),
        cmocka_unit_test(test_a_policy_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
