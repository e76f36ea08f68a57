# SPDX-License-Identifier: Apache-2.0
"""What the engine is meant to reach, and what of it this run has shown."""

import os
import re
import shutil

from measuring import inputs, smallest
from measuring.run import OUTPUT_NAME, run
from measuring.tools import COMPACT, COMPACT_TWO, COMPACT_WITHOUT, INPUT, JFR_SUMMARY, LZ4, OUTPUT, SCRUB, SUMMARY, ZSTD

MEMORY_MIB, MEMORY_CHUNKS = 64, 3
CALLGRIND_BYTES_MIN = 10_000_000

# (what, the slower, the faster, how many times as long the slower has to take, where that is a target)
RATIOS = [
    ("compact faster than lz4 -1", LZ4, COMPACT, 1),
    ("compact against zstd -1", ZSTD, COMPACT, 1.5),
    ("jfr scrub, both dropping all contexts", SCRUB, COMPACT_WITHOUT, 5),
    ("jfr scrub, which drops all, compact deciding about each context", SCRUB, COMPACT, None),
    ("summary against jfr summary", JFR_SUMMARY, SUMMARY, 4),
    ("2 threads against one", COMPACT, COMPACT_TWO, 1.7),
]


def head():
    print("\n| | target | reached | | in CPU time |")
    print("| --- | ---: | ---: | --- | ---: |")


def line(what, target, reached, is_reached, in_cpu_time=""):
    print(f"| {what} | {target} | {reached} | {'yes' if is_reached else 'no'} | {in_cpu_time} |")


def show(table):
    head()
    for what, slower, faster, target in RATIOS:
        reached = table.ratio(slower, faster)
        if reached:
            in_cpu_time = f"{table.ratio(slower, faster, 'cpu_s'):.2f} x" if faster != COMPACT_TWO else ""
            if target:
                line(what, f"{target} x", f"{reached:.2f} x", reached >= target, in_cpu_time)
            else:
                print(f"| {what} | none | {reached:.2f} x | | {in_cpu_time} |")
    memory_lines(table)


def show_memory(table):
    head()
    memory_lines(table)


def memory_lines(table):
    for name, threads in [(COMPACT, 1), (COMPACT_TWO, 2)]:
        if name in table.rows:
            allowed = MEMORY_MIB + MEMORY_CHUNKS * threads * table.recording.chunks[-1] / (1 << 20)
            peak = max(cost.peak_mib for cost in table.rows[name].costs)
            line(f"peak memory, {name}", f"{allowed:.0f} MiB", f"{peak:.0f} MiB", peak <= allowed)


def show_exact(recording, box):
    """What does not depend on what else the machine does."""
    print("\n## What does not depend on the machine\n")
    piece = inputs.cut(recording, CALLGRIND_BYTES_MIN)
    made, least, event_count = smallest.sizes(piece.path, box)
    print(f"On the first {piece.bytes / 1e6:.1f} MB of the small recording, {event_count:,} events:\n")
    print("| | |")
    print("| --- | ---: |")
    for name, command in [(COMPACT, box.compact()), (SUMMARY, [box.loupe, "summary", INPUT])]:
        print(f"| instructions per event, {name} | {instructions(command, piece, box, event_count)} |")
    print(f"| bytes of the output | {made:,} |")
    print(f"| bytes of the smallest that holds the same events, constants and types | {least:,} |")
    print(f"| more than that, of 2 % allowed | {100 * (made / least - 1):.2f} % |")


def instructions(command, piece, box, event_count):
    if not shutil.which("valgrind"):
        return "no valgrind here (apt-get install valgrind)"
    values = {INPUT: piece.path, OUTPUT: os.path.join(box.work, OUTPUT_NAME)}
    counts = os.path.join(box.work, "callgrind")
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
         *(values.get(word, word) for word in command)])
    if os.path.exists(values[OUTPUT]):
        os.remove(values[OUTPUT])
    with open(counts, encoding="ascii", errors="replace") as file:
        total = int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE).group(1))
    return f"{total / event_count:.0f}"
