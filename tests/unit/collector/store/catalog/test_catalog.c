// SPDX-License-Identifier: Apache-2.0
// The catalog: rows come back field by field; lists select and sort as the header says; a chunk is
// committed with its session and carry-over or not at all (the process is killed to see it);
// readers see committed rows; a database of another version is rejected. All but the last run in
// SQLite and, by with_postgres.sh, in PostgreSQL; test_catalog_postgres.c has more.

#include "support/catalog_fixture.h"

#include "collector/store/catalog/catalog.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_longest.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static catalog_session
session_of(char digit, const char *service, int64_t start_wall_ns, int64_t end_wall_ns)
{
    catalog_session session = {
        .service = catalog_place_text(service),
        .instance = catalog_place_text("host:1"),
        .jvm_name = catalog_place_text("OpenJDK 64-Bit Server VM"),
        .jvm_version = catalog_place_text("25+36"),
        .version = catalog_place_text(""),
        .start_wall_ns = start_wall_ns,
        .end_wall_ns = end_wall_ns,
        .is_ended = true,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

static void
put(catalog *on, const catalog_session *session)
{
    assert_int_equal(catalog_put_session(on, session), LP_OK);
}

// The first characters of the ids of a list, in its order.
typedef struct found_list {
    char digits[16];
    size_t count;
} found_list;

static void
on_found(void *arg, const catalog_session *session)
{
    found_list *found = arg;
    assert_true(found->count < sizeof(found->digits) - 1);
    found->digits[found->count++] = session->id[0];
}

static void
assert_lists(catalog *on, catalog_query query, const char *expected_digits)
{
    found_list found = {0};
    assert_int_equal(catalog_list(on, &query, on_found, &found), LP_OK);
    assert_string_equal(found.digits, expected_digits);
}

static void
assert_same_set(const lp_ranges *set, const lp_ranges *expected)
{
    lp_slice bytes = lp_ranges_bytes(set);
    lp_slice other = lp_ranges_bytes(expected);
    assert_int_equal(bytes.len, other.len);
    assert_memory_equal(bytes.ptr, other.ptr, bytes.len);
}

static void
on_full_session(void *arg, const catalog_session *session)
{
    const catalog_session *expected = arg;
    assert_string_equal(session->id, expected->id);
    assert_string_equal(session->service, expected->service);
    assert_string_equal(session->instance, expected->instance);
    assert_string_equal(session->jvm_name, expected->jvm_name);
    assert_string_equal(session->jvm_version, expected->jvm_version);
    assert_string_equal(session->version, expected->version);
    assert_true(session->pid == expected->pid);
    assert_true(session->start_wall_ns == expected->start_wall_ns);
    assert_true(session->end_wall_ns == expected->end_wall_ns);
    assert_true(session->is_ended == expected->is_ended);
    assert_true(session->next_chunk == expected->next_chunk);
    assert_true(session->next_sequence == expected->next_sequence);
    assert_true(session->totals.events_in == expected->totals.events_in);
    assert_true(session->totals.events_out == expected->totals.events_out);
    assert_true(session->totals.contexts_in == expected->totals.contexts_in);
    assert_true(session->totals.contexts_out == expected->totals.contexts_out);
    assert_true(session->totals.bytes_in == expected->totals.bytes_in);
    assert_true(session->totals.bytes_out == expected->totals.bytes_out);
    assert_true(session->totals.late_events == expected->totals.late_events);
    assert_true(session->totals.late_contexts == expected->totals.late_contexts);
    assert_true(session->totals.requests_in == expected->totals.requests_in);
    assert_true(session->totals.requests_out == expected->totals.requests_out);
    assert_memory_equal(session->totals.requests_kept_by, expected->totals.requests_kept_by,
        sizeof(session->totals.requests_kept_by));
    assert_memory_equal(session->totals.requests_dropped_by, expected->totals.requests_dropped_by,
        sizeof(session->totals.requests_dropped_by));
    assert_true(session->contexts_dropped == expected->contexts_dropped);
    assert_true(session->context_values_cut == expected->context_values_cut);
    assert_true(session->context_bytes_dropped == expected->context_bytes_dropped);
    assert_true(session->chunk_bytes_dropped == expected->chunk_bytes_dropped);
    assert_true(session->jfr_restarts == expected->jfr_restarts);
    assert_true(session->heard_wall_ns == expected->heard_wall_ns);
    assert_int_equal(session->ended_how, expected->ended_how);
    assert_same_set(&session->settled, &expected->settled);
    assert_same_set(&session->lost, &expected->lost);
    assert_same_set(&session->late, &expected->late);
    assert_int_equal(session->is_remade, expected->is_remade);
    assert_true(session->journal_bytes_missing == expected->journal_bytes_missing);
    assert_memory_equal(session->losses, expected->losses, sizeof(session->losses));
    assert_string_equal(session->identity, expected->identity);
    assert_int_equal(session->secret, expected->secret);
    assert_memory_equal(session->secret_hash, expected->secret_hash, sizeof(session->secret_hash));
}

static void
test_every_field_comes_back(void **state)
{
    const fixture *f = *state;
    catalog_session session = {
        .id = "0123456789abcdef0123456789abcdef",
        .service = catalog_place_text("K\xc3\xa4"
                                      "se'; DROP TABLE session; --"),
        .instance = catalog_place_text("host:4711"),
        .jvm_name = catalog_place_text(""),
        .jvm_version = catalog_place_text("17"),
        .version = catalog_place_text("1.2.3+\xc3\xa4"),
        .pid = 4194304,
        .start_wall_ns = INT64_MAX,
        .end_wall_ns = INT64_MIN,
        .is_ended = true,
        .next_chunk = UINT32_MAX,
        .next_sequence = UINT64_MAX,
        .totals.events_in = 1,
        .totals.events_out = 2,
        .totals.contexts_in = 3,
        .totals.contexts_out = 4,
        .totals.bytes_in = 5,
        .totals.bytes_out = 6,
        .totals.late_events = 7,
        .totals.late_contexts = 13,
        .totals.requests_in = 19,
        .totals.requests_out = 18,
        .totals.requests_kept_by = {1, 2, 3, 4, 5, 6, 7},
        .totals.requests_dropped_by = {8, UINT64_MAX},
        .contexts_dropped = 8,
        .context_values_cut = 9,
        .context_bytes_dropped = 10,
        .chunk_bytes_dropped = UINT64_MAX - 1,
        .jfr_restarts = 12,
        .heard_wall_ns = 14,
        .ended_how = CATALOG_ENDED_TIMED_OUT,
        .is_remade = true,
        .journal_bytes_missing = 16,
        .losses = {[CATALOG_LOSS_BATCHES_LOST] = UINT64_MAX,
            [CATALOG_LOSS_POWER_CUTS] = 17,
            [CATALOG_LOSS_END_UNKNOWN] = 1}, // by ended_how
        .identity = "shop's",
        .secret = CATALOG_SECRET_HASHED,
        .secret_hash = {1, 0, 2, [31] = 3},
    };
    for (uint64_t i = 0; i < 100; i++) {
        lp_ranges_add(&session.lost, 2 * i, 2 * i + 1);
    }
    lp_ranges_add(&session.settled, 0, UINT64_MAX);
    put(f->catalog, &session);
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);

    session.is_remade = false;
    lp_ranges_fini(&session.settled);
    lp_ranges_add(&session.late, 5, 7);
    session.service = catalog_place_text("renamed");
    session.is_ended = false;
    session.totals.events_in = 100;
    session.losses[CATALOG_LOSS_POWER_CUTS] = 18;
    session.losses[CATALOG_LOSS_GAP_BYTES] = 19;
    session.ended_how = CATALOG_ENDED_CLOSED;
    session.losses[CATALOG_LOSS_END_UNKNOWN] = 0;
    session.secret = CATALOG_SECRET_NONE;
    memset(session.secret_hash, 0, sizeof(session.secret_hash));
    put(f->catalog, &session);
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);
    session.secret = CATALOG_SECRET_UNKNOWN;
    put(f->catalog, &session);
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);
    session.ended_how = (catalog_ended)77; // of a damaged row
    put(f->catalog, &session);
    session.ended_how = CATALOG_ENDED_UNKNOWN;
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);
    catalog_session_fini(&session);
    assert_lists(f->catalog, (catalog_query){0}, "0");
    found_list none = {0};
    assert_int_equal(catalog_find(f->catalog, "' OR 1=1 --", on_found, &none), LP_ENOENT);
    assert_int_equal(none.count, 0);
}

