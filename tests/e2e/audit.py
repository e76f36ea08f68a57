# SPDX-License-Identifier: Apache-2.0
"""Promised: the file of --audit says who read and removed which recording, and who was refused, each once, in order.

--case told:    a download in many ranges at a time is one line; logrotate can move the file, with SIGHUP or without.
--case full:    where the disk takes nothing HTTP goes on, and what is missing is counted, and logged once.
--case refused: a file that cannot be had keeps a collector from starting; without --audit SIGHUP ends it, as ever.

The recording is one of tests/fixtures.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import re
import signal
import stat
import subprocess

from support import upgrade
from support.process import LIMIT_S, LOUPE, Collector, check, run, wait_for
from support.token_file import WithToken, rule, write

SERVICE = "basket"
OPS, TEAM, NOBODY = "the-token-of-the-operators", "the-token-of-the-team", "a-token-that-nobody-knows"
RANGES = 100
READERS = 8
REPEAT_S = 60


def start(scenario, audit):
    """A collector with a recording that has ended. Returns it and the id of the recording."""
    tokens = scenario.path("tokens")
    write(tokens, rule("ops", "read,admin", "*", OPS) + rule("team", "read", SERVICE, TEAM))
    folder = upgrade.generations()[0]
    collector = Collector(scenario).start()
    upgrade.check_answers(collector, upgrade.requests(os.path.join(folder, "before")))
    upgrade.wait_ended(collector, SERVICE)
    recording = collector.recording(SERVICE)
    collector.stop()
    collector.env = {"LOUPE_TOKENS": tokens, "LOUPE_AUDIT": audit}
    WithToken(collector, OPS)
    return collector.start(), recording


def first_ones(lines, times):
    """Without what is repeated as it may be after 60 s, which a slow machine can take. Half of that is enough: a line's time
    is taken some time after it was found due."""
    last = {}
    for line, time in zip(lines, times):
        key, now = json.dumps(line), datetime.datetime.fromisoformat(time[:19])
        if (now - last.get(key, now)).total_seconds() < REPEAT_S / 2:
            yield line
        last[key] = now


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    times = [line.pop("time") for line in lines]
    check(times == sorted(times), f"not in order: {times}")
    check(all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", time) for time in times), f"no times: {times}")
    check(all(line.pop("address") == "127.0.0.1" for line in lines), "another address")
    return list(first_ones(lines, times))


def metric(collector, name):
    text = collector.get("/metrics").body.decode()
    return int(next(line for line in text.splitlines() if line.startswith(name + " ")).split()[-1])


def bearer(token, **more):
    return {"Authorization": f"Bearer {token}", **more}


def read_in_ranges(collector, path):
    whole = collector.get(path).body
    size = -(-len(whole) // RANGES)

    def piece(begin):
        answer = collector.get(path, headers={"Range": f"bytes={begin}-{begin + size - 1}"})
        check(answer.status == 206, f"a range: {answer.status}")
        return answer.body

    with concurrent.futures.ThreadPoolExecutor(READERS) as readers:
        pieces = list(readers.map(piece, range(0, len(whole), size)))
    check(b"".join(pieces) == whole, "the ranges are not the whole")


def told(scenario):
    path = scenario.path("audit")
    collector, recording = start(scenario, path)
    check(stat.S_IMODE(os.stat(path).st_mode) & 0o137 == 0, "others may read it")
    download = f"/api/v1/recordings/{recording}.jfr"
    read_in_ranges(collector, download)
    check(collector.get(download, headers=bearer(NOBODY)).status == 401, "a token that nobody knows is known")
    check(collector.get(f"/api/v1/recordings/{recording}", method="DELETE", headers=bearer(TEAM)).status == 403,
          "a reader may remove")
    wait_for("the lines", lambda: len(lines_of(path)) == 3)
    moved = scenario.path("audit.1")
    os.rename(path, moved)
    collector.process.send_signal(signal.SIGHUP)
    wait_for("the new file", lambda: os.path.exists(path))
    before = lines_of(moved)
    read = {"event": "download", "identity": "ops", "recording": recording, "service": SERVICE}
    refused = {"event": "refused", "path": download, "why": "unknown token"}
    unfit = {"event": "refused", "identity": "team", "path": f"/api/v1/recordings/{recording}",
             "why": "the token of 'team' does not allow removing recordings of this service"}
    check(before == [read, refused, unfit], f"other lines: {before}")
    check(lines_of(path) == [], "the new file has lines")
    check(collector.get(download, headers=bearer(TEAM)).status == 200, "a reader may not read")
    wait_for("a line", lambda: len(lines_of(path)) == 1)
    check(lines_of(moved) == before, "the moved file grew")
    check(collector.get(f"/api/v1/recordings/{recording}", method="DELETE").status == 204, "it cannot be removed")
    wait_for("the lines", lambda: len(lines_of(path)) == 2)
    check(lines_of(path) == [read | {"identity": "team"}, read | {"event": "delete"}], f"other lines: {lines_of(path)}")
    os.unlink(path)
    collector.get("/metrics", headers=bearer(TEAM))  # without a word about the file
    wait_for("a line", lambda: os.path.exists(path) and lines_of(path))
    check(lines_of(path)[0]["path"] == "/metrics", f"other lines: {lines_of(path)}")
    check(metric(collector, 'loupe_audit_lines_dropped_total{by="queue"}') == 0, "lines are missing")
    collector.stop()


def full(scenario):
    collector, recording = start(scenario, "/dev/full")
    for token in OPS, TEAM:
        check(collector.get(f"/api/v1/recordings/{recording}.jfr", headers=bearer(token)).status == 200, "no download")
    wait_for("the count", lambda: metric(collector, 'loupe_audit_lines_dropped_total{by="file"}') == 2)
    collector.stop()
    log = scenario.log_of("collector")
    check(log.count("/dev/full: No space left on device") == 1, f"not one line about it: {log}")


def refused(scenario):
    done = subprocess.run([LOUPE, "collect", "--data", scenario.path("unused"), "--audit", scenario.path("none/audit")],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 1 and b"none/audit: No such file or directory" in done.stderr, f"{done.returncode} {done.stderr}")
    collector = Collector(scenario, "without").start()
    collector.process.send_signal(signal.SIGHUP)
    check(collector.process.wait(LIMIT_S) == -signal.SIGHUP, "SIGHUP does not end it")


CASES = {"told": told, "full": full, "refused": refused}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=sorted(CASES), required=True)
    args = parser.parse_args()
    run(f"audit-{args.case}", CASES[args.case])


main()
