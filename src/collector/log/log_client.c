// SPDX-License-Identifier: Apache-2.0

#include "collector/log/log_client.h"

#include "collector/base/metrics.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_end.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time_scale.h"
#include "common/base/lp_vec.h"
#include "common/wire/wire.h"

#include <inttypes.h>
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum {
    FAULT_BYTES = 256,
    MESSAGE_BYTES_MAX = WIRE_MESSAGE_BYTES_MAX + (64 << 10), // of a record with Kafka's overhead
};

typedef struct waiting {
    rd_kafka_event_t *event; // owned; message points into it
    const rd_kafka_message_t *message;
} waiting;

typedef struct part {
    int32_t id;
    bool is_at_end;   // no record is unread
    bool is_given_up; // memory ran out: its records are dropped, and no offset is committed
    LP_VEC(waiting) waiting;
    size_t first; // index in waiting
} part;

struct log_client {
    log_client_config config; // config.url points to url
    log_url url;
    int32_t partition_count;
    log_url_properties properties;
    rd_kafka_t *producer;
    rd_kafka_t *consumer;
    rd_kafka_queue_t *sent; // events of the producer
    rd_kafka_queue_t *read; // events of the consumer
    LP_VEC(part) parts;
    size_t in_flight; // records without a result
    uv_async_t wake;
    bool has_wake;
    bool has_left;     // the group (log_client_set_member)
    bool has_joined;   // it has subscribed at least once
    bool was_assigned; // the group has assigned partitions at least once
    bool is_closing;   // the consumer leaves its group
    char fault[FAULT_BYTES];
    bool is_asking;    // a DescribeConfigs is in flight
    uint64_t renew_ms; // loop time of the next attempt to replace the producer, at the earliest
    uint64_t log_ms;   // loop time of the next line about errors, at the earliest
};

// --- Logging

// on_line is called on librdkafka's threads. It ignores failed connections, which are events as
// well, and failed commits of offsets, which are only hints.
static void
on_line(const rd_kafka_t *handle, int level, const char *facility, const char *text)
{
    (void)handle;
    (void)level; // warning or worse
    if (strcmp(facility, "FAIL") == 0 || strcmp(facility, "COMMITFAIL") == 0) {
        return;
    }
    lp_log(LP_LOG_WARN, "kafka: %s: %s", facility, text);
}

// set_fault notes why appends fail (NULL: they do not), and logs the change.
static void
set_fault(log_client *self, const char *why)
{
    LP_ASSERT(why == NULL || why[0] != '\0');
    bool was_away = self->fault[0] != '\0';
    if (why == NULL) {
        if (was_away) {
            lp_log(LP_LOG_INFO, "the log takes records again");
        }
        self->fault[0] = '\0';
        return;
    }
    (void)snprintf(self->fault, sizeof(self->fault), "%s", why);
    if (!was_away) {
        metrics_add(METRICS_log_away, 1);
        lp_log(LP_LOG_ERROR, "cannot append to the log, agents are put off: %s", why);
    }
}

// log_error logs an error of reading or of a connection, at most one in LOG_CLIENT_LOG_MS.
static void
log_error(log_client *self, const char *why)
{
    LP_ASSERT(why != NULL && why[0] != '\0');
    uint64_t now_ms = uv_now(self->config.loop);
    if (now_ms >= self->log_ms) {
        self->log_ms = now_ms + LOG_CLIENT_LOG_MS;
        lp_log(LP_LOG_WARN, "kafka: %s", why);
    }
}

// wake is called on librdkafka's threads.
static void
wake(rd_kafka_t *handle, void *arg)
{
    (void)handle;
    (void)uv_async_send(arg); // fails only on a handle of another kind
}

// --- Asking

// ask requests the topic's configuration. An answer shows that the brokers are reachable.
static void
ask(log_client *self)
{
    LP_ASSERT(self->producer != NULL && self->sent != NULL);
    if (self->is_asking) {
        return;
    }
    self->is_asking = true;
    rd_kafka_ConfigResource_t *topic =
        rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, self->url.topic);
    rd_kafka_AdminOptions_t *options =
        rd_kafka_AdminOptions_new(self->producer, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS);
    (void)rd_kafka_AdminOptions_set_request_timeout(options, LOG_CLIENT_ASK_MS_MAX, NULL, 0);
    rd_kafka_DescribeConfigs(self->producer, &topic, 1, options, self->sent);
    rd_kafka_AdminOptions_destroy(options);
    rd_kafka_ConfigResource_destroy(topic);
}