// A limit on the size of files stands for a full disk.
static void
test_what_the_system_says_is_passed_on(void **state)
{
    const fixture *f = *state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    catalog_session session = session_of('a', "shop", 100, 200);
    errno = 0;
    lp_err err = catalog_put_session(f->catalog, &session);
    const char *reason = lp_err_reason(err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(err, LP_EIO);
    assert_string_equal(reason, "File too large");
    put(f->catalog, &session);
}

// For its count of memory SQLite has one lock for all threads.
static void
test_memory_is_not_counted(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    put(f->catalog, &session);
    assert_int_equal(sqlite3_memory_used(), 0);
}

static void
test_lists_select_and_order(void **state)
{
    const fixture *f = *state;
    catalog_session sessions[] = {
        session_of('a', "shop", 100, 200),
        session_of('b', "shop", 300, 400),
        session_of('c', "bank", 200, 300),
        session_of('d', "bank", 500, 500), // not ended: runs until now
        session_of('e', "bank", 500, 500),
    };
    sessions[3].is_ended = false;
    sessions[2].instance = catalog_place_text("other:2");
    sessions[1].version = sessions[4].version = catalog_place_text("2");
    for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
        put(f->catalog, &sessions[i]);
    }
    assert_lists(f->catalog, (catalog_query){0}, "debca");
    assert_lists(f->catalog, (catalog_query){.count_max = 2}, "de");
    assert_lists(f->catalog, (catalog_query){.service = "shop"}, "ba");
    assert_lists(f->catalog, (catalog_query){.service = "SHOP"}, "");
    assert_lists(f->catalog, (catalog_query){.service = "sho%"}, "");
    assert_lists(f->catalog, (catalog_query){.service = "shop' OR '1'='1"}, "");
    assert_lists(f->catalog, (catalog_query){.instance = "other:2"}, "c");
    assert_lists(f->catalog, (catalog_query){.service = "bank", .instance = "host:1"}, "de");
    assert_lists(f->catalog, (catalog_query){.version = "2"}, "eb");
    assert_lists(f->catalog, (catalog_query){.version = ""}, "dca");
    assert_lists(f->catalog, (catalog_query){.instance = "host:1", .version = ""}, "da");
    catalog_query of_host = {.instance = "host:1"};
    assert_lists(f->catalog, of_host, "deba");
    of_host.count_max = 3;
    assert_lists(f->catalog, of_host, "deb");
    of_host.from_wall_ns = 400;
    of_host.to_wall_ns = 500;
    assert_lists(f->catalog, of_host, "b");
    of_host = (catalog_query){.instance = "host:1", .from_wall_ns = 501, .now_wall_ns = 501};
    assert_lists(f->catalog, of_host, "d");
    // [from, to): an end at `from` overlaps, a start at `to` does not.
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 400}, "deb");
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 401}, "de");
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 501}, "");
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 501, .now_wall_ns = 501}, "d");
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 502, .now_wall_ns = 501}, "");
    assert_lists(f->catalog, (catalog_query){.to_wall_ns = 300}, "ca");
    assert_lists(f->catalog, (catalog_query){.to_wall_ns = 301}, "bca");
    assert_lists(f->catalog, (catalog_query){.from_wall_ns = 201, .to_wall_ns = 301}, "bc");
    assert_lists(f->catalog, (catalog_query){.to_wall_ns = 100}, "");
}

