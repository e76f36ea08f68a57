// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/peers/recall_news.h"

#include "collector/base/metrics.h"
#include "collector/recall/pin/pin_json.h"
#include "common/base/lp_assert.h"

#include <stdlib.h>
#include <string.h>

// --- Writing

static void
on_pin(void *arg, const pin *of)
{
    json_t *item = pin_json_write(of);
    if (item != NULL) {
        (void)json_array_append_new(arg, item);
    }
}

// The services to tell.
typedef struct service_list {
    json_t *items;
    size_t left_bytes;
} service_list;

// measure returns the bytes of an item of a list in an answer, which is indented.
static size_t
measure(const json_t *item)
{
    enum { INDENT_BYTES = 64 }; // by which it is deeper there
    char ignored[1];
    return json_dumpb(item, ignored, sizeof(ignored), JSON_INDENT(2)) + INDENT_BYTES;
}

static void
on_service(void *arg, const raw_list_service *of)
{
    service_list *to = arg;
    json_t *dropped = json_array();
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        (void)json_array_append_new(dropped, json_integer((json_int_t)of->dropped[i]));
    }
    json_t *item = json_pack("{s:s, s:o, s:I, s:I, s:o}", "name", of->name, "from",
        of->from_wall_ns == INT64_MAX ? json_null() : json_integer(of->from_wall_ns), "chunks",
        (json_int_t)of->chunks, "bytes", (json_int_t)of->bytes, "dropped", dropped);
    size_t bytes = item == NULL ? SIZE_MAX : measure(item);
    if (bytes > to->left_bytes) {
        json_decref(item);
        metrics_add(METRICS_recall_services_untold, 1);
        return;
    }
    to->left_bytes -= bytes;
    (void)json_array_append_new(to->items, item);
}

// add_services adds the services for which the pins leave room.
static void
add_services(raw_list *raw, const json_t *all_pins, json_t *services)
{
    size_t bytes = 0;
    for (size_t i = 0; i < json_array_size(all_pins); i++) {
        bytes += measure(json_array_get(all_pins, i));
    }
    service_list list = {.items = services,
        .left_bytes = bytes < RECALL_NEWS_BYTES_MAX ? RECALL_NEWS_BYTES_MAX - bytes : 0};
    raw_list_each(raw, on_service, &list);
}

static json_t *
ids_json(trace_ids *ids, trace_ids_mark mark)
{
    uint64_t *room = malloc(TRACE_IDS_READ_MAX * sizeof(*room));
    LP_REQUIRE(room != NULL, NULL);
    size_t count;
    uint64_t missed = trace_ids_read(ids, &mark, room, &count);
    LP_ASSERT(count <= TRACE_IDS_READ_MAX);
    json_t *hashes = json_array();
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(hashes, json_integer((json_int_t)room[i]));
    }
    free(room);
    return json_pack("{s:I, s:I, s:I, s:o}", "run", (json_int_t)mark.run, "next",
        (json_int_t)mark.next, "missed", (json_int_t)missed, "hashes", hashes);
}

json_t *
recall_news_write(pins *of, raw_list *raw, trace_ids *ids, trace_ids_mark since)
{
    LP_ASSERT(of != NULL && raw != NULL && ids != NULL);
    json_t *all_pins = json_array();
    json_t *services = json_array();
    if (all_pins != NULL && services != NULL) {
        pins_each(of, on_pin, all_pins);
        add_services(raw, all_pins, services);
    }
    return json_pack(
        "{s:o, s:o, s:o}", "pins", all_pins, "services", services, "ids", ids_json(ids, since));
}

// --- Reading

void
recall_news_fini(recall_news *self)
{
    LP_VEC_FINI(&self->pins);
    LP_VEC_FINI_EACH(&self->services, free((char *)(uintptr_t)at->name));
    LP_VEC_FINI(&self->ids);
}

static lp_err
read_pins(json_t *items, recall_news *out)
{
    for (size_t i = 0; i < json_array_size(items) && i < PINS_MAX; i++) {
        pin found;
        if (pin_json_read(json_array_get(items, i), &found)) {
            LP_TRY(LP_VEC_ADD(&out->pins, found));
        }
    }
    return LP_OK;
}

static lp_err
read_service(json_t *item, recall_news *out)
{
    const char *name;
    json_t *from;
    json_t *dropped;
    json_int_t chunks;
    json_int_t bytes;
    if (json_unpack(item, "{s:s, s:o, s:I, s:I, s:o}", "name", &name, "from", &from, "chunks",
            &chunks, "bytes", &bytes, "dropped", &dropped) != 0 ||
        chunks < 0 || bytes < 0) {
        return LP_OK;
    }
    raw_list_service made = {.name = strdup(name),
        .from_wall_ns = json_is_integer(from) ? json_integer_value(from) : INT64_MAX,
        .chunks = (uint64_t)chunks,
        .bytes = (uint64_t)bytes};
    for (size_t i = 0; i < RAW_LIST_WHY_COUNT; i++) {
        json_int_t count = json_integer_value(json_array_get(dropped, i)); // 0: it is not there
        made.dropped[i] = count < 0 ? 0 : (uint64_t)count;
    }
    lp_err err = made.name == NULL ? LP_ENOMEM : LP_VEC_ADD(&out->services, made);
    if (err != LP_OK) {
        free((char *)(uintptr_t)made.name);
    }
    return err;
}

static lp_err
read_services(json_t *items, recall_news *out)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < json_array_size(items) && i < RAW_LIST_SERVICES_MAX && err == LP_OK;
         i++) {
        err = read_service(json_array_get(items, i), out);
    }
    return err;
}

static lp_err
read_ids(json_t *of, recall_news *out)
{
    json_int_t run;
    json_int_t next;
    json_int_t missed;
    json_t *hashes;
    if (json_unpack(of, "{s:I, s:I, s:I, s:o}", "run", &run, "next", &next, "missed", &missed,
            "hashes", &hashes) != 0 ||
        run < 0 || next < 0 || missed < 0) {
        return LP_ECORRUPT;
    }
    out->mark = (trace_ids_mark){(uint64_t)run, (uint64_t)next};
    out->missed = (uint64_t)missed;
    for (size_t i = 0; i < json_array_size(hashes) && i < TRACE_IDS_READ_MAX; i++) {
        uint64_t hash = (uint64_t)json_integer_value(json_array_get(hashes, i));
        LP_TRY(LP_VEC_ADD(&out->ids, hash));
    }
    return LP_OK;
}

lp_err
recall_news_read(lp_slice text, recall_news *out)
{
    recall_news made = {.missed = 0};
    json_t *all = json_loadb((const char *)text.ptr, text.len, 0, NULL);
    lp_err err = json_is_object(all) ? LP_OK : LP_ECORRUPT;
    LP_THEN(err, read_pins(json_object_get(all, "pins"), &made));
    LP_THEN(err, read_services(json_object_get(all, "services"), &made));
    LP_THEN(err, read_ids(json_object_get(all, "ids"), &made));
    json_decref(all);
    LP_ASSERT(made.pins.count <= PINS_MAX && made.services.count <= RAW_LIST_SERVICES_MAX);
    LP_ASSERT(made.ids.count <= TRACE_IDS_READ_MAX);
    if (err != LP_OK) {
        recall_news_fini(&made);
        return err;
    }
    *out = made;
    return LP_OK;
}
