# SPDX-License-Identifier: Apache-2.0
"""Promised: a collector's process gives away and may do no more than it has to.

--case files: whatever the umask, nobody but its user and group can open a file that it made, nor connect to its Unix socket.
--case health: `loupe health` has status 0 where /readyz says so, and else 1 and the reason, also of a server that never answers.
--case calls:  all threads of a collector are without the system calls that it does not need, and cannot start a program.
"""

import argparse
import glob
import os
import shutil
import socket
import stat
import subprocess
import threading

from support import upgrade
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for

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
    path = scenario.path("agents.socket")
    local.agents = f"ipc://{path}"
    local.start()
    mode = stat.S_IMODE(os.stat(path).st_mode)
    check(mode == 0o770, f"the socket has the mode {mode:o}")
    local.stop()


def health(collector, env=None, address=None):
    """(status, standard output, standard error) of loupe health."""
    words = [LOUPE, "health", *(["--http", address] if address else [])]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=LIMIT_S,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def expect_unhealthy(address, reason):
    status, out, err = health(None, address=address)
    check(status == 1 and not out and err.startswith(f"loupe health: {address}: ") and reason in err and err.count("\n") == 1,
          f"{status} {out!r} {err!r}, not {reason}")


class Answerer:
    """A server that answers each connection with these bytes, and leaves it open."""

    def __init__(self, answer):
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        self.connections = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            self.connections.append(connection)
            connection.sendall(self.answer)


def check_health(scenario):
    collector = Collector(scenario)
    address = f"127.0.0.1:{collector.http_port}"
    expect_unhealthy(address, "Connection refused")
    collector.start()
    for words in ({"address": address}, {"env": {"LOUPE_HTTP": f"0.0.0.0:{collector.http_port}"}},
                  {"address": f":{collector.http_port}"}, {"address": f"localhost:{collector.http_port}"}):
        found = health(collector, **words)
        check(found == (0, "ready\n", ""), f"{words}: {found}")
    shutil.rmtree(os.path.join(collector.data, "journal"))
    wait_for("a collector that is not ready", lambda: collector.get("/readyz").status == 503)
    expect_unhealthy(address, "not ready (503): ")
    collector.stop()
    expect_unhealthy(Answerer(b"").address, "no answer within 5 s")
    expect_unhealthy(Answerer(b"SSH-2.0-x\r\n").address, "not an HTTP server")
    expect_unhealthy(Answerer(b"HTTP/1.1 404 Not Found\r\n").address, "not ready (404)")


def calls(scenario):
    collector = Collector(scenario).start()
    check("system calls" not in scenario.log_of("collector"), "the kernel takes no filter")
    for path in glob.glob(f"/proc/{collector.process.pid}/task/*/status"):
        with open(path, encoding="ascii") as file:
            status = dict(line.split(":", 1) for line in file.read().splitlines())
        check((status["NoNewPrivs"].strip(), status["Seccomp"].strip()) == ("1", "2"), f"{path}: {status}")
    collector.stop()


CASES = {"calls": calls, "files": files, "health": check_health}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"hardening-{args.case}", CASES[args.case])


main()