static void
on_version(void *arg, const catalog_version *version)
{
    char *text = arg;
    size_t len = strlen(text);
    (void)snprintf(text + len, 100 - len, "%s %s %d %d\n", version->service, version->version,
        (int)version->sessions, (int)version->end_wall_ns);
}

static void
test_versions_are_listed_by_service(void **state)
{
    const fixture *f = *state;
    catalog_session sessions[] = {
        session_of('a', "shop", 100, 200), session_of('b', "shop", 300, 400),
        session_of('c', "shop", 350, 400), session_of('d', "bank", 200, 300),
        session_of('e', "bank", 500, 500), // its version is unknown
    };
    static const char *const versions[] = {"1", "2", "1", "1", ""};
    for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
        sessions[i].version = catalog_place_text(versions[i]);
        put(f->catalog, &sessions[i]);
    }
    static const struct {
        catalog_query query;
        const char *expected;
    } cases[] = {
        {{0}, "shop 1 2 400\nshop 2 1 400\nbank 1 1 300\n"},
        {{.count_max = 1}, "shop 1 2 400\nbank 1 1 300\n"},
        {{.to_wall_ns = 301, .count_max = 1}, "shop 2 1 400\nbank 1 1 300\n"},
        {{.to_wall_ns = 301}, "shop 2 1 400\nbank 1 1 300\nshop 1 1 200\n"},
        {{.from_wall_ns = 301}, "shop 1 1 400\nshop 2 1 400\n"},
        {{.service = "bank"}, "bank 1 1 300\n"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[100] = "";
        assert_int_equal(
            catalog_list_versions(f->catalog, &cases[i].query, on_version, text), LP_OK);
        assert_string_equal(text, cases[i].expected);
    }
}

