# SPDX-License-Identifier: Apache-2.0
"""Promised: `loupe compare` says of two versions what /api/v1/compare says, while the collector runs and after it has ended, and
names what is wrong with an option.
"""

import argparse
import json
import os
import subprocess

from support.elimination import write_policy
from support.planted import POLICY
from support.process import LIMIT_S, LOUPE, Collector, check, need_jdk, run, wait_for

VERSIONS = ("1.2", "1.3")
REQUESTS = 12


def compare(collector, *options, code=0):
    done = subprocess.run([LOUPE, "compare", "--data", collector.data, *options], capture_output=True, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"}, timeout=LIMIT_S)
    check(done.returncode == code, f"{options}: {done.returncode}, {done.stderr}")
    return done.stdout if code == 0 else done.stderr


def chosen(version, base=""):
    return (f"--{base}service", "shop", f"--{base}service-version", version)


def check_versions(collector):
    """The JSON is the API's, and the table has a line for each side of each row of it."""
    options = (*chosen("1.3"), *chosen("1.2", "base-"))
    found = json.loads(compare(collector, *options, "--unit", "contexts", "--json"))
    asked = "unit=contexts&service=shop&version=1.3&base_service=shop&base_version=1.2"
    wanted = collector.get(f"/api/v1/compare?{asked}").json()
    check(found["types"] == wanted["types"] and found["types"], f"{found}, not {wanted}")
    for kind in found["types"]:
        check(kind["here"]["count"] > 0 and kind["base"]["count"] > 0, f"{kind}")
    rows = sum(1 + sum(len(attribute["values"]) for attribute in kind["attributes"]) for kind in found["types"])
    table = compare(collector, *options, "--unit", "contexts").splitlines()
    check(len(table) == 1 + 2 * rows, f"{rows} rows: {table}")
    check(all(kind["type"] in "\n".join(table) for kind in found["types"]), f"{table}")
    return rows


def check_faults(collector):
    check("--base-" in compare(collector, "--service", "shop", code=2), "without a base")
    for options, wanted in (
            (("--base-from", "yesterday"), "--base-from 'yesterday'"),
            (("--from", "1m", "--to", "1h", "--base-from", "1h"), "--from: not before --to"),
            (("--base-recording", "x"), "--base-recording 'x'"),
            (("--base-from", "1h", "1.2"), "no operands"),
            (("--base-from", "1h", "--catalog", "foo"), "--catalog: must begin with postgres://")):
        said = compare(collector, *options, code=2)
        check(wanted in said, f"{options}: {said}")
    said = compare(collector, "--base-from", "2200-01-01T00:00:00Z", code=1)
    check("--base-from: not before --base-to, or now" in said, said)
    said = compare(collector, "--base-from", "1h", "--catalog", "postgres://127.0.0.1:1/loupe", code=1)
    check("127.0.0.1" in said and "not now" not in said, said)
    damaged = os.path.join(collector.data, "damaged-catalog")
    os.mkdir(damaged)
    with open(os.path.join(damaged, "catalog.db"), "wb") as out:
        out.write(bytes(range(1, 256)) * 64)
    said = compare(collector, "--data", damaged, "--base-from", "1h", code=1)
    check(damaged in said, said)
    said = compare(collector, "--data", os.path.join(collector.data, "nothing"), "--base-from", "1h", code=1)
    check("nothing" in said and "--data" in said, said)
    check(compare(collector, "--service", "x", "--base-service", "x") == "no requests on either side\n", "no such service")


def scenario_of(jdk):
    def body(scenario):
        need_jdk(jdk)
        policy = write_policy(scenario.path("all.jfc"), POLICY)
        collector = Collector(scenario).start()
        for version in VERSIONS:
            agent = scenario.agent_options(collector, "shop", segment=1, policy=policy, version=version)
            jvm = scenario.jvm(jdk, "PlantedE2E", scenario.path(f"{version}.jfr"), str(REQUESTS), "lock", agent=agent,
                               name=f"shop-{version}")
            jvm.wait_exit(120)
        wait_for("both ends", lambda: len([r for r in collector.recordings() if not r["is_running"]]) == len(VERSIONS))
        print(f"{check_versions(collector)} rows", flush=True)
        check_faults(collector)
        collector.stop()
        check("base" in compare(collector, *chosen("1.3"), *chosen("1.2", "base-"), "--unit", "contexts"), "after the end")
    return body


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    args = parser.parse_args()
    run(f"compare-{args.jdk}", scenario_of(args.jdk))


main()
