# SPDX-License-Identifier: Apache-2.0
"""Promised: `./scripts/demo`, the first command of the README, ends well and leaves a recording in which contexts are.

It runs as it stands there, without tokens, on the release build that is there already; the load lasts 3 s.
"""

import json
import os
import re
import subprocess

from support.process import BRIEF, BUILD, DIVISOR, LOUPE, check, run, skip

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
RECORDING = os.path.join(ROOT, "build", "demo", "checkout.jfr")
LIMIT_S = 600


def demo(_):
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        command = re.search(r"^\./scripts/demo\b", file.read(), re.MULTILINE)
    check(command, "the README does not begin with it")
    if BUILD != os.path.join(ROOT, "build", "release"):
        skip(f"the demo builds in build/release, and this build is in {BUILD}")
    if os.path.exists(RECORDING):
        os.remove(RECORDING)
    env = {**os.environ, "LOUPE_DEMO_SECONDS": "3", "LOUPE_TIMES_DIVIDED_BY": str(DIVISOR), "JDK_JAVA_OPTIONS": " ".join(BRIEF)}
    done = subprocess.run(command.group(0), cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LIMIT_S, check=False)
    said = done.stdout.decode("utf-8", "replace")
    check(done.returncode == 0, f"it ended with {done.returncode}:\n{said}")
    begun, kept = (int(re.search(pattern, said, re.MULTILINE).group(1).replace(",", "")) for pattern in
                   (r"^ *(\d+) contexts begun", r"^ *contexts +[\d,]+ +([\d,]+)$"))
    counted = json.loads(subprocess.run([LOUPE, "contexts", "--json", "--limit", "1", RECORDING], stdout=subprocess.PIPE,
                                        timeout=LIMIT_S, check=True).stdout)
    check(0 < counted["matched"] == kept < begun, f"{begun} contexts were begun, {kept} kept, and {counted['matched']} are there")


run("demo", demo)
