// SPDX-License-Identifier: Apache-2.0
// Agents and a collector, or two, on a simulated network, disk and clock: whatever happens to them,
// once it is over everything that the JVMs recorded is in the collector exactly once, or its
// recording says that something is lost; and that takes a bounded time. Where there are two, each
// has nothing twice, and what one lacks the other has.
//
//   test_sim                 all schedules of the test
//   test_sim SEED [COUNT]    those of COUNT seeds from SEED on; one seed with the program's log
//   test_sim --two ...       with two collectors
//
// docs/internals/wire.md has what is simulated and what is real.

#include "sim/sim_agent.h"
#include "sim/sim_collector.h"
#include "sim/sim_disk.h"
#include "sim/sim_loop.h"
#include "sim/sim_net.h"
#include "sim/sim_reader.h"
#include "sim/sim_world.h"
#include "support/temp_dir.h"

#include "collector/server/server.h"
#include "collector/store/catalog.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MEMORY_DIR "/dev/shm" // a file system that needs no disk

enum {
    // Among them are seeds that found something: 92 and 349, that what was acknowledged out of
    // order did not go again; 391, that a piece that overlaps what is there was passed over; 465,
    // that a late batch was not counted when the collector was killed; 548, that batches were
    // called durable which the collector lacks; 1053, that it asked for too little.
    SCHEDULES = 2000,
    TICK_MS_MAX = 30,
    FAULTS_MS_MIN = 3000,
    FAULTS_MS_MAX = 20000,
    END_MS_MAX = 60 * 1000, // from the last fault until all is acknowledged
    REST_MS = 15 * 1000,    // after that, until all is compacted: a failed try waits for 10 s
    DOWN_MS_MAX = 4000,
    FULL_MS_MAX = 5000,
    PAUSE_MS_MAX = 20 * 1000,
    STOPPED_MS_MAX = 15 * 1000,
    DRAINED_MS_MAX = 10 * 1000,
    PATH_BYTES = 400,
};

// How often things happen in a schedule: in so many of 10,000 ticks.
typedef struct plan {
    sync_mode mode;
    unsigned agents;
    int64_t faults_ms;
    unsigned cut; // a connection
    unsigned kill;
    unsigned stop;
    unsigned power;
    unsigned empty;
    unsigned back_up;
    unsigned restore;
    unsigned full;
    unsigned jump; // the collector's clock, or an agent that stands still
    unsigned idle; // a jump after which sessions count as ended
    // Where there are two collectors.
    unsigned suspend; // one, for a while: it is there, and silent
    unsigned drain;
} plan;

sim_world sim;
static plan schedule;
static int64_t down_until_ms[SIM_COLLECTORS_MAX]; // INT64_MIN: the collector runs
static int64_t full_until_ms[SIM_COLLECTORS_MAX];
static int64_t suspended_until_ms[SIM_COLLECTORS_MAX];
static int64_t drained_until_ms[SIM_COLLECTORS_MAX];
static int64_t paused_until_ms[SIM_AGENTS_MAX];
static bool may_lose;  // something happened that may cost what was acknowledged, and
                       // its agent no longer has
static bool may_count; // something happened that counts as a loss, whatever it costs
static bool was_cut;   // the power was, and agents have to send once more what that took
static uint64_t current_seed;
static char last_words[64]; // that a schedule says which ends the program

static unsigned
some(unsigned often, unsigned in)
{
    return sim_below(in) == 0 ? 1 + sim_below(often) : 0;
}

static void
make_plan(void)
{
    static const sync_mode modes[] = {SYNC_ALWAYS, SYNC_SECOND, SYNC_NEVER};
    schedule = (plan){
        .mode = modes[sim_below(3)],
        .agents = 1 + sim_below(SIM_AGENTS_MAX),
        .faults_ms = FAULTS_MS_MIN + sim_below(FAULTS_MS_MAX - FAULTS_MS_MIN),
        .cut = some(200, 2),
        .kill = some(40, 2),
        .stop = some(40, 4),
        .power = some(30, 2),
        .empty = some(20, 6),
        .back_up = some(100, 4),
        .restore = some(20, 4),
        .full = some(30, 4),
        .jump = some(30, 4),
        .idle = some(20, 10),
    };
    sim.lost_percent = some(20, 2);
    sim.twice_percent = some(20, 2);
    sim.delay_ms_max = 1 + sim_below(sim_below(2) == 0 ? 20 : 1000);
    sim.disk_ms_max = 1 + sim_below(sim_below(2) == 0 ? 20 : 2000);
    if (sim.collectors > 1) {
        schedule.suspend = some(30, 2);
        schedule.drain = some(50, 2);
    }
}

