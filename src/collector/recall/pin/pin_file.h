// SPDX-License-Identifier: Apache-2.0

// pin_file: the pins in a file of the data directory (DATA_DIR_PINS), so that a restart continues
// them. A worker of the loop writes it, after a change, when the timer of recall.h fires.
//
//   {"pins": [{..}, ..]}, as in pin_json.h, the latest first
//
// The chunks of a pin are not in it: the start looks for them again, unless the pin is settled.
// Chunks that are stored with all events already count as kept then.
//
// Threads: the loop; pin_file_load, pin_file_check and pin_file_mend any.
// Tests:   tests/unit/collector/recall/pin/test_pin_file.c

#pragma once

#include "collector/recall/pin/pins.h"
#include "common/base/lp_err.h"

#include <uv.h>

enum { PIN_FILE_BYTES_MAX = 4 << 20 };

// pin_file_check returns whether a file can be read. Errors: LP_ECORRUPT with the place in
// *out_problem; LP_EIO; LP_ENOMEM. A missing file has no pins.
LP_MUST_USE lp_err pin_file_check(const char *path, lp_problem *out_problem);

// pin_file_mend writes the file without the pins that cannot be read, or deletes it if it is no
// list of pins. Errors: LP_EIO with errno; LP_ENOMEM
LP_MUST_USE lp_err pin_file_mend(const char *path);

// pin_file_load adds the pins of a file to others, which are empty, and calls on_unsettled for each
// whose chunks must be looked for. Errors: as pin_file_check; the pins that can be read are added
LP_MUST_USE lp_err pin_file_load(const char *path, pins *to,
    void (*on_unsettled)(void *arg, const pin *pin), void *arg, lp_problem *out_problem);

typedef struct pin_file pin_file;

// pin_file_create returns NULL if memory ran out. All are borrowed until pin_file_destroy. The file
// has the pins as they are now.
pin_file *pin_file_create(uv_loop_t *loop, pins *of, const char *path);

// pin_file_tick begins to write the pins if they have changed, and nothing is being written.
void pin_file_tick(pin_file *file);

// pin_file_destroy writes changed pins. It is called after the loop has ended. NULL is fine.
void pin_file_destroy(pin_file *file);
