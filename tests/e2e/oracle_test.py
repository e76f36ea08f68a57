# SPDX-License-Identifier: Apache-2.0
"""Promised: the oracle sees what is wrong in an output. Here it gets a right one, and others that were damaged or made
with another policy."""

import os
import re

from support.elimination import DEFAULT, LIMIT_S, compact, judge
from support.process import check, run

HEADER_BYTES, START_NANOS_AT = 68, 32
UTF8, UTF16 = 3, 4  # how a text begins that is a constant, and one in an event
POLICY = """<configuration version="2.0"><event name="{}"><setting name="{}">{}</setting></event></configuration>"""


def varint(content, at):
    """The value at a place, and the place behind it."""
    value = shift = 0
    while True:
        byte = content[at]
        at += 1
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def hide_event(content):
    """Gives an event of the first chunk a type that nobody knows, so that readers pass it over."""
    at = HEADER_BYTES
    while True:
        size, type_at = varint(content, at)
        _, end = varint(content, type_at)
        if end - type_at == 2:
            content[type_at:end] = b"\xff\x7f"
            return
        at += size


def replace(old, new, encoding=UTF8):
    """Changes a whole text: others may have the same in them, such as jdk.ThreadDump's."""
    old, new = (bytes([encoding, len(text)]) + text for text in (old, new))
    def change(content):
        at = content.index(old)
        content[at:at + len(old)] = new
    return change


def move_clock(content):
    later = int.from_bytes(content[START_NANOS_AT:START_NANOS_AT + 8], "big") + 1
    content[START_NANOS_AT:START_NANOS_AT + 8] = later.to_bytes(8, "big")


# What is done to a right output, and what the oracle says of it.
DAMAGES = {
    "event": (hide_event, "1 missing, 0 too many or changed"),
    "chunk": (lambda content: content.extend(content), "0 missing, [1-9][0-9]* too many or changed"),
    "thread": (replace(b"worker-1", b"worker-X"), 'found +eventThread = .*"worker-X"'),
    "text": (replace(b"abcdefghij", b"abcdefghiX", UTF16), "found .*abcdefghiX"),
    "loader": (replace(b"app", b"apX"), 'found .*name="apX"'),
    "frame": (replace(b"commitPlain", b"commitPlaiX"), "found +stackTrace = .*commitPlaiX"),
    "clock": (move_clock, "found +times = "),
}
# What is kept by another policy.
POLICIES = {
    "contexts": (("rnd.Request", "select", "all"), r"\+ rnd.Request .*\n +DROPPED: a context, IF_TRIGGERED"),
    "plain": (("rnd.Bare", "enabled", "false"), r"- rnd.Bare .*\n +KEPT: ALL"),
    "short": (("rnd.Small", "threshold", "1 us"), r"- rnd.Small .*\n +KEPT: ALL"),
    "covered": (("rnd.Bare", "select", "if-context"), r"- rnd.Bare .*\n +KEPT: ALL"),
    "more": (("rnd.Order", "contextual", "true"), r"- rnd.Order .*\n +KEPT: ALL"),
}


def body(scenario):
    recording = scenario.path("in.jfr")
    scenario.jvm(17, "RandomRecording", recording, "1", "500", "50").wait_exit(LIMIT_S)
    right = scenario.path("right.jfr")
    check(compact(recording, right).returncode == 0, "loupe compact")
    expected = {right: ": as it must be"}
    for name, (damage, says) in DAMAGES.items():
        with open(right, "rb") as file:
            content = bytearray(file.read())
        damage(content)
        expected[scenario.path(name)] = says
        with open(scenario.path(name), "wb") as file:
            file.write(content)
    for name, (settings, says) in POLICIES.items():
        with open(scenario.path("policy.jfc"), "w", encoding="ascii") as file:
            file.write(POLICY.format(*settings))
        expected[scenario.path(name)] = says
        check(compact(recording, scenario.path(name), scenario.path("policy.jfc")).returncode == 0, "loupe compact")
    status, report = judge(recording, [(DEFAULT, path) for path in expected])
    check(status == 1, f"exit status {status}: {report}")
    parts = {part.split(":")[0]: part for part in re.split(r"^(?=\S+: expected )", report, flags=re.MULTILINE)}
    for path, says in expected.items():
        part = parts[os.path.basename(path)]
        check(re.search(says, part), f"not a word of '{says}' in {part}")
        check((": WRONG" in part) == (path != right), part)


run("oracle_test", body)
