// SPDX-License-Identifier: Apache-2.0
// id_object: the format of a segment of the index of ids: which chunks of a collector and an hour
// have contexts with an id. A segment is a file, or an object of a store. It is written once and
// never changed.
//
//   root       magic      7 bytes, "LPIDOBJ", and the version 1
//              check      u64, of the rest of the root
//              entries    u64, how many
//              from, to   i64 each, ns of wall time: all chunks start in [from, to]
//              pages      u32, how many: entries / ID_OBJECT_PAGE_ENTRIES, rounded up
//              sessions   u32, how many
//              sessions   16 bytes each: an id
//              zeros, up to a multiple of ID_OBJECT_PAGE_BYTES
//   pages      of ID_OBJECT_PAGE_BYTES each. Each has an equal part of the hashes, the first page
//              the lowest ones (id_object_choose_page):
//              check          u64, of the rest of the page
//              entries_check  u64, of its entries
//              number         u32, of this page
//              pages          u32, how many
//              first          u32, index of its first entry
//              count          u32, of its entries
//              filter         ID_OBJECT_FILTER_WORDS u64: a Bloom filter of its hashes
//   entries    hash (u64), session (u32), ordinal of the chunk (u32), by hash
//
// Numbers are little-endian. A check is lp_hash_bytes of the bytes with LP_HASH_FIXED.
//
// Root and pages are the head. The place of each piece follows from three numbers in the catalog
// (id_object_shape). So a search without the head reads the one page that may have the hash. Unless
// the page's filter excludes the hash, it then reads the root and the entries of the page. The
// filter excludes missing ids, except for 1 in 300: it has ID_OBJECT_FILTER_BITS for each id, and
// checks ID_OBJECT_FILTER_PROBES of them. If somebody chooses hashes that share a page, the page's
// filter excludes fewer ids; nothing else changes.
//
// Threads: any; a writer one at a time.
// Tests:   tests/unit/collector/index/test_id_object.c

#pragma once

#include "common/base/lp_buf.h"
#include "common/base/lp_err.h"
#include "common/base/lp_map.h"
#include "common/base/lp_slice.h"
#include "common/base/lp_vec.h"

#include <stdbool.h>
#include <stdint.h>

#define ID_OBJECT_SUFFIX ".ids" // of names

enum {
    ID_CHUNK_SESSION_BYTES = 16,
    ID_OBJECT_VERSION = 1,
    ID_OBJECT_PAGE_BYTES = 4096, // as a page of memory
    ID_OBJECT_FILTER_WORDS = ID_OBJECT_PAGE_BYTES / 8 - 4,
    ID_OBJECT_FILTER_BITS = 12,
    ID_OBJECT_FILTER_PROBES = 8,
    ID_OBJECT_PAGE_ENTRIES = ID_OBJECT_FILTER_WORDS * 64 / ID_OBJECT_FILTER_BITS, // on average
    ID_OBJECT_ENTRIES_MAX = 8 << 20, // 128 MB; more go into another segment
    ID_OBJECT_HEAD_BYTES_MAX = 256 << 20,
    ID_OBJECT_BYTES_MAX = ID_OBJECT_HEAD_BYTES_MAX + 16 * ID_OBJECT_ENTRIES_MAX,
};

// A chunk that has an id.
typedef struct id_chunk {
    uint8_t session[ID_CHUNK_SESSION_BYTES];
    uint32_t ordinal;
} id_chunk;

typedef struct id_chunk_session {
    char text[2 * ID_CHUNK_SESSION_BYTES + 1]; // hex digits
} id_chunk_session;

// id_chunk_get_session returns the id of a chunk's session as text.
id_chunk_session id_chunk_get_session(const id_chunk *chunk);

typedef struct id_object_header {
    char magic[7];
    uint8_t version;
    uint64_t check;
    uint64_t entry_count;
    int64_t from_wall_ns;
    int64_t to_wall_ns;
    uint32_t page_count;
    uint32_t session_count;
} id_object_header;

typedef struct id_object_session {
    uint8_t id[ID_CHUNK_SESSION_BYTES];
} id_object_session;

typedef struct id_object_page {
    uint64_t check;
    uint64_t entries_check;
    uint32_t number;
    uint32_t page_count;
    uint32_t first; // index of its first entry
    uint32_t count;
    uint64_t filter[ID_OBJECT_FILTER_WORDS];
} id_object_page;

