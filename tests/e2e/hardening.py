# SPDX-License-Identifier: Apache-2.0
"""Promised: a collector's process gives away and may do no more than it has to.

--case files: whatever the umask, nobody but its user and group can open a file that it made, nor connect to its Unix socket.
"""

import argparse
import glob
import os
import stat
import subprocess

from support import upgrade
from support.process import LOUPE, Collector, check, run

HIDDEN = stat.S_IWGRP | stat.S_IRWXO  # what no file may have


def with_umask(scenario, umask):
    """The program, as somebody starts it who gives all rights to everybody."""
    path = scenario.path(f"umask-{umask}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\numask {umask}\nexec "{LOUPE}" "$@"\n')
    os.chmod(path, 0o755)
    return path


def check_modes(data, *expected):
    """Nothing in the directory is open to others, and these patterns are there."""
    paths = [data, *(os.path.join(folder, name) for folder, folders, names in os.walk(data) for name in folders + names)]
    for path in paths:
        try:
            mode = stat.S_IMODE(os.lstat(path).st_mode)
        except FileNotFoundError:  # it was a file for a moment
            continue
        check(mode & HIDDEN == 0, f"{path} has the mode {mode:o}")
    for pattern in expected:
        check(glob.glob(os.path.join(data, pattern)), f"there is no {pattern} among {sorted(paths)}")


def command(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    check(done.returncode == 0, f"{arguments}: {done.returncode} {done.stdout.decode()}")


def files(scenario):
    program = with_umask(scenario, "000")
    folder = upgrade.generations()[0]
    collector = Collector(scenario, program=program)
    collector.start()
    upgrade.check_answers(collector, upgrade.requests(os.path.join(folder, "before")))
    upgrade.wait_ended(collector, "basket")
    check_modes(collector.data, "catalog.db-wal", "chunks/*/*", "journal/*")
    collector.stop()
    command(program, "index", "--rebuild", "--data", collector.data)
    check_modes(collector.data, "catalog.db", "ids/*")
    command(program, "fsck", "--repair", "--data", collector.data)
    check_modes(collector.data)

    local = Collector(scenario, "local", program=program)
    socket = scenario.path("agents.socket")
    local.agents = f"ipc://{socket}"
    local.start()
    mode = stat.S_IMODE(os.stat(socket).st_mode)
    check(mode == 0o770, f"the socket has the mode {mode:o}")
    local.stop()


CASES = {"files": files}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"hardening-{args.case}", CASES[args.case])


main()
