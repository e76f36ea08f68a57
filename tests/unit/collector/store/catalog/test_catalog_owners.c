// SPDX-License-Identifier: Apache-2.0
// Nodes and owners: leases expire by the database's clock; a draining node is marked; each new
// owner has a higher term. A write with an old term changes no row, chunk or sum, though the
// transaction writes others. In SQLite and, by with_postgres.sh, in PostgreSQL, where collectors
// that share a catalog and one that does not exclude each other.

#include "support/catalog_place.h"

#include "collector/store/catalog/catalog_days.h"
#include "collector/store/catalog/catalog_db.h"
#include "collector/store/catalog/catalog_expiry.h"
#include "collector/store/catalog/catalog_owners.h"
#include "collector/store/catalog/catalog_rollups.h"
#include "collector/store/catalog/postgres/postgres_link.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const ids[2] = {
    "11111111111111111111111111111111", "22222222222222222222222222222222"};

typedef struct fixture {
    catalog_place place;
    catalog *nodes[2];
} fixture;

static int
setup(void **state)
{
    fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->place = catalog_place_make();
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(catalog_open_shared(f->place.path, ids[i], &f->nodes[i], NULL), LP_OK);
        assert_string_equal(catalog_get_node(f->nodes[i]), ids[i]);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    fixture *f = *state;
    catalog_close(f->nodes[0]);
    catalog_close(f->nodes[1]);
    catalog_place_remove(&f->place);
    free(f);
    return 0;
}

