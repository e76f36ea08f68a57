# SPDX-License-Identifier: Apache-2.0
"""Promised: a million virtual threads (--threads) may be alive at once with a context each, and the rings need no more
memory than for a thousand.

The journal of the program says of each context on which thread and between which moments it was open; every one whose
event was kept is in the download just so, or it was lost and counted. Some threads end without ending theirs.
"""

import argparse
import re

from support.process import Collector, check, oracle, run

FEW = 1000
RINGS_KB_MAX = 28 << 10  # 14 MiB, mapped twice
DROPPED_MAX = 0.01  # of all, or what is lost and counted would be all
LIMIT_S = 300


def rings_kb(jvm):
    """(size, in memory) of what the agent has mapped for its rings, each of them twice."""
    with open(f"/proc/{jvm.process.pid}/smaps", encoding="ascii", errors="replace") as file:
        mappings = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", file.read(), flags=re.MULTILINE)
    rings = [mapping for mapping in mappings if "/memfd:loupe-rings" in mapping.split("\n")[0]]
    return tuple(sum(int(re.search(rf"^{name}: +(\d+) kB", mapping, re.MULTILINE)[1]) for mapping in rings)
                 for name in ("Size", "Rss"))


def body(many, scenario):
    collector = Collector(scenario).start()
    journal = scenario.path("journal")
    jvm = scenario.jvm(25, "Million", journal, str(FEW), str(many), vm=["-Xmx2500m", "-XX:+UseParallelGC"],
                       agent=scenario.agent_options(collector, "million"))
    memory = {}
    for count in (FEW, many):
        jvm.wait_line(f"alive {count}$", LIMIT_S)
        memory[count] = rings_kb(jvm)
        jvm.process.stdin.write(b"\n")
        jvm.process.stdin.flush()
    jvm.wait_exit(LIMIT_S)
    recording = collector.recording("million")
    path = collector.download(recording, scenario.path("download.jfr"))
    losses = collector.get(f"/api/v1/recordings/{recording}").json()["losses"]
    collector.stop()
    status, output = oracle("MillionJudge", journal, path)
    check(status == 0, output)
    outside = int(re.match(r"events (\d+) of", output)[1])
    dropped = losses["contexts_dropped"]
    check(outside <= 2 * dropped <= 2 * DROPPED_MAX * many, f"{output}, and {dropped} contexts were counted as dropped")
    sizes = {size for size, _ in memory.values()}
    check(len(sizes) == 1 and sizes.pop() <= RINGS_KB_MAX, f"rings (size, in memory), by threads: {memory}")
    print(output, f"dropped {dropped}, rings (size, in memory) in kB by threads: {memory}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, required=True)
    many = parser.parse_args().threads
    run("million", lambda scenario: body(many, scenario))


main()
