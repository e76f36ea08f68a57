// SPDX-License-Identifier: Apache-2.0
// The power is cut at many moments, of a collector that three agents send to: a disk that forgets
// what was not synced is made as it may be after each, and a new collector started on it. It starts
// always. With --sync always it has every batch that was acknowledged, with 1s every one that it
// said is durable, and says that there was a power cut; the agents go on, and no event is there
// twice. Every row of the catalog has its chunk. With never it starts, and nothing is there twice.
// A recording that is removed is there with all of it or not at all, and never comes back. Journals
// of compacted chunks are kept as raw data, which changes nothing of this.
//
// LOUPE_POWER_SEED chooses other moments; each failure says the seed and the moment.

#include "support/chance.h"
#include "support/disk_log.h"
#include "support/large.h"
#include "unit/collector/server/collector_rig.h"
#include "unit/collector/server/wire_client.h"

#include "collector/collect.h"
#include "collector/store/chunks/blobs.h"
#include "common/base/lp_log.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    AGENTS = 3,
    CHUNKS = 5,
    BATCHES = 8, // of a chunk
    SEQUENCES = CHUNKS * BATCHES,
    TICKS = 2, // of a batch
    NUMBERS = SEQUENCES * TICKS,
    WINDOW = 4,
    MARKS_MAX = 4 * AGENTS * SEQUENCES,
    CUTS = 100, // of each way to sync
    CUTS_SHORT = 12,
    REMOVAL_CUTS = 60,
    REMOVAL_CUTS_SHORT = 9,
    DURATION_NS = 500000000,
    RECALL_S = 900,
    LOOK_AGAIN_NS = 5000000,
};

// What an agent knew at a moment.
typedef struct mark {
    size_t moment;
    int agent;
    uint64_t acknowledged; // batches below it
    uint64_t durable;      // likewise
} mark;

typedef struct scene {
    collector_rig rig;
    wire_client agents[AGENTS];
    mark marks[MARKS_MAX];
    size_t mark_count;
} scene;

// pack_batch appends a batch as the agent sends it under a number: the one of its place, or a later
// one when its chunk begins again.
static void
pack_batch(const wire_client *agent, uint64_t place, uint64_t sequence, lp_buf *out)
{
    uint64_t chunk = place / BATCHES;
    uint64_t count = place % BATCHES + 1;
    tick_chunk ticks;
    tick_chunk_init(&ticks, 1700000000000000000 + (int64_t)chunk * BATCHES * DURATION_NS);
    size_t from = 0;
    for (uint64_t i = 0; i < count * TICKS; i++) {
        if (i == (count - 1) * TICKS && count > 1) {
            from = ticks.bytes.len;
        }
        tick_chunk_add(&ticks, chunk * BATCHES * TICKS + i);
    }
    const wire_piece piece = {
        .sequence = sequence,
        .chunk = (uint32_t)chunk,
        .ticks = &ticks,
        .from = from,
        .duration_ns = (int64_t)count * DURATION_NS,
        .is_last = place + 1 == SEQUENCES,
        .begins_again = place != sequence && count == 1,
    };
    wire_client_pack(agent, &piece, out);
    tick_chunk_fini(&ticks);
}

static wire_pending
start_batch(wire_client *agent, uint64_t place, uint64_t sequence)
{
    lp_buf message = {0};
    pack_batch(agent, place, sequence, &message);
    wire_pending pending = wire_client_start(agent, message.ptr, message.len);
    lp_buf_fini(&message);
    return pending;
}

static wire_answer
send_batch(wire_client *agent, uint64_t place, uint64_t sequence)
{
    wire_pending pending = start_batch(agent, place, sequence);
    return wire_client_finish(&pending);
}

// note_answer keeps what the agent knows from now on.
static void
note_answer(scene *s, int agent, const wire_answer *answer)
{
    assert_int_equal(answer->status, OK);
    assert_true(s->mark_count < MARKS_MAX);
    s->marks[s->mark_count++] = (mark){.moment = disk_log_count(),
        .agent = agent,
        .acknowledged = answer->next_sequence,
        .durable = answer->durable_sequence};
}

