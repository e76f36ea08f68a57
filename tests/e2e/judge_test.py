# SPDX-License-Identifier: Apache-2.0
"""Promised: the judge of the end-to-end tests accepts what is right and nothing else. Journals and recordings are
written by hand."""

import os
import tempfile
import unittest

from support import judge
from support.process import Failed

# One thread. Context 1 is around an event, 2 around nothing, 3 is open at the end of the thread, with a trace in it.
JOURNAL = """=FROM\t0
=SET\t7\t=e2e.Span\t10\t12\t1\t=id\t1\t=name\t=a
=EVENT\t7\t100\t22
=UNSET\t7\t=e2e.Span\t30\t32
=SET\t7\t=e2e.Span\t40\t42\t2\t=id\t2\t=name\t-
=UNSET\t7\t=e2e.Span\t50\t52
=SET\t7\t=e2e.Span\t60\t62\t3\t=id\t3\t=name\t=
=TRACE\t7\t=e2e.Trace\t4\t75
=TRACE\t7\t=e2e.Trace\t5\t85
=END\t7\t90\t0
=TO\t95
"""


def event(kind, contextual, start, duration, thread=7, **values):
    fields = [kind, kind, str(int(contextual)), str(start), str(duration), "", str(thread)]
    for name, value in values.items():
        fields += [name, value]
    return judge.Event("\t".join(fields))


def mark(at):
    return event("e2e.Mark", False, at, 0, seq="100")


def trace(number, start, end):
    return event("e2e.Trace", True, start, end - start, traceId=str(number))


def span(number, start, end, name, thread=7, **more):
    return event("e2e.Span", True, start, end - start, thread, id=str(number), name=name, **more)


# Trace 4 is around the stray event at 72, trace 5 around nothing.
RAW = [mark(20), trace(4, 70, 74), event("jdk.Stray", False, 72, 0), trace(5, 80, 84)]
ONE, THREE = span(1, 11, 31, "=a"), span(3, 61, 92, "=")
RIGHT = [mark(20), trace(4, 70, 74), event("jdk.Stray", False, 72, 0), ONE, THREE]


class JudgeTest(unittest.TestCase):
    def journal(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "journal.txt")
            with open(path, "w", encoding="ascii") as file:
                file.write(JOURNAL)
            return judge.Journal(path)

    def judge(self, result, raw=None, chunk_begins=()):
        return judge.check_contexts(self.journal(), raw or RAW, result, chunk_begins)

    def refuses(self, result, message, chunk_begins=()):
        with self.assertRaisesRegex(Failed, message):
            self.judge(result, None, chunk_begins)

    def without(self, *events):
        return [e for e in RIGHT if e not in events]

    def test_accepts_what_is_right(self):
        self.assertEqual((5, 3), self.judge(RIGHT))

    def test_refuses_a_context_too_few(self):
        self.refuses(self.without(ONE), "missing: e2e.Span 1")
        self.refuses(self.without(THREE), "missing: e2e.Span 3")
        self.refuses(self.without(RIGHT[1]), "contextual events: missing")

    def test_refuses_a_context_too_many(self):
        self.refuses(RIGHT + [span(2, 41, 51, "-")], "too many: e2e.Span 2")
        self.refuses(RIGHT + [trace(5, 80, 84)], "contextual events")
        self.refuses(RIGHT + [ONE], "overlap")
        self.refuses(RIGHT + [span(9, 41, 51, "-")], "nobody set")

    def test_refuses_other_attributes_times_and_threads(self):
        self.refuses(self.without(ONE) + [span(1, 11, 31, "=b")], "attributes")
        self.refuses(self.without(ONE) + [span(1, 11, 31, "-")], "attributes")
        self.refuses(self.without(ONE) + [span(1, 9, 31, "=a")], "in the recording as")
        self.refuses(self.without(ONE) + [span(1, 11, 33, "=a")], "in the recording as")
        self.refuses(self.without(ONE) + [span(1, 13, 31, "=a")], "in the recording as")
        self.refuses(self.without(ONE) + [span(1, 11, 29, "=a")], "in the recording as")
        self.refuses(self.without(ONE) + [span(1, 11, 31, "=a", thread=8)], "is on thread 8")

    def test_judges_the_parts_of_a_context(self):
        def parts(*found):
            return self.without(THREE) + list(found)
        self.judge(parts(span(3, 70, 79, "=", part="1")), None, [70, 80])
        self.refuses(parts(span(3, 70, 79, "=", part="1")), "in the recording as", [70])
        self.judge(parts(span(3, 61, 72, "=", part="1"), span(3, 73, 92, "=", part="1")), None, [73])
        self.refuses(parts(span(3, 61, 71, "=", part="1")), "does not cover", [72])
        second = span(3, 76, 92, "=", part="1")
        self.refuses(parts(span(3, 61, 75, "=", part="1"), second), "nothing fell into its part", [76])
        second = span(3, 73, 92, "=", part="2")
        self.refuses(parts(span(3, 61, 72, "=", part="1"), second), "share no id", [73])

    def test_a_stray_between_two_moments_may_go_either_way(self):
        stray = event("jdk.Stray", False, 51, 0)
        self.judge(RIGHT + [stray], RAW + [stray])
        self.judge(RIGHT + [stray, span(2, 41, 51, "-")], RAW + [stray])


if __name__ == "__main__":
    unittest.main()