static catalog_session
session_of(char digit, uint64_t term)
{
    catalog_session session = {
        .service = catalog_place_text("shop"),
        .instance = catalog_place_text("host:1"),
        .jvm_name = catalog_place_text("OpenJDK"),
        .jvm_version = catalog_place_text("25"),
        .start_wall_ns = 100,
        .end_wall_ns = 200,
        .term = term,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

// --- Nodes

static void
join(catalog *of, const char *name, int64_t lease_ms)
{
    const catalog_node node = {
        .name = name, .url = "http://one:7412", .key = "secret", .version = "1", .log = ""};
    assert_int_equal(catalog_nodes_join(of, &node, lease_ms), LP_OK);
}

typedef struct seen_nodes {
    char names[64]; // one after the other; + valid lease, - expired, ! draining
    char keys[64];
    uint64_t sessions;
} seen_nodes;

static void
on_node(void *arg, const catalog_node *node)
{
    seen_nodes *seen = arg;
    size_t used = strlen(seen->names);
    (void)snprintf(seen->names + used, sizeof(seen->names) - used, "%s%s%s", node->name,
        node->left_ms > 0 ? "+" : "-", node->is_draining ? "!" : "");
    used = strlen(seen->keys);
    (void)snprintf(seen->keys + used, sizeof(seen->keys) - used, "%s ", node->key);
    seen->sessions += node->sessions;
}

static void
assert_nodes(catalog *of, const char *expected)
{
    seen_nodes seen = {.names = ""};
    assert_int_equal(catalog_nodes_list(of, on_node, &seen), LP_OK);
    assert_string_equal(seen.names, expected);
}

static void
test_leases(void **state)
{
    fixture *f = *state;
    bool is_draining;
    assert_int_equal(catalog_nodes_renew(f->nodes[0], 1000, &is_draining), LP_ENOENT);
    join(f->nodes[0], "b", 3600000);
    join(f->nodes[1], "a", 0);
    assert_nodes(f->nodes[0], "a-b+");
    assert_int_equal(catalog_nodes_renew(f->nodes[1], 3600000, &is_draining), LP_OK);
    assert_false(is_draining);
    assert_nodes(f->nodes[0], "a+b+");
    assert_int_equal(catalog_nodes_renew(f->nodes[1], 0, &is_draining), LP_OK);
    assert_nodes(f->nodes[1], "a-b+");

    // A node with an old lease is forgotten, unless it has sessions.
    assert_int_equal(catalog_nodes_forget(f->nodes[0], 3600000), LP_OK);
    assert_nodes(f->nodes[1], "a-b+");
    assert_int_equal(catalog_nodes_renew(f->nodes[1], -7200000, &is_draining), LP_OK);
    assert_int_equal(catalog_nodes_forget(f->nodes[0], 3600000), LP_OK);
    assert_nodes(f->nodes[1], "b+");
}

static void
test_draining(void **state)
{
    fixture *f = *state;
    bool is_draining = false;
    uint64_t count;
    join(f->nodes[0], "a", 1000000);
    join(f->nodes[1], "b", 1000000);
    assert_int_equal(catalog_nodes_drain(f->nodes[1], "nobody", true, &count), LP_OK);
    assert_int_equal(count, 0);
    assert_int_equal(catalog_nodes_drain(f->nodes[1], "a", true, &count), LP_OK);
    assert_int_equal(count, 1);
    assert_int_equal(catalog_nodes_renew(f->nodes[0], 1000000, &is_draining), LP_OK);
    assert_true(is_draining);
    assert_int_equal(catalog_nodes_renew(f->nodes[1], 1000000, &is_draining), LP_OK);
    assert_false(is_draining);
    assert_int_equal(catalog_nodes_drain(f->nodes[1], ids[1], true, &count), LP_OK);
    assert_nodes(f->nodes[0], "a+!b+!");
    assert_int_equal(catalog_nodes_drain(f->nodes[1], "a", false, &count), LP_OK);
    assert_nodes(f->nodes[0], "a+b+!");
    join(f->nodes[1], "b", 1000000); // it restarted
    assert_nodes(f->nodes[0], "a+b+");
}

// --- Owners

static uint64_t
take(catalog *of, char digit)
{
    const catalog_session session = session_of(digit, 0);
    uint64_t term = 0;
    assert_int_equal(catalog_owners_take(of, session.id, &term), LP_OK);
    return term;
}

static void
test_terms(void **state)
{
    fixture *f = *state;
    catalog_owner owner;
    const catalog_session session = session_of('a', 0);
    assert_int_equal(catalog_owners_find(f->nodes[0], session.id, &owner), LP_ENOENT);
    assert_int_equal(take(f->nodes[0], 'a'), 1);
    assert_int_equal(take(f->nodes[0], 'a'), 1);
    assert_int_equal(take(f->nodes[1], 'a'), 2);
    assert_int_equal(take(f->nodes[0], 'a'), 3);
    assert_int_equal(take(f->nodes[0], 'b'), 1);

    assert_int_equal(catalog_owners_find(f->nodes[1], session.id, &owner), LP_OK);
    assert_string_equal(owner.node, ids[0]);
    assert_int_equal(owner.term, 3);
    assert_false(owner.is_there); // it has no row
    assert_string_equal(owner.url, "");
    join(f->nodes[0], "a", 1000000);
    assert_int_equal(catalog_owners_find(f->nodes[1], session.id, &owner), LP_OK);
    assert_true(owner.is_there);
    assert_string_equal(owner.url, "http://one:7412");
    assert_string_equal(owner.key, "secret");
    join(f->nodes[0], "a", 0);
    assert_int_equal(catalog_owners_find(f->nodes[1], session.id, &owner), LP_OK);
    assert_false(owner.is_there);
}

static void
note_service(void *arg, const catalog_session *session)
{
    (void)snprintf(arg, 16, "%s", session->service);
}

static void
assert_service(catalog *of, char digit, const char *expected)
{
    char found[16] = "";
    const catalog_session session = session_of(digit, 0);
    assert_int_equal(catalog_find(of, session.id, note_service, found), LP_OK);
    assert_string_equal(found, expected);
}

static void
test_an_old_term_writes_nothing(void **state)
{
    fixture *f = *state;
    catalog_session mine = session_of('a', take(f->nodes[0], 'a'));
    assert_int_equal(catalog_put_session(f->nodes[0], &mine), LP_OK);
    catalog_session theirs = session_of('a', take(f->nodes[1], 'a'));
    theirs.service = catalog_place_text("theirs");
    assert_int_equal(catalog_put_session(f->nodes[1], &theirs), LP_OK);

    mine.next_chunk = 7;
    assert_int_equal(catalog_put_session(f->nodes[0], &mine), LP_ECLOSED);
    const catalog_chunk chunk = {.ordinal = 6, .types_json = "{}"};
    assert_int_equal(
        catalog_add_chunk(f->nodes[0], &mine, &chunk, (lp_slice){NULL, 0}), LP_ECLOSED);
    mine.term = theirs.term; // another node's
    assert_int_equal(catalog_put_session(f->nodes[0], &mine), LP_ECLOSED);
    assert_service(f->nodes[0], 'a', "theirs");

    // Taken back: the earlier term is invalid.
    mine.term = 1;
    assert_int_equal(take(f->nodes[0], 'a'), 3);
    assert_int_equal(catalog_put_session(f->nodes[0], &mine), LP_ECLOSED);
    mine.term = 3;
    assert_int_equal(catalog_add_chunk(f->nodes[0], &mine, &chunk, (lp_slice){NULL, 0}), LP_OK);
    assert_int_equal(catalog_put_session(f->nodes[1], &theirs), LP_ECLOSED);
    assert_service(f->nodes[1], 'a', "shop");
}

static void
test_others_of_a_transaction_are_written(void **state)
{
    fixture *f = *state;
    catalog_session own = session_of('a', take(f->nodes[0], 'a'));
    catalog_session lost = session_of('b', take(f->nodes[0], 'b'));
    catalog_session last = session_of('c', take(f->nodes[0], 'c'));
    const catalog_session *rows[] = {&own, &lost, &last};
    bool is_lost[3];
    assert_int_equal(catalog_put_sessions(f->nodes[0], rows, 3, is_lost), LP_OK);
    assert_true(!is_lost[0] && !is_lost[1] && !is_lost[2]);
    (void)take(f->nodes[1], 'b');
    own.service = lost.service = last.service = catalog_place_text("later");
    assert_int_equal(catalog_put_sessions(f->nodes[0], rows, 3, is_lost), LP_OK);
    assert_true(!is_lost[0] && is_lost[1] && !is_lost[2]);
    assert_service(f->nodes[1], 'a', "later");
    assert_service(f->nodes[1], 'b', "shop");
    assert_service(f->nodes[1], 'c', "later");
}

// --- Lists

// Collectors remove sessions that others own.
static void
test_a_session_that_goes_on_is_not_removed(void **state)
{
    fixture *f = *state;
    catalog_session own = session_of('a', take(f->nodes[0], 'a'));
    uint64_t term;
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_OK);
    assert_int_equal(catalog_remove_session(f->nodes[1], own.id), LP_EAGAIN);
    assert_service(f->nodes[1], 'a', "shop");
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_OK); // it still owns it

    own.is_ended = true;
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_OK);
    assert_int_equal(catalog_remove_session(f->nodes[1], own.id), LP_OK);
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_ECLOSED);
    assert_int_equal(catalog_owners_take(f->nodes[0], own.id, &term), LP_EAGAIN);
    assert_int_equal(catalog_end_removal(f->nodes[1], own.id, CATALOG_REMOVAL_ALL), LP_OK);
    catalog_owner owner = {.is_known = true};
    assert_int_equal(catalog_owners_find(f->nodes[0], own.id, &owner), LP_ENOENT);
    assert_false(owner.is_known);
    assert_int_equal(take(f->nodes[0], 'a'), 1);
}

