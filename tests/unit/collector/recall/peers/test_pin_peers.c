// SPDX-License-Identifier: Apache-2.0
// Pins over two collectors, which hear of each other as over HTTP, but by calls: each one copies a
// young pin of the other for the chunks that it has raw data of, and both show the sum. Chunks
// without raw data anywhere count as missing once all are asked; a collector that is away is named.
// Nothing is copied twice, or comes back. Below a second.

#include "collector/base/metrics.h"
#include "collector/client/client_http.h"
#include "collector/recall/peers/pin_peers.h"
#include "collector/recall/raw/pin_find.h"
#include "common/base/lp_time.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ONE   "11111111111111111111111111111111"
#define OTHER "22222222222222222222222222222222"

static const int64_t SECOND = 1000000000;
static const int64_t NOW = INT64_C(1700000000) * 1000000000;

// A collector without its HTTP.
typedef struct collector {
    const char *id;
    const char *name;
    pins *pins;
    raw_list *raw;
    trace_ids *ids;
    pin_peers *peers;
} collector;

typedef struct fixture {
    collector all[2];
} fixture;

static void
open_collector(collector *self, const char *id, const char *name)
{
    *self = (collector){.id = id,
        .name = name,
        .pins = pins_create(),
        .raw = raw_list_create(RAW_LIST_FILTER_BYTES_MAX),
        .ids = trace_ids_create()};
    const pin_peers_config config = {
        .catalog_place = "", .node = id, .pins = self->pins, .raw = self->raw, .ids = self->ids};
    self->peers = pin_peers_create(&config);
    assert_true(
        self->pins != NULL && self->raw != NULL && self->ids != NULL && self->peers != NULL);
}

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    open_collector(&f->all[0], ONE, "one");
    open_collector(&f->all[1], OTHER, "two");
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < 2; i++) {
        pin_peers_destroy(f->all[i].peers);
        pins_destroy(f->all[i].pins);
        raw_list_destroy(f->all[i].raw);
        trace_ids_destroy(f->all[i].ids);
    }
    free(f);
    return 0;
}

// add_raw adds raw data of chunks of a service, a minute each, until NOW.
static void
add_raw(const collector *to, const char *session_id, const char *service, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t end = NOW - (int64_t)i * 60 * SECOND;
        pin_stored stored = {
            .service = service, .start_wall_ns = end - 60 * SECOND, .end_wall_ns = end};
        (void)snprintf(stored.chunk.session_id, sizeof(stored.chunk.session_id), "%s", session_id);
        stored.chunk.ordinal = count - i;
        raw_list_add(to->raw, &stored, (lp_slice){0});
    }
}

// make makes a pin of a service at a collector, where the catalog has so many chunks.
static pin
make(const collector *at, const char *service, uint64_t stored)
{
    pin asked = {.key = "k",
        .from_wall_ns = NOW - 150 * SECOND,
        .to_wall_ns = NOW + 120 * SECOND,
        .made_wall_ns = NOW};
    pin now;
    bool is_new;
    pin_chunks found = {0};
    raw_list_span ignored;
    (void)snprintf(asked.service, sizeof(asked.service), "%s", service);
    assert_int_equal(pins_add(at->pins, &asked, &now, &is_new), LP_OK);
    assert_true(is_new);
    assert_int_equal(raw_list_find(at->raw, &asked, &found, &ignored), LP_OK);
    pins_count(at->pins, now.id, found.count, stored);
    pins_fill(at->pins, now.id, &found, &now);
    LP_VEC_FINI(&found);
    return now;
}

// tell has a collector hear the news of another one.
static void
tell(const collector *to, const collector *from, int64_t now_wall_ns)
{
    pin_peers_news news;
    const catalog_node node = {.id = from->id, .name = from->name};
    json_t *said = pin_peers_write(from->peers, (trace_ids_mark){0});
    char *text = json_dumps(said, JSON_COMPACT);
    assert_non_null(text);
    const lp_slice bytes = {(const uint8_t *)text, strlen(text)};
    assert_int_equal(pin_peers_read(bytes, &news), LP_OK);
    pin_peers_hear(to->peers, &node, &news, now_wall_ns);
    free(text);
    json_decref(said);
}

static void
lose(const collector *to, const collector *from)
{
    const catalog_node node = {.id = from->id, .name = from->name};
    pin_peers_hear(to->peers, &node, NULL, NOW);
}

static void
take_pin(void *arg, const pin *of)
{
    *(pin *)arg = *of;
}

