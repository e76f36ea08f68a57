// SPDX-License-Identifier: Apache-2.0

#include "collector/recall/pin/pin_file.h"

#include "collector/base/metrics.h"
#include "collector/journal/place_mark.h"
#include "collector/recall/pin/pin_json.h"
#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"
#include "common/base/lp_io.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Writing

static void
on_pin(void *arg, const pin *of)
{
    json_t *item = pin_json_write(of);
    if (item != NULL) {
        (void)json_array_append_new(arg, item);
    }
}

// make_text returns the content of the file; NULL if memory ran out.
static char *
make_text(pins *of)
{
    json_t *items = json_array();
    if (items != NULL) {
        pins_each(of, on_pin, items);
    }
    json_t *all = json_pack("{s:o}", "pins", items);
    char *text = all == NULL ? NULL : json_dumps(all, JSON_COMPACT);
    json_decref(all);
    return text;
}

// --- Reading

typedef struct loading {
    pins *to; // NULL: they are only read
    void (*on_unsettled)(void *arg, const pin *pin);
    void *arg;
} loading;

// restore adds a pin to the others.
static lp_err
restore(const loading *load, pin *saved)
{
    LP_ASSERT(load->to != NULL && load->on_unsettled != NULL);
    bool is_new;
    saved->waiting = 0;
    if (!saved->is_settled) { // its chunks are looked for
        memset(saved->outcomes, 0, sizeof(saved->outcomes));
        saved->left_out = 0;
    }
    LP_TRY(pins_add(load->to, saved, saved, &is_new));
    if (is_new && !saved->is_settled) {
        load->on_unsettled(load->arg, saved);
    }
    return LP_OK;
}

// read_all reads the pins in the order in which they were made, and skips those that a later
// version may have made.
static lp_err
read_all(const char *path, const json_t *items, const loading *load, lp_problem *out_problem)
{
    lp_err result = LP_OK;
    for (size_t i = json_array_size(items); i-- > 0;) {
        pin saved;
        if (!pin_json_read(json_array_get(items, i), &saved)) {
            result = lp_problem_set(out_problem, LP_ECORRUPT, "%s: pin %zu is damaged", path, i);
            continue;
        }
        lp_err err = load->to == NULL ? LP_OK : restore(load, &saved);
        LP_REQUIRE(
            err == LP_OK, lp_problem_set(out_problem, err, "%s: %s", path, lp_err_reason(err)));
    }
    return result;
}

// parse_items reads the list in a file. *out_items is NULL if there is no file. Owns: the caller
// ends *out_items.
static lp_err
parse_items(const char *path, char *text, json_t **out_items, lp_problem *out_problem)
{
    size_t size = 0;
    *out_items = NULL;
    if (lp_io_read_file(path, text, PIN_FILE_BYTES_MAX, &size) != LP_OK) {
        return errno == ENOENT
                   ? LP_OK
                   : lp_problem_set(out_problem, LP_EIO, "%s: %s", path, strerror(errno));
    }
    json_t *all = json_loadb(text, size, 0, NULL);
    json_t *items = json_object_get(all, "pins");
    *out_items = json_is_array(items) ? json_incref(items) : NULL;
    json_decref(all);
    return *out_items != NULL
               ? LP_OK
               : lp_problem_set(out_problem, LP_ECORRUPT, "%s: it is no list of pins", path);
}

