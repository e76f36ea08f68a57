# SPDX-License-Identifier: Apache-2.0
"""Promised: what the page of `loupe collect` shows in a browser is what the collector has, and nobody else is asked for anything.

The scenarios are in web/test/browser, for Debian's Chromium. They have three collectors. One has the services of FEW_CAUSES
(with --all of CAUSES), whose JVMs have ended, with requests that are slow for that reason (PlantedE2E, the context
planted.Request with the attribute cause) and others that are not; and "checkout", the service of the demo, which is running and
under some load. With --all it has "shop", too, whose JVM (support/slow_shop.py) has ended, with requests of SHOP_ROUTES and, where
there is PostgreSQL, of SHOP_QUERIES. To the second nobody has sent anything. The third asks for tokens and has one service,
"vault"; in front of it is nginx, if there is one, which shows it under two paths. `loupe open`, which has no recording at first,
takes files.

By hand, for those of web/test/browser/first.test.mjs alone, with the browser's own view of what fails:

    LOUPE_BUILD=build/release python3 tests/e2e/page.py --jdk 25 first

With --wait it runs none, says where the collectors are, and waits for a key.
"""

import argparse
import concurrent.futures
import glob
import os
import secrets
import shutil
import subprocess
import urllib.request

from support.elimination import write_policy
from support.planted import POLICY
from support.postgres import run_with_postgres
from support.process import API_JAR, BRIEF, LIB_DIR, LIMIT_S, LOUPE, Collector, HeldPort, check, need_jdk, run, skip, wait_for
from support.slow_shop import STARTER, port_of, send, served, start
from support.token_file import WithToken, rule, write

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DEMO_JAR = os.path.join(LIB_DIR, "loupe-demo.jar")
REQUESTS = 8  # that are slow
CAUSES = ("lock", "io", "gc", "allocation", "pool")
FEW_CAUSES = ("lock",)
SHOP = "shop"
SHOP_ROUTES = {"convoy": 8, "queue": 8, "connection": 8}  # requests at once
SHOP_QUERIES = {"pool": 12, "rows": 8}  # of PostgreSQL
BROWSER_LIMIT_S = 700
PLANTED_LIMIT_S = 120
PAUSE_MS = "400"  # between a customer's requests
SEGMENT_S = 2  # a chunk of the JVMs
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
PATHS = """
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {{}}
http {{
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {{
    listen 127.0.0.1:{port};
    location /taken/loupe/ {{  # away, as the collector sees it
      proxy_set_header X-Forwarded-Prefix /taken/loupe;
      proxy_pass http://127.0.0.1:{http_port}/;
    }}
    location /left/loupe/ {{
      proxy_set_header X-Forwarded-Prefix /left/loupe;
      proxy_pass http://127.0.0.1:{http_port};
    }}
  }}
}}
"""
VAULT, AGENT, READER = "vault", "the-token-of-an-agent", "the-token-of-a-reader"


def copy_web(scenario):
    """A copy of web/ with its packages."""
    folder = scenario.path("web")
    done = subprocess.run([os.path.join(ROOT, "scripts", "web"), folder], stdin=subprocess.DEVNULL, check=False)
    if done.returncode == 77:
        skip("the page's packages cannot be had, see above")
    check(done.returncode == 0, "scripts/web failed")
    return folder


def start_checkout(scenario, collector, home):
    """The demo's service, with a customer's load that goes on until the end. Returns once its port is there."""
    agent = scenario.agent_argument(scenario.agent_options(collector, "checkout", segment=SEGMENT_S))
    environment = dict(os.environ, OTEL_RESOURCE_ATTRIBUTES="deployment.environment=test, service.version=2.0%2C1")
    java = [f"{home}/bin/java", "-Xmx256m", *BRIEF]
    classes = ["-cp", os.pathsep.join((DEMO_JAR, API_JAR))]
    scenario.popen("checkout", [*java, agent, *classes, "dev.loupe.demo.CheckoutService", scenario.dir],
                   env=environment)
    port = scenario.path("port")
    wait_for("the service's port", lambda: os.path.exists(port))
    with open(port, encoding="ascii") as file:
        scenario.popen("load", [*java, *classes, "dev.loupe.demo.LoadGenerator", file.read(), "0", PAUSE_MS],
                       env=dict(os.environ))