// check_size warns if the topic's limit is below that of agents' batches.
static void
check_size(const log_client *self, const rd_kafka_ConfigResource_t *topic)
{
    size_t count;
    const rd_kafka_ConfigEntry_t **entries = rd_kafka_ConfigResource_configs(topic, &count);
    for (size_t i = 0; i < count; i++) {
        const char *value = rd_kafka_ConfigEntry_value(entries[i]);
        if (strcmp(rd_kafka_ConfigEntry_name(entries[i]), "max.message.bytes") == 0 &&
            value != NULL && strtoll(value, NULL, 10) < MESSAGE_BYTES_MAX) {
            lp_log(LP_LOG_WARN,
                "the topic %s has max.message.bytes=%s: raise it to %d, as larger batches of "
                "agents are never acknowledged",
                self->url.topic, value, MESSAGE_BYTES_MAX);
        }
    }
}

// on_answer handles the answer to ask. A refusal by authorization counts as an answer, too.
static void
on_answer(log_client *self, rd_kafka_event_t *event)
{
    LP_ASSERT(self->is_asking);
    self->is_asking = false;
    if (rd_kafka_event_error(event) != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return; // no answer
    }
    size_t count;
    const rd_kafka_ConfigResource_t **topics = rd_kafka_DescribeConfigs_result_resources(
        rd_kafka_event_DescribeConfigs_result(event), &count);
    for (size_t i = 0; i < count && self->fault[0] == '\0'; i++) {
        check_size(self, topics[i]);
    }
    set_fault(self, NULL); // until the next append fails
}

// --- Opening

static void on_event(log_client *self, rd_kafka_event_t *event);

static lp_err
set(rd_kafka_conf_t *conf, const char *name, const char *value, lp_problem *out_problem)
{
    LP_ASSERT(name[0] != '\0' && value != NULL);
    char said[256];
    return rd_kafka_conf_set(conf, name, value, said, sizeof(said)) == RD_KAFKA_CONF_OK
               ? LP_OK
               : lp_problem_set(
                     out_problem, LP_ECORRUPT, "librdkafka refuses the property %s", name);
}

static lp_err
set_number(rd_kafka_conf_t *conf, const char *name, uint64_t number, lp_problem *out_problem)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%" PRIu64, number);
    return set(conf, name, text, out_problem);
}

typedef struct setting {
    const char *name;
    const char *value;
} setting;

// set_all sets the properties of the user's file, and then those that the file may not override.
static lp_err
set_all(const log_client *self, rd_kafka_conf_t *conf, const setting *own, size_t count,
    lp_problem *out_problem)
{
    LP_ASSERT(count > 0);
    lp_err err = LP_OK;
    for (size_t i = 0; i < self->properties.items.count && err == LP_OK; i++) {
        const log_url_property *it = &self->properties.items.items[i];
        err = set(conf, it->name, it->value, out_problem);
    }
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        err = set(conf, own[i].name, own[i].value, out_problem);
    }
    LP_THEN(err, set(conf, "log_level", "4", out_problem)); // warnings, and worse
    LP_THEN(err, set(conf, "bootstrap.servers", self->url.brokers, out_problem));
    return LP_THEN(err, set_number(conf, "message.max.bytes", MESSAGE_BYTES_MAX, out_problem));
}

static lp_err
make(rd_kafka_type_t type, rd_kafka_conf_t *conf, rd_kafka_t **out_handle, lp_problem *out_problem)
{
    LP_ASSERT(*out_handle == NULL);
    char said[256];
    *out_handle = rd_kafka_new(type, conf, said, sizeof(said)); // takes conf if it succeeds
    return *out_handle != NULL ? LP_OK : lp_problem_set(out_problem, LP_EIO, "%s", said);
}

