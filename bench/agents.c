// SPDX-License-Identifier: Apache-2.0

// agents: speaks to a collector on this machine as many agents would, on one thread.
//
//   agents --port PORT --sessions N --seconds S (--bytes BYTES | --capture DIR)
//          [--interval MS] [--window BATCHES] [--connected M] [--ramp S]
//
// Each of N sessions sends a batch every --interval, at a time of its own, and has up to --window
// of them unanswered; with an interval of 0 it sends whenever it may. Batches have BYTES of
// nothing, or are what a JVM sent (bench/capture): with another session, and chunks that start as
// long after now as they did after the JVM. Where it ended, the agent goes on as a new session. M
// more agents are connected, and send an empty batch every CONNECTED_MS. Within --ramp the sessions
// start, one after the other; then it is measured for S seconds, until all is acknowledged, and
// each session asked which batch its collector waits for.
//
// Prints `started` and `stopped` at the ends of what is measured, and then lines of a name and a
// number; times are microseconds, from when a batch was due until it was acknowledged. The wire is
// in docs/internals/wire.md.

#include "collector/journal/journal.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_time.h"
#include "common/jfr/jfr_chunk.h"
#include "common/wire/wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    SAMPLES_MAX = 1 << 24,
    EVENTS = 256,
    SIZE_BYTES = 8,
    HEAD_BYTES = SIZE_BYTES + 4, // with the number of the request
    HELLO_NUMBER = 0,            // batches have 1 + their sequence number
    REPLY_BYTES = 4096,
    START_WALL_OFFSET = 32, // in the header of a chunk
    CONNECTED_MS = 20 * 1000,
    BUSY_MS = 250, // as the agent waits
    RETRY_LOOK_MS = 50,
    TICK_MS = 1000,        // of sessions that send whenever they may
    DRAIN_MS_MAX = 120000, // until all is acknowledged, and again until all is checked
    GREETING_BYTES = 8,
};

typedef enum place_state {
    PLACE_FREE,
    PLACE_TO_SEND,
    PLACE_ON_WAY,
    PLACE_ACKNOWLEDGED
} place_state;

typedef struct place {
    place_state state;
    uint64_t due_us;
} place;

typedef enum hello_state { HELLO_TO_SEND, HELLO_ON_WAY, HELLO_ANSWERED } hello_state;

typedef struct agent {
    int fd; // below 0: none
    bool is_started;
    bool is_idle;    // connected alone
    bool is_greeted; // the greeting came
    uint32_t number;
    uint32_t generation; // of its sessions
    hello_state hello;
    uint64_t next;                 // the number of the batch that is made next
    uint64_t acknowledged;         // the lowest number that is not
    uint64_t retry_us;             // nothing is sent before
    int64_t start_ns;              // of the session, wall time
    place places[WIRE_WINDOW_MAX]; // by number
    lp_buf out;
    size_t out_done;
    uint8_t in[REPLY_BYTES];
    size_t in_bytes;
} agent;

// Agents that have their turn one after the other, each once in interval_us.
typedef struct crew {
    agent *agents;
    size_t count;
    uint64_t interval_us;
    uint64_t ramp_us;
    uint64_t turn;
} crew;

static struct {
    uint16_t port;
    size_t sessions;
    size_t connected;
    uint64_t seconds;
    uint64_t interval_us;
    uint64_t ramp_us;
    uint64_t window;
    size_t bytes;
    const char *capture;
} options = {.window = WIRE_WINDOW_MAX - 1};

// What a JVM sent.
static struct {
    Loupe__Wire__Request **requests;
    size_t count;
    int64_t start_ns; // of its first chunk
} capture;

static uint8_t *content; // of a batch that nobody sent
static uint8_t run[8];   // the end of the ids of sessions
static int poller;
static bool is_measuring, is_stopping, is_checking;
static uint32_t latencies[SAMPLES_MAX];
static size_t latency_count;
static struct {
    uint64_t sent, acknowledged, measured, busy, unknown, waits, cuts, ended, lost, lacking,
        checked;
} counts;

