#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debian_docs.py ROOT BUILD VERSION MAINTAINER DIR: what each Debian package has in /usr/share/doc: copyright (with the licences of
what is linked in), changelog and changelog.Debian; and conffiles, the files of /etc. The same for the same build and
SOURCE_DATE_EPOCH.
"""

import email.utils
import gzip
import os
import pathlib
import re
import sys

from linked import copyright_of, linked

PACKED_AS = 9
LINE = "-" * 80
# Of each package: what of the build has others' work in it.
PACKAGES = {"loupe-tools": "lib/loupe/loupe-whole", "loupe-collector": None, "loupe-agent": "lib/libloupe.so"}
OWN = """Loupe is under the Apache License 2.0, which is in /usr/share/common-licenses/Apache-2.0.

Copyright 2026 the authors of Loupe
"""
# The text of that licence, up to the next one's line.
APACHE = re.compile(r"^ *Apache License\n +Version 2\.0, January 2004\n.*?(?=^-{80}$|\Z)", re.MULTILINE | re.DOTALL)


def copyright_text(root, build, package, target):
    parts = [OWN]
    if target:
        parts.append("It is linked with the following, of which Debian says:\n")
        parts += sections(linked(build, target))
    if package == "loupe-tools":
        parts.append(page_section(root))
    return "\n".join(parts)


def sections(packages):
    """What Debian says of packages, one after the other."""
    return [f"{LINE}\n{package}\n\n{copyright_of(package)}" for package in packages]


def page_section(root):
    """What the page has in it."""
    page = (root / "web/dist/LICENSES.txt").read_text(encoding="utf-8")
    return f"{LINE}\n" + APACHE.sub("The Apache License 2.0: see above.\n\n", page)


def debian_changelog(package, version, maintainer, seconds):
    return (f"{package} ({version}) unstable; urgency=medium\n\n  * What changed is in changelog.gz.\n\n"
            f" -- {maintainer}  {email.utils.formatdate(seconds)}\n")


def pack(path, text):
    path.write_bytes(gzip.compress(text.encode(), PACKED_AS, mtime=0))


def main():
    root, build, version, maintainer = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    out = pathlib.Path(sys.argv[5])
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    for package, target in PACKAGES.items():
        folder = out / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "copyright").write_text(copyright_text(root, build, package, target), encoding="utf-8")
        pack(folder / "changelog.gz", (root / "CHANGELOG.md").read_text(encoding="utf-8"))
        pack(folder / "changelog.Debian.gz", debian_changelog("loupe", version, maintainer, seconds))
    (out / "conffiles").write_text("/etc/loupe/collect.env\n", encoding="utf-8")


if __name__ == "__main__":
    main()