static void
note_away(void *arg, const char *name)
{
    (void)strncat(arg, name, 9);
}

// look returns the only pin of a collector with what the others did, and who is away.
static pin
look(const collector *at, int64_t now_wall_ns, char away[40], uint64_t *out_unasked)
{
    pin found = {.id = 0};
    pins_each(at->pins, take_pin, &found);
    pin_peers_view view = {.on_away = note_away, .arg = away};
    away[0] = '\0';
    pin_peers_add(at->peers, &found, now_wall_ns, &view);
    *out_unasked = view.unasked;
    return found;
}

// work keeps all chunks that wait. Returns how many there were.
static unsigned
work(const collector *at)
{
    pin_work taken;
    unsigned count = 0;
    while (pins_take(at->pins, &taken)) {
        pins_note(at->pins, taken.pin_id, PIN_KEPT);
        count++;
    }
    return count;
}

static void
test_both_keep_what_they_have(void **state)
{
    const fixture *f = *state;
    const collector *one = &f->all[0];
    const collector *two = &f->all[1];
    char away[40];
    uint64_t unasked;
    add_raw(one, ONE, "shop", 5); // three of them in the pin's time
    add_raw(two, OTHER, "shop", 2);
    add_raw(two, ONE, "depot", 2);
    (void)make(one, "shop", 7); // of two there is no raw data
    pin now = look(one, NOW, away, &unasked);
    assert_true(unasked == 1 && now.outcomes[PIN_MISSING] == 0); // nobody has looked for others
    tell(one, two, NOW);                                         // it does not have the pin yet
    now = look(one, NOW, away, &unasked);
    assert_true(unasked == 1 && now.waiting == 3 && now.outcomes[PIN_MISSING] == 0);
    for (int i = 0; i < 2; i++) { // the second time changes nothing
        tell(two, one, NOW);
        tell(one, two, NOW);
        now = look(one, NOW, away, &unasked);
        assert_true(unasked == 0 && now.waiting == 5 && now.outcomes[PIN_MISSING] == 2);
        now = look(two, NOW, away, &unasked);
        assert_true(unasked == 0 && now.waiting == 5 && now.outcomes[PIN_MISSING] == 2);
        assert_string_equal(away, "");
    }
    assert_int_equal(work(one), 3);
    assert_int_equal(work(two), 2);
    now = look(one, NOW, away, &unasked);
    assert_int_equal(now.waiting, 2); // as far as it has heard
    tell(one, two, NOW);
    now = look(one, NOW, away, &unasked);
    assert_true(now.waiting == 0 && now.outcomes[PIN_KEPT] == 5 && now.outcomes[PIN_MISSING] == 2);
}

static void
test_one_that_is_away_is_named(void **state)
{
    const fixture *f = *state;
    const collector *one = &f->all[0];
    const collector *two = &f->all[1];
    char away[40];
    uint64_t unasked;
    add_raw(one, ONE, "shop", 2);
    add_raw(two, OTHER, "shop", 3);
    lose(one, two);
    (void)make(one, "shop", 5);
    pin now = look(one, NOW, away, &unasked);
    assert_string_equal(away, "two");
    tell(two, one, NOW + 60 * SECOND); // it is back
    tell(one, two, NOW + 60 * SECOND);
    now = look(one, NOW + 60 * SECOND, away, &unasked);
    assert_string_equal(away, "");
    assert_true(unasked == 0 && now.waiting == 5 && now.outcomes[PIN_MISSING] == 0);
    lose(one, two); // what it said still counts
    now = look(one, NOW + 60 * SECOND, away, &unasked);
    assert_string_equal(away, "two");
    assert_int_equal(now.waiting, 5);
}

static void
test_one_that_makes_no_copy_is_waited_for_for_some_time(void **state)
{
    const fixture *f = *state;
    const collector *one = &f->all[0];
    char away[40];
    uint64_t unasked;
    (void)make(one, "shop", 0);
    tell(one, &f->all[1], NOW);
    (void)look(one, NOW + PIN_PEERS_UNHEARD_S * SECOND, away, &unasked);
    assert_true(unasked == 1 && away[0] == '\0');
    (void)look(one, NOW + (PIN_PEERS_UNHEARD_S + 1) * SECOND, away, &unasked);
    assert_int_equal(unasked, 0);
    assert_string_equal(away, "two");
}