static void
fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static uint64_t
now_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

// ---------------------------------------------------------------------------- what a JVM sent

static void
read_journal(const char *path)
{
    journal *file;
    journal_cursor cursor;
    lp_slice message;
    if (journal_open(path, &file) != LP_OK) {
        fail(path);
    }
    journal_cursor_init(&cursor, file, journal_get_size(file));
    while (journal_cursor_next(&cursor, &message) == LP_OK) {
        Loupe__Wire__Request *request =
            loupe__wire__request__unpack(NULL, message.len, message.ptr);
        if (request == NULL || request->body_case != LOUPE__WIRE__REQUEST__BODY_BATCH) {
            continue; // a policy
        }
        capture.requests =
            reallocarray(capture.requests, capture.count + 1, sizeof(*capture.requests));
        if (capture.requests == NULL) {
            fail("memory");
        }
        capture.requests[capture.count++] = request;
    }
    journal_cursor_fini(&cursor);
    journal_unref(file);
}

static int
compare_requests(const void *left, const void *right)
{
    uint64_t a = (*(Loupe__Wire__Request *const *)left)->batch->sequence;
    uint64_t b = (*(Loupe__Wire__Request *const *)right)->batch->sequence;
    return (a > b) - (a < b);
}

static void
read_capture(const char *dir)
{
    char pattern[PATH_MAX];
    glob_t found;
    (void)snprintf(pattern, sizeof(pattern), "%s/*.log", dir);
    if (glob(pattern, 0, NULL, &found) != 0) {
        fail(pattern);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        read_journal(found.gl_pathv[i]);
    }
    globfree(&found);
    qsort((void *)capture.requests, capture.count, sizeof(capture.requests[0]), compare_requests);
    size_t bytes = 0;
    for (size_t i = 0; i < capture.count; i++) {
        Loupe__Wire__Batch *batch = capture.requests[i]->batch;
        jfr_chunk_info info;
        if (batch->sequence != i) {
            (void)fprintf(stderr, "%s: batch %zu is not there\n", dir, i);
            exit(EXIT_FAILURE);
        }
        lp_slice header = {batch->chunk_header.data, batch->chunk_header.len};
        if (capture.start_ns == 0 && header.len > 0 &&
            jfr_chunk_parse(header, &info, NULL) == LP_OK) {
            capture.start_ns = info.start_wall_ns;
        }
        batch->is_last = i + 1 == capture.count;
        bytes += batch->jfr_zstd.len + batch->contexts_packed.len;
    }
    (void)printf("capture_batches %zu\ncapture_bytes %zu\n", capture.count, bytes);
}

// ---------------------------------------------------------------------------- what an agent sends

static void
get_id(const agent *a, uint8_t id[WIRE_SESSION_BYTES])
{
    memcpy(id, &a->number, sizeof(a->number));
    memcpy(id + 4, &a->generation, sizeof(a->generation));
    memcpy(id + 8, run, sizeof(run));
}

static void
put_request(agent *a, Loupe__Wire__Request *request, uint32_t number)
{
    request->version = WIRE_VERSION;
    size_t size = loupe__wire__request__get_packed_size(request);
    uint8_t *bytes = lp_buf_extend(&a->out, HEAD_BYTES + size);
    if (bytes == NULL) {
        fail("memory");
    }
    uint64_t length = htobe64(size + HEAD_BYTES - SIZE_BYTES);
    number = htobe32(number | 1u << 31);
    memcpy(bytes, &length, sizeof(length));
    memcpy(bytes + SIZE_BYTES, &number, sizeof(number));
    (void)loupe__wire__request__pack(request, bytes + HEAD_BYTES);
}

