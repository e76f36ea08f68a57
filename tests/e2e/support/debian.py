# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian packages that tests unpack beside the build, as installing them would start services."""

import glob
import os
import shutil
import subprocess

from support.kept import locked

LIMIT_S = 120
KEPT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/debian"))  # for all builds


def program(package, name):
    """The path of a package's program; None if it cannot be had."""
    found = shutil.which(name)
    folder = os.path.join(KEPT, package)
    unpacked = os.path.join(folder, "usr/bin", name)
    if found or not (shutil.which("apt-get") and shutil.which("dpkg")):
        return found
    with locked(KEPT):
        if not os.path.exists(unpacked):
            os.makedirs(folder, exist_ok=True)
            silent = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": LIMIT_S, "check": False}
            subprocess.run(["apt-get", "download", "-q", package], **silent)
            for file in glob.glob(f"{folder}/*.deb"):
                subprocess.run(["dpkg", "-x", file, folder], **silent)
                os.unlink(file)
    return unpacked if os.path.exists(unpacked) else None
