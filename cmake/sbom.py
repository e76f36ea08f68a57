#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sbom.py ROOT BUILD VERSION [MUSL]: prints what of others' work is in a build, and what it is loaded with, as SPDX 2.3 in JSON:
Debian's packages behind the program and the agent (also that for musl libc, where its build is given), and what the page is made of. Loupe's
jars have nothing of others in them. The same for the same build and SOURCE_DATE_EPOCH.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

from linked import copyright_of, linked, loaded, output

LINE = "-" * 80
# What people install, by its name in the document: what it is in the build.
PROGRAMS = {"bin/loupe": "bin/loupe", "lib/loupe/loupe-whole": "lib/loupe/loupe-whole", "libloupe.so": "lib/libloupe.so"}
NPM = re.compile(r"(\S+) (\d\S*) \((.+)\)$")


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(kind, name, version, licence, **more):
    known = {"versionInfo": version} if version else {}
    return {"SPDXID": identifier(kind, name), "name": name, **known, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}


def purl(locator):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]


def distribution():
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    known = dict(line.replace('"', "").split("=", 1) for line in lines if "=" in line)
    return known["ID"], f"{known['ID']}-{known['VERSION_ID']}"


def debian(name, licences):
    """One of Debian's packages; its copyright file goes into licences."""
    version, arch, source, source_version = output(
        "dpkg-query", "-W", "-f", "${Version} ${Architecture} ${source:Package} ${source:Version}\\n", name).split("\n")[0].split()
    vendor, release = distribution()
    text = copyright_of(name)
    licence = f"LicenseRef-debian-{name}".replace("+", "-plus")
    licences[licence] = {"licenseId": licence, "name": f"What Debian says of {name}", "extractedText": text}
    short = sorted(set(re.findall(r"^License: *(\S.*)$", text, re.MULTILINE)))
    comment = {"licenseComments": "Names in Debian's copyright file: " + "; ".join(short)} if short else {}
    escaped = version.replace("+", "%2B").replace(":", "%3A")
    return package("deb", name, version, licence, **comment, sourceInfo=f"source package {source} {source_version}",
                   externalRefs=purl(f"pkg:deb/{vendor}/{name}@{escaped}?arch={arch}&distro={release}"))


def of_page(root, licences):
    """What the page is made of, by the titles in its list of licences."""
    for section in (root / "web/dist/LICENSES.txt").read_text(encoding="utf-8").split(f"{LINE}\n")[1:]:
        title, text = section.split("\n", 1)
        npm = NPM.match(title)
        if npm:
            name, version, licence = npm.groups()
            yield package("npm", name, version, licence,
                          externalRefs=purl(f"pkg:npm/{name.replace('@', '%40')}@{version}"))
        else:
            licence = identifier("page", title).replace("SPDXRef", "LicenseRef")
            licences[licence] = {"licenseId": licence, "name": title, "extractedText": text.strip()}
            yield package("part", title, None, licence)


def content(root, build, version, musl):
    """Packages, relationships and licences of the document."""
    whole = package("whole", "loupe", version, "Apache-2.0")
    licences, packages, relations = {}, {whole["SPDXID"]: whole}, []

    def add(one, of, relation):
        packages[one["SPDXID"]] = one
        relations.append({"spdxElementId": of, "relationshipType": relation, "relatedSpdxElement": one["SPDXID"]})
        return one["SPDXID"]

    relations.append({"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": whole["SPDXID"]})
    for name, path in PROGRAMS.items():
        program = add(package("program", name, version, "Apache-2.0"), whole["SPDXID"], "CONTAINS")
        for other in linked(build, path):
            add(debian(other, licences), program, "STATIC_LINK")
        for other in sorted(set(loaded(build / path).values())):
            add(debian(other, licences), program, "DYNAMIC_LINK")
    if musl:
        program = add(package("program", "musl/libloupe.so", version, "Apache-2.0"), whole["SPDXID"], "CONTAINS")
        for other in linked(musl, PROGRAMS["libloupe.so"]):
            add(debian(other, licences), program, "STATIC_LINK")
    page = add(package("page", "loupe-web", version, "Apache-2.0"), identifier("program", "lib/loupe/loupe-whole"), "CONTAINS")
    for one in of_page(root, licences):
        add(one, page, "CONTAINS")
    return {"packages": list(packages.values()), "relationships": relations, "hasExtractedLicensingInfos": list(licences.values())}


def main():
    root, build, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    made = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    found = content(root, build, version, pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None)
    # A namespace has to be another one for each document.
    digest = hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"loupe-{version}",
               "documentNamespace": f"https://loupe.invalid/spdx/loupe-{version}-{digest}",
               "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: loupe-sbom-{version}"]},
               **found}, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