static void
put_hello(agent *a)
{
    char instance[32];
    uint8_t id[WIRE_SESSION_BYTES];
    Loupe__Wire__Hello hello = LOUPE__WIRE__HELLO__INIT;
    get_id(a, id);
    (void)snprintf(instance, sizeof(instance), "load-%" PRIu32, a->number);
    hello.session = (ProtobufCBinaryData){sizeof(id), id};
    hello.service = a->is_idle ? "load-connected" : "load";
    hello.instance = instance;
    hello.start_wall_ns = a->start_ns;
    hello.next_sequence = a->acknowledged;
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_HELLO;
    request.hello = &hello;
    put_request(a, &request, HELLO_NUMBER);
}

// make_batch makes the batch with this number; header has the room for its chunk's.
static Loupe__Wire__Batch
make_batch(const agent *a, uint64_t number, uint8_t header[JFR_CHUNK_HEADER_SIZE])
{
    Loupe__Wire__Batch batch = LOUPE__WIRE__BATCH__INIT;
    if (!a->is_idle && capture.count > 0) {
        batch = *capture.requests[number]->batch;
        if (batch.chunk_header.len == JFR_CHUNK_HEADER_SIZE) {
            uint64_t start_ns;
            memcpy(header, batch.chunk_header.data, JFR_CHUNK_HEADER_SIZE);
            memcpy(&start_ns, header + START_WALL_OFFSET, sizeof(start_ns));
            start_ns = htobe64(be64toh(start_ns) + (uint64_t)(a->start_ns - capture.start_ns));
            memcpy(header + START_WALL_OFFSET, &start_ns, sizeof(start_ns));
            batch.chunk_header.data = header;
        }
    } else if (!a->is_idle) {
        batch.chunk_offset = number * options.bytes;
        batch.jfr_zstd = (ProtobufCBinaryData){options.bytes, content};
        batch.jfr_size = (uint32_t)options.bytes;
    }
    batch.sequence = number;
    return batch;
}

static void
put_batch(agent *a, uint64_t number)
{
    uint8_t id[WIRE_SESSION_BYTES];
    uint8_t header[JFR_CHUNK_HEADER_SIZE];
    Loupe__Wire__Batch batch = make_batch(a, number, header);
    get_id(a, id);
    batch.session = (ProtobufCBinaryData){sizeof(id), id};
    Loupe__Wire__Request request = LOUPE__WIRE__REQUEST__INIT;
    request.body_case = LOUPE__WIRE__REQUEST__BODY_BATCH;
    request.batch = &batch;
    put_request(a, &request, (uint32_t)number + 1);
    counts.sent++;
}

// ---------------------------------------------------------------------------- connections

// end_connection has all sent again that was not answered, once the agent has its turn.
static void
end_connection(agent *a)
{
    (void)close(a->fd);
    a->fd = -1;
    a->is_greeted = false;
    a->in_bytes = 0;
    a->out_done = 0;
    lp_buf_clear(&a->out);
    a->hello = HELLO_TO_SEND;
    for (size_t i = 0; i < WIRE_WINDOW_MAX; i++) {
        if (a->places[i].state == PLACE_ON_WAY) {
            a->places[i].state = PLACE_TO_SEND;
        }
    }
    counts.cuts++;
}

// flush returns whether all that was to be written is.
static bool
flush(agent *a)
{
    while (a->out_done < a->out.len) {
        ssize_t done =
            send(a->fd, a->out.ptr + a->out_done, a->out.len - a->out_done, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            if (errno != EAGAIN && errno != ENOTCONN) {
                end_connection(a);
            }
            return false;
        }
        a->out_done += (size_t)done;
    }
    a->out_done = 0;
    lp_buf_fini(&a->out); // thousands of agents keep no room
    a->out = (lp_buf){0};
    return true;
}

static bool
put_next(agent *a)
{
    if (a->hello != HELLO_ANSWERED) {
        if (a->hello == HELLO_ON_WAY) {
            return false;
        }
        a->hello = HELLO_ON_WAY;
        put_hello(a);
        return true;
    }
    for (uint64_t number = a->acknowledged; number < a->next; number++) {
        place *p = &a->places[number % WIRE_WINDOW_MAX];
        if (p->state == PLACE_TO_SEND) {
            p->state = PLACE_ON_WAY;
            put_batch(a, number);
            return true;
        }
    }
    return false;
}

