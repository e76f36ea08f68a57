#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packages.py SUITE [DEBS]: what scripts/package makes, built and tried in bare roots of a release of Debian: bookworm or trixie.

It is built in one root, with nothing but what scripts/build installs, twice, in different folders, which have the same bytes.
The Debian packages are tried in another root, in which systemd is booted: the collector's service takes over the data of one that an earlier unit ran, a JVM with the packages' agent is recorded, the
recording is downloaded, secrets are read by the service's user, a higher version is installed, and all of it is removed and
purged. Nothing is left but data then, over which the commands of docs/start/first-steps.md install it again. The tarball
of Debian 12 is tried on both by tarball.py, and its agent for musl libc by musl.py. DEBS is a folder of packages that are built
already.

Needs root, debootstrap and systemd-nspawn, and a mirror of Debian: MIRROR, or the one that apt uses here. Ends with 77 and a
line that says why where one of them is missing. Roots are kept in LOUPE_ROOTS, or /var/tmp/loupe-roots.
"""

import glob
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import musl
import tarball
from roots import KEPT, ROOT, Mounted, base_root, build_packages, build_root, chroot, open_kept
from runs import LIMIT_S, expect, page_steps, run, skip, wait_for

LOAD_S = 10
TARBALL_SYSTEMS = ("bookworm", "trixie")  # built on the first of them, it runs on all
PACKAGES = ("loupe-tools", "loupe-collector", "loupe-agent")
HTTP = "http://127.0.0.1:7412"
TOKEN = "a-token-of-the-test-with-32-characters"


def higher(deb, out):
    """The same package with a higher version."""
    with tempfile.TemporaryDirectory() as folder:
        content = pathlib.Path(folder, "content")
        run("dpkg-deb", "-R", deb, content)
        control = content / "DEBIAN/control"
        control.write_text(re.sub(r"(\d-)1~", r"\g<1>2~", control.read_text(encoding="utf-8")), encoding="utf-8")
        run("dpkg-deb", "-b", content, out / deb.name.replace("-1~", "-2~"))


class Machine:
    """A root with systemd as its first process, and a network of its own, in which there is nobody else."""

    def __init__(self, root, log):
        self.root = root
        self.process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--boot", "--directory", str(root), "--register=no", "--keep-unit", "--private-network",
             "--console=pipe"], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.first = None
        wait_for("systemd's first process", self.find_first)
        wait_for("systemd", lambda: self.run("systemctl", "is-system-running", check=False).strip() in ("running", "degraded"))

    def find_first(self):
        """The process that is 1 inside."""
        if self.process.poll() is not None:
            raise SystemExit("systemd-nspawn has ended")
        pending = [self.process.pid]
        while pending:
            pid = pending.pop()
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
                if re.search(r"^NSpid:\t\d+\t1$", status, re.MULTILINE):
                    self.first = pid
                    return True
                for children in glob.glob(f"/proc/{pid}/task/*/children"):
                    pending += pathlib.Path(children).read_text(encoding="ascii").split()
            except (FileNotFoundError, ProcessLookupError):
                pass
        return False

    def command(self, *command):
        return ["nsenter", f"--target={self.first}", "--mount", "--uts", "--ipc", "--net", "--pid", "--root",
                "/bin/sh", "-c", "cd / && exec \"$@\"", "sh", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8",
                "DEBIAN_FRONTEND=noninteractive", *command]

    def run(self, *command, check=True):
        return run(*self.command(*command), check=check)

    def curl(self, *arguments, check=True):
        """The host's curl in the machine's network."""
        return run("nsenter", f"--target={self.first}", "--net", "curl", "-sS", "-f", *arguments, check=check)

    def install(self, folder, *names):
        self.run("apt-get", "install", "-q", "-y", "--no-install-recommends",
                 *(f"/{folder}/{path.name}" for name in names for path in sorted((self.root / folder).glob(f"{name}_*.deb"))))

    def path(self, name):
        return self.root / name.lstrip("/")

    def off(self):
        self.run("systemctl", "poweroff", "--no-wall", check=False)
        try:
            self.process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def ready(machine):
    return "yes" if "error" not in machine.run("sh", "-c", "loupe health || echo error", check=False) else None


def owner(machine, name):
    return machine.run("stat", "-c", "%U %G %a %F", name).strip()


def earlier_service(machine):
    """A service as the unit with DynamicUser= ran it: its directory is in /var/lib/private."""
    machine.install("first", "loupe-tools", "loupe-agent")
    unit = (machine.path("/first/loupe.service")).read_text(encoding="utf-8")
    machine.path("/etc/systemd/system/loupe.service").write_text(unit.replace("User=loupe", "DynamicUser=yes"), encoding="utf-8")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "start", "loupe")
    wait_for("the earlier service", lambda: ready(machine))
    machine.run("test", "-L", "/var/lib/loupe")
    identity = machine.run("sh", "-c", "ls -A /var/lib/private/loupe | sort")
    machine.run("systemctl", "stop", "loupe")
    machine.path("/etc/systemd/system/loupe.service").unlink()
    machine.run("systemctl", "daemon-reload")
    return identity


def install_service(machine):
    before = earlier_service(machine)
    machine.install("first", "loupe-collector")
    wait_for("the service", lambda: ready(machine))
    expect(machine.run("systemctl", "is-active", "loupe").strip() == "active", "after the installation the service runs")
    expect(machine.run("systemctl", "is-enabled", "loupe").strip() == "enabled", "and will at the next boot")
    owned = owner(machine, "/var/lib/loupe")
    expect(owned == "loupe loupe 700 directory", f"its directory is its user's alone: {owned}")
    after = machine.run("sh", "-c", "ls -A /var/lib/loupe | sort")
    expect(set(before.split()) <= set(after.split()) and not machine.path("/var/lib/private/loupe").exists(),
           "what an earlier unit with DynamicUser= left was taken over")
    pid = machine.run("systemctl", "show", "-P", "MainPID", "loupe").strip()
    expect(machine.run("stat", "-c", "%U", f"/proc/{pid}").strip() == "loupe", "the collector is not root")
    log = machine.run("journalctl", "--no-pager", "-u", "loupe", f"_PID={pid}")
    expect("loupe: agents tcp://127.0.0.1:7411" in log, "it logs to the journal")
    expect(" warn " not in log, "and warns of nothing")


def record(machine):
    """A JVM with the packages' agent, under load; returns the recording's id."""
    machine.run("mkdir", "/tmp/demo")
    program = "java -agentpath:/usr/lib/loupe/libloupe.so=service=demo -cp /first/loupe-demo.jar dev.loupe.demo.CheckoutService /tmp/demo"
    machine.run("sh", "-c", f"setsid {program} >/tmp/demo/log 2>&1 </dev/null &")
    wait_for("the demo's service", lambda: machine.run("sh", "-c", "cat /tmp/demo/port 2>/dev/null || true").strip())
    port = machine.run("cat", "/tmp/demo/port").strip()
    machine.run("java", "-cp", "/first/loupe-demo.jar", "dev.loupe.demo.LoadGenerator", port, str(LOAD_S), "1")
    machine.curl(f"http://127.0.0.1:{port}/stop")
    found = []

    def ended():
        found[:] = json.loads(machine.curl(f"{HTTP}/api/v1/recordings?service=demo"))["recordings"]
        return found and not found[0]["is_running"]

    wait_for("the end of the recording", ended)
    return found[0]["id"]


def download(machine, recording, folder, *arguments):
    file = folder / "demo.jfr"
    machine.curl("-o", file, *arguments, f"{HTTP}/api/v1/recordings/{recording}.jfr")
    shutil.copy(file, machine.path("/first/demo.jfr"))
    return json.loads(machine.run("loupe", "summary", "--json", "/first/demo.jfr"))


def with_secrets(machine, recording, folder):
    """Tokens in a file of the group loupe's, which the service's user reads where it is."""
    hashed = run("sh", "-c", f"printf %s {TOKEN} | sha256sum").split()[0]
    tokens = machine.path("/etc/loupe/tokens")
    tokens.write_text(f"reader read * sha256:{hashed}\n", encoding="utf-8")
    tokens.chmod(0o640)
    machine.run("chgrp", "loupe", "/etc/loupe/tokens")
    with machine.path("/etc/loupe/collect.env").open("a", encoding="utf-8") as file:
        file.write("LOUPE_TOKENS=/etc/loupe/tokens\n")
    machine.run("systemctl", "restart", "loupe")
    wait_for("the service with tokens", lambda: ready(machine))
    code = machine.curl("-o", "/dev/null", "-w", "%{http_code}", f"{HTTP}/api/v1/recordings", check=False)
    expect("401" in code, "with a file of tokens strangers are refused")
    summary = download(machine, recording, folder, "-H", f"Authorization: Bearer {TOKEN}")
    expect(summary["events"] > 0, "and who has one downloads the same")


def upgrade(machine, recording, folder):
    before = machine.run("systemctl", "show", "-P", "MainPID", "loupe").strip()
    machine.install("second", *PACKAGES)
    wait_for("the new service", lambda: ready(machine))
    after = machine.run("systemctl", "show", "-P", "MainPID", "loupe").strip()
    expect("-2~" in machine.run("dpkg-query", "-W", "loupe-collector"), "a higher version is installed")
    expect(after not in ("0", before), "it was restarted by that")
    expect("LOUPE_TOKENS" in machine.path("/etc/loupe/collect.env").read_text(encoding="utf-8"), "its configuration is as it was")
    expect(download(machine, recording, folder, "-H", f"Authorization: Bearer {TOKEN}")["events"] > 0, "and so are recordings")


def remove(machine):
    machine.run("apt-get", "remove", "-q", "-y", *PACKAGES)
    expect(machine.run("systemctl", "is-active", "loupe", check=False).strip() == "inactive", "removed, it does not run")
    expect(machine.path("/etc/loupe/tokens").exists() and machine.path("/var/lib/loupe/catalog.db").exists(),
           "configuration and data are there until it is purged")
    said = machine.run("apt-get", "purge", "-q", "-y", *PACKAGES)
    expect("/var/lib/loupe" in said, "purging says where recordings are")
    names = machine.run("find", "/", "-xdev", "-iname", "*loupe*", "-not", "-path", "/first*", "-not", "-path", "/second*",
                        "-not", "-path", "/proc/*", "-not", "-path", "/tmp/*", "-not", "-path", "*/zoneinfo/*").split()
    expect(names == ["/var/lib/loupe"], f"purged, nothing is left but data: {names}")
    expect(machine.run("find", "/var/lib/loupe", "-name", "*.jfr*").strip() or machine.path("/var/lib/loupe/catalog.db").exists(),
           "which are there")
    expect("loupe" not in machine.run("systemctl", "list-units", "--all", "--no-legend"), "systemd knows no unit any more")


def first_steps(machine):
    """The page's commands, in what it needs of the tree; the packages are built."""
    place = machine.path("/loupe")
    shutil.copytree(machine.path("/first"), place / "build/package")
    shutil.copytree(ROOT / "java/examples/maven", place / "java/examples/maven")
    start = machine.command("sh", "-c", 'cd /loupe && exec "$@"', "sh")
    page_steps("Debian packages", start, "/", os.environ, skipped=("./scripts/package debs",))
    machine.run("apt-get", "purge", "-q", "-y", *PACKAGES)


