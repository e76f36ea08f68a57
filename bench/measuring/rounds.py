# SPDX-License-Identifier: Apache-2.0
"""All tools in turn, round after round, so that what else the machine does falls on all of them alike."""

import dataclasses
import os
import re
import statistics
import sys

from measuring.run import OUTPUT_NAME, Cost, Failed

HEAD = "| | wall s | (fastest) |{} MB/s | against Loupe | CPU s | peak MiB | says events | writes MB |"
HEAD_OF_STARTS = " with starts |"
NO_COST = Cost(0, 0, 0, "")


@dataclasses.dataclass
class Measured:
    """One run on one recording."""
    cost: Cost
    start: Cost  # of a run on next to nothing, just before
    written: int


class Row:
    """What one tool took on the recordings of an input, in each round."""

    def __init__(self, tool, recordings):
        self.tool = tool
        self.bytes = {recording.path: recording.bytes for recording in recordings}  # of what it can read
        self.rounds = []  # in each, what was measured, by path

    def totals(self, attribute, paths, has_starts=False):
        """What it took for these recordings together, in each round."""
        return [sum(getattr(one[path].cost, attribute) - (0 if has_starts else getattr(one[path].start, attribute))
                    for path in paths) for one in self.rounds]

    def median(self, attribute, has_starts=False):
        return statistics.median(self.totals(attribute, self.bytes, has_starts))

    def times(self, other, attribute):
        """How many times as much as the other it took for what both can read: the median over the rounds."""
        both = self.bytes.keys() & other.bytes.keys()
        pairs = zip(self.totals(attribute, both), other.totals(attribute, both))
        return statistics.median(mine / its for mine, its in pairs)

    def peak_mib(self):
        return max(one[path].cost.peak_mib for one in self.rounds for path in self.bytes)

    def said(self):
        """What it said of each recording, in the last round."""
        return [self.rounds[-1][path].cost.output for path in self.bytes]

    def events(self):
        """How many events one of our own readers has seen."""
        said = [re.match(r"(\d+) events", one) for one in self.said()]
        return f"{sum(int(one.group(1)) for one in said):,}" if all(said) else ""

    def written(self):
        return sum(self.rounds[-1][path].written for path in self.bytes)


class Table:
    """The rows of one input."""

    def __init__(self, measured):
        self.input = measured
        self.rows = {}
        self.reasons = {}

    def measure(self, tools, rounds, work):
        for tool in tools:
            if tool.command:
                self.rows[tool.name] = Row(tool, self.input.recordings)
            else:
                self.reasons[tool.name] = tool.reason
        for number in range(rounds):
            print(f"{self.input.name}: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            rows = list(self.rows.values())
            first = number * len(rows) // rounds  # what a tool leaves behind falls on another each time
            for row in rows[first:] + rows[:first]:
                self.measure_round(row, os.path.join(work, OUTPUT_NAME))

    def measure_round(self, row, output):
        one = {}
        for path in list(row.bytes):
            try:
                one[path] = self.measure_one(row.tool, path, output)
            except Failed as problem:
                del row.bytes[path]
                self.reasons[f"{row.tool.name} of {os.path.basename(path)}"] = str(problem)
        row.rounds.append(one)
        if not row.bytes:
            del self.rows[row.tool.name]

    def measure_one(self, tool, path, output):
        start = tool.run(self.input.start.path, output)[0] if self.input.start else NO_COST
        cost, written = tool.run(path, output)
        return Measured(cost, start, written)

    def ratio(self, name, other, attribute="wall_s"):
        """How many times as much as the other one tool took, or None."""
        if name not in self.rows or other not in self.rows:
            return None
        return self.rows[name].times(self.rows[other], attribute)

    def print(self):
        head = HEAD.format(HEAD_OF_STARTS if self.input.start else "")
        print(head)
        print("| --- " + "| ---: " * (head.count("|") - 2) + "|")
        for row in self.rows.values():
            self.print_row(row)
        for name, reason in self.reasons.items():
            print(f"\nNot measured: {name}: {reason.strip().splitlines()[-1]}")

    def print_row(self, row):
        wall_s = row.median("wall_s")
        against = self.ratio(row.tool.name, row.tool.against)
        written = row.written()
        cells = [row.tool.name, f"{wall_s:.3f}", f"{min(row.totals('wall_s', row.bytes)):.3f}",
                 *([f"{row.median('wall_s', has_starts=True):.3f}"] if self.input.start else []),
                 f"{sum(row.bytes.values()) / 1e6 / wall_s:,.0f}" if wall_s > 0 else "",
                 f"{against:.2f} x" if against else "", f"{row.median('cpu_s'):.2f}", f"{row.peak_mib():,.0f}",
                 row.events(), f"{written / 1e6:.1f}" if written else ""]
        print(f"| {' | '.join(cells)} |")