// send_chunk has each agent send a chunk, a few batches at a time.
static void
send_chunk(scene *s, uint64_t chunk)
{
    for (uint64_t first = chunk * BATCHES; first < (chunk + 1) * BATCHES; first += WINDOW) {
        wire_pending pending[AGENTS][WINDOW];
        for (uint64_t i = 0; i < WINDOW; i++) {
            for (int a = 0; a < AGENTS; a++) {
                pending[a][i] = start_batch(&s->agents[a], first + i, first + i);
            }
        }
        for (uint64_t i = 0; i < WINDOW; i++) {
            for (int a = 0; a < AGENTS; a++) {
                wire_answer answer = wire_client_finish(&pending[a][i]);
                // Those behind it may be there, too, which the agent was not told yet.
                answer.next_sequence = first + i + 1;
                note_answer(s, a, &answer);
            }
        }
    }
}

// await_durable returns when the first agent is told that all of it is on the disk.
static void
await_durable(scene *s, uint64_t sequence)
{
    wire_answer answer;
    do { // once more, as an agent does that has lost an answer
        answer = send_batch(&s->agents[0], sequence - 1, sequence - 1);
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
    } while (answer.durable_sequence < sequence);
    answer.next_sequence = sequence;
    note_answer(s, 0, &answer);
}

// send_all has the agents send everything, with a start of the collector in the middle.
static void
send_all(scene *s, sync_mode mode, uint64_t seed)
{
    s->mark_count = 0;
    s->rig.sync = mode;
    disk_log_start(s->rig.dir.path, seed);
    collector_rig_start(&s->rig);
    for (int a = 0; a < AGENTS; a++) {
        wire_client_open(&s->agents[a], s->rig.agents_url, (uint8_t)(0x11 * (a + 1)));
        assert_int_equal(wire_client_hello(&s->agents[a], 0).status, OK);
    }
    for (uint64_t chunk = 0; chunk < CHUNKS; chunk++) {
        if (chunk == CHUNKS / 2) {
            collector_rig_stop(&s->rig);
            collector_rig_start(&s->rig);
            for (int a = 0; a < AGENTS; a++) {
                wire_answer answer = wire_client_hello(&s->agents[a], chunk * BATCHES);
                note_answer(s, a, &answer);
            }
        }
        send_chunk(s, chunk);
        if (mode == SYNC_SECOND && chunk + 1 < CHUNKS) {
            await_durable(s, (chunk + 1) * BATCHES);
        }
    }
    for (int a = 0; a < AGENTS; a++) {
        char id[33];
        wire_client_id(&s->agents[a], id);
        collector_rig_await(&s->rig, id, CHUNKS, true);
    }
}

static void
end_run(scene *s)
{
    collector_rig_stop(&s->rig);
    disk_log_stop();
}

// knows returns what an agent knew at a moment.
static mark
knows(const scene *s, int agent, size_t moment)
{
    mark known = {.agent = agent};
    for (size_t i = 0; i < s->mark_count; i++) {
        const mark *m = &s->marks[i];
        if (m->agent == agent && m->moment <= moment) {
            known.acknowledged =
                m->acknowledged > known.acknowledged ? m->acknowledged : known.acknowledged;
            known.durable = m->durable > known.durable ? m->durable : known.durable;
        }
    }
    return known;
}

// boot_again makes the mark of the run one of another boot, and returns whether there is one: the
// collector ran.
static bool
boot_again(const char *dir)
{
    char path[300];
    (void)snprintf(path, sizeof(path), "%s/running", dir);
    int fd = open(path, O_WRONLY);
    if (fd >= 0) {
        (void)!pwrite(fd, "before", 6, 0);
        (void)close(fd);
    }
    return fd >= 0;
}

