# SPDX-License-Identifier: Apache-2.0
"""Promised: when the bytes of a service's day are used up its batches are put off, also after the collector was killed, and
those of another service are not; the session goes on, and that is said where people look. When the file allows more, all
comes that the JVM still has, and nothing is lost. A JVM that ends meanwhile does not wait for it: its recording says how much
it lacks, and that it was ended, also after the collector was killed.

Two JVMs that number their events and contexts run beside each other. In the end each number is there exactly once.
"""

import argparse
import os
import re

from support import sequence
from support.process import Collector, check, run, wait_for

DAILY = 100_000
LARGEST = 4 << 20  # the largest message; the one that reaches the quota is taken


def metric(collector, name):
    lines = collector.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[-1]) for line in lines if line.startswith(name + " "))


def today(collector, service):
    services = collector.get("/api/v1/services").json()["services"]
    return next((one.get("today") for one in services if one["service"] == service), None)


def write_quota(directory, text):
    path = os.path.join(directory, "over.keep")
    with open(path + ".next", "w", encoding="ascii") as file:
        file.write(text)
    os.replace(path + ".next", path)


def check_over(collector, recording, other):
    """Batches of one service are put off, and everything else goes on."""
    before = metric(collector, "loupe_batches_over_quota_total")
    wait_for("batches that are put off", lambda: metric(collector, "loupe_batches_over_quota_total") > before)
    check(metric(collector, "loupe_services_over_quota") == 1, "not one service is over its quota")
    check(collector.get("/readyz").status == 200, "it is not ready")
    taken = wait_for("what is said of today", lambda: (today(collector, "over") or {}).get("batches_put_off") and
        today(collector, "over"))
    check(DAILY <= taken["bytes"] < DAILY + LARGEST and taken["daily_bytes"] == DAILY, f"today: {taken}")
    collector.wait_for_growth(other, 2)
    check(today(collector, "other")["batches_put_off"] == 0, "another service was put off")
    later = wait_for("today again", lambda: today(collector, "over"))
    check(later["bytes"] == taken["bytes"], f"batches were taken over the quota: {taken} {later}")
    shown = collector.get(f"/api/v1/recordings/{recording}").json()
    check(shown["is_running"] and shown["connected"], f"a session that is put off: {shown}")


def follow(scenario, feature, collector, directory):
    stop = scenario.path("stop")
    jvms = {}
    for service in ("over", "other"):
        agent = scenario.agent_options(collector, service, segment=2)
        jvms[service] = scenario.jvm(feature, "SequenceE2E", "300", f"until:{stop}", agent=agent, name=service)
    recordings = {service: collector.recording(service) for service in jvms}
    check_over(collector, recordings["over"], recordings["other"])
    collector.kill()
    collector.start()
    wait_for("agents that are known again", lambda: metric(collector, "loupe_hellos_total") == 2)
    check_over(collector, recordings["over"], recordings["other"])
    write_quota(directory, "age 1d\n")  # and no quota any more
    wait_for("batches that are taken again", lambda: metric(collector, "loupe_services_over_quota") == 0)
    collector.wait_for_growth(recordings["over"], 2)
    with open(stop, "w", encoding="ascii"):
        pass
    for service, jvm in jvms.items():
        jvm.wait_exit()
        ticks, first_context = sequence.last_words(jvm)
        path = collector.download(recordings[service], scenario.path(f"{service}.jfr"))
        sequence.check_complete(path, ticks, first_context)
        losses = collector.get(f"/api/v1/recordings/{recordings[service]}").json()["losses"]
        check(not any(losses.values()), f"losses of {service}: {losses}")


def end_over(scenario, feature, collector, directory):
    """A JVM ends while its batches are put off."""
    stop = scenario.path("stop_over")
    known = {recording["id"] for recording in collector.get("/api/v1/recordings?service=over").json()["recordings"]}
    jvm = scenario.jvm(feature, "SequenceE2E", "300", f"until:{stop}", name="last",
        agent=scenario.agent_options(collector, "over", segment=2))
    recording = wait_for("another recording", lambda: next((one["id"] for one in
        collector.get("/api/v1/recordings?service=over").json()["recordings"] if one["id"] not in known), None))
    collector.wait_for_growth(recording)
    write_quota(directory, "daily 1\n")
    wait_for("a service over its quota", lambda: metric(collector, "loupe_services_over_quota") == 1)
    before = metric(collector, "loupe_batches_over_quota_total")
    wait_for("batches that are put off", lambda: metric(collector, "loupe_batches_over_quota_total") > before + 2)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()

    def look():
        shown = collector.get(f"/api/v1/recordings/{recording}").json()
        return None if shown["is_running"] else shown

    shown = wait_for("the end", look)
    check(shown["ended_how"] == "closed", f"it ended as {shown['ended_how']}")
    losses = shown["losses"]
    told = re.search(r"not delivered: \d+ unacknowledged batches, (\d+) bytes of JFR, (\d+) bytes of contexts", scenario.log_of("last"))
    check(told, "the agent's log does not say what was lost")
    check("no answer" not in scenario.log_of("last"), "an agent that is put off says that nobody answers")
    check(losses["chunk_bytes_dropped"] > int(told[1]) and losses["context_bytes_dropped"] > int(told[2]),
        f"{losses} are not more than what was in no batch: {told[0]}")
    lacking = [name for name, amount in losses.items() if amount > 0]
    check(sorted(lacking) == ["chunk_bytes_dropped", "context_bytes_dropped"], f"losses: {losses}")
    collector.kill()
    collector.start()
    check(wait_for("it after a start", look)["losses"] == losses, "the losses are others after a start")


def body_of(feature):
    def body(scenario):
        directory = scenario.path("policies")
        os.mkdir(directory)
        write_quota(directory, f"daily {DAILY}\n")
        collector = Collector(scenario)
        collector.env = {"LOUPE_POLICY_DIR": directory}
        collector.start()
        follow(scenario, feature, collector, directory)
        end_over(scenario, feature, collector, directory)
        collector.stop()
        text = scenario.log_of("collector")
        begins, ends = text.count("service over: 1"), text.count("service over: batches are taken again")
        check((begins, ends) == (2, 1), f"the log has {begins} lines for a begin and {ends} for an end")
        check("has used up its quota" not in text, "what is put off by a quota is a line each time")
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    options = parser.parse_args()
    run(f"quota-{options.jdk}", body_of(options.jdk))


main()
