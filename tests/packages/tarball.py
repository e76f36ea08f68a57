#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tarball.py TARBALL SUITE...: what is in the tarball runs on a system that has none of the libraries in it.

It is unpacked in a bare root of each release of Debian from which those libraries have been taken, whichever had them: what is left
to load is the C library. The program compacts a recording there and runs as a collector, in a network of its own; a JVM of this
machine is recorded by the unpacked agent, and the recording is downloaded. Needs root, debootstrap, iproute2, curl and a JDK.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from roots import KEPT, ROOT, Mounted, base_root, chroot, open_kept
from runs import LIMIT_S, expect, run, skip, wait_for

GLIBC = re.compile(r"(libc|libm|libdl|libpthread|libresolv|librt|ld-linux-x86-64)\.so\.\d+$")
MUSL = re.compile(r"libc\.musl-\w+\.so\.1$")
# As the pages say: what is carried is Debian 12's; the agent, which is built there, asks for less.
NEWEST_GLIBC = (2, 36)
AGENTS_GLIBC = (2, 34)
HTTP = "http://127.0.0.1:7412"
PROGRAM = """
public class Waits {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) { Thread.sleep(20); }
    }
}
"""


def bare_root(suite, tar, folder):
    """A root with the unpacked tarball in /opt, and without the libraries that are in it; returns it and the place."""
    root = folder / f"without-{suite}"
    run("cp", "-a", base_root(suite, "bare"), root)
    run("tar", "-C", root / "opt", "-xf", tar)
    place, = (root / "opt").iterdir()
    taken = 0
    for carried in sorted(path.name for path in (place / "lib").iterdir() if path.is_file()):
        name = carried.split(".so")[0]
        for path in [*root.glob(f"usr/lib/*-linux-gnu/{name}.so*"), *root.glob(f"lib/*-linux-gnu/{name}.so*")]:
            if path.is_symlink() or path.exists():
                path.unlink()
                taken += 1
    print(f"{suite}: {taken} files of libraries were taken away")
    return root, place


def check_needs(place):
    """What the files ask of the system, and that they name no other place."""
    libraries = [path for path in (place / "lib").rglob("*.so*") if path.is_file()]
    carried = {path.name for path in libraries}
    versions = set()
    programs = {place / "bin/loupe": "$ORIGIN/../lib", place / "lib/loupe/loupe-whole": "$ORIGIN/.."}
    for path in [*programs, *libraries]:
        dynamic = run("readelf", "-dW", path)
        for name in re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic):
            wanted = MUSL if path.parent.name == "musl" else GLIBC
            if name not in carried and not wanted.match(name):
                raise SystemExit(f"{path.name} needs {name}, which is not there")
        runpath = re.findall(r"\(R(?:UN)?PATH\).*\[(.+)\]", dynamic)
        if runpath != ([] if path.name == "libloupe.so" else [programs.get(path, "$ORIGIN")]):
            raise SystemExit(f"{path.name} looks for libraries in {runpath}")
        asked = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_(2\.\d+)", run("readelf", "-VW", path))}
        if path.name == "libloupe.so" and asked and max(asked) > AGENTS_GLIBC:
            raise SystemExit(f"{path} needs glibc {max(asked)}")
        versions |= asked
    expect(max(versions) <= NEWEST_GLIBC, f"all that it needs is carried but glibc {'.'.join(map(str, max(versions)))}")
    return carried


def check_papers(place, carried):
    doc = place / "share/doc/loupe"
    copyright_text = (doc / "copyright").read_text(encoding="utf-8")
    listed = json.loads((doc / "loupe.spdx.json").read_text(encoding="utf-8"))
    loaded = {one["relatedSpdxElement"] for one in listed["relationships"] if one["relationshipType"] in ("STATIC_LINK", "DYNAMIC_LINK")}
    packages = {one["name"] for one in listed["packages"] if one["SPDXID"] in loaded} - {"libc6"}
    without = [name for name in packages if f"\n{name}\n" not in copyright_text]
    expect(len(packages) >= len(carried) - 1 and not without, f"licences of {len(packages)} packages are in it, none is missing: {without}")
    named = set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", copyright_text))
    expect(named and named == {path.name for path in (doc / "common-licenses").iterdir()}, "and the texts that they name")
    expect((doc / "docs/start/install.md").exists() and (place / "share/man/man1/loupe.1.gz").exists(), "it has pages and manual")
    jars = {path.name for path in (place / "lib/loupe").glob("*.jar")}
    ours = {"loupe.jar"} | {f"{path.name}.jar" for path in (ROOT / "java").glob("loupe-*") if path.name not in ("loupe-api", "loupe-tasks")}
    expect(jars == ours and len(ours) > 10, f"and the jars: {jars ^ ours}")


