// SPDX-License-Identifier: Apache-2.0
// Two or three collectors that share a catalog and a store, and agents that move between them, on a
// simulated network, disks and clocks: whatever happens to them, once it is over everything that
// the JVMs recorded is in the store exactly once, each session has ended, no collector has anything
// left of one, and one of them is in charge; and that takes a bounded time. sim_terms.h has what is
// looked at all the time.
//
//   test_sim_cluster ...    see sim_run.h
//
// docs/internals/wire.md has what is simulated and what is real.

#include "sim/sim_agent.h"
#include "sim/sim_agents.h"
#include "sim/sim_catalog.h"
#include "sim/sim_check.h"
#include "sim/sim_collector.h"
#include "sim/sim_disk.h"
#include "sim/sim_loop.h"
#include "sim/sim_net.h"
#include "sim/sim_run.h"
#include "sim/sim_terms.h"
#include "sim/sim_world.h"
#include "support/temp_dir.h"

#include "collector/cluster/node.h"
#include "collector/keep/retention.h"
#include "collector/server/server.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    SCHEDULES = 400,
    TICK_MS_MAX = 30,
    FAULTS_MS_MIN = 5000,
    FAULTS_MS_MAX = 30 * 1000,
    END_MS_MAX = 60 * 1000, // from the last fault until all is acknowledged
    REST_MS = 15 * 1000,    // after that, until all is compacted: a failed try waits for 10 s
    DOWN_MS_MAX = 2 * NODE_LEASE_MS,
    BROKEN_MS_MAX = 2 * NODE_LEASE_MS, // one that hangs, is cut off, has no catalog, or is drained
    JUMP_MS_MAX = 20 * 1000,
    SAVED_MS = (SERVER_SAVE_TICKS + 1) * SERVER_TICK_MS, // until rows are saved that could not be
    IDLE_MS = SERVER_IDLE_MS_MAX + SERVER_LINGER_MS_MAX + 1000,
    LEFT_MS = 2 * SERVER_LEFT_MS, // until what nobody has is taken
    PATH_BYTES = 400,
};

// How often things happen in a schedule: in so many of 10,000 ticks, to each collector.
typedef struct plan {
    sync_mode mode;
    unsigned agents;
    int64_t faults_ms;
    unsigned cut;  // a connection
    unsigned quit; // a JVM ends
    unsigned kill;
    unsigned kill_all;
    unsigned stop;
    unsigned power;
    unsigned empty;
    unsigned back_up;
    unsigned restore;
    unsigned hang;
    unsigned cut_off; // from its agents, in one direction or both
    unsigned away;    // the catalog is, for it
    unsigned drain;
    unsigned jump;         // a collector's clock, the catalog's, or an agent that stands still
    unsigned idle;         // a jump after which sessions count as ended
    unsigned catalog_idle; // the same of the catalog's: leases are long over
} plan;

// What is wrong with a collector, until when.
typedef struct trouble {
    int64_t down_ms; // INT64_MIN: it runs
    int64_t hung_ms;
    int64_t cut_off_ms;
    int64_t away_ms;
    int64_t drained_ms;
    bool is_cut_off; // of what it is, while it is
    bool is_unheard;
    bool is_in_charge; // of retention
    bool is_drained;
} trouble;

static plan schedule;
static trouble troubles[SIM_COLLECTORS_MAX];
static sim_allowed allowed;
static bool has_quit; // a JVM has ended: nobody has what its collector loses
static bool was_gone; // a collector has lost what was on its disk
static bool was_late; // something was put aside on a collector's disk, and is nowhere else

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
        .quit = some(10, 4),
        .kill = some(40, 2),
        .kill_all = some(10, 4),
        .stop = some(40, 4),
        .power = some(30, 4),
        .empty = some(20, 4),
        .back_up = some(100, 4),
        .restore = some(20, 4),
        .hang = some(30, 2),
        .cut_off = some(30, 2),
        .away = some(30, 2),
        .drain = some(30, 3),
        .jump = some(30, 4),
        .idle = some(10, 10),
        .catalog_idle = some(10, 10),
    };
    sim.collectors = 2 + sim_below(SIM_COLLECTORS_MAX - 1);
    sim.lost_percent = some(20, 2);
    sim.twice_percent = some(20, 2);
    sim.delay_ms_max = 1 + sim_below(sim_below(2) == 0 ? 20 : 1000);
    sim.disk_ms_max = 1 + sim_below(sim_below(2) == 0 ? 20 : 2000);
    sim.catalog_lost = some(200, 3);
}