def start_planted(options, scenario, collector, cause, service=None, **more):
    service = service or cause
    agent = scenario.agent_options(collector, service, segment=SEGMENT_S, policy=scenario.path("all.jfc"), **more)
    return scenario.jvm(options.jdk, "PlantedE2E", scenario.path(f"{service}.jfr"), str(REQUESTS), cause,
                        agent=agent, name=service)


def use_shop(options, scenario, collector):
    """Starts the shop, has each route asked from many threads at once, and ends it. Returns its routes, none where it is not built."""
    if not os.path.exists(STARTER[0]):
        print("without the shop: loupe-spring-boot-starter.jar is not built")
        return []
    routes = SHOP_ROUTES | (SHOP_QUERIES if "LOUPE_POSTGRES" in os.environ else {})
    agent = scenario.agent_options(collector, SHOP, segment=SEGMENT_S, policy=scenario.path("all.jfc"))
    with served() as service, concurrent.futures.ThreadPoolExecutor(max(routes.values())) as clients:
        jvm = start(scenario, options.jdk, agent, service)
        port = port_of(jvm)
        for route, requests in routes.items():
            send(port, "quick")
            list(clients.map(send, [port] * requests, [route] * requests))
        jvm.process.stdin.close()
        jvm.wait_exit()
    return list(routes)


def start_vault(options, scenario):
    """The collector that asks for tokens. Returns it, its JVM and the path of its tokens."""
    tokens = scenario.path("tokens")
    write(tokens, rule("agents", "ingest", VAULT, AGENT) + rule("readers", "read", VAULT, READER))
    collector = Collector(scenario, "locked")
    collector.env = {"LOUPE_POLICY": scenario.path("all.jfc"), "LOUPE_TOKENS": tokens,
                     "LOUPE_FORWARDED_PREFIX": "1"}
    WithToken(collector, READER)
    return collector.start(), start_planted(options, scenario, collector, "lock", VAULT, token=AGENT), tokens


def start_proxy(scenario, collector):
    """Returns where it is, and its port, which is ours as long as that is there; "" where there is no nginx."""
    if NGINX is None:
        return "", None
    held = HeldPort()
    with open(scenario.path("nginx.conf"), "w", encoding="ascii") as file:
        file.write(PATHS.format(port=held.number, http_port=collector.http_port))
    scenario.popen("nginx", [NGINX, "-e", "stderr", "-p", scenario.dir, "-c", "nginx.conf"], env=dict(os.environ))
    url = f"http://127.0.0.1:{held.number}"

    def answers():
        try:
            return urllib.request.urlopen(f"{url}/taken/loupe/healthz", timeout=LIMIT_S).status == 200
        except OSError:
            return False

    wait_for("the proxy", answers)
    return url, held


def start_open(scenario):
    """`loupe open` without a recording. Returns where it is."""
    process = scenario.popen("open", [LOUPE, "open", "--no-browser"], env=dict(os.environ, TMPDIR=scenario.dir),
                             stdout=subprocess.PIPE)
    return process.stdout.readline().decode().strip().rstrip("/")


def save_recording(scenario, collector, service):
    """Returns the path of a service's recording, as the collector has it."""
    recording = collector.get(f"/api/v1/recordings?service={service}").json()["recordings"][0]
    path = scenario.path(f"{service} saved.jfr")
    with open(path, "wb") as file:
        file.write(collector.get(recording["download"]).body)
    return path


