// SPDX-License-Identifier: Apache-2.0
// rewrite_edit: a change to a class file.
//
// There are two kinds of edits. Neither adds a field, a method or a jump, so the JVM accepts the
// result for a loaded class:
//
//   REWRITE_ARGUMENT  the method begins with a call of the helper, which gets one argument of the
//                     method. If the helper returns a value, the value replaces the argument
//   REWRITE_CALL      the method calls the helper instead of another method; the helper gets the
//                     receiver, if any, and the arguments
//
// Threads: a value, any thread.
// Tests:   tests/unit/agent/rewrite/test_rewrite_class.c

#pragma once

#include <stdint.h>

typedef enum rewrite_kind { REWRITE_ARGUMENT, REWRITE_CALL } rewrite_kind;

typedef struct rewrite_edit {
    rewrite_kind kind;
    const char *method;
    const char *descriptor; // of the method; NULL: any
    uint8_t local;          // REWRITE_ARGUMENT: the local variable that has the argument
    // REWRITE_CALL: the replaced method. called_class is the class that the call refers to; NULL:
    // any class. The helper accepts its instances as the receiver, and may reject other objects.
    const char *called_class;
    const char *called;
    const char *called_descriptor;
    const char *helper;
    const char *helper_descriptor;
} rewrite_edit;