static void
send_what_waits(agent *a)
{
    uint64_t now = now_us();
    while (a->fd >= 0 && flush(a) && a->is_greeted && now >= a->retry_us && put_next(a)) {
    }
}

static void
begin_connection(agent *a)
{
    static const uint8_t greeting[GREETING_BYTES] = {0, 'S', 'P', 0, 0, 0x30, 0, 0};
    struct sockaddr_in address = {.sin_family = AF_INET,
        .sin_port = htons(options.port),
        .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    struct epoll_event watch = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.ptr = a}};
    int on = 1;
    a->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (a->fd < 0 || setsockopt(a->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) != 0 ||
        epoll_ctl(poller, EPOLL_CTL_ADD, a->fd, &watch) != 0) {
        fail("connect");
    }
    lp_buf_append(&a->out, greeting, sizeof(greeting));
    if (connect(a->fd, (struct sockaddr *)&address, sizeof(address)) != 0 && errno != EINPROGRESS) {
        end_connection(a);
    }
}

// ---------------------------------------------------------------------------- turns and answers

static void
begin_session(agent *a)
{
    a->generation++;
    a->next = a->acknowledged = 0;
    a->hello = HELLO_TO_SEND;
    a->start_ns = lp_time_now();
}

// has_more returns whether there is another batch to send.
static bool
has_more(const agent *a)
{
    return !is_stopping && (a->is_idle || capture.count == 0 || a->next < capture.count);
}

static bool
has_place(const agent *a)
{
    return a->next - a->acknowledged < options.window;
}

static void
add_batch(agent *a, uint64_t due_us)
{
    a->places[a->next++ % WIRE_WINDOW_MAX] = (place){PLACE_TO_SEND, due_us};
}

static bool
is_hasty(const agent *a)
{
    return options.interval_us == 0 && !a->is_idle;
}

static void
fill_window(agent *a)
{
    while (has_more(a) && has_place(a)) {
        add_batch(a, now_us());
    }
}

static void
take_turn(agent *a, uint64_t due_us)
{
    if (!a->is_started && is_stopping) {
        return;
    }
    if (!a->is_started) {
        a->is_started = true;
        begin_session(a);
    }
    if (a->fd < 0) {
        begin_connection(a);
    }
    if (is_hasty(a)) {
        fill_window(a);
    } else if (has_more(a)) {
        if (has_place(a)) {
            add_batch(a, due_us);
        } else {
            counts.waits++;
        }
    }
    send_what_waits(a);
}

static void
on_hello_answer(agent *a, const Loupe__Wire__Reply *reply)
{
    a->hello = HELLO_ANSWERED;
    if (reply->next_sequence < a->acknowledged) {
        counts.lost += a->acknowledged - reply->next_sequence;
    }
    counts.lacking += reply->lacking_chunk != 0;
    counts.checked += is_checking;
}

static void
on_acknowledged(agent *a, uint64_t number)
{
    place *p = &a->places[number % WIRE_WINDOW_MAX];
    if (number < a->acknowledged || number >= a->next || p->state == PLACE_ACKNOWLEDGED) {
        return;
    }
    p->state = PLACE_ACKNOWLEDGED;
    counts.acknowledged++;
    if (is_measuring) {
        counts.measured++;
        if (!a->is_idle && latency_count < SAMPLES_MAX) {
            latencies[latency_count++] = (uint32_t)(now_us() - p->due_us);
        }
    }
    while (a->acknowledged < a->next &&
           a->places[a->acknowledged % WIRE_WINDOW_MAX].state == PLACE_ACKNOWLEDGED) {
        a->places[a->acknowledged++ % WIRE_WINDOW_MAX].state = PLACE_FREE;
    }
    if (!a->is_idle && a->acknowledged == capture.count && capture.count > 0 && !is_stopping) {
        counts.ended++;
        begin_session(a);
    }
}

