// SPDX-License-Identifier: Apache-2.0
// ctx_layout_main FILE: writes the Java class RingLayout. The build runs it.
//
// Tests:   tests/unit/agent/context/test_ctx_layout.c
#include "agent/context/ctx_layout.h"

#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
    lp_buf java = {0};
    FILE *file = argc == 2 && ctx_layout_put_java(&java) == LP_OK ? fopen(argv[1], "w") : NULL;
    bool is_written = file != NULL && fwrite(java.ptr, java.len, 1, file) == 1;
    is_written &= file != NULL && fclose(file) == 0;
    lp_buf_fini(&java);
    return is_written ? EXIT_SUCCESS : EXIT_FAILURE;
}