// What a new collector has of a recording.
typedef struct found {
    unsigned counts[NUMBERS];
    bool has_row;
    uint64_t power_cuts;
    uint64_t batches_lost;
    const collector_rig *rig;
    blobs *blobs;
    catalog *catalog;
    const char *id;
    uint32_t next_chunk; // those below it are in the catalog
    bool may_lack_chunks;
} found;

static void
count_row(void *arg, const catalog_session *row)
{
    found *f = arg;
    f->has_row = true;
    f->power_cuts = row->losses[CATALOG_LOSS_POWER_CUTS];
    f->batches_lost = row->losses[CATALOG_LOSS_BATCHES_LOST];
}

static void
count_chunk(void *arg, const catalog_chunk *chunk)
{
    found *f = arg;
    lp_buf bytes = {0};
    if (chunk->ordinal >= f->next_chunk) {
        return; // the snapshot has it
    }
    const blob_name name = {.session_id = f->id,
        .ordinal = chunk->ordinal,
        .size_bytes = chunk->size_bytes,
        .content_hash = chunk->content_hash};
    lp_err err = blobs_read_chunk(f->blobs, &name, &bytes);
    if (err == LP_OK) {
        (void)tick_chunk_count(bytes.ptr, bytes.len, f->counts, NUMBERS);
    } else if (!f->may_lack_chunks) {
        fail_msg("chunk %u of %s is in the catalog, and its file is not as it says", chunk->ordinal,
            f->id);
    }
    lp_buf_fini(&bytes);
}

// look counts the events of a recording: its chunks, and what waits for compaction.
static void
look(const collector_rig *rig, const wire_client *agent, bool may_lack_chunks, found *out_found)
{
    char id[33];
    char path[300];
    wire_client_id(agent, id);
    *out_found = (found){.rig = rig, .id = id, .may_lack_chunks = may_lack_chunks};
    snapshot *taken = collector_rig_snapshot(rig, id, SNAPSHOT_JFR);
    if (taken->err == LP_OK) {
        (void)collector_rig_count_pending(taken, out_found->counts, NUMBERS);
    }
    out_found->next_chunk = taken->next_chunk;
    snapshot_unref(taken);
    (void)snprintf(path, sizeof(path), "%s/chunks", rig->dir.path);
    assert_int_equal(blobs_open(path, &out_found->blobs, NULL), LP_OK);
    (void)snprintf(path, sizeof(path), "%s/catalog.db", rig->dir.path);
    assert_int_equal(catalog_open_reader(path, &out_found->catalog, NULL), LP_OK);
    lp_err err = catalog_find(out_found->catalog, id, count_row, out_found);
    assert_true(err == LP_OK || err == LP_ENOENT);
    assert_int_equal(catalog_list_chunks(out_found->catalog, id, count_chunk, out_found), LP_OK);
    catalog_close(out_found->catalog);
    blobs_close(out_found->blobs);
}

static void
check_counts(const found *f, uint64_t least, const char *what)
{
    for (uint64_t i = 0; i < NUMBERS; i++) {
        if (f->counts[i] > 1) {
            fail_msg("%s: event %u of batch %u is there %u times", what, (unsigned)i,
                (unsigned)(i / TICKS), f->counts[i]);
        }
        if (i / TICKS < least && f->counts[i] == 0) {
            fail_msg("%s: event %u of batch %u is not there, which was kept up to batch %u", what,
                (unsigned)i, (unsigned)(i / TICKS), (unsigned)least);
        }
    }
}

// send_until_taken sends a batch as often as it is put off: one that is late, as the session has
// ended on a busy machine, is until the disk has it. ctest's time limit ends it.
static void
send_until_taken(wire_client *agent, uint64_t place, uint64_t sequence)
{
    unsigned status = (unsigned)send_batch(agent, place, sequence).status;
    while (status == BUSY) {
        (void)poll(NULL, 0, LOOK_AGAIN_NS / 1000000);
        status = (unsigned)send_batch(agent, place, sequence).status;
    }
    assert_int_equal(status, OK);
}