static void
on_reply(agent *a, uint32_t number, const Loupe__Wire__Reply *reply)
{
    bool is_hello = number == HELLO_NUMBER;
    place *p = &a->places[(number - 1) % WIRE_WINDOW_MAX]; // of a batch
    switch (reply->status) {
    case LOUPE__WIRE__REPLY__STATUS__OK:
        if (is_hello) {
            on_hello_answer(a, reply);
        } else {
            on_acknowledged(a, number - 1);
        }
        return;
    case LOUPE__WIRE__REPLY__STATUS__BUSY:
        counts.busy++;
        a->retry_us = now_us() + (uint64_t)BUSY_MS * 1000;
        break;
    case LOUPE__WIRE__REPLY__STATUS__UNKNOWN_SESSION:
        counts.unknown++;
        a->hello = a->hello == HELLO_ON_WAY ? HELLO_ON_WAY : HELLO_TO_SEND;
        break;
    case LOUPE__WIRE__REPLY__STATUS__REFUSED:
    case LOUPE__WIRE__REPLY__STATUS__NOT_ALLOWED:
    case _LOUPE__WIRE__REPLY__STATUS_IS_INT_SIZE:
    default:
        (void)fprintf(stderr, "refused: %s\n", reply->message);
        exit(EXIT_FAILURE);
    }
    if (is_hello) {
        a->hello = HELLO_TO_SEND;
    } else if (p->state == PLACE_ON_WAY) {
        p->state = PLACE_TO_SEND;
    }
}

static size_t
take_replies(agent *a)
{
    size_t at = 0;
    if (!a->is_greeted && a->in_bytes >= GREETING_BYTES) {
        a->is_greeted = true;
        at = GREETING_BYTES;
    }
    while (a->is_greeted && a->in_bytes - at >= HEAD_BYTES) {
        uint64_t size;
        uint32_t number;
        memcpy(&size, a->in + at, sizeof(size));
        memcpy(&number, a->in + at + SIZE_BYTES, sizeof(number));
        size = be64toh(size);
        if (size > REPLY_BYTES - SIZE_BYTES) {
            (void)fprintf(stderr, "an answer of %" PRIu64 " bytes\n", size);
            exit(EXIT_FAILURE);
        }
        if (a->in_bytes - at < SIZE_BYTES + size) {
            break;
        }
        Loupe__Wire__Reply *reply =
            loupe__wire__reply__unpack(NULL, size - 4, a->in + at + HEAD_BYTES);
        if (reply == NULL) {
            fail("reply");
        }
        on_reply(a, be32toh(number) & ~(1u << 31), reply);
        loupe__wire__reply__free_unpacked(reply, NULL);
        at += SIZE_BYTES + size;
    }
    return at;
}

static void
on_ready(agent *a)
{
    while (a->fd >= 0) {
        ssize_t count = recv(a->fd, a->in + a->in_bytes, sizeof(a->in) - a->in_bytes, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOTCONN)) {
            break;
        }
        if (count <= 0) {
            end_connection(a);
            return;
        }
        a->in_bytes += (size_t)count;
        size_t done = take_replies(a);
        a->in_bytes -= done;
        memmove(a->in, a->in + done, a->in_bytes);
    }
    if (is_hasty(a)) {
        fill_window(a);
    }
    send_what_waits(a);
}

// ---------------------------------------------------------------------------- the run

static void
crew_init(crew *self, size_t count, uint64_t interval_us, uint64_t ramp_us, bool is_idle)
{
    *self = (crew){.agents = calloc(count + 1, sizeof(agent)),
        .count = count,
        .interval_us = interval_us,
        .ramp_us = ramp_us};
    if (self->agents == NULL) {
        fail("memory");
    }
    for (size_t i = 0; i < count; i++) {
        self->agents[i].fd = -1;
        self->agents[i].is_idle = is_idle;
        self->agents[i].number = (uint32_t)i + 1 + (is_idle ? 1u << 31 : 0);
    }
}

