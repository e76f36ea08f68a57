// SPDX-License-Identifier: Apache-2.0

// Design notes
//
// The directory is polled. Unlike notifications of the kernel, this works on every file system,
// across symbolic links and for a directory that is replaced. A file is read again when its stat
// has changed. The kernel's clock for files moves in steps of milliseconds, so two writes may leave
// the same stat: a file whose last change is young is read again, too.

#include "policy/policy_dir.h"

#include "common/base/lp_bisect.h"
#include "common/base/lp_buf.h"
#include "common/base/lp_ends_with.h"
#include "common/base/lp_find.h"
#include "common/base/lp_hash.h"
#include "common/base/lp_log.h"
#include "common/base/lp_time.h"
#include "policy/policy_text.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const int64_t YOUNG_NS = 2000000000; // no file system has coarser time stamps

typedef enum kind {
    KIND_POLICY,
    KIND_KEEP,
    KIND_COUNT,
} kind;

static const char *const suffixes[KIND_COUNT] = {".jfc", ".keep"};
static const char default_name[] = "default";

// A file has changed if this has.
typedef struct look {
    int error; // of stat; 0: none
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t modified_ns;
    int64_t changed_ns;
} look;

typedef struct entry {
    policy_dir_entry shown; // of a KIND_KEEP without file
    policy_keep keep;       // of a KIND_KEEP; {0} until the file was read
    bool has_keep;          // it was
    look seen;
    int64_t seen_wall_ns;
    bool is_read;       // else reading failed, and is tried again
    uint64_t seen_hash; // of the text
    bool is_there;      // the current look has found the file
} entry;

typedef LP_VEC(entry) entry_list; // by name

struct policy_dir {
    char *path;
    bool is_file;          // path is the default policy, and there are no other files
    bool is_unreadable;    // and this was logged
    size_t unread;         // files of the last look over the limit; if any, this was logged
    pthread_mutex_t mutex; // of the rest; policy_dir_look locks it only to change it
    entry_list lists[KIND_COUNT];
    uint64_t keep_version; // raised with each change of the .keep files
};

static int64_t
ns_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static look
look_at(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return (look){.error = errno};
    }
    if (!S_ISREG(info.st_mode)) { // opening a pipe might block
        return (look){.error = EINVAL};
    }
    return (look){
        .device = info.st_dev,
        .inode = info.st_ino,
        .size = info.st_size,
        .modified_ns = ns_of(info.st_mtim),
        .changed_ns = ns_of(info.st_ctim),
    };
}

static bool
is_same(const look *left, const look *right)
{
    return left->error == right->error && left->device == right->device &&
           left->inode == right->inode && left->size == right->size &&
           left->modified_ns == right->modified_ns && left->changed_ns == right->changed_ns;
}

// --- Entries

static void
fini_entry(policy_dir_entry *e)
{
    free(e->name);
    free(e->path);
    policy_file_unref(e->file);
    *e = (policy_dir_entry){0};
}

// find_index returns the index of the entry of this name, or where to insert it.
static size_t
find_index(const entry_list *list, const char *name, bool *out_is_there)
{
    size_t index = LP_BISECT(list->items, 0, list->count, strcmp(at->shown.name, name) < 0);
    *out_is_there = index < list->count && strcmp(list->items[index].shown.name, name) == 0;
    return index;
}

static entry *
find_entry(const entry_list *list, const char *name)
{
    bool is_there;
    size_t index = find_index(list, name, &is_there);
    return is_there ? &list->items[index] : NULL;
}

// add_entry adds an entry for a new file. NULL: memory ran out, or there are too many.
static entry *
add_entry(policy_dir *self, kind of, const char *name)
{
    entry_list *list = &self->lists[of];
    LP_REQUIRE(list->count < POLICY_DIR_FILES_MAX, NULL);
    entry new = {.shown = {.name = strdup(name)}, .seen = {.error = -1}};
    if (self->is_file) {
        new.shown.path = strdup(self->path);
    } else if (asprintf(&new.shown.path, "%s/%s%s", self->path, name, suffixes[of]) < 0) {
        new.shown.path = NULL;
    }
    (void)pthread_mutex_lock(&self->mutex);
    entry *at = NULL;
    if (new.shown.name != NULL &&new.shown.path != NULL && LP_VEC_ROOM(list)) {
        bool is_there;
        size_t index = find_index(list, name, &is_there);
        at = &list->items[index];
        memmove(at + 1, at, (list->count++ - index) * sizeof(*at));
        *at = new;
    }
    (void)pthread_mutex_unlock(&self->mutex);
    if (at == NULL) {
        fini_entry(&new.shown);
    }
    return at;
}

// --- Reading

