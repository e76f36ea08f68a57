// SPDX-License-Identifier: Apache-2.0
#include "collector/index/id_gather.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    HOUR_S = 3600,
    HOUR_BYTES = sizeof("2026010203"),
    ID_ROWS_NOBODY_HOUR = 1, // ended long ago
};

// --- Rows

id_rows
id_rows_make_nobody(void)
{
    return (id_rows){.collector = "0000000000000000", .hour = ID_ROWS_NOBODY_HOUR};
}

void
id_rows_pass_hour(id_rows *self, int64_t wall_ns)
{
    int64_t hour = wall_ns / ID_GATHER_HOUR_NS;
    self->hour = hour > self->hour ? hour : self->hour;
    self->hour = self->hour < ID_ROWS_NOBODY_HOUR ? ID_ROWS_NOBODY_HOUR : self->hour;
}

catalog_chunk_ids
id_rows_make(id_rows *self, const uint64_t *hashes, size_t count)
{
    LP_ASSERT(strlen(self->collector) == ID_GATHER_COLLECTOR_CHARS);
    LP_ASSERT(self->hour > 0);
    uint64_t number = (uint64_t)lp_time_now();
    self->number = number > self->number ? number : self->number + 1;
    return (catalog_chunk_ids){
        .collector = self->collector,
        .is_left_out = count > ID_GATHER_CHUNK_IDS_MAX,
        .hour = self->hour,
        .number = self->number,
        .hashes = hashes,
        .count = count,
    };
}

// --- Segments

typedef struct gathering {
    size_t entries_max;
    id_object_writer writer;
    uint64_t last_number;
    uint64_t row_count;
    bool is_full;
} gathering;

static uint8_t
digit_of(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static lp_err
on_row(void *arg, const catalog_ids_row *row)
{
    gathering *g = arg;
    id_chunk chunk = {.ordinal = row->ordinal};
    LP_REQUIRE(catalog_id_is_valid(row->session_id), LP_ECORRUPT);
    for (size_t i = 0; i < sizeof(chunk.session); i++) {
        chunk.session[i] =
            (uint8_t)(digit_of(row->session_id[2 * i]) << 4 | digit_of(row->session_id[2 * i + 1]));
    }
    const size_t count = row->hashes.len / sizeof(uint64_t);
    const size_t before = g->writer.entries.count;
    lp_err err = before > 0 && before + count > g->entries_max
                     ? LP_ELIMIT
                     : id_object_writer_add(&g->writer, &chunk, row->start_wall_ns, row->hashes);
    if (err == LP_ELIMIT) {
        g->is_full = true; // the next segment takes the rest
        return LP_EEND;
    }
    if (err == LP_OK) {
        g->last_number = row->number;
        g->row_count++;
    }
    return err;
}

static void
format_hour(int64_t hour, char out_text[HOUR_BYTES])
{
    time_t s = (time_t)(hour * HOUR_S);
    struct tm utc;
    if (hour < 0 || gmtime_r(&s, &utc) == NULL ||
        strftime(out_text, HOUR_BYTES, "%Y%m%d%H", &utc) == 0) {
        memcpy(out_text, "0000000000", HOUR_BYTES); // no valid time: sort it first
    }
}

// describe fills the catalog's row of an object.
static void
describe(const id_gather_group *group, const id_object_writer *writer, lp_slice bytes,
    catalog_segment *out)
{
    LP_ASSERT(bytes.len > 0 && writer->entries.count > 0);
    const id_object_shape shape = id_object_writer_get_shape(writer, bytes);
    char hour[HOUR_BYTES];
    format_hour(group->hour, hour);
    *out = (catalog_segment){
        .hour = group->hour,
        .from_wall_ns = writer->from_wall_ns,
        .to_wall_ns = writer->to_wall_ns,
        .head_bytes = shape.head_bytes,
        .size_bytes = shape.size_bytes,
        .entry_count = shape.entry_count,
    };
    (void)snprintf(out->name, sizeof(out->name), "%s/%s-%016" PRIx64 ID_OBJECT_SUFFIX, hour,
        group->collector, lp_hash_bytes(LP_HASH_FIXED, bytes));
}

static lp_err
put_object(id_segments *segments, gathering *g, const id_gather_group *group, id_gathered *out)
{
    LP_ASSERT(g->row_count > 0 && g->writer.entries.count > 0);
    lp_buf bytes = {0};
    lp_err err = id_object_writer_finish(&g->writer, &bytes);
    if (err == LP_OK) {
        *out = (id_gathered){
            .group = *group, .last_number = g->last_number, .row_count = g->row_count};
        describe(group, &g->writer, lp_buf_slice(&bytes), &out->segment);
        err = id_segments_put(segments, &out->segment, lp_buf_slice(&bytes));
    }
    lp_buf_fini(&bytes);
    return err;
}

static size_t
get_entries_max(const id_segments *segments)
{
    return id_segments_is_remote(segments) ? ID_OBJECT_ENTRIES_MAX : ID_GATHER_FILE_ENTRIES_MAX;
}

bool
id_gather_is_large(const id_segments *segments, uint64_t id_count)
{
    return id_count >= get_entries_max(segments) / 2;
}

lp_err
id_gather_put(
    id_segments *segments, catalog *from, const id_gather_group *group, id_gathered *out_gathered)
{
    gathering g = {.entries_max = get_entries_max(segments)};
    const catalog_ids_group rows = {.collector = group->collector, .hour = group->hour};
    lp_err err = catalog_ids_read(from, &rows, on_row, &g);
    if (err == LP_EEND && g.is_full) {
        err = LP_OK;
    }
    LP_THEN(err,
        g.writer.entries.count == 0 ? LP_ENOENT : put_object(segments, &g, group, out_gathered));
    id_object_writer_fini(&g.writer);
    return err;
}

lp_err
id_gather_commit(catalog *to, const id_gathered *gathered)
{
    LP_ASSERT(gathered->row_count > 0 && gathered->segment.entry_count > 0);
    LP_ASSERT(gathered->segment.hour == gathered->group.hour);
    const catalog_sealed rows = {
        .group = {.collector = gathered->group.collector, .hour = gathered->group.hour},
        .last_number = gathered->last_number,
        .row_count = gathered->row_count,
    };
    return catalog_ids_seal(to, &gathered->segment, &rows);
}
