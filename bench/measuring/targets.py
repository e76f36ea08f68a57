# SPDX-License-Identifier: Apache-2.0
"""What the engine is meant to reach, and what of it this run has shown."""

import os
import re
import shutil

from measuring import smallest
from measuring.kinds import OVERLAPPING, SPARSE
from measuring.run import OUTPUT_NAME, run
from measuring.tools import COMPACT, COMPACT_TWO, COMPACT_WITHOUT, INPUT, JFR_SUMMARY, LZ4, OUTPUT, SCRUB, SUMMARY, ZSTD

MEMORY_MIB, MEMORY_CHUNKS = 64, 3
TWO_BYTES_MIN = 50_000_000  # below that, two threads have too little to do
LZ4_TIMES = {SPARSE: 1.5, OVERLAPPING: 1}
MORE_PERCENT = 0.5


def ratios(measured):
    """(what, the slower, the faster, how many times as long the slower has to take, where that is a target)"""
    return [
        ("compact against zstd -1", ZSTD, COMPACT, 0.8 if measured.is_joined else 1.5),
        ("compact against lz4 -1", LZ4, COMPACT, LZ4_TIMES.get(measured.kind)),
        ("compact against jfr scrub", SCRUB, COMPACT, 5),
        ("the same, where compact drops the same", SCRUB, COMPACT_WITHOUT, None),
        ("summary against jfr summary", JFR_SUMMARY, SUMMARY, 4),
        ("2 threads against one", COMPACT, COMPACT_TWO, 1.7 if measured.bytes > TWO_BYTES_MIN else 1),
    ]


def head():
    print("\n| | target | reached | | in CPU time |")
    print("| --- | ---: | ---: | --- | ---: |")


def line(what, target, reached, is_reached, in_cpu_time=""):
    print(f"| {what} | {target} | {reached} | {'yes' if is_reached else 'no'} | {in_cpu_time} |")


def show(table):
    head()
    for what, slower, faster, target in ratios(table.input):
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
            allowed = MEMORY_MIB + MEMORY_CHUNKS * threads * table.input.chunks[-1] / (1 << 20)
            peak = table.rows[name].peak_mib()
            line(f"peak memory, {name}", f"{allowed:.0f} MiB", f"{peak:.0f} MiB", peak <= allowed)


def show_exact(inputs, box):
    """What does not depend on what else the machine does."""
    print("\n## What does not depend on the machine\n")
    columns = [exact(one, box) for one in inputs]
    print("| |" + "".join(f" {one.name} |" for one in inputs))
    print("| --- |" + " ---: |" * len(inputs))
    for what in columns[0]:
        print(f"| {what} |" + "".join(f" {column[what]} |" for column in columns))


def exact(measured, box):
    """What is said of an input: text by what it is."""
    pieces = measured.pieces()
    sizes = smallest.Sizes()
    for piece in pieces:
        sizes.add(piece.path, box)
    least = sizes.least()
    percent = {what: 100 * more / least for what, more in sizes.more.items()}
    reached = "yes" if sum(percent.values()) <= MORE_PERCENT else "no"
    return {
        "MB that this is of": f"{sum(piece.bytes for piece in pieces) / 1e6:.1f}",
        "events": f"{sizes.events:,}",
        f"instructions per event, {COMPACT}": instructions(box.compact(), pieces, box, sizes.events),
        f"instructions per event, {SUMMARY}": instructions([box.loupe, "summary", INPUT], pieces, box, sizes.events),
        "more instructions of the engine with statistics of contexts": more_with_rollup(pieces, box),
        "bytes of the output": f"{sizes.made:,}",
        "bytes of the smallest that holds the same events, constants and types": f"{least:,}",
        f"more than that, of {MORE_PERCENT} % allowed": f"{sum(percent.values()):.2f} %, {reached}",
        **{f"of it {what}": f"{share:.2f} %" for what, share in percent.items()},
    }


def instructions(command, pieces, box, event_count):
    if not shutil.which("valgrind"):
        return "no valgrind here (apt-get install valgrind)"
    return f"{sum(counted(command, piece.path, box) for piece in pieces) / event_count:.0f}"


def more_with_rollup(pieces, box):
    """What statistics of contexts (docs/internals/storage.md#statistics) add to what compacting takes."""
    program = os.path.join(os.path.dirname(box.loupe), "bench_rollup")
    if not shutil.which("valgrind") or not os.path.exists(program):
        return "no valgrind here, or no bench_rollup beside the program"
    without, with_rollup = (sum(counted([program, INPUT, how], piece.path, box) for piece in pieces)
                            for how in ("without", "with"))
    return f"{100 * (with_rollup / without - 1):.1f} %"


def counted(command, path, box):
    """How many instructions that takes, by callgrind."""
    values = {INPUT: path, OUTPUT: os.path.join(box.work, OUTPUT_NAME)}
    counts = os.path.join(box.work, "callgrind")
    run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}",
         *(values.get(word, word) for word in command)])
    if os.path.exists(values[OUTPUT]):
        os.remove(values[OUTPUT])
    with open(counts, encoding="ascii", errors="replace") as file:
        return int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE).group(1))
