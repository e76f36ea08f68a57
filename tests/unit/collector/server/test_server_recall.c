// SPDX-License-Identifier: Apache-2.0
// Pins of traces, requests and threads: a chunk has what its policy keeps and what all pins so far
// want, and no more, whatever restarts lie between the pins; a search finds the pinned traces. If a
// service wants whole traces, other JVMs keep their parts. Rules pin JVMs that were killed and slow
// services, within a budget. A person listed what is expected. Costs
// one second of CPU.

#include "support/jfr_read.h"
#include "support/jfr_sample.h"
#include "unit/collector/server/server_rig.h"

#include "collector/base/metrics.h"
#include "collector/mend/fsck.h"
#include "collector/recall/edition/recall_wants.h"
#include "collector/recall/recall.h"
#include "collector/store/catalog/catalog_ids.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_time.h"
#include "common/rollup/rollup_id.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char no_marks[] =
    "<configuration><event name='test.Mark'><setting name='enabled'>false</setting></event>"
    "</configuration>";

static int
set_up(void **state)
{
    return server_rig_set_up_recall(state, 900 * SERVER_RIG_SECOND_NS, no_marks);
}

// build makes a chunk with some of five traces, each on a thread of its own, with a mark in it.
static void
build(jfr_build *out, const char *which)
{
    static const char *const traces[] = {"a1", "b2", "c3", "d4", "e5"};
    jfr_build_begin(
        out, &(jfr_build_clock){.start_ticks = 1, .start_wall_ns = SERVER_RIG_START_NS});
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    jfr_build_metadata(out, 1, types, jfr_sample_types(types));
    for (uint64_t i = 0; i < 5; i++) {
        jfr_sample_thread(out, i + 1, (int64_t)i + 1);
        if (strchr(which, traces[i][0]) != NULL) {
            jfr_sample_mark(out, i + 1, 110 + (int64_t)i);
            jfr_sample_trace(out, i + 1, 100, 200, traces[i]);
        }
    }
    jfr_sample_mark(out, 1, 300); // in no trace
    jfr_build_checkpoint(out);
    (void)jfr_build_finish(out);
}

// send_piece sends a whole chunk.
static void
send_piece(server_rig *f, const jfr_build *made, int64_t duration_ns)
{
    const tick_chunk ticks = {.bytes = made->bytes,
        .start_wall_ns = made->clock.start_wall_ns,
        .start_ticks = (uint64_t)made->clock.start_ticks,
        .metadata_offset = made->metadata_offset,
        .checkpoint_offset = made->checkpoint_offset};
    const wire_piece piece = {
        .sequence = f->sequence++, .chunk = f->chunk, .ticks = &ticks, .duration_ns = duration_ns};
    server_rig_send(f, &piece);
}

static void
end_recording(server_rig *f)
{
    const wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    server_rig_send(f, &last);
    collector_rig_await(&f->rig, f->id, f->chunk + 1, true);
}

static void
send_traces(server_rig *f, const char *which)
{
    jfr_build made;
    build(&made, which);
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    end_recording(f);
    jfr_build_fini(&made);
}

static void
send_chunk(server_rig *f)
{
    send_traces(f, "abcde");
}

// add_pin pins something of the chunk, and waits for it.
static pin
add_pin(const server_rig *f, pin_kind kind, const char *id)
{
    pin asked = {.selection.kind = kind,
        .from_wall_ns = SERVER_RIG_START_NS,
        .to_wall_ns = SERVER_RIG_START_NS + 3600 * SERVER_RIG_SECOND_NS,
        .made_wall_ns = lp_time_now()};
    pin_chunk chunk = {.ordinal = 0};
    const pin_chunks chunks = {.items = &chunk, .count = 1};
    memcpy(chunk.session_id, f->id, sizeof(chunk.session_id));
    (void)snprintf(asked.selection.id, sizeof(asked.selection.id), "%s", id);
    (void)snprintf(asked.key, sizeof(asked.key), "%d %s", (int)kind, id);
    (void)snprintf(asked.service, sizeof(asked.service), "%s", f->client.service);
    return server_rig_pin(f, &asked, &chunks);
}

// What the catalog names.
typedef struct stored {
    const server_rig *of;
    uint64_t edition;
    char marks[80]; // their times
} stored;

