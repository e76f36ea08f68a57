// SPDX-License-Identifier: Apache-2.0
// jfr_enumeration: detects the constant types that are enumerations.
//
// An enumeration maps a few numbers, fixed in the writer's source, to texts: thread states, frame
// kinds, GC causes. HotSpot writes all constants of an enumeration with every chunk (the static
// serializers of jfrTypeManager.cpp), and tools know them by number. Other text constants depend on
// the application: jdk.types.Symbol, java.lang.String, the attribute values of profilers.
//
// Shape and references do not distinguish the two kinds, so the name decides. An enumeration is a
// type with a single field, an inline text. Its name is one that HotSpot gives to its own types
// (the <Type>s of its metadata.xml, in jdk.types, before JDK 11 in com.oracle.jfr.types) except
// jdk.types.Symbol, or that of an enumeration that profilers write. jdk.types.NetworkInterfaceName
// counts as an enumeration, although its constants appear with the network interfaces: they are
// few.
//
// Threads: any thread.

#pragma once

#include "common/jfr/jfr_metadata.h"

#include <stdbool.h>
#include <stdint.h>

// jfr_enumeration_is returns whether a type (its index) is an enumeration.
bool jfr_enumeration_is(const jfr_metadata *metadata, uint32_t type);
