# SPDX-License-Identifier: Apache-2.0
"""runs: commands that have to succeed, facts that have to hold, what has to happen within a time, and the commands of
docs/start/first-steps.md."""

import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/support"))

import pages

SKIPPED = 77
LIMIT_S = 120  # for any one thing that has to happen


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def run(*command, check=True, limit_s=None, **more):
    """What a command says, without white space at its ends."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, stdin=subprocess.DEVNULL, timeout=limit_s, **more)
    if check and done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout.strip()


def expect(fact, what):
    if not fact:
        raise SystemExit(f"not so: {what}")
    print(f"  {what}", flush=True)


def wait_for(what, condition):
    """What the condition is, once it is something."""
    end = time.monotonic() + LIMIT_S
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {LIMIT_S} s")
        time.sleep(0.2)


def mirror():
    """Debian's mirror: where apt has it from, unless MIRROR says."""
    found = os.environ.get("MIRROR")
    if not found:
        lines = run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").splitlines()
        found = next((line for line in lines if line.endswith("/debian/")), None)
    if not found:
        skip("apt has no mirror of Debian here, and MIRROR is not set")
    return found


def page_steps(title, start, folder, env, limit_s=LIMIT_S, skipped=()):
    """Runs the commands that docs/start/first-steps.md has below a title, in a shell that `start` begins, but those that are skipped."""
    text = (ROOT / "docs/start/first-steps.md").read_text(encoding="utf-8")
    shell = pages.Shell(start, folder, env, limit_s)
    try:
        for command in pages.commands(text, title):
            if command.text not in skipped:
                shell.run(command)
    except pages.Wrong as problem:
        raise SystemExit(str(problem)) from None
    finally:
        shell.end()
