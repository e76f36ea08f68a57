// SPDX-License-Identifier: Apache-2.0
// Tests: tests/unit/agent/rewrite/test_rewrite_class.c, tests/e2e/carried.py

#include "agent/rewrite/rewrite_class.h"

#include <string.h>

const char rewrite_places_helper[] = "java/util/concurrent/LoupeTasks";

typedef enum part { TASKS, TASKS_OF_LIBRARY, THREADS } part;

typedef struct row {
    const char *class_name;
    long java_min;
    long java_max;
    part part;
    rewrite_edit edit;
} row;

#define ARGUMENT(class, min, max, part, name, type, variable, by, by_type)                         \
    {class, min, max, part,                                                                        \
        {.kind = REWRITE_ARGUMENT,                                                                 \
            .method = name,                                                                        \
            .descriptor = type,                                                                    \
            .local = variable,                                                                     \
            .helper = by,                                                                          \
            .helper_descriptor = by_type}},
#define CALL(class, min, max, part, name, to_class, to, to_type, by, by_type)                      \
    {class, min, max, part,                                                                        \
        {.kind = REWRITE_CALL,                                                                     \
            .method = name,                                                                        \
            .called_class = to_class,                                                              \
            .called = to,                                                                          \
            .called_descriptor = to_type,                                                          \
            .helper = by,                                                                          \
            .helper_descriptor = by_type}},
static const row rows[] = {
#include "agent/rewrite/rewrite_places.def"
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

_Static_assert((int)ROWS <= (int)REWRITE_PLACES_MAX, "each row may be a place");

size_t
rewrite_places_list(long java, bool with_threads, rewrite_place out_places[REWRITE_PLACES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        if (java < r->java_min || java > r->java_max || (r->part == THREADS && !with_threads)) {
            continue;
        }
        rewrite_place *last = count == 0 ? NULL : &out_places[count - 1];
        if (last == NULL || strcmp(last->class_name, r->class_name) != 0) {
            last = &out_places[count++];
            *last = (rewrite_place){
                .class_name = r->class_name, .is_library = r->part == TASKS_OF_LIBRARY};
        }
        if (last->edit_count < REWRITE_PLACE_EDITS_MAX) { // a test checks the limit
            last->edits[last->edit_count++] = r->edit;
        }
    }
    return count;
}