static void
refuse(policy_dir *self, entry *e, const lp_problem *problem)
{
    bool was_used = e->shown.file != NULL || e->has_keep;
    lp_log(LP_LOG_ERROR, "policy %s; %s", problem->text,
        was_used ? "its previous content stays in force" : "the file is not used");
    (void)pthread_mutex_lock(&self->mutex);
    e->shown.refused = *problem;
    e->shown.refused_wall_ns = lp_time_now();
    (void)pthread_mutex_unlock(&self->mutex);
}

// use makes file, which it takes, the policy in force.
static void
use(policy_dir *self, policy_dir_entry *e, policy_file *file)
{
    (void)pthread_mutex_lock(&self->mutex);
    policy_file *before = e->file;
    e->file = file;
    e->refused = (lp_problem){0};
    (void)pthread_mutex_unlock(&self->mutex);
    if (policy_file_get_id(before) != policy_file_get_id(file)) {
        lp_log(LP_LOG_INFO, "policy %s: %s", e->path, before == NULL ? "in force" : "changed");
    }
    policy_file_unref(before);
}

static void
use_keep(policy_dir *self, entry *e, const policy_keep *keep)
{
    (void)pthread_mutex_lock(&self->mutex);
    e->keep = *keep;
    e->has_keep = true;
    self->keep_version++;
    e->shown.refused = (lp_problem){0};
    (void)pthread_mutex_unlock(&self->mutex);
    lp_log(LP_LOG_INFO, "policy %s: in force", e->shown.path);
}

// take_text parses the text of a file, and uses or refuses it.
static void
take_text(policy_dir *self, kind of, entry *e, lp_slice text)
{
    lp_problem problem;
    policy_file *file;
    policy_keep keep;
    if (of == KIND_POLICY && policy_file_parse(e->shown.path, text, &file, &problem) == LP_OK) {
        use(self, &e->shown, file);
    } else if (of == KIND_KEEP &&
               policy_keep_parse(e->shown.path, text, &keep, &problem) == LP_OK) {
        use_keep(self, e, &keep);
    } else {
        refuse(self, e, &problem);
    }
}

// read_again reads a file if it may have changed.
static void
read_again(policy_dir *self, kind of, entry *e)
{
    look now = look_at(e->shown.path);
    int64_t young_ns = now.modified_ns > now.changed_ns ? now.modified_ns : now.changed_ns;
    bool is_new = !is_same(&now, &e->seen);
    bool is_settled = e->is_read && e->seen_wall_ns - young_ns > YOUNG_NS;
    if (!is_new && (now.error != 0 || is_settled)) {
        return;
    }
    e->seen = now;
    e->seen_wall_ns = lp_time_now();
    lp_buf text = {0};
    lp_problem problem;
    lp_err err = now.error == 0 ? policy_text_load(e->shown.path, &text, &problem)
                                : lp_problem_set(&problem, LP_EIO, "%s: %s", e->shown.path,
                                      now.error == EINVAL ? "not a file" : strerror(now.error));
    uint64_t hash = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&text));
    if (err != LP_OK && is_new) {
        refuse(self, e, &problem);
    } else if (err == LP_OK && (is_new || hash != e->seen_hash)) {
        take_text(self, of, e, lp_buf_slice(&text));
    }
    e->seen_hash = hash;
    e->is_read = err == LP_OK || err == LP_ELIMIT;
    lp_buf_fini(&text);
}

// take_name cuts the suffix off the name of a file. Returns its kind; KIND_COUNT for any other
// file.
static kind
take_name(char *name)
{
    size_t len = strlen(name);
    for (kind of = 0; of < KIND_COUNT && name[0] != '.'; of++) {
        size_t suffix_len = strlen(suffixes[of]);
        if (len > suffix_len && lp_ends_with(name, len, suffixes[of])) {
            name[len - suffix_len] = '\0';
            return of;
        }
    }
    return KIND_COUNT;
}

static void
drop_missing(policy_dir *self, entry_list *list)
{
    for (size_t i = list->count; i > 0; i--) {
        entry *e = &list->items[i - 1];
        if (e->is_there) {
            e->is_there = false;
            continue;
        }
        lp_log(LP_LOG_INFO, "policy %s: file removed; no longer in force", e->shown.path);
        (void)pthread_mutex_lock(&self->mutex);
        entry gone = *e;
        list->count--;
        memmove(e, e + 1, (list->count - (i - 1)) * sizeof(*e));
        self->keep_version++;
        (void)pthread_mutex_unlock(&self->mutex);
        fini_entry(&gone.shown);
    }
}

static void
set_unread(policy_dir *self, size_t unread)
{
    if (unread > 0 && self->unread == 0) {
        lp_log(LP_LOG_WARN, "policy directory %s: more than %d files of one kind; ignoring %zu",
            self->path, POLICY_DIR_FILES_MAX, unread);
    }
    self->unread = unread;
}

