# SPDX-License-Identifier: Apache-2.0
"""What a figure is worth nothing without: of what machine, programs and inputs it is."""

import datetime
import json
import os
import platform
import re

from measuring.run import Failed, run
from measuring.tools import COMPACT, SCRUB


def machine(options, jdk):
    print(f"# {datetime.datetime.now(datetime.timezone.utc):%F %H:%M UTC}\n")
    print(f"- machine: {processor()}, {os.cpu_count()} cores, {memory_gib():.0f} GiB, Linux {platform.release()}")
    load()
    version = run([options.loupe, "--version"]).output.strip()
    print(f"- Loupe: {version}, {commit() if options.is_built else options.loupe}")
    print(f"- Java: {jdk.version()}{'; ' + jdk.note if jdk.note else ''}")
    print(f"- rounds: {options.rounds}; a figure is the median, \"against Loupe\" that of the ratios in each round")
    print(f"- inputs are in the page cache; outputs are files in {filesystem(options.work)}, like the inputs")
    print(f"- peaks below {run(['true']).peak_mib:.0f} MiB, this program's own, cannot be seen")


def load():
    print(f"- load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())}")


def processor():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        found = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return found.group(1) if found else platform.machine()


def memory_gib():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)


def commit():
    try:
        here = os.path.dirname(__file__)
        return "commit " + run(["git", "-C", here, "describe", "--always", "--dirty"]).output.strip()
    except (Failed, OSError):
        return "commit unknown"


def filesystem(path):
    return run(["stat", "-f", "-c", "%T", path]).output.strip()


def table(one):
    """What an input is, what Loupe says that it keeps of it, and what its tools took."""
    heading = str(one.input)
    print(f"\n## {heading[0].upper()}{heading[1:]}\n")
    if COMPACT in one.rows:
        print(kept([json.loads(said) for said in one.rows[COMPACT].said()]))
    if SCRUB in one.rows:
        print(f"`jfr scrub` drops {', '.join(one.input.droppable)}.")
    if one.input.start:
        print(f"What each tool takes for a recording of {one.input.start.bytes:,} bytes is deducted from its time for "
              f"each of these, but for the column *with starts*.")
    print()
    one.print()


def kept(said):
    (events_in, events_out), (contexts_in, contexts_out), (bytes_in, _) = (
        [sum(one[what][way] for one in said) for way in ("in", "out")] for what in ("events", "contexts", "bytes"))
    if not contexts_in:
        return f"{events_in:,} events, none of which is a context. Kept: {events_out:,} events."
    of_contexts = sum(kind["bytes"]["in"] for one in said for kind in one["types"].values() if kind["contextual"])
    return (f"{events_in:,} events, of which {contexts_in:,} are contexts ({100 * of_contexts / bytes_in:.0f} % of the "
            f"bytes). Kept: {events_out:,} events, of which {contexts_out:,} are contexts "
            f"({100 * contexts_out / contexts_in:.1f} % of them).")
