// SPDX-License-Identifier: Apache-2.0
// jfr_legible: metadata that the JDK's reader reads. It refuses a whole file for one annotation
// without a value, one type that is not defined, one name that is none. What of metadata it cannot
// read is taken out, or replaced by the nearest that it can:
//
//   annotations      of a type that is not described, without all of its values, or with values
//                    that are not of their types; with units that are none, or on a field that is
//                    no number of ticks or of seconds
//   settings         without a name, of a type that is not described, or not of an event type
//   names of types   that Java would not have: the nearest one (jfr_name.h)
//   types            with a field of a type that is not described, or that has no values; event
//                    types that do not begin with their start. With them go all that are made of
//                    them, and their events
//   fields           that the reader takes for a thread, a stack trace or a part of one, by their
//                    names, and that are something else: they get another name
//   simpleType       on types that are not one value in another guise, or that the reader would
//                    come to too late (jfr_turns.h)
//   region           an offset that is no number
//
// The rules are those of JDK 17 and 25 together.
//
// Threads: one thread at a time.

#ifndef LP_COMMON_JFR_JFR_LEGIBLE_H
#define LP_COMMON_JFR_JFR_LEGIBLE_H

#include "common/base/lp_err.h"
#include "common/jfr/jfr_metadata.h"

// jfr_legible_on_change gets each thing that was changed, as a problem without an offset. Anything
// but LP_OK ends the work.
typedef lp_err (*jfr_legible_on_change)(void *arg, const lp_problem *problem);

// jfr_legible_make changes metadata that has been resolved, and resolves it again if it had to. It
// takes time and memory linear in the size of metadata.
// Errors: what on_change returned; LP_ENOMEM
LP_MUST_USE lp_err jfr_legible_make(
    jfr_metadata *metadata, jfr_legible_on_change on_change, void *arg);

#endif // LP_COMMON_JFR_JFR_LEGIBLE_H
