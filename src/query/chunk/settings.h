// SPDX-License-Identifier: Apache-2.0
// settings: the settings of Loupe's alone that a recording itself has, in its events
// jdk.ActiveSetting. JFR writes those that a type declares (jdk.jfr.SettingDefinition).
//
// A setting counts if it has one value in all chunks, and if each chunk that describes the type
// declares it. Where it does not count, nothing of the type is dropped for it. Chunks that Loupe
// wrote were decided already, so their settings do not count.
//
// Threads: one thread at a time.
// Tests:   tests/unit/query/chunk/test_query_settings.c
// Cost:    reads the types of each chunk, and the events of chunks that declare such a setting.

#ifndef LP_QUERY_SETTINGS_H
#define LP_QUERY_SETTINGS_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"
#include "policy/policy.h"

#include <stddef.h>

enum { QUERY_SETTINGS_MAX = 2000 };

#define QUERY_SETTINGS_ORIGIN "settings in the recording"

// query_settings_read adds the settings to rules, by the name QUERY_SETTINGS_ORIGIN. It logs those
// that do not count, each once, and those over QUERY_SETTINGS_MAX, which do not count either. It
// passes over chunks that cannot be read.
// Errors: LP_ELIMIT, of rules; LP_ENOMEM
LP_MUST_USE lp_err query_settings_read(const lp_slice *chunks, size_t count, policy *rules);

#endif // LP_QUERY_SETTINGS_H
