// SPDX-License-Identifier: Apache-2.0
// id_name: the names of the files of an index of ids (id_index.h), by which it knows what they are.
//
// Threads: pure functions but for the clock, any thread.
// Tests:   tests/unit/collector/index/test_id_index.c

#ifndef LP_COLLECTOR_INDEX_ID_NAME_H
#define LP_COLLECTOR_INDEX_ID_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ID_NAME_BYTES = 32, // of any of them
    ID_NAME_DAY_CHARS = sizeof("YYYYMMDD") - 1,
    ID_NAME_HOUR_CHARS = sizeof("YYYYMMDDHH") - 1,
};

// id_name_hour writes the hour of a time, YYYYMMDDHH. A time that is yet to come counts as now: all
// other hours and days would be over by a clock that is ahead, and merged again with each run.
void id_name_hour(int64_t wall_ns, char out_text[ID_NAME_HOUR_CHARS + 1]);

// id_name_is_segment returns whether a file is a segment by its name. Of segments, id_name_is_run
// returns whether it is one run that was put in order, id_name_is_hour whether it is an hour's, and
// id_name_has_hour whether it is one of these.
bool id_name_is_segment(const char *name);
bool id_name_is_run(const char *name);
bool id_name_is_hour(const char *name);
bool id_name_has_hour(const char *name);

// id_name_segment_number returns the number of a segment that is a run, id_name_run_number that of
// the file of a run, or -1 for any other.
uint32_t id_name_segment_number(const char *name);
int64_t id_name_run_number(const char *name);

#endif // LP_COLLECTOR_INDEX_ID_NAME_H
