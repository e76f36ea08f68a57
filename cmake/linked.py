# SPDX-License-Identifier: Apache-2.0
"""linked: which of Debian's packages a program or library of the build has in itself, as its build graph says, and which of them
it loads."""

import pathlib
import re
import subprocess

HEADERS = ("/usr/include/xxhash.h",)  # libraries that are all header
SYSTEM = ("libc6-dev",)  # empty archives, for programs that still name them
GLIBC = "libc6"


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, env={"LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/bin"}).stdout.decode()


def owner(path):
    """The package that a file is of, without its architecture."""
    for name in (str(path), str(pathlib.Path(path).resolve()), str(path).removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SystemExit(f"{path} is of no package")


def linked(build, target):
    """The packages of the static libraries and headers in a target, sorted."""
    inputs = output("ninja", "-C", str(build), "-t", "inputs", target).splitlines()
    archives = [path for path in inputs if path.startswith("/") and path.endswith(".a")]
    return sorted({owner(path) for path in (*archives, *HEADERS)} - set(SYSTEM))


def loaded(path):
    """The shared libraries that a program or library is loaded with, each with the package it is of: {file: package}."""
    lines = output("ldd", str(path)).splitlines()
    found = [re.match(r"\t(?:\S+ => )?(/\S+) \(0x", line) for line in lines]
    if any("not found" in line for line in lines):
        raise SystemExit(f"{path} lacks libraries:\n" + "\n".join(lines))
    return {pathlib.Path(match[1]): owner(match[1]) for match in found if match}


def copyright_of(package):
    """What Debian says about a package's copyright and licences."""
    return pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
