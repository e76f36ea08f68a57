# SPDX-License-Identifier: Apache-2.0
"""Promised: the oracle sees what is wrong in an output. Here it gets right ones, and others that were damaged or made
with another policy or in another style; with --all in every way below, otherwise in a few of each kind."""

import argparse
import os
import re

from support.chunks import bounds
from support.elimination import DEFAULT, EVENTS, FIELDS, LIMIT_S, REF, STYLES, compact, judge, write_policy
from support.jfrbytes import HEADER_BYTES, Chunk, varint
from support.process import check, run

START_NANOS_AT = 32
KEY_BYTES = 8  # of a constant that `ref` makes; few have less
UTF8, UTF16 = 3, 4  # how a text begins that is a constant, and one in an event


def hide_event(content):
    """Gives an event of the first chunk a type that nobody knows, so that readers skip it."""
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


def exchange_contexts(content):
    """Lets the first two events of the first chunk that refer to different contexts refer to each other's."""
    chunk = Chunk(bytes(content[:next(bounds(content))[1]]))
    contexts = {key for type_id, key in chunk.constants if type_id == chunk.type_named("loupe.Context").id}
    ends = {}  # by context, which is what an event ends with
    for event in chunk.plain_events():
        context, _ = varint(content, event.end - KEY_BYTES)
        if context in contexts:
            ends.setdefault(context, event.end)
    one, other = list(ends.values())[:2]
    content[one - KEY_BYTES:one], content[other - KEY_BYTES:other] = (
        content[other - KEY_BYTES:other], content[one - KEY_BYTES:one])


# Changes of a right output, and the oracle's word for each.
DAMAGES = {
    "event": (hide_event, "1 missing, 0 too many or changed"),
    "chunk": (lambda content: content.extend(content), "0 missing, [1-9][0-9]* too many or changed"),
    "thread": (replace(b"worker-1", b"worker-X"), 'found +eventThread = .*"worker-X"'),
    "text": (replace(b"abcdefghij", b"abcdefghiX", UTF16), "found .*abcdefghiX"),
    "loader": (replace(b"app", b"apX"), 'found .*name="apX"'),
    "frame": (replace(b"commitPlain", b"commitPlaiX"), "found +stackTrace = .*commitPlaiX"),
    "clock": (move_clock, "found +times = "),
}
# The same for outputs in which events show their contexts.
OTHER_TEXT = r"(_user|_name|_field\d) is abcdefghiX, but is in \[.*rnd"
STYLE_DAMAGES = {
    "value": (FIELDS, replace(b"abcdefghij", b"abcdefghiX"), OTHER_TEXT),
    "value-in-ref": (REF, replace(b"abcdefghij", b"abcdefghiX"), OTHER_TEXT),
    "other-context": (REF, exchange_contexts, "\n2 events show other contexts"),
}
# In which style an output is and for which one it is taken, and what the oracle says of it.
STYLES_TAKEN = {
    (EVENTS, FIELDS): "has got .* instead of .*Request_id",
    (EVENTS, REF): r"has got .* instead of \[context\]",
    (FIELDS, EVENTS): r"[1-9][0-9]* missing, [1-9][0-9]* too many or changed",
    (FIELDS, REF): r"has got .* instead of \[context\]",
    (REF, FIELDS): "has got .* instead of .*Request_id",
}
# Outputs of another policy.
POLICIES = {
    "contexts": (("rnd.Request", "select", "all"), r"\+ rnd.Request .*\n +DROPPED: a context, IF_TRIGGERED"),
    "plain": (("rnd.Bare", "enabled", "false"), r"- rnd.Bare .*\n +KEPT: ALL"),
    "short": (("rnd.Small", "threshold", "1 us"), r"- rnd.Small .*\n +KEPT: ALL"),
    "covered": (("rnd.Bare", "select", "if-context"), r"- rnd.Bare .*\n +KEPT: ALL"),
    "more": (("rnd.Order", "contextual", "true"), r"- rnd.Order .*\n +KEPT: ALL"),
}


