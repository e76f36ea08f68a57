// SPDX-License-Identifier: Apache-2.0
#include "offline/inputs.h"

#include "common/base/lp_assert.h"
#include "offline/chunk_scan.h"
#include "offline/jvm_identity.h"
#include "offline/jvm_sessions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The state of inputs_open.
typedef struct opening {
    inputs *in;
    jvm_identity_reader identities;
    bool (*on_note)(void *arg, const input_note *note);
    void *arg;
} opening;

static lp_err
note(const opening *o, const recording_file *file, input_note what)
{
    what.name = file->name;
    return o->on_note(o->arg, &what) ? LP_OK : LP_ECLOSED;
}

static lp_err
add_chunk(opening *o, const recording_file *file, const chunk_scan_piece *piece,
    const lp_problem *problem)
{
    input_chunk *chunk = LP_VEC_PUSH(&o->in->chunks);
    LP_REQUIRE(chunk != NULL, LP_ENOMEM);
    *chunk = (input_chunk){.file = file,
        .offset = piece->offset,
        .bytes = {file->bytes.ptr + piece->offset, (size_t)piece->size_bytes},
        .info = piece->info};
    if (piece->kind == CHUNK_SCAN_WHOLE) {
        return LP_OK;
    }
    lp_problem **slot = LP_VEC_PUSH(&o->in->problems);
    LP_REQUIRE(slot != NULL && (*slot = malloc(sizeof(**slot))) != NULL, LP_ENOMEM);
    **slot = *problem;
    chunk->damage = *slot;
    return LP_OK;
}

static lp_err
add_piece(opening *o, const recording_file *file, const chunk_scan_piece *piece,
    const lp_problem *problem)
{
    lp_err err = LP_OK;
    if (piece->kind != CHUNK_SCAN_SKIPPED) {
        err = add_chunk(o, file, piece, problem);
    }
    if (err == LP_OK && piece->kind != CHUNK_SCAN_WHOLE) {
        err = note(o, file,
            (input_note){
                .kind = piece->kind == CHUNK_SCAN_CUT ? INPUT_NOTE_CUT : INPUT_NOTE_SKIPPED,
                .offset = piece->offset,
                .size_bytes = piece->size_bytes,
                .text = problem->text,
            });
    }
    return err;
}

static void
release(void *arg, uint64_t offset, uint64_t size_bytes)
{
    const recording_file *file = arg;
    recording_file_release(file, (lp_slice){file->bytes.ptr + offset, (size_t)size_bytes});
}

static lp_err
find_chunks(opening *o, recording_file *file)
{
    chunk_scan scan = {.bytes = file->bytes, .on_passed = release, .arg = file};
    chunk_scan_piece piece;
    lp_problem problem;
    lp_err err = LP_OK;
    if (file->is_damaged) {
        err = note(o, file,
            (input_note){.kind = INPUT_NOTE_PACKED,
                .offset = file->damage.offset,
                .text = file->damage.text});
    }
    if (err == LP_OK && file->bytes.len == 0) {
        err = note(o, file, (input_note){.kind = INPUT_NOTE_SKIPPED, .text = "the file is empty"});
    }
    while (err == LP_OK) {
        err = chunk_scan_next(&scan, &piece, &problem);
        if (err == LP_EEND) {
            return LP_OK;
        }
        LP_THEN(err, add_piece(o, file, &piece, &problem));
    }
    return err;
}

static bool
identify(void *arg, size_t chunk, jvm_identity *out_identity)
{
    opening *o = arg;
    const input_chunk *c = &o->in->chunks.items[chunk];
    bool is_found = jvm_identity_read(&o->identities, c->bytes, out_identity);
    recording_file_release(c->file, c->bytes);
    return is_found;
}

static bool
has_same_bytes(void *arg, size_t chunk, size_t other)
{
    const opening *o = arg;
    const input_chunk *a = &o->in->chunks.items[chunk];
    const input_chunk *b = &o->in->chunks.items[other];
    bool is_same =
        a->bytes.len == b->bytes.len && memcmp(a->bytes.ptr, b->bytes.ptr, a->bytes.len) == 0;
    recording_file_release(a->file, a->bytes);
    recording_file_release(b->file, b->bytes);
    return is_same;
}

static bool
has_other_types(void *arg, size_t chunk, size_t other)
{
    opening *o = arg;
    const input_chunk *a = &o->in->chunks.items[chunk];
    const input_chunk *b = &o->in->chunks.items[other];
    bool is_other = jvm_identity_has_other_types(&o->identities, a->bytes, b->bytes);
    recording_file_release(a->file, a->bytes);
    recording_file_release(b->file, b->bytes);
    return is_other;
}

