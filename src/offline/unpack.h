// SPDX-License-Identifier: Apache-2.0
// unpack: takes the wrapping off a recording: gzip (RFC 1952), lz4 frames, zstd (RFC 8878). What
// follows one gzip member or frame may be another one, of any kind.
//
// Threads: any thread.
// Tests:   tests/unit/offline/test_recording_file.c
// Memory:  buffers, and the window that the wrapping asks for: 32 KiB (gzip), up to 8 MiB (lz4),
//          and with zstd 8 MiB up to level 19, and up to 128 MiB with --ultra or --long.

#ifndef LP_OFFLINE_UNPACK_H
#define LP_OFFLINE_UNPACK_H

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>

enum { UNPACK_MAGIC_BYTES = 4 };

// unpack_is_packed says whether a file that begins with these bytes is wrapped.
bool unpack_is_packed(lp_slice begin);

// unpack_copy reads `in` from where it stands to its end and writes to `out` what it holds: what is
// wrapped is unpacked, what is not is copied. out_directory is where `out` lies, for messages.
//
// A wrapping that is damaged or cut short is not an error: what came before the damage is in `out`,
// and *out_damage says what is wrong and at which offset, counted from where `in` stood. Its text
// is empty when nothing is wrong.
//
// Errors: LP_EIO `in` cannot be read or `out` not be written; LP_ENOMEM
LP_MUST_USE lp_err unpack_copy(
    int in, int out, const char *out_directory, lp_problem *out_damage, lp_problem *out_problem);

#endif // LP_OFFLINE_UNPACK_H