def checksums(folder):
    """Of all that is packed: its name and its bytes."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.relative_to(folder).parts[0] != "build"}


def build_twice(suite, folder):
    root = build_root(suite, folder)
    made = build_packages(root, "src/loupe")
    again = build_packages(root, "somewhere/else/of/another/length/loupe")
    one, other = checksums(made), checksums(again)
    different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
    expect(len(one) > 90 and not different, f"built in another folder {len(one)} files have the same bytes; others: {different}")
    run("lintian", "--allow-root", "--fail-on", "error", *made.glob("*.deb"))
    return made


def try_packages(suite, debs, folder):
    root = folder / "machine"
    run("cp", "-a", base_root(suite, "jdk", "default-jdk-headless", "curl"), root)
    (root / "first").mkdir()
    (root / "second").mkdir()
    for deb in debs.glob("*.deb"):
        shutil.copy(deb, root / "first")
        higher(deb, root / "second")
    shutil.copy(debs / "build/lib/loupe-demo.jar", root / "first")
    run("sh", "-c", f"dpkg-deb --fsys-tarfile {root}/first/loupe-collector_*.deb | tar -xO ./usr/lib/systemd/system/loupe.service "
        f">{root}/first/loupe.service")
    with Mounted(root): # the machine has no network
        chroot(root, "sh", "-c", "apt-get update -q && apt-get install -q -y --no-install-recommends --download-only /first/*.deb")
    with open(folder / "boot.log", "w", encoding="utf-8") as log:
        machine = Machine(root, log)
        try:
            print(f"{suite}: {machine.run('systemctl', '--version').splitlines()[0]} is booted", flush=True)
            install_service(machine)
            recording = record(machine)
            summary = download(machine, recording, folder)
            expect(summary["events"] > 0, f"a recording of {machine.run('java', '-version').splitlines()[0]}: {summary['events']} events")
            with_secrets(machine, recording, folder)
            upgrade(machine, recording, folder)
            remove(machine)
            first_steps(machine)
        except BaseException:
            print(machine.run("sh", "-c", "systemctl status loupe; journalctl --no-pager -n 50; cat /tmp/demo/log", check=False))
            raise
        finally:
            machine.off()


def try_tarball(tar, libraries, folder):
    places = [tarball.try_all(tar, system, folder) for system in TARBALL_SYSTEMS]
    musl.try_all(places[0] / "bin/loupe", places[0] / "lib/loupe", libraries, folder / "musl")


def main():
    suite = sys.argv[1]
    if os.geteuid() != 0:
        skip("this is not root")
    for tool in ("debootstrap", "systemd-nspawn", "nsenter", "curl", "dpkg-deb", "lintian"):
        if not shutil.which(tool):
            skip(f"there is no {tool}")
    open_kept()
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        folder = pathlib.Path(folder)
        made = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else build_twice(suite, folder)
        try_packages(suite, made, folder)
        if suite == TARBALL_SYSTEMS[0]:
            try_tarball(next(made.glob("*.tar.xz")), made.parent / "musl-libraries", folder)
    print(f"{suite}: passed")


if __name__ == "__main__":
    main()
