// SPDX-License-Identifier: Apache-2.0
// jvm_identity: identifies the JVM of a chunk by its event jdk.JVMInformation (each chunk has one
// in the JDK's own configurations), and tells chunks of different JVMs apart by their types.
//
// Threads: one thread at a time for each reader; the answers depend on nothing but the bytes.
// Cost:    both functions read the metadata, unless one of the last few chunks had the same
//          metadata; jvm_identity_read also reads the events up to jdk.JVMInformation.
// Memory:  the metadata of JVM_IDENTITY_KEPT chunks.

#pragma once

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jvm_identity {
    int64_t pid;
    int64_t start_wall_ms;
} jvm_identity;

enum { JVM_IDENTITY_KEPT = 4 };

// The metadata of the last few chunks. {0} has none.
typedef struct jvm_identity_reader {
    struct jvm_identity_types *kept[JVM_IDENTITY_KEPT]; // most recently used first, then NULL
} jvm_identity_reader;

void jvm_identity_reader_fini(jvm_identity_reader *reader);

// jvm_identity_read reads the identity of a chunk's JVM. False if the chunk has none.
bool jvm_identity_read(jvm_identity_reader *reader, lp_slice chunk, jvm_identity *out_identity);

// jvm_identity_has_other_types returns whether the chunks use one type id for different names, or
// different ids for one of HotSpot's enumerations (jdk.types). Both mean different JVMs. False if
// the metadata of either chunk cannot be read.
bool jvm_identity_has_other_types(jvm_identity_reader *reader, lp_slice chunk, lp_slice other);