static void
read_stored(void *arg, const catalog_chunk *chunk)
{
    stored *s = arg;
    const blob_name name = {.session_id = s->of->id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash,
        .place = chunk->place};
    char path[300];
    blobs *files;
    lp_buf bytes = {0};
    jfr_read read;
    size_t length = 0;
    (void)snprintf(path, sizeof(path), "%s/chunks", s->of->rig.dir.path);
    assert_int_equal(blobs_open(path, &files, NULL), LP_OK);
    assert_int_equal(blobs_read_chunk(files, &name, &bytes), LP_OK);
    jfr_read_open(&read, lp_buf_slice(&bytes));
    for (size_t i = 0; i < read.events.count; i++) {
        const jfr_read_event *event = &read.events.items[i];
        if (strcmp(jfr_read_name(&read, event), "test.Mark") == 0) {
            length += (size_t)snprintf(s->marks + length, sizeof(s->marks) - length, "%d ",
                (int)jfr_read_number(&read, event, "startTime"));
        }
    }
    s->edition = chunk->place.offset;
    jfr_read_close(&read);
    lp_buf_fini(&bytes);
    blobs_close(files);
}

static void
expect(const server_rig *f, uint64_t edition, const char *marks, uint64_t events)
{
    char path[400];
    catalog *reader;
    stored found = {.of = f};
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &reader, NULL), LP_OK);
    assert_int_equal(catalog_list_chunks(reader, f->id, read_stored, &found), LP_OK);
    catalog_close(reader);
    assert_string_equal(found.marks, marks);
    assert_int_equal(found.edition, edition);
    assert_int_equal(collector_rig_look(&f->rig, f->id).totals.events_out, events);
}

static void
note_chunk(void *arg, const char *session_id, uint32_t ordinal)
{
    (void)session_id;
    *(bool *)arg |= ordinal == 0;
}

// is_found returns whether the index leads from an id to the chunk.
static bool
is_found(const server_rig *f, const char *id)
{
    char path[400];
    catalog *reader;
    bool is_there = false;
    uint64_t hash;
    const catalog_ids_range all = {.from_wall_ns = INT64_MIN, .to_wall_ns = INT64_MAX};
    assert_true(rollup_id_hash((lp_slice){(const uint8_t *)id, strlen(id)}, &hash));
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(catalog_open_reader(path, &reader, NULL), LP_OK);
    assert_int_equal(catalog_ids_find(reader, hash, &all, note_chunk, &is_there), LP_OK);
    catalog_close(reader);
    return is_there;
}

static void
restart(server_rig *f)
{
    collector_rig_stop(&f->rig);
    collector_rig_start(&f->rig);
}

static void
test_each_pin_adds_to_those_before(void **state)
{
    server_rig *f = *state;
    send_chunk(f);
    expect(f, BLOB_EDITION_FIRST, "", 0);
    assert_false(is_found(f, "b2"));
    assert_int_equal(add_pin(f, PIN_TRACE, "B2").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART, "111 ", 2);
    assert_true(is_found(f, "b2") && !is_found(f, "a1"));
    restart(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "a1").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART + 1, "110 111 ", 4);
    assert_true(is_found(f, "b2") && is_found(f, "a1") && !is_found(f, "e5"));
    restart(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "b2").outcomes[PIN_KEPT], 1); // it is there
    assert_int_equal(add_pin(f, PIN_TRACE, "other").outcomes[PIN_KEPT], 0);
    expect(f, BLOB_EDITION_PART + 1, "110 111 ", 4);
    assert_int_equal(add_pin(f, PIN_THREAD, "thread-9").outcomes[PIN_WITHOUT], 1);
    assert_int_equal(add_pin(f, PIN_REQUEST, "0000000000000001").outcomes[PIN_WITHOUT], 1);
    expect(f, BLOB_EDITION_PART + 1, "110 111 ", 4);
    assert_int_equal(add_pin(f, PIN_THREAD, "thread-3").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART + 2, "110 111 112 ", 6);
    assert_int_equal(add_pin(f, PIN_THREAD, "1").outcomes[PIN_KEPT], 1); // by its id
    expect(f, BLOB_EDITION_PART_LAST, "110 111 112 300 ", 7);
    assert_int_equal(add_pin(f, PIN_TRACE, "e5").outcomes[PIN_KEPT], 1); // the whole chunk
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 11);
    assert_true(is_found(f, "b2") && is_found(f, "e5"));
}

