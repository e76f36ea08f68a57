# SPDX-License-Identifier: Apache-2.0
"""Files of packages of npm's, by exact version and checksum, and programs with the packages that they need, for tests that are
skipped where these cannot be had. They are kept in build/npm. Files are fetched by curl, or by npm where a machine's settings
lead to the registry by another way."""

import hashlib
import os
import shutil
import subprocess
import tarfile

from support.kept import locked
from support.process import skip

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "..", "..", "build", "npm")
REGISTRY = "https://registry.npmjs.org"
LIMIT_S = 120
SPEEDSCOPE = ("speedscope", "1.25.0", "2831f1e0d26df914b477e522d78b8485511495a6af81a0b88158f8b48f9e0d03")


def read(package, path):
    """The bytes of a file of a package."""
    name, version, checksum = package
    kept = os.path.join(KEPT, f"{name}-{version}.tgz")
    os.makedirs(KEPT, exist_ok=True)
    url = f"{REGISTRY}/{name}/-/{name}-{version}.tgz"
    for fetch in ((), ("curl", "-sSfL", "--connect-timeout", "10", "-o", kept, url),
                  ("npm", "pack", f"{name}@{version}", "--silent", "--pack-destination", KEPT)):
        quietly(*fetch)
        if is_right(kept, checksum):
            with tarfile.open(kept) as archive:
                return archive.extractfile(f"package/{path}").read()
    return skip(f"{name} {version} could not be had from npm's registry, neither by curl nor by npm")


def install(folder):
    """A folder with the files of `folder` and the packages of its package-lock.json."""
    kept = os.path.abspath(os.path.join(KEPT, os.path.basename(folder)))
    if not shutil.which("node") or not shutil.which("npm"):
        skip("there is no node or no npm")
    with locked(kept):
        shutil.copytree(folder, kept, dirs_exist_ok=True)
        whole = os.path.join(kept, "node_modules", ".package-lock.json")  # which npm writes last
        lock = os.path.join(kept, "package-lock.json")
        if not os.path.exists(whole) or os.path.getmtime(whole) < os.path.getmtime(lock):
            quietly("npm", "ci", "--prefix", kept, "--ignore-scripts", "--no-audit", "--no-fund")
        if not os.path.exists(whole):
            skip(f"the packages of {os.path.basename(folder)} could not be had from npm's registry")
    return kept


def is_right(path, checksum):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == checksum


def quietly(*command):
    """Runs a command that may fail, or not be there."""
    try:
        if command:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass
