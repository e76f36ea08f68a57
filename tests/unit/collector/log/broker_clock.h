// SPDX-License-Identifier: Apache-2.0

// broker_clock: the clock of the mock brokers of librdkafka, in a thread of this process. They make
// the first member of a group wait for three seconds and others for five; a test skips that time.
// And the threads of librdkafka look for work every 20 ms instead of each second.
//
// Threads: any.

#pragma once

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

// broker_clock_step advances the brokers' clock by 100 ms, and waits a few ms. Call it only while
// no member has partitions: brokers remove silent members after six seconds.
void broker_clock_step(rd_kafka_mock_cluster_t *brokers);
