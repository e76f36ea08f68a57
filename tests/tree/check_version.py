#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_version.py ROOT: the version is in CMakeLists.txt, from where the build takes it, and in no other file but those that
people copy from, which have the same.
"""

import os
import pathlib
import re
import sys

SOURCE = "CMakeLists.txt"
# What people copy from.
COPIES = ("deploy/helm/loupe-agent/Chart.yaml", "deploy/helm/loupe/Chart.yaml", "docs/start/first-steps.md", "docs/instrument/java-api.md",
          "docs/reference/compatibility.md", "docs/instrument/frameworks.md", "docs/run/kubernetes.md", "docs/instrument/libraries.md",
          "java/examples/gradle/build.gradle", "java/examples/maven/pom.xml", "java/examples/spring-boot/pom.xml")
# What tells of versions that there were, and other people's versions.
OTHERS = ("CHANGELOG.md", "go.sum", "tests/fixtures/README.md", "web/package-lock.json")
SKIPPED = {".git", "build", "node_modules", "__pycache__", "dist", "fixtures", "corpus"}
VERSION = re.compile(r"^project\(loupe VERSION (\d+\.\d+\.\d+) ", re.MULTILINE)


def texts(root):
    """(path, text) of each file that is one."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(set(folders) - SKIPPED)
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            try:
                yield str(path.relative_to(root)), path.read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError):
                pass  # no text, or a link that leads nowhere


def main():
    root = pathlib.Path(sys.argv[1])
    version = VERSION.search((root / SOURCE).read_text(encoding="utf-8"))
    if not version:
        print(f"{SOURCE} has no version")
        return 1
    copy = re.compile(rf"(?<![\d.]){re.escape(version[1])}(?!\.?\d)")
    problems = [f"{path}:{number}: a copy of the version; write VERSION, or take it from there"
                for path, text in texts(root) if path not in (SOURCE, *COPIES, *OTHERS) and os.path.basename(path) not in OTHERS
                for number, line in enumerate(text.splitlines(), 1) if copy.search(line)]
    problems += [f"{path} does not have the version, {version[1]}" for path in COPIES
                 if (root / path).exists() and not copy.search((root / path).read_text(encoding="utf-8"))]
    print("\n".join(problems) or f"{version[1]}, in one place")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
