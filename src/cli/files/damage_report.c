// SPDX-License-Identifier: Apache-2.0
#include "cli/files/damage_report.h"

#include "common/base/lp_printable.h"

#include <inttypes.h>
#include <stdio.h>

static void
write_line(damage_report *report, const char *name, uint64_t offset, uint64_t skipped_bytes,
    const char *text)
{
    if (report->line_count++ >= DAMAGE_REPORT_LINES_MAX) {
        return;
    }
    char skipped[48] = "";
    if (skipped_bytes > 0) {
        (void)snprintf(skipped, sizeof(skipped), "%" PRIu64 " bytes skipped: ", skipped_bytes);
    }
    lp_printable_line(
        stderr, "%s: %s: offset %" PRIu64 ": %s%s", report->program, name, offset, skipped, text);
}

bool
damage_report_input(void *arg, const input_note *note)
{
    damage_report *report = arg;
    if (note->kind == INPUT_NOTE_DUPLICATE) {
        report->duplicate_chunks++;
        write_line(report, note->name, note->offset, 0, note->text);
        return true;
    }
    if (report->is_strict || note->kind == INPUT_NOTE_PACKED) {
        write_line(report, note->name, note->offset, 0, note->text);
    } else if (note->kind == INPUT_NOTE_SKIPPED) {
        report->skipped_bytes += note->size_bytes;
        write_line(report, note->name, note->offset, note->size_bytes, note->text);
    }
    return !report->is_strict;
}

void
damage_report_chunk(damage_report *report, const input_chunk *chunk, const compact_damage *damage)
{
    if (chunk->damage != NULL) {
        write_line(report, chunk->file->name, chunk->offset, 0, chunk->damage->text);
    }
    for (size_t i = 0; i < damage->notes.count; i++) {
        const compact_damage_note *note = &damage->notes.items[i];
        // Without bytes it may be the chunk's size, of which we know more then.
        if (note->skipped_bytes > 0 || chunk->damage == NULL) {
            write_line(report, chunk->file->name, chunk->offset + note->problem.offset,
                note->skipped_bytes, note->problem.text);
        }
    }
    report->damaged_chunks += chunk->damage != NULL || damage->place_count > 0;
    report->damaged_places += damage->place_count;
    report->skipped_bytes += damage->skipped_bytes;
}

void
damage_report_unreadable(damage_report *report, const input_chunk *chunk, const lp_problem *problem)
{
    char text[sizeof(problem->text) + 40];
    if (chunk->damage != NULL) {
        (void)snprintf(text, sizeof(text), "%s", chunk->damage->text);
    } else if (problem->has_offset && problem->offset > 0) {
        (void)snprintf(text, sizeof(text), "%s, at offset %" PRIu64, problem->text,
            chunk->offset + problem->offset);
    } else {
        (void)snprintf(text, sizeof(text), "%s", problem->text);
    }
    write_line(report, chunk->file->name, chunk->offset, chunk->bytes.len, text);
    report->unreadable_chunks++;
    report->skipped_bytes += chunk->bytes.len;
}

void
damage_report_end(const damage_report *report)
{
    if (report->line_count > DAMAGE_REPORT_LINES_MAX) {
        lp_printable_line(stderr, "%s: %" PRIu64 " more lines like these were left out",
            report->program, report->line_count - DAMAGE_REPORT_LINES_MAX);
    }
}