def eliminate(scenario, collector):
    """Asks the checkout service, which is quick, until one of the traces has been eliminated. Returns its id."""
    with open(scenario.path("port"), encoding="ascii") as file:
        cart = f"http://127.0.0.1:{file.read()}/cart?items=1"
    asked = []

    def is_eliminated():
        asked.append(secrets.token_hex(16))
        urllib.request.urlopen(urllib.request.Request(cart, headers={"traceid": asked[-1]}), timeout=LIMIT_S).close()
        return [one for one in asked if collector.get(f"/api/v1/traces/{one}").json()["state"] == "eliminated"]

    wait_for("a trace that is eliminated", is_eliminated)
    return is_eliminated()[0]


def has_contexts(collector, service):
    found = collector.get("/api/v1/services").json()["services"]
    return any(one["service"] == service and one["contexts_in"] > 0 and one["p99_ns"] is not None for one in found)


def has_ended(collector, service):
    return not collector.get(f"/api/v1/recordings?service={service}").json()["recordings"][0]["is_running"]


def body(options, scenario):
    home = need_jdk(options.jdk)
    for programs in (("chromium-headless-shell", "chromium"), ("node",)):
        if not any(map(shutil.which, programs)):
            skip(f"there is no {programs[0]}")
    web = copy_web(scenario)
    collector, empty = Collector(scenario), Collector(scenario, "empty").start()
    collector.env["LOUPE_POLICY"] = write_policy(scenario.path("all.jfc"), POLICY)
    collector.env["LOUPE_TRACE_LINK"] = "https://tempo.example/trace/{trace_id}"
    collector.env["LOUPE_SOURCE_LINK"] = "https://git.example/{service}/{path}.java#L{line}"
    collector.start()
    start_checkout(scenario, collector, home)
    causes = CAUSES if options.all else FEW_CAUSES
    jvms = [start_planted(options, scenario, collector, cause, version="1.0") for cause in causes]
    locked, jvm, tokens = start_vault(options, scenario)
    jvms.append(jvm)
    routes = use_shop(options, scenario, collector) if options.all else []
    proxy, _held = start_proxy(scenario, locked)
    eliminated = eliminate(scenario, collector)
    for jvm in jvms:
        jvm.wait_exit(PLANTED_LIMIT_S)
    ended = (*causes, *([SHOP] if routes else []))
    for service in ended:
        wait_for(f"the end of {service}", lambda service=service: has_ended(collector, service))
    for service in (*ended, "checkout"):
        wait_for(f"contexts of {service}", lambda service=service: has_contexts(collector, service))
    wait_for("contexts of the vault", lambda: has_contexts(locked, VAULT))
    opened, recording = start_open(scenario), save_recording(scenario, collector, FEW_CAUSES[0])
    urls = [f"http://127.0.0.1:{one.http_port}" for one in (collector, empty, locked)]
    print(*urls, READER, tokens, eliminated, proxy, opened, flush=True)
    if options.wait:
        input("press return to end: ")
        return
    done = subprocess.run(["node", "test/browser/run.mjs", *urls, READER, tokens, eliminated, *options.names], cwd=web,
                          env=dict(os.environ, LOUPE_CAUSES=" ".join(causes), LOUPE_ROUTES=" ".join(routes),
                                   LOUPE_ALL="1" if options.all else "", LOUPE_PROXY_URL=proxy, LOUPE_OPEN_URL=opened,
                                   LOUPE_RECORDING=recording),
                          stdin=subprocess.DEVNULL, timeout=BROWSER_LIMIT_S, check=False)
    check(done.returncode == 0, "scenarios failed, see above")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--all", action="store_true", help="every cause, those of the shop, and every kind of foreign page")
    parser.add_argument("--wait", action="store_true")
    parser.add_argument("names", nargs="*", help="of web/test/browser/NAME.test.mjs; all, if not said")
    options = parser.parse_args()
    if options.all and glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        run_with_postgres(is_shared=True)
    run("page", lambda scenario: body(options, scenario))


main()