// each_side has something done for each collector.
static void
each_side(void (*act)(void))
{
    for (sim.side = 0; sim.side < sim.collectors; sim.side++) {
        act();
    }
    sim.side = 0;
}

static void
on_message(const sim_message *message)
{
    if (message->is_reply) {
        sim_agent_take_reply(message);
    } else {
        sim.side = message->collector;
        sim_collector_take_request(message);
    }
}

// --- Faults, of the collector at sim.side

static bool
is_down(void)
{
    return down_until_ms[sim.side] != INT64_MIN;
}

static bool
is_suspended(void)
{
    return sim.now_ms < suspended_until_ms[sim.side];
}

static void
stay_down(void)
{
    down_until_ms[sim.side] = sim.now_ms + sim_below(DOWN_MS_MAX);
}

// note logs what happens.
static void
note(const char *what)
{
    lp_log(LP_LOG_INFO, "--- %" PRId64 " ms: %u: %s", sim.now_ms, sim.side, what);
}

static void
start_collector(void)
{
    down_until_ms[sim.side] = INT64_MIN;
    note("the collector starts");
    sim_collector_start(schedule.mode);
    for (unsigned i = 0; i < schedule.agents; i++) {
        if (sim_net_get_collector(i) == sim.side) {
            sim_agent_reconnect(i);
        }
    }
}

static void
cut_connection(void)
{
    unsigned index = sim_below(schedule.agents);
    sim_net_cut(index);
    sim_agent_reconnect(index);
}

// note_power_cut notes what that may cost. With SYNC_SECOND the agents still have what was not on
// the disk. But of chunks that came again, as they do after a move, those are not asked for that it
// took, where the last of them is there.
static void
note_power_cut(void)
{
    may_lose =
        may_lose || schedule.mode == SYNC_NEVER || (schedule.mode == SYNC_SECOND && sim.has_moved);
    was_cut = was_cut || schedule.mode == SYNC_SECOND;
    may_count = may_count || was_cut;
}

// end_collector ends it in one of the ways, now and then.
static void
end_collector(void)
{
    bool was_cut_before = was_cut;
    if (sim_happens(schedule.stop)) {
        note("SIGTERM");
        sim_collector_stop();
        stay_down();
    } else if (sim_happens(schedule.kill)) {
        note("SIGKILL");
        sim_collector_kill();
        stay_down();
    } else if (sim_happens(schedule.power)) {
        note("a power cut");
        sim_collector_kill();
        sim_disk_cut_power();
        note_power_cut();
        stay_down();
    } else if (sim_happens(schedule.empty)) {
        note("an empty data directory");
        sim_collector_kill();
        sim_disk_empty();
        may_lose = true;
        stay_down();
    } else if (sim_happens(schedule.restore)) {
        note("an older data directory");
        sim_collector_kill();
        sim_disk_restore();
        may_lose = true;
        stay_down();
    }
    // What a power cut took and had not come again yet is not asked for once more.
    may_lose = may_lose || (was_cut_before && is_down());
}

static void
jump(void)
{
    if (sim_happens(schedule.idle)) {
        note("the collector's clock jumps over the idle time");
        sim.collector_ahead_ms[sim.side] += SERVER_IDLE_MS_MAX + SERVER_LINGER_MS_MAX + 1000;
        may_count = true; // what comes too late is put aside
        may_lose = may_lose || was_cut;
    }
    if (sim_happens(schedule.jump)) {
        sim.collector_ahead_ms[sim.side] += sim_below(PAUSE_MS_MAX);
    }
    if (sim_happens(schedule.jump)) {
        paused_until_ms[sim_below(schedule.agents)] = sim.now_ms + sim_below(PAUSE_MS_MAX);
    }
}

// trouble_agents does to a collector what makes its agents leave it, though it runs.
static void
trouble_agents(void)
{
    if (sim_happens(schedule.suspend)) {
        note("SIGSTOP");
        suspended_until_ms[sim.side] = sim.now_ms + sim_below(STOPPED_MS_MAX);
    }
    if (sim_happens(schedule.drain)) {
        note("it is drained");
        drained_until_ms[sim.side] = sim.now_ms + sim_below(DRAINED_MS_MAX);
    }
    sim_net_stop(sim.side, is_suspended());
    sim_collector_drain(sim.now_ms < drained_until_ms[sim.side]);
}

