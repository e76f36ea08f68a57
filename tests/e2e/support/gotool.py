# SPDX-License-Identifier: Apache-2.0
"""Go programs for tests, which are skipped where there is no Go or where a program's modules cannot be had."""

import glob
import json
import os
import re
import shutil
import subprocess

from support.kept import locked
from support.process import check, skip

LIMIT_S = 600
# What Go 1.21 and newer fetch by themselves where a program needs a newer one; Debian 12's own Go is older.
TOOLCHAIN = "go1.26.8"
KEPT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../build/go"))  # for all builds


def build_once(folder):
    """Builds the program of the folder, which has a go.mod, for all tests of this tree. Returns its path. Builds side by side would
    each compile the packages that they share."""
    program = os.path.join(KEPT, os.path.basename(folder), "program")
    with locked(KEPT):
        if not os.path.exists(program):
            build(folder, program)
    return program


def build(folder, program):
    go, env = newest()
    fetched = run(go, env, folder, "mod", "download")
    if fetched.returncode != 0:
        skip(f"the modules of {os.path.basename(folder)} cannot be had: {last_line(fetched)}")
    built = run(go, env, folder, "build", "-o", program, ".")
    check(built.returncode == 0, f"go build {folder}: {built.stderr[-2000:]}")


def install(package, version):
    """Installs a program of others. Returns its path."""
    folder = os.path.join(KEPT, version)
    go, env = newest()
    installed = run(go, dict(env, GOBIN=folder), folder, "install", f"{package}@{version}")
    if installed.returncode != 0:
        skip(f"{package} cannot be had: {last_line(installed)}")
    return os.path.join(folder, os.path.basename(package))


def newest():
    """A Go that can build every program here, as (command, environment)."""
    go = shutil.which("go") or next(iter(glob.glob("/usr/local/go/bin/go") + glob.glob("/usr/lib/go*/bin/go")), None)
    if not go:
        skip("no Go (apt-get install golang-go)")
    # Compiling costs more than these programs do, and half of it is optimising. Nobody debugs them, and GOGC is the compiler's.
    env = dict(os.environ, GOFLAGS="-modcacherw '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w'", CGO_ENABLED="0", GOGC="400")
    found = re.search(r"go1\.(\d+)", run(go, env, KEPT, "version").stdout)
    if found and int(found.group(1)) < 21:
        return fetch_toolchain(go, env)
    return go, env


def fetch_toolchain(go, env):
    system = run(go, env, KEPT, "env", "GOOS", "GOARCH").stdout.split()
    module = f"golang.org/toolchain@v0.0.1-{TOOLCHAIN}.{'-'.join(system)}"
    fetched = run(go, dict(env, GOMODCACHE=KEPT), KEPT, "mod", "download", "-json", module)
    if fetched.returncode != 0:
        skip(f"{module} cannot be had: {last_line(fetched)}")
    root = json.loads(fetched.stdout)["Dir"]
    # A module can hold neither programs nor other modules, so the first are not executable and the others renamed.
    for program in glob.glob(f"{root}/bin/*") + glob.glob(f"{root}/pkg/tool/*/*"):
        os.chmod(program, 0o755)
    for renamed in glob.glob(f"{root}/**/_go.mod", recursive=True):
        os.rename(renamed, os.path.join(os.path.dirname(renamed), "go.mod"))
    return f"{root}/bin/go", dict(env, GOROOT=root, GOTOOLCHAIN="local")


def run(go, env, folder, *arguments):
    os.makedirs(folder, exist_ok=True)
    return subprocess.run([go, *arguments], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False, text=True)


def last_line(done):
    return (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()[-1]
