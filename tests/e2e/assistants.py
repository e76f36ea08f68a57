# SPDX-License-Identifier: Apache-2.0
"""Promised: assistants ask a collector by the Model Context Protocol, and recordings in files by `loupe mcp`.

The official SDKs are the clients, each over HTTP and over standard input and output: they list the tools, call each one, make
the calls that the answers propose, and find no fault with any answer. They speak 2026-07-28, and the older one of TypeScript
2025-11-25. A lock that was planted is found with its owner and what that thread did, in two calls. A token for one service gets
nothing of another. A page of another site, an unknown version and an unknown method get the protocol's errors.

For every change the SDK of TypeScript alone, for 5 s of CPU; to install it once takes longer. With LOUPE_TEST_ALL also those
of Go and Python.
"""

import argparse
import http.client
import http.server
import json
import os
import subprocess
import threading

from support import gotool, npm, token_file
from support.assistant import Assistant
from support.process import LIMIT_S, LOUPE, Collector, check, need_jdk, run, times, wait_for
from support.pypi import MCP, need

HERE = os.path.dirname(os.path.abspath(__file__))
POLICY = os.path.join(HERE, "..", "..", "policies", "loupe.jfc")
ORDERS, WAIT_MS = 6, 120
FRAME = "dev.loupe.testapps.LockedE2E$Stock.reserve"
OWNER_FRAME = "dev.loupe.testapps.LockedE2E$Stock.refill"
TOOLS = ["services", "slow_requests", "why", "request", "trace", "attributes", "frames", "compare", "policy_check"]
SHOP, BANK, ALL = "shop-token-0123456789", "bank-token-0123456789", "all-token-01234567890"


# --- Without an SDK

def post(collector, body, headers=None, token=None, method="POST"):
    """The status and the JSON of an answer, or None."""
    sent = {"Content-Type": "application/json", **(headers or {})}
    if token:
        sent["Authorization"] = f"Bearer {token}"
    connection = http.client.HTTPConnection("127.0.0.1", collector.http_port, timeout=LIMIT_S)
    try:
        connection.request(method, "/mcp", body if isinstance(body, str) else json.dumps(body), sent)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    return answer.status, json.loads(content) if content else None


def request(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def check_errors(collector):
    ping = request("ping")
    for body, headers, status, code in (
            ("{", {}, 400, -32700),
            ([ping], {}, 400, -32600),
            (ping, {"MCP-Protocol-Version": "1900-01-01"}, 400, -32022),
            (request("resources/list"), {}, 200, -32601),
            (ping, {"MCP-Protocol-Version": "2026-07-28"}, 400, -32602),
            (ping, {}, 200, None)):
        found = post(collector, body, headers)
        check((found[0], found[1].get("error", {}).get("code")) == (status, code), f"{body} {headers}: {found}")
    check(post(collector, {"jsonrpc": "2.0", "method": "notifications/initialized"})[0] == 202, "a notification")
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}):
        check(post(collector, ping, headers)[0] == 403, f"{headers}")
    check(post(collector, ping, {"Origin": f"http://127.0.0.1:{collector.http_port}"})[0] == 200, "the page itself")
    check(post(collector, "", method="GET")[0] == 405 and post(collector, "", method="DELETE")[0] == 405, "GET, DELETE")
    check(post(collector, " " * 65537)[0] == 413, "64 KiB and a byte")


def check_rights(collector):
    """Tools show what the routes of their questions show to a token."""
    def texts(token):
        said = []
        for tool, arguments in (("services", {"from": "1h"}), ("slow_requests", {"from": "1h"}),
                                ("slow_requests", {"from": "1h", "service": "bank"}),
                                ("trace", {"id": f"{0xabc000:032x}"})):
            status, found = post(collector, request("tools/call", name=tool, arguments=arguments), token=token)
            check(status == 200 and not found["result"]["isError"], f"{tool}: {status} {found}")
            said.append(json.dumps(found["result"]["structuredContent"]))
        return said
    everything, of_shop = texts(ALL), texts(SHOP)
    check("bank" in everything[0] and "bank" not in of_shop[0] and "shop" in of_shop[0], f"{of_shop[0]}")
    check('"matched": 0' in of_shop[2] and '"matched": 0' not in everything[2], f"{of_shop[2]}")
    check("bank" in everything[3] and "bank" not in of_shop[3], f"{of_shop[3]}")
    check(post(collector, request("ping"))[0] == 401, "without a token")
    check(post(collector, request("ping"), token="x" * 20)[0] == 401, "with an unknown token")
    check(post(collector, request("ping"), token=BANK)[0] == 403, "with a token that may only ingest")


def check_owner(collector):
    assistant = Assistant(collector.http_port)
    calls, texts = assistant.follow("slow_requests", {"service": "shop", "where": ["http_route=/order"]},
                                    lambda text: "**lock**" in text and FRAME in text)
    check(calls == 2, f"{calls} calls: {texts}")
    _, proposed = assistant.call("slow_requests", {"service": "shop", "where": ["http_route=/order"]})
    text, proposed = assistant.call(*next(call for call in proposed if call[0] == "request"))
    for part in ("Who had the monitors", "`stock-keeper` had `dev.loupe.testapps.LockedE2E$Stock`",
                 "The first of them meanwhile", "**sleep**", OWNER_FRAME):
        check(part in text, f"no {part}: {text}")
    check({"why", "trace", "frames"} <= {tool for tool, _ in proposed}, f"{proposed}")


# --- The SDKs