static lp_err
open_producer(log_client *self, lp_problem *out_problem)
{
    LP_ASSERT(self->producer == NULL && self->sent == NULL && self->has_wake);
    static const setting own[] = {{"client.id", "loupe"}, {"enable.idempotence", "true"},
        {"acks", "all"}, {"log.connection.close", "false"}, {"allow.auto.create.topics", "false"}};
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    lp_err err = set_all(self, conf, own, LP_COUNT(own), out_problem);
    LP_THEN(err, set_number(conf, "message.timeout.ms", LOG_CLIENT_APPEND_MS_MAX, out_problem));
    LP_THEN(err,
        set_number(conf, "queue.buffering.max.kbytes", self->config.bytes_max / 1024, out_problem));
    rd_kafka_conf_set_log_cb(conf, on_line);
    rd_kafka_conf_set_events(conf, RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR);
    LP_THEN(err, make(RD_KAFKA_PRODUCER, conf, &self->producer, out_problem));
    if (err != LP_OK) {
        rd_kafka_conf_destroy(conf);
        return err;
    }
    self->sent = rd_kafka_queue_get_main(self->producer);
    rd_kafka_queue_cb_event_enable(self->sent, wake, &self->wake);
    return LP_OK;
}

// close_producer cancels records in flight, whose on_delivered reports a failure.
static void
close_producer(log_client *self)
{
    LP_ASSERT(self->producer != NULL && self->sent != NULL);
    rd_kafka_event_t *event;
    (void)rd_kafka_purge(self->producer, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
    while (self->in_flight > 0 &&
           (event = rd_kafka_queue_poll(self->sent, LOG_CLIENT_FLUSH_MS_MAX)) != NULL) {
        on_event(self, event);
    }
    rd_kafka_queue_cb_event_enable(self->sent, NULL, NULL);
    rd_kafka_queue_destroy(self->sent);
    rd_kafka_destroy(self->producer);
    self->producer = NULL;
    self->sent = NULL;
    self->is_asking = false;
}

static lp_err
open_consumer(log_client *self, lp_problem *out_problem)
{
    LP_ASSERT(self->consumer == NULL && self->has_wake);
    const setting own[] = {{"client.id", "loupe"}, {"group.id", self->url.group},
        {"enable.auto.commit", "false"}, {"enable.auto.offset.store", "false"},
        {"auto.offset.reset", "earliest"}, {"enable.partition.eof", "true"},
        {"partition.assignment.strategy", "cooperative-sticky"},
        {"isolation.level", "read_uncommitted"}, // no transactions are used
        {"log.connection.close", "false"}, {"allow.auto.create.topics", "false"}};
    const uint64_t share_kb = self->config.bytes_max / 1024 / LOG_CLIENT_FETCH_SHARE;
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    // The user's file may override these. A killed collector's partitions wait for so long.
    lp_err err = set_number(conf, "session.timeout.ms", LOG_CLIENT_SILENT_MS_MAX, out_problem);
    LP_THEN(err, set_number(conf, "heartbeat.interval.ms", LOG_CLIENT_HEARTBEAT_MS, out_problem));
    LP_THEN(err, set_all(self, conf, own, LP_COUNT(own), out_problem));
    LP_THEN(err, set_number(conf, "queued.max.messages.kbytes",
                     share_kb < LOG_CLIENT_FETCH_LEAST_KB ? LOG_CLIENT_FETCH_LEAST_KB : share_kb,
                     out_problem));
    LP_THEN(err, set_number(conf, "fetch.max.bytes", 2 * (uint64_t)MESSAGE_BYTES_MAX, out_problem));
    rd_kafka_conf_set_log_cb(conf, on_line);
    rd_kafka_conf_set_events(
        conf, RD_KAFKA_EVENT_REBALANCE | RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_ERROR);
    LP_THEN(err, make(RD_KAFKA_CONSUMER, conf, &self->consumer, out_problem));
    if (err != LP_OK) {
        rd_kafka_conf_destroy(conf);
        return err;
    }
    (void)rd_kafka_poll_set_consumer(self->consumer); // one queue for all its events
    self->read = rd_kafka_queue_get_consumer(self->consumer);
    rd_kafka_queue_cb_event_enable(self->read, wake, &self->wake);
    return LP_OK;
}

static lp_err
count_partitions(log_client *self, lp_problem *out_problem)
{
    LP_ASSERT(self->producer != NULL);
    rd_kafka_topic_t *topic = rd_kafka_topic_new(self->producer, self->url.topic, NULL);
    LP_REQUIRE(topic != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    const struct rd_kafka_metadata *found = NULL;
    rd_kafka_resp_err_t code =
        rd_kafka_metadata(self->producer, 0, topic, &found, LOG_CLIENT_OPEN_MS_MAX);
    rd_kafka_topic_destroy(topic);
    lp_err err = LP_OK;
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        err = lp_problem_set(out_problem, LP_EIO, "cannot reach the brokers %s: %s",
            self->url.brokers, rd_kafka_err2str(code));
    } else if (found->topic_cnt != 1 || found->topics[0].err != RD_KAFKA_RESP_ERR_NO_ERROR ||
               found->topics[0].partition_cnt <= 0) {
        err = lp_problem_set(out_problem, LP_EIO, "the topic %s: %s; it has to be made beforehand",
            self->url.topic,
            rd_kafka_err2str(found->topic_cnt == 1 ? found->topics[0].err
                                                   : RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART));
    } else {
        self->partition_count = found->topics[0].partition_cnt;
    }
    if (found != NULL) {
        rd_kafka_metadata_destroy(found);
    }
    LP_ASSERT(err != LP_OK || self->partition_count > 0);
    return err;
}

static void on_wake(uv_async_t *handle);
static void end(log_client *self, uv_close_cb on_closed);

static rd_kafka_resp_err_t
subscribe(log_client *self)
{
    LP_ASSERT(self->consumer != NULL);
    self->has_joined = true;
    rd_kafka_topic_partition_list_t *topics = rd_kafka_topic_partition_list_new(1);
    (void)rd_kafka_topic_partition_list_add(topics, self->url.topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t code = rd_kafka_subscribe(self->consumer, topics);
    rd_kafka_topic_partition_list_destroy(topics);
    return code;
}

static lp_err
join_group(log_client *self, lp_problem *out_problem)
{
    LP_ASSERT(!self->has_joined);
    rd_kafka_resp_err_t code = subscribe(self);
    ask(self);
    return code == RD_KAFKA_RESP_ERR_NO_ERROR
               ? LP_OK
               : lp_problem_set(out_problem, LP_EIO, "cannot read the topic %s: %s",
                     self->url.topic, rd_kafka_err2str(code));
}

static void
on_abandoned(uv_handle_t *handle)
{
    log_client_destroy(handle->data);
}

// abandon closes a client whose log_client_open has failed; it is freed once the loop has run.
static void
abandon(log_client *self)
{
    if (self->has_wake) {
        end(self, on_abandoned);
    } else {
        log_client_destroy(self);
    }
}

lp_err
log_client_open(const log_client_config *config, log_client **out_client, lp_problem *out_problem)
{
    log_client *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    self->config = *config;
    self->wake.data = self;
    self->url = *config->url;
    self->config.url = &self->url;
    lp_err err = log_url_read_properties(config->url->config, &self->properties, out_problem);
    if (err == LP_OK) {
        int failure = uv_async_init(config->loop, &self->wake, on_wake);
        self->has_wake = failure == 0;
        err = failure == 0 ? LP_OK
                           : lp_problem_set(out_problem, LP_EIO, "libuv: %s", uv_strerror(failure));
    }
    LP_THEN(err, open_producer(self, out_problem));
    LP_THEN(err, count_partitions(self, out_problem));
    LP_THEN(err, open_consumer(self, out_problem));
    LP_THEN(err, join_group(self, out_problem));
    if (err != LP_OK) {
        abandon(self);
        return err;
    }
    *out_client = self;
    return LP_OK;
}

// --- Appending

int32_t
log_client_get_partition(const log_client *self, lp_slice key)
{
    LP_ASSERT(self->partition_count > 0);
    return (int32_t)(lp_hash_bytes(LP_HASH_FIXED, key) % (uint64_t)self->partition_count);
}

// join copies head and message into one block, which the caller frees; NULL if memory ran out.
static uint8_t *
join(lp_slice head, lp_slice message)
{
    uint8_t *bytes = malloc(head.len + message.len);
    if (bytes != NULL) {
        memcpy(bytes, head.ptr, head.len);
        memcpy(bytes + head.len, message.ptr, message.len);
    }
    return bytes;
}

lp_err
log_client_append(log_client *self, lp_slice key, lp_slice head, lp_slice message, void *tag)
{
    LP_ASSERT(!self->is_closing);
    LP_REQUIRE(self->producer != NULL, LP_EAGAIN);
    // While appends fail, only one record at a time is tried.
    LP_REQUIRE(self->fault[0] == '\0' || self->in_flight == 0, LP_EAGAIN);
    uint8_t *bytes = join(head, message);
    LP_REQUIRE(bytes != NULL, LP_EAGAIN);
    rd_kafka_resp_err_t code = rd_kafka_producev(self->producer, RD_KAFKA_V_TOPIC(self->url.topic),
        RD_KAFKA_V_PARTITION(log_client_get_partition(self, key)),
        RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_FREE), RD_KAFKA_V_KEY(key.ptr, key.len),
        RD_KAFKA_V_VALUE(bytes, head.len + message.len), RD_KAFKA_V_OPAQUE(tag), RD_KAFKA_V_END);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
        self->in_flight++;
        return LP_OK;
    }
    free(bytes);
    LP_REQUIRE(code != RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, LP_ELIMIT);
    if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
        set_fault(self, rd_kafka_err2str(code));
    }
    return LP_EAGAIN;
}

