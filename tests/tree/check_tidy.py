#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tidy.py ROOT BUILD [--all]: clang-tidy 14 finds no bug in the C files that changed; with --all in any C file.

Changed are the files of changed.py, and modules of which it has the header. Of more than CHANGED_MAX the latest are checked: a file
takes some 0.25 s of processor time.

.clang-tidy and tests/.clang-tidy list the checks. The static analyser runs in its shallow mode. The
deep one takes 330 s of processor time for src/ alone, more than ten times as much, and all that it
found beyond the other were values that a function of another file could leave unset, but does not.

A file that was clean is checked again when it, a header, the command or the checks have changed:
BUILD/tidy.json has the hash of all of these for each clean file that this build compiles.
"""

import functools
import hashlib
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from changed import changed_files

SKIPPED = 77
CHANGED_MAX = 60
SHALLOW = ["--extra-arg=-Xclang", "--extra-arg=-analyzer-config", "--extra-arg=-Xclang",
           "--extra-arg=mode=shallow"]


def find_tidy():
    for name in ("clang-tidy-14", "clang-tidy"):
        try:
            version = subprocess.run([name, "--version"], capture_output=True, text=True, check=True)
        except FileNotFoundError:
            continue
        if "version 14." in version.stdout:
            return name
    return None


def sources_of(root, build, commands):
    """The C files of src and tests, each with the files that it reads; None for one that is not compiled here."""
    listing = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True,
                             check=True).stdout
    folders = [root / "src", root / "tests"]
    files = (pathlib.Path(file).resolve() for file in commands)
    sources = {file: None for file in files if any(file.is_relative_to(folder) for folder in folders)}
    for entry in listing.split("\n\n"):
        paths = [(build / line.strip()).resolve() for line in entry.split("\n")[1:] if line]
        if paths and paths[0] in sources:
            sources[paths[0]] = paths
    return sources


@functools.cache
def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""


def hash_all(command, paths):
    parts = [command, *(hash_of(path) for path in paths)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def main():
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tidy = find_tidy()
    if tidy is None:
        print("skipped: no clang-tidy 14 (looked for clang-tidy-14 and clang-tidy)")
        return SKIPPED
    # The warnings of the compiler are the build's business.
    options = [tidy, "--quiet", "-p", build, "--extra-arg=-Wno-error", *SHALLOW]
    rules = [root / ".clang-tidy", root / "tests/.clang-tidy", pathlib.Path(__file__)]
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {command["file"]: command["command"] for command in commands}
    changed = None if "--all" in sys.argv[3:] else changed_files(root)
    chosen = sources_of(root, build, commands)
    if changed is not None:
        modules = dict.fromkeys(path.with_suffix(".c") for path in changed if path.suffix in (".c", ".h"))
        latest = [path for path in modules if path in chosen]
        chosen = {source: chosen[source] for source in latest[:CHANGED_MAX]}
        if len(latest) > CHANGED_MAX:
            print(f"clang-tidy: {len(latest) - CHANGED_MAX} more files have changed: --all checks them")
    clean_file = build / "tidy.json"
    clean = json.loads(clean_file.read_text(encoding="utf-8")) if clean_file.exists() else {}
    hashes = {str(source): hash_all(commands.get(str(source), ""), paths + rules)
              for source, paths in chosen.items() if paths is not None}
    sources = sorted(str(source) for source in chosen
                     if str(source) not in hashes or hashes[str(source)] != clean.get(str(source)))

    def check(source):
        return subprocess.run(options + [source], capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = dict(zip(sources, pool.map(check, sources)))
    failed = {source for source, done in results.items() if done.returncode != 0}
    for source in failed:
        print(results[source].stdout or results[source].stderr)
        hashes.pop(source, None)
    clean_file.write_text(json.dumps({**clean, **hashes}), encoding="utf-8")
    print(f"clang-tidy: {len(sources)} files checked, {len(failed)} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