static void
crew_take_turns(crew *self, uint64_t begin_us)
{
    while (self->count > 0) {
        size_t index = self->turn % self->count;
        uint64_t after_us = self->turn * self->interval_us / self->count;
        if (begin_us + after_us > now_us()) {
            return;
        }
        self->turn++;
        if (after_us >= self->ramp_us * index / self->count) {
            take_turn(&self->agents[index], begin_us + after_us);
        }
    }
}

static void
crew_send_again(const crew *self)
{
    uint64_t now = now_us();
    for (size_t i = 0; i < self->count; i++) {
        agent *a = &self->agents[i];
        if (a->retry_us != 0 && a->retry_us <= now) {
            a->retry_us = 0;
            send_what_waits(a);
        }
    }
}

static void
wait_for_answers(void)
{
    struct epoll_event events[EVENTS];
    int ready = epoll_wait(poller, events, EVENTS, 1);
    for (int i = 0; i < ready; i++) {
        on_ready(events[i].data.ptr);
    }
}

static void
go_on_until(crew crews[2], uint64_t begin_us, uint64_t end_us, bool (*is_done)(const crew crews[2]))
{
    uint64_t look_us = 0;
    while (now_us() < end_us && !(is_done != NULL && is_done(crews))) {
        crew_take_turns(&crews[0], begin_us);
        crew_take_turns(&crews[1], begin_us);
        if (now_us() >= look_us) {
            look_us = now_us() + (uint64_t)RETRY_LOOK_MS * 1000;
            crew_send_again(&crews[0]);
            crew_send_again(&crews[1]);
        }
        wait_for_answers();
    }
}

static bool
is_acknowledged(const crew crews[2])
{
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < crews[c].count; i++) {
            const agent *a = &crews[c].agents[i];
            if (a->is_started && (a->next != a->acknowledged || a->hello != HELLO_ANSWERED)) {
                return false;
            }
        }
    }
    return true;
}

static size_t
count_unacknowledged(const crew crews[2])
{
    size_t count = 0;
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < crews[c].count; i++) {
            count += crews[c].agents[i].next - crews[c].agents[i].acknowledged;
        }
    }
    return count;
}

static uint64_t
count_started(const crew crews[2])
{
    uint64_t count = 0;
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < crews[c].count; i++) {
            count += crews[c].agents[i].is_started;
        }
    }
    return count;
}

static void
check_sessions(crew crews[2], uint64_t begin_us)
{
    is_checking = true;
    for (size_t c = 0; c < 2; c++) {
        for (size_t i = 0; i < crews[c].count; i++) {
            agent *a = &crews[c].agents[i];
            a->hello = HELLO_TO_SEND;
            send_what_waits(a);
        }
    }
    go_on_until(crews, begin_us, now_us() + (uint64_t)DRAIN_MS_MAX * 1000, is_acknowledged);
}

static int
compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void
print_counts(size_t unacknowledged, uint64_t unchecked)
{
    qsort(latencies, latency_count, sizeof(latencies[0]), compare);
    size_t last = latency_count == 0 ? 0 : latency_count - 1;
    (void)printf("sent %" PRIu64 "\nacknowledged %" PRIu64 "\nper_second %.1f\n", counts.sent,
        counts.acknowledged, (double)counts.measured / (double)options.seconds);
    (void)printf("p50 %" PRIu32 "\np99 %" PRIu32 "\nmax %" PRIu32 "\n", latencies[last / 2],
        latencies[last * 99 / 100], latencies[last]);
    (void)printf("busy %" PRIu64 "\nunknown %" PRIu64 "\nwaits %" PRIu64 "\ncuts %" PRIu64
                 "\nended %" PRIu64 "\n",
        counts.busy, counts.unknown, counts.waits, counts.cuts, counts.ended);
    (void)printf("unchecked %" PRIu64 "\n", unchecked);
    (void)printf("unacknowledged %zu\nchecked %" PRIu64 "\nlost %" PRIu64 "\nlacking %" PRIu64 "\n",
        unacknowledged, counts.checked, counts.lost, counts.lacking);
}

