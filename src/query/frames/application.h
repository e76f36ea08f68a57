// SPDX-License-Identifier: Apache-2.0
// application: whose code a frame is. Stack traces end in drivers and frameworks; a person looks
// for the code of their own.
//
// The application's packages are those that were given (app=com.acme,org.acme), with all packages
// below; or else those that begin as the main class's does, such as com.acme of com.acme.shop.Main,
// but for libraries. The main class is that of jdk.JVMInformation, or else of the
// system property sun.java.command in jdk.InitialSystemProperty. A program that was started with
// -jar, or by a class of a library, says none.
//
// Whatever else is of the JDK, of a library (library_packages.def), or of others. Without packages
// of the application, others are the application.
//
// Threads: one thread at a time while it is learned; then any.
// Tests:   tests/unit/query/frames/test_application.c

#ifndef LP_QUERY_APPLICATION_H
#define LP_QUERY_APPLICATION_H

#include "common/base/lp_err.h"
#include "query/chunk/chunk.h"

#include <stdbool.h>

enum { QUERY_PACKAGE_BYTES = 256 }; // of the main class's; that of a longer one is not known

typedef enum query_code {
    QUERY_CODE_JDK,
    QUERY_CODE_LIBRARY,
    QUERY_CODE_OTHER,
    QUERY_CODE_APPLICATION,
    QUERY_CODES,
} query_code;

typedef struct query_application {
    const char *packages; // that were given, borrowed; NULL: none
    // Of a JVM: up to two parts of the package of its main class; "": not known
    char main_package[QUERY_PACKAGE_BYTES];
} query_application;

// query_application_check checks packages as a person gives them: names with commas in between.
// Errors: LP_ECORRUPT they are none, with parameter and what is allowed in *out_problem
LP_MUST_USE lp_err query_application_check(
    const char *parameter, const char *packages, lp_problem *out_problem);

// query_application_code returns whose code the method with a name is, such as shop.Stock.take.
query_code query_application_code(const query_application *application, const char *method);

// query_application_set_main sets the package of the main class of a command line, which begins
// with that class or with the module that has it.
void query_application_set_main(query_application *application, const char *command);

// query_application_learn sets main_package if a chunk says the main class, and nothing was given
// and none is known so far. Where memory runs out, the chunk fails (query_chunk_err).
void query_application_learn(query_application *application, query_chunk *chunk);

#endif // LP_QUERY_APPLICATION_H