static lp_err
look_once(policy_dir *self)
{
    size_t unread = 0;
    DIR *files = opendir(self->path);
    LP_REQUIRE(files != NULL, LP_EIO);
    errno = 0;
    for (struct dirent *file; (file = readdir(files)) != NULL; errno = 0) {
        kind of = take_name(file->d_name);
        if (of != KIND_COUNT) {
            entry *e = find_entry(&self->lists[of], file->d_name);
            e = e == NULL ? add_entry(self, of, file->d_name) : e;
            if (e != NULL) {
                e->is_there = true;
                read_again(self, of, e);
            }
            unread += e == NULL && self->lists[of].count >= POLICY_DIR_FILES_MAX;
        }
    }
    lp_err err = errno == 0 ? LP_OK : LP_EIO;
    (void)closedir(files);
    if (err == LP_OK) {
        for (kind of = 0; of < KIND_COUNT; of++) {
            drop_missing(self, &self->lists[of]);
        }
        set_unread(self, unread);
    }
    return err;
}

size_t
policy_dir_look(policy_dir *self)
{
    if (self->is_file) {
        read_again(self, KIND_POLICY, find_entry(&self->lists[KIND_POLICY], default_name));
        return 0;
    }
    lp_err err = look_once(self);
    if (err != LP_OK && !self->is_unreadable) {
        lp_log(LP_LOG_ERROR, "policy directory %s: %s; its previous policies stay in force",
            self->path, strerror(errno));
    }
    self->is_unreadable = err != LP_OK;
    return self->unread;
}

// --- Opening

// create makes a directory without entries. NULL if memory ran out.
static policy_dir *
create(const char *path, bool is_file)
{
    policy_dir *self = calloc(1, sizeof(*self));
    LP_REQUIRE(self != NULL, NULL);
    (void)pthread_mutex_init(&self->mutex, NULL); // Linux's cannot fail
    self->is_file = is_file;
    self->keep_version = 1;
    self->path = strdup(path);
    if (self->path == NULL) {
        policy_dir_close(self);
        return NULL;
    }
    return self;
}

lp_err
policy_dir_open(const char *path, policy_dir **out_dir, lp_problem *out_problem)
{
    policy_dir *self = create(path, false);
    lp_err err = self == NULL ? LP_ENOMEM : look_once(self);
    if (err != LP_OK) {
        (void)lp_problem_set(
            out_problem, err, "%s: %s", path, err == LP_EIO ? strerror(errno) : lp_err_text(err));
        policy_dir_close(self);
        return err;
    }
    *out_dir = self;
    return LP_OK;
}

// open_default reads the file at self->path. A pipe can be read only once, and does not change.
static lp_err
open_default(policy_dir *self, lp_problem *out_problem)
{
    entry *e = add_entry(self, KIND_POLICY, default_name);
    LP_REQUIRE(e != NULL, lp_problem_set(out_problem, LP_ENOMEM, "out of memory"));
    lp_buf text = {0};
    e->seen = look_at(self->path); // before reading, so that a write meanwhile is a change
    e->seen_wall_ns = lp_time_now();
    lp_err err = policy_text_load(self->path, &text, out_problem);
    LP_THEN(err, policy_file_parse(self->path, lp_buf_slice(&text), &e->shown.file, out_problem));
    e->seen_hash = lp_hash_bytes(LP_HASH_FIXED, lp_buf_slice(&text));
    e->is_read = true;
    lp_buf_fini(&text);
    if (err == LP_OK) {
        lp_log(LP_LOG_INFO, "policy %s: in force for all services and their JVMs", self->path);
    }
    return err;
}

lp_err
policy_dir_open_file(const char *path, policy_dir **out_dir, lp_problem *out_problem)
{
    policy_dir *self = create(path, true);
    lp_err err = self == NULL ? lp_problem_set(out_problem, LP_ENOMEM, "out of memory")
                              : open_default(self, out_problem);
    if (err != LP_OK) {
        policy_dir_close(self);
        return err;
    }
    *out_dir = self;
    return LP_OK;
}

void
policy_dir_close(policy_dir *self)
{
    if (self == NULL) {
        return;
    }
    for (kind of = 0; of < KIND_COUNT; of++) {
        LP_VEC_FINI_EACH(&self->lists[of], fini_entry(&at->shown));
    }
    (void)pthread_mutex_destroy(&self->mutex);
    free(self->path);
    free(self);
}

// --- Lookups