// note_failure notes why an append failed, and returns the reason. A record that is too large is
// not a fault of the log.
static const char *
note_failure(log_client *self, rd_kafka_resp_err_t code)
{
    LP_ASSERT(code != RD_KAFKA_RESP_ERR_NO_ERROR);
    metrics_add(METRICS_log_append_errors, 1);
    if (code == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE) {
        const char *why = "a batch of an agent is larger than max.message.bytes of the topic";
        log_error(self, why);
        return why;
    }
    set_fault(self, rd_kafka_err2str(code));
    return rd_kafka_err2str(code);
}

static void
on_result(log_client *self, const rd_kafka_message_t *message)
{
    LP_ASSERT(self->in_flight > 0);
    self->in_flight--;
    const char *failure = NULL;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        metrics_add(METRICS_log_appends, 1);
        set_fault(self, NULL);
    } else {
        failure = note_failure(self, message->err);
    }
    self->config.on_delivered(self->config.arg, message->_private, failure);
}

// --- Reading

static part *
find_part(const log_client *self, int32_t id)
{
    return LP_FIND(self->parts.items, self->parts.count, at->id == id);
}

static void
set_paused(log_client *self, const part *p, bool is_paused)
{
    LP_ASSERT(self->consumer != NULL);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    (void)rd_kafka_topic_partition_list_add(list, self->url.topic, p->id);
    (void)(is_paused ? rd_kafka_pause_partitions(self->consumer, list)
                     : rd_kafka_resume_partitions(self->consumer, list));
    rd_kafka_topic_partition_list_destroy(list);
}

