// SPDX-License-Identifier: Apache-2.0
// grafana_labels: the values of a label, for the calls that need them.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/grafana/test_grafana.c, tests/e2e/pyroscope.py

#pragma once

#include "collector/grafana/grafana_procedures.h"

// grafana_labels_can_list returns whether there are lists of the values of a label.
bool grafana_labels_can_list(const char *name);

// grafana_labels_ask_values makes the question for the values of a label, below a selector as text.
// Errors: LP_ECORRUPT the selector or the times; LP_ENOMEM
LP_MUST_USE lp_err grafana_labels_ask_values(grafana_work *work, const char *name,
    const char *selector, int64_t start_ms, int64_t end_ms, ask_query **out_query);

// grafana_labels_read_values makes the list of the values from the answer. The caller owns
// *out_values, also after an error. Errors: LP_ECORRUPT the selector; LP_ENOMEM
LP_MUST_USE lp_err grafana_labels_read_values(grafana_work *work, const char *name,
    const char *selector, const json_t *answer, json_t **out_values);