// It was forgotten, or the clock of the other one is behind: it must not come back.
static void
test_an_old_pin_is_not_copied(void **state)
{
    const fixture *f = *state;
    const collector *one = &f->all[0];
    const collector *two = &f->all[1];
    const int64_t end = NOW + 120 * SECOND;
    pin found = {.id = 0};
    (void)make(one, "shop", 0);
    tell(two, one, end + (PINS_SETTLED_S + 1) * SECOND);
    pins_each(two->pins, take_pin, &found);
    assert_int_equal(found.id, 0);
    tell(two, one, end + PINS_SETTLED_S * SECOND);
    pins_each(two->pins, take_pin, &found);
    assert_true(found.id != 0 && found.is_copy);
    for (int i = 0; i < 3; i++) {
        const int64_t later = end + (PINS_FORGET_S + 1 + i) * SECOND;
        for (size_t k = 0; k < 2; k++) {
            pins_forget(f->all[k].pins, later);
            tell(&f->all[k], &f->all[1 - k], later);
        }
    }
    found.id = 0;
    pins_each(one->pins, take_pin, &found);
    pins_each(two->pins, take_pin, &found);
    assert_int_equal(found.id, 0);
}

// The pin of a trace begins where the trace does, which only the other collector knows.
static void
test_each_looks_for_the_begin_of_a_trace(void **state)
{
    const fixture *f = *state;
    const collector *two = &f->all[1];
    pin asked = {.key = "t",
        .selection = {PIN_TRACE, "abc"},
        .from_wall_ns = NOW - 60 * SECOND,
        .to_wall_ns = NOW,
        .made_wall_ns = NOW,
        .is_anytime = true};
    pin now;
    bool is_new;
    pin_stored stored = {
        .service = "depot", .start_wall_ns = NOW - 900 * SECOND, .end_wall_ns = NOW - 840 * SECOND};
    memset(stored.chunk.session_id, '3', CATALOG_ID_CHARS);
    raw_list_add(two->raw, &stored, (lp_slice){0}); // it may have any id
    assert_int_equal(pins_add(f->all[0].pins, &asked, &now, &is_new), LP_OK);
    tell(two, &f->all[0], NOW);
    assert_int_equal(work(two), 1);
}

static void
note_service(void *arg, const raw_list_service *service)
{
    char *text = arg;
    (void)snprintf(
        text + strlen(text), 90 - strlen(text), "%s %d, ", service->name, (int)service->chunks);
}

static void
test_services_and_ids_go_round(void **state)
{
    const fixture *f = *state;
    char text[90] = "";
    rollup_hashes heard = {0};
    add_raw(&f->all[1], OTHER, "shop", 2);
    trace_ids_put(f->all[1].ids, UINT64_MAX - 6);
    tell(&f->all[0], &f->all[1], NOW);
    pin_peers_each_service(f->all[0].peers, note_service, note_away, text);
    assert_string_equal(text, "shop 2, ");
    trace_ids_take(f->all[0].ids, &heard);
    assert_int_equal(heard.count, 1);
    assert_true(heard.items[0] == UINT64_MAX - 6);
    LP_VEC_FINI(&heard);
    lose(&f->all[0], &f->all[1]);
    text[0] = '\0';
    pin_peers_each_service(f->all[0].peers, note_service, note_away, text);
    assert_string_equal(text, "two");
}

static void
test_what_is_no_news_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{", "[]", "{}", "{\"ids\": 7}",
        "{\"pins\": [], \"services\": [], \"ids\": {\"run\": -1, \"next\": 0, \"missed\": 0, "
        "\"hashes\": []}}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        pin_peers_news news;
        const lp_slice bytes = {(const uint8_t *)texts[i], strlen(texts[i])};
        assert_int_equal(pin_peers_read(bytes, &news), LP_ECORRUPT);
    }
    static const char later[] = // what a later version may say besides
        "{\"pins\": [{}, 7, null], \"services\": [{\"name\": 7}, []], \"more\": 1, \"ids\": "
        "{\"run\": 1, \"next\": 2, \"missed\": 0, \"hashes\": [-1, 5]}}";
    pin_peers_news news;
    const lp_slice bytes = {(const uint8_t *)later, sizeof(later) - 1};
    assert_int_equal(pin_peers_read(bytes, &news), LP_OK);
    assert_true(news.pins.count == 0 && news.services.count == 0 && news.ids.count == 2);
    assert_true(news.ids.items[0] == UINT64_MAX && news.mark.next == 2);
    pin_peers_news_fini(&news);
}

