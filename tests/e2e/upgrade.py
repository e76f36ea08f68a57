# SPDX-License-Identifier: Apache-2.0
"""Promised: what an earlier version left is read, and an agent of an earlier version is served (tests/fixtures/README.md).

--case data: a collector on the directory of an earlier one has all recordings, totals, statistics and ids as they were, and
             the same bytes; what waits in journals is compacted with the old carry-over; and the agents go on where they
             were, each batch counting once.
--case wire: a collector that never heard of the JVMs gets all their messages.
"""

import argparse
import os
import re

from support import upgrade, wire
from support.process import Collector, check, run

OLD_LOSSES = {"contexts_dropped": 1, "context_values_cut": 2, "context_bytes_dropped": 3, "chunk_bytes_dropped": 4,
              "jfr_restarts": 5, "late_contexts": 0}  # as make_requests has them


def services(folder):
    paths = upgrade.requests(os.path.join(folder, "after"))
    return sorted({re.match(r"\d+-(.*)\.request", os.path.basename(path)).group(1) for path in paths})


def resume(collector, folder, service):
    """The batch that was acknowledged last comes again, from an agent that knows nothing of another collector."""
    last = upgrade.read(upgrade.requests(os.path.join(folder, "before"), service)[-1])
    greeting, *rest = upgrade.requests(os.path.join(folder, "after"), service)
    connection = wire.Connection(collector.agents)
    answer = wire.reply(connection.ask(last))
    check(answer["status"] == wire.UNKNOWN_SESSION, f"{service}: {answer} before Hello")
    known = wire.reply(connection.ask(upgrade.read(greeting)))
    again = wire.reply(connection.ask(last))
    for name in ("status", "next_sequence"):
        check(again[name] == known[name], f"{service}: {again} to a batch that is there, after {known}")
    connection.close()
    upgrade.check_answers(collector, [greeting, *rest])


def check_ended(collector, folder, service):
    """All is there, once. Returns the download."""
    plan = upgrade.Plan(folder, service)
    row = upgrade.wait_ended(collector, service)
    upgrade.check_covers(row["losses"], OLD_LOSSES, f"losses of {service}")
    found = {name: row[name] for name in ("events_in", "events_out", "contexts_in", "contexts_out", "late_events")}
    check(found == {
        "events_in": plan.count("event", "sample", "span"), "events_out": plan.count("event", "sample", "span", verdicts=["kept"]),
        "contexts_in": plan.count("context", "span"), "contexts_out": plan.count("context", "span", verdicts=["kept"]),
        "late_events": 0}, f"{service}: {found}, planned are {plan.counts}")
    content = upgrade.download(collector, service)
    upgrade.check_texts(content, plan, service)
    upgrade.check_contexts(content, plan, service)
    return content


def check_data(scenario, folder):
    collector = Collector(scenario, f"data-{os.path.basename(folder)}")
    upgrade.copy_data(folder, collector.data)
    collector.start()
    upgrade.check_saved_answers(folder, collector)
    basket = check_ended(collector, folder, "basket")
    for service in services(folder):
        plan = upgrade.Plan(folder, service, phases=["before"])
        upgrade.check_texts(upgrade.download(collector, service), plan, f"{service}, still running")
    for service in services(folder):
        resume(collector, folder, service)
    contents = {service: check_ended(collector, folder, service) for service in services(folder)}
    collector.stop()

    collector.start()
    for service, content in {"basket": basket, **contents}.items():
        check(upgrade.download(collector, service) == content, f"{service}: other bytes after a restart")
    collector.stop()


def check_wire(scenario, folder):
    collector = Collector(scenario, f"wire-{os.path.basename(folder)}")
    collector.env["LOUPE_POLICY_DIR"] = os.path.join(folder, "policies")
    collector.start()
    for phase in ("before", "after"):
        upgrade.check_answers(collector, upgrade.requests(os.path.join(folder, phase)))
    for service in ("basket", *services(folder)):
        check_ended(collector, folder, service)
    collector.stop()


def body(options, scenario):
    check(upgrade.generations(), "no fixtures")
    for folder in upgrade.generations():
        print(os.path.basename(folder))
        {"data": check_data, "wire": check_wire}[options.case](scenario, folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=("data", "wire"), required=True)
    options = parser.parse_args()
    run(f"upgrade-{options.case}", lambda scenario: body(options, scenario))


main()