static lp_err
note_duplicate(const opening *o, const input_chunk *chunk, const input_chunk *twin)
{
    lp_problem text;
    (void)lp_problem_set(&text, LP_OK, "this chunk is in %s as well, at offset %llu",
        twin->file->name, (unsigned long long)twin->offset);
    return note(o, chunk->file,
        (input_note){.kind = INPUT_NOTE_DUPLICATE,
            .offset = chunk->offset,
            .size_bytes = chunk->bytes.len,
            .text = text.text});
}

// take_places puts the chunks in the order of places and drops duplicates.
static lp_err
take_places(opening *o, const jvm_place *places, input_chunk *ordered)
{
    inputs *in = o->in;
    const input_chunk *chunks = in->chunks.items;
    size_t count = 0;
    for (size_t i = 0; i < in->chunks.count; i++) {
        const input_chunk *chunk = &chunks[places[i].chunk];
        if (places[i].session == JVM_SESSIONS_DUPLICATE) {
            LP_TRY(note_duplicate(o, chunk, &chunks[places[i].twin]));
            continue;
        }
        LP_ASSERT(places[i].session == in->session_count || // session by session
                  places[i].session + 1 == in->session_count);
        ordered[count] = *chunk;
        ordered[count].session = places[i].session;
        in->session_count = places[i].session + 1;
        count++;
    }
    memcpy(in->chunks.items, ordered, count * sizeof(*ordered));
    in->chunks.count = count;
    return LP_OK;
}

static lp_err
order_chunks(opening *o)
{
    inputs *in = o->in;
    size_t count = in->chunks.count;
    const jvm_chunk_reader reader = {o, identify, has_same_bytes, has_other_types};
    if (count == 0) {
        return LP_OK;
    }
    jvm_chunk *chunks = calloc(count, sizeof(*chunks));
    jvm_place *places = calloc(count, sizeof(*places));
    input_chunk *ordered = calloc(count, sizeof(*ordered));
    lp_err err = chunks == NULL || places == NULL || ordered == NULL ? LP_ENOMEM : LP_OK;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        const input_chunk *chunk = &in->chunks.items[i];
        chunks[i] = (jvm_chunk){.info = chunk->info,
            .size_bytes = chunk->bytes.len,
            .file = (uint32_t)(chunk->file - in->files),
            .is_damaged = chunk->damage != NULL};
    }
    LP_THEN(err, jvm_sessions_find(chunks, count, &reader, places));
    jvm_identity_reader_fini(&o->identities);
    LP_THEN(err, take_places(o, places, ordered));
    free(chunks);
    free(places);
    free(ordered);
    return err;
}

lp_err
inputs_open(inputs *out_inputs, char *const *paths, size_t count,
    bool (*on_note)(void *arg, const input_note *note), void *arg, const char **out_name,
    lp_problem *out_problem)
{
    *out_inputs = (inputs){.files = calloc(count, sizeof(recording_file))};
    opening o = {.in = out_inputs, .on_note = on_note, .arg = arg};
    lp_err err = out_inputs->files == NULL ? LP_ENOMEM : LP_OK;
    *out_name = NULL;
    for (size_t i = 0; i < count && err == LP_OK; i++) {
        recording_file *file = &out_inputs->files[i];
        err = recording_file_open(paths[i], file, out_problem);
        if (err != LP_OK) {
            *out_name = paths[i];
            return err;
        }
        out_inputs->file_count++;
        err = find_chunks(&o, file);
    }
    LP_THEN(err, order_chunks(&o));
    return err == LP_OK ? LP_OK : lp_problem_set(out_problem, err, "%s", lp_err_text(err));
}

lp_problem
inputs_locate(const input_chunk *chunk, const lp_problem *problem)
{
    lp_problem located = *problem;
    located.offset = chunk->offset + (problem->has_offset ? problem->offset : 0);
    located.has_offset = true;
    return located;
}

bool
inputs_have(const inputs *in, const char *path)
{
    struct stat st;
    bool is_there = stat(path, &st) == 0;
    bool is_found = false;
    for (size_t i = 0; i < in->file_count && is_there && !is_found; i++) {
        is_found = in->files[i].inode == st.st_ino && in->files[i].device == st.st_dev;
    }
    return is_found;
}

lp_err
inputs_check(const inputs *in, const char **out_name, lp_problem *out_problem)
{
    lp_err err = LP_OK;
    for (size_t i = 0; i < in->file_count && err == LP_OK; i++) {
        *out_name = in->files[i].name;
        err = recording_file_check(&in->files[i], out_problem);
    }
    return err;
}

void
inputs_close(inputs *in)
{
    for (size_t i = 0; i < in->file_count; i++) {
        recording_file_close(&in->files[i]);
    }
    LP_VEC_FINI_EACH(&in->problems, free(*at));
    LP_VEC_FINI(&in->chunks);
    free(in->files);
    *in = (inputs){0};
}