// go_on has the agent send what it was not told is here, and the chunks of which the collector
// lacks something once more.
static void
go_on(wire_client *agent, const wire_answer *hello)
{
    bool is_again = hello->lacking_chunk > 0;
    uint64_t place =
        is_again ? (uint64_t)(hello->lacking_chunk - 1) * BATCHES : hello->next_sequence;
    uint64_t sequence = hello->next_sequence;
    for (; place < SEQUENCES; place++, sequence++) {
        send_until_taken(agent, place, sequence);
    }
}

// check_agent looks at what is there of an agent's recording, of which batches below promised
// should be, and has the agent go on: then all of it is there, and the recording says what was not.
static void
check_agent(const collector_rig *rig, sync_mode mode, const mark *known, uint64_t promised)
{
    wire_client agent;
    wire_client_open(&agent, rig->agents_url, (uint8_t)(0x11 * (known->agent + 1)));
    found f;
    look(rig, &agent, mode == SYNC_NEVER, &f);
    check_counts(&f, promised, "after the cut");
    wire_answer answer = wire_client_hello(&agent, known->acknowledged);
    assert_int_equal(answer.status, OK);
    uint64_t known_count = known->acknowledged;
    bool has_lost = known_count > 0 && f.counts[known_count * TICKS - 1] == 0;
    if (mode != SYNC_NEVER) {
        look(rig, &agent, false, &f);
        assert_true(!has_lost || f.power_cuts == 1 || f.batches_lost > 0);
        assert_true(mode == SYNC_SECOND || f.power_cuts + f.batches_lost == 0);
        go_on(&agent, &answer);
        look(rig, &agent, false, &f);
        check_counts(&f, SEQUENCES, "when the agent has gone on");
    }
    wire_client_close(&agent);
}

static void
check_cut(const scene *s, sync_mode mode, size_t moment, uint64_t seed)
{
    collector_rig rig;
    collector_rig_init(&rig);
    disk_log_cut(moment, seed, rig.dir.path);
    rig.sync = mode;
    rig.recall_ns = RECALL_S * INT64_C(1000000000);
    bool was_running = boot_again(rig.dir.path);
    collector_rig_start(&rig);
    for (int a = 0; a < AGENTS; a++) {
        mark known = knows(s, a, moment);
        uint64_t promised[] = {[SYNC_ALWAYS] = known.acknowledged,
            [SYNC_SECOND] = was_running ? known.durable : known.acknowledged,
            [SYNC_NEVER] = was_running ? 0 : known.acknowledged};
        check_agent(&rig, mode, &known, promised[mode]);
    }
    collector_rig_fini(&rig);
}

static scene *
make_scene(void)
{
    scene *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    collector_rig_init(&s->rig);
    s->rig.recall_ns = RECALL_S * INT64_C(1000000000);
    return s;
}

static void
free_scene(scene *s)
{
    for (int a = 0; a < AGENTS; a++) {
        wire_client_close(&s->agents[a]);
    }
    collector_rig_fini(&s->rig);
    free(s);
}

static uint64_t
choose_seed(uint64_t usual)
{
    const char *chosen = getenv("LOUPE_POWER_SEED");
    return chosen == NULL ? usual : strtoull(chosen, NULL, 10);
}

static void
cut_often(sync_mode mode)
{
    uint64_t seed = choose_seed(1 + (uint64_t)mode);
    scene *s = make_scene();
    send_all(s, mode, seed);
    end_run(s);
    size_t count = disk_log_count();
    print_message("%zu operations, seed %llu\n", count, (unsigned long long)seed);
    for (int i = 0; i < (is_large ? CUTS : CUTS_SHORT); i++) {
        size_t moment = chance_below(&seed, count + 1);
        print_message("cut %d at %zu, seed %llu\n", i, moment, (unsigned long long)seed);
        check_cut(s, mode, moment, chance_below(&seed, UINT64_MAX));
    }
    free_scene(s);
}

