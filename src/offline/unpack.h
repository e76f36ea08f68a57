// SPDX-License-Identifier: Apache-2.0
// unpack: unpacks a recording that is wrapped in gzip (RFC 1952), lz4 frames or zstd (RFC 8878). A
// gzip member or frame may be followed by another one, of any kind. Files that xz, bzip2 or zip
// made are recognized and refused.
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

// unpack_is_packed returns whether a file that begins with these bytes is wrapped, also in a way
// that unpack_copy refuses.
bool unpack_is_packed(lp_slice begin);

// unpack_copy reads `in` from its position to its end and writes its content to `out`: wrapped
// bytes are unpacked, others are copied. out_directory is where `out` lies, for messages.
//
// A wrapping that is damaged or cut short is not an error: everything before the damage is in
// `out`, and *out_damage has the reason and the offset, counted from the first position of `in`.
// Its text is empty when nothing is damaged.
//
// Errors: LP_EIO `in` cannot be read or `out` not be written; LP_ECORRUPT `in` is packed in a way
//         that is not unpacked here; LP_ENOMEM
LP_MUST_USE lp_err unpack_copy(
    int in, int out, const char *out_directory, lp_problem *out_damage, lp_problem *out_problem);

#endif // LP_OFFLINE_UNPACK_H