// Agents choose the names of services: the news stay readable whatever these are.
static void
test_long_names_leave_room_for_pins(void **state)
{
    const fixture *f = *state;
    const collector *one = &f->all[0];
    const uint64_t untold = metrics_get(METRICS_recall_services_untold);
    char name[1025];
    memset(name, 1, sizeof(name) - 1); // 6 bytes each in JSON
    name[sizeof(name) - 1] = '\0';
    for (uint32_t i = 0; i < 1000; i++) {
        (void)snprintf(name, 11, "%010u", i);
        name[10] = 1;
        add_raw(one, ONE, name, 1);
    }
    for (unsigned k = 0; k < TRACE_IDS_READ_MAX; k++) {
        trace_ids_put(one->ids, UINT64_MAX / 2 + 1 + k); // the longest numbers
    }
    pin asked = {.to_wall_ns = NOW};
    pin now;
    bool is_new;
    memset(asked.service, 1, sizeof(asked.service) - 1);
    memset(asked.selection.id, 1, sizeof(asked.selection.id) - 1);
    memset(asked.reason, 1, sizeof(asked.reason) - 1);
    memset(asked.owner, 1, sizeof(asked.owner) - 1);
    memset(asked.key, 1, sizeof(asked.key) - 1);
    asked.selection.kind = PIN_THREAD;
    for (unsigned k = 0; k < PINS_MAX; k++) {
        (void)snprintf(asked.key, 4, "%03u", k);
        asked.key[3] = 1;
        asked.made_wall_ns = NOW + (int64_t)k * SECOND;
        assert_int_equal(pins_add(one->pins, &asked, &now, &is_new), LP_OK);
    }
    json_t *said = pin_peers_write(one->peers, (trace_ids_mark){0});
    assert_int_equal(json_array_size(json_object_get(said, "pins")), PINS_MAX);
    assert_true(json_array_size(json_object_get(said, "services")) > 0);
    char *text = json_dumps(said, JSON_INDENT(2)); // as http_reply_json
    assert_non_null(text);
    assert_in_range(strlen(text), 1, CLIENT_HTTP_ANSWER_BYTES_MAX);
    assert_true(metrics_get(METRICS_recall_services_untold) > untold);
    free(text);
    json_decref(said);
}

// Two collectors may each make so many pins in a minute: both have all of them.
static void
test_the_limit_of_a_minute_is_of_own_pins(void **state)
{
    fixture *f = *state;
    pin asked = {.service = "shop", .to_wall_ns = NOW, .made_wall_ns = NOW};
    pin now;
    bool is_new;
    for (size_t i = 0; i < 2; i++) {
        for (unsigned k = 0; k < PINS_MINUTE_MAX; k++) {
            (void)snprintf(asked.key, sizeof(asked.key), "%s %u", f->all[i].name, k);
            assert_int_equal(pins_add(f->all[i].pins, &asked, &now, &is_new), LP_OK);
        }
    }
    tell(&f->all[0], &f->all[1], NOW);
    tell(&f->all[1], &f->all[0], NOW);
    for (size_t i = 0; i < 2; i++) {
        for (unsigned k = 0; k < PINS_MINUTE_MAX; k++) {
            (void)snprintf(asked.key, sizeof(asked.key), "%s %u", f->all[1 - i].name, k);
            assert_true(pins_has(f->all[i].pins, &asked));
        }
        (void)snprintf(asked.key, sizeof(asked.key), "one more");
        assert_int_equal(pins_add(f->all[i].pins, &asked, &now, &is_new), LP_EAGAIN);
    }
}

// Only a trace has a time that each collector looks for.
static void
test_a_pin_of_everything_at_any_time_is_skipped(void **state)
{
    fixture *f = *state;
    pin asked = {
        .key = "k", .service = "shop", .to_wall_ns = NOW, .made_wall_ns = NOW, .is_anytime = true};
    pin now;
    bool is_new;
    assert_int_equal(pins_add(f->all[0].pins, &asked, &now, &is_new), LP_OK);
    tell(&f->all[1], &f->all[0], NOW);
    assert_false(pins_has(f->all[1].pins, &asked));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_both_keep_what_they_have),
        TEST(test_one_that_is_away_is_named),
        TEST(test_one_that_makes_no_copy_is_waited_for_for_some_time),
        TEST(test_an_old_pin_is_not_copied),
        TEST(test_each_looks_for_the_begin_of_a_trace),
        TEST(test_services_and_ids_go_round),
        TEST(test_what_is_no_news_is_refused),
        TEST(test_long_names_leave_room_for_pins),
        TEST(test_the_limit_of_a_minute_is_of_own_pins),
        TEST(test_a_pin_of_everything_at_any_time_is_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
