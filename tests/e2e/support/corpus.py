# SPDX-License-Identifier: Apache-2.0
"""The corpus: recordings that other people's JVMs and profilers have made. They are not in the repository, but in the
folder that LOUPE_CORPUS names, or in ../shared/corpus beside it."""

import gzip
import os
import shutil

from support.process import check, skip

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.environ.get("LOUPE_CORPUS") or os.path.join(ROOT, "..", "shared", "corpus")


def need():
    """Ends the test as skipped where there is no corpus."""
    if not os.path.isdir(FOLDER):
        skip(f"no corpus of recordings: neither LOUPE_CORPUS nor {FOLDER}")


def recordings(kilobytes_max=None):
    """The paths of all recordings that are no larger, packed ones among them, in a fixed order."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(FOLDER) for name in names if ".jfr" in name]
    check(found, f"no recordings in {FOLDER}")
    return sorted(path for path in found if kilobytes_max is None or os.path.getsize(path) <= kilobytes_max * 1000)


def unpack(source, path):
    """Writes the recording to path as the JDK's reader wants it, not packed. Returns path."""
    with open(source, "rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if is_packed else open)(source, "rb") as file, open(path, "wb") as out:
        shutil.copyfileobj(file, out)
    return path
