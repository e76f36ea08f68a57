# SPDX-License-Identifier: Apache-2.0
"""Promised: whoever has a token gets a session for it, whose cookie is as good as the token until it is over, and no longer.

--over http: without TLS
--over tls:  with it, where the cookie goes nowhere else

The recording is one of tests/fixtures. Many log in at once; then the tokens change, and the collector is
started again.
"""

import argparse
import concurrent.futures
import http.cookies
import os

from support import upgrade
from support.certificates import Certificates
from support.process import Collector, check, run, wait_for
from support.token_file import WithToken, rule, write

SERVICE = "basket"
OPS, TEAM, OTHER = "the-token-of-the-operators", "the-token-of-the-team", "the-token-of-others"
TEAM_RULE, OTHER_RULE = rule("team", "read,admin", SERVICE, TEAM), rule("other", "read", "none", OTHER)
OF_LINE_MAX = 64
AT_ONCE = 100
LOGIN = "/api/v1/login"
PAGE = {"Loupe-Page": "1", "Sec-Fetch-Site": "same-origin"}


class Browser:
    """What a browser keeps: the cookies that were set."""

    def __init__(self, ask):
        self.ask, self.cookies = ask, http.cookies.SimpleCookie()

    def request(self, path, method="GET", **headers):
        cookies = "; ".join(f"{name}={one.value}" for name, one in self.cookies.items())
        answer = self.ask(path, method=method, headers={"Cookie": cookies, **headers})
        self.cookies.load(answer.headers.get("Set-Cookie", ""))
        return answer

    def log_in(self, token):
        return self.request(LOGIN, "POST", Authorization=f"Bearer {token}", **PAGE).status

    def identity(self):
        return self.request(LOGIN).json()["identity"]


def start(scenario, over):
    """A collector with a recording that has ended, and tokens. Returns it, and the id of the recording."""
    folder = upgrade.generations()[0]
    collector = Collector(scenario).start()
    upgrade.check_answers(collector, upgrade.requests(os.path.join(folder, "before")))
    upgrade.wait_ended(collector, SERVICE)
    recording = collector.recording(SERVICE)
    collector.stop()
    collector.env = {"LOUPE_TOKENS": scenario.path("tokens")}
    write(scenario.path("tokens"), rule("ops", "read", "*", OPS) + TEAM_RULE + OTHER_RULE)
    if over == "tls":
        collector.use_tls(Certificates(scenario.path("tls"), "server"), False)
    return collector.start(), recording


def metric(collector, name):
    text = collector.get("/metrics").body.decode()
    return int(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[-1])


def check_cookie(browser, collector, over):
    (name, cookie), = browser.cookies.items()
    host = "__Host-" if over == "tls" else ""
    check(name == f"{host}loupe-{collector.http_port}", f"it is called {name}")
    check(len(cookie.value) == 64 and cookie["httponly"] and cookie["samesite"] == "Strict" and cookie["path"] == "/", f"{cookie}")
    check(bool(cookie["secure"]) == (over == "tls") and not cookie["domain"] and not cookie["max-age"], f"{cookie}")


def check_rights(team, other, recording):
    download = f"/api/v1/recordings/{recording}.jfr"
    check(team.request(download).body[:4] == b"FLR\0", "no recording")
    check(team.request(download, Range="bytes=4-7").status == 206, "no part of it")
    check(other.request(download).status == 404, "another's recording")
    check(team.request("/metrics").status == 403, "metrics of all")
    check(team.request(download, **{"Sec-Fetch-Site": "same-site"}).status == 403, "another page's request")
    check(team.request(f"/api/v1/recordings/{recording}", "DELETE").status == 403, "a DELETE that a form could send")


def check_limit(ask, collector):
    """The sessions of a line have a limit, whoever else is logged in."""
    before = metric(collector, "loupe_logins_active")
    browsers = [Browser(ask) for _ in range(AT_ONCE)]
    with concurrent.futures.ThreadPoolExecutor(8) as people:
        check(set(people.map(lambda one: one.log_in(OPS), browsers)) == {200}, "somebody could not log in")
        names = list(people.map(Browser.identity, browsers))
    check(names.count("ops") == OF_LINE_MAX and names.count(None) == AT_ONCE - OF_LINE_MAX, f"{names}")
    check(metric(collector, "loupe_logins_active") == before + OF_LINE_MAX, "another number of sessions")
    check(metric(collector, 'loupe_logins_ended_total{by="room"}') == AT_ONCE - OF_LINE_MAX, "another number ended")


def scenario_of(over):
    def body(scenario):
        collector, recording = start(scenario, over)
        ask = WithToken(collector, OPS).get_without
        team, other = Browser(ask), Browser(ask)
        check(team.log_in("a-token-that-nobody-knows") == 401 and not team.cookies, "a wrong token")
        check(team.log_in(TEAM) == 200 and other.log_in(OTHER) == 200, "they cannot log in")
        check_cookie(team, collector, over)
        check_rights(team, other, recording)
        check_limit(ask, collector)
        check((team.identity(), other.identity()) == ("team", "other"), "somebody was put out by others")
        tab = Browser(ask)
        tab.cookies.load(team.cookies.output(attrs=[], header="", sep=";"))
        check(tab.identity() == "team", "another tab has another session")
        # Of the two lines one changes, and a comment comes.
        write(scenario.path("tokens"), "# later\n" + rule("ops", "read", "*", OPS) + TEAM_RULE.replace("read,admin", "read") + OTHER_RULE)
        wait_for("the end of a session", lambda: team.identity() is None)
        check(team.request("/api/v1/recordings").status == 401, "it is over, and good")
        check(other.identity() == "other", "the session of a line that is as it was is over")
        check(other.request(LOGIN, "DELETE").status == 403 and other.identity() == "other", "anybody can log out others")
        check(other.request(LOGIN, "DELETE", **PAGE).status == 200 and other.identity() is None, "it is not over")
        check(team.log_in(TEAM) == 200 and team.identity() == "team", "not again")
        kept = dict(team.cookies)
        collector.stop()
        collector.start()
        check(team.identity() is None, f"a session outlived the collector: {kept}")
        collector.stop()
        log = scenario.log_of("collector")
        check(not any(one in log for one in (TEAM, OPS, OTHER, *(cookie.value for cookie in kept.values()))), "a secret is in the log")
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--over", choices=("http", "tls"), required=True)
    args = parser.parse_args()
    run(f"login-{args.over}", scenario_of(args.over))


main()
