// SPDX-License-Identifier: Apache-2.0
#include "collector/http/gate/http_gate.h"

#include "collector/base/descriptor_plan.h"
#include "collector/base/loopback.h"
#include "collector/base/metrics.h"
#include "collector/base/peers.h"
#include "common/base/lp_assert.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

static_assert(HTTP_GATE_USUAL_CONNECTIONS + HTTP_GATE_USUAL_RESERVED + HTTP_GATE_USUAL_LEAVING ==
                  (int)DESCRIPTOR_PLAN_HTTP,
    "descriptors for all connections");
static_assert(
    HTTP_GATE_USUAL_CONNECTIONS + HTTP_GATE_USUAL_LEAVING == (int)DESCRIPTOR_PLAN_HTTP_FILES,
    "and for a recording on each but the reserved ones");

struct http_line {
    http_gate *gate;
    LIST_ENTRY(http_line) listed; // in the gate
    uint64_t peer;                // the client's address (peers.h)
    bool is_loopback;
    int fd;
    uint64_t id;
    bool is_reserved; // never changes
    bool is_begun;    // else libmicrohttpd may have closed the descriptor without notice
    bool is_cut;
    http_gate_limit limit; // why it is cut
    http_gate_phase phase;
    int64_t since_ms;           // start of the phase; while sending, of the present answer_ms
    bool is_measured;           // bytes was measured at since_ms
    uint64_t bytes;             // received while resting, taken while sending
    bool is_gone;               // the client left
    void (*on_gone)(void *arg); // NULL: not watched
    void *arg;
};

struct http_gate {
    http_gate_limits limits;
    http_gate_ops ops;
    pthread_mutex_t mutex; // guards the rest
    LIST_HEAD(, http_line) lines;
    peers ordinary; // per address: connections neither reserved nor cut
    peers reserved; // per address: connections reserved and not cut
    uint64_t last_id;
    unsigned ordinary_count;
    unsigned reserved_count;
    unsigned line_count;
};

// check_counts asserts the gate's invariants, under the lock.
static void
check_counts(const http_gate *gate)
{
    LP_ASSERT(LIST_EMPTY(&gate->lines) == (gate->line_count == 0));
    LP_ASSERT(gate->ordinary_count + gate->reserved_count <= gate->line_count);
}

// check_line asserts the invariants of a listed connection.
static void
check_line(const http_line *line)
{
    LP_ASSERT(line->gate->line_count > 0);
    LP_ASSERT(*line->listed.le_prev == line);
    LP_ASSERT(line->id > 0 && line->id <= line->gate->last_id);
    LP_ASSERT(line->is_begun || line->on_gone == NULL);
}

static unsigned
share_of(unsigned usual, uint64_t descriptors)
{
    LP_ASSERT(descriptors < DESCRIPTOR_PLAN_HTTP);
    uint64_t share = usual * descriptors / DESCRIPTOR_PLAN_HTTP;
    return share == 0 ? 1 : (unsigned)share;
}

http_gate_limits
http_gate_limits_within(uint64_t descriptors)
{
    http_gate_limits limits = http_gate_limits_usual;
    if (descriptors < DESCRIPTOR_PLAN_HTTP) {
        limits.connections = share_of(limits.connections, descriptors);
        limits.reserved = share_of(limits.reserved, descriptors);
        limits.leaving = share_of(limits.leaving, descriptors);
        unsigned half = (limits.connections + 1) / 2;
        limits.per_address = half < limits.per_address ? half : limits.per_address;
    }
    LP_ASSERT(limits.per_address > 0 && limits.per_address <= limits.connections);
    return limits;
}

http_gate *
http_gate_create(const http_gate_limits *limits, const http_gate_ops *ops)
{
    LP_ASSERT(ops->cut != NULL && ops->measure != NULL);
    http_gate *gate = calloc(1, sizeof(*gate));
    if (gate != NULL) {
        gate->limits = *limits;
        gate->ops = *ops;
        gate->ordinary.held_max = limits->per_address;
        (void)pthread_mutex_init(&gate->mutex, NULL); // Linux's cannot fail
    }
    return gate;
}

// --- Counting, under the lock

static peers *
peers_of(const http_line *line)
{
    return line->is_reserved ? &line->gate->reserved : &line->gate->ordinary;
}

