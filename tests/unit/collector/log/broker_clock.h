// SPDX-License-Identifier: Apache-2.0

// broker_clock: the clock of the brokers that librdkafka plays in a thread of this process. They
// let members of a group wait for others, the first one for three seconds and others for five; a
// test has these pass while it waits for a partition. And the threads of librdkafka look for
// what is to be done every 20 ms instead of each second.
//
// Threads: any.

#ifndef LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H
#define LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

// broker_clock_step has 100 ms pass for the brokers, which see each of these steps, and a few of
// this process. Members that have partitions are not to be there meanwhile: brokers would take them
// for silent after six seconds.
void broker_clock_step(rd_kafka_mock_cluster_t *brokers);

#endif // LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H