static trouble *
here(void)
{
    return &troubles[sim.side];
}

void __wrap_retention_set_in_charge(retention *of, bool is_in_charge);
void __real_retention_set_in_charge(retention *of, bool is_in_charge);

void
__wrap_retention_set_in_charge(retention *of, bool is_in_charge)
{
    here()->is_in_charge = is_in_charge;
    __real_retention_set_in_charge(of, is_in_charge);
}

// --- Faults, of the collector at sim.side

static bool
is_down(void)
{
    return here()->down_ms != INT64_MIN;
}

static bool
is_hung(void)
{
    return sim.now_ms < here()->hung_ms;
}

// note logs what happens.
static void
note(const char *what)
{
    lp_log(LP_LOG_INFO, "--- %" PRId64 " ms: %u: %s", sim.now_ms, sim.side, what);
}

static void
stay_down(void)
{
    here()->down_ms = sim.now_ms + sim_below(DOWN_MS_MAX);
    here()->is_in_charge = false;
}

static void
start_collector(void)
{
    note("the collector starts");
    if (!sim_collector_start(schedule.mode)) {
        stay_down();
        return;
    }
    here()->down_ms = INT64_MIN;
    for (unsigned i = 0; i < schedule.agents; i++) {
        if (sim_net_get_collector(i) == sim.side) {
            sim_agent_reconnect(i);
        }
    }
}

// note_gone notes that a collector has lost what was on its disk, which agents that are there have.
static void
note_gone(void)
{
    allowed.is_lost = allowed.is_lost || has_quit || was_late;
    was_gone = true;
}

// note_unheard notes, as a collector ends, what the catalog may not have heard: that what came
// again is no loss any more. It has heard of all once it has been there for saved_ms.
static void
note_unheard(int64_t saved_ms)
{
    bool is_heard = sim.catalog_lost == 0 && sim.now_ms > here()->away_ms + saved_ms;
    allowed.is_counted = allowed.is_counted || !is_heard;
}

static void
kill_collector(void)
{
    if (!is_down()) {
        note_unheard(SAVED_MS);
        sim_collector_kill();
        stay_down();
    }
}

// end_collector ends it in one of the ways, now and then.
static void
end_collector(void)
{
    if (sim_happens(schedule.stop)) {
        note("SIGTERM");
        note_unheard(0); // it saves all
        sim_collector_stop();
        stay_down();
    } else if (sim_happens(schedule.kill)) {
        note("SIGKILL");
        kill_collector();
    } else if (sim_happens(schedule.power)) {
        note("a power cut");
        kill_collector();
        sim_disk_cut_power();
        note_gone();
        allowed.is_counted = true; // the cut is
    } else if (sim_happens(schedule.empty)) {
        note("an empty data directory");
        kill_collector();
        sim_disk_empty();
        note_gone();
    } else if (sim_happens(schedule.restore)) {
        note("an older data directory");
        kill_collector();
        sim_disk_restore();
        note_gone();
    }
}

static void
jump(void)
{
    if (sim_happens(schedule.idle)) {
        note("the collector's clock jumps over the idle time");
        sim.collector_ahead_ms[sim.side] += IDLE_MS;
        allowed.is_counted = true; // what comes too late is put aside
        // What lacks just then is not waited for.
        allowed.is_lost = allowed.is_lost || was_gone || sim_terms_have_moved();
        was_late = true;
    }
    if (sim_happens(schedule.jump)) {
        sim.collector_ahead_ms[sim.side] += sim_below(JUMP_MS_MAX);
    }
    if (sim_happens(schedule.jump)) {
        sim.catalog_ahead_ms += (int64_t)sim_below(2 * JUMP_MS_MAX) - JUMP_MS_MAX;
    }
    if (sim_happens(schedule.jump)) {
        sim_agents_pause(JUMP_MS_MAX);
    }
}