// A thread that takes a session while the other node writes it.
typedef struct taker {
    catalog *catalog;
    const char *id;
    atomic_bool is_done;
    uint64_t term;
} taker;

static void *
take_on_thread(void *arg)
{
    taker *t = arg;
    lp_err err = catalog_owners_take(t->catalog, t->id, &t->term);
    atomic_store(&t->is_done, true);
    return err == LP_OK ? t : NULL;
}

// The transaction of a chunk locks the session's owner: another node that takes the session waits
// for the commit, and writes later with its own term.
static void
test_nobody_takes_what_is_being_written(void **state)
{
    fixture *f = *state;
    if (catalog_is_file(f->place.path)) { // writers always exclude each other there
        skip();
    }
    catalog_session own = session_of('a', take(f->nodes[0], 'a'));
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_OK);
    assert_int_equal(catalog_db_begin(f->nodes[0]), LP_OK);
    catalog_db_call call;
    CATALOG_DB_START(f->nodes[0], HOLD_OWNER, &call, own.id, ids[0], own.term);
    assert_true(catalog_db_step(&call));
    assert_int_equal(catalog_db_finish(&call), LP_OK);

    taker t = {.catalog = f->nodes[1], .id = own.id};
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, take_on_thread, &t), 0);
    (void)poll(NULL, 0, 300); // it waits only for this transaction
    assert_false(atomic_load(&t.is_done));
    assert_int_equal(catalog_db_end(f->nodes[0], LP_OK), LP_OK);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &t);
    assert_int_equal(t.term, 2);
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_ECLOSED);
}

static void
note_expired(void *arg, const catalog_session *row)
{
    *(uint64_t *)arg = row->expired_chunks;
}

