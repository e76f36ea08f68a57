# SPDX-License-Identifier: Apache-2.0
"""A JVM that is recorded while what the collector writes to comes and goes, and when all of its recording has been written."""

import glob

from support import sequence
from support.process import check, wait_for

RATE = 300  # ticks a second


def journals(collector):
    return glob.glob(f"{collector.data}/journal/*/*.log")


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return sum(int(line.split()[-1]) for line in lines if line.startswith((name + " ", name + "{")))


def start_jvm(scenario, feature, collector, service):
    """(JVM, what ends it)."""
    stop = scenario.path("stop")
    agent = scenario.agent_options(collector, service, segment=2)
    return scenario.jvm(feature, "SequenceE2E", str(RATE), f"until:{stop}", agent=agent), stop


def end_jvm(jvm, stop):
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    return sequence.last_words(jvm)


def wait_stored(collector, recording):
    """Until all of an ended recording is where it is kept."""
    wait_for("no journals", lambda: not journals(collector))
    shown = collector.get(f"/api/v1/recordings/{recording}").json()
    check(not any(shown["losses"].values()), f"nothing is lost, but it says {shown['losses']}")
