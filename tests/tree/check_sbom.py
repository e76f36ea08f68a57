#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_sbom.py ROOT BUILD: cmake/sbom.py says of the programs and the agent of a build what is in them: of which packages the
libraries are that readelf finds, from one to the next; of which the archives whose names nm finds in them; of the page, what
its list of licences has. And Loupe's jars have classes of Loupe's alone. Ends with 77 where there is no dpkg.
"""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

PROGRAMS = {"bin/loupe": "bin/loupe", "lib/loupe/loupe-whole": "lib/loupe/loupe-whole", "libloupe.so": "lib/libloupe.so"}
HEADERS = {"libxxhash-dev"}  # nothing of it has a name in what is built
SYSTEM = {"libc6-dev", "libc6"}
FEW = 3  # names that an archive and a program may share by chance


def said(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def packages_of(paths):
    """The packages of files, each once; dpkg reads all that it knows each time that it is asked."""
    names = [[path, os.path.realpath(path), path.removeprefix("/usr"), "/usr" + path] for path in paths]
    lines = said("dpkg", "-S", *{name for some in names for name in some}).splitlines() if names else []
    found = {line.split(": ", 1)[1]: line.split(":")[0] for line in lines}
    for path, some in zip(paths, names):
        if not any(name in found for name in some):
            raise SystemExit(f"{path} is of no package")
    return {next(found[name] for name in some if name in found) for some in names}


@functools.cache
def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", said("readelf", "-d", path))


def loaded(path):
    """The packages of all libraries that the loader takes, by its cache."""
    cache = dict(reversed(re.findall(r"^\s(\S+) \(.*x86-64.*\) => (\S+)$", said("/sbin/ldconfig", "-p"), re.MULTILINE)))
    pending, seen = needed(path), set()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending += needed(cache[name])
    return packages_of([cache[name] for name in seen])


def functions(program):
    return {line.split()[-1] for line in said("nm", program).splitlines() if re.search(r" [tT] \w+$", line)}


@functools.cache
def offered(archive):
    """The global names of an archive, by its index, which is its first member: a count, so many offsets, and the names."""
    with open(archive, "rb") as file:
        if file.read(8) != b"!<arch>\n":
            return frozenset()  # a script of the linker's
        member = file.read(60)
        if member[:16].strip() != b"/":
            return frozenset()  # there is nothing in it
        index = file.read(int(member[48:58]))
    names = index[4 + 4 * int.from_bytes(index[:4], "big"):]
    return frozenset(names.decode("ascii", "replace").split("\0"))


def archived(program, dynamic):
    """The packages of archives of which many functions are in a program, of all that are installed."""
    own = functions(program)
    many = [str(archive) for archive in pathlib.Path("/usr/lib").glob("*-linux-gnu/lib*.a") if len(offered(archive) & own) > FEW]
    return {package for package in packages_of(many) - SYSTEM if not package.startswith("libgcc")} - dynamic


def check_program(document, name, path):
    by_id = {one["SPDXID"]: one for one in document["packages"]}
    said_of = {kind: {by_id[relation["relatedSpdxElement"]]["name"] for relation in document["relationships"]
                      if relation["relationshipType"] == kind and by_id.get(relation["spdxElementId"], {}).get("name") == name}
               for kind in ("STATIC_LINK", "DYNAMIC_LINK")}
    dynamic = loaded(path)
    yield from compare(f"{name} is loaded with", said_of["DYNAMIC_LINK"], dynamic)
    yield from compare(f"{name} is linked with", said_of["STATIC_LINK"] - HEADERS, archived(path, dynamic))


def check_versions(document):
    """The versions of all packages of Debian's, in one question: dpkg reads all that it knows for each."""
    listed = {one["name"]: one["versionInfo"] for one in document["packages"] if one["SPDXID"].startswith("SPDXRef-deb-")}
    lines = said("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *listed).splitlines()
    installed = dict(line.split(" ") for line in reversed(lines))  # of several architectures, the first
    for name, version in listed.items():
        if version != installed.get(name):
            yield f"{name} is of another version than {version}"


def compare(what, listed, right):
    for name in sorted(right - listed):
        yield f"{what} {name}, which is not listed"
    for name in sorted(listed - right):
        yield f"{what} {name} by the list alone"


def check_document(root, document):
    """Each licence that is no known one has its text; of the page nothing is left out."""
    texts = {one["licenseId"]: one["extractedText"] for one in document["hasExtractedLicensingInfos"]}
    for one in document["packages"]:
        licence = one["licenseDeclared"]
        if licence.startswith("LicenseRef-") and not texts.get(licence, "").strip():
            yield f"{one['name']}: there is no text of {licence}"
    page = (root / "web/dist/LICENSES.txt").read_text(encoding="utf-8")
    for title in re.findall(r"^-{80}\n(.+)$", page, re.MULTILINE):
        if not any(title.startswith(f"{one['name']} {one.get('versionInfo', '')}".strip()) for one in document["packages"]):
            yield f"{title}, of the page, is not listed"


def check_jars(build):
    for jar in sorted((build / "maven").glob("dev/loupe/*/*/*[0-9].jar")):
        with zipfile.ZipFile(jar) as packed:
            for name in packed.namelist():
                if name.endswith(".class") and not name.startswith("dev/loupe/"):
                    yield f"{jar.name} has {name}, which the list does not say"


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not shutil.which("dpkg"):
        print("skipped: there is no dpkg")
        return 77
    document = json.loads(subprocess.run(
        [root / "cmake/sbom.py", root, build, "1"], stdout=subprocess.PIPE, check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1", "PYTHONDONTWRITEBYTECODE": "1"}).stdout)
    problems = [*check_document(root, document), *check_versions(document), *check_jars(build)]
    for name, path in PROGRAMS.items():
        problems += check_program(document, name, str(build / path))
    print("\n".join(problems) or f"{len(document['packages'])} parts, as they are")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
