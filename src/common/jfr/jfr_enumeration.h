// SPDX-License-Identifier: Apache-2.0
// jfr_enumeration: detects the constant types that are enumerations.
//
// An enumeration maps a few numbers, fixed in the writer's source, to texts: thread states, frame
// kinds, GC causes. HotSpot writes all constants of an enumeration with every chunk (the static
// serializers of jfrTypeManager.cpp), and tools know them by number. Other text constants depend on
// the application: jdk.types.Symbol, java.lang.String, the attribute values of profilers.
//
// Neither their shape nor their references distinguish the two. So an enumeration is a type with a
// single field, an inline text, and a name that HotSpot gives to its own types (the <Type>s of its
// metadata.xml: jdk.types., com.oracle.jfr.types. before JDK 11) except jdk.types.Symbol; or a type
// of the same kind that profilers write. jdk.types.NetworkInterfaceName counts as one, although its
// constants appear with the interfaces: they are few.
//
// Threads: any thread.

#pragma once

#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// jfr_enumeration_is returns whether a type (an index) is an enumeration.
bool jfr_enumeration_is(const jfr_metadata *metadata, uint32_t type);
