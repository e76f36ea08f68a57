// SPDX-License-Identifier: Apache-2.0

#include "common/base/lp_err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *
lp_err_text(lp_err err)
{
    switch (err) {
    case LP_OK:
        return "done";
    case LP_EAGAIN:
        return "not now";
    case LP_EEND:
        return "at the end";
    case LP_ENOMEM:
        return "out of memory";
    case LP_EIO:
        return "input/output error";
    case LP_ENOENT:
        return "not found";
    case LP_ECORRUPT:
        return "damaged data";
    case LP_EVERSION:
        return "unsupported version";
    case LP_ELIMIT:
        return "over a limit";
    case LP_ECLOSED:
        return "closed";
    }
    return "unknown error";
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