policy_file *
policy_dir_find(policy_dir *self, const char *service)
{
    LP_REQUIRE(self != NULL, NULL);
    (void)pthread_mutex_lock(&self->mutex);
    const entry_list *list = &self->lists[KIND_POLICY];
    const entry *e = find_entry(list, service);
    if (e == NULL || e->shown.file == NULL) {
        e = find_entry(list, default_name);
    }
    policy_file *file = e == NULL || e->shown.file == NULL ? NULL : policy_file_ref(e->shown.file);
    (void)pthread_mutex_unlock(&self->mutex);
    return file;
}

// override replaces the limits that a file has.
static void
override(policy_keep *keep, const policy_keep *by)
{
    keep->age_ns = by->age_ns != 0 ? by->age_ns : keep->age_ns;
    keep->bytes = by->bytes != 0 ? by->bytes : keep->bytes;
    keep->daily_bytes = by->daily_bytes != 0 ? by->daily_bytes : keep->daily_bytes;
    keep->recall_ns = by->recall_ns != 0 ? by->recall_ns : keep->recall_ns;
    if (by->pin_when != 0) {
        keep->pin_when = by->pin_when;
        keep->pin_rule = by->pin_rule;
    }
    keep->pin_pause_ns = by->pin_pause_ns != 0 ? by->pin_pause_ns : keep->pin_pause_ns;
    if (by->recall_budget_bytes != 0) {
        keep->recall_budget_bytes = by->recall_budget_bytes;
    }
    keep->trace = by->trace != 0 ? by->trace : keep->trace;
}

// find_keep returns the limits in force for a service. The caller holds the mutex.
static policy_keep
find_keep(const policy_dir *self, const char *service)
{
    policy_keep keep = {0};
    const char *const names[] = {default_name, service}; // the service's file overrides
    for (size_t i = 0; i < LP_COUNT(names); i++) {
        const entry *e = find_entry(&self->lists[KIND_KEEP], names[i]);
        if (e != NULL) {
            override(&keep, &e->keep);
        }
    }
    return keep;
}

policy_keep
policy_dir_find_keep(policy_dir *self, const char *service)
{
    if (self == NULL) {
        return (policy_keep){0};
    }
    (void)pthread_mutex_lock(&self->mutex);
    policy_keep keep = find_keep(self, service);
    (void)pthread_mutex_unlock(&self->mutex);
    return keep;
}

void
policy_dir_each_keep(policy_dir *self,
    void (*on_keep)(void *arg, const char *path, const policy_keep *keep), void *arg)
{
    (void)pthread_mutex_lock(&self->mutex);
    const entry_list *list = &self->lists[KIND_KEEP];
    for (size_t i = 0; i < list->count; i++) {
        const policy_keep keep = find_keep(self, list->items[i].shown.name);
        on_keep(arg, list->items[i].shown.path, &keep);
    }
    (void)pthread_mutex_unlock(&self->mutex);
}

uint64_t
policy_dir_get_keep_version(policy_dir *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    uint64_t version = self->keep_version;
    (void)pthread_mutex_unlock(&self->mutex);
    return version;
}

bool
policy_dir_has_whole_traces(policy_dir *self)
{
    LP_REQUIRE(self != NULL, false);
    (void)pthread_mutex_lock(&self->mutex);
    const entry_list *list = &self->lists[KIND_KEEP];
    bool has_one = LP_ANY(list->items, list->count, at->keep.trace == POLICY_KEEP_TRACE_WHOLE);
    (void)pthread_mutex_unlock(&self->mutex);
    return has_one;
}

bool
policy_dir_has_keep(policy_dir *self, const char *service)
{
    LP_REQUIRE(self != NULL, false);
    (void)pthread_mutex_lock(&self->mutex);
    bool has_keep = find_entry(&self->lists[KIND_KEEP], service) != NULL;
    (void)pthread_mutex_unlock(&self->mutex);
    return has_keep;
}

static lp_err
list_locked(const policy_dir *self, policy_dir_entries *out)
{
    const entry_list *list = &self->lists[KIND_POLICY];
    for (size_t i = 0; i < list->count; i++) {
        const policy_dir_entry *from = &list->items[i].shown;
        policy_dir_entry *to = LP_VEC_PUSH(out);
        LP_REQUIRE(to != NULL, LP_ENOMEM);
        *to = *from;
        to->name = strdup(from->name);
        to->path = strdup(from->path);
        to->file = from->file == NULL ? NULL : policy_file_ref(from->file);
        LP_REQUIRE(to->name != NULL && to->path != NULL, LP_ENOMEM);
    }
    return LP_OK;
}

lp_err
policy_dir_list(policy_dir *self, policy_dir_entries *out)
{
    (void)pthread_mutex_lock(&self->mutex);
    lp_err err = list_locked(self, out);
    (void)pthread_mutex_unlock(&self->mutex);
    return err;
}

void
policy_dir_entries_fini(policy_dir_entries *entries)
{
    LP_VEC_FINI_EACH(entries, fini_entry(at));
}
