# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-servlet.jar in WEB-INF/lib each request is a context, on each thread that works for it and no longer.

A real Tomcat has the application of tests/java/webapp and gets real requests, several at a time; each tells the servlet which
context it has to be in. Asynchronous ones go on by a dispatch; others are forwarded, fail with an error page, or throw.
Outside of the application (tests/java/servlet) no context applies on the same threads. With --own the application has its own
loupe.jar, which Tomcat prefers where it can; with --alone there is no agent, and all that is promised is that requests are
answered as before. With --requests the agent writes records to a file: each request begins and ends once, with all its
contexts in between, but for that of an error page.
"""

import argparse
import collections
import concurrent.futures
import glob
import http.client
import os
import shutil

from support import expected, jars, judge, records
from support.process import API_JAR, JAVA_DIR, LIB_DIR, LIMIT_S, TESTAPPS, Collector, check, javac, run, skip, wait_for

SERVLET_JAR = os.path.join(LIB_DIR, "loupe-servlet.jar")
CLIENTS = 4
ROUNDS = 6
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
# Headers, and whether they name a trace.
PARENTS = {
    f"00-{TRACE}-00f067aa0ba902b7-01": True,
    f"01-{TRACE}-00f067aa0ba902b7-00-more": True,
    f"00-{TRACE}-00f067aa0ba902b7-01-more": False,
    f"00-{TRACE}-00f067aa0ba902b7": False,
    f"00-{TRACE}-00f067aa0ba902b7x01": False,
    f"ff-{TRACE}-00f067aa0ba902b7-01": False,
    f"00-{'0' * 32}-00f067aa0ba902b7-01": False,
    f"00-{TRACE}-{'0' * 16}-01": False,
    f"00-{TRACE.upper()}-00f067aa0ba902b7-01": False,
    None: False,
}
# The answer's status, and how many events a request makes in its context.
PATHS = {"plain": (200, 1), "async": (200, 5), "again": (200, 9), "error": (502, 2), "forward": (200, 2), "throw": (500, 2)}
SLOW = {"timeout": (500, 2)}
DISPATCHES = {"async": 1, "again": 2}  # of asynchronous requests
OUTSIDE = 2  # events before a request comes to the application, and when it has left it
WEB_XML = """<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0">
  <error-page><location>/after</location></error-page></web-app>"""


def make_application(scenario, is_own):
    tomcat = jars.need(jars.TOMCAT)
    application = scenario.path("application")
    for folder in ("classes", "lib"):
        os.makedirs(f"{application}/WEB-INF/{folder}")
    with open(f"{application}/WEB-INF/web.xml", "w", encoding="ascii") as file:
        file.write(WEB_XML)
    for jar in [SERVLET_JAR] + [API_JAR] * is_own:
        shutil.copy(jar, f"{application}/WEB-INF/lib")
    sources = [source for folder in ("servlet", "webapp") for source in glob.glob(f"{JAVA_DIR}/{folder}/*.java")]
    javac("-cp", f"{API_JAR}:{TESTAPPS}:{tomcat}", "-d", scenario.dir, *sources)
    os.rename(scenario.path("webapp"), f"{application}/WEB-INF/classes/webapp")
    return application, tomcat


def send(port, method, path, parent):
    entries = f"http_method={method},http_path=/shop/work/{path}"
    if PARENTS[parent]:
        entries += f",trace_id={TRACE}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request(method, f"/shop/work/{path};jsessionid=0123?password=secret",
                           headers={"expected": entries} | ({"traceparent": parent} if parent else {}))
        answer = connection.getresponse()
        status, _ = answer.status, answer.read()
    finally:
        connection.close()
    check(status == (PATHS | SLOW)[path][0], f"{path} was answered with {status}")
    return entries


def send_all(port):
    """Returns how many events are to be in which context."""
    requests = [("POST" if number % 2 else "GET", path, parent)
                for number in range(ROUNDS) for path in PATHS for parent in PARENTS]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as clients:
        for (_, path, _), entries in zip(requests, clients.map(lambda request: send(port, *request), requests)):
            counts[entries] += PATHS[path][1]
            counts[entries + ",user=anna"] += path == "forward"
            counts[""] += OUTSIDE * (1 + DISPATCHES.get(path, 0))  # these come the same way
    return +counts  # those over zero


def judge_requests(path):
    found = records.requests(path)
    check(all(key & records.ROOTED for key in found), f"some requests have no root: {found}")
    each = ROUNDS * len(PARENTS)
    late = collections.Counter(request.late() for request in found.values())
    check(late == {0: 4 * each + len(SLOW), 1: 2 * each}, f"contexts set behind the end: {late}")
    wide = sum(len(request.threads) > 1 for request in found.values())
    check(wide in (2 * each, 2 * each + len(SLOW)), f"{wide} requests on several threads")


def body(scenario, args):
    if not os.path.exists(SERVLET_JAR):
        skip("loupe-servlet.jar is not built, because the API of servlets could not be had from Maven Central")
    application, tomcat = make_application(scenario, args.own)
    has_collector = not (args.alone or args.requests)
    collector = Collector(scenario).start() if has_collector else None
    agent = scenario.agent_options(collector, "servlet") if has_collector else None
    to_file = [records.agent_argument(scenario.path("records"))] if args.requests else []
    # The API is on the class path where the application does not have its own.
    jvm = scenario.jvm(args.jdk, "ServletServer", application, agent=agent, vm=to_file, class_path=[scenario.dir, tomcat])
    port = int(jvm.wait_line(r"port (\d+)").group(1))
    counts = send_all(port)
    if args.requests:
        for path in SLOW:
            send(port, "GET", path, None)
    jvm.process.stdin.close()
    jvm.wait_exit()
    if args.requests:
        judge_requests(scenario.path("records"))
    if not has_collector:
        return
    path = collector.download(collector.recording("servlet"), scenario.path("download.jfr"))
    found = expected.judge_work(judge.dump(path), "loupe.RecordingContext")
    check(found == counts, f"events {found}, not {counts}")
    wait_for("each request counts once", lambda: collector.recordings()[0]["requests_in"] == ROUNDS * len(PATHS) * len(PARENTS))
    print(f"{sum(counts.values())} events, {counts['']} of them outside of requests")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--own", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--requests", action="store_true")
    args = parser.parse_args()
    run(f"servlet-{args.jdk}", lambda scenario: body(scenario, args))


main()