static void
drop_waiting(part *p)
{
    LP_ASSERT(p->first <= p->waiting.count);
    for (size_t i = p->first; i < p->waiting.count; i++) {
        rd_kafka_event_destroy(p->waiting.items[i].event);
    }
    p->waiting.count = 0;
    p->first = 0;
}

static void
fini_part(part *p)
{
    drop_waiting(p);
    LP_VEC_FINI(&p->waiting);
}

static void
give_up(part *p)
{
    p->is_given_up = true;
    lp_log(LP_LOG_ERROR,
        "out of memory: partition %" PRId32 " of the log is not read until the collector restarts",
        p->id);
}

static bool
offer(log_client *self, const rd_kafka_message_t *message)
{
    const log_client_record record = {
        .partition = message->partition,
        .offset = message->offset,
        .wall_ms = rd_kafka_message_timestamp(message, NULL),
        .bytes = {message->payload, message->len},
    };
    bool is_taken = self->config.on_record(self->config.arg, &record);
    metrics_add(METRICS_log_records_read, is_taken ? 1 : 0);
    return is_taken;
}

// offer_waiting offers the waiting records of a partition, in order, until one is not taken.
static void
offer_waiting(log_client *self, part *p)
{
    while (p->first < p->waiting.count && offer(self, p->waiting.items[p->first].message)) {
        rd_kafka_event_destroy(p->waiting.items[p->first].event);
        p->first++;
    }
    LP_ASSERT(p->first <= p->waiting.count);
    if (p->first > 0 && p->first == p->waiting.count) {
        p->waiting.count = 0;
        p->first = 0;
        set_paused(self, p, false);
    }
}

