#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_workflows.py ROOT: what .github/workflows call is there: scripts, which can be run and know the options that they are given;
actions of others are named by a commit. Where there is actionlint it has nothing to say.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys


def check_scripts(root, path, text):
    for name, options in re.findall(r"(?<![\w.])\./([\w./-]+)((?: +--[\w-]+)*)", text):
        script = root / name
        if not os.access(script, os.X_OK):
            yield f"{path.name}: ./{name} is no program"
            continue
        for option in options.split():
            if option not in script.read_text(encoding="utf-8"):
                yield f"{path.name}: {name} does not know {option}"


def check_actions(path, text):
    for action in re.findall(r"uses: *(\S+)", text):
        if not re.search(r"@[0-9a-f]{40}$", action):
            yield f"{path.name}: {action} is not named by its commit"


def main():
    root = pathlib.Path(sys.argv[1])
    paths = sorted((root / ".github/workflows").glob("*.yml"))
    problems = [] if paths else ["there are no workflows"]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        problems += [*check_scripts(root, path, text), *check_actions(path, text)]
    if shutil.which("actionlint"):
        done = subprocess.run(["actionlint", "-no-color", *paths], capture_output=True, text=True, check=False)
        problems += done.stdout.splitlines()
    print("\n".join(problems) or f"{len(paths)} workflows")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
