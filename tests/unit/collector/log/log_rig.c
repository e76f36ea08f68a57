// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/log/log_rig.h"

#include "support/files.h"
#include "unit/collector/log/broker_clock.h"

#include "collector/base/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { READ_LIMIT_S = 60 };

// How long brokers keep a request for records that are not there yet.
static const char properties[] = "fetch.wait.max.ms=20\n";

void
log_rig_start(log_rig *f)
{
    time_t end = time(NULL) + READ_LIMIT_S;
    collector_rig_start(&f->server->rig);
    while (metrics_get(METRICS_log_partitions) < LOG_RIG_PARTITIONS) {
        assert_true(time(NULL) < end);
        broker_clock_step(f->brokers);
    }
}

int
log_rig_set_up(void **state)
{
    log_rig *f = calloc(1, sizeof(*f));
    char said[256];
    void *rig;
    assert_non_null(f);
    f->handle = rd_kafka_new(RD_KAFKA_PRODUCER, rd_kafka_conf_new(), said, sizeof(said));
    assert_non_null(f->handle);
    f->brokers = rd_kafka_mock_cluster_new(f->handle, 1);
    assert_non_null(f->brokers);
    assert_int_equal(rd_kafka_mock_topic_create(f->brokers, "batches", LOG_RIG_PARTITIONS, 1), 0);
    (void)snprintf(
        f->url.brokers, sizeof(f->url.brokers), "%s", rd_kafka_mock_cluster_bootstraps(f->brokers));
    (void)snprintf(f->url.topic, sizeof(f->url.topic), "batches");
    (void)snprintf(f->url.group, sizeof(f->url.group), "loupe");
    assert_int_equal(server_rig_set_up_stopped(&rig), 0);
    f->server = rig;
    f->server->rig.log = &f->url;
    (void)snprintf(f->url.config, sizeof(f->url.config), "%s/properties", f->server->rig.dir.path);
    files_write(f->url.config, properties, strlen(properties));
    log_rig_start(f);
    server_rig_connect(f->server);
    *state = f;
    return 0;
}

int
log_rig_tear_down(void **state)
{
    log_rig *f = *state;
    void *rig = f->server;
    int result = server_rig_tear_down(&rig);
    rd_kafka_mock_cluster_destroy(f->brokers);
    rd_kafka_destroy(f->handle);
    free(f);
    return result;
}
