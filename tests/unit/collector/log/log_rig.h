// SPDX-License-Identifier: Apache-2.0

// log_rig: a collector with a log in front, and mock brokers of librdkafka.

#pragma once

#include "unit/collector/server/server_rig.h"

#include "collector/cluster/log_url.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

enum { LOG_RIG_PARTITIONS = 3 };

typedef struct log_rig {
    server_rig *server;
    rd_kafka_t *handle;
    rd_kafka_mock_cluster_t *brokers;
    log_url url;
} log_rig;

// These are for cmocka: at first the collector runs, and its client is connected.
int log_rig_set_up(void **state);
int log_rig_tear_down(void **state);

// log_rig_start starts the collector, and returns once it reads all partitions.
void log_rig_start(log_rig *f);
