// SPDX-License-Identifier: Apache-2.0
// jfr_legible: repairs metadata for the JDK's reader. That reader rejects a whole file for one
// annotation without a value, one undefined type, or one invalid name. The unreadable parts are
// removed or replaced by the nearest readable form:
//
//   annotations      removed: of an undefined type, with missing or mistyped values, with unknown
//                    units, or on a field that is no number of ticks or seconds
//   settings         removed: without a name, of an undefined type, or not of an event type
//   names of types   replaced if Java does not allow them (jfr_name.h)
//   types            removed: with a field of an undefined type, or of a type without values;
//                    event types that do not begin with their start. Types that contain removed
//                    types are removed, too, and so are the events of all removed types
//   fields           renamed if the reader would mistake them, by their names, for a thread, a
//                    stack trace or a part of a stack trace
//   simpleType       removed from types that do not wrap a single value, or whose parser the reader
//                    makes too late (jfr_turns.h)
//   region           removed: an offset that is no number
//
// The rules are those of JDK 17 and 25 together.
//
// Threads: one thread at a time.

#pragma once

#include "common/base/lp_err.h"
#include "common/jfr/jfr_metadata.h"

// jfr_legible_on_change receives each change as a problem without an offset. Any result but LP_OK
// stops the work.
typedef lp_err (*jfr_legible_on_change)(void *arg, const lp_problem *problem);

// jfr_legible_make repairs resolved metadata, and resolves it again after changes. Linear in the
// size of metadata.
// Errors: those of on_change; LP_ENOMEM
LP_MUST_USE lp_err jfr_legible_make(
    jfr_metadata *metadata, jfr_legible_on_change on_change, void *arg);