static void
test_a_pin_of_everything_wins(void **state)
{
    server_rig *f = *state;
    send_chunk(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "c3").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART, "112 ", 2);
    assert_int_equal(add_pin(f, PIN_ALL, "").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 11);
    assert_int_equal(add_pin(f, PIN_TRACE, "a1").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 11);
}

static time_t
get_raw_time(const server_rig *f)
{
    char path[400];
    struct stat info;
    (void)snprintf(path, sizeof(path), "%s/recall/%s/0.log", f->rig.dir.path, f->id);
    assert_int_equal(stat(path, &info), 0);
    return info.st_mtim.tv_sec;
}

static void
set_raw_time(const server_rig *f, time_t wall_s)
{
    char path[400];
    const struct timespec times[] = {{.tv_sec = wall_s}, {.tv_sec = wall_s}};
    (void)snprintf(path, sizeof(path), "%s/recall/%s/0.log", f->rig.dir.path, f->id);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

// note_in_vain writes the record of a further edition, as before a power cut that came before the
// catalog named it.
static void
note_in_vain(const server_rig *f, uint64_t edition, const char *first, const char *second)
{
    char path[400];
    recall_wants wants = {0};
    pin_work work = {.selection.kind = PIN_TRACE};
    bool is_new;
    (void)snprintf(work.selection.id, sizeof(work.selection.id), "%s", first);
    assert_int_equal(recall_wants_add(&wants, &work, &is_new), LP_OK);
    (void)snprintf(work.selection.id, sizeof(work.selection.id), "%s", second);
    assert_int_equal(recall_wants_add(&wants, &work, &is_new), LP_OK);
    const recall_counts counts = {.events = 4, .contexts = 2, .bytes = 1};
    (void)snprintf(path, sizeof(path), "%s/recall/%s/0.log", f->rig.dir.path, f->id);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(recall_wants_write(&wants, edition, &counts, path), LP_OK);
    recall_wants_fini(&wants);
    set_raw_time(f, lp_time_now() / SERVER_RIG_SECOND_NS - 60);
}

static void
test_an_edition_that_was_noted_in_vain_is_made(void **state)
{
    server_rig *f = *state;
    send_chunk(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "a1").outcomes[PIN_KEPT], 1);
    collector_rig_stop(&f->rig);
    note_in_vain(f, BLOB_EDITION_PART + 1, "a1", "b2");
    time_t since = get_raw_time(f);
    collector_rig_start(&f->rig);
    assert_int_equal(add_pin(f, PIN_TRACE, "b2").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART + 1, "110 111 ", 4);
    assert_int_equal(add_pin(f, PIN_TRACE, "a1").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART + 1, "110 111 ", 4);
    assert_true(get_raw_time(f) == since); // the age of raw data does not begin again
}

// The header of a chunk says that it ended before it began.
static void
test_absurd_times_are_endured(void **state)
{
    server_rig *f = *state;
    jfr_build made;
    build(&made, "abcde");
    send_piece(f, &made, -SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
    end_recording(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "a1").outcomes[PIN_KEPT], 1);
    restart(f);
    assert_int_equal(add_pin(f, PIN_ALL, "").outcomes[PIN_KEPT], 1);
}

// send_trace sends a second chunk, with a trace that began in the first one.
static void
send_trace(server_rig *f, const char *trace)
{
    enum { START_TICKS = SERVER_RIG_SECOND_NS + 1 };
    jfr_build made;
    jfr_build_type types[JFR_SAMPLE_TYPES_MAX];
    jfr_build_begin(&made, &(jfr_build_clock){.start_ticks = START_TICKS,
                               .start_wall_ns = SERVER_RIG_START_NS + SERVER_RIG_SECOND_NS});
    jfr_build_metadata(&made, START_TICKS, types, jfr_sample_types(types));
    jfr_sample_thread(&made, 1, 1);
    jfr_sample_trace(&made, 1, 100, START_TICKS + 100, trace);
    jfr_build_checkpoint(&made);
    (void)jfr_build_finish(&made);
    f->chunk++;
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
}