typedef struct id_object_entry {
    uint64_t hash;
    uint32_t session; // index in the sessions of the root
    uint32_t ordinal;
} id_object_entry;

// The sizes of a segment, from the catalog.
typedef struct id_object_shape {
    uint64_t head_bytes;
    uint64_t size_bytes;
    uint64_t entry_count;
} id_object_shape;

// The place of a piece in the object.
typedef struct id_object_place {
    uint64_t offset;
    uint64_t size_bytes;
} id_object_place;

// A checked root; borrows its bytes.
typedef struct id_object_root {
    const id_object_header *header;
    const id_object_session *sessions;
} id_object_root;

// id_object_check_shape returns LP_ECORRUPT for an impossible shape. The functions below require a
// possible one.
LP_MUST_USE lp_err id_object_check_shape(const id_object_shape *shape);

// id_object_count_pages returns the number of pages for a number of entries.
uint32_t id_object_count_pages(uint64_t entry_count);

// id_object_choose_page returns the number of a hash's page.
uint32_t id_object_choose_page(uint64_t hash, uint32_t page_count);

id_object_place id_object_place_root(const id_object_shape *shape);
id_object_place id_object_place_page(const id_object_shape *shape, uint32_t number);
id_object_place id_object_place_entries(const id_object_shape *shape, const id_object_page *page);

// id_object_open_root and id_object_open_page check bytes, aligned like a uint64_t, and return them
// typed. Errors: LP_ECORRUPT they are not this piece; LP_EVERSION
LP_MUST_USE lp_err id_object_open_root(
    const id_object_shape *shape, lp_slice bytes, id_object_root *out_root);
LP_MUST_USE lp_err id_object_open_page(
    const id_object_shape *shape, uint32_t number, lp_slice bytes, const id_object_page **out_page);

// id_object_find_shape computes the shape of a segment from the bytes of its head, or from all its
// bytes. It does not check the pieces. Errors: as id_object_open_root; LP_ECORRUPT also for another
// length
LP_MUST_USE lp_err id_object_find_shape(lp_slice bytes, id_object_shape *out_shape);

// id_object_may_have returns false if a page's filter excludes a hash.
bool id_object_may_have(const id_object_page *page, uint64_t hash);

// id_object_search calls on_chunk for each chunk with the hash in the entries of the hash's page,
// for some chunks twice. chunk is borrowed until on_chunk returns. Errors: LP_ECORRUPT wrong bytes
// for the entries
LP_MUST_USE lp_err id_object_search(const id_object_root *root, const id_object_page *page,
    lp_slice entries, uint64_t hash, void (*on_chunk)(void *arg, const id_chunk *chunk), void *arg);

// id_object_get_root_check and id_object_get_page_check return the correct check of a root or a
// page.
uint64_t id_object_get_root_check(lp_slice root);
uint64_t id_object_get_page_check(const id_object_page *page);

// Makes a segment from the ids of chunks: the same chunks in the same order make the same bytes. It
// takes 40 bytes of memory for each entry, which lp_large_begin may put into files. {0} has no
// chunks.
typedef struct id_object_writer {
    LP_VEC(id_object_entry) entries;
    LP_VEC(id_object_session) sessions;
    lp_map by_hash; // hash of a session's id: index in sessions
    int64_t from_wall_ns;
    int64_t to_wall_ns;
} id_object_writer;

void id_object_writer_fini(id_object_writer *writer);

// id_object_writer_add adds a chunk, all or nothing; hashes are 8 bytes each. Errors: LP_ELIMIT too
// many entries; LP_ENOMEM
LP_MUST_USE lp_err id_object_writer_add(
    id_object_writer *writer, const id_chunk *chunk, int64_t start_wall_ns, lp_slice hashes);

// id_object_writer_finish appends the object to out_bytes, which is empty. Requires an entry.
// Errors: LP_ENOMEM
LP_MUST_USE lp_err id_object_writer_finish(id_object_writer *writer, lp_buf *out_bytes);

// id_object_writer_get_shape returns the shape of the finished object.
id_object_shape id_object_writer_get_shape(const id_object_writer *writer, lp_slice bytes);
