// SPDX-License-Identifier: Apache-2.0
// jfr_enumeration: which types of constants are enumerations.
//
// An enumeration is a text for each of a few numbers that the writer's source fixes: the state of a
// thread, the kind of a frame, the cause of a collection. HotSpot writes all constants of one with
// every chunk (the static serializers of jfrTypeManager.cpp), and tools know them by number. Other
// constants that are one text are as many as the application makes: jdk.types.Symbol,
// java.lang.String, the attribute values of profilers.
//
// By their shape the two cannot be told apart, and neither by who refers to them. So an enumeration
// is a type with a single field, a text that is no constant itself, and a name that HotSpot gives
// to types of its own (the <Type>s of its metadata.xml: jdk.types., com.oracle.jfr.types. before
// JDK 11), jdk.types.Symbol apart; or one of those that profilers write beside these.
// jdk.types.NetworkInterfaceName passes for one, though its constants come as interfaces do: they
// are few.
//
// Threads: any thread.

#ifndef LP_COMMON_JFR_JFR_ENUMERATION_H
#define LP_COMMON_JFR_JFR_ENUMERATION_H

#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// jfr_enumeration_is returns whether a type (an index) is an enumeration.
bool jfr_enumeration_is(const jfr_metadata *metadata, uint32_t type);

#endif // LP_COMMON_JFR_JFR_ENUMERATION_H
