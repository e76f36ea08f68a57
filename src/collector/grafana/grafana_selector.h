// SPDX-License-Identifier: Apache-2.0
// grafana_selector: a selector of labels, as Prometheus writes it.
//
//   {service_name="checkout", endpoint!="/health", "http.route"="/pay"}
//
// =~ and !~ are read if the expression is a plain text; =~".*" selects everything, =~".+" is !="".
// Values are in " or `, with \\ \" and \n in the first.
//
// Threads: one thread at a time.
// Tests:   tests/unit/collector/grafana/test_grafana.c

#pragma once

#include "common/base/lp_err.h"

#include <stdbool.h>
#include <stddef.h>

enum { GRAFANA_MATCHERS_MAX = 32 }; // in one selector

typedef struct grafana_matcher {
    const char *name;
    const char *value;
    bool is_not;
} grafana_matcher;

// {0} selects everything.
typedef struct grafana_selector {
    grafana_matcher matchers[GRAFANA_MATCHERS_MAX];
    size_t count;
    char *text; // private
} grafana_selector;

void grafana_selector_fini(grafana_selector *selector);

// grafana_selector_read reads a text into {0}; "" selects everything. End *selector even after an
// error. Errors: LP_ECORRUPT with the position; LP_ENOMEM
LP_MUST_USE lp_err grafana_selector_read(
    grafana_selector *selector, const char *text, lp_problem *out_problem);

// grafana_selector_find returns the value that a label must have, borrowed from the selector. NULL:
// any.
const char *grafana_selector_find(const grafana_selector *selector, const char *name);
