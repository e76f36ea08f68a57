// SPDX-License-Identifier: Apache-2.0
// jvm_identity: which JVM a chunk is of, by its event jdk.JVMInformation (in the JDK's own
// configurations there is one in each chunk).
//
// Threads: any thread; a pure function of the bytes.
// Cost:    reads the metadata, and walks over the events up to the one that is looked for.

#ifndef LP_COLLECTOR_OFFLINE_JVM_IDENTITY_H
#define LP_COLLECTOR_OFFLINE_JVM_IDENTITY_H

#include "common/base/lp_slice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct jvm_identity {
    int64_t pid;
    int64_t start_wall_ms;
} jvm_identity;

// jvm_identity_read looks into a chunk. False if the chunk does not say.
bool jvm_identity_read(lp_slice chunk, jvm_identity *out_identity);

#endif // LP_COLLECTOR_OFFLINE_JVM_IDENTITY_H