// The collector that expires chunks is not the session's owner.
static void
test_what_another_one_expired_stays_counted(void **state)
{
    fixture *f = *state;
    uint64_t expired = 0;
    catalog_session own = session_of('a', take(f->nodes[0], 'a'));
    const catalog_chunk chunk = {.ordinal = 0, .types_json = "{}"};
    assert_int_equal(catalog_add_chunk(f->nodes[0], &own, &chunk, (lp_slice){NULL, 0}), LP_OK);
    catalog_old_chunk old = {.ordinal = 0};
    memcpy(old.session_id, own.id, sizeof(old.session_id));
    assert_int_equal(catalog_expire(f->nodes[1], &old, 1), LP_OK);
    assert_int_equal(catalog_put_session(f->nodes[0], &own), LP_OK); // it does not know of that
    assert_int_equal(catalog_find(f->nodes[0], own.id, note_expired, &expired), LP_OK);
    assert_int_equal(expired, 1);
}

static void
add_with_contexts(catalog *of, char digit, unsigned count)
{
    rollup made;
    rollup_init(&made);
    rollup_type *type = rollup_add_type(&made, "Request");
    assert_non_null(type);
    for (unsigned i = 0; i < count; i++) {
        histogram_add(&type->numbers.all, &made.arena, 1000);
    }
    catalog_session session = session_of(digit, take(of, digit));
    const catalog_chunk chunk = {.ordinal = 0, .types_json = "{}", .rollup = &made};
    assert_int_equal(catalog_add_chunk(of, &session, &chunk, (lp_slice){NULL, 0}), LP_OK);
    rollup_fini(&made);
}

static lp_err
add_up(void *arg, const catalog_rollup *part)
{
    return rollup_parts_add(arg, part->parts, part->session_id);
}

static void
assert_contexts(catalog *of, uint64_t expected)
{
    const catalog_rollup_query all = {.service = "shop",
        .from_wall_ns = 0,
        .to_wall_ns = CATALOG_LONG_SUM_NS,
        .step_ns = CATALOG_LONG_SUM_NS,
        .has_exemplars = true,
        .has_attributes = true};
    rollup sum;
    rollup_init(&sum);
    assert_int_equal(catalog_rollups_list(of, &all, add_up, &sum), LP_OK);
    assert_int_equal(rollup_err(&sum), LP_OK);
    const rollup_type *type = rollup_add_type(&sum, "Request");
    assert_int_equal(type->numbers.all.count, expected);
    rollup_fini(&sum);
}

// Each collector has its own sums, which readers add up. A collector that stores a chunk again
// rebuilds only its own sums.
static void
test_sums_of_several_add_up(void **state)
{
    fixture *f = *state;
    add_with_contexts(f->nodes[0], 'a', 3);
    add_with_contexts(f->nodes[1], 'b', 10);
    assert_contexts(f->nodes[0], 13);
    add_with_contexts(f->nodes[0], 'a', 4);
    add_with_contexts(f->nodes[1], 'c', 100);
    assert_contexts(f->nodes[1], 114);
    catalog_old_chunk old = {.ordinal = 0};
    for (const char *digit = "abc"; *digit != '\0'; digit++) {
        memset(old.session_id, *digit, CATALOG_ID_CHARS);
        assert_int_equal(catalog_expire(f->nodes[1], &old, 1), LP_OK);
    }
    assert_contexts(f->nodes[0], 0);
}

static void
note_own(void *arg, const char *session_id, uint64_t term)
{
    char *seen = arg;
    size_t used = strlen(seen);
    (void)snprintf(seen + used, 16 - used, "%c%u", session_id[0], (unsigned)term);
}

static void
note_left(void *arg, const char *session_id)
{
    char *seen = arg;
    size_t used = strlen(seen);
    (void)snprintf(seen + used, 16 - used, "%c", session_id[0]);
}

static void
put(catalog *of, char digit, bool is_ended)
{
    catalog_session row = session_of(digit, take(of, digit));
    row.is_ended = is_ended;
    assert_int_equal(catalog_put_session(of, &row), LP_OK);
}

static void
assert_left(catalog *of, int64_t over_ms, const char *expected)
{
    char seen[16] = "";
    assert_int_equal(catalog_owners_list_left(of, over_ms, 8, note_left, seen), LP_OK);
    assert_string_equal(seen, expected);
}

static void
note_running(void *arg, const catalog_running *session)
{
    char *seen = arg;
    size_t used = strlen(seen);
    (void)snprintf(seen + used, 64 - used, "%c%u%s%s ", session->id[0], (unsigned)session->term,
        session->node, session->is_there ? "+" : "-");
    assert_string_equal(session->service, "shop");
    assert_string_equal(session->instance, "host:1");
}