def judges():
    """The commands of programs that take `http URL` or `stdio COMMAND...`, by name, with the version that each speaks. For every
    change these are one language's, which speaks both versions."""
    modules = npm.install(os.path.join(HERE, "mcp_node"))
    found = {"typescript": (["node", os.path.join(modules, "client.mjs")], "2026-07-28"),
             "typescript 1": (["node", os.path.join(modules, "client_1.mjs")], "2025-11-25")}
    if times(False, True):
        python = os.path.join(need(MCP), "python3")
        found["go"] = [gotool.build_once(os.path.join(HERE, "mcp"))], "2026-07-28"
        found["python"] = [python, os.path.join(HERE, "mcp", "client.py")], "2026-07-28"
    return found


def judge(name, command, place, wanted_version, tools=TOOLS):
    done = subprocess.run([*command, *place], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{name} {place}: {done.returncode} {done.stdout[-2000:]} {done.stderr.decode()[-3000:]}")
    said = json.loads(done.stdout)
    check(said["version"] == wanted_version and said["server"] == "loupe", f"{name}: {said['version']} of {said['server']}")
    check(said["tools"] == tools, f"{name}: {said['tools']}")
    check(set(said["called"]) == set(tools), f"{name}: called {said['called']}")
    check(said["wrong"] and "service" in said["wrong"], f"{name}: {said['wrong']}")
    return said["called"]


class Silent(http.server.BaseHTTPRequestHandler):
    """Takes everything and says nothing, as a server that is no collector may."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def check_bridge(path):
    """What is no message, what is too long, and a collector that is away or says nothing, are answered; the end of input ends
    the command."""
    def ask(arguments, lines):
        done = subprocess.run([LOUPE, "mcp", *arguments], input=lines.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=LIMIT_S, check=False)
        check(done.returncode == 0, f"mcp {arguments}: {done.returncode} {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]
    found = ask([path], "\n".join(("nonsense", "", json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                                   "x" * 100000, json.dumps(request("ping")), json.dumps(request("a\r\nX-Evil: 1")))))
    codes = [one.get("error", {}).get("code") for one in found]
    check(codes == [-32700, -32603, None, -32601], f"{found}")
    found = ask(["--url", "http://127.0.0.1:1"], json.dumps(request("ping")))
    check([one["error"]["code"] for one in found] == [-32603] and found[0]["id"] == 1, f"{found}")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = ask(["--url", f"http://127.0.0.1:{server.server_port}"], "\n".join(
            (json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), json.dumps(request("ping")))))
        server.shutdown()
    check([(one["id"], one["error"]["code"]) for one in found] == [(1, -32603)], f"{found}")


def check_sdks(collector, path):
    places = {"collector": ["http", f"http://127.0.0.1:{collector.http_port}/mcp"],
              "files": ["stdio", LOUPE, "mcp", path],
              "bridge": ["stdio", LOUPE, "mcp", "--url", f"http://127.0.0.1:{collector.http_port}"]}
    for name, (command, version) in judges().items():
        for place in ("collector", "files") + (("bridge",) if name == "typescript" else ()):
            called = judge(f"{name}, {place}", command, places[place], version)
            print(f"{name}, {place}: {version}, {len(called)} calls", flush=True)


def ended(collector, count):
    return len([one for one in collector.recordings() if one["ended_how"] == "closed"]) == count


def with_jvms(scenario, jdk, collector, services, **options):
    for service in services:
        agent = scenario.agent_options(collector, service, segment=1, policy=POLICY, **options.get(service, {}))
        scenario.jvm(jdk, "LockedE2E", str(ORDERS), str(WAIT_MS), agent=agent, name=service).wait_exit()


def of_tools(scenario, jdk):
    need_jdk(jdk)
    collector = Collector(scenario)
    collector.env["LOUPE_POLICY"] = POLICY
    collector.start()
    with_jvms(scenario, jdk, collector, ["shop"])
    wait_for("the end of the recording", lambda: ended(collector, 1))
    path = collector.download(collector.recording("shop"), scenario.path("shop.jfr"))
    check_errors(collector)
    check_owner(collector)
    check_bridge(path)
    check_sdks(collector, path)
    collector.stop()


def of_rights(scenario, jdk):
    need_jdk(jdk)
    collector = Collector(scenario)
    token_file.write(scenario.path("tokens"), token_file.rule("shop", "read,ingest", "shop", SHOP) +
                     token_file.rule("bank", "ingest", "bank", BANK) + token_file.rule("all", "read", "*", ALL))
    collector.env["LOUPE_POLICY"] = POLICY
    collector.env["LOUPE_TOKENS"] = scenario.path("tokens")
    token_file.WithToken(collector, ALL)
    collector.start()
    with_jvms(scenario, jdk, collector, ["shop", "bank"], shop={"token": SHOP}, bank={"token": BANK})
    wait_for("the ends of the recordings", lambda: ended(collector, 2))
    check_rights(collector)
    token_file.write(scenario.path("token"), ALL + "\n")
    done = subprocess.run([LOUPE, "mcp", "--url", f"http://127.0.0.1:{collector.http_port}/", "--token", scenario.path("token")],
                          input=json.dumps(request("tools/call", name="services")).encode(), stdout=subprocess.PIPE,
                          timeout=LIMIT_S, check=False)
    check(b"bank" in done.stdout and b"shop" in done.stdout, f"{done.stdout}")
    collector.stop()


CASES = {"tools": of_tools, "rights": of_rights}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--case", choices=CASES, required=True)
    args = parser.parse_args()
    run(f"mcp-{args.case}-{args.jdk}", lambda scenario: CASES[args.case](scenario, args.jdk))


main()
