#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_format.py ROOT [--all]: the C and Java files that changed (changed.py) are as clang-format 14 leaves them; with --all, or
after a change of its rules, all of them. Other versions format differently, so without that one the check is skipped."""

import pathlib
import subprocess
import sys

from changed import changed_files

SKIPPED = 77
FOLDERS = ("src", "java", "tests", "bench")
SUFFIXES = (".c", ".h", ".java")


def find_format():
    for name in ("clang-format-14", "clang-format"):
        try:
            version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True)
        except FileNotFoundError:
            continue
        if "version 14." in version.stdout:
            return name
    return None


def chosen_files(root, is_all):
    files = {path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in SUFFIXES}
    changed = None if is_all else changed_files(root)
    if changed is None or root / ".clang-format" in changed:
        return sorted(files)
    return sorted(files.intersection(changed))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    program = find_format()
    if program is None:
        print("skipped: no clang-format 14 (looked for clang-format-14 and clang-format)")
        return SKIPPED
    files = chosen_files(root, "--all" in sys.argv[2:])
    print(f"clang-format: {len(files)} files")
    return subprocess.run([program, "--dry-run", "-Werror", *files], check=False).returncode if files else 0


if __name__ == "__main__":
    sys.exit(main())