// keep keeps a record that was not taken. If memory runs out, it gives the partition up, so that
// the partition's next reader starts at this record.
static void
keep(log_client *self, part *p, rd_kafka_event_t *event, const rd_kafka_message_t *message)
{
    LP_ASSERT(!p->is_given_up);
    if (p->waiting.count == 0) {
        metrics_add(METRICS_log_stalls, 1);
        set_paused(self, p, true);
    }
    waiting *it = LP_VEC_PUSH(&p->waiting);
    if (it == NULL) {
        give_up(p);
        rd_kafka_event_destroy(event);
        return;
    }
    *it = (waiting){.event = event, .message = message};
}

// on_fetch takes ownership of event, which has a record.
static void
on_fetch(log_client *self, rd_kafka_event_t *event)
{
    const rd_kafka_message_t *message = rd_kafka_event_message_next(event);
    part *p = message == NULL ? NULL : find_part(self, message->partition);
    if (p == NULL || p->is_given_up) { // the partition was revoked
        rd_kafka_event_destroy(event);
        return;
    }
    p->is_at_end = false;
    if (p->waiting.count > 0 || !offer(self, message)) {
        keep(self, p, event, message);
        return;
    }
    rd_kafka_event_destroy(event);
}

static void
on_end(log_client *self, rd_kafka_event_t *event)
{
    rd_kafka_topic_partition_t *of = rd_kafka_event_topic_partition(event);
    part *p = of == NULL ? NULL : find_part(self, of->partition);
    if (p != NULL) {
        p->is_at_end = true;
    }
    if (of != NULL) {
        rd_kafka_topic_partition_destroy(of);
    }
}

// --- Partitions

static void
begin_parts(log_client *self, const rd_kafka_topic_partition_list_t *list)
{
    for (int i = 0; i < list->cnt; i++) {
        part *p = LP_VEC_PUSH(&self->parts);
        if (p == NULL) {
            give_up(&(part){.id = list->elems[i].partition});
            continue;
        }
        p->id = list->elems[i].partition;
        metrics_add(METRICS_log_partitions, 1);
        lp_log(LP_LOG_INFO, "reading partition %" PRId32 " of the log", p->id);
        self->config.on_assigned(self->config.arg, p->id);
    }
}

static void
end_parts(log_client *self, const rd_kafka_topic_partition_list_t *list)
{
    LP_ASSERT(self->consumer != NULL);
    for (int i = 0; i < list->cnt; i++) {
        part *p = find_part(self, list->elems[i].partition);
        if (p == NULL) {
            continue;
        }
        if (!self->is_closing) {
            lp_log(LP_LOG_INFO, "partition %" PRId32 " of the log was revoked", p->id);
            self->config.on_revoked(self->config.arg, p->id);
        }
        if (p->waiting.count > 0 || p->is_given_up) { // else it would be paused after a return
            set_paused(self, p, false);
        }
        fini_part(p);
        *p = self->parts.items[--self->parts.count];
        metrics_sub(METRICS_log_partitions, 1);
    }
}

static void
on_rebalance(log_client *self, rd_kafka_event_t *event)
{
    LP_ASSERT(self->consumer != NULL && self->has_joined);
    rd_kafka_topic_partition_list_t *list = rd_kafka_event_topic_partition_list(event);
    rd_kafka_error_t *error;
    if (rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
        self->was_assigned = true;
        begin_parts(self, list);
        error = rd_kafka_incremental_assign(self->consumer, list);
    } else {
        end_parts(self, list);
        error = rd_kafka_incremental_unassign(self->consumer, list);
    }
    if (error != NULL) {
        lp_log(LP_LOG_ERROR, "kafka: %s", rd_kafka_error_string(error));
        rd_kafka_error_destroy(error);
    }
}

void
log_client_set_member(log_client *self, bool is_member)
{
    LP_ASSERT(!self->is_closing);
    if (is_member != self->has_left) {
        return;
    }
    rd_kafka_resp_err_t code = is_member ? subscribe(self) : rd_kafka_unsubscribe(self->consumer);
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
        self->has_left = !is_member;
    } else {
        log_error(self, rd_kafka_err2str(code)); // the next call retries
    }
}