typedef struct found_chunks {
    catalog_chunk chunks[4];
    size_t count;
} found_chunks;

static void
on_chunk(void *arg, const catalog_chunk *chunk)
{
    found_chunks *found = arg;
    assert_true(found->count < 4);
    found->chunks[found->count] = *chunk;
    found->count++;
}

static void
assert_carry(catalog *on, const char *id, const char *expected)
{
    uint8_t *carry;
    size_t size;
    assert_int_equal(catalog_get_carry(on, id, &carry, &size), LP_OK);
    assert_int_equal(size, strlen(expected));
    if (size > 0) {
        assert_memory_equal(carry, expected, size);
    } else {
        assert_null(carry);
    }
    free(carry);
}

static lp_slice
slice_of(const char *literal)
{
    return (lp_slice){.ptr = (const uint8_t *)literal, .len = strlen(literal)};
}

typedef struct type_lines {
    char text[256];
    size_t len;
} type_lines;

static void
on_type(void *arg, const catalog_type *type)
{
    type_lines *lines = arg;
    lines->len += (size_t)snprintf(lines->text + lines->len, sizeof(lines->text) - lines->len,
        "%s %d %d %d %d, ", type->name, (int)type->events_in, (int)type->events_out,
        (int)type->bytes_in, (int)type->bytes_out);
    assert_true(lines->len < sizeof(lines->text));
}

static void
assert_types(catalog *on, const char *id, uint32_t chunk_end, const char *expected)
{
    type_lines lines = {0};
    const catalog_chunk_range chunks = {id, chunk_end, INT64_MIN, INT64_MAX};
    assert_int_equal(catalog_list_types(on, &chunks, on_type, &lines), LP_OK);
    assert_string_equal(lines.text, expected);
}

static void
on_dropped(void *arg, const catalog_dropped *dropped)
{
    type_lines *lines = arg;
    lines->len += (size_t)snprintf(lines->text + lines->len, sizeof(lines->text) - lines->len,
        "%s %s %d, ", dropped->type_name, dropped->reason, (int)dropped->events);
    assert_true(lines->len < sizeof(lines->text));
}

static void
assert_dropped(catalog *on, const char *id, uint32_t chunk_end, const char *expected)
{
    type_lines lines = {0};
    const catalog_chunk_range chunks = {id, chunk_end, INT64_MIN, INT64_MAX};
    assert_int_equal(catalog_list_dropped(on, &chunks, on_dropped, &lines), LP_OK);
    assert_string_equal(lines.text, expected);
}