RECORDINGS_MAX = 20
# For every change: a lost event, a changed value, a wrong context, another style, a context too many, an event too few.
FEW = ("event", "text", "value", "other-context", (FIELDS, EVENTS), (EVENTS, REF), "contexts", "plain")


def some(wrongs, is_all):
    return {name: wrong for name, wrong in wrongs.items() if is_all or name in FEW}


def make(scenario, recording, style):
    done = compact(recording, scenario.path(style), more=["--context-style", style])
    check(done.returncode == 0, f"loupe compact: {done.stderr.decode()}")
    with open(scenario.path(style), "rb") as file:
        return file.read()


def is_damageable(contents, damages):
    """Whether all that is to be changed is there."""
    for style, damage, _ in damages.values():
        try:
            damage(bytearray(contents[style]))
        except ValueError:
            return False
    return True


def make_all(scenario, recording, damages):
    """Returns the outputs by style. Which contexts the events of a recording are in is chance, so there may have to be
    several until all is there that is to be changed."""
    for _ in range(RECORDINGS_MAX):
        scenario.jvm(17, "RandomRecording", recording, "1", "500", "50").wait_exit(LIMIT_S)
        contents = {style: make(scenario, recording, style) for style in STYLES}
        if is_damageable(contents, damages):
            return contents
        os.remove(recording)
    raise AssertionError(f"none of {RECORDINGS_MAX} recordings has all texts that are to be changed")


def check_sample(scenario, recording):
    """All contexts, where a sample of them was wanted."""
    everything = {"select": "all"}
    made = write_policy(scenario.path("made.jfc"), {"rnd.Request": everything})
    wanted = write_policy(scenario.path("wanted.jfc"), {"rnd.Request": {**everything, "context-throttle": "1/s"}})
    check(compact(recording, scenario.path("all"), made).returncode == 0, "loupe compact")
    check(compact(recording, scenario.path("sample"), wanted).returncode == 0, "loupe compact")
    status, report = judge(recording, [(EVENTS, wanted, scenario.path("all"))])
    check(status == 1 and re.search(r"counted: rnd.Request .*: \d+ contexts in unit", report), report)
    status, report = judge(recording, [(EVENTS, wanted, scenario.path("sample"))])
    check(status == 0, report)


def body(scenario, is_all):
    recording = scenario.path("in.jfr")
    damages = some({**{name: (EVENTS, *damage) for name, damage in DAMAGES.items()}, **STYLE_DAMAGES}, is_all)
    contents = make_all(scenario, recording, damages)
    expected = {(style, style): ": as it must be" for style in STYLES}  # by style and name of the file
    for name, (style, damage, says) in damages.items():
        content = bytearray(contents[style])
        damage(content)
        expected[style, name] = says
        with open(scenario.path(name), "wb") as file:
            file.write(content)
    for (style, taken_for), says in some(STYLES_TAKEN, is_all).items():
        name = f"{style}-as-{taken_for}"
        os.link(scenario.path(style), scenario.path(name))
        expected[taken_for, name] = says
    for name, ((event, setting, value), says) in some(POLICIES, is_all).items():
        policy = write_policy(scenario.path("policy.jfc"), {event: {setting: value}})
        expected[EVENTS, name] = says
        check(compact(recording, scenario.path(name), policy).returncode == 0, "loupe compact")
    status, report = judge(recording, [(style, DEFAULT, scenario.path(name)) for style, name in expected])
    check(status == 1, f"exit status {status}: {report}")
    parts = {part.split(":")[0]: part for part in re.split(r"^(?=\S+: expected )", report, flags=re.MULTILINE)}
    for (_, name), says in expected.items():
        part = parts[name]
        check(re.search(says, part), f"not a word of '{says}' in {part}")
        check((": WRONG" in part) == (name not in STYLES), part)
    check_sample(scenario, recording)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    is_all = parser.parse_args().all
    run("oracle_test", lambda scenario: body(scenario, is_all))


main()
