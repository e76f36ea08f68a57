#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""aarch64.py PROGRAM: Loupe for aarch64, built in a root of Debian 12 by its cross compiler, and run there under qemu-user.

The unit tests run; `loupe compact` makes the same bytes as PROGRAM, the build of this machine, of each recording; a JVM for aarch64
with the agent is recorded by a collector for aarch64, and nothing is lost. Recordings are that JVM's, and those of LOUPE_CORPUS
or ../shared/corpus where they are there.

What this does not show: qemu keeps this machine's order of memory accesses and its size of pages, and has no seccomp and less of TCP_INFO.
Tests that need those are left out, and those that start themselves where the kernel has no binfmt_misc for a namespace.

Needs root, debootstrap and a JDK. Ends with 77 and a line that says why where one of them is missing. The root is kept in LOUPE_ROOTS,
or /var/tmp/loupe-roots, without what was built.
"""

import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from roots import KEPT, ROOT, Mounted, base_root, chroot, copy_sources, open_kept
from runs import expect, run, skip, wait_for
from shop import build_shop, check_shop
from tarball import HTTP, Network

SUITE = "bookworm"
BUILD = "src/loupe/build/aarch64"  # in the root
QEMU = "qemu-aarch64-static"
JAVA = "/usr/lib/jvm/java-17-openjdk-arm64/bin/java"
BRIEF = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # compiling is the slowest that qemu does
JVM_LIMIT_S = 600
CORPUS = pathlib.Path(os.environ.get("LOUPE_CORPUS") or ROOT.parent / "shared/corpus")
KNOW_QEMU = ("mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc"
             " && cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register")
STARTERS = ("test_server_faults", "test_ship_exit", "test_ship_killed")
BEYOND_QEMU = ("test_syscall_filter", "test_http_limits")  # it has no seccomp, and of TCP_INFO the first 4 bytes
CORPUS_BYTES_MAX = 4 << 20  # of one recording


# --- The root, and what is built in it

def cross_root():
    """A root with all that building for aarch64 needs, and a JVM; made once."""
    path = KEPT / f"{SUITE}-aarch64"
    if path.is_dir():
        return path
    making = KEPT / f"{SUITE}-aarch64.new"
    shutil.rmtree(making, ignore_errors=True)
    run("cp", "-a", base_root(SUITE, "bare"), making)
    shutil.copytree(ROOT / "scripts", making / "loupe/scripts")
    (making / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="ascii")
    with Mounted(making):
        chroot(making, "dpkg", "--add-architecture", "arm64")
        chroot(making, "/loupe/scripts/build", "--packages", "aarch64")
        chroot(making, "apt-get", "install", "-q", "-y", "--no-install-recommends", "openjdk-17-jre-headless:arm64")
    making.rename(path)
    return path


def build(root):
    copy_sources(root / "src/loupe")
    chroot(root, "sh", "-c", "cd /src/loupe && ./scripts/build aarch64")
    machine = run("readelf", "-h", root / BUILD / "lib/libloupe.so")
    expect("AArch64" in machine, "program and agent are built")


def run_unit_tests(root):
    """Some start themselves or the program: the kernel has to know qemu, in a namespace of this test's own (Linux 6.7)."""
    unshared = ("unshare", "--user", "--map-root-user", "--mount")
    left_out = BEYOND_QEMU
    can_start = subprocess.run([*unshared, "chroot", root, "sh", "-c", KNOW_QEMU], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not can_start:
        left_out += STARTERS
    print(f"unit tests without {', '.join(left_out)}", flush=True)
    tests = f"cd /src/loupe && ctest --preset aarch64 -j {os.cpu_count()} -E '^({'|'.join(left_out)})$'"
    before = [*unshared] if can_start else []
    said = run(*before, "chroot", root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "sh", "-c",
               f"{KNOW_QEMU} && {tests}" if can_start else tests)
    print("\n".join(line for line in said.splitlines() if "tests passed" in line or "***" in line), flush=True)


# --- What is run

def program_in(root):
    """The whole program: the other one could not start it where the kernel does not know qemu."""
    return ["chroot", root, QEMU, f"/{BUILD}/lib/loupe/loupe-whole"]


def compact(command, recording, out, policies):
    """The program's exit status, having written out or not."""
    return subprocess.run([*map(str, command), "compact", str(recording), "-o", str(out), "--policy", f"{policies}/loupe.jfc"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def is_same(program, root, recording):
    """RECORDING is in the root's /tmp."""
    ours, theirs = root / "tmp/ours.jfr", root / "tmp/theirs.jfr"
    for path in (ours, theirs):
        path.unlink(missing_ok=True)
    status = compact([program], recording, ours, ROOT / "policies")
    other = compact(program_in(root), f"/tmp/{recording.name}", "/tmp/theirs.jfr", "/src/loupe/policies")
    written = ours.exists(), theirs.exists()
    return status == other and written in ((False, False), (True, True)) and (not written[0] or filecmp.cmp(ours, theirs, shallow=False))


def take_corpus(root):
    """Recordings of other people's in the root's /tmp."""
    taken = []
    for path in sorted(CORPUS.rglob("*.jfr*")):
        if path.stat().st_size <= CORPUS_BYTES_MAX:
            copy = root / "tmp" / "-".join(path.relative_to(CORPUS).parts)
            shutil.copy(path, copy)
            taken.append(copy)
    return taken


def compare(program, root, recordings):
    different = [path.name for path in recordings if not is_same(program, root, path)]
    expect(not different, f"loupe compact makes the same bytes of {len(recordings)} recordings; others: {different}")


def record(root, folder, network):
    """A JVM with the agent; returns what the collector lists of it."""
    build_shop(root / BUILD / "lib/loupe.jar", root / "tmp/classes")
    with open(folder / "jvm.log", "wb") as log:
        jvm = subprocess.Popen(
            network.within("chroot", root, QEMU, JAVA, *BRIEF, f"-agentpath:/{BUILD}/lib/libloupe.so=service=shop", "-cp",
                           f"/tmp/classes:/{BUILD}/lib/loupe.jar", "Shop", "/tmp/stop"), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        def row():
            rows = json.loads(network.curl("/api/v1/recordings?service=shop"))["recordings"]
            return rows[0] if rows else None

        wait_for("a recording", row)
        wait_for("contexts", lambda: json.loads(network.curl(f"/api/v1/contexts?recording={row()['id']}"))["matched"] > 0)
        (root / "tmp/stop").touch()
        expect(jvm.wait(JVM_LIMIT_S) == 0, "a JVM for aarch64 runs with the agent, and ends")
        return wait_for("the end of the recording", lambda: not row()["is_running"] and row())
    except BaseException:
        print((folder / "jvm.log").read_text(encoding="utf-8", errors="replace")[-2000:])
        raise
    finally:
        jvm.kill()


def try_jvm(program, root, folder):
    """Returns the recording that was downloaded, in the root's /tmp."""
    network = Network()
    with open(folder / "collect.log", "wb") as log:
        collector = subprocess.Popen(network.within(*program_in(root), "collect", "--data", "/tmp/data"),
                                     stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        wait_for("the collector", lambda: "curl:" not in network.curl("/readyz", check=False))
        found = record(root, folder, network)
        file = root / "tmp/shop.jfr"
        run(*network.within("curl", "-sS", "-f", f"{HTTP}/api/v1/recordings/{found['id']}.jfr", "-o", file))
        check_shop(program, "shop", found, file)
        return file
    except BaseException:
        print((folder / "collect.log").read_text(encoding="utf-8", errors="replace")[-2000:])
        raise
    finally:
        collector.terminate()
        collector.wait(JVM_LIMIT_S)
        network.end()


def main():
    if os.geteuid() != 0:
        skip("this is not root")
    for tool in ("debootstrap", "javac", "unshare", "nsenter", "ip", "curl", "readelf"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    open_kept()
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        folder = pathlib.Path(folder)
        root = folder / "root"
        run("cp", "-a", cross_root(), root)
        with Mounted(root):
            build(root)
            print("aarch64: " + run(*program_in(root), "--version"), flush=True)
            compare(program, root, [try_jvm(program, root, folder), *take_corpus(root)])
            run_unit_tests(root)
    print("passed")


if __name__ == "__main__":
    main()