static void
test_always_keeps_all_that_was_acknowledged(void **state)
{
    (void)state;
    cut_often(SYNC_ALWAYS);
}

static void
test_within_a_second_keeps_all_that_is_durable(void **state)
{
    (void)state;
    cut_often(SYNC_SECOND);
}

static void
test_never_starts_all_the_same(void **state)
{
    (void)state;
    cut_often(SYNC_NEVER);
}

// --- A recording that is removed

// format_aside names a file of the first agent's recording that was put aside.
static void
format_aside(const scene *s, const collector_rig *rig, char out_path[300])
{
    char id[33];
    wire_client_id(&s->agents[0], id);
    (void)snprintf(out_path, 300, "%s/damaged/%s-%u.log", rig->dir.path, id, CHUNKS);
}

// put_aside makes such a file, which the disk has.
static void
put_aside(const scene *s)
{
    char path[300];
    char dir[300];
    format_aside(s, &s->rig, path);
    (void)snprintf(dir, sizeof(dir), "%s/damaged", s->rig.dir.path);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(fd, "damaged", 7), 7);
    assert_int_equal(fsync(fd), 0);
    assert_int_equal(close(fd), 0);
    fd = open(dir, O_RDONLY | O_DIRECTORY);
    assert_int_equal(fsync(fd), 0);
    assert_int_equal(close(fd), 0);
}

// remove_first removes the recording of the first agent, and returns once its files are gone.
static void
remove_first(const scene *s)
{
    char id[33];
    char path[300];
    lp_err err;
    wire_client_id(&s->agents[0], id);
    do { // its end may not be on the disk yet
        snapshot *done = collector_rig_snapshot(&s->rig, id, SNAPSHOT_REMOVE);
        err = done->err;
        snapshot_unref(done);
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
    } while (err == LP_EAGAIN);
    assert_int_equal(err, LP_OK);
    (void)snprintf(path, sizeof(path), "%s/chunks/%s", s->rig.dir.path, id);
    while (access(path, F_OK) == 0) { // ctest's time limit ends it
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN_NS}, NULL);
    }
}

// check_removal starts on what the disk has: each recording is whole, but that the removed one may
// be gone, and is if is_over.
static void
check_removal(const scene *s, size_t moment, uint64_t seed, bool is_over)
{
    collector_rig rig;
    lp_problem problem;
    collector_rig_init(&rig);
    disk_log_cut(moment, seed, rig.dir.path);
    (void)boot_again(rig.dir.path);
    const server_config config = {.data_dir = rig.dir.path};
    bool is_compared;
    assert_int_equal(collect_mend(&config, &is_compared, &problem), LP_OK);
    assert_true(is_compared);
    collector_rig_start(&rig);
    for (int a = 0; a < AGENTS; a++) {
        found f;
        look(&rig, &s->agents[a], false, &f);
        if (f.has_row && a == 0 && is_over) {
            fail_msg("a recording that was removed is there again");
        }
        assert_true(f.has_row || a == 0);
        check_counts(&f, f.has_row ? SEQUENCES : 0, "after the cut");
        for (int i = 0; i < NUMBERS && !f.has_row; i++) {
            assert_int_equal(f.counts[i], 0);
        }
        char path[300];
        format_aside(s, &rig, path);
        if (!f.has_row && access(path, F_OK) == 0) {
            fail_msg("what was put aside of a recording that was removed is there again");
        }
    }
    collector_rig_fini(&rig);
}

static void
test_a_removed_recording_is_whole_or_gone(void **state)
{
    (void)state;
    uint64_t seed = choose_seed(7);
    scene *s = make_scene();
    send_all(s, SYNC_ALWAYS, seed);
    put_aside(s);
    size_t before = disk_log_count();
    remove_first(s);
    end_run(s);
    size_t count = disk_log_count();
    print_message("%zu operations, %zu of the removal\n", count, count - before);
    for (int i = 0; i < (is_large ? REMOVAL_CUTS : REMOVAL_CUTS_SHORT); i++) {
        bool is_over = i % 3 == 0;
        size_t moment = is_over ? count : before + chance_below(&seed, count - before + 1);
        print_message("cut %d at %zu, seed %llu\n", i, moment, (unsigned long long)seed);
        check_removal(s, moment, chance_below(&seed, UINT64_MAX), is_over);
    }
    free_scene(s);
}

