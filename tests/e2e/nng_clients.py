# SPDX-License-Identifier: Apache-2.0
"""Promised: whoever speaks NNG's REQ can be an agent: pynng, with an older NNG and a newer one than the agent's own.

It sends what an agent sent (tests/fixtures), and gets the answers that this one got; the recording has all of it.
"""

import base64
import os
import subprocess

from support import upgrade, wire
from support.process import LIMIT_S, Collector, check, run
from support.pypi import PYNNG, need

CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "support", "nng_client.py")
SERVICE = "basket"


def send(programs, collector, paths, list_path):
    """NNG's version, and the answers."""
    with open(list_path, "w", encoding="ascii") as file:
        file.writelines(base64.b64encode(upgrade.read(path)).decode() + "\n" for path in paths)
    done = subprocess.run([os.path.join(programs, "python3"), CLIENT, collector.agents, list_path], stdout=subprocess.PIPE,
                          timeout=LIMIT_S, check=True)
    version, *answers = done.stdout.decode().splitlines()
    return version, [base64.b64decode(answer) for answer in answers]


def check_client(scenario, packages):
    folder = upgrade.generations()[-1]
    paths = upgrade.requests(os.path.join(folder, "before"), SERVICE)
    programs = need(packages)
    collector = Collector(scenario, packages[0])
    collector.env["LOUPE_POLICY_DIR"] = os.path.join(folder, "policies")
    collector.start()
    version, answers = send(programs, collector, paths, scenario.path("requests"))
    check(len(answers) == len(paths), f"NNG {version}: {len(answers)} answers to {len(paths)} requests")
    for path, answer in zip(paths, answers):
        now, then = wire.reply(answer), wire.reply(upgrade.read(path.replace(".request", ".reply")))
        for name in ("status", "next_sequence"):
            check(now[name] == then[name], f"NNG {version}, {path}: {name} is {now[name]}, not {then[name]}")
    upgrade.wait_ended(collector, SERVICE)
    upgrade.check_texts(upgrade.download(collector, SERVICE), upgrade.Plan(folder, SERVICE, phases=["before"]), f"NNG {version}")
    collector.stop()
    print(f"NNG {version}: {len(answers)} answers")


def body(scenario):
    for packages in PYNNG:
        check_client(scenario, packages)


run("nng-clients", body)