// seek returns whether the partition continues at offset, without records from before. It does not
// use rd_kafka_seek_partitions, which before librdkafka 2.3 waits for a thousandth of its timeout.
static bool
seek(log_client *self, int32_t partition, int64_t offset)
{
    LP_ASSERT(offset >= 0);
    rd_kafka_topic_t *topic = rd_kafka_topic_new(self->consumer, self->url.topic, NULL);
    rd_kafka_resp_err_t code =
        topic == NULL ? rd_kafka_last_error()
                      : rd_kafka_seek(topic, partition, offset, LOG_CLIENT_REWIND_MS_MAX);
    if (topic != NULL) {
        rd_kafka_topic_destroy(topic);
    }
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        log_error(self, rd_kafka_err2str(code));
    }
    return code == RD_KAFKA_RESP_ERR_NO_ERROR;
}

lp_err
log_client_rewind(log_client *self, int32_t partition, int64_t offset)
{
    part *p = find_part(self, partition);
    if (p == NULL || p->is_given_up) {
        return LP_OK;
    }
    p->is_at_end = false;
    LP_REQUIRE(seek(self, partition, offset), LP_EAGAIN);
    metrics_add(METRICS_log_rewinds, 1);
    lp_log(LP_LOG_INFO, "reading partition %" PRId32 " of the log again from offset %" PRId64,
        partition, offset);
    bool is_paused = p->waiting.count > 0;
    drop_waiting(p);
    if (is_paused) {
        set_paused(self, p, false);
    }
    return LP_OK;
}

void
log_client_commit(log_client *self, int32_t partition, int64_t offset)
{
    LP_ASSERT(offset >= 0 && self->consumer != NULL);
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, self->url.topic, partition)->offset = offset;
    (void)rd_kafka_commit(self->consumer, list, 1);
    rd_kafka_topic_partition_list_destroy(list);
}

// --- Events

static void
on_error(log_client *self, rd_kafka_event_t *event)
{
    rd_kafka_resp_err_t code = rd_kafka_event_error(event);
    if (code == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
        on_end(self, event);
    } else if (code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
        set_fault(self, rd_kafka_event_error_string(event));
    } else {
        log_error(self, rd_kafka_event_error_string(event));
    }
}

// on_event takes ownership of an event.
static void
on_event(log_client *self, rd_kafka_event_t *event)
{
    const rd_kafka_message_t *message;
    switch (rd_kafka_event_type(event)) {
    case RD_KAFKA_EVENT_FETCH:
        on_fetch(self, event);
        return;
    case RD_KAFKA_EVENT_DR:
        while ((message = rd_kafka_event_message_next(event)) != NULL) {
            on_result(self, message);
        }
        break;
    case RD_KAFKA_EVENT_DESCRIBECONFIGS_RESULT:
        on_answer(self, event);
        break;
    case RD_KAFKA_EVENT_REBALANCE:
        on_rebalance(self, event);
        break;
    case RD_KAFKA_EVENT_ERROR:
        on_error(self, event);
        break;
    default:
        break;
    }
    rd_kafka_event_destroy(event);
}

// take_events handles some events of a queue. Returns whether there may be more.
static bool
take_events(log_client *self, rd_kafka_queue_t *queue)
{
    LP_ASSERT(!self->is_closing);
    rd_kafka_event_t *event;
    size_t count = 0;
    while (count < LOG_CLIENT_EVENTS_MAX && (event = rd_kafka_queue_poll(queue, 0)) != NULL) {
        on_event(self, event);
        count++;
    }
    return count == LOG_CLIENT_EVENTS_MAX;
}

static void
on_wake(uv_async_t *handle)
{
    log_client *self = handle->data;
    if (self->consumer == NULL || self->is_closing) {
        return;
    }
    bool has_more = self->sent != NULL && take_events(self, self->sent);
    has_more = take_events(self, self->read) || has_more;
    if (has_more) {
        (void)uv_async_send(&self->wake); // after the loop's other work
    }
}

// is_broken returns whether the producer has failed for good.
static bool
is_broken(const log_client *self)
{
    char why[FAULT_BYTES];
    return self->producer == NULL ||
           rd_kafka_fatal_error(self->producer, why, sizeof(why)) != RD_KAFKA_RESP_ERR_NO_ERROR;
}