static int64_t
some_time(void)
{
    return sim.now_ms + sim_below(BROKEN_MS_MAX);
}

static void
cut_off(void)
{
    unsigned how = sim_below(3);
    here()->cut_off_ms = some_time();
    here()->is_cut_off = how != 0;
    here()->is_unheard = how != 1;
}

// begin_trouble does to a collector what its agents or its lease suffer from, though it runs.
static void
begin_trouble(void)
{
    if (sim_happens(schedule.hang)) {
        note("it hangs");
        here()->hung_ms = some_time();
    }
    if (sim_happens(schedule.cut_off)) {
        note("it is cut off from its agents");
        cut_off();
    }
    if (sim_happens(schedule.away)) {
        note("it cannot reach the catalog");
        here()->away_ms = some_time();
    }
    if (!here()->is_drained && sim_happens(schedule.drain)) {
        note("it is drained");
        here()->drained_ms = some_time();
        here()->is_drained = true;
        sim_catalog_drain(sim_collector_get_name(), true);
    }
}

// apply has troubles begin, go on and end.
static void
apply(void)
{
    bool is_cut = sim.now_ms < here()->cut_off_ms;
    sim_net_stop(sim.side, is_hung());
    sim.is_cut_off[sim.side] = is_cut && here()->is_cut_off;
    sim.is_unheard[sim.side] = is_cut && here()->is_unheard;
    sim.is_catalog_away[sim.side] = sim.now_ms < here()->away_ms;
    if (here()->is_drained && sim.now_ms >= here()->drained_ms) {
        here()->is_drained = false;
        sim_catalog_drain(sim_collector_get_name(), false);
    }
}

static void
break_collector(void)
{
    if (!is_down() && !is_hung()) {
        if (sim_happens(schedule.back_up)) {
            note("a copy of the data directory");
            sim_disk_back_up();
        }
        jump();
        end_collector();
        begin_trouble();
    }
    apply();
}

// break_all does what concerns no collector, or all.
static void
break_all(void)
{
    if (sim_happens(schedule.cut)) {
        unsigned index = sim_below(schedule.agents);
        sim_net_cut(index);
        sim_agent_reconnect(index);
    }
    if (sim_happens(schedule.quit)) {
        note("a JVM ends");
        sim_agent_finish(sim_below(schedule.agents));
        has_quit = true;
    }
    if (sim_happens(schedule.kill_all)) {
        note("all collectors are killed, and start at once");
        sim_each_side(kill_collector);
        for (unsigned i = 1; i < sim.collectors; i++) {
            troubles[i].down_ms = troubles[0].down_ms;
        }
    }
    if (sim_happens(schedule.catalog_idle)) {
        note("the catalog's clock jumps over the idle time");
        sim.catalog_ahead_ms += IDLE_MS;
        allowed.is_lost = allowed.is_lost || has_quit;
        allowed.is_counted = true;
    }
}

static void
mend_collector(void)
{
    *here() = (trouble){.down_ms = here()->down_ms,
        .is_drained = here()->is_drained,
        .is_in_charge = here()->is_in_charge};
    apply();
    if (is_down()) {
        start_collector();
    }
}

static void
mend_everything(void)
{
    note("all is well from now on");
    sim_mend_network();
    sim.catalog_lost = 0;
    sim_each_side(mend_collector);
    sim_agents_finish();
}

// --- The run

static void
step_collector(void)
{
    if (is_down() && sim.now_ms >= here()->down_ms) {
        start_collector();
    }
    if (!is_down() && !is_hung()) {
        sim_loop_step();
    }
}

