// SPDX-License-Identifier: Apache-2.0
// http_policies: the policies in force, and the policy files with faults.
//
// Tests:   tests/unit/collector/http/test_http.c

#include "collector/http/routes/http_access.h"
#include "collector/http/routes/http_call.h"
#include "collector/http/wire/http_reply.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

// add_time adds a time as text and as KEY_ns.
static void
add_time(json_t *object, const char *key, int64_t wall_ns)
{
    char text[LP_TIME_BYTES];
    char key_ns[32];
    lp_time_format(wall_ns, text);
    (void)snprintf(key_ns, sizeof(key_ns), "%s_ns", key);
    (void)json_object_set_new(object, key, json_string(text));
    (void)json_object_set_new(object, key_ns, json_integer(wall_ns));
}

// add_source adds the file of a policy. NULL: none, defaults apply.
static void
add_source(json_t *object, const policy_file *file)
{
    if (file == NULL) {
        (void)json_object_set_new(object, "file", json_null());
        return;
    }
    char id[20];
    (void)snprintf(id, sizeof(id), "%016" PRIx64, policy_file_get_id(file));
    (void)json_object_set_new(object, "file", http_reply_text_json(policy_file_get_path(file)));
    (void)json_object_set_new(object, "id", json_string(id));
    add_time(object, "read", policy_file_get_read_wall_ns(file));
}

// add_refused adds the fault in the present content of a file; null if it has none.
static void
add_refused(json_t *object, const policy_dir_entry *entry)
{
    if (entry == NULL || entry->refused.text[0] == '\0') {
        (void)json_object_set_new(object, "refused", json_null());
        return;
    }
    json_t *refused = json_pack("{s:o, s:o}", "file", http_reply_text_json(entry->path), "problem",
        http_reply_text_json(entry->refused.text));
    add_time(refused, "since", entry->refused_wall_ns);
    (void)json_object_set_new(object, "refused", refused);
}

// --- The list.

static json_t *
entry_json(const char *name, const policy_file *file, const policy_dir_entry *entry)
{
    json_t *json = json_pack("{s:o}", "name", http_reply_text_json(name));
    add_source(json, file);
    add_refused(json, entry);
    return json;
}

// Lists the policies of the services that the caller may read, and the default policy.
enum MHD_Result
http_policies_list(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    policy_dir_entries entries = {0};
    policy_dir *dir = call->shared->config.policies;
    lp_err err = dir == NULL ? LP_OK : policy_dir_list(dir, &entries);
    json_t *list = json_array();
    for (size_t i = 0; i < entries.count; i++) {
        const policy_dir_entry *entry = &entries.items[i];
        if (http_access_is_default_policy(entry->name) ||
            access_caller_may(&call->caller, ACCESS_READ, entry->name)) {
            (void)json_array_append_new(list, entry_json(entry->name, entry->file, entry));
        }
    }
    policy_dir_entries_fini(&entries);
    if (err != LP_OK) {
        json_decref(list);
        list = NULL;
    }
    return http_reply_json(call->connection, MHD_HTTP_OK, json_pack("{s:o}", "policies", list));
}

// --- One policy.

typedef struct event_list {
    json_t *events;
    json_t *settings; // of the last of them
    const char *name;
} event_list;

// on_setting begins a new entry when the event's name changes: the order of patterns matters.
static void
on_setting(void *arg, const char *event, const char *setting, const char *value)
{
    event_list *list = arg;
    if (list->name == NULL || strcmp(list->name, event) != 0) {
        list->name = event;
        list->settings = json_object();
        (void)json_array_append_new(
            list->events, json_pack("{s:o, s:o}", "event", http_reply_text_json(event), "settings",
                              list->settings));
    }
    (void)json_object_set_new(list->settings, setting, http_reply_text_json(value));
}

// find_refused returns the entry of service's policy file, faulty or not; NULL: none.
static const policy_dir_entry *
find_refused(const policy_dir_entries *entries, const char *service)
{
    LP_ASSERT(service != NULL);
    const policy_dir_entry *found =
        LP_FIND(entries->items, entries->count, strcmp(at->name, service) == 0);
    return found != NULL
               ? found
               : LP_FIND(entries->items, entries->count, http_access_is_default_policy(at->name));
}

enum MHD_Result
http_policies_show(http_call *call)
{
    http_call_check(call, HTTP_NEED_NOTHING);
    LP_ASSERT(call->route.service != NULL);
    policy_dir_entries entries = {0};
    policy_dir *dir = call->shared->config.policies;
    const char *service = call->route.service;
    lp_err err = dir == NULL ? LP_OK : policy_dir_list(dir, &entries);
    policy_file *file = policy_dir_find(dir, service);
    json_t *json = json_pack("{s:o}", "service", http_reply_text_json(service));
    add_source(json, file);
    add_refused(json, find_refused(&entries, service));
    event_list list = {.events = json_array()};
    if (file != NULL) {
        policy_file_each(file, on_setting, &list);
    }
    (void)json_object_set_new(json, "events", list.events);
    policy_file_unref(file);
    policy_dir_entries_fini(&entries);
    if (err != LP_OK) {
        json_decref(json);
        json = NULL;
    }
    return http_reply_json(call->connection, MHD_HTTP_OK, json);
}
