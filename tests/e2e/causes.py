# SPDX-License-Identifier: Apache-2.0
"""Promised: the top row of `loupe why` for the slow requests of a service is the reason why they are slow, in the words of the
application, and less than a tenth of their time is not accounted.

A Spring Boot application (tests/java/causes) with the starter and PostgreSQL has a route for each cause; meanwhile it gets
normal requests. The collector has policies/loupe.jfc. The time of a request that it does not keep is not accounted, and neither
is that in which threads wait for a CPU: the kernel says how long that was. Where there is no PostgreSQL the causes that need it
are left out.

An assistant that only makes the calls that answers propose reaches each cause in at most three calls. Costs 15 to 25 s, of which
12 of CPU.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import datetime
import glob
import json
import os
import subprocess
import threading
import time

from support.assistant import Assistant
from support.postgres import run_with_postgres
from support.process import LIMIT_S, LOUPE, Collector, check, need_jdk, run, skip, wait_for
from support.slow_shop import STARTER, port_of, send, served, start

POLICY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies", "loupe.jfc")
PROGRAM = "dev.loupe.testapps."
UNACCOUNTED = 0.1
FSYNC_S = 0.0015  # loupe.jfc has those of 1 ms
MANY = 40  # SlowQueries.ROWS
GROUPS = 3  # of those that wait: of all at once threads would mostly wait for a CPU


@dataclasses.dataclass
class Cause:
    route: str
    category: str  # of the top row
    frame: str = None  # in which most of its time went, if it has one
    count: int = 8  # requests
    is_at_once: bool = True  # they come
    needs_postgres: bool = False


# The requests of those that wait come at once.
WAITS = (
    Cause("pool", "park", PROGRAM + "SlowQueries.borrow", 12, needs_postgres=True),
    Cause("rows", "io", PROGRAM + "SlowQueries.find", needs_postgres=True),
    Cause("convoy", "lock", PROGRAM + "SlowWaits.sign"),
    Cause("cache", "lock", PROGRAM + "SlowWaits$Prices.find"),
    Cause("queue", "queued", "report-*"),
    Cause("retry", "sleep", PROGRAM + "SlowWaits.sleep"),
    Cause("connection", "io", PROGRAM + "SlowCalls.askByConnection"),
    Cause("client", "park", PROGRAM + "SlowCalls.askByClient"),
    # Where nothing happens on its threads only the ten slowest of a minute are kept. Half of these are to begin with.
    Cause("fan", "elsewhere", None, 5),
)
# These come one after the other, as they take what the others need.
WORK = (
    Cause("regex", "cpu", PROGRAM + "SlowWork.trim", 3, False),
    Cause("tenant", "gc", None, 3, False),
    Cause("fsync", "io", PROGRAM + "SlowWork.append", 2, False),
    Cause("dump", "safepoint", None, 3, False),
    Cause("classes", "class_loading", PROGRAM + "SlowWork.load", 3, False),
)
PINNED = {"platform": Cause("pinned", "sleep", PROGRAM + "SlowWork$Initial.<clinit>", 3, False),
          "virtual": Cause("pinned", "pinned", PROGRAM + "SlowWork$Initial.<clinit>", 3, False)}


# --- Requests

@contextlib.contextmanager
def normal_traffic(port):
    stop = threading.Event()

    def go_on():
        while not stop.wait(0.02):
            send(port, "quick")
    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@dataclasses.dataclass
class Sent:
    took_s: list
    starved_s: float = 0  # threads of the JVM waited for a CPU, all together


def starved(jvm):
    """For how many seconds threads of the JVM have been ready to run without a CPU, by thread."""
    found = {}
    for path in glob.glob(f"/proc/{jvm.process.pid}/task/*/schedstat"):
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            found[path] = int(file.read().split()[1]) / 1e9
    return found


def send_all(jvm, port, causes):
    """Sends the requests of all causes. Returns what was sent, by the route."""
    before = starved(jvm)
    sent = {cause.route: Sent([]) for cause in causes}
    with concurrent.futures.ThreadPoolExecutor(sum(cause.count for cause in causes if cause.is_at_once) or 1) as clients:
        requests = [(cause.route, clients.submit(send, port, cause.route)) for cause in causes for _ in range(cause.count)]
        for route, request in requests:
            sent[route].took_s.append(request.result())
    starved_s = sum(seconds - before.get(path, 0) for path, seconds in starved(jvm).items())
    for one in sent.values():
        one.starved_s = starved_s
    return sent


def use(jvm, port, waits, work):
    """Has each cause happen before it counts. Returns from when on it counts, and what was sent."""
    groups = [waits[i::GROUPS] for i in range(GROUPS)] + [[cause] for cause in work]
    for causes in groups:
        send_all(jvm, port, causes)
    since = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with normal_traffic(port):
        sent = {}
        for causes in groups:
            sent |= send_all(jvm, port, causes)
    return since, sent


def fsync_s(path):
    """How long it takes at least, of several times."""
    took = []
    with open(path, "wb", buffering=0) as file:
        for _ in range(5):
            file.write(bytes(16 << 20))
            began = time.monotonic()
            os.fsync(file)
            took.append(time.monotonic() - began)
    return min(took)


# --- Answers

def why(path, route, since):
    done = subprocess.run([LOUPE, "why", path, "--unit", "requests", "--where", f"http_route=/{route}", "--from", since, "--json"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"why {route}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def check_cause(answer, cause, sent):
    """Returns what is wrong, in words, or None."""
    rows = {row["category"]: row for row in answer["slices"]}
    top = max((row for name, row in rows.items() if name != "unaccounted"), key=lambda row: row["total_ns"])
    # If some requests are not kept, the fastest may be.
    lacking_s = sum(sorted(sent.took_s)[answer["requests"]:])
    all_s = answer["total_ns"] / 1e9 + lacking_s
    unaccounted_s = rows["unaccounted"]["total_ns"] / 1e9 + lacking_s
    frame = top["top"][0]["frame"] if top["top"] else None
    line = (f"{cause.route}: {top['category']} {top['total_ns'] / 1e9 / all_s:.1%} {frame}; not accounted {unaccounted_s / all_s:.1%} "
            f"of {all_s:.2f} s; {answer['requests']} of {len(sent.took_s)} kept; starved {sent.starved_s:.2f} s")
    print(line, flush=True)
    is_accounted = cause.category == "cpu" or unaccounted_s < UNACCOUNTED * all_s + sent.starved_s
    is_right = (top["category"], frame) == (cause.category, cause.frame) and is_accounted
    return None if is_right else f"{line}\n{json.dumps(answer, indent=1)}"


def check_repetition(answer, count):
    repeated = answer["repeated"][0]
    check(repeated["frame"] == PROGRAM + "SlowQueries.find" and repeated["requests"] == count and
          repeated["per_request"] >= MANY / 2, f"rows: {answer['repeated']}")


def is_cause(text, cause):
    """Whether the first row of time in a text is the cause, with its frame below it."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if line.startswith("| ") and "**" in line), None)
    if first is None or f"**{cause.category}**" not in lines[first]:
        return False
    return cause.frame is None or (first + 1 < len(lines) and f"`{cause.frame}`" in lines[first + 1])


