# SPDX-License-Identifier: Apache-2.0
"""All tools in turn, round after round, so that what else the machine does falls on all of them alike."""

import os
import re
import statistics
import sys

from measuring.run import OUTPUT_NAME, Failed

HEAD = "| | wall s | (fastest) | MB/s | against Loupe | CPU s | peak MiB | says events | writes MB |"


class Row:
    """What one tool took on one recording, in each round."""

    def __init__(self, tool):
        self.tool = tool
        self.costs = []
        self.written = 0

    def median(self, attribute):
        return statistics.median(getattr(cost, attribute) for cost in self.costs)

    def times(self, other, attribute):
        """How many times as much as the other it took: the median over the rounds."""
        pairs = zip(self.costs, other.costs)
        return statistics.median(getattr(mine, attribute) / getattr(its, attribute) for mine, its in pairs)

    def events(self):
        """How many events one of our own readers has seen."""
        said = re.match(r"(\d+) events", self.costs[-1].output)
        return f"{int(said.group(1)):,}" if said else ""


class Table:
    """The rows of one recording."""

    def __init__(self, recording):
        self.recording = recording
        self.rows = {}
        self.reasons = {}

    def measure(self, tools, rounds, work, is_small):
        for tool in tools:
            if not tool.command:
                self.reasons[tool.name] = tool.reason
            elif is_small or not tool.is_small_only:
                self.rows[tool.name] = Row(tool)
        for number in range(rounds):
            name = os.path.basename(self.recording.path)
            print(f"{name}: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            rows = list(self.rows.values())
            first = number * len(rows) // rounds  # what a tool leaves behind falls on another each time
            for row in rows[first:] + rows[:first]:
                self.measure_one(row, work)

    def measure_one(self, row, work):
        try:
            cost, row.written = row.tool.run(self.recording.path, os.path.join(work, OUTPUT_NAME))
            row.costs.append(cost)
        except Failed as problem:
            self.reasons[row.tool.name] = str(problem)
            del self.rows[row.tool.name]

    def ratio(self, name, other, attribute="wall_s"):
        """How many times as much as the other one tool took, or None."""
        if name not in self.rows or other not in self.rows:
            return None
        return self.rows[name].times(self.rows[other], attribute)

    def print(self):
        print(HEAD)
        print("| --- " + "| ---: " * (HEAD.count("|") - 2) + "|")
        for row in self.rows.values():
            wall_s = row.median("wall_s")
            against = self.ratio(row.tool.name, row.tool.against)
            print(f"| {row.tool.name} | {wall_s:.3f} | {min(c.wall_s for c in row.costs):.3f} | "
                  f"{self.recording.bytes / 1e6 / wall_s:,.0f} | {f'{against:.2f} x' if against else ''} | "
                  f"{row.median('cpu_s'):.2f} | {row.median('peak_mib'):,.0f} | {row.events()} | "
                  f"{f'{row.written / 1e6:.1f}' if row.written else ''} |")
        for name, reason in self.reasons.items():
            print(f"\nNot measured: {name}: {reason.strip().splitlines()[-1]}")
