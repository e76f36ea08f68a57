# SPDX-License-Identifier: Apache-2.0
"""What a figure is worth nothing without: of what machine, programs and inputs it is."""

import datetime
import json
import os
import platform
import re

from measuring.run import Failed, run
from measuring.tools import COMPACT


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


def recording(table):
    """What is in a recording, and what Loupe says that it keeps of it."""
    print(f"\n## A recording of {table.recording}\n")
    if COMPACT not in table.rows:
        return
    kept = json.loads(table.rows[COMPACT].costs[-1].output)
    contexts, events = kept["contexts"], kept["events"]
    print(f"{events['in']:,} events, of which {contexts['in']:,} are contexts "
          f"({100 * context_share(kept):.0f} % of the bytes). "
          f"Kept: {events['out']:,} events, of which {contexts['out']:,} are contexts "
          f"({100 * contexts['out'] / contexts['in']:.1f} % of them).\n")


def context_share(kept):
    of_contexts = sum(kind["bytes"]["in"] for kind in kept["types"].values() if kind["contextual"])
    return of_contexts / kept["bytes"]["in"]