// A trace is pinned while it is open.
static void
test_the_chunk_in_which_a_pinned_trace_began_joins_later(void **state)
{
    server_rig *f = *state;
    pin asked = {.key = "open",
        .selection = {PIN_TRACE, "f6"},
        .to_wall_ns = INT64_MAX,
        .made_wall_ns = lp_time_now()};
    pin now;
    bool is_new;
    jfr_build made;
    build(&made, "abcde");
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
    assert_int_equal(
        pins_add(recall_get_pins(server_get_recall(f->rig.server)), &asked, &now, &is_new), LP_OK);
    send_trace(f, "f6");
    end_recording(f);
    do {
        assert_int_equal(
            pins_add(recall_get_pins(server_get_recall(f->rig.server)), &asked, &now, &is_new),
            LP_OK);
        (void)poll(NULL, 0, 5);
    } while (now.outcomes[PIN_KEPT] == 0 || now.waiting > 0);
    assert_int_equal(now.outcomes[PIN_KEPT], 2);
    expect(f, BLOB_EDITION_PART, "110 300 ", 4); // of the second chunk; with the trace a1
}

static void
note_finding(void *arg, const finding *found)
{
    (void)arg;
    fail_msg("finding %d", (int)found->kind);
}

static void
check_nothing_is_found(const server_rig *f)
{
    const fsck_config config = {
        .data_dir = f->rig.dir.path, .is_repairing = true, .on_finding = note_finding};
    fsck_counts counts;
    lp_problem problem;
    assert_int_equal(fsck_run(&config, &counts, &problem), LP_OK);
}

// The catalog is lost: it is made again from the latest edition.
static void
test_a_lost_catalog_gets_the_latest_edition_back(void **state)
{
    server_rig *f = *state;
    char path[400];
    send_chunk(f);
    (void)add_pin(f, PIN_TRACE, "a1");
    (void)add_pin(f, PIN_TRACE, "d4");
    collector_rig_stop(&f->rig);
    check_nothing_is_found(f);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", f->rig.dir.path);
    assert_int_equal(unlink(path), 0);
    const fsck_config config = {.data_dir = f->rig.dir.path, .is_repairing = true};
    fsck_counts counts;
    lp_problem problem;
    assert_int_equal(fsck_run(&config, &counts, &problem), LP_OK);
    collector_rig_start(&f->rig);
    expect(
        f, BLOB_EDITION_PART + 1, "110 113 ", collector_rig_look(&f->rig, f->id).totals.events_out);
}

// kill_jvm sends a chunk and closes the connection.
static void
kill_jvm(server_rig *f)
{
    collector_rig_stop(&f->rig);
    wire_client_close(&f->client);
    f->rig.killed_ms_max = 0;
    f->rig.linger_ms_max = 0;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    jfr_build made;
    build(&made, "abcde");
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
    wire_client_close(&f->client);
    collector_rig_await_end(&f->rig, f->id, CATALOG_ENDED_KILLED);
    collector_rig_stop(&f->rig); // pins survive that
    f->rig.idle_ms_max = 1;
    collector_rig_start(&f->rig);
    collector_rig_await(&f->rig, f->id, 1, true);
}

static void
note_pin(void *arg, const pin *now)
{
    *(pin *)arg = *now;
}

// await_pin waits until the only pin has kept some chunks.
static pin
await_pin(const server_rig *f, uint64_t kept)
{
    pin now = {.id = 0};
    while (now.outcomes[PIN_KEPT] < kept) {
        pins_each(recall_get_pins(server_get_recall(f->rig.server)), note_pin, &now);
        (void)poll(NULL, 0, 5);
    }
    return now;
}

static void
test_the_end_of_a_killed_jvm_is_pinned(void **state)
{
    server_rig *f = *state;
    server_rig_write_rules(f, "default.keep", "pin-when crash\n");
    kill_jvm(f);
    const pin now = await_pin(f, 1);
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 11);
    assert_string_equal(now.session_id, f->id);
    assert_int_equal(now.origin, PIN_BY_CRASH); // after a restart, too
    server_rig_connect(f);                      // for the teardown
}

static void
test_without_the_rule_no_end_is_pinned(void **state)
{
    server_rig *f = *state;
    pin now = {.id = 0};
    kill_jvm(f);
    pins_each(recall_get_pins(server_get_recall(f->rig.server)), note_pin, &now);
    assert_int_equal(now.id, 0);
    server_rig_connect(f); // for the teardown
}

