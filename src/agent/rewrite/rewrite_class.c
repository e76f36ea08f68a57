// SPDX-License-Identifier: Apache-2.0
#include "agent/rewrite/rewrite_class.h"

#include "agent/rewrite/rewrite_bytes.h"
#include "agent/rewrite/rewrite_code.h"
#include "agent/rewrite/rewrite_pool.h"

#include <stdbool.h>

enum {
    CLASS_MAGIC = 0xcafebabe,
    CLASS_EDITS_MAX = 16, // of one class
    VERSION_BYTES = 4,
};

typedef struct rewriter {
    rewrite_pool pool;
    rewrite_bytes from;
    rewrite_task tasks[CLASS_EDITS_MAX];
    size_t task_count;
    lp_buf body; // everything behind the pool
} rewriter;

static void
skip_attributes(rewrite_bytes *from)
{
    uint16_t count = rewrite_bytes_u2(from);
    for (uint32_t i = 0; i < count && !from->is_bad; i++) {
        (void)rewrite_bytes_u2(from); // its name
        (void)rewrite_bytes_take(from, rewrite_bytes_u4(from));
    }
}

// Skips access, names, interfaces and fields.
static void
skip_to_methods(rewrite_bytes *from)
{
    (void)rewrite_bytes_take(from, 6);
    uint16_t interfaces = rewrite_bytes_u2(from);
    (void)rewrite_bytes_take(from, (size_t)interfaces * 2);
    uint16_t fields = rewrite_bytes_u2(from);
    for (uint32_t i = 0; i < fields && !from->is_bad; i++) {
        (void)rewrite_bytes_take(from, 6); // access, name and descriptor
        skip_attributes(from);
    }
}

// Marks the tasks of a method; false if there are none.
static bool
find_tasks(rewriter *w, uint16_t name, uint16_t descriptor)
{
    bool has_any = false;
    for (size_t i = 0; i < w->task_count; i++) {
        const rewrite_edit *edit = w->tasks[i].edit;
        w->tasks[i].is_here =
            rewrite_pool_is(&w->pool, name, edit->method) &&
            (edit->descriptor == NULL || rewrite_pool_is(&w->pool, descriptor, edit->descriptor));
        has_any = has_any || w->tasks[i].is_here;
    }
    return has_any;
}

static void
put_between(rewriter *w, size_t begin, size_t end)
{
    lp_buf_append(&w->body, w->pool.file.ptr + begin, end - begin);
}

// Appends the attributes of a method that has tasks.
static lp_err
put_attributes(rewriter *w)
{
    uint16_t count = rewrite_bytes_u2(&w->from);
    rewrite_bytes_put_u2(&w->body, count);
    for (uint32_t i = 0; i < count; i++) {
        size_t begin = w->from.at;
        uint16_t name = rewrite_bytes_u2(&w->from);
        lp_slice content = rewrite_bytes_take(&w->from, rewrite_bytes_u4(&w->from));
        LP_REQUIRE(!w->from.is_bad, LP_ECORRUPT);
        if (!rewrite_pool_is(&w->pool, name, "Code")) {
            put_between(w, begin, w->from.at);
            continue;
        }
        rewrite_bytes_put_u2(&w->body, name);
        size_t size_at = w->body.len;
        rewrite_bytes_put_u4(&w->body, 0);
        lp_err err = rewrite_code(&w->pool, content, w->tasks, w->task_count, &w->body);
        LP_THEN(err, lp_buf_check(&w->body));
        LP_REQUIRE(err == LP_OK, err);
        rewrite_bytes_set_u4(w->body.ptr + size_at, (uint32_t)(w->body.len - size_at - 4));
    }
    return LP_OK;
}

static lp_err
put_methods(rewriter *w)
{
    uint16_t count = rewrite_bytes_u2(&w->from);
    rewrite_bytes_put_u2(&w->body, count);
    for (uint32_t i = 0; i < count && !w->from.is_bad; i++) {
        size_t begin = w->from.at;
        (void)rewrite_bytes_u2(&w->from); // access
        uint16_t name = rewrite_bytes_u2(&w->from);
        uint16_t descriptor = rewrite_bytes_u2(&w->from);
        if (!find_tasks(w, name, descriptor)) {
            skip_attributes(&w->from);
            put_between(w, begin, w->from.at);
            continue;
        }
        put_between(w, begin, w->from.at);
        LP_TRY(put_attributes(w));
    }
    return w->from.is_bad ? LP_ECORRUPT : LP_OK;
}