class Network:
    """A network with nobody else in it, in which commands of this machine and of a root run."""

    def __init__(self):
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "ip link set lo up && exec cat"], stdin=subprocess.PIPE)
        wait_for("a network", lambda: "UP" in run(*self.within("ip", "-br", "link", "show", "lo"), check=False))

    def within(self, *command):
        return ["nsenter", f"--target={self.holder.pid}", "--net", *map(str, command)]

    def curl(self, path, *options, check=True):
        return run(*self.within("curl", "-sS", "-f", *options, HTTP + path), check=check)

    def end(self):
        self.holder.stdin.close()
        self.holder.wait(LIMIT_S)


def record(network, place, folder):
    (folder / "Waits.java").write_text(PROGRAM, encoding="ascii")
    agent = f"-agentpath:{place}/lib/loupe/libloupe.so=collector=tcp://127.0.0.1:7411,service=waits"
    run(*network.within("java", agent, folder / "Waits.java"), limit_s=LIMIT_S)

    def ended():
        rows = json.loads(network.curl("/api/v1/recordings?service=waits"))["recordings"]
        return rows and not rows[0]["is_running"] and rows[0]["id"]

    return wait_for("the end of the recording", ended)


def collect(root, place, inside, folder):
    """A collector in the root; leaves waits.jfr of a JVM in the root's /tmp."""
    network = Network()
    with open(folder / "collect.log", "wb") as log:
        collector = subprocess.Popen(network.within("chroot", root, f"{inside}/bin/loupe", "collect", "--data", "/tmp/data"),
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_for("the collector", lambda: collector.poll() is not None or "curl:" not in network.curl("/readyz", check=False))
        expect(collector.poll() is None, "it collects")
        network.curl(f"/api/v1/recordings/{record(network, place, folder)}.jfr", "-o", root / "tmp/waits.jfr")
        expect((root / "tmp/waits.jfr").stat().st_size > 0, "a JVM with its agent is recorded and downloaded")
        maps = pathlib.Path(f"/proc/{collector.pid}/maps").read_text(encoding="utf-8")
        others = {name for name in re.findall(r"/\S+\.so[\w.]*$", maps, re.MULTILINE)
                  if f"{inside}/lib/" not in name and not GLIBC.search(name)}
        expect(not others, f"no library but glibc is the system's: {others}")
    except BaseException:
        print((folder / "collect.log").read_text(encoding="utf-8", errors="replace")[-2000:])
        raise
    finally:
        collector.terminate()
        collector.wait(LIMIT_S)
        network.end()
    expect(collector.returncode == 0, "it ends well")


def try_all(tar, suite, folder):
    """Returns where it is unpacked."""
    root, place = bare_root(suite, tar, folder)
    inside = f"/opt/{place.name}"
    check_papers(place, check_needs(place))
    with Mounted(root): # by which the loader knows where a program is
        expect(chroot(root, f"{inside}/bin/loupe", "--version").split()[1] in place.name, f"loupe --version, in a root of {suite}")
        collect(root, place, inside, folder)
        chroot(root, f"{inside}/bin/loupe", "compact", "/tmp/waits.jfr", "-o", "/tmp/out.jfr", "--policy",
               f"{inside}/share/loupe/policies/loupe.jfc")
        summary = json.loads(chroot(root, f"{inside}/bin/loupe", "summary", "--json", "/tmp/out.jfr"))
        expect(summary["events"] > 0, f"loupe compact, of which {summary['events']} events come out")
    return place


def main():
    if os.geteuid() != 0:
        skip("this is not root")
    for tool in ("debootstrap", "unshare", "nsenter", "ip", "curl", "readelf", "java"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    open_kept()
    for suite in sys.argv[2:]:
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            try_all(pathlib.Path(sys.argv[1]), suite, pathlib.Path(folder))
    print("passed")


if __name__ == "__main__":
    main()
