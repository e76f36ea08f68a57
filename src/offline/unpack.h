// SPDX-License-Identifier: Apache-2.0
// unpack: unpacks recordings in gzip (RFC 1952), lz4 frames or zstd (RFC 8878). Members and frames
// may follow one another in any mix. It recognizes and rejects xz, bzip2 and zip.
//
// Threads: any thread.
// Tests:   tests/unit/offline/test_recording_file.c
// Memory:  buffers and the window of the format: 32 KiB (gzip), up to 8 MiB (lz4), 8 MiB (zstd up
//          to level 19), up to 128 MiB (zstd with --ultra or --long).

#pragma once

#include "common/base/lp_err.h"
#include "common/base/lp_slice.h"

#include <stdbool.h>

enum { UNPACK_MAGIC_BYTES = 4 };

// unpack_is_packed returns whether a file with these first bytes is compressed, even in a format
// that unpack_copy rejects.
bool unpack_is_packed(lp_slice begin);

// unpack_copy copies `in` from its position to its end to `out`, unpacked. out_directory is the
// place of `out`, for messages.
//
// Damaged or truncated compression is not an error: `out` has everything before the damage, and
// *out_damage has the reason and the offset from the first position of `in`. Its text is empty if
// nothing is damaged.
//
// Errors: LP_EIO reading `in` or writing `out`; LP_ECORRUPT an unsupported compression; LP_ENOMEM
LP_MUST_USE lp_err unpack_copy(
    int in, int out, const char *out_directory, lp_problem *out_damage, lp_problem *out_problem);
