// SPDX-License-Identifier: Apache-2.0
#include "http_fixture.h"

#include "common/base/lp_time_scale.h"
#include "common/jfr/jfr_chunk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum {
    DIVISOR = 20
}; // of the times of lp_time_scale.h: slow connections are looked for every 50 ms

static const int64_t START_WALL_NS = 1767323045123456789; // 2026-01-02T03:04:05.123456789Z
static const int64_t HOUR_NS = 3600000000000;

// --- The session server's part.

typedef struct pending {
    fake_server *server;
    snapshot_kind kind;
    snapshot_receiver *on_snapshot;
    void *arg;
} pending;

// add_tail adds the chunks of the tail; bytes that are no chunk are one.
static void
add_tail(const fake_server *from, snapshot *made)
{
    lp_slice rest = lp_buf_slice(&from->tail);
    while (rest.len > 0) {
        jfr_chunk_info info;
        lp_slice chunk = rest;
        if (jfr_chunk_parse(rest, &info, NULL) == LP_OK && info.size_bytes < rest.len) {
            chunk.len = (size_t)info.size_bytes;
        }
        lp_buf bytes = {0};
        lp_buf_append(&bytes, chunk.ptr, chunk.len);
        if (snapshot_add_chunk(made, from->blobs, &bytes) != LP_OK) {
            abort();
        }
        lp_buf_fini(&bytes);
        rest.ptr += chunk.len;
        rest.len -= chunk.len;
    }
}

static snapshot *
make_snapshot(const fake_server *from, snapshot_kind kind)
{
    if (from->has_no_memory) {
        return NULL;
    }
    snapshot *made = snapshot_create(from->err);
    if (made == NULL) {
        abort();
    }
    if (made->err == LP_OK) {
        made->next_chunk = from->next_chunk;
        made->totals = from->totals;
        made->waiting = from->waiting;
        if (kind == SNAPSHOT_JFR || kind == SNAPSHOT_WIDE) {
            add_tail(from, made);
        }
    }
    return made;
}

static void *
run_answer(void *arg)
{
    pending *pending_answer = arg;
    fake_server *from = pending_answer->server;
    (void)pthread_mutex_lock(&from->mutex);
    snapshot *made = make_snapshot(from, pending_answer->kind);
    (void)pthread_mutex_unlock(&from->mutex);
    pending_answer->on_snapshot(pending_answer->arg, made);
    free(pending_answer);
    return NULL;
}

static uint64_t
request_snapshot(void *fake, const char *session_id, snapshot_kind kind,
    snapshot_receiver *on_snapshot, void *arg)
{
    fake_server *asked = fake;
    if (!catalog_id_is_valid(session_id)) {
        abort(); // must never get here
    }
    pending *made = malloc(sizeof(*made));
    if (made == NULL) {
        abort();
    }
    *made = (pending){.server = asked, .kind = kind, .on_snapshot = on_snapshot, .arg = arg};
    (void)pthread_mutex_lock(&asked->mutex);
    uint64_t ticket = ++asked->last_ticket;
    if (asked->is_held) {
        asked->held[asked->held_count++ % 64] =
            (struct fake_request){ticket, kind, on_snapshot, arg};
        (void)pthread_cond_broadcast(&asked->is_asked);
        free(made);
        made = NULL;
    } else if (asked->is_threaded && asked->thread_count < 64 &&
               pthread_create(&asked->threads[asked->thread_count], NULL, run_answer, made) == 0) {
        asked->thread_count++;
        made = NULL;
    }
    (void)pthread_mutex_unlock(&asked->mutex);
    if (made != NULL) {
        (void)run_answer(made);
    }
    return ticket;
}

static void
cancel_snapshot(void *fake, const char *session_id, uint64_t ticket)
{
    (void)session_id;
    fake_server *asked = fake;
    struct fake_request taken = {0};
    (void)pthread_mutex_lock(&asked->mutex);
    for (unsigned i = 0; i < asked->held_count; i++) {
        if (asked->held[i].ticket == ticket) {
            taken = asked->held[i];
            asked->held[i] = asked->held[--asked->held_count];
            break;
        }
    }
    (void)pthread_mutex_unlock(&asked->mutex);
    if (taken.on_snapshot != NULL) {
        taken.on_snapshot(taken.arg, snapshot_create(LP_ECLOSED));
    }
}

