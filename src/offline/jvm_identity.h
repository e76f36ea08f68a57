// SPDX-License-Identifier: Apache-2.0
// jvm_identity: which JVM a chunk is of, by its event jdk.JVMInformation (in the JDK's own
// configurations there is one in each chunk), and which two chunks are not of the same, by their
// types.
//
// Threads: one thread at a time for each reader; the answers depend on nothing but the bytes.
// Cost:    both read the metadata, but not where a chunk like it was among the last few;
//          jvm_identity_read walks over the events up to the one that is looked for.
// Memory:  the metadata of JVM_IDENTITY_KEPT chunks.

#ifndef LP_OFFLINE_JVM_IDENTITY_H
#define LP_OFFLINE_JVM_IDENTITY_H

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jvm_identity {
    int64_t pid;
    int64_t start_wall_ms;
} jvm_identity;

enum { JVM_IDENTITY_KEPT = 4 };

// What was read of chunks and may be asked for again. {0} is an empty one.
typedef struct jvm_identity_reader {
    struct jvm_identity_types *kept[JVM_IDENTITY_KEPT]; // the last one used first, then NULL
} jvm_identity_reader;

void jvm_identity_reader_fini(jvm_identity_reader *reader);

// jvm_identity_read looks into a chunk. False if the chunk does not say.
bool jvm_identity_read(jvm_identity_reader *reader, lp_slice chunk, jvm_identity *out_identity);

// jvm_identity_has_other_types returns whether a type id has another name in one chunk than in the
// other, or one of HotSpot's enumerations (jdk.types) another id: a JVM gives an id once, and these
// types have one id in all of its chunks. False as well if the metadata of one cannot be read.
bool jvm_identity_has_other_types(jvm_identity_reader *reader, lp_slice chunk, lp_slice other);

#endif // LP_OFFLINE_JVM_IDENTITY_H