static void
test_what_was_dropped_is_summed_by_reason(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    catalog_chunk chunk = {
        .types_json = "{\"b\":{\"dropped\":{\"select\":5,\"filter\":1}},\"a'\":{\"in\":1}}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    chunk = (catalog_chunk){.ordinal = 1,
        .types_json = "{\"b\":{\"dropped\":{\"select\":2}},\"a'\":{\"dropped\":{\"enabled\":3}}}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    assert_dropped(f->catalog, session.id, 1, "b filter 1, b select 5, ");
    assert_dropped(f->catalog, session.id, 2, "a' enabled 3, b filter 1, b select 7, ");
    chunk.types_json = "{\"b\":{\"dropped\":{}}}"; // again: replaces
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    assert_dropped(f->catalog, session.id, 2, "b filter 1, b select 5, ");
}

static void
test_chunks_come_with_totals_and_carry(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    put(f->catalog, &session);
    assert_carry(f->catalog, session.id, "");

    catalog_chunk chunk = {.ordinal = 1,
        .start_wall_ns = 7,
        .duration_ns = 8,
        .size_bytes = 9,
        .stored_bytes = 5,
        .content_hash = UINT64_MAX,
        .types_json = "{\"b\":{\"in\":5,\"out\":4,\"bytes_in\":3,\"bytes_out\":2},"
                      "\"a'\":{\"in\":1}}"};
    session.next_chunk = 2;
    session.losses[CATALOG_LOSS_CARRIES_LOST] = 3;
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, slice_of("second")), LP_OK);
    assert_types(f->catalog, session.id, 2, "a' 1 0 0 0, b 5 4 3 2, ");
    assert_types(f->catalog, session.id, 1, "");
    type_lines lines = {0};
    catalog_chunk_range range = {session.id, 2, 7, 11}; // the middle is 11
    assert_int_equal(catalog_list_types(f->catalog, &range, on_type, &lines), LP_OK);
    assert_string_equal(lines.text, "");
    range = (catalog_chunk_range){session.id, 2, 11, 12};
    assert_int_equal(catalog_list_types(f->catalog, &range, on_type, &lines), LP_OK);
    assert_string_equal(lines.text, "a' 1 0 0 0, b 5 4 3 2, ");
    chunk = (catalog_chunk){
        .ordinal = 0, .size_bytes = 1, .types_json = "{\"b\":{\"in\":10,\"bytes_out\":20}}"};
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, slice_of("first")), LP_OK);
    assert_carry(f->catalog, session.id, "first");
    assert_types(f->catalog, session.id, 2, "a' 1 0 0 0, b 15 4 3 22, ");
    assert_types(f->catalog, session.id, 1, "b 10 0 0 20, ");
    chunk.size_bytes = 2; // again: replaces
    chunk.types_json = "{\"c\":{\"out\":7}}";
    session.totals.events_in = 42;
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, slice_of("again")), LP_OK);
    assert_carry(f->catalog, session.id, "again");

    put(f->catalog, &session); // keeps chunks and carry-over
    assert_carry(f->catalog, session.id, "again");
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);

    found_chunks found = {0};
    assert_int_equal(catalog_list_chunks(f->catalog, session.id, on_chunk, &found), LP_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.chunks[0].ordinal, 0);
    assert_int_equal(found.chunks[0].size_bytes, 2);
    assert_int_equal(found.chunks[1].ordinal, 1);
    assert_int_equal(found.chunks[1].start_wall_ns, 7);
    assert_int_equal(found.chunks[1].duration_ns, 8);
    assert_int_equal(found.chunks[1].size_bytes, 9);
    assert_int_equal(found.chunks[1].stored_bytes, 5);
    assert_true(found.chunks[1].content_hash == UINT64_MAX);
    assert_types(f->catalog, session.id, 2, "a' 1 0 0 0, b 5 4 3 2, c 0 7 0 0, ");

    assert_int_equal(catalog_add_chunk(f->catalog, &session, &chunk, (lp_slice){0}), LP_OK);
    assert_carry(f->catalog, session.id, "");
}

static void
note_longest(void *arg, const catalog_longest *chunk)
{
    *(int64_t *)arg = chunk->longest_ns;
}

