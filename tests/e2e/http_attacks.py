# SPDX-License-Identifier: Apache-2.0
"""Promised: whatever is done to HTTP with sockets, others are answered meanwhile, /readyz always, and a JVM loses nothing.

All attacks at once; with --each also one after the other before. Beside each the page, the list, a download and the metrics are asked for from
another address, and /readyz and /healthz from the attacker's own. What is too slow is closed in the end, by the limits
that users have.
"""

import argparse
import http.client

from support import sequence
from support.http_attacks import ATTACKS, raise_descriptors
from support.process import LIMIT_S, Collector, check, run, wait_for

ROUNDS = 2
SLOW = {"heads": "head_slow", "bodies": "body_slow", "readers": "answer_slow"}
SLOW_LIMIT_S = 120
PEAK_MB = 200


def metric(collector, name):
    text = collector.get("/metrics").body.decode()
    line = next(line for line in text.splitlines() if line.startswith(f"loupe_{name} "))
    return int(line.split()[-1])


def cut(collector, limit):
    return metric(collector, f'http_connections_cut_total{{limit="{limit}"}}')


def ask_from(collector, source, path):
    connection = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=LIMIT_S, source_address=(source, 0))
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):  # the attacker's own connections are cut for its own new ones
        return None
    finally:
        connection.close()


def is_answered(collector, source, path):
    """Whether there was an answer, each of which is 200."""
    status = ask_from(collector, source, path)
    check(status in (200, None), f"{path} from {source}: {status}")
    return status == 200


def check_others(collector, recording, source):
    for _ in range(ROUNDS):
        for path in ("/readyz", "/healthz", "/", "/page.js", "/api/v1/recordings", "/metrics", f"/api/v1/recordings/{recording}.jfr"):
            answer = collector.get(path)
            check(answer.status == 200, f"{path}: {answer.status} {answer.body[:300]}")
        for path in ("/readyz", "/healthz"):
            wait_for(f"{path} from {source}", lambda path=path: is_answered(collector, source, path))


def attack(collector, recording, names):
    attacks = [ATTACKS[name](collector.http_port, recording) for name in names]
    left, malformed = metric(collector, "http_clients_left_total"), metric(collector, "http_malformed_total")
    for each in attacks:
        each.start()
    for each in attacks:
        wait_for("the attack to begin", lambda each=each: each.steps > 0)
        check_others(collector, recording, each.sources[0])
    collector.wait_for_growth(recording)
    if "storm" in names:
        wait_for("compactions that nobody waits for", lambda: metric(collector, "http_clients_left_total") > left + 10)
    if "smuggling" in names:
        wait_for("refusals", lambda: metric(collector, "http_malformed_total") > malformed + 10)
    for each in attacks:
        each.end()
        check(not getattr(each, "answered", None), f"hidden requests were answered: {getattr(each, 'answered', None)}")
    print(f"{names}: {[each.steps for each in attacks]} steps, {[getattr(each, 'ended', '-') for each in attacks]} ended")
    return attacks


def peak_mb(collector):
    with open(f"/proc/{collector.process.pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM:"))


def check_expressions(collector, recording):
    """What they take of memory is that of questions; good ones and bad ones are told apart."""
    before = peak_mb(collector)
    hostile = attack(collector, recording, ["expressions"])[0]
    check({200, 400} <= hostile.statuses <= {200, 400, 503}, f"answers to expressions: {hostile.statuses}")
    check(peak_mb(collector) < before + PEAK_MB, f"expressions took {peak_mb(collector) - before} MB")


def stop_under_expressions(collector, recording):
    hostile = ATTACKS["expressions"](collector.http_port, recording)
    hostile.start()
    wait_for("questions", lambda: hostile.steps > 0)
    collector.stop()
    hostile.is_over.set()


def check_slow(collector, recording):
    """Those that are few enough to be let alone are closed for being slow."""
    attacks = [ATTACKS[name](collector.http_port, recording) for name in SLOW]
    for each in attacks:
        each.count = 10
        each.start()
    for limit in SLOW.values():
        wait_for(f"{limit} to be cut", lambda limit=limit: cut(collector, limit) > 0, SLOW_LIMIT_S)
    for each in attacks:
        each.end()


def body(scenario, feature, is_each):
    raise_descriptors()
    collector = Collector(scenario).start()
    stop = scenario.path("stop")
    agent = scenario.agent_options(collector, "shop", segment=2)
    jvm = scenario.jvm(feature, "SequenceE2E", "200", f"until:{stop}", agent=agent)
    recording = collector.recording("shop")
    collector.wait_for_growth(recording)
    check_expressions(collector, recording)
    for name in ATTACKS if is_each else ():
        attack(collector, recording, [name])
    attack(collector, recording, list(ATTACKS))
    check_slow(collector, recording)
    wait_for("all connections to end", lambda: metric(collector, "http_connections") == 1)
    wait_for("no work that nobody waits for", lambda: metric(collector, "jobs_running") == 0)
    with open(stop, "w", encoding="ascii"):
        pass
    jvm.wait_exit()
    ticks, first_context = sequence.last_words(jvm)
    sequence.check_complete(collector.download(recording, scenario.path("all.jfr")), ticks, first_context)
    losses = collector.recordings()[0]["losses"]
    check(not any(losses.values()), f"nothing is lost, but it says {losses}")
    stop_under_expressions(collector, recording)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--each", action="store_true")
    args = parser.parse_args()
    run(f"http-attacks-{args.jdk}", lambda scenario: body(scenario, args.jdk, args.each))


main()
