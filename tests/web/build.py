#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build.py ROOT: web/dist is what web/src and its packages make, to the byte, and small; types and formatting are right, and
what needs no browser is tested.

It works in a copy of web/, so that the tree stays as it is. The formatting is that of the files that changed
(tests/tree/changed.py); with LOUPE_TEST_ALL, which scripts/test --all sets, or after a change of its rules, of all.
"""

import filecmp
import gzip
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tree"))
from changed import changed_files  # pylint: disable=wrong-import-position

SKIPPED = 77
LIMIT_S = 300
PAGE_BYTES_MAX = 70_000  # compressed, without speedscope
FORMAT_RULES = {".prettierrc", ".prettierignore", "package-lock.json"}
PAGE_FILES = ("index.html", "page.js", "page.css")


def run(*command, cwd):
    print("$", *command, flush=True)
    return subprocess.run(command, cwd=cwd, timeout=LIMIT_S, stdin=subprocess.DEVNULL, check=False).returncode


def files_of(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def differences(built, kept):
    for path in sorted(files_of(built) | files_of(kept)):
        if not (kept / path).exists():
            yield f"{path} is not in web/dist"
        elif not (built / path).exists():
            yield f"{path} is in web/dist, and is not built"
        elif not filecmp.cmp(built / path, kept / path, shallow=False):
            yield f"{path} is not as it is built"


def check_build(copy, built, kept):
    if run("node", "build.mjs", str(built), cwd=copy) != 0:
        return ["node build.mjs failed"]
    problems = [f"{problem}: run `node build.mjs` in web/" for problem in differences(built, kept)]
    size = sum(len(gzip.compress((built / name).read_bytes(), 9)) for name in PAGE_FILES)
    print(f"the page has {size} bytes, compressed")
    if size > PAGE_BYTES_MAX:
        problems.append(f"the page has more than {PAGE_BYTES_MAX} bytes, compressed: {size}")
    return problems


def to_format(root):
    """The files at whose formatting to look, from web/."""
    changed = None if os.environ.get("LOUPE_TEST_ALL") else changed_files(root)
    web = root / "web"
    if changed is None or any(path.parent == web and path.name in FORMAT_RULES for path in changed):
        return ["."]
    return [str(path.relative_to(web)) for path in changed if path.is_relative_to(web) and path.exists()]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="loupe-web-") as folder:
        copy, built = pathlib.Path(folder, "web"), pathlib.Path(folder, "dist")
        status = run(str(root / "scripts/web"), str(copy), cwd=root)
        if status != 0:
            return status
        problems = check_build(copy, built, root / "web/dist")
        programs = "node_modules/.bin/"  # npx looks for them for half a second
        files = to_format(root)
        prettier = [(programs + "prettier", "--check", "--ignore-unknown", *files)] if files else []
        for command in ((programs + "tsc", "--noEmit"), *prettier, ("node", "test/unit.mjs")):
            if run(*command, cwd=copy) != 0:
                problems.append(" ".join(command) + " failed")
    print("\n".join(problems) or "the page is as it is built")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