static void
test_running_sessions_have_owners(void **state)
{
    fixture *f = *state;
    char seen[64] = "";
    join(f->nodes[0], "x", 0);
    join(f->nodes[1], "y", 1000000);
    put(f->nodes[1], 'a', false);
    put(f->nodes[0], 'b', false);
    put(f->nodes[0], 'c', true);
    put(f->nodes[0], 'd', false);
    put(f->nodes[1], 'd', false);
    assert_int_equal(catalog_owners_list_running(f->nodes[0], note_running, seen), LP_OK);
    assert_string_equal(seen, "b1x- a1y+ d2y+ ");
}

static void
test_lists_of_sessions(void **state)
{
    fixture *f = *state;
    char seen[16] = "";
    put(f->nodes[0], 'a', false);
    put(f->nodes[0], 'b', true);
    put(f->nodes[1], 'c', false);
    assert_int_equal(catalog_owners_list_own(f->nodes[0], note_own, seen), LP_OK);
    assert_string_equal(seen, "a1");
    put(f->nodes[1], 'a', false);
    seen[0] = '\0';
    assert_int_equal(catalog_owners_list_own(f->nodes[0], note_own, seen), LP_OK);
    assert_string_equal(seen, "");
    put(f->nodes[0], 'a', false);

    join(f->nodes[0], "a", 0);
    join(f->nodes[1], "b", 1000000);
    assert_left(f->nodes[1], 3600000, "");
    assert_left(f->nodes[1], -1, "a"); // the lease ends now, or a little ago
    char first[CATALOG_NODE_ID_CHARS + 1];
    assert_int_equal(catalog_nodes_find_first(f->nodes[0], first), LP_OK);
    assert_string_equal(first, ids[1]);
    seen_nodes nodes = {.names = ""};
    assert_int_equal(catalog_nodes_list(f->nodes[0], on_node, &nodes), LP_OK);
    assert_int_equal(nodes.sessions, 2);
}

static void
note_day(void *arg, const catalog_day *day)
{
    *(uint64_t *)arg += day->bytes;
}

static void
test_each_counts_its_own_quota(void **state)
{
    fixture *f = *state;
    const catalog_day day = {.service = "shop", .day = 5, .bytes = 10};
    const catalog_day other = {.service = "shop", .day = 5, .bytes = 300};
    assert_int_equal(catalog_days_put(f->nodes[0], &day, 1, 5), LP_OK);
    assert_int_equal(catalog_days_put(f->nodes[1], &other, 1, 5), LP_OK);
    uint64_t bytes = 0;
    assert_int_equal(catalog_days_list(f->nodes[0], note_day, &bytes), LP_OK);
    assert_int_equal(bytes, 10);
    assert_int_equal(catalog_days_put(f->nodes[0], NULL, 0, 6), LP_OK);
    bytes = 0;
    assert_int_equal(catalog_days_list(f->nodes[1], note_day, &bytes), LP_OK);
    assert_int_equal(bytes, 300);
}

static void
test_one_that_does_not_share_is_refused(void **state)
{
    enum { STATEMENT_MS_MAX = 1500 }; // it waits for a lock for three fifths of that
    fixture *f = *state;
    catalog *alone = NULL;
    lp_problem problem;
    if (catalog_is_file(f->place.path)) { // the directory's lock excludes it
        skip();
    }
    postgres_link_set_loop_ms_max(STATEMENT_MS_MAX);
    assert_int_equal(catalog_open(f->place.path, &alone, &problem), LP_ELIMIT);
    assert_non_null(strstr(problem.text, "--node"));
    catalog_close(f->nodes[0]);
    catalog_close(f->nodes[1]);
    assert_int_equal(catalog_open(f->place.path, &alone, &problem), LP_OK);
    assert_int_equal(catalog_open_shared(f->place.path, ids[0], &f->nodes[0], &problem), LP_ELIMIT);
    postgres_link_set_loop_ms_max(POSTGRES_LINK_LOOP_MS_MAX);
    catalog_close(alone);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(catalog_open_shared(f->place.path, ids[i], &f->nodes[i], NULL), LP_OK);
    }
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_leases),
        TEST(test_draining),
        TEST(test_terms),
        TEST(test_an_old_term_writes_nothing),
        TEST(test_others_of_a_transaction_are_written),
        TEST(test_a_session_that_goes_on_is_not_removed),
        TEST(test_nobody_takes_what_is_being_written),
        TEST(test_what_another_one_expired_stays_counted),
        TEST(test_sums_of_several_add_up),
        TEST(test_running_sessions_have_owners),
        TEST(test_lists_of_sessions),
        TEST(test_each_counts_its_own_quota),
        TEST(test_one_that_does_not_share_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