static void
break_something(void)
{
    if (sim.collectors > 1 && !is_down()) {
        trouble_agents();
    }
    if (sim_happens(schedule.full)) {
        note("the disk is full");
        full_until_ms[sim.side] = sim.now_ms + sim_below(FULL_MS_MAX);
    }
    sim.is_disk_full[sim.side] = sim.now_ms < full_until_ms[sim.side];
    if (is_down() || is_suspended()) {
        return;
    }
    if (sim_happens(schedule.back_up)) {
        note("a copy of the data directory");
        sim_disk_back_up();
    }
    jump();
    end_collector();
}

static void
mend_collector(void)
{
    sim.is_disk_full[sim.side] = false;
    suspended_until_ms[sim.side] = 0;
    sim_net_stop(sim.side, false);
    if (is_down()) {
        start_collector();
    }
    sim_collector_drain(false);
}

static void
mend_everything(void)
{
    note("all is well from now on");
    sim.lost_percent = 0;
    sim.twice_percent = 0;
    sim.delay_ms_max = 10;
    sim.disk_ms_max = 10;
    memset(paused_until_ms, 0, sizeof(paused_until_ms));
    each_side(mend_collector);
    for (unsigned i = 0; i < schedule.agents; i++) {
        sim_agent_finish(i);
    }
}

// --- The run

static void
start_if_due(void)
{
    if (is_down() && sim.now_ms >= down_until_ms[sim.side]) {
        sim.is_disk_full[sim.side] = false; // to start takes some room
        start_collector();
    }
}

static void
step_collector(void)
{
    if (!is_down() && !is_suspended()) {
        sim_loop_step();
    }
}

static bool
is_connected(unsigned agent)
{
    sim.side = sim_net_get_collector(agent);
    return !is_down();
}

static void
tick(void)
{
    sim.now_ms += 1 + sim_below(TICK_MS_MAX);
    each_side(start_if_due);
    sim_net_step();
    each_side(step_collector);
    for (unsigned i = 0; i < schedule.agents; i++) {
        if (sim.now_ms >= paused_until_ms[i]) {
            if (sim_happens(1000)) {
                sim_agent_record(i);
            }
            sim_agent_step(i, is_connected(i));
        }
    }
}

static bool
are_all_done(void)
{
    for (unsigned i = 0; i < schedule.agents; i++) {
        if (!sim_agent_is_done(i)) {
            return false;
        }
    }
    return true;
}

static void
rest(void)
{
    for (int64_t end_ms = sim.now_ms + REST_MS; sim.now_ms < end_ms;) {
        tick();
    }
}

static void
let_sessions_end(void)
{
    sim.collector_ahead_ms[sim.side] += SERVER_IDLE_MS_MAX + SERVER_LINGER_MS_MAX + 1000;
}

// run_schedule returns whether everything was acknowledged in time.
static bool
run_schedule(void)
{
    int64_t faults_end_ms = sim.now_ms + schedule.faults_ms;
    while (sim.now_ms < faults_end_ms) {
        if (sim_happens(schedule.cut)) {
            cut_connection();
        }
        each_side(break_something);
        tick();
    }
    mend_everything();
    int64_t end_ms = sim.now_ms + END_MS_MAX;
    while (!are_all_done() && sim.now_ms < end_ms) {
        tick();
    }
    rest();
    if (sim.collectors > 1) { // what a collector was left with is compacted as well
        each_side(let_sessions_end);
        rest();
    }
    return are_all_done();
}

// --- What is there in the end

// What the collectors have of a session. What is neither in chunks nor was put aside is gone.
typedef struct found {
    unsigned agent;
    uint64_t losses;
    bool is_there;
    bool is_ended;
    bool is_wrong;
    uint64_t bytes_missing;
    uint64_t bytes_twice;
    uint64_t bytes_gone;
    uint8_t *records[SIM_COLLECTORS_MAX]; // how often each is there, by its time less 1
    uint8_t *late[SIM_COLLECTORS_MAX];    // how often each was put aside
    uint64_t records_missing;
    uint64_t records_twice;
    uint64_t records_gone;
    bool has_chunk[SIM_COLLECTORS_MAX][256];
} found;

// What a collector has of a chunk.
typedef struct held {
    sim_content content;
    sim_content late;
} held;

static void
take_session(void *arg, const catalog_session *row)
{
    found *f = arg;
    f->is_there = true;
    f->is_ended = f->is_ended || row->is_ended;
    for (size_t i = 0; i < CATALOG_LOSS_COUNT; i++) {
        f->losses += row->losses[i];
        if (row->losses[i] > 0) {
            lp_log(LP_LOG_INFO, "agent %u: %s %" PRIu64, f->agent,
                catalog_loss_name((catalog_loss)i), row->losses[i]);
        }
    }
    f->losses += row->context_bytes_dropped + row->chunk_bytes_dropped;
}