// await_count waits until a metric has a value.
static void
await_count(metrics_id id, uint64_t count)
{
    while (metrics_get(id) < count) {
        (void)poll(NULL, 0, 5);
    }
    assert_int_equal(metrics_get(id), count);
}

// Four requests take 100 ns each, and one takes a second, into the next minute: one pin has both
// minutes. The second of four in a bucket from 90.5 to 107.6 ns is at 2^6.625.
static void
test_a_slow_service_is_pinned_once_in_a_time(void **state)
{
    server_rig *f = *state;
    jfr_build made;
    uint64_t paused = metrics_get(METRICS_recall_pins_paused);
    wire_client_close(&f->client);
    collector_rig_stop(&f->rig);
    server_rig_write_rules(f, "default.keep", "pin-when p50>50ns for 1m\npin-pause 1h\n");
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    build(&made, "abcde");
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
    send_trace(f, "f6");
    end_recording(f);
    await_count(METRICS_recall_pins_paused, paused + 1);
    const pin now = await_pin(f, 2);
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 12);
    assert_string_equal(now.service, f->client.service);
    assert_true(now.session_id[0] == '\0' && now.origin == PIN_BY_LATENCY);
    assert_string_equal(now.reason, "p50>50ns for 1m: p50 was 98 ns");
    assert_true(now.from_wall_ns < SERVER_RIG_START_NS - 290 * SERVER_RIG_SECOND_NS);
    assert_true(now.to_wall_ns > SERVER_RIG_START_NS + 110 * SERVER_RIG_SECOND_NS);
    const recall_budget_state spent = recall_budget_get(
        recall_get_budget(server_get_recall(f->rig.server)), f->client.service, lp_time_now());
    assert_true(spent.hour_bytes > 0 && spent.pins_paused == 1 && spent.chunks_over == 0);
}

// begin_session connects as another JVM.
static void
begin_session(server_rig *f, const char *service)
{
    static uint8_t session_byte = 0x5b;
    wire_client_close(&f->client);
    wire_client_open(&f->client, f->rig.agents_url, session_byte++);
    wire_client_id(&f->client, f->id);
    f->client.service = service;
    f->sequence = 0;
    f->chunk = 0;
    server_rig_hello(f, 0);
}

// send_session sends a chunk with some traces as another JVM, which ends.
static void
send_session(server_rig *f, const char *service, const char *which)
{
    begin_session(f, service);
    send_traces(f, which);
}

// Each of these JVMs drops its marks, apart from those of the shop.
static void
test_other_jvms_keep_their_parts_of_a_kept_trace(void **state)
{
    server_rig *f = *state;
    collector_rig_stop(&f->rig);
    server_rig_write_rules(f, "shop.jfc", "<configuration></configuration>");
    server_rig_write_rules(f, "shop.keep", "trace whole");
    collector_rig_start(&f->rig);
    uint64_t looks = metrics_get(METRICS_recall_trace_looks);
    uint64_t editions = metrics_get(METRICS_recall_trace_editions);

    send_session(f, "shop", "bd");
    expect(f, BLOB_EDITION_FIRST, "111 113 300 ", 5); // it has its parts
    send_session(f, "stock", "abcd");
    await_count(METRICS_recall_trace_editions, editions + 1);
    expect(f, BLOB_EDITION_PART, "111 113 ", 4);
    assert_true(is_found(f, "b2") && is_found(f, "d4") && !is_found(f, "a1"));
    assert_int_equal(metrics_get(METRICS_recall_trace_looks), looks + 1);

    // A pin keeps what is there, also after a restart, and nobody else keeps its traces.
    restart(f);
    assert_int_equal(add_pin(f, PIN_TRACE, "c3").outcomes[PIN_KEPT], 1);
    expect(f, BLOB_EDITION_PART + 1, "111 112 113 ", 6);
    send_session(f, "depot", "abcd"); // the pin is for the stock
    await_count(METRICS_recall_trace_looks, looks + 2);
    restart(f);
    expect(f, BLOB_EDITION_FIRST, "", 0); // the restart has forgotten the traces, too
    assert_int_equal(metrics_get(METRICS_recall_trace_editions), editions + 1);
}