static void
tick(void)
{
    sim.now_ms += 1 + sim_below(TICK_MS_MAX);
    sim_net_step();
    sim_each_side(step_collector);
    sim_agents_step(is_down);
}

static void
rest(int64_t ms)
{
    for (int64_t end_ms = sim.now_ms + ms; sim.now_ms < end_ms;) {
        tick();
    }
}

static bool
have_all_ended(void)
{
    for (unsigned i = 0; i < schedule.agents; i++) {
        if (!sim_catalog_has_ended(sim_agent_get_id(i))) {
            return false;
        }
    }
    return true;
}

static void
let_sessions_end(void)
{
    sim.collector_ahead_ms[sim.side] += IDLE_MS;
}

// run_schedule returns what took too long; NULL: nothing.
static const char *
run_schedule(void)
{
    for (int64_t end_ms = sim.now_ms + schedule.faults_ms; sim.now_ms < end_ms;) {
        break_all();
        sim_each_side(break_collector);
        tick();
    }
    mend_everything();
    for (int64_t end_ms = sim.now_ms + END_MS_MAX; !sim_agents_are_done() && sim.now_ms < end_ms;) {
        tick();
    }
    if (!sim_agents_are_done()) {
        return "not everything is acknowledged in time";
    }
    rest(REST_MS);
    if (!allowed.is_lost && !have_all_ended()) {
        return "a session has not ended in time";
    }
    // What no collector has is taken by the one that has been in charge for long enough, and what
    // one is left with goes.
    sim_each_side(let_sessions_end);
    sim.catalog_ahead_ms += IDLE_MS;
    rest(LEFT_MS);
    sim_each_side(let_sessions_end);
    rest(REST_MS);
    return NULL;
}

// --- What is there in the end

static unsigned
count_in_charge(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sim.collectors; i++) {
        count += troubles[i].is_in_charge ? 1 : 0;
    }
    return count;
}

static unsigned journals;

static int
count_journal(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)path;
    (void)info;
    (void)where;
    journals += kind == FTW_F ? 1 : 0;
    return 0;
}

static void
count_journals(void)
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof(path), "%s/journal", sim_disk_get_data());
    (void)nftw(path, count_journal, 16, FTW_PHYS);
}

// check_collectors returns what is wrong with them, none of which runs any more; NULL: nothing.
static const char *
check_collectors(unsigned in_charge)
{
    journals = 0;
    sim_each_side(count_journals);
    return in_charge != 1 ? "not one collector is in charge"
           : journals > 0 ? "a journal is left"
                          : NULL;
}

static const char *parent; // the directory of all disks, and of the JVMs' repositories

static void
begin_collector(void)
{
    *here() = (trouble){.down_ms = INT64_MIN};
    sim_disk_begin(parent);
}

static bool
run_seed(uint64_t seed, bool is_traced, const char *in)
{
    parent = in;
    sim = (sim_world){.chance = seed, .is_traced = is_traced};
    make_plan();
    allowed = (sim_allowed){0};
    has_quit = false;
    was_gone = false;
    was_late = false;
    sim_catalog_begin(parent);
    sim_each_side(begin_collector);
    sim_net_begin(sim_run_take_message);
    sim_agents_begin(schedule.agents, parent);
    sim_each_side(start_collector);
    const char *fault = run_schedule();
    unsigned in_charge = count_in_charge();
    sim_each_side(sim_collector_stop);
    fault = fault == NULL ? check_collectors(in_charge) : fault;
    if (fault != NULL) {
        printf("seed %" PRIu64 ": %s\n", seed, fault);
    }
    bool is_right = sim_check_agents(seed, schedule.agents, allowed) && fault == NULL;
    sim_agents_end();
    sim_net_end();
    sim_each_side(sim_disk_end);
    sim_catalog_end();
    return is_right;
}

int
main(int argc, char **argv)
{
    (void)lp_hash_seed(); // takes of the chance of no schedule
    return sim_run_all(argc, argv, SCHEDULES, run_seed);
}