static void
take_chunk(void *arg, const catalog_chunk *chunk)
{
    found *f = arg;
    LP_ASSERT(chunk->ordinal < sim_agent_count_chunks(f->agent));
    f->has_chunk[sim.side][chunk->ordinal] = true;
}

static void
count_records(const found *f, const sim_content *content, uint8_t *counts)
{
    for (size_t i = 0; i < content->records.count; i++) {
        int64_t ticks = content->records.items[i].ticks;
        LP_ASSERT(ticks > 0 && ticks <= sim_agent_count_records(f->agent));
        counts[ticks - 1]++;
    }
}

static unsigned
count_at(const sim_content *content, size_t offset)
{
    return offset < content->counts.len ? content->counts.ptr[offset] : 0;
}

// load_chunk looks for what the collector at sim.side has of a chunk. The caller ends it.
static held
load_chunk(found *f, uint32_t ordinal)
{
    held h = {0};
    char path[PATH_BYTES];
    const char *id = sim_agent_get_id(f->agent);
    if (f->has_chunk[sim.side][ordinal]) {
        sim_collector_chunk_path(id, ordinal, path, sizeof(path));
        LP_ASSERT(sim_content_load(path, &h.content));
    }
    sim_collector_late_path(id, ordinal, path, sizeof(path));
    sim_reader_add_late(path, f->agent, &h.late);
    f->is_wrong = f->is_wrong || h.content.is_wrong || h.late.is_wrong ||
                  h.content.counts.len > sim_agent_get_size(f->agent, ordinal);
    count_records(f, &h.content, f->records[sim.side]);
    count_records(f, &h.late, f->late[sim.side]);
    return h;
}

// find_chunk looks for what was compacted of a chunk and what was put aside.
static void
find_chunk(found *f, uint32_t ordinal)
{
    held by_side[SIM_COLLECTORS_MAX] = {0};
    for (sim.side = 0; sim.side < sim.collectors; sim.side++) {
        by_side[sim.side] = load_chunk(f, ordinal);
    }
    for (size_t i = 0; i < sim_agent_get_size(f->agent, ordinal); i++) {
        unsigned there = 0;
        unsigned late = 0;
        for (unsigned j = 0; j < sim.collectors; j++) {
            there += count_at(&by_side[j].content, i);
            late += count_at(&by_side[j].late, i);
            f->bytes_twice += count_at(&by_side[j].content, i) > 1;
        }
        f->bytes_missing += there == 0;
        f->bytes_gone += there + late == 0;
    }
    for (unsigned j = 0; j < sim.collectors; j++) {
        sim_content_fini(&by_side[j].content);
        sim_content_fini(&by_side[j].late);
    }
}

static void
find_records(found *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned there = 0;
        unsigned late = 0;
        for (unsigned j = 0; j < sim.collectors; j++) {
            there += f->records[j][i];
            late += f->late[j][i];
            f->records_twice += f->records[j][i] > 1;
        }
        f->records_missing += there == 0;
        f->records_gone += there + late == 0;
    }
}

// find_session looks into the catalog of each collector.
static void
find_session(found *f)
{
    const char *id = sim_agent_get_id(f->agent);
    for (sim.side = 0; sim.side < sim.collectors; sim.side++) {
        char path[PATH_BYTES];
        catalog *from;
        (void)snprintf(path, sizeof(path), "%s/catalog.db", sim_disk_get_data());
        LP_ASSERT(catalog_open_reader(path, &from, NULL) == LP_OK);
        lp_err err = catalog_find(from, id, take_session, f);
        LP_ASSERT(err == LP_OK || err == LP_ENOENT);
        LP_ASSERT(catalog_list_chunks(from, id, take_chunk, f) == LP_OK);
        catalog_close(from);
    }
}

static found
find(unsigned agent)
{
    found f = {.agent = agent};
    size_t records = (size_t)sim_agent_count_records(agent);
    for (unsigned j = 0; j < sim.collectors; j++) {
        f.records[j] = calloc(records + 1, 1);
        f.late[j] = calloc(records + 1, 1);
        LP_ASSERT(f.records[j] != NULL && f.late[j] != NULL);
    }
    find_session(&f);
    for (uint32_t i = 0; i < sim_agent_count_chunks(agent); i++) {
        find_chunk(&f, i);
    }
    find_records(&f, records);
    for (unsigned j = 0; j < sim.collectors; j++) {
        free(f.records[j]);
        free(f.late[j]);
    }
    return f;
}

