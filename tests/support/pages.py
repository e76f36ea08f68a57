# SPDX-License-Identifier: Apache-2.0
"""The commands of a page of the documentation, run as they stand there.

A block ```console has commands behind `$ `, each up to the end of its line, or further where a line ends with a backslash.
Below a command are lines that it prints, in this order, among others that the page leaves out; `...` in them is anything.
`ID` in a command is the last "id" that was printed, as who reads the page would copy it.
"""

import os
import re
import signal
import subprocess
import threading
import time

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ID = re.compile(r'"id": ?"(\w+)"')
MARK = "the command has ended with"


class Wrong(Exception):
    """A command of the page failed, or printed something else."""


class Command:
    def __init__(self, text):
        self.text = text
        self.shown = []


def commands(page, title):
    """What the blocks below the heading of this title have, in their order."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^\1 |\Z)", page, re.MULTILINE | re.DOTALL)
    if not found:
        raise Wrong(f"there is no heading '{title}'")
    made = []
    for block in BLOCK.findall(found.group(2)):
        if not block.startswith("$ "):
            raise Wrong(f"a block of '{title}' begins without a command")
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            if line.startswith("$ "):
                made.append(Command(line[2:]))
            else:
                made[-1].shown.append(line.rstrip())
    if not made:
        raise Wrong(f"'{title}' has no commands")
    return made


def lacking(shown, lines):
    """The first of the shown lines that is not among the lines, behind those before it; None if all are."""
    rest = iter(lines)
    for line in shown:
        pattern = ".*".join(map(re.escape, line.strip().split("...")))
        if not any(re.fullmatch(pattern, one.strip()) for one in rest):
            return line
    return None


class Shell:
    """One bash, in which the commands of a page run one after the other, as who reads it has one. What they leave in
    the background ends with it."""

    def __init__(self, start, folder, env, limit_s):
        """start is what has the shell run elsewhere, as `unshare --net`, or nothing."""
        self.limit_s = limit_s
        self.lines = []
        self.id = None
        self.process = subprocess.Popen([*start, "bash", "--norc"], cwd=folder, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.decode("utf-8", "replace").rstrip())

    def run(self, command):
        """Returns what it printed; raises Wrong if it failed, or did not print what the page shows."""
        text = re.sub(r"\bID\b", lambda _: self.known_id(), command.text)
        print(f"$ {text}", flush=True)
        first = len(self.lines)
        self.process.stdin.write(f"{{\n{text}\n}} </dev/null\nprintf '\\n{MARK} %s\\n' $?\n".encode())
        self.process.stdin.flush()
        ended = self.wait(command, first, lambda: self.status(first) is not None)
        if not ended or self.status(first) != "0":
            raise Wrong(f"`{text}` {'failed' if ended else 'did not end'}:\n" + "\n".join(self.lines[first:]))
        self.wait(command, first, lambda: lacking(command.shown, self.lines[first:]) is None)
        missing = lacking(command.shown, self.lines[first:])
        printed = "\n".join(line for line in self.lines[first:] if not line.startswith(MARK))
        if missing is not None:
            raise Wrong(f"`{text}` did not print the line `{missing}`:\n{printed}")
        self.id = (ID.findall(printed) or [self.id])[-1]
        return printed

    def wait(self, command, first, condition):
        """Until it holds, or cannot hold any more: what runs in the background may print later than its command ends."""
        deadline = time.monotonic() + self.limit_s
        is_in_background = command.text.endswith("&")
        while not condition():
            is_over = self.status(first) is not None and not is_in_background
            if is_over or time.monotonic() > deadline or not self.reader.is_alive():
                return condition()
            time.sleep(0.05)
        return True

    def status(self, first):
        """With what the command ended whose lines begin there, or None."""
        return next((line[len(MARK) + 1:] for line in self.lines[first:] if line.startswith(MARK)), None)

    def known_id(self):
        if not self.id:
            raise Wrong("a command has ID, and none was printed before")
        return self.id

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        try:
            self.process.wait(self.limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdin.close()
        self.reader.join(self.limit_s)
        self.process.stdout.close()
