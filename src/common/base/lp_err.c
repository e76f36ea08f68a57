// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_err.h"

#include "common/base/lp_find.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *
lp_err_text(lp_err err)
{
    static const char *const texts[] = {
        [LP_OK] = "done",
        [LP_EAGAIN] = "not now",
        [LP_EEND] = "at the end",
        [LP_ENOMEM] = "out of memory",
        [LP_EIO] = "input/output error",
        [LP_ENOENT] = "not found",
        [LP_ECORRUPT] = "damaged data",
        [LP_EVERSION] = "unsupported version",
        [LP_ELIMIT] = "over a limit",
        [LP_ECLOSED] = "closed",
    };
    return (size_t)err < LP_COUNT(texts) ? texts[err] : "unknown error";
}

const char *
lp_err_reason(lp_err err)
{
    return err == LP_EIO ? strerror(errno) : lp_err_text(err);
}

lp_err
lp_problem_set(lp_problem *problem, lp_err err, const char *format, ...)
{
    if (problem != NULL) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(problem->text, sizeof(problem->text), format, args);
        va_end(args);
        problem->has_offset = false;
    }
    return err;
}

lp_err
lp_problem_at(lp_problem *problem, lp_err err, uint64_t offset, const char *format, ...)
{
    if (problem != NULL) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(problem->text, sizeof(problem->text), format, args);
        va_end(args);
        problem->offset = offset;
        problem->has_offset = true;
    }
    return err;
}