// judge returns what is wrong with what is there; NULL: nothing.
static const char *
judge(const found *f)
{
    bool is_missing = f->bytes_missing + f->records_missing > 0;
    bool is_gone = f->bytes_gone + f->records_gone > 0;
    return !f->is_there                        ? "the session is not there"
           : !f->is_ended                      ? "the session has not ended"
           : f->is_wrong                       ? "a byte is wrong"
           : f->bytes_twice + f->records_twice ? "something is there twice"
           : is_missing && f->losses == 0      ? "something is missing, and nothing says so"
           : is_gone && !may_lose              ? "something is gone"
           : f->losses > 0 && !may_lose && !may_count && sim.collectors == 1
               ? "a loss is counted where nothing may be lost"
               : NULL;
}

static bool
check(void)
{
    bool is_right = true;
    for (unsigned i = 0; i < schedule.agents; i++) {
        found f = find(i);
        const char *fault = judge(&f);
        if (fault != NULL) {
            is_right = false;
            printf("seed %" PRIu64 ": agent %u: %s: of %u chunks, %" PRId64
                   " records: bytes %" PRIu64 " missing, %" PRIu64 " gone, %" PRIu64
                   " twice; records %" PRIu64 " missing, %" PRIu64 " gone, %" PRIu64
                   " twice; losses %" PRIu64 "\n",
                current_seed, i, fault, sim_agent_count_chunks(i), sim_agent_count_records(i),
                f.bytes_missing, f.bytes_gone, f.bytes_twice, f.records_missing, f.records_gone,
                f.records_twice, f.losses);
        }
    }
    return is_right;
}

static const char *parent; // the directory of all disks, and of the JVMs' repositories

static void
begin_collector(void)
{
    down_until_ms[sim.side] = INT64_MIN;
    full_until_ms[sim.side] = 0;
    suspended_until_ms[sim.side] = 0;
    drained_until_ms[sim.side] = 0;
    sim_disk_begin(parent);
}

static void
start_collector_first(void)
{
    sim_collector_start(schedule.mode);
}

static bool
run_seed(uint64_t seed, unsigned collectors, bool is_traced)
{
    current_seed = seed;
    char text[40];
    (void)snprintf(text, sizeof(text), "seed %" PRIu64 ": ended", seed);
    (void)snprintf(last_words, sizeof(last_words), "%-62s\n", text);
    sim = (sim_world){.chance = seed, .collectors = collectors, .is_traced = is_traced};
    make_plan();
    memset(paused_until_ms, 0, sizeof(paused_until_ms));
    may_lose = false;
    may_count = false;
    was_cut = false;
    each_side(begin_collector);
    sim_net_begin(on_message);
    for (unsigned i = 0; i < schedule.agents; i++) {
        sim_agent_begin(i, parent);
    }
    each_side(start_collector_first);
    bool is_right = run_schedule();
    if (!is_right) {
        printf("seed %" PRIu64 ": not everything is acknowledged in time\n", seed);
    }
    each_side(sim_collector_stop);
    is_right = check() && is_right;
    for (unsigned i = 0; i < schedule.agents; i++) {
        sim_agent_end(i);
    }
    sim_net_end();
    each_side(sim_disk_end);
    return is_right;
}

static void
on_abort(int number)
{
    (void)number;
    ssize_t written = write(STDERR_FILENO, last_words, sizeof(last_words) - 1);
    (void)written;
}

int
main(int argc, char **argv)
{
    unsigned collectors = 1;
    if (argc > 1 && strcmp(argv[1], "--two") == 0) {
        collectors = 2;
        argc--;
        argv++;
    }
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : argc > 1 ? 1 : SCHEDULES;
    uint64_t wrong = 0;
    if (access(MEMORY_DIR, W_OK) == 0) {
        (void)setenv("TMPDIR", MEMORY_DIR, 0);
    }
    temp_dir dir = temp_dir_make();
    parent = dir.path;
    (void)setvbuf(stdout, NULL, _IOLBF, 0); // one that ends the program does not take it along
    (void)signal(SIGABRT, on_abort);
    lp_log_init("sim", count == 1 ? LP_LOG_DEBUG : LP_LOG_ERROR);
    printf("seeds %" PRIu64 " to %" PRIu64 "\n", first, first + count - 1);
    for (uint64_t i = 0; i < count; i++) {
        wrong += !run_seed(first + i, collectors, count == 1);
    }
    temp_dir_remove(&dir);
    printf("%" PRIu64 " of %" PRIu64 " schedules end wrong\n", wrong, count);
    return wrong > 0;
}