// count_in adds 1 or -1 to the counts of line, which is not cut.
static void
count_in(const http_line *line, int amount)
{
    LP_ASSERT((amount == 1 || amount == -1) && !line->is_cut);
    http_gate *gate = line->gate;
    unsigned *count = line->is_reserved ? &gate->reserved_count : &gate->ordinary_count;
    LP_ASSERT(amount > 0 || *count > 0);
    *count += (unsigned)amount;
    if (amount > 0) {
        peers_hold(peers_of(line), line->peer);
    } else {
        peers_release(peers_of(line), line->peer);
    }
}

static void
count_cut(http_gate_limit limit)
{
    LP_ASSERT(limit <= HTTP_GATE_ANSWER_SLOW);
    static const metrics_id ids[] = {
        [HTTP_GATE_ADDRESS] = METRICS_http_connections_cut_address,
        [HTTP_GATE_CONNECTIONS] = METRICS_http_connections_cut_connections,
        [HTTP_GATE_RESERVED] = METRICS_http_connections_cut_reserved,
        [HTTP_GATE_HEAD_SLOW] = METRICS_http_connections_cut_head_slow,
        [HTTP_GATE_BODY_SLOW] = METRICS_http_connections_cut_body_slow,
        [HTTP_GATE_IDLE] = METRICS_http_connections_cut_idle,
        [HTTP_GATE_ANSWER_SLOW] = METRICS_http_connections_cut_answer_slow,
    };
    metrics_add(ids[limit], 1);
}

static void
cut(http_line *line, http_gate_limit limit)
{
    check_line(line);
    LP_ASSERT(!line->is_cut);
    count_in(line, -1);
    line->is_cut = true;
    line->limit = limit;
    count_cut(limit);
    if (line->is_begun) {
        line->gate->ops.cut(line->gate->ops.arg, line->fd, limit);
    }
}

// --- Choosing which one to cut

static bool
awaits_client(const http_line *line)
{
    return line->phase == HTTP_GATE_AWAITS_HEAD || line->phase == HTTP_GATE_AWAITS_BODY ||
           line->phase == HTTP_GATE_RESTS;
}

static uint64_t
count_of(const http_line *line)
{
    return peers_get_held(peers_of(line), line->peer);
}

// goes_before returns whether a is cut before b.
static bool
goes_before(const http_line *a, const http_line *b)
{
    LP_ASSERT(a->is_reserved == b->is_reserved && !a->is_cut && !b->is_cut);
    if (a->is_reserved && a->is_loopback != b->is_loopback) {
        return b->is_loopback; // probes of this machine are the last
    }
    if (awaits_client(a) != awaits_client(b)) {
        return awaits_client(a);
    }
    if (count_of(a) != count_of(b)) {
        return count_of(a) > count_of(b);
    }
    return a->since_ms < b->since_ms || (a->since_ms == b->since_ms && a->id < b->id);
}

// find_first returns the first connection to cut, of a peer (PEERS_NONE: any) and kind. NULL: none.
static http_line *
find_first(const http_gate *gate, uint64_t peer, bool is_reserved)
{
    http_line *found = NULL;
    for (http_line *line = LIST_FIRST(&gate->lines); line != NULL; line = LIST_NEXT(line, listed)) {
        if (!line->is_cut && line->is_reserved == is_reserved &&
            (peer == PEERS_NONE || line->peer == peer) &&
            (found == NULL || goes_before(line, found))) {
            found = line;
        }
    }
    return found;
}

// make_ordinary_room cuts connections, if needed, to make a place for one more ordinary connection
// of a peer. Returns whether there is a place.
static bool
make_ordinary_room(http_gate *gate, uint64_t peer)
{
    if (!peers_has_room(&gate->ordinary, peer)) {
        http_line *found = find_first(gate, peer, false);
        LP_REQUIRE(found != NULL && awaits_client(found), false);
        cut(found, HTTP_GATE_ADDRESS);
    }
    if (gate->ordinary_count >= gate->limits.connections) {
        http_line *found = find_first(gate, PEERS_NONE, false);
        if (found == NULL || (!awaits_client(found) &&
                                 count_of(found) <= peers_get_held(&gate->ordinary, peer) + 1)) {
            return false;
        }
        cut(found, HTTP_GATE_CONNECTIONS);
    }
    return true;
}

static void
make_reserved_room(http_gate *gate)
{
    http_line *found =
        gate->reserved_count < gate->limits.reserved ? NULL : find_first(gate, PEERS_NONE, true);
    if (found != NULL) {
        cut(found, HTTP_GATE_RESERVED);
    }
}

// --- Coming and going

