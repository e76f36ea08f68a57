// SPDX-License-Identifier: Apache-2.0

// lp_log writes one line per call to standard error: time, level, program, text. It escapes the
// text (lp_printable.h).
//
// Threads: any thread; application threads of a JVM only where they may wait for standard error
//          (docs/internals/threading.md).

#pragma once

typedef enum lp_log_level { LP_LOG_ERROR, LP_LOG_WARN, LP_LOG_INFO, LP_LOG_DEBUG } lp_log_level;

// lp_log_init sets the program's name ("loupe", "loupe-agent"; borrowed for good) and the least
// severe level that is shown. The defaults are "loupe" and LP_LOG_INFO. Call it before other
// threads log.
void lp_log_init(const char *who, lp_log_level level_max);

// lp_log_level_parse returns the level named "error", "warn", "info" or "debug"; -1 for any other
// text.
int lp_log_level_parse(const char *text);

void lp_log(lp_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));
