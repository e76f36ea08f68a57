# SPDX-License-Identifier: Apache-2.0
"""Jars of other people's JFR readers, by exact version and checksum, from Maven Central.

They are kept in build/jars, for all builds. One that is not there is taken from Maven's own repository, or fetched
by curl, or by mvn where a machine's settings lead to Central by another way.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile

from support.process import BUILD, skip

CENTRAL = "https://repo1.maven.org/maven2"
KEPT = os.path.join(os.path.dirname(BUILD), "jars")
LIMIT_S = 240

# group:artifact:version, sha256
JMC = (
    ("org.openjdk.jmc:flightrecorder:9.1.1", "43f3fdfb64605f2217d1a60cc442ed9507e4c4f5bc31cf8b4ffedc68d1be2b84"),
    ("org.openjdk.jmc:common:9.1.1", "0bb5224383e09321ff0304e2c40a9b5ec818cfe46c0d49fa5ee80e4c351f9fab"),
    ("org.owasp.encoder:encoder:1.2.3", "b09e2cd5c36a7127e091df9be628278b1166b40bc08b9de8196ccddb0cccd67f"),
    ("org.lz4:lz4-java:1.8.0", "d74a3334fb35195009b338a951f918203d6bbca3d1d359033dc33edd1cadc9ef"),
)
ASYNC_PROFILER = (
    ("tools.profiler:jfr-converter:4.5", "d8a5452b26adb11a2a0abf0c53799a6fd60dbccb0647efa5a734e3c46ced3df4"),
)


def need(jars):
    """The class path of the jars; skips the test where they cannot be had."""
    return ":".join(need_one(coordinates, checksum) for coordinates, checksum in jars)


def need_one(coordinates, checksum):
    group, artifact, version = coordinates.split(":")
    name = f"{artifact}-{version}.jar"
    path = "/".join(group.split(".") + [artifact, version, name])
    kept = os.path.join(KEPT, name)
    if is_right(kept, checksum):
        return kept
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        fetched = os.path.join(folder, name)
        for fetch in (from_local_repository, by_curl, by_maven):
            fetch(coordinates, path, fetched)
            if is_right(fetched, checksum):
                os.rename(fetched, kept)
                return kept
    return skip(f"{coordinates} could not be had from Maven Central, neither by curl nor by mvn")


def is_right(path, checksum):
    """Whether the file is there and is what it should be, as far as that is known."""
    if checksum is None or not os.path.exists(path):
        return os.path.exists(path)
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == checksum


def from_local_repository(_, path, fetched):
    local = os.path.expanduser(f"~/.m2/repository/{path}")
    if os.path.exists(local):
        shutil.copyfile(local, fetched)


def by_curl(_, path, fetched):
    quietly("curl", "-sSfL", "--connect-timeout", "20", "--retry", "2", "-o", fetched, f"{CENTRAL}/{path}")


def by_maven(coordinates, path, fetched):
    plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get"
    quietly("mvn", "-q", "-B", plugin, f"-Dartifact={coordinates}", "-Dtransitive=false")
    from_local_repository(coordinates, path, fetched)


def quietly(*command):
    """Runs a command that may fail, or not be there."""
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass
