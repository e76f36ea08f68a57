# SPDX-License-Identifier: Apache-2.0
"""Which context was open when an event was committed: as the program says, and as the recording says.

The program's journal has, for each event e2e.Mark, EVENT, thread, number, and the values that the context of its thread
has, or nulls where there is none.
"""

from support import judge
from support.process import check


def judge_marks(result, journal_path, kind, names):
    """Each mark is in exactly the context of this type that the journal names, or in none. Returns how many are in one,
    and how many are not."""
    marks = {event.values["seq"]: event for event in result if event.type == "e2e.Mark"}
    contexts = judge.by_thread(event for event in result if event.type == kind)
    counts = [0, 0]
    with open(journal_path, encoding="ascii") as file:
        for line in file:
            _, thread, number, *values = line.rstrip("\n").split("\t")
            mark = marks.pop(number)
            check(mark.thread == int(thread), f"mark {number} is on thread {mark.thread}, not {thread}")
            found = [[context.values[name] for name in names] for context in contexts[mark.thread]
                     if context.start <= mark.commit <= context.commit]
            is_outside = set(values) == {"-"}
            check(found == ([] if is_outside else [values]), f"mark {number}: in {found}, not {values}")
            counts[is_outside] += 1
    check(not marks and min(counts) > 0, f"{len(marks)} marks too many, inside and outside {counts}")
    return counts
