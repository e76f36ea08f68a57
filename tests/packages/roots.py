# SPDX-License-Identifier: Apache-2.0
"""roots: bare roots of releases of Debian, as debootstrap makes them, and what is built in them. They are kept in LOUPE_ROOTS, or
/var/tmp/loupe-roots."""

import fcntl
import os
import pathlib
import shutil
import time

from runs import mirror, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = pathlib.Path(os.environ.get("LOUPE_ROOTS", "/var/tmp/loupe-roots"))  # the checks of the tree would read them in build
LOCKS = []  # open until this process ends


def chroot(root, *command, **more):
    return run(*within(root, *command), env=environment(**more))


def within(root, *command):
    return ("chroot", str(root), *map(str, command))


def environment(**more):
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **more}


class Mounted:
    """A root with /proc, for Java, and with terminals if debootstrap made it, while something runs in it. Other devices it has of its
    own."""

    def __init__(self, root):
        self.proc = root / "proc"
        self.terminals = root / "dev/pts"
        self.has_terminals = self.terminals.is_dir()

    def __enter__(self):
        run("mount", "-t", "proc", "proc", self.proc)
        if self.has_terminals:
            run("mount", "-t", "devpts", "-o", "ptmxmode=666", "devpts", self.terminals)

    def __exit__(self, *_):
        if self.has_terminals:
            run("umount", "-l", self.terminals)
        run("umount", "-l", self.proc)


def open_kept():
    """Has the roots for this run alone, until it ends. What others may write there root does not run."""
    KEPT.mkdir(parents=True, exist_ok=True)
    found = KEPT.stat()
    if found.st_uid != 0 or found.st_mode & 0o022:
        raise SystemExit(f"{KEPT} is not root's alone: remove it, or name another place by LOUPE_ROOTS")
    LOCKS.append(open(KEPT / "lock", "wb"))
    try:
        fcntl.flock(LOCKS[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SystemExit(f"another run has the roots in {KEPT}: wait for it, or name another place by LOUPE_ROOTS") from None


def base_root(suite, name, *packages):
    """A root as debootstrap makes it, and with packages; made once."""
    path = KEPT / f"{suite}-{name}"
    if path.is_dir():
        return path
    making = KEPT / f"{suite}-{name}.new"
    shutil.rmtree(making, ignore_errors=True)
    if packages:
        run("cp", "-a", base_root(suite, "bare"), making)
        with Mounted(making):
            chroot(making, "apt-get", "update", "-q")
            chroot(making, "apt-get", "install", "-q", "-y", "--no-install-recommends", *packages)
    else:
        run("debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv", suite, making, mirror())
        shutil.copy("/etc/resolv.conf", making / "etc/resolv.conf")
    making.rename(path)
    return path


def sources():
    """The files of the tree, as they are."""
    return run("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard").split()


def fetch_jars():
    """Other people's jars in build/jars, as far as they can be had: this machine may know a way that a root or an image does not."""
    for what in ("grpc", "kafka", "kotlin", "micrometer", "opentracing", "otel", "quartz", "servlet", "slf4j", "spring", "vertx", "webflux"):
        run(ROOT / "scripts/jars.py", what, check=False)


def build_root(suite, folder):
    """A root to build in."""
    root = folder / "build"
    run("cp", "-a", base_root(suite, "bare"), root)
    return root


def copy_sources(target):
    """The tree in a folder, to be built there, with other people's jars as far as this machine has them."""
    for name in sources():
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name, follow_symlinks=False)
    fetch_jars()
    if (ROOT / "build/jars").is_dir():
        shutil.copytree(ROOT / "build/jars", target / "build/jars")


def build_packages(root, place):
    """All that scripts/package makes, built in a folder of a root; returns where it is."""
    source = root / place
    copy_sources(source)
    start = time.monotonic()
    with Mounted(root):
        chroot(root, f"/{place}/scripts/package",
               SOURCE_DATE_EPOCH=run("git", "-C", ROOT, "log", "-1", "--format=%ct").strip())
    print(f"/{place}: built in {time.monotonic() - start:.0f} s", flush=True)
    return source / "build/package"
