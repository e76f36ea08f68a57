// SPDX-License-Identifier: Apache-2.0

// ask_facts: what is known about the JVM of a source, as attributes of OTLP (otlp_wish.h).
//
// Threads: the worker that answers.
// Tests:   tests/e2e/ask_requests.py

#pragma once

#include "collector/ask/work/ask_work.h"
#include "query/otlp/otlp_wish.h"

// ask_facts_describe is `describe` of a query_otlp_wish whose describe_arg is an ask_work. Texts
// are lent by its sources.
size_t ask_facts_describe(
    const void *arg, uint32_t source, query_otlp_fact out_facts[QUERY_OTLP_FACTS_MAX]);
