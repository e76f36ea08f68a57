# SPDX-License-Identifier: Apache-2.0
"""Which files a change touched, for checks that take long for all of them."""

import pathlib
import subprocess

MAINS = ("origin/main", "main")


def changed_files(root):
    """The files that the working tree and the commits since main touched (on main itself: its last commit, or all that its last
    merge brought), the latest first, those that went among them; None without a history."""
    def git(*words):
        done = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
        return done.stdout.splitlines() if done.returncode == 0 else []

    head = git("rev-parse", "HEAD")
    begun = [base for main in MAINS for base in git("merge-base", main, "HEAD") if [base] != head]
    base = (begun + git("rev-parse", "--verify", "HEAD^1"))[:1]
    if not base:
        return None
    names = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    names += git("log", "-m", "--first-parent", "--format=", "--name-only", f"{base[0]}..HEAD")
    return [pathlib.Path(root, name) for name in dict.fromkeys(names)]