static void
insert(http_line *line)
{
    LP_ASSERT(line->listed.le_prev == NULL);
    LIST_INSERT_HEAD(&line->gate->lines, line, listed);
    line->gate->line_count++;
    count_in(line, 1);
    metrics_add(METRICS_http_connections, 1);
}

static void
take_out(http_line *line)
{
    check_line(line);
    if (!line->is_cut) {
        count_in(line, -1);
    }
    LIST_REMOVE(line, listed);
    line->gate->line_count--;
    metrics_sub(METRICS_http_connections, 1);
    free(line);
}

void
http_gate_destroy(http_gate *gate)
{
    if (gate == NULL) {
        return;
    }
    while (!LIST_EMPTY(&gate->lines)) {
        take_out(LIST_FIRST(&gate->lines));
    }
    check_counts(gate);
    LP_ASSERT(gate->line_count == 0);
    peers_fini(&gate->ordinary);
    peers_fini(&gate->reserved);
    (void)pthread_mutex_destroy(&gate->mutex);
    free(gate);
}

static http_line *
find(const http_gate *gate, int fd)
{
    http_line *line = LIST_FIRST(&gate->lines);
    while (line != NULL && line->fd != fd) {
        line = LIST_NEXT(line, listed);
    }
    return line;
}

// admit adds a connection, under the lock. NULL: out of memory.
static http_line *
admit(http_gate *gate, int fd, const struct sockaddr *address, int64_t now_ms)
{
    LP_ASSERT(fd >= 0);
    check_counts(gate);
    // A connection with this descriptor was closed by libmicrohttpd before it began.
    http_line *left = find(gate, fd);
    if (left != NULL) {
        take_out(left);
    }
    http_line *line = calloc(1, sizeof(*line));
    LP_REQUIRE(line != NULL, NULL);
    *line = (http_line){.gate = gate,
        .peer = peers_of_address(address),
        .is_loopback = loopback_has_address(address),
        .fd = fd,
        .id = ++gate->last_id,
        .phase = HTTP_GATE_AWAITS_HEAD,
        .since_ms = now_ms};
    line->is_reserved = !make_ordinary_room(gate, line->peer);
    if (line->is_reserved) {
        make_reserved_room(gate);
    }
    insert(line);
    check_counts(gate);
    return line;
}

bool
http_gate_is_crowded(http_gate *gate)
{
    (void)pthread_mutex_lock(&gate->mutex);
    check_counts(gate);
    unsigned leaving = gate->line_count - gate->ordinary_count - gate->reserved_count;
    (void)pthread_mutex_unlock(&gate->mutex);
    return leaving >= gate->limits.leaving;
}

bool
http_gate_admit(
    http_gate *gate, int fd, const struct sockaddr *address, int64_t now_ms, uint64_t *out_id)
{
    (void)pthread_mutex_lock(&gate->mutex);
    const http_line *line = admit(gate, fd, address, now_ms);
    if (line != NULL) {
        *out_id = line->id;
    }
    (void)pthread_mutex_unlock(&gate->mutex);
    if (line == NULL) {
        metrics_add(METRICS_http_connections_cut_no_memory, 1);
    }
    return line != NULL;
}

http_line *
http_gate_begin(http_gate *gate, int fd)
{
    (void)pthread_mutex_lock(&gate->mutex);
    http_line *line = find(gate, fd);
    if (line != NULL) {
        check_line(line);
        line->is_begun = true;
        if (line->is_cut) {
            gate->ops.cut(gate->ops.arg, fd, line->limit);
        }
    }
    (void)pthread_mutex_unlock(&gate->mutex);
    return line;
}

void
http_gate_leave(http_gate *gate, int fd)
{
    (void)pthread_mutex_lock(&gate->mutex);
    http_line *line = find(gate, fd);
    if (line != NULL) {
        take_out(line);
    }
    check_counts(gate);
    (void)pthread_mutex_unlock(&gate->mutex);
}

// --- Times

// has_begun returns whether a resting client started its next request.
static bool
has_begun(http_line *line)
{
    LP_ASSERT(line->phase == HTTP_GATE_RESTS);
    http_gate_bytes bytes;
    LP_REQUIRE(line->gate->ops.measure(line->gate->ops.arg, line->fd, &bytes), false);
    bool is_more = line->is_measured && bytes.received > line->bytes;
    line->bytes = bytes.received;
    line->is_measured = true;
    return is_more;
}

