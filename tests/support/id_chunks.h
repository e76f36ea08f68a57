// SPDX-License-Identifier: Apache-2.0
// id_chunks: the chunks of a segment, and their ids, that tests make.

#pragma once

#include "collector/index/id_object.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CHUNKS = 300, IDS = 20, COMMON_CHUNKS = 3000 }; // with IDS each, and with one in common

static const uint64_t common_hash = 0x8000000000000000u;

// hash_of returns the hash of an id of a chunk; they lie evenly.
static inline uint64_t
hash_of(size_t chunk, size_t id)
{
    return (chunk * IDS + id + 1) * 0x9e3779b97f4a7c15u;
}

static inline id_chunk
chunk_of(size_t chunk)
{
    id_chunk made = {.ordinal = (uint32_t)(chunk / 7)};
    memset(made.session, (int)(chunk % 7), sizeof(made.session));
    return made;
}
