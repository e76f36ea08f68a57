// SPDX-License-Identifier: Apache-2.0
// application: whose code a frame is: the application's, a library's (library_packages.def), the
// JDK's, or other.
//
// The user may give the packages of the application (app=com.acme,org.acme; packages below them
// belong to it, too). Otherwise the package of the application is the first two parts of the main
// class's package, such as com.acme of com.acme.shop.Main, unless it is a library's. The main class
// comes from jdk.JVMInformation, or from the system property sun.java.command
// (jdk.InitialSystemProperty). A program that was started with -jar, or by a class of a library,
// has no such package. If no package is known, code that is neither the JDK's nor a library's
// counts as the application's.
//
// Threads: one thread at a time while it is learned; then any.
// Tests:   tests/unit/query/frames/test_application.c

#pragma once

#include "common/base/lp_err.h"
#include "query/chunk/chunk.h"

enum { QUERY_PACKAGE_BYTES = 256 }; // a longer package of a main class is ignored

typedef enum query_code {
    QUERY_CODE_JDK,
    QUERY_CODE_LIBRARY,
    QUERY_CODE_OTHER,
    QUERY_CODE_APPLICATION,
    QUERY_CODES,
} query_code;

typedef struct query_application {
    const char *packages;                   // given, borrowed; NULL: none
    char main_package[QUERY_PACKAGE_BYTES]; // of the main class of a JVM; "": unknown
} query_application;

// query_application_check checks packages that a person gives: names separated by commas.
// Errors: LP_ECORRUPT, with parameter and what is allowed in *out_problem
LP_MUST_USE lp_err query_application_check(
    const char *parameter, const char *packages, lp_problem *out_problem);

// query_application_code returns whose code a method is. method is a name such as shop.Stock.take.
query_code query_application_code(const query_application *application, const char *method);

// query_application_set_main sets main_package from a command line that begins with the main class,
// or with the module of the main class.
void query_application_set_main(query_application *application, const char *command);

// query_application_learn sets main_package if a chunk has the main class, no packages were given
// and none is known yet. If memory runs out, the chunk fails (query_chunk_err).
void query_application_learn(query_application *application, query_chunk *chunk);