// What a trace did in the chunk before the one in which its context ended is kept, too.
static void
test_a_part_that_began_in_the_chunk_before_is_whole(void **state)
{
    server_rig *f = *state;
    jfr_build made;
    collector_rig_stop(&f->rig);
    server_rig_write_rules(f, "shop.jfc", "<configuration></configuration>");
    server_rig_write_rules(f, "shop.keep", "trace whole");
    collector_rig_start(&f->rig);
    uint64_t editions = metrics_get(METRICS_recall_trace_editions);
    send_session(f, "shop", "a");
    begin_session(f, "stock");
    build(&made, "b");
    send_piece(f, &made, SERVER_RIG_SECOND_NS);
    jfr_build_fini(&made);
    send_trace(f, "a1");
    end_recording(f);
    await_count(METRICS_recall_trace_editions, editions + 2);
    expect(f, BLOB_EDITION_PART, "300 ", 2); // of the second chunk
}

// Every service wants whole traces: what an edition adds keeps nothing in other JVMs.
static void
test_a_part_that_was_added_keeps_no_further_traces(void **state)
{
    server_rig *f = *state;
    collector_rig_stop(&f->rig);
    server_rig_write_rules(f, "shop.jfc", "<configuration></configuration>");
    server_rig_write_rules(f, "default.keep", "trace whole");
    collector_rig_start(&f->rig);
    uint64_t looks = metrics_get(METRICS_recall_trace_looks);
    uint64_t editions = metrics_get(METRICS_recall_trace_editions);
    send_session(f, "stock", "ab");
    (void)add_pin(f, PIN_TRACE, "a1");
    expect(f, BLOB_EDITION_PART, "110 ", 2);
    await_count(METRICS_recall_trace_looks, looks + 1);
    send_session(f, "depot", "a"); // the pin is for the stock
    await_count(METRICS_recall_trace_looks, looks + 2);
    send_session(f, "shop", "b");
    send_session(f, "depot", "ab"); // its edition would come after one of the other
    await_count(METRICS_recall_trace_editions, editions + 1);
    expect(f, BLOB_EDITION_PART, "111 ", 2);
}

static void
test_rules_without_raw_data_are_counted(void **state)
{
    server_rig *f = *state;
    static const struct {
        const char *rules;
        uint64_t count;
    } steps[] = {{"pin-when none\nage 1d\n", 0}, {"trace whole\n", 1}, {"recall 15m\n", 0},
        {"pin-when p99>1s for 1m\n", 1}, {"pin-when crash\nrecall 15m\n", 0},
        {"pin-when crash\nrecall none\n", 1}, {"bytes 1G\n", 0}};
    collector_rig_stop(&f->rig);
    f->rig.recall_ns = 0;
    collector_rig_start(&f->rig);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        server_rig_write_rules(f, "shop.keep", steps[i].rules);
        while (metrics_get(METRICS_recall_rules_idle) != steps[i].count) {
            (void)poll(NULL, 0, 5);
        }
    }
}

// Where nothing keeps raw data, the collector looks at pins rarely. It answers them, and keeps them
// in the file while it runs.
static void
test_a_pin_without_raw_data_is_answered(void **state)
{
    server_rig *f = *state;
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/pins.json", f->rig.dir.path);
    server_rig_hello(f, 0);
    send_chunk(f);
    assert_true(access(path, F_OK) != 0);
    const pin now = add_pin(f, PIN_ALL, "");
    assert_int_equal(now.outcomes[PIN_MISSING], 1);
    while (access(path, F_OK) != 0) {
        (void)poll(NULL, 0, 5);
    }
}

// await_over waits until a pin has left out some chunks because of the budget.
static void
await_over(const server_rig *f, uint64_t count)
{
    pin now = {.id = 0};
    while (now.outcomes[PIN_OVER_BUDGET] < count) {
        pins_each(recall_get_pins(server_get_recall(f->rig.server)), note_pin, &now);
        (void)poll(NULL, 0, 5);
    }
    assert_true(now.outcomes[PIN_KEPT] == 1 && now.outcomes[PIN_OVER_BUDGET] == count);
}