// take_held takes the request that was held last; false if there is none.
static bool
take_held(fake_server *from, struct fake_request *out_request, snapshot **out_snapshot)
{
    (void)pthread_mutex_lock(&from->mutex);
    bool is_taken = from->held_count > 0;
    if (is_taken) {
        *out_request = from->held[--from->held_count];
        *out_snapshot = make_snapshot(from, out_request->kind);
    }
    (void)pthread_mutex_unlock(&from->mutex);
    return is_taken;
}

void
http_fixture_release(http_fixture *f)
{
    struct fake_request held;
    snapshot *made;
    assert_int_equal(f->server.held_count, 1);
    if (take_held(&f->server, &held, &made)) {
        held.on_snapshot(held.arg, made);
    }
}

void
http_fixture_open(http_fixture *f)
{
    struct fake_request held;
    snapshot *made;
    (void)pthread_mutex_lock(&f->server.mutex);
    f->server.is_held = false;
    assert_true(f->server.held_count <= sizeof(f->server.held) / sizeof(f->server.held[0]));
    (void)pthread_mutex_unlock(&f->server.mutex);
    while (take_held(&f->server, &held, &made)) {
        held.on_snapshot(held.arg, made);
    }
}

// --- The fixture.

static void
on_lost(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)session_id;
    lost_log *lost = arg;
    atomic_store(&lost->ordinal, ordinal);
    atomic_fetch_add(&lost->count, 1);
}

int
http_fixture_setup(void **state)
{
    http_fixture *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    char blobs_path[300];
    lp_time_scale_set(DIVISOR);
    f->dir = temp_dir_make();
    (void)snprintf(f->catalog_path, sizeof(f->catalog_path), "%s/catalog.db", f->dir.path);
    (void)snprintf(blobs_path, sizeof(blobs_path), "%s/blobs", f->dir.path);
    assert_int_equal(catalog_open(f->catalog_path, &f->catalog, NULL), LP_OK);
    assert_int_equal(blobs_open(blobs_path, &f->blobs, NULL), LP_OK);
    blobs_set_on_lost(f->blobs, on_lost, &f->lost);
    f->server.blobs = f->blobs;
    (void)snprintf(f->ids_path, sizeof(f->ids_path), "%s/ids", f->dir.path);
    bool is_new;
    const id_index_config ids = {.dir = f->ids_path, .catalog_place = f->catalog_path};
    assert_int_equal(id_index_open(&ids, &f->ids, &is_new, NULL), LP_OK);
    assert_int_equal(pthread_mutex_init(&f->server.mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&f->server.is_asked, NULL), 0);
    f->server.err = LP_ENOENT;
    (void)snprintf(f->policies_path, sizeof(f->policies_path), "%s/policies", f->dir.path);
    assert_int_equal(mkdir(f->policies_path, 0700), 0);
    assert_int_equal(policy_dir_open(f->policies_path, &f->policies, NULL), LP_OK);
    f->snapshots = (snapshot_source){
        .request = request_snapshot, .cancel = cancel_snapshot, .arg = &f->server};
    http_fixture_serve(f, NULL, false);
    *state = f;
    return 0;
}

static void
serve(http_fixture *f, access_file *access, bool is_local, const http_gate_limits *limits)
{
    http_server_stop(f->http);
    http_config config = {.address = "127.0.0.1:0",
        .is_local = is_local,
        .access = access,
        .audit = f->audit,
        .base_path = f->base_path,
        .has_forwarded_prefix = f->has_forwarded_prefix,
        .links = f->links,
        .uploads = f->uploads,
        .pins = f->pins,
        .raw = f->raw,
        .recall_budget = f->budget,
        .limits = limits,
        .catalog_path = f->catalog_path,
        .blobs = f->blobs,
        .large_bytes = 1, // as few as may be
        .ids = f->ids,
        .snapshots = f->snapshots,
        .policies = f->policies};
    assert_int_equal(http_server_start(&config, &f->http, NULL), LP_OK);
    f->port = http_server_get_port(f->http);
    assert_true(f->port > 0);
}

