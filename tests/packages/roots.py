# SPDX-License-Identifier: Apache-2.0
"""roots: bare roots of releases of Debian, as debootstrap makes them, and what is built in them. They are kept in LOUPE_ROOTS, or
/var/tmp/loupe-roots."""

import os
import pathlib
import shutil
import time

from runs import mirror, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = pathlib.Path(os.environ.get("LOUPE_ROOTS", "/var/tmp/loupe-roots"))  # the checks of the tree would read them in build


def chroot(root, *command, **more):
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                   **more}
    return run("chroot", root, *command, env=environment)


class Mounted:
    """A root with /proc, for Java, while it is built in."""

    def __init__(self, root):
        self.proc = root / "proc"

    def __enter__(self):
        run("mount", "-t", "proc", "proc", self.proc)

    def __exit__(self, *_):
        run("umount", "-l", self.proc)


def base_root(suite, name, *packages):
    """A root as debootstrap makes it, and with packages; made once."""
    path = KEPT / f"{suite}-{name}"
    if path.is_dir():
        return path
    making = KEPT / f"{suite}-{name}.new"
    shutil.rmtree(making, ignore_errors=True)
    KEPT.mkdir(parents=True, exist_ok=True)
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


def build_root(suite, folder):
    """A root to build in."""
    root = folder / "build"
    run("cp", "-a", base_root(suite, "bare"), root)
    return root


def copy_sources(source):
    """The tree, and other people's jars that were fetched for it, into a folder."""
    for name in sources():
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
    if (ROOT / "build/jars").is_dir():
        shutil.copytree(ROOT / "build/jars", source / "build/jars")


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