static void
test_another_edition_replaces_a_chunk(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    session.totals.events_out = 4;
    session.totals.bytes_out = 100;
    const catalog_chunk first = {.ordinal = 1,
        .start_wall_ns = 7,
        .duration_ns = 8,
        .size_bytes = 9,
        .stored_bytes = 5,
        .content_hash = UINT64_MAX,
        .types_json = "{\"b\":{\"in\":5,\"out\":4}}"};
    const rollup sums = {
        .begin_min_ns = 11, .commit_min_ns = 12, .commit_max_ns = 13, .longest_ns = {14, 15}};
    const catalog_chunk all = {.size_bytes = 90,
        .stored_bytes = 50,
        .content_hash = 3,
        .place.offset = BLOB_EDITION_ALL,
        .rollup = &sums,
        .types_json = "{\"b\":{\"in\":5,\"out\":5},\"c\":{\"out\":1}}"};
    catalog_edition edition = {.ordinal = 1,
        .before_hash = 7,
        .to = &all,
        .events_out = 2,
        .contexts_out = 1,
        .bytes_out = -10};
    bool is_changed = true;
    session.next_chunk = 2;
    assert_int_equal(catalog_add_chunk(f->catalog, &session, &first, slice_of("carry")), LP_OK);
    assert_int_equal(catalog_put_edition(f->catalog, session.id, &edition, &is_changed), LP_OK);
    assert_false(is_changed); // it is another chunk
    assert_types(f->catalog, session.id, 2, "b 5 4 0 0, ");
    edition.before_hash = UINT64_MAX;
    for (int i = 0; i < 2; i++) { // the second time changes nothing
        assert_int_equal(catalog_put_edition(f->catalog, session.id, &edition, &is_changed), LP_OK);
        assert_int_equal(is_changed, i == 0);
    }
    session.totals.events_out = 6;
    session.totals.contexts_out = 1;
    session.totals.bytes_out = 90;
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);
    assert_types(f->catalog, session.id, 2, "b 5 5 0 0, c 0 1 0 0, ");
    assert_carry(f->catalog, session.id, "carry");
    found_chunks found = {0};
    assert_int_equal(catalog_list_chunks(f->catalog, session.id, on_chunk, &found), LP_OK);
    assert_int_equal(found.count, 1);
    const catalog_chunk *is = &found.chunks[0];
    assert_true(is->ordinal == 1 && is->start_wall_ns == 7 && is->duration_ns == 8);
    assert_true(is->size_bytes == 90 && is->stored_bytes == 50 && is->content_hash == 3);
    assert_true(is->place.object[0] == '\0' && is->place.offset == BLOB_EDITION_ALL);
    assert_true(is->has_bounds && is->bounds.context_begin_min_ns == 11);
    assert_true(is->bounds.commit_min_ns == 12 && is->bounds.commit_max_ns == 13);
    for (rollup_unit unit = 0; unit < ROLLUP_UNITS; unit++) {
        const catalog_longest_query query = {.unit = unit,
            .session_id = session.id,
            .from_wall_ns = INT64_MIN,
            .to_wall_ns = INT64_MAX,
            .count_max = 2};
        int64_t longest_ns = 0;
        uint64_t count;
        assert_int_equal(
            catalog_longest_list(f->catalog, &query, note_longest, &longest_ns, &count), LP_OK);
        assert_true(count == 1 && longest_ns == sums.longest_ns[unit]);
    }
}

static void
test_a_chunk_that_fails_changes_nothing(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    put(f->catalog, &session);
    catalog_session changed = session;
    changed.totals.events_in = 1000;
    changed.losses[CATALOG_LOSS_GAP_BYTES] = 7;
    catalog_chunk chunk = {.ordinal = 0, .types_json = "{"}; // is no JSON
    assert_int_equal(catalog_add_chunk(f->catalog, &changed, &chunk, slice_of("carry")), LP_EIO);
    assert_int_equal(catalog_find(f->catalog, session.id, on_full_session, &session), LP_OK);
    assert_carry(f->catalog, session.id, "");
    chunk.types_json = "{}"; // and the catalog goes on
    assert_int_equal(catalog_add_chunk(f->catalog, &changed, &chunk, slice_of("carry")), LP_OK);
}

static void
test_readers_see_what_is_committed_and_cannot_write(void **state)
{
    const fixture *f = *state;
    catalog *reader;
    assert_int_equal(catalog_open_reader(f->place.path, &reader, NULL), LP_OK);
    assert_lists(reader, (catalog_query){0}, "");
    catalog_session session = session_of('a', "shop", 100, 200);
    put(f->catalog, &session);
    assert_lists(reader, (catalog_query){0}, "a");
    assert_int_equal(catalog_put_session(reader, &session), LP_EIO);
    catalog_close(reader);
}

static void
on_service(void *arg, const char *service, uint64_t count)
{
    char *found = arg;
    size_t length = strlen(found);
    (void)snprintf(found + length, 80 - length, "%s %u, ", service, (unsigned)count);
}

