// SPDX-License-Identifier: Apache-2.0
#include "collector/access/access_logins.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

typedef struct login {
    uint8_t hash[SECRET_HASH_BYTES]; // of the id
    uint8_t line[SECRET_HASH_BYTES]; // as of access_rule_get_line
    int64_t start_ns;
    int64_t used_ns;
} login;

struct access_logins {
    pthread_mutex_t mutex; // guards the rest
    size_t count;
    login items[ACCESS_LOGINS_MAX]; // in no order
};

static const int64_t S_NS = 1000000000;

access_logins *
access_logins_create(void)
{
    access_logins *self = calloc(1, sizeof(*self));
    if (self != NULL) {
        (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    }
    return self;
}

void
access_logins_destroy(access_logins *self)
{
    if (self != NULL) {
        metrics_sub(METRICS_logins_active, self->count);
        (void)pthread_mutex_destroy(&self->mutex);
        free(self);
    }
}

// --- Under the mutex

static void
forget(access_logins *self, login *one, metrics_id why)
{
    LP_ASSERT(self->count > 0);
    LP_ASSERT(one >= self->items && one < self->items + self->count);
    *one = self->items[--self->count];
    metrics_sub(METRICS_logins_active, 1);
    metrics_add(why, 1);
}

static void
forget_old(access_logins *self, int64_t now_ns)
{
    for (size_t i = self->count; i-- > 0;) {
        login *one = &self->items[i];
        if (now_ns - one->used_ns >= ACCESS_LOGIN_IDLE_S_MAX * S_NS ||
            now_ns - one->start_ns >= ACCESS_LOGIN_TOTAL_S_MAX * S_NS) {
            forget(self, one, METRICS_logins_ended_time);
        }
    }
}

// make_room ends the least recently used session if the table or the line is full.
static void
make_room(access_logins *self, const uint8_t line[SECRET_HASH_BYTES])
{
    LP_ASSERT(self->count <= ACCESS_LOGINS_MAX);
    login *oldest = NULL;
    login *oldest_of_line = NULL;
    size_t of_line = 0;
    for (size_t i = 0; i < self->count; i++) {
        login *one = &self->items[i];
        oldest = oldest == NULL || one->used_ns < oldest->used_ns ? one : oldest;
        if (memcmp(one->line, line, SECRET_HASH_BYTES) == 0) {
            bool is_older = oldest_of_line == NULL || one->used_ns < oldest_of_line->used_ns;
            oldest_of_line = is_older ? one : oldest_of_line;
            of_line++;
        }
    }
    if (of_line >= ACCESS_LOGINS_OF_LINE_MAX) {
        LP_ASSERT(oldest_of_line != NULL);
        forget(self, oldest_of_line, METRICS_logins_ended_room);
    } else if (self->count >= ACCESS_LOGINS_MAX) {
        forget(self, oldest, METRICS_logins_ended_room);
    }
    LP_ASSERT(self->count < ACCESS_LOGINS_MAX);
}

static login *
find(access_logins *self, const char *id)
{
    uint8_t hash[SECRET_HASH_BYTES];
    login *found = NULL;
    LP_REQUIRE(id != NULL && strlen(id) == ACCESS_LOGIN_ID_CHARS, NULL);
    secret_hash_make((lp_slice){(const uint8_t *)id, ACCESS_LOGIN_ID_CHARS}, hash);
    for (size_t i = 0; i < self->count; i++) { // constant time
        found = secret_hash_is_equal(self->items[i].hash, hash) ? &self->items[i] : found;
    }
    return found;
}

// ---

lp_err
access_logins_begin(access_logins *self, const access_rule *rule, int64_t now_ns,
    char out_id[ACCESS_LOGIN_ID_CHARS + 1])
{
    uint8_t secret[ACCESS_LOGIN_SECRET_BYTES];
    LP_REQUIRE(getrandom(secret, sizeof(secret), 0) == (ssize_t)sizeof(secret), LP_EIO);
    for (size_t i = 0; i < sizeof(secret); i++) {
        (void)snprintf(out_id + 2 * i, 3, "%02x", secret[i]);
    }
    LP_ASSERT(strlen(out_id) == ACCESS_LOGIN_ID_CHARS);
    login made = {.start_ns = now_ns, .used_ns = now_ns};
    secret_hash_make((lp_slice){(const uint8_t *)out_id, ACCESS_LOGIN_ID_CHARS}, made.hash);
    memcpy(made.line, access_rule_get_line(rule), sizeof(made.line));
    (void)pthread_mutex_lock(&self->mutex);
    forget_old(self, now_ns);
    make_room(self, made.line);
    self->items[self->count++] = made;
    (void)pthread_mutex_unlock(&self->mutex);
    metrics_add(METRICS_logins_active, 1);
    metrics_add(METRICS_logins, 1);
    return LP_OK;
}

const access_rule *
access_logins_find(access_logins *self, const access_rules *rules, const char *id, int64_t now_ns)
{
    const access_rule *rule = NULL;
    (void)pthread_mutex_lock(&self->mutex);
    forget_old(self, now_ns);
    login *found = find(self, id);
    if (found != NULL) {
        found->used_ns = now_ns;
        rule = access_rules_find_line(rules, found->line);
        if (rule == NULL) {
            forget(self, found, METRICS_logins_ended_rules);
        }
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return rule;
}

void
access_logins_end(access_logins *self, const char *id)
{
    (void)pthread_mutex_lock(&self->mutex);
    login *found = find(self, id);
    if (found != NULL) {
        forget(self, found, METRICS_logins_ended_logout);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

// --- Failed attempts

// Each failed attempt is paid off in ACCESS_ATTEMPT_S, one after the other; at most
// ACCESS_ATTEMPTS_AT_ONCE may be outstanding.
unsigned
access_attempts_take(access_attempts *self, uint64_t key, int64_t now_ns)
{
    const int64_t step_ns = ACCESS_ATTEMPT_S * S_NS;
    unsigned wait_s = 0;
    (void)pthread_mutex_lock(&self->mutex);
    struct access_place *place = &self->places[key % ACCESS_ATTEMPT_PLACES];
    if (place->key != key || place->until_ns < now_ns) {
        *place = (struct access_place){.key = key, .until_ns = now_ns};
    }
    LP_ASSERT(place->key == key && place->until_ns >= now_ns);
    int64_t over_ns = place->until_ns + step_ns - now_ns - ACCESS_ATTEMPTS_AT_ONCE * step_ns;
    if (over_ns > 0) {
        wait_s = (unsigned)((over_ns + S_NS - 1) / S_NS);
    } else {
        place->until_ns += step_ns;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    return wait_s;
}
