// SPDX-License-Identifier: Apache-2.0
// settings: Loupe's own settings in a recording's jdk.ActiveSetting events. JFR writes the
// settings that an event type declares (jdk.jfr.SettingDefinition).
//
// A setting applies if it has the same value in all chunks, and each chunk that describes the type
// declares it. If it does not apply, no event of the type is dropped because of it. Chunks that
// Loupe has written are decided already: their settings do not apply.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_query_settings.c
// Cost:    reads the types of each chunk, and the events of chunks that declare such a setting.

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy.h"

#include <stddef.h>

enum { QUERY_SETTINGS_MAX = 2000 };

#define QUERY_SETTINGS_ORIGIN "settings in the recording"

// query_settings_read adds the settings to rules, with QUERY_SETTINGS_ORIGIN as their origin. It
// logs once each setting that does not apply, and skips unreadable chunks. Settings beyond
// QUERY_SETTINGS_MAX do not apply.
// Errors: LP_ELIMIT from rules; LP_ENOMEM
LP_MUST_USE lp_err query_settings_read(const lp_slice *chunks, size_t count, policy *rules);