// takes_too_slowly returns whether the client took less than answer_bytes in answer_ms.
static bool
takes_too_slowly(http_line *line, int64_t now_ms)
{
    LP_ASSERT(line->phase == HTTP_GATE_SENDS);
    const http_gate_limits *limits = &line->gate->limits;
    http_gate_bytes bytes;
    LP_REQUIRE(line->gate->ops.measure(line->gate->ops.arg, line->fd, &bytes), false);
    if (!bytes.is_waiting || !line->is_measured ||
        bytes.taken - line->bytes >= limits->answer_bytes) {
        line->bytes = bytes.taken;
        line->since_ms = now_ms;
        line->is_measured = true;
    }
    return now_ms - line->since_ms >= limits->answer_ms;
}

static void
check(http_line *line, int64_t now_ms)
{
    LP_ASSERT(!line->is_cut);
    const http_gate_limits *limits = &line->gate->limits;
    int64_t ms = now_ms - line->since_ms;
    switch (line->phase) {
    case HTTP_GATE_AWAITS_HEAD:
        if (ms >= limits->head_ms) {
            cut(line, HTTP_GATE_HEAD_SLOW);
        }
        break;
    case HTTP_GATE_AWAITS_BODY:
        if (ms >= limits->body_ms) {
            cut(line, HTTP_GATE_BODY_SLOW);
        }
        break;
    case HTTP_GATE_RESTS:
        if (has_begun(line)) {
            line->phase = HTTP_GATE_AWAITS_HEAD;
            line->since_ms = now_ms;
        } else if (ms >= limits->idle_ms) {
            cut(line, HTTP_GATE_IDLE);
        }
        break;
    case HTTP_GATE_SENDS:
        if (takes_too_slowly(line, now_ms)) {
            cut(line, HTTP_GATE_ANSWER_SLOW);
        }
        break;
    case HTTP_GATE_WORKS:
        break;
    }
}

// forget frees a connection that libmicrohttpd closed without notice, as memory ran out.
static void
forget(http_line *line)
{
    LP_ASSERT(!line->is_begun);
    if (!line->is_cut) { // else already counted
        metrics_add(METRICS_http_connections_cut_no_memory, 1);
    }
    take_out(line);
}

size_t
http_gate_check(http_gate *gate, int64_t now_ms)
{
    (void)pthread_mutex_lock(&gate->mutex);
    for (http_line *line = LIST_FIRST(&gate->lines), *next; line != NULL; line = next) {
        next = LIST_NEXT(line, listed);
        if (!line->is_begun && now_ms - line->since_ms >= gate->limits.head_ms) {
            forget(line);
        } else if (!line->is_cut) {
            check(line, now_ms);
        }
    }
    check_counts(gate);
    peers_forget(&gate->ordinary, 0);
    peers_forget(&gate->reserved, 0);
    size_t count = gate->line_count;
    (void)pthread_mutex_unlock(&gate->mutex);
    return count;
}

void
http_line_enter(http_line *line, http_gate_phase phase, int64_t now_ms)
{
    if (line != NULL) {
        (void)pthread_mutex_lock(&line->gate->mutex);
        check_line(line);
        line->phase = phase;
        line->since_ms = now_ms;
        line->is_measured = false;
        (void)pthread_mutex_unlock(&line->gate->mutex);
    }
}

bool
http_line_is_reserved(const http_line *line)
{
    return line != NULL && line->is_reserved;
}

// --- Clients that leave

void
http_gate_note_gone(http_gate *gate, uint64_t id)
{
    (void)pthread_mutex_lock(&gate->mutex);
    http_line *line = LIST_FIRST(&gate->lines);
    while (line != NULL && line->id != id) {
        line = LIST_NEXT(line, listed);
    }
    if (line != NULL && !line->is_gone) {
        line->is_gone = true;
        if (line->on_gone != NULL) {
            line->on_gone(line->arg);
        }
    }
    (void)pthread_mutex_unlock(&gate->mutex);
}

void
http_line_watch(http_line *line, void (*on_gone)(void *arg), void *arg)
{
    if (line != NULL) {
        (void)pthread_mutex_lock(&line->gate->mutex);
        check_line(line);
        LP_ASSERT(line->on_gone == NULL && on_gone != NULL);
        line->on_gone = on_gone;
        line->arg = arg;
        if (line->is_gone) {
            on_gone(arg);
        }
        (void)pthread_mutex_unlock(&line->gate->mutex);
    }
}

void
http_line_unwatch(http_line *line)
{
    if (line != NULL) {
        (void)pthread_mutex_lock(&line->gate->mutex);
        line->on_gone = NULL;
        (void)pthread_mutex_unlock(&line->gate->mutex);
    }
}
