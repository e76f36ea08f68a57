// SPDX-License-Identifier: Apache-2.0
#include "unit/collector/server/server_rig.h"

#include "collector/recall/recall.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

int
server_rig_set_up_stopped(void **state)
{
    server_rig *f = calloc(1, sizeof(*f));
    collector_rig_init(&f->rig);
    tick_chunk_init(&f->ticks, SERVER_RIG_START_NS);
    *state = f;
    return 0;
}

void
server_rig_connect(server_rig *f)
{
    wire_client_open(&f->client, f->rig.agents_url, 0x5a);
    wire_client_id(&f->client, f->id);
}

int
server_rig_set_up(void **state)
{
    (void)server_rig_set_up_stopped(state);
    server_rig *f = *state;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    return 0;
}

void
server_rig_write_rules(const server_rig *f, const char *name, const char *text)
{
    char path[400];
    (void)snprintf(path, sizeof(path), "%s/%s", f->rig.policies_path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int
server_rig_set_up_recall(void **state, int64_t recall_ns, const char *default_jfc)
{
    (void)server_rig_set_up_stopped(state);
    server_rig *f = *state;
    (void)snprintf(
        f->rig.policies_path, sizeof(f->rig.policies_path), "%s/policies", f->rig.dir.path);
    assert_int_equal(mkdir(f->rig.policies_path, 0700), 0);
    server_rig_write_rules(f, "default.jfc", default_jfc);
    f->rig.recall_ns = recall_ns;
    collector_rig_start(&f->rig);
    server_rig_connect(f);
    server_rig_hello(f, 0);
    return 0;
}

int
server_rig_tear_down(void **state)
{
    server_rig *f = *state;
    wire_client_close(&f->client);
    collector_rig_fini(&f->rig);
    tick_chunk_fini(&f->ticks);
    free(f);
    return 0;
}

void
server_rig_hello(server_rig *f, uint64_t next_sequence)
{
    wire_answer answer = wire_client_hello(&f->client, f->sequence);
    assert_int_equal(answer.status, OK);
    assert_int_equal(answer.version, WIRE_VERSION);
    assert_int_equal(answer.next_sequence, next_sequence);
}

wire_piece
server_rig_next_piece(server_rig *f, unsigned count)
{
    wire_piece piece = wire_piece_take(&f->ticks, f->number, count);
    f->number += count;
    piece.sequence = f->sequence++;
    piece.chunk = f->chunk;
    piece.duration_ns = SERVER_RIG_SECOND_NS;
    return piece;
}

void
server_rig_send(server_rig *f, const wire_piece *piece)
{
    wire_answer answer = wire_client_send(&f->client, piece);
    assert_string_equal(answer.message, "");
    assert_int_equal(answer.status, OK);
}

void
server_rig_rotate(server_rig *f)
{
    tick_chunk_fini(&f->ticks);
    f->chunk++;
    tick_chunk_init(&f->ticks, SERVER_RIG_START_NS + f->chunk * SERVER_RIG_SECOND_NS);
}

void
server_rig_check_each_once(const server_rig *f)
{
    for (uint64_t i = 0; i < f->number; i++) {
        if (f->counts[i] != 1) {
            fail_msg(
                "event %u of %u is there %u times", (unsigned)i, (unsigned)f->number, f->counts[i]);
        }
    }
}

void
server_rig_check_lost(const server_rig *f, catalog_loss loss, uint64_t amount)
{
    uint64_t expected[CATALOG_LOSS_COUNT] = {0};
    expected[loss] = amount;
    collector_rig_check_losses(&f->rig, f->id, expected);
}

void
server_rig_end_and_check(server_rig *f)
{
    wire_piece last = {.sequence = f->sequence++, .chunk = f->chunk, .is_last = true};
    uint32_t chunk_count = f->ticks.sent > 0 ? f->chunk + 1 : f->chunk; // an empty one is none
    server_rig_send(f, &last);
    collector_rig_await(&f->rig, f->id, chunk_count, true);
    assert_int_equal(
        collector_rig_count(&f->rig, f->id, chunk_count, f->counts, SERVER_RIG_NUMBERS_MAX), 0);
    server_rig_check_each_once(f);
}

pin
server_rig_pin(const server_rig *f, const pin *asked, const pin_chunks *chunks)
{
    pins *all = recall_get_pins(server_get_recall(f->rig.server));
    pin now;
    bool is_new;
    do { // it has the same key
        assert_int_equal(pins_add(all, asked, &now, &is_new), LP_OK);
        if (is_new) {
            pins_fill(all, now.id, chunks, &now);
        }
        (void)poll(NULL, 0, 5);
    } while (now.waiting > 0);
    return now;
}