static lp_err
read_items(const char *path, json_t **out_items, lp_problem *out_problem)
{
    char *text = malloc(PIN_FILE_BYTES_MAX);
    LP_REQUIRE(text != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_err err = parse_items(path, text, out_items, out_problem);
    free(text);
    return err;
}

static lp_err
read_file(const char *path, const loading *load, lp_problem *out_problem)
{
    json_t *items;
    LP_TRY(read_items(path, &items, out_problem));
    lp_err err = items == NULL ? LP_OK : read_all(path, items, load, out_problem);
    json_decref(items);
    return err;
}

lp_err
pin_file_check(const char *path, lp_problem *out_problem)
{
    return read_file(path, &(loading){.to = NULL}, out_problem);
}

lp_err
pin_file_load(const char *path, pins *to, void (*on_unsettled)(void *arg, const pin *pin),
    void *arg, lp_problem *out_problem)
{
    LP_ASSERT(on_unsettled != NULL);
    const loading load = {.to = to, .on_unsettled = on_unsettled, .arg = arg};
    return read_file(path, &load, out_problem);
}

// write_readable writes the pins that can be read, and takes the list of all.
static lp_err
write_readable(const char *path, json_t *items)
{
    LP_ASSERT(json_is_array(items));
    for (size_t i = json_array_size(items); i-- > 0;) {
        pin saved;
        if (!pin_json_read(json_array_get(items, i), &saved)) {
            (void)json_array_remove(items, i);
        }
    }
    json_t *all = json_pack("{s:o}", "pins", items);
    char *text = all == NULL ? NULL : json_dumps(all, JSON_COMPACT);
    lp_err err = text == NULL ? LP_ENOMEM : place_mark_write(path, text);
    json_decref(all);
    free(text);
    return err;
}

lp_err
pin_file_mend(const char *path)
{
    json_t *items;
    lp_problem ignored;
    lp_err err = read_items(path, &items, &ignored);
    if (err == LP_ECORRUPT) {
        return unlink(path) == 0 ? LP_OK : LP_EIO;
    }
    return err != LP_OK || items == NULL ? err : write_readable(path, items);
}

// --- Life

struct pin_file {
    uv_work_t work;
    uv_loop_t *loop;
    pins *of;
    char *path;
    uint64_t version; // of the pins in the file, or in work
    bool is_writing;
    char *text;  // of the worker
    lp_err err;  // the same
    int failure; // the same: errno
};

static void
file_check(const pin_file *self)
{
    LP_ASSERT(self->loop != NULL && self->of != NULL && self->path != NULL);
    LP_ASSERT(self->is_writing || self->text == NULL);
}

pin_file *
pin_file_create(uv_loop_t *loop, pins *of, const char *path)
{
    pin_file *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    *self = (pin_file){.work.data = self,
        .loop = loop,
        .of = of,
        .path = strdup(path),
        .version = pins_get_version(of)};
    if (self->path == NULL) {
        free(self);
        return NULL;
    }
    return self;
}

// begin makes the text to write. The version comes first: what changes meanwhile is written again.
static void
begin(pin_file *self)
{
    LP_ASSERT(!self->is_writing && self->text == NULL);
    self->version = pins_get_version(self->of);
    self->text = make_text(self->of);
    self->err = self->text == NULL ? LP_ENOMEM : LP_OK;
}

static void
run(uv_work_t *work)
{
    pin_file *self = work->data;
    LP_ASSERT((self->text != NULL) == (self->err == LP_OK));
    LP_THEN(self->err, place_mark_write(self->path, self->text));
    self->failure = errno;
}

static void
end(pin_file *self)
{
    free(self->text);
    self->text = NULL;
    self->is_writing = false;
    if (self->err != LP_OK) {
        metrics_add(METRICS_pins_unsaved, 1);
        lp_log(LP_LOG_WARN, "%s: pins cannot be saved: %s; a restart forgets them", self->path,
            self->err == LP_EIO ? strerror(self->failure) : lp_err_reason(self->err));
    }
}

static void
on_done(uv_work_t *work, int status)
{
    (void)status; // never cancelled
    pin_file *self = work->data;
    LP_ASSERT(self->is_writing);
    end(self);
}

void
pin_file_tick(pin_file *self)
{
    file_check(self);
    if (self->is_writing || self->version == pins_get_version(self->of)) {
        return;
    }
    begin(self);
    self->is_writing = true;
    int failure = uv_queue_work(self->loop, &self->work, run, on_done);
    LP_ASSERT(failure == 0); // it fails only without a callback
}

void
pin_file_destroy(pin_file *self)
{
    if (self == NULL) {
        return;
    }
    file_check(self);
    LP_ASSERT(!self->is_writing); // the loop has ended, and so has its work
    if (self->version != pins_get_version(self->of)) {
        begin(self);
        run(&self->work);
        end(self);
    }
    free(self->path);
    free(self);
}