def check_assistant(collector, causes, since):
    """Each cause is reached in at most three calls, from the slow route on."""
    assistant, lost = Assistant(collector.http_port), []
    for cause in causes:
        calls, texts = assistant.follow("slow_requests", {"service": "shop", "where": [f"http_route=/{cause.route}"], "from": since},
                                        lambda text, cause=cause: is_cause(text, cause))
        print(f"assistant, {cause.route}: {calls or 'not in'} {'' if calls else len(texts)} calls", flush=True)
        lost += [] if calls else [f"{cause.route}:\n" + "\n".join(texts)]
    check(not lost, "\n".join(lost))


def ended(collector, recording):
    said = collector.get(f"/api/v1/recordings/{recording}").json()
    return said["ended_how"] == "closed" and not said["waiting"]["chunks"]


def body(scenario, args):
    if not os.path.exists(STARTER[0]):
        skip("loupe-spring-boot-starter.jar is not built, because Spring could not be had from Maven Central")
    work = [*WORK, PINNED[args.threads]]
    if fsync_s(scenario.path("probe")) < FSYNC_S:
        print("without fsync: what is written to this disk is there at once")
        work = [cause for cause in work if cause.route != "fsync"]
    waits = [cause for cause in WAITS if "LOUPE_POSTGRES" in os.environ or not cause.needs_postgres]
    if len(waits) < len(WAITS):
        print("without pool and rows: there is no PostgreSQL (Debian's package postgresql)")
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = POLICY
    collector.start()
    with served() as service:
        jvm = start(scenario, args.jdk, scenario.agent_options(collector, "shop", policy=POLICY), service, args.threads)
        since, sent = use(jvm, port_of(jvm), waits, work)
        jvm.process.stdin.close()
        jvm.wait_exit()
    recording = collector.recording("shop")
    wait_for("the recording to end", lambda: ended(collector, recording), LIMIT_S)
    path = collector.download(recording, scenario.path("download.jfr"))
    check_assistant(collector, waits + work, since)
    collector.stop()
    answers = {cause.route: why(path, cause.route, since) for cause in waits + work}
    wrong = [check_cause(answers[cause.route], cause, sent[cause.route]) for cause in waits + work]
    check(not any(wrong), "\n".join(filter(None, wrong)))
    if "rows" in answers:
        check_repetition(answers["rows"], len(sent["rows"].took_s))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform")
    args = parser.parse_args()
    need_jdk(args.jdk)
    if glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        run_with_postgres(is_shared=True)
    run(f"causes-{args.jdk}-{args.threads}", lambda scenario: body(scenario, args))


main()