// renew replaces the producer, at most once in LOG_CLIENT_RENEW_MS.
static void
renew(log_client *self)
{
    LP_ASSERT(is_broken(self));
    lp_problem problem;
    if (uv_now(self->config.loop) < self->renew_ms) {
        return;
    }
    self->renew_ms = uv_now(self->config.loop) + lp_time_scale_ms(LOG_CLIENT_RENEW_MS);
    if (self->producer != NULL) {
        close_producer(self);
    }
    if (open_producer(self, &problem) != LP_OK) {
        log_error(self, problem.text);
    }
}

void
log_client_look(log_client *self)
{
    LP_ASSERT(!self->is_closing);
    if (is_broken(self)) {
        renew(self);
    }
    for (size_t i = 0; i < self->parts.count; i++) {
        if (self->parts.items[i].waiting.count > 0) {
            offer_waiting(self, &self->parts.items[i]);
        }
    }
    if (self->fault[0] != '\0' && self->in_flight == 0 && self->producer != NULL) {
        ask(self);
    }
    (void)uv_async_send(&self->wake); // a member that does not poll loses its partitions
}

bool
log_client_is_current(const log_client *self, int32_t partition)
{
    const part *p = find_part(self, partition);
    return p != NULL && p->is_at_end && p->waiting.count == 0 && !p->is_given_up &&
           self->fault[0] == '\0';
}

const char *
log_client_get_fault(const log_client *self)
{
    return self->fault[0] == '\0' ? NULL : self->fault;
}

// --- The end

// leave leaves the group. It drops records; the partitions' next readers read them again.
static void
leave(log_client *self)
{
    LP_ASSERT(!self->is_closing);
    self->is_closing = true;
    rd_kafka_error_t *error = rd_kafka_consumer_close_queue(self->consumer, self->read);
    if (error != NULL) {
        rd_kafka_error_destroy(error);
        return;
    }
    uint64_t end_ns =
        uv_hrtime() + (uint64_t)lp_end_limit(LOG_CLIENT_CLOSE_MS_MAX) * UINT64_C(1000000);
    while (rd_kafka_consumer_closed(self->consumer) == 0 && uv_hrtime() < end_ns) {
        rd_kafka_event_t *event = rd_kafka_queue_poll(self->read, 100);
        if (event == NULL) {
            continue;
        }
        if (rd_kafka_event_type(event) == RD_KAFKA_EVENT_REBALANCE) {
            on_rebalance(self, event);
        }
        rd_kafka_event_destroy(event);
    }
}

// end flushes, leaves the group and closes the handle.
static void
end(log_client *self, uv_close_cb on_closed)
{
    LP_ASSERT(self->has_wake);

    if (self->producer != NULL) {
        (void)rd_kafka_flush(self->producer, (int)lp_end_limit(LOG_CLIENT_FLUSH_MS_MAX));
        close_producer(self);
    }
    if (self->consumer != NULL) {
        rd_kafka_queue_cb_event_enable(self->read, NULL, NULL);
        leave(self);
    }
    self->has_wake = false;
    uv_close((uv_handle_t *)&self->wake, on_closed);
}

void
log_client_stop(log_client *self)
{
    end(self, NULL);
}

// can_destroy returns whether the consumer can be freed; else it is leaked. If it has not left the
// group in time, freeing it waits until it has. Before librdkafka 2.3.0 freeing aborts the process
// if the group has not assigned partitions yet
// (https://github.com/confluentinc/librdkafka/issues/4312).
static bool
can_destroy(const log_client *self)
{
    if (rd_kafka_consumer_closed(self->consumer) == 0) {
        return false;
    }
    return !self->has_joined || self->was_assigned || rd_kafka_version() >= 0x02030000;
}

void
log_client_destroy(log_client *self)
{
    LP_ASSERT(self->producer == NULL);
    LP_ASSERT(!self->has_wake);
    LP_VEC_FINI_EACH(&self->parts, fini_part(at));
    log_url_properties_fini(&self->properties);
    if (self->consumer != NULL) {
        rd_kafka_queue_destroy(self->read);
        if (can_destroy(self)) {
            rd_kafka_destroy_flags(self->consumer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
        }
    }
    free(self);
}
