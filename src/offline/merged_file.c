// SPDX-License-Identifier: Apache-2.0
#include "offline/merged_file.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_io.h"
#include "common/base/lp_order.h"
#include "engine/read/view.h"
#include "offline/crew_read.h"
#include "offline/temp_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// --- The first pass over the input

typedef struct merging {
    const inputs *in;
    const policy *rules;
    compact_merge *merge;
} merging;

static lp_err
read_chunk(void *arg, size_t index, compact_schema *like, compact_view *view)
{
    const merging *m = arg;
    return compact_view_open_enumerations(view, m->in->chunks.items[index].bytes, m->rules, like);
}

static lp_err
add_chunk(void *arg, size_t index, compact_view *view)
{
    const merging *m = arg;
    return view == NULL ? LP_OK
                        : compact_merge_add(m->merge, m->in->chunks.items[index].session, view);
}

static void
release_chunk(void *arg, size_t index)
{
    const merging *m = arg;
    const input_chunk *chunk = &m->in->chunks.items[index];
    recording_file_release(chunk->file, chunk->bytes);
}

lp_err
merge_read(const inputs *in, const policy *rules, unsigned threads, compact_merge *merge)
{
    merging m = {.in = in, .rules = rules, .merge = merge};
    const crew_reader reader = {
        .count = in->chunks.count,
        .read = read_chunk,
        .add = add_chunk,
        .release = release_chunk,
        .arg = &m,
    };
    return crew_read(&reader, threads);
}

// --- The file

enum { COPY_BYTES = 1 << 20 };

lp_err
merged_file_open(int output, bool is_in_order, merged_file *out_file, lp_problem *out_problem)
{
    merged_file file = {.output = output};
    const char *directory;
    lp_err err = is_in_order ? LP_OK : temp_file_open(&file.temporary, &directory, out_problem);
    if (err == LP_OK) {
        *out_file = file;
    }
    return err;
}

void
merged_file_close(merged_file *file)
{
    if (file->temporary > 0) {
        (void)close(file->temporary); // nobody will read it
    }
    LP_VEC_FINI(&file->chunks);
    *file = (merged_file){0};
}

lp_err
merged_file_append(merged_file *file, lp_slice chunk)
{
    struct merged_chunk *slot = LP_VEC_PUSH(&file->chunks);
    LP_REQUIRE(slot != NULL, LP_ENOMEM);
    lp_err err = jfr_chunk_parse(chunk, &slot->info, NULL);
    LP_ASSERT(err == LP_OK && slot->info.size_bytes == chunk.len && // we wrote it
              slot->info.ticks_per_s == 1000000000);
    slot->offset = file->size_bytes;
    file->size_bytes += chunk.len;
    return lp_io_write_all(file->temporary > 0 ? file->temporary : file->output, chunk);
}

LP_COMPARE(compare_starts, struct merged_chunk,
    LP_ORDER(one->info.start_wall_ns, other->info.start_wall_ns)
        ?: LP_ORDER(one->offset, other->offset))

// part_starts makes chunks that start at the same time, one after the other, start apart.
static void
part_starts(merged_file *file)
{
    for (size_t i = 1; i < file->chunks.count; i++) {
        struct merged_chunk *chunk = &file->chunks.items[i];
        chunk->is_moved = jfr_chunk_start_behind(&chunk->info, chunk[-1].info.start_wall_ns);
    }
}

// copy appends bytes of from to the file to. Mapping them saves copying them twice. Where they
// cannot be read, writing them is the call that fails.
static lp_err
copy(int from, uint64_t offset, uint64_t size_bytes, int to)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    lp_err err = LP_OK;
    while (size_bytes > 0 && err == LP_OK) {
        size_t before = offset % page;
        size_t count = size_bytes < COPY_BYTES ? (size_t)size_bytes : COPY_BYTES;
        uint8_t *begin = mmap(NULL, before + count, PROT_READ, MAP_PRIVATE | MAP_POPULATE, from,
            (off_t)(offset - before));
        LP_REQUIRE(begin != MAP_FAILED, LP_EIO);
        err = lp_io_write_all(to, (lp_slice){begin + before, count});
        int reason = errno;
        (void)munmap(begin, before + count);
        errno = reason;
        offset += count;
        size_bytes -= count;
    }
    return err;
}

// copy_chunks writes the chunks in the temporary file to the output.
static lp_err
copy_chunks(const merged_file *file)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < file->chunks.count && err == LP_OK; i++) {
        const struct merged_chunk *chunk = &file->chunks.items[i];
        LP_ASSERT(i == 0 || chunk->info.start_wall_ns >= chunk[-1].info.start_wall_ns);
        uint8_t header[JFR_CHUNK_HEADER_SIZE];
        jfr_chunk_encode(&chunk->info, header);
        err = lp_io_write_all(file->output, (lp_slice){header, sizeof(header)});
        LP_THEN(err, copy(file->temporary, chunk->offset + sizeof(header),
                         chunk->info.size_bytes - sizeof(header), file->output));
    }
    return err;
}

static bool
is_in_order(const merged_file *file)
{
    for (size_t i = 1; i < file->chunks.count; i++) {
        if (file->chunks.items[i].offset < file->chunks.items[i - 1].offset) {
            return false;
        }
    }
    return true;
}

// write_moved writes the headers of chunks that do not start as they came.
static lp_err
write_moved(const merged_file *file)
{
    for (size_t i = 0; i < file->chunks.count; i++) {
        const struct merged_chunk *chunk = &file->chunks.items[i];
        uint8_t header[JFR_CHUNK_HEADER_SIZE];
        jfr_chunk_encode(&chunk->info, header);
        if (chunk->is_moved && pwrite(file->output, header, sizeof(header), (off_t)chunk->offset) !=
                                   (ssize_t)sizeof(header)) {
            return LP_EIO;
        }
    }
    return LP_OK;
}

// move_out moves the chunks from the output to a temporary file.
static lp_err
move_out(merged_file *file, lp_problem *problem)
{
    const char *directory;
    LP_TRY(temp_file_open(&file->temporary, &directory, problem));
    LP_REQUIRE(copy(file->output, 0, file->size_bytes, file->temporary) == LP_OK,
        lp_problem_set(problem, LP_EIO, "temporary file in %s: %s", directory, strerror(errno)));
    LP_REQUIRE(ftruncate(file->output, 0) == 0 && lseek(file->output, 0, SEEK_SET) == 0,
        lp_problem_set(problem, LP_EIO, "%s", strerror(errno)));
    return LP_OK;
}

lp_err
merged_file_finish(merged_file *file, lp_problem *out_problem)
{
    if (file->chunks.count == 0) {
        return LP_OK;
    }
    qsort(file->chunks.items, file->chunks.count, sizeof(*file->chunks.items), compare_starts);
    part_starts(file);
    lp_err err = LP_OK;
    if (file->temporary == 0 && !is_in_order(file)) {
        err = move_out(file, out_problem);
    }
    if (err == LP_OK) {
        err = file->temporary > 0 ? copy_chunks(file) : write_moved(file);
        err = err == LP_OK ? err : lp_problem_set(out_problem, err, "%s", strerror(errno));
    }
    return err;
}
