// SPDX-License-Identifier: Apache-2.0

// broker_clock: the clock of the brokers that librdkafka plays in a thread of this process. They
// let the first member of a group wait three seconds for others; a test has these pass.
//
// Threads: any.

#ifndef LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H
#define LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H

// broker_clock_pass has a bit more than three seconds pass for the brokers, within a fraction of
// one: a member that is about to join need not wait for them. Members that joined before are not
// taken for silent by that.
void broker_clock_pass(void);

#endif // LP_TESTS_UNIT_COLLECTOR_BROKER_CLOCK_H
