# SPDX-License-Identifier: Apache-2.0
"""What throttles cost: policies with them, each beside the same one without."""

import os
import re

from measuring.tools import COMPACT, Tool

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">"""
SETTINGS = re.compile(r'<setting name="(context-)?throttle">[^<]*</setting>')
EVERY = {"throttle": "100/s", "context-throttle": "20/s"}  # of the pattern of all types


def policies(root):
    """Texts by name."""
    with open(os.path.join(root, "policies", "loupe.jfc"), encoding="utf-8") as file:
        found = {"loupe.jfc": file.read()}
    for setting, rate in EVERY.items():
        found[f"{setting} {rate} on *"] = (
            f'{HEAD}<event name="*"><setting name="{setting}">{rate}</setting></event></configuration>')
    return found


def tools(box, root):
    """Pairs of tools: with throttles and without."""
    return [(tool(box, name, text), tool(box, f"{name}, without throttles", SETTINGS.sub("", text)))
            for name, text in policies(root).items()]


def tool(box, name, text):
    path = os.path.join(box.work, re.sub(r"\W+", "-", name) + ".jfc")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return Tool(f"{COMPACT}, {name}", COMPACT, [*box.compact(), "--policy", path])


def show(table, pairs):
    print("\n| CPU time with throttles, in that without them | |")
    print("| --- | ---: |")
    for limited, free in pairs:
        reached = table.ratio(limited.name, free.name, "cpu_s")
        if reached:
            print(f"| {limited.name} | {reached:.2f} x |")
