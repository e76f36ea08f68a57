// SPDX-License-Identifier: Apache-2.0
// alloc_build: chunks with events of allocations for tests of the engine, laid out as HotSpot lays
// them out, and the samples that are found in an output. Built on jfr_sample.

#pragma once

#include "support/jfr_read.h"
#include "support/jfr_sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Type ids. Events have startTime eventThread stackTrace objectClass; then
enum {
    ALLOC_IN_TLAB = 120, // allocationSize tlabSize
    ALLOC_OUTSIDE = 121, // allocationSize
    ALLOC_SAMPLE = 122,  // weight
    ALLOC_DATA_AMOUNT = 123,
    ALLOC_DESCRIPTION = 124,
    ALLOC_IN_TLAB_ODD = 125, // InNewTLAB without stackTrace
    ALLOC_CLASS = 500,       // keys of classes begin here
};

// What a JVM describes.
typedef enum alloc_jvm {
    ALLOC_JDK_11,  // no samples
    ALLOC_JDK_17,  // samples as well
    ALLOC_ODD_JVM, // both, and InNewTLAB has other fields
} alloc_jvm;

// alloc_build_begin begins a chunk at start_ticks with the metadata; ticks are nanoseconds.
void alloc_build_begin(jfr_build *build, int64_t start_ticks, alloc_jvm jvm);

// Of an event in a new TLAB bytes is the TLAB's size; the object is smaller.
typedef struct alloc_event {
    uint64_t type;
    int64_t time;
    uint64_t thread; // key
    uint64_t stack;  // key
    uint64_t class;  // key
    uint64_t bytes;
} alloc_event;

// alloc_build_event writes an event and returns its offset.
size_t alloc_build_event(jfr_build *build, const alloc_event *event);

// alloc_build_class defines a class with this key.
void alloc_build_class(jfr_build *build, uint64_t key);

// alloc_build_find looks for the event of that type (a name) of this class in an output; NULL if it
// is not there. There is no second one.
const jfr_read_event *alloc_build_find(const jfr_read *read, const char *type, uint64_t class);

// alloc_build_weight gives the weight of the sample of this class, -1 if there is none.
int64_t alloc_build_weight(const jfr_read *read, uint64_t class);
