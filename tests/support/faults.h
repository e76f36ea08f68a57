// SPDX-License-Identifier: Apache-2.0
// faults: fails one operation of a program, or has the program killed in its place: the n-th that
// it asks of its files, or the n-th allocation of its own code. The program is started with
// faults.so preloaded and FAULTS_FILE and FAULTS_ROOT in its environment; a test maps the same
// file, and chooses what fails next.
//
// An operation is one on a path below FAULTS_ROOT, or on a descriptor of one: one that creates,
// writes, syncs, renames or removes, or one that opens, reads, lists, maps or looks at what is
// there. An allocation counts if the program's own file calls for it, and not a shared library;
// or where FAULTS_CODE names a library, which is preloaded too, if that does. Where FAULTS_SPARED
// is "BEGIN-END", two addresses in that file in hexadecimal, none between them fails.
//
// Threads: any thread of the program; in the test one.

#pragma once

#include <stdint.h>

#define FAULTS_FILE   "LOUPE_TEST_FAULTS"
#define FAULTS_ROOT   "LOUPE_TEST_FAULTS_ROOT"
#define FAULTS_CODE   "LOUPE_TEST_FAULTS_CODE"
#define FAULTS_SPARED "LOUPE_TEST_FAULTS_SPARED"

typedef enum faults_kind {
    FAULTS_FILES = 1, // what changes them
    FAULTS_MEMORY = 2,
    FAULTS_READS = 3,
} faults_kind;

// What a test and the program share.
typedef struct faults {
    _Atomic uint32_t kind;  // of the one that fails
    _Atomic int32_t error;  // its errno; 0: the program is killed before it
    _Atomic uint64_t left;  // the one that makes this 0 fails; 0: none
    _Atomic uint64_t asked; // operations of this kind so far
    char what[300];         // the last that failed
} faults;
