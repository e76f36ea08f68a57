// SPDX-License-Identifier: Apache-2.0

#include "collector/keep/aside_files.h"

#include "collector/base/metrics.h"
#include "common/base/lp_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The service of a session that is looked for.
typedef struct owner {
    aside_files *of;
    const kept_service *service; // NULL: memory ran out
} owner;

static void
note_owner(void *arg, const catalog_session *row)
{
    owner *found = arg;
    found->service = kept_services_find(found->of->kept, row->service);
}

// find_owner finds the service of a session, or makes it: "" where nobody knows it.
static lp_err
find_owner(aside_files *self, const char *session_id, size_t *out_service)
{
    owner found = {.of = self};
    lp_err err = session_id[0] == '\0'
                     ? LP_ENOENT
                     : catalog_find(self->catalog, session_id, note_owner, &found);
    if (err == LP_ENOENT) {
        found.service = kept_services_find(self->kept, "");
        err = LP_OK;
    }
    LP_THEN(err, found.service == NULL ? LP_ENOMEM : LP_OK);
    if (err == LP_OK) {
        *out_service = (size_t)(found.service - self->kept->list.items);
    }
    return err;
}

static void
uncount(aside_files *self, size_t index)
{
    damaged_file *file = &self->files.items[index];
    kept_service *s = &self->kept->list.items[self->services.items[index]];
    kept_services_take_aside(self->kept, s, file->bytes);
    file->bytes = 0;
}

static lp_err
count(aside_files *self, size_t index)
{
    size_t service = 0;
    lp_err err = find_owner(self, self->files.items[index].session_id, &service);
    size_t *place = err == LP_OK ? LP_VEC_PUSH(&self->services) : NULL;
    if (place == NULL) {
        return err == LP_OK ? LP_ENOMEM : err;
    }
    *place = service;
    uint64_t bytes = self->files.items[index].bytes;
    kept_service *s = &self->kept->list.items[service];
    kept_services_add_aside(self->kept, s, bytes);
    s->due_wall_ns = INT64_MIN;
    return LP_OK;
}

static void
forget(aside_files *self)
{
    for (size_t i = 0; i < self->services.count; i++) {
        uncount(self, i);
    }
    self->services.count = 0;
    damaged_files_fini(&self->files);
}

lp_err
aside_files_look(aside_files *self)
{
    forget(self);
    lp_err err = damaged_files_list(self->dir, &self->files);
    for (size_t i = 0; i < self->files.count && err == LP_OK; i++) {
        err = count(self, i);
    }
    if (err != LP_OK) {
        forget(self);
    }
    return err;
}

// remove_file removes a file, also where it is on its way to the disk.
static lp_err
remove_file(const aside_files *self, const char *name)
{
    char *path = data_dir_path(self->dir, "%s", name);
    lp_err err = path == NULL ? LP_ENOMEM : late_journals_remove(self->late, path);
    free(path);
    return err == LP_OK ? damaged_files_remove(self->dir, name) : err;
}

lp_err
aside_files_remove(aside_files *self, size_t index)
{
    damaged_file *file = &self->files.items[index];
    lp_err err = remove_file(self, file->name);
    int error = errno;
    if (err == LP_OK) {
        metrics_add(METRICS_damaged_files_expired, 1);
    } else {
        lp_log(LP_LOG_ERROR, "%s cannot be removed: %s", file->name, lp_err_reason(err));
    }
    uncount(self, index);
    file->is_gone = true;
    errno = error;
    return err;
}

lp_err
aside_files_remove_of(aside_files *self, const char *session_id)
{
    lp_err all = LP_OK;
    int error = 0;
    for (size_t i = 0; i < self->files.count; i++) {
        if (strcmp(self->files.items[i].session_id, session_id) != 0) {
            continue;
        }
        lp_err err = aside_files_remove(self, i);
        error = err == LP_OK ? error : errno;
        all = err == LP_OK ? all : err;
    }
    errno = error;
    return all;
}

void
aside_files_fini(aside_files *self)
{
    forget(self);
    LP_VEC_FINI(&self->services);
}
