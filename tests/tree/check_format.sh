#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check_format.sh ROOT: every C and Java file is as clang-format 14 leaves it. Other versions format
# differently, so without that one the check is skipped (exit 77).
set -eu
cd "$1"
for name in clang-format-14 clang-format; do
  if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
    find src java tests bench '(' -name '*.[ch]' -o -name '*.java' ')' -print0 | xargs -0 "$name" --dry-run -Werror
    exit 0
  fi
done
echo "skipped: no clang-format 14 (looked for clang-format-14 and clang-format)"
exit 77