void
http_fixture_serve(http_fixture *f, access_file *access, bool is_local)
{
    serve(f, access, is_local, &http_gate_limits_usual); // however many descriptors there are
}

void
http_fixture_serve_within(http_fixture *f, const http_gate_limits *limits)
{
    serve(f, NULL, false, limits);
}

int
http_fixture_teardown(void **state)
{
    http_fixture *f = *state;
    http_server_stop(f->http);
    for (size_t i = 0; i < f->server.thread_count; i++) {
        assert_int_equal(pthread_join(f->server.threads[i], NULL), 0);
    }
    policy_dir_close(f->policies);
    catalog_close(f->catalog);
    blobs_close(f->blobs);
    id_index_close(f->ids);
    lp_buf_fini(&f->server.tail);
    (void)pthread_cond_destroy(&f->server.is_asked);
    (void)pthread_mutex_destroy(&f->server.mutex);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

static char *
text_of(const char *literal)
{
    return (char *)(uintptr_t)literal; // the catalog never writes to what it is given
}

catalog_session
http_fixture_session(char digit, const char *service)
{
    catalog_session session = {
        .service = text_of(service),
        .instance = text_of("host:1"),
        .jvm_name = text_of("OpenJDK 64-Bit Server VM"),
        .jvm_version = text_of("25+36"),
        .pid = 4711,
        .start_wall_ns = START_WALL_NS,
        .end_wall_ns = START_WALL_NS + HOUR_NS,
        .is_ended = true,
    };
    memset(session.id, digit, CATALOG_ID_CHARS);
    return session;
}

void
http_fixture_put(http_fixture *f, const catalog_session *session)
{
    assert_int_equal(catalog_put_session(f->catalog, session), LP_OK);
}

void
http_fixture_make_chunk(lp_buf *out, size_t size_bytes, unsigned seed)
{
    assert_true(size_bytes >= JFR_CHUNK_HEADER_SIZE);
    jfr_chunk_info info = {.major = 2,
        .minor = 1,
        .size_bytes = size_bytes,
        .start_wall_ns = START_WALL_NS,
        .ticks_per_s = 1000000000};
    uint8_t *bytes = lp_buf_extend(out, size_bytes);
    assert_non_null(bytes);
    uint32_t random = seed * 2654435761u + 1;
    for (size_t i = 0; i < size_bytes; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(random >> 24);
    }
    jfr_chunk_encode(&info, bytes);
}

catalog_chunk_ids
http_fixture_no_ids(const http_fixture *f)
{
    return id_index_note(f->ids, 0, &(rollup_ids){0}, 0);
}

void
http_fixture_store(
    http_fixture *f, catalog_session *session, lp_slice bytes, const char *types_json)
{
    catalog_chunk chunk = {.ordinal = session->next_chunk,
        .start_wall_ns = session->start_wall_ns,
        .duration_ns = 60000000000,
        .size_bytes = bytes.len,
        .content_hash = blobs_hash(bytes),
        .types_json = types_json,
        .ids = http_fixture_no_ids(f)};
    blobs_stored stored;
    assert_int_equal(blobs_put(f->blobs, session->id, chunk.ordinal, bytes, &stored), LP_OK);
    chunk.stored_bytes = stored.stored_bytes;
    session->next_chunk++;
    assert_int_equal(catalog_add_chunk(f->catalog, session, &chunk, (lp_slice){0}), LP_OK);
}

void
http_fixture_store_file(http_fixture *f, char digit, const char *service)
{
    catalog_session session = http_fixture_session(digit, service);
    lp_buf bytes = {0};
    http_fixture_make_chunk(&bytes, 10000, 1);
    http_fixture_store(f, &session, lp_buf_slice(&bytes), "{}");
    lp_buf_fini(&bytes);
}
