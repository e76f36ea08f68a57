#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build.py ROOT: web/dist is what web/src and its packages make, to the byte, and small; types and formatting are right, and
what needs no browser is tested.

It works in a copy of web/, so that the tree stays as it is.
"""

import filecmp
import gzip
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
LIMIT_S = 300
PAGE_BYTES_MAX = 70_000  # compressed, without speedscope
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


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="loupe-web-") as folder:
        copy, built = pathlib.Path(folder, "web"), pathlib.Path(folder, "dist")
        status = run(str(root / "scripts/web"), str(copy), cwd=root)
        if status != 0:
            return status
        problems = check_build(copy, built, root / "web/dist")
        programs = "node_modules/.bin/"  # npx looks for them for half a second
        for command in ((programs + "tsc", "--noEmit"), (programs + "prettier", "--check", "."), ("node", "test/unit.mjs")):
            if run(*command, cwd=copy) != 0:
                problems.append(" ".join(command) + " failed")
    print("\n".join(problems) or "the page is as it is built")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