static void
assert_services(const fixture *f, catalog_query query, const char *expected)
{
    char found[80] = "";
    assert_int_equal(catalog_list_services(f->catalog, &query, on_service, found), LP_OK);
    assert_string_equal(found, expected);
}

static void
test_services_are_counted(void **state)
{
    const fixture *f = *state;
    assert_services(f, (catalog_query){0}, "");
    const catalog_session sessions[] = {
        session_of('a', "shop", 100, 200),
        session_of('b', "bank", 150, 300),
        session_of('c', "shop", 250, 400),
    };
    for (size_t i = 0; i < 3; i++) {
        put(f->catalog, &sessions[i]);
    }
    assert_services(f, (catalog_query){0}, "shop 2, bank 1, "); // the newest first
    assert_services(f, (catalog_query){.count_max = 2}, "shop 1, bank 1, ");
    assert_services(f, (catalog_query){.from_wall_ns = 300}, "shop 1, bank 1, ");
    assert_services(f, (catalog_query){.to_wall_ns = 150}, "shop 1, ");
}

static void
on_lost(void *arg, const catalog_session *session)
{
    *(uint64_t *)arg = session->losses[CATALOG_LOSS_BATCHES_LOST];
}

static void
test_what_comes_after_all_is_not_lost(void **state)
{
    const fixture *f = *state;
    catalog_session session = session_of('a', "shop", 100, 200);
    static const uint64_t amounts[] = {0, 3, 0, 0, 2};
    for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
        session.losses[CATALOG_LOSS_BATCHES_LOST] = amounts[i];
        put(f->catalog, &session);
        uint64_t found = 99;
        assert_int_equal(catalog_find(f->catalog, session.id, on_lost, &found), LP_OK);
        assert_int_equal(found, amounts[i]);
    }
}

// The child commits chunks, reports each on a pipe, and is killed. Each reported chunk is there,
// and session, chunks and carry-over have the same number.
static void
commit_until_killed(const char *path, int pipe_fd)
{
    catalog *writer;
    if (catalog_open(path, &writer, NULL) != LP_OK) {
        _exit(1);
    }
    catalog_session session = session_of('a', "shop", 100, 200);
    for (uint32_t i = 0;; i++) {
        char carry[16];
        (void)snprintf(carry, sizeof(carry), "%u", i);
        session.next_chunk = i + 1;
        catalog_chunk chunk = {.ordinal = i, .types_json = "{}"};
        if (catalog_add_chunk(writer, &session, &chunk, slice_of(carry)) != LP_OK ||
            write(pipe_fd, &i, sizeof(i)) != sizeof(i)) {
            _exit(1);
        }
    }
}

static void
on_next_chunk(void *arg, const catalog_session *session)
{
    *(uint32_t *)arg = session->next_chunk;
}

static void
count_chunk(void *arg, const catalog_chunk *chunk)
{
    uint32_t *count = arg;
    assert_int_equal(chunk->ordinal, *count);
    (*count)++;
}

