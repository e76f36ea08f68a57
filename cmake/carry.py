#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""carry.py ROOT BUILD STAGE: makes an installation in STAGE run elsewhere: the shared libraries that bin/loupe and lib/loupe/loupe-whole
need, but for glibc's, come into its lib, and each finds the others there by its RUNPATH. Into share/doc/loupe come the pages of
docs, and the licences of all that is carried or linked in.
"""

import pathlib
import re
import shutil
import subprocess
import sys

from debian_docs import page_section, sections
from linked import GLIBC, linked, loaded

LICENSES = pathlib.Path("/usr/share/common-licenses")
PAGES = ("README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs")
OWN = """Loupe is under the Apache License 2.0, which is in the file LICENSE beside this one.

Copyright 2026 the authors of Loupe

It is linked with the following, or carries them in lib as Debian built them (their sources are at https://snapshot.debian.org, by the
versions in loupe.spdx.json). Debian says of each what is below; files that it names in /usr/share/common-licenses are in
the folder common-licenses.
"""


def set_runpath(file, path):
    subprocess.run(["patchelf", "--set-rpath", path, file], check=True)


def carry(stage):
    """Copies the libraries; returns their packages."""
    whole = stage / "lib/loupe/loupe-whole"
    carried = {file: package for file, package in loaded(whole).items() if package != GLIBC}
    for file in carried:
        copy = stage / "lib" / file.name
        shutil.copyfile(file, copy)
        set_runpath(copy, "$ORIGIN")
    set_runpath(whole, "$ORIGIN/..")
    set_runpath(stage / "bin/loupe", "$ORIGIN/../lib")
    return set(carried.values())


def write_licences(root, packages, out):
    text = "\n".join([OWN, *sections(sorted(packages)), page_section(root)])
    (out / "copyright").write_text(text, encoding="utf-8")
    (out / "common-licenses").mkdir()
    for name in sorted(set(re.findall(rf"{LICENSES}/([\w.-]*\w)", text))):
        shutil.copyfile(LICENSES / name, out / "common-licenses" / name)


def main():
    root, build, stage = (pathlib.Path(name) for name in sys.argv[1:])
    out = stage / "share/doc/loupe"
    out.mkdir(parents=True)
    packages = carry(stage) | set(linked(build, "lib/loupe/loupe-whole")) | set(linked(build, "lib/libloupe.so"))
    write_licences(root, packages, out)
    for name in PAGES:
        (shutil.copytree if (root / name).is_dir() else shutil.copyfile)(root / name, out / name)


if __name__ == "__main__":
    main()