// --- A real file system

enum { IMAGES = 8, IMAGE_EVERY = 4 };

// shell runs a command, and returns whether that went well.
static bool shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool
shell(const char *format, ...)
{
    char command[1500];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    return system(command) == 0; // NOLINT(cert-env33-c): the commands are the test's own
}

// copy_image stops the program, so that the image does not change, and copies it.
static void
copy_image(const collector_rig *rig, const char *dir, unsigned number)
{
    siginfo_t info;
    assert_int_equal(kill(rig->pid, SIGSTOP), 0);
    assert_int_equal(waitid(P_PID, (id_t)rig->pid, &info, WSTOPPED), 0);
    assert_true(shell("cp --sparse=always %s/image %s/image-%u", dir, dir, number));
    assert_int_equal(kill(rig->pid, SIGCONT), 0);
}

// check_image starts a collector on a copy.
static void
check_image(const char *dir, unsigned number)
{
    collector_rig rig;
    collector_rig_init(&rig);
    assert_true(shell("mount -o loop %s/image-%u %s", dir, number, rig.dir.path));
    assert_true(boot_again(rig.dir.path));
    rig.sync = SYNC_ALWAYS;
    collector_rig_start(&rig);
    mark known = {.acknowledged = number * IMAGE_EVERY};
    check_agent(&rig, SYNC_ALWAYS, &known, known.acknowledged);
    collector_rig_stop(&rig);
    assert_true(shell("umount %s", rig.dir.path));
    collector_rig_fini(&rig);
}

static void
test_an_image_of_a_file_system_has_it_too(void **state)
{
    (void)state;
    temp_dir dir = temp_dir_make();
    collector_rig rig;
    collector_rig_init(&rig);
    if (geteuid() != 0 ||
        !shell("truncate -s 24M %s/image && mkfs.ext4 -q -F %s/image && mount -o loop %s/image %s",
            dir.path, dir.path, dir.path, rig.dir.path)) {
        print_message("no image of ext4 can be mounted here\n");
        collector_rig_fini(&rig);
        temp_dir_remove(&dir);
        skip();
    }
    wire_client agent;
    assert_int_equal(setenv("LOUPE_SYNC", "always", 1), 0);
    collector_rig_spawn(&rig, LOUPE_PROGRAM);
    wire_client_open(&agent, rig.agents_url, 0x11);
    assert_int_equal(wire_client_hello(&agent, 0).status, OK);
    for (uint64_t i = 0; i < (IMAGES + 1) * IMAGE_EVERY; i++) {
        wire_pending pending = start_batch(&agent, i, i);
        if (i > 0 && i % IMAGE_EVERY == 0) { // while this one may be on its way
            copy_image(&rig, dir.path, (unsigned)(i / IMAGE_EVERY));
        }
        assert_int_equal(wire_client_finish(&pending).status, OK);
    }
    (void)collector_rig_signal(&rig, SIGKILL);
    wire_client_close(&agent);
    assert_true(shell("umount %s", rig.dir.path));
    for (unsigned i = 1; i <= IMAGES; i++) {
        check_image(dir.path, i);
    }
    collector_rig_fini(&rig);
    temp_dir_remove(&dir);
}

int
main(int argc, char **argv)
{
    large_init(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_always_keeps_all_that_was_acknowledged),
        cmocka_unit_test(test_within_a_second_keeps_all_that_is_durable),
        cmocka_unit_test(test_never_starts_all_the_same),
        cmocka_unit_test(test_a_removed_recording_is_whole_or_gone),
        cmocka_unit_test(test_an_image_of_a_file_system_has_it_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
