// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/pin/pin_json.h"

#include <string.h>

// --- Writing

static json_t *
outcomes_json(const pin *of)
{
    json_t *all = json_array();
    for (size_t i = 0; i < PIN_OUTCOME_COUNT; i++) {
        (void)json_array_append_new(all, json_integer((json_int_t)of->outcomes[i]));
    }
    return all;
}

json_t *
pin_json_write(const pin *of)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:o, s:I, s:I, s:b, s:I, "
                     "s:I, s:b, s:b, s:i}",
        "key", of->key, "services", of->service, "recording", of->session_id, "kind",
        (int)of->selection.kind, "id", of->selection.id, "reason", of->reason, "owner", of->owner,
        "from", (json_int_t)of->from_wall_ns, "to", (json_int_t)of->to_wall_ns, "made",
        (json_int_t)of->made_wall_ns, "outcomes", outcomes_json(of), "waiting",
        (json_int_t)of->waiting, "left_out", (json_int_t)of->left_out, "is_settled", of->is_settled,
        "found", (json_int_t)of->found, "stored", (json_int_t)of->stored, "is_copy", of->is_copy,
        "is_anytime", of->is_anytime, "origin", (int)of->origin);
}

// --- Reading

// take_text copies a text. False if it is too long.
static bool
take_text(const char *text, char *out, size_t size_bytes)
{
    LP_REQUIRE(strlen(text) < size_bytes, false);
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool
take_count(json_int_t count, uint64_t *out)
{
    *out = count < 0 ? 0 : (uint64_t)count;
    return count >= 0;
}

static bool
take_outcomes(const json_t *array, pin *out)
{
    for (size_t i = 0; i < PIN_OUTCOME_COUNT; i++) {
        // 0: it is not there
        LP_REQUIRE(
            take_count(json_integer_value(json_array_get(array, i)), &out->outcomes[i]), false);
    }
    return true;
}

// What a pin has besides its texts.
typedef struct numbers {
    json_int_t from;
    json_int_t to;
    json_int_t made;
    json_int_t waiting;
    json_int_t left_out;
    json_int_t found;
    json_int_t stored;
    int kind;
    int origin; // earlier versions did not write it: PIN_BY_CALLER
    int is_settled;
    int is_copy;
    int is_anytime;
    json_t *outcomes;
} numbers;

static bool
take_numbers(json_t *item, pin *out)
{
    numbers n = {.from = 0};
    LP_REQUIRE(
        json_unpack(item, "{s:i, s:I, s:I, s:I, s:o, s:I, s:b, s?I, s?I, s?I, s?b, s?b, s?i}",
            "kind", &n.kind, "from", &n.from, "to", &n.to, "made", &n.made, "outcomes", &n.outcomes,
            "left_out", &n.left_out, "is_settled", &n.is_settled, "waiting", &n.waiting, "found",
            &n.found, "stored", &n.stored, "is_copy", &n.is_copy, "is_anytime", &n.is_anytime,
            "origin", &n.origin) == 0,
        false);
    *out = (pin){.from_wall_ns = n.from,
        .to_wall_ns = n.to,
        .made_wall_ns = n.made,
        .is_settled = n.is_settled != 0,
        .is_copy = n.is_copy != 0,
        .is_anytime = n.is_anytime != 0,
        .origin = (pin_origin)n.origin,
        .selection.kind = (pin_kind)n.kind};
    return n.origin >= PIN_BY_CALLER && n.origin <= PIN_BY_LATENCY && n.kind >= PIN_ALL &&
           n.kind <= PIN_THREAD && n.from <= n.to && take_count(n.waiting, &out->waiting) &&
           take_count(n.left_out, &out->left_out) && take_count(n.found, &out->found) &&
           take_count(n.stored, &out->stored) && take_outcomes(n.outcomes, out);
}

static bool
take_texts(json_t *item, pin *out)
{
    const char *key;
    const char *services;
    const char *recording;
    const char *id;
    const char *reason;
    const char *owner;
    LP_REQUIRE(
        json_unpack(item, "{s:s, s:s, s:s, s:s, s:s, s:s}", "key", &key, "services", &services,
            "recording", &recording, "id", &id, "reason", &reason, "owner", &owner) == 0,
        false);
    return take_text(key, out->key, sizeof(out->key)) &&
           take_text(services, out->service, sizeof(out->service)) &&
           take_text(recording, out->session_id, sizeof(out->session_id)) &&
           take_text(id, out->selection.id, sizeof(out->selection.id)) &&
           take_text(reason, out->reason, sizeof(out->reason)) &&
           take_text(owner, out->owner, sizeof(out->owner));
}

bool
pin_json_read(json_t *item, pin *out)
{
    uint64_t hash;
    LP_REQUIRE(take_numbers(item, out) && take_texts(item, out), false);
    const char *id = out->selection.id;
    bool is_trace = out->selection.kind == PIN_TRACE;
    bool has_recording = out->session_id[0] != '\0';
    return out->key[0] != '\0' && (!has_recording || catalog_id_is_valid(out->session_id)) &&
           (!is_trace || rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash)) &&
           (is_trace || !out->is_anytime) &&
           (is_trace || has_recording ||
               (out->service[0] != '\0' && strchr(out->service, '\n') == NULL));
}
