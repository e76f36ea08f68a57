// SPDX-License-Identifier: Apache-2.0
#include "policy_rig.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int
policy_rig_setup(void **state)
{
    policy_rig *f = calloc(1, sizeof(*f));
    assert_non_null(f);
    f->dir = temp_dir_make();
    (void)snprintf(f->path, sizeof(f->path), "%s/test.jfc", f->dir.path);
    f->policy = policy_create();
    assert_non_null(f->policy);
    *state = f;
    return 0;
}

int
policy_rig_teardown(void **state)
{
    policy_rig *f = *state;
    policy_destroy(f->policy);
    temp_dir_remove(&f->dir);
    free(f);
    return 0;
}

void
policy_rig_write_file(const policy_rig *f, const char *bytes, size_t count)
{
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

// catch_log sends standard error to a file; end_catch takes it back, and the file into f->log.
static int
catch_log(const policy_rig *f, int *out_log_fd)
{
    char log_path[400];
    (void)snprintf(log_path, sizeof(log_path), "%s/log", f->dir.path);
    int log_fd = open(log_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    int saved_fd = dup(STDERR_FILENO);
    assert_true(log_fd >= 0 && saved_fd >= 0);
    assert_int_equal(dup2(log_fd, STDERR_FILENO), STDERR_FILENO);
    *out_log_fd = log_fd;
    return saved_fd;
}

static void
end_catch(policy_rig *f, int log_fd, int saved_fd)
{
    assert_int_equal(dup2(saved_fd, STDERR_FILENO), STDERR_FILENO);
    ssize_t count = pread(log_fd, f->log, sizeof(f->log) - 1, 0);
    assert_true(count >= 0);
    f->log[count] = '\0';
    assert_int_equal(close(saved_fd), 0);
    assert_int_equal(close(log_fd), 0);
}

lp_err
policy_rig_read_path(policy_rig *f, const char *path)
{
    int log_fd;
    int saved_fd = catch_log(f, &log_fd);
    f->problem.text[0] = '\0';
    lp_err err = policy_read(f->policy, path, &f->problem);
    end_catch(f, log_fd, saved_fd);
    return err;
}

void
policy_rig_check_type(policy_rig *f, const char *event_type_name, bool is_contextual)
{
    int log_fd;
    int saved_fd = catch_log(f, &log_fd);
    policy_check_type(f->policy, event_type_name, is_contextual);
    end_catch(f, log_fd, saved_fd);
}

void
policy_rig_check_api_type(policy_rig *f, const char *type_name)
{
    int log_fd;
    int saved_fd = catch_log(f, &log_fd);
    policy_check_api_type(f->policy, type_name);
    end_catch(f, log_fd, saved_fd);
}

void
policy_rig_check_index(policy_rig *f, const char *type_name, const char *attribute)
{
    int log_fd;
    int saved_fd = catch_log(f, &log_fd);
    policy_check_index(f->policy, type_name, attribute);
    end_catch(f, log_fd, saved_fd);
}

void
policy_rig_check_unmet(policy_rig *f, bool is_over, int64_t now_wall_ns)
{
    int log_fd;
    int saved_fd = catch_log(f, &log_fd);
    policy_check_unmet(f->policy, is_over, now_wall_ns, f->path, &f->unmet);
    end_catch(f, log_fd, saved_fd);
}

lp_err
policy_rig_read_text(policy_rig *f, const char *text)
{
    policy_rig_write_file(f, text, strlen(text));
    return policy_rig_read_path(f, f->path);
}

lp_err
policy_rig_read_setting(policy_rig *f, const char *name, const char *value)
{
    char text[1024];
    (void)snprintf(text, sizeof(text),
        "<configuration><event name='t'><setting name='%s'>%s</setting></event></configuration>",
        name, value);
    return policy_rig_read_text(f, text);
}