// Adds the helpers of all edits to the pool.
static lp_err
add_tasks(rewriter *w, const char *helper_class, const rewrite_edit *edits, size_t edit_count)
{
    LP_REQUIRE(edit_count <= CLASS_EDITS_MAX, LP_ELIMIT);
    for (size_t i = 0; i < edit_count; i++) {
        rewrite_task *task = &w->tasks[w->task_count++];
        task->edit = &edits[i];
        LP_TRY(rewrite_pool_add_method(
            &w->pool, helper_class, edits[i].helper, edits[i].helper_descriptor, &task->helper));
    }
    return LP_OK;
}

static lp_err
check_all_done(const rewriter *w)
{
    for (size_t i = 0; i < w->task_count; i++) {
        LP_REQUIRE(w->tasks[i].count != 0, LP_ENOENT);
    }
    return LP_OK;
}

static lp_err
put_body(rewriter *w)
{
    skip_to_methods(&w->from);
    LP_REQUIRE(!w->from.is_bad, LP_ECORRUPT);
    put_between(w, w->pool.end, w->from.at);
    LP_TRY(put_methods(w));
    size_t end = w->from.at;
    skip_attributes(&w->from);
    LP_REQUIRE(!w->from.is_bad && w->from.at == w->pool.file.len, LP_ECORRUPT);
    put_between(w, end, w->from.at);
    lp_err err = lp_buf_check(&w->body);
    return err == LP_OK ? check_all_done(w) : err;
}

static lp_err
put_file(const rewriter *w, lp_buf *out)
{
    const rewrite_pool *pool = &w->pool;
    size_t before = out->len;
    size_t head = sizeof(uint32_t) + VERSION_BYTES;
    lp_buf_append(out, pool->file.ptr, head);
    rewrite_bytes_put_u2(out, (uint16_t)(pool->count + pool->added_count));
    head += sizeof(uint16_t);
    lp_buf_append(out, pool->file.ptr + head, pool->end - head);
    lp_buf_append(out, pool->added.ptr, pool->added.len);
    lp_buf_append(out, w->body.ptr, w->body.len);
    if (lp_buf_check(out) != LP_OK) {
        out->len = before;
        return LP_ENOMEM;
    }
    return LP_OK;
}

static lp_err
rewrite(lp_slice file, const char *helper_class, const rewrite_edit *edits, size_t edit_count,
    bool is_made, lp_buf *out)
{
    rewriter w = {.from = {.bytes = file}};
    bool is_class = rewrite_bytes_u4(&w.from) == CLASS_MAGIC;
    (void)rewrite_bytes_take(&w.from, VERSION_BYTES);
    lp_err err = is_class ? rewrite_pool_read(&w.pool, &w.from) : LP_ECORRUPT;
    bool is_needed = err == LP_OK && (is_made || !rewrite_pool_has(&w.pool, helper_class));
    if (is_needed) {
        err = add_tasks(&w, helper_class, edits, edit_count);
    }
    if (is_needed && err == LP_OK) {
        err = put_body(&w);
    }
    if (is_needed && err == LP_OK) {
        err = put_file(&w, out);
    }
    rewrite_pool_fini(&w.pool);
    lp_buf_fini(&w.body);
    return err;
}

lp_err
rewrite_class(lp_slice file, const char *helper_class, const rewrite_edit *edits, size_t edit_count,
    lp_buf *out)
{
    return rewrite(file, helper_class, edits, edit_count, false, out);
}

lp_err
rewrite_class_made(lp_slice file, const char *helper_class, const rewrite_edit *edits,
    size_t edit_count, lp_buf *out)
{
    return rewrite(file, helper_class, edits, edit_count, true, out);
}

lp_err
rewrite_class_look(lp_slice file, rewrite_class_names *out_names)
{
    rewrite_bytes from = {.bytes = file};
    rewrite_pool pool = {0};
    bool is_class = rewrite_bytes_u4(&from) == CLASS_MAGIC;
    (void)rewrite_bytes_take(&from, VERSION_BYTES);
    lp_err err = is_class ? rewrite_pool_read(&pool, &from) : LP_ECORRUPT;
    if (err == LP_OK) {
        (void)rewrite_bytes_u2(&from); // access
        out_names->name = rewrite_pool_class_name(&pool, rewrite_bytes_u2(&from));
        out_names->superclass = rewrite_pool_class_name(&pool, rewrite_bytes_u2(&from));
        err = from.is_bad || out_names->name.len == 0 ? LP_ECORRUPT : LP_OK;
    }
    rewrite_pool_fini(&pool);
    return err;
}
