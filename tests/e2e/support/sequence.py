# SPDX-License-Identifier: Apache-2.0
"""What SequenceE2E has to leave behind: every tick and every triggered context, each exactly once."""

import collections

from support import judge
from support.process import check

END = r"ticks (\d+) from (-?\d+)$"


class Program:
    """SequenceE2E in a JVM of its own with an agent, so many ticks a second, which goes on until it is told to stop."""

    def __init__(self, scenario, feature, rate, agent, home=None):
        self.stop_path = scenario.path("stop")
        self.jvm = scenario.jvm(feature, "SequenceE2E", str(rate), f"until:{self.stop_path}", agent=agent, home=home)

    def wait_more(self):
        """Returns a number that the program has reached after this was called."""
        number = 1000 * (sum(line.startswith("at ") for line in list(self.jvm.lines)) + 1)
        self.jvm.wait_line(f"at {number}$")
        return number

    def stop(self):
        with open(self.stop_path, "w", encoding="ascii"):
            pass
        self.jvm.wait_exit()
        return last_words(self.jvm)


def last_words(jvm, prefix=""):
    """(number of ticks, the tick from which contexts were set), after the JVM has ended; the line begins with prefix."""
    found = jvm.wait_line(prefix + END)
    return int(found.group(1)), int(found.group(2))


def check_complete(path, ticks, first_context, first_tick=1):
    """The recording at path has the ticks first_tick..ticks and the contexts of both kinds around every tenth."""
    events = judge.dump(path)
    check_ticks(events, first_tick, ticks)
    check(first_context > 0, "contexts were never set")
    check_contexts_around(events, range(max(first_context, first_tick), ticks + 1))


def check_contexts_around(events, ticks):
    """Of these ticks, in their order, every tenth is in contexts of both kinds; there are no others from the first on."""
    expected = {n for n in ticks if n % 10 == 0}
    contexts = [e for e in events if e.type == "e2e_order"]
    full = {int(e.values["id"]) for e in contexts if int(e.values["id"]) >= ticks[0]}
    check(full == expected, f"contexts: {judge.diff(expected, full)}")
    check_repeats(contexts, "id")
    check_empty(events, contexts)
    recordings = [e for e in events if e.type == "loupe.RecordingContext"]
    found = {int(e.values["seq"].removeprefix("=")) for e in recordings}
    found = {n for n in found if n >= ticks[0]}
    check(found == expected, f"RecordingContexts: {judge.diff(expected, found)}")
    check_repeats(recordings, "seq")


def check_ticks(events, first, last):
    ticks = collections.Counter(int(e.values["seq"]) for e in events if e.type == "e2e.Tick")
    check(ticks == collections.Counter(range(first, last + 1)), f"ticks: {judge.diff(range(first, last + 1), ticks)}")


# A context is there twice only as two parts of different times: a chunk ended while it was open.
def check_repeats(contexts, name):
    spans = collections.defaultdict(list)
    for context in contexts:
        spans[context.values[name]].append((context.start, context.commit))
    for number, found in spans.items():
        found.sort()
        is_apart = all(a[1] <= b[0] and a != b for a, b in zip(found, found[1:]))
        check(is_apart, f"context {number} is there more than once: {found}")


# A context around nothing is kept only for a stray event of the JVM.
def check_empty(events, contexts):
    moments = judge.by_thread(e for e in events if not e.is_contextual)
    for context in contexts:
        if int(context.values["id"]) < 0:
            is_stray = any(context.start <= e.commit <= context.commit for e in moments[context.thread])
            check(is_stray, f"context {context.values['id']} is there, around nothing")
