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


def owners(paths):
    """The packages that files are of, without their architecture: {path: package}. dpkg is asked once, as it reads all that it
    knows each time."""
    names = {path: (str(path), str(pathlib.Path(path).resolve()), str(path).removeprefix("/usr")) for path in paths}
    asked = sorted({name for some in names.values() for name in some})
    told = subprocess.run(["dpkg", "-S", *asked], capture_output=True, text=True, check=False).stdout if asked else ""
    found = {}
    for line in told.splitlines():
        package, name = line.split(": ", 1)
        if not package.startswith("diversion by "): # tells of a link, not of who has the file
            found[name] = package.split(":")[0].split(",")[0]
    unknown = [str(path) for path, some in names.items() if not any(name in found for name in some)]
    if unknown:
        raise SystemExit(f"{unknown[0]} is of no package")
    return {path: next(found[name] for name in some if name in found) for path, some in names.items()}


def of_glibc(archive):
    """The archive of Debian's that a library for musl libc is built like, from the same version of its source (scripts/musl)."""
    path = pathlib.Path(archive)
    if path.parent.parent.name != "musl-libraries":
        return archive
    return str(pathlib.Path("/usr/lib", output("gcc", "-print-multiarch").strip(), path.name))


def linked(build, target):
    """The packages of the static libraries and headers in a target, sorted."""
    inputs = output("ninja", "-C", str(build), "-t", "inputs", target).splitlines()
    archives = [of_glibc(path) for path in inputs if path.startswith("/") and path.endswith(".a")]
    return sorted(set(owners((*archives, *HEADERS)).values()) - set(SYSTEM))


def loaded(path):
    """The shared libraries that a program or library is loaded with, each with the package it is of: {file: package}."""
    lines = output("ldd", str(path)).splitlines()
    found = [re.match(r"\t(?:\S+ => )?(/\S+) \(0x", line) for line in lines]
    if any("not found" in line for line in lines):
        raise SystemExit(f"{path} lacks libraries:\n" + "\n".join(lines))
    return owners([pathlib.Path(match[1]) for match in found if match])


def copyright_of(package):
    """What Debian says about a package's copyright and licences."""
    return pathlib.Path("/usr/share/doc", package, "copyright").read_text(encoding="utf-8", errors="replace")
