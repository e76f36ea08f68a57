// SPDX-License-Identifier: Apache-2.0
// ctx_layout: the numbers of context records and rings that C and Java share.
//
// C defines these numbers: ctx_record.h and ctx_rings.h. The build runs ctx_layout_main.c, which
// writes the Java class RingLayout (package dev.loupe.internal.ring) with a constant for each
// number. The class also has a text with Loupe's version and all numbers. At its start the agent
// compares that text with its own, because a loupe.jar on the boot class path may come from another
// build.
//
// Threads: pure functions, any thread.
// Tests: tests/unit/agent/context/test_ctx_layout.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"

enum { CTX_LAYOUT_ROOT_KEY = 16 }; // added to an attribute's kind if is_root_key

// Appends the version and all numbers as a text, "VERSION=... NAME=value ...", and a final 0.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_layout_put_text(lp_buf *out);

// Appends the source of RingLayout: a constant for each number, and the text as the constant ALL.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err ctx_layout_put_java(lp_buf *out);