static void
test_a_killed_writer_loses_nothing_committed(void **state)
{
    fixture *f = *state;
    int fds[2];
    catalog_close(f->catalog); // the child writes
    f->catalog = NULL;
    assert_int_equal(pipe(fds), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        commit_until_killed(f->place.path, fds[1]);
    }
    assert_int_equal(close(fds[1]), 0);
    uint32_t said = 0;
    while (said < 200) {
        assert_int_equal(read(fds[0], &said, sizeof(said)), sizeof(said));
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    uint32_t later;
    while (read(fds[0], &later, sizeof(later)) == sizeof(later)) {
        said = later;
    }
    assert_int_equal(close(fds[0]), 0);
    assert_int_equal(catalog_open(f->place.path, &f->catalog, NULL), LP_OK);

    char id[CATALOG_ID_CHARS + 1] = {0};
    memset(id, 'a', CATALOG_ID_CHARS);
    uint32_t next_chunk = 0;
    uint32_t count = 0;
    assert_int_equal(catalog_find(f->catalog, id, on_next_chunk, &next_chunk), LP_OK);
    assert_int_equal(catalog_list_chunks(f->catalog, id, count_chunk, &count), LP_OK);
    assert_true(next_chunk >= said + 1);
    assert_int_equal(count, next_chunk);
    char carry[16];
    (void)snprintf(carry, sizeof(carry), "%u", next_chunk - 1);
    assert_carry(f->catalog, id, carry);
}

static void
test_other_versions_and_other_files_are_refused(void **state)
{
    const fixture *f = *state;
    lp_problem problem;
    catalog *opened;
    catalog_place_run(&f->place, "PRAGMA user_version = 19");
    assert_int_equal(catalog_open(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, f->place.path));
    assert_non_null(strstr(problem.text,
        "catalog of version 19, this program reads version 1: a later Loupe wrote it, or "
        "one before the first release; run the one that wrote it, or begin with a new data "
        "directory"));
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);
    catalog_place_run(&f->place, "PRAGMA user_version = 0"); // as without tables
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "a collector brings it up to date when it starts"));
    catalog_place_run(&f->place,
        "PRAGMA user_version = 1; ALTER TABLE session RENAME COLUMN is_remade TO is_begun");
    assert_int_equal(catalog_open(f->place.path, &opened, &problem), LP_EVERSION);
    assert_non_null(strstr(problem.text, "one before the first release; run the one that wrote"));
    assert_int_equal(catalog_open_reader(f->place.path, &opened, &problem), LP_EVERSION);

    char path[400];
    (void)snprintf(path, sizeof(path), "%s/none.db", f->place.dir.path);
    assert_int_equal(catalog_open_reader(path, &opened, &problem), LP_ENOENT);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 1000; i++) {
        assert_true(fputs("this is no database\n", file) >= 0);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(catalog_open(path, &opened, &problem), LP_ECORRUPT);
    assert_non_null(strstr(problem.text, path));
    (void)snprintf(path, sizeof(path), "%s/none/catalog.db", f->place.dir.path);
    assert_int_equal(catalog_open(path, &opened, &problem), LP_EIO);
    catalog_close(NULL);
}

// The answer to the commit of chunk 0 is lost: its writer saves the row from before the commit. The
// commit's row and carry-over stay.
static void
test_a_row_of_before_a_chunk_changes_nothing(void **state)
{
    const fixture *f = *state;
    catalog_session before = session_of('a', "shop", 1000, 2000);
    put(f->catalog, &before);
    catalog_session after = before;
    after.next_chunk = 1;
    after.totals.events_in = 7;
    after.losses[CATALOG_LOSS_BATCHES_LOST] = 2;
    const catalog_chunk chunk = {.ordinal = 0, .types_json = "{}"};
    assert_int_equal(
        catalog_add_chunk(f->catalog, &after, &chunk, (lp_slice){(const uint8_t *)"c", 1}), LP_OK);
    before.losses[CATALOG_LOSS_BATCHES_LOST] = 1;
    before.is_ended = false;
    put(f->catalog, &before);
    assert_int_equal(catalog_find(f->catalog, after.id, on_full_session, &after), LP_OK);
    after.is_ended = false; // a row of the same chunk or a later one is written
    put(f->catalog, &after);
    assert_int_equal(catalog_find(f->catalog, after.id, on_full_session, &after), LP_OK);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_every_field_comes_back),
        TEST(test_lists_select_and_order),
        TEST(test_versions_are_listed_by_service),
        TEST(test_services_are_counted),
        TEST(test_what_comes_after_all_is_not_lost),
        TEST(test_chunks_come_with_totals_and_carry),
        TEST(test_another_edition_replaces_a_chunk),
        TEST(test_a_chunk_that_fails_changes_nothing),
        TEST(test_a_row_of_before_a_chunk_changes_nothing),
        TEST(test_readers_see_what_is_committed_and_cannot_write),
        TEST(test_a_killed_writer_loses_nothing_committed),
        TEST(test_what_was_dropped_is_summed_by_reason),
    };
    const struct CMUnitTest of_sqlite[] = {
        TEST(test_what_the_system_says_is_passed_on),
        TEST(test_memory_is_not_counted),
        TEST(test_other_versions_and_other_files_are_refused),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return catalog_place_is_postgres() ? failed
                                       : failed + cmocka_run_group_tests(of_sqlite, NULL, NULL);
}
