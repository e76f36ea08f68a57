# SPDX-License-Identifier: Apache-2.0
"""Promised: docs/start/first-steps.md leads from nothing to a recording with contexts, by each of the ways that it has.

Its commands run as they stand there, one after the other in a bash, in a directory that is laid out as the repository is after
a build. So the two commands that build are not run again: this build's programs and artifacts are in their places. The
ports that the page names are those of a network of the test's own; only builds with Maven and Gradle leave it. Where
the user may not make a network it is the machine's, and the test is skipped if one of the ports is taken.

--case maven, gradle, spring, otel: the collector, and that way.
--case helm: no cluster is there, so the chart is rendered with the options of the page's `helm install`.
"""

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys

from support.process import BRIEF, BUILD, LIMIT_S, Failed, check, need_jdk, run, skip, wait_for
from support.pypi import HELM, SCHEMAS, need

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.append(os.path.join(ROOT, "tests", "support"))

import pages

PAGE = os.path.join(ROOT, "docs", "start", "first-steps.md")
BEFORE = "A collector and an agent"
CASES = {"maven": ("Maven", "mvn"), "gradle": ("Gradle", "gradle"), "spring": ("Spring Boot", "mvn"),
         "otel": ("OpenTelemetry", "mvn"), "helm": ("Helm", None)}
NEEDED = {"spring": "loupe-spring-boot-starter", "otel": "loupe-otel"}  # is not built without other people's jars
DONE = ("./scripts/build", "./scripts/package java")  # by who built what is tested
PORTS = (7411, 7412, 8080)
# What Maven and Gradle say where a repository is not reached.
UNREACHED = re.compile(r"Could not transfer artifact .*\(https://.*|Could not (?:GET|HEAD) 'https://.*")
COMMAND_LIMIT_S = 600


def commands_of(title):
    with open(PAGE, encoding="utf-8") as file:
        return pages.commands(file.read(), title)


# --- Where they run

def lay_out(scenario):
    """The repository after a build: what the page names of it."""
    place = scenario.path("loupe")
    shutil.copytree(f"{ROOT}/java/examples", f"{place}/java/examples", ignore=shutil.ignore_patterns("build", "target", ".gradle"))
    os.makedirs(f"{place}/build/package")
    for made, path in ((BUILD, "build/release"), (f"{BUILD}/maven", "build/package/maven"), (f"{ROOT}/policies", "policies"),
                       (f"{ROOT}/deploy", "deploy")):
        os.symlink(made, f"{place}/{path}")
    return place


def own_network(scenario, tool):
    """What begins a shell in a network of its own, and the directory of a tool that leaves it; neither where that may not be."""
    start = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    leave = f"nsenter --net=/proc/{os.getpid()}/ns/net"
    try:
        done = subprocess.run([*start, *leave.split(), "true"], timeout=LIMIT_S, check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        done = None
    if not done or done.returncode != 0:
        return [], None
    folder = scenario.path("tools")
    os.mkdir(folder)
    with open(os.path.join(folder, tool), "w", encoding="ascii", opener=lambda path, how: os.open(path, how, 0o755)) as file:
        file.write(f'#!/bin/sh\nexec {leave} {shutil.which(tool)} "$@"\n')
    return start, folder


def need_ports(held=socket.socket(socket.AF_UNIX)):
    """held has a name as long as this runs: another test that needs the ports waits for it."""
    def is_ours():
        try:
            return held.bind("\0loupe-first-steps") is None
        except OSError:
            return False
    wait_for("another test that uses these ports", is_ours, COMMAND_LIMIT_S)
    for port in PORTS:
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                skip(f"port {port} is taken, and this user may not make a network")


def environment(folder):
    home = need_jdk(17)
    places = [place for place in (folder, f"{home}/bin", os.environ["PATH"]) if place]
    return dict(os.environ, PATH=":".join(places), JAVA_HOME=home, GRADLE_USER_HOME=f"{BUILD}/gradle",
                MAVEN_OPTS=" ".join([*BRIEF, f"-Dmaven.repo.local={BUILD}/m2"]))


# --- What runs

def step(shell, command):
    try:
        return shell.run(command)
    except pages.Wrong as problem:
        unreached = UNREACHED.search(str(problem)) if command.text.startswith(("mvn ", "gradle ")) else None
        if unreached:
            skip(f"Maven Central cannot be reached: {unreached.group(0)[:200]}")
        raise Failed(str(problem)) from None


def steps(scenario, title, tool):
    if not shutil.which(tool):
        skip(f"there is no {tool} (Debian's package {'maven' if tool == 'mvn' else tool})")
    before = commands_of(BEFORE)
    check(tuple(command.text for command in before[:2]) == DONE, f"'{BEFORE}' does not begin with {DONE}")
    start, folder = own_network(scenario, tool)
    if not start:
        need_ports()
    if tool == "mvn":  # others have no lock on it
        shutil.rmtree(f"{BUILD}/m2/dev/loupe", ignore_errors=True)  # of an earlier build with this version
    shell = pages.Shell(start, lay_out(scenario), environment(folder), COMMAND_LIMIT_S)
    try:
        for command in before[2:] + commands_of(title):
            step(shell, command)
    finally:
        shell.end()


def helm_steps(scenario, title, _):
    programs = need(HELM, SCHEMAS)
    env = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
    shell = pages.Shell([], lay_out(scenario), env, LIMIT_S)
    try:
        for command in commands_of(title):
            command.text = command.text.replace("helm install ", "helm template ", 1)
            printed = step(shell, command)
        image = ":".join(re.findall(r"--set image\.\w+=(\S+)", command.text))
        check(re.search(rf'^ *image: "?{re.escape(image)}"?$', printed, re.MULTILINE), f"no pod has the image {image}: {printed}")
    finally:
        shell.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=CASES, required=True)
    case = parser.parse_args().case
    if case in NEEDED and not os.path.exists(f"{BUILD}/lib/{NEEDED[case]}.jar"):
        skip(f"{NEEDED[case]}.jar is not built, as other people's jars could not be had")
    run(f"first-steps-{case}", lambda scenario: (helm_steps if case == "helm" else steps)(scenario, *CASES[case]))


main()
