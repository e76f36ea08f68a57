# SPDX-License-Identifier: Apache-2.0
"""Events e2e.Work, each of which says itself which context it has to be in: attributes as NAME=VALUE, joined by commas."""

import collections
import re

from support import judge
from support.process import check

WORK = "e2e.Work"
SHOWN_BY_LOUPE = "contextId"


def text(value):
    return re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code.group(1), 16)), value[1:])


def attributes(context):
    """Those that are not null."""
    return {f"{name}={text(value)}" for name, value in context.values.items() if value != "-" and name != SHOWN_BY_LOUPE}


def work_and_contexts(events, kind, work=WORK):
    """Each event of the type work with the contexts of this type that it is in."""
    contexts = judge.by_thread(event for event in events if event.type == kind)
    for event in (event for event in events if event.type == work):
        yield event, [attributes(context) for context in contexts[event.thread]
                      if context.start <= event.commit <= context.commit]


def judge_work(events, kind):
    """Each event is in exactly the context that it names, or in none. Returns how many are in which."""
    counts = collections.Counter()
    for event, found in work_and_contexts(events, kind):
        expected = text(event.values["expected"])
        check(found == ([set(expected.split(","))] if expected else []),
              f"an event of thread {event.thread} is in {found}, not in '{expected}'")
        counts[expected] += 1
    return counts