static uint64_t
read_number(const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    if (end == text || *end != '\0') {
        (void)fprintf(stderr, "%s is no number\n", text);
        exit(EXIT_FAILURE);
    }
    return number;
}

static void
read_options(int argc, char **argv)
{
    static const struct option names[] = {{"port", required_argument, NULL, 'p'},
        {"sessions", required_argument, NULL, 'n'}, {"seconds", required_argument, NULL, 's'},
        {"bytes", required_argument, NULL, 'b'}, {"capture", required_argument, NULL, 'c'},
        {"interval", required_argument, NULL, 'i'}, {"window", required_argument, NULL, 'w'},
        {"connected", required_argument, NULL, 'm'}, {"ramp", required_argument, NULL, 'r'},
        {NULL, 0, NULL, 0}};
    int name;
    while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
        uint64_t number = name == 'c' || name == '?' ? 0 : read_number(optarg);
        switch (name) {
        case 'p':
            options.port = (uint16_t)number;
            break;
        case 'n':
            options.sessions = number;
            break;
        case 's':
            options.seconds = number;
            break;
        case 'b':
            options.bytes = number;
            break;
        case 'c':
            options.capture = optarg;
            break;
        case 'i':
            options.interval_us = number * 1000;
            break;
        case 'w':
            options.window = number;
            break;
        case 'm':
            options.connected = number;
            break;
        case 'r':
            options.ramp_us = number * 1000000;
            break;
        default:
            exit(EXIT_FAILURE);
        }
    }
    if (options.port == 0 || options.seconds == 0 || options.window < 1 ||
        options.window >= WIRE_WINDOW_MAX || (options.bytes == 0) == (options.capture == NULL)) {
        (void)fprintf(stderr, "usage: see the head of agents.c\n");
        exit(EXIT_FAILURE);
    }
}

static void
prepare(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    poller = epoll_create1(EPOLL_CLOEXEC);
    content = malloc(options.bytes + 1);
    if (poller < 0 || content == NULL || getrandom(run, sizeof(run), 0) != sizeof(run)) {
        fail("start");
    }
    for (size_t i = 0; i < options.bytes; i++) {
        content[i] = (uint8_t)(i * 2654435761u >> 13);
    }
    if (options.capture != NULL) {
        read_capture(options.capture);
    }
}

static void
say(const char *what)
{
    (void)printf("%s\n", what);
    (void)fflush(stdout);
}

int
main(int argc, char **argv)
{
    crew crews[2];
    read_options(argc, argv);
    prepare();
    uint64_t turn_us = options.interval_us == 0 ? (uint64_t)TICK_MS * 1000 : options.interval_us;
    crew_init(&crews[0], options.sessions, turn_us, options.ramp_us, false);
    crew_init(&crews[1], options.connected, (uint64_t)CONNECTED_MS * 1000, 0, true);
    uint64_t begin_us = now_us();
    uint64_t start_us = begin_us + options.ramp_us;
    go_on_until(crews, begin_us, start_us, NULL);
    say("started");
    is_measuring = true;
    go_on_until(crews, begin_us, start_us + options.seconds * 1000000, NULL);
    is_measuring = false;
    is_stopping = true;
    say("stopped");
    go_on_until(crews, begin_us, now_us() + (uint64_t)DRAIN_MS_MAX * 1000, is_acknowledged);
    size_t unacknowledged = count_unacknowledged(crews);
    check_sessions(crews, begin_us);
    uint64_t started = count_started(crews);
    print_counts(unacknowledged, started > counts.checked ? started - counts.checked : 0);
    free(crews[0].agents);
    free(crews[1].agents);
    return EXIT_SUCCESS;
}