// The first chunk uses up the budget: a pin by a rule and whole traces leave out the next ones. A
// person's pin does not.
static void
test_only_rules_have_a_budget(void **state)
{
    server_rig *f = *state;
    uint64_t left_out = metrics_get(METRICS_recall_trace_chunks_left_out);
    collector_rig_stop(&f->rig);
    server_rig_write_rules(f, "shop.keep", "pin-when p50>50ns for 1m\nrecall-budget 1/h\n");
    server_rig_write_rules(f, "bank.jfc", "<configuration></configuration>");
    server_rig_write_rules(f, "bank.keep", "trace whole\n");
    collector_rig_start(&f->rig);
    send_session(f, "shop", "ab");
    await_pin(f, 1);
    expect(f, BLOB_EDITION_ALL, "110 111 300 ", 5);
    send_session(f, "shop", "cd");
    await_over(f, 1);
    expect(f, BLOB_EDITION_FIRST, "", 0);
    (void)add_pin(f, PIN_TRACE, "c3");
    expect(f, BLOB_EDITION_PART, "112 ", 2);
    send_session(f, "bank", "e");
    send_session(f, "shop", "e");
    await_over(f, 2);
    await_count(METRICS_recall_trace_chunks_left_out, left_out + 1);
    expect(f, BLOB_EDITION_FIRST, "", 0);
}

typedef struct found_kind {
    finding_kind kind;
    unsigned count;
} found_kind;

static void
count_finding(void *arg, const finding *found)
{
    found_kind *of = arg;
    of->count += found->kind == of->kind;
}

static void
mend(const server_rig *f, finding_kind kind, unsigned want)
{
    found_kind of = {.kind = kind};
    const fsck_config config = {
        .data_dir = f->rig.dir.path, .is_repairing = true, .on_finding = count_finding, .arg = &of};
    fsck_counts counts;
    lp_problem problem;
    assert_int_equal(fsck_run(&config, &counts, &problem), LP_OK);
    assert_int_equal(of.count, want);
}

// The file of an edition is damaged, then that of another one is missing: the first one counts.
static void
test_without_its_edition_a_chunk_is_as_at_first(void **state)
{
    server_rig *f = *state;
    char path[400];
    send_chunk(f);
    (void)add_pin(f, PIN_TRACE, "a1");
    collector_rig_stop(&f->rig);
    (void)snprintf(path, sizeof(path), "%s/chunks/%s/0.1.jfr.zst", f->rig.dir.path, f->id);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, 40, SEEK_SET), 0);
    assert_true(fputs("damage", file) >= 0);
    assert_int_equal(fclose(file), 0);
    mend(f, FINDING_CHUNK_DAMAGED, 1);
    expect(f, BLOB_EDITION_FIRST, "", 2); // the counts stay

    collector_rig_start(&f->rig); // a1 is pinned again
    (void)add_pin(f, PIN_ALL, "");
    expect(f, BLOB_EDITION_ALL, "110 111 112 113 114 300 ", 2 + 11);
    collector_rig_stop(&f->rig);
    (void)snprintf(path, sizeof(path), "%s/chunks/%s/0.all.jfr.zst", f->rig.dir.path, f->id);
    assert_int_equal(unlink(path), 0);
    mend(f, FINDING_CHUNK_MISSING, 1);
    mend(f, FINDING_CHUNK_MISSING, 0);
    expect(f, BLOB_EDITION_FIRST, "", 2 + 11);
    collector_rig_start(&f->rig);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_each_pin_adds_to_those_before, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_pin_of_everything_wins, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_an_edition_that_was_noted_in_vain_is_made, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_absurd_times_are_endured, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_chunk_in_which_a_pinned_trace_began_joins_later, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_lost_catalog_gets_the_latest_edition_back, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_the_end_of_a_killed_jvm_is_pinned, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_without_the_rule_no_end_is_pinned, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_without_its_edition_a_chunk_is_as_at_first, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_other_jvms_keep_their_parts_of_a_kept_trace, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_slow_service_is_pinned_once_in_a_time, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_rules_without_raw_data_are_counted, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_pin_without_raw_data_is_answered, server_rig_set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_only_rules_have_a_budget, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_part_that_began_in_the_chunk_before_is_whole, set_up, server_rig_tear_down),
        cmocka_unit_test_setup_teardown(
            test_a_part_that_was_added_keeps_no_further_traces, set_up, server_rig_tear_down),
    };
    return cmocka_run_group_tests_name("server_recall", tests, NULL, NULL);
}
