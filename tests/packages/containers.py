#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""containers.py RELEASE...: the images and the compose file, built on releases of Debian (12, 13) and tried with a real container
engine.

The commands of docs/start/first-steps.md for containers run as they stand there: they build all images from the tree, and record the
service of the compose file. On Debian 12 the compose file of several collectors is tried as well: what JVMs record goes on while
one of them is killed, and either answers for both. The collector is not root, and writes to its volume alone. A JVM of this machine, which is Debian 12
as the agent is that was built there, is recorded, too, and the same bytes are downloaded after `down` and `up`, after SIGTERM and
after SIGKILL, while another JVM goes on and loses nothing.

Needs root, Debian's docker.io and docker-compose, and a JDK. An engine that answers is used; else one is started, with
its data in LOUPE_DOCKER or /var/tmp/loupe-docker, where a second run finds what the first one had to build. Debian's base images
are pulled, or made by debootstrap where no registry can be reached. Ends with 77 and a line that says why where something is missing.
"""

import contextlib
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from roots import copy_sources
from runs import LIMIT_S, expect, mirror, page_steps, run, skip, wait_for

SUITES = {"12": "bookworm", "13": "trixie"}
KEPT = pathlib.Path(os.environ.get("LOUPE_DOCKER", "/var/tmp/loupe-docker"))
HTTP = "http://127.0.0.1:7412"
OTHER_HTTP = "http://127.0.0.1:7422"  # of the other collector, where there are two
BUILD_LIMIT_S = 3600
PROJECT = "loupe-test"
AGENT = f"{PROJECT}_agent"
STOP_LIMIT_S = "30"  # as the compose file has it
PROGRAM = """
public class Demo {
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Runnable run = () -> {
            while (!new java.io.File(args[0]).exists()) {
                synchronized (lock) {
                    try { Thread.sleep(25); } catch (InterruptedException e) { return; }
                }
            }
        };
        Thread first = new Thread(run), second = new Thread(run);
        first.start(); second.start(); first.join(); second.join();
    }
}
"""

# What stands in for official images where no registry can be reached: the same programs, as far as the compose file asks for them.
POSTGRES = """
FROM debian:12
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql-15
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
RUN printf '%s\\n' '#!/bin/sh' 'set -e' 'umask 077' 'printf %s "$POSTGRES_PASSWORD" > /tmp/password' \
    '[ -s "$PGDATA/PG_VERSION" ] || {' \
    '  initdb -U "$POSTGRES_USER" --pwfile=/tmp/password -A scram-sha-256 -E UTF8 --locale=C.UTF-8' \
    '  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"' \
    '  echo "CREATE DATABASE $POSTGRES_DB" | postgres --single postgres' \
    '}' 'exec postgres -c listen_addresses="*" -c unix_socket_directories=/tmp' > /start \
 && chmod 755 /start && mkdir -p "$PGDATA" && chown postgres "$PGDATA"
USER postgres
VOLUME /var/lib/postgresql/data
CMD ["/start"]
"""
OBJECTS = """
FROM debian:12-slim
COPY versitygw /app/versitygw
ENTRYPOINT ["/app/versitygw"]
"""


# --- The engine, and Debian's base images

@contextlib.contextmanager
def engine():
    """An engine that answers, in DOCKER_HOST: this machine's if it has one."""
    if subprocess.run(["docker", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0:
        yield
        return
    if KEPT.exists() and (KEPT.stat().st_uid != 0 or KEPT.stat().st_mode & 0o022):
        raise SystemExit(f"{KEPT} is not root's alone: remove it, or name another place by LOUPE_DOCKER")
    KEPT.mkdir(parents=True, exist_ok=True)
    os.environ["DOCKER_HOST"] = f"unix://{KEPT}/docker.sock"
    with open(KEPT / "dockerd.log", "ab") as log:
        daemon = subprocess.Popen(
            ["/usr/sbin/dockerd", "--data-root", KEPT / "data", "--exec-root", KEPT / "exec", "--pidfile", KEPT / "dockerd.pid",
             "-H", os.environ["DOCKER_HOST"], "--exec-opt", "native.cgroupdriver=cgroupfs"], stdout=log, stderr=log)
    def answers():
        if daemon.poll() is not None:
            skip(f"dockerd does not run here: see {KEPT}/dockerd.log")
        return subprocess.run(["docker", "version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
    try:
        wait_for("dockerd", answers)
        yield
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(LIMIT_S)


def has_image(name):
    return subprocess.run(["docker", "image", "inspect", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def need_bases(release, suite):
    names = [f"debian:{release}", f"debian:{release}-slim"]
    for name in names:
        if not has_image(name):
            subprocess.run(["docker", "pull", "--quiet", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if not all(has_image(name) for name in names):
        make_bases(suite, names)


def make_bases(suite, names):
    """What the official ones are made of; slim has no documentation, nor gets any."""
    if not shutil.which("debootstrap"):
        skip("no registry can be reached, and there is no debootstrap")
    debian = mirror().rstrip("/")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "root")
        run("debootstrap", "--variant=minbase", suite, root, debian, limit_s=BUILD_LIMIT_S)
        (root / "etc/apt/sources.list").write_text(
            f"deb {debian} {suite} main\ndeb {debian} {suite}-updates main\ndeb {debian}-security {suite}-security main\n")
        policy = root / "usr/sbin/policy-rc.d"  # no package starts a service
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        for left in ("var/lib/apt/lists", "var/cache/apt"):
            shutil.rmtree(root / left)
        import_root(root, names[0])
        (root / "etc/dpkg/dpkg.cfg.d/slim").write_text(
            "path-exclude /usr/share/doc/*\npath-include /usr/share/doc/*/copyright\npath-exclude /usr/share/man/*\n"
            "path-exclude /usr/share/locale/*\n")
        for left in ("usr/share/man", "usr/share/locale"):
            shutil.rmtree(root / left)
        run("find", root / "usr/share/doc", "-type", "f", "!", "-name", "copyright", "-delete")
        import_root(root, names[1])


def import_root(root, name):
    tar = subprocess.Popen(["tar", "--numeric-owner", "-C", root, "-c", "."], stdout=subprocess.PIPE)
    run_with_input = subprocess.run(["docker", "import", "--change", 'CMD ["bash"]', "-", name], stdin=tar.stdout,
                                    stdout=subprocess.DEVNULL, check=False)
    if tar.wait(LIMIT_S) != 0 or run_with_input.returncode != 0:
        raise SystemExit(f"{name} could not be made")


def need_others():
    """PostgreSQL and the object store of several collectors: pulled, or made of Debian's and of Go's modules."""
    made = {"postgres:15": POSTGRES, "versity/versitygw:v1.8.0": OBJECTS}
    for name, dockerfile in made.items():
        if not has_image(name):
            subprocess.run(["docker", "pull", "--quiet", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if not has_image(name):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "Dockerfile").write_text(dockerfile)
                if dockerfile is OBJECTS:
                    shutil.copy(object_server(), folder)
                run("docker", "build", "-t", name, folder, limit_s=BUILD_LIMIT_S)


def object_server():
    """The program that the image has."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "e2e"))
    from support import gotool  # pylint: disable=import-outside-toplevel
    return gotool.install("github.com/versity/versitygw/cmd/versitygw", "v1.8.0")


# --- What is tried

class Compose:
    """A compose file of a copy of the tree. It must not ask for more descriptors than a machine may allow."""

    def __init__(self, folder, name="docker-compose.yml"):
        self.tree = folder / "loupe"
        if not self.tree.exists():
            copy_sources(self.tree)
        file = self.tree / "deploy" / name
        expect("nofile" not in file.read_text(encoding="utf-8"), f"{name} asks for descriptors")
        self.command = ["docker-compose", "-f", file, "--profile", "demo"]

    def __call__(self, *words, limit_s=LIMIT_S):
        return run(*self.command, *words, limit_s=limit_s, cwd=self.tree)

    def up(self):
        self("up", "-d", "--no-build", "collector")
        wait_for("the collector", is_ready)
        return self.container()

    def container(self):
        return self("ps", "-q", "collector").splitlines()[-1]


def is_ready(http=HTTP):
    try:
        return get("/readyz", http)
    except OSError:
        return None


def get(path, http=HTTP):
    with urllib.request.urlopen(http + path, timeout=LIMIT_S) as answer:
        return answer.read()


def recording(service, http=HTTP):
    rows = json.loads(get(f"/api/v1/recordings?service={service}", http))["recordings"]
    return rows[0] if rows else None


def ended(service):
    row = recording(service)
    return row if row and not row["is_running"] and row["events_out"] > 0 else None


def download(service, path):
    path.write_bytes(get(f"/api/v1/recordings/{recording(service)['id']}.jfr"))
    return path


def unpack_agent(compose, folder):
    """What an init container copies, as the image's own program copies it."""
    run("docker", "build", "-f", "deploy/Dockerfile", "-t", AGENT, "--target", "agent", ".", cwd=compose.tree, limit_s=BUILD_LIMIT_S)
    print_size(AGENT)
    expect(run("docker", "image", "inspect", "-f", "{{.Config.User}}", AGENT) == "7411:7411", "the agents' image is not root's")
    target = folder / "agent"
    target.mkdir(mode=0o777)
    target.chmod(0o777)
    run("docker", "run", "--rm", "-v", f"{target}:/opt/loupe", AGENT)
    wanted = ("libloupe.so", "loupe.jar", "loupe-otel.jar", "musl/libloupe.so")
    expect(all((target / name).exists() for name in wanted), f"the agents' image has {', '.join(wanted)}")
    return target / "libloupe.so"


def start_jvm(folder, agent, service):
    stop = folder / f"stop-{service}"
    with open(folder / f"{service}.log", "wb") as log:
        process = subprocess.Popen(["java", f"-agentpath:{agent}=collector=tcp://127.0.0.1:7411,service={service}",
                                    folder / "Demo.java", stop], stdout=log, stderr=log)
    return process, stop


def end_jvm(jvm):
    process, stop = jvm
    stop.touch()
    expect(process.wait(LIMIT_S) == 0, "the JVM ends")


def print_size(image):
    print(f"{image}: {int(run('docker', 'image', 'inspect', '-f', '{{.Size}}', image)):,} bytes")


def try_user(container):
    user = run("docker", "exec", container, "id", "-u")
    expect(user == "7411", f"its user is 7411 (is {user})")
    rights = json.loads(run("docker", "inspect", "-f", "{{json .HostConfig}}", container))
    expect(rights["ReadonlyRootfs"] and rights["CapDrop"] == ["ALL"] and rights["SecurityOpt"] == ["no-new-privileges:true"],
           "it has no rights but those of any process")
    for path, may in (("/usr/bin/x", False), ("/tmp/x", False), ("/var/lib/loupe/x", True)):
        done = subprocess.run(["docker", "exec", container, "touch", path], stderr=subprocess.DEVNULL, check=False)
        expect((done.returncode == 0) == may, f"{path} can{'' if may else 'not'} be written")
    run("docker", "exec", container, "rm", "/var/lib/loupe/x")
    expect(run("docker", "exec", container, "ls", "-A", "/var/lib/loupe") == "data", "the volume has nothing but data")
    wait_for("healthy", lambda: run("docker", "inspect", "-f", "{{.State.Health.Status}}", container) == "healthy")


def try_first_steps(compose):
    """The page's commands, which leave the collector and the demo running."""
    page_steps("Containers", [], compose.tree, os.environ, BUILD_LIMIT_S)
    expect(run("jfr", "summary", compose.tree / "checkout.jfr").count("demo.Request") > 0, "the demo's recording has its requests")
    compose("stop", "demo")
    wait_for("the end of the demo's recording", lambda: ended("checkout"))
    expect(not any(recording("checkout")["losses"].values()), "the demo's JVM lost nothing")


def try_jvms(compose, folder):
    """JVMs of this machine."""
    (folder / "Demo.java").write_text(PROGRAM)
    agent = unpack_agent(compose, folder)
    container = compose.container()
    end_jvm(record(folder, agent, "short"))
    wait_for("the recording's end", lambda: ended("short"))
    before = download("short", folder / "before.jfr")
    expect(run("jfr", "summary", before).count("jdk.JavaMonitorEnter") > 0, "the recording has what the JVM waited for")
    long = record(folder, agent, "long")
    try_stops(compose, container, before, folder)
    end_jvm(long)
    row = wait_for("the recording's end", lambda: ended("long"))
    expect(not any(row["losses"].values()), "a JVM that went on meanwhile lost nothing")


def try_all(release, folder):
    compose = Compose(folder)
    compose("down", "-v")
    start = time.monotonic()
    try:
        try_first_steps(compose)
        print(f"Debian {release}: built and recorded in {time.monotonic() - start:.0f} s")
        for name in ("collector", "demo"):
            print_size(f"{PROJECT}_{name}")
        try_user(compose.container())
        if release == "12":
            try_jvms(compose, folder)
    finally:
        compose("down", "-v")
    if release == "12":
        try_several(folder)


def try_several(folder):
    """Two collectors behind one name; the JVM's own is killed, and then the other one."""
    need_others()
    compose = Compose(folder, "docker-compose.cluster.yml")
    compose("down", "-v")
    try:
        compose("up", "-d", "--build", limit_s=BUILD_LIMIT_S)
        for http in (HTTP, OTHER_HTTP):
            wait_for("the collectors", lambda http=http: is_ready(http))
        wait_for("a recording", lambda: recording("checkout"))
        for killed in ("one", "two"):
            left = OTHER_HTTP if killed == "one" else HTTP
            container = compose("ps", "-q", killed).splitlines()[-1]
            run("docker", "kill", "-s", "KILL", container)
            before = recording("checkout", left)["events_out"]
            wait_for("more of it is stored", lambda left=left, before=before: recording("checkout", left)["events_out"] > before)
            run("docker", "start", container)
            wait_for("the collector", is_ready)
        compose("stop", "demo")
        row = wait_for("the end of the demo's recording", lambda: ended("checkout"))
        expect(not any(row["losses"].values()), f"nothing is lost: {row['losses']}")
        same = [get(f"/api/v1/recordings/{row['id']}.jfr", http) for http in (HTTP, OTHER_HTTP)]
        expect(same[0] == same[1] and len(same[0]) > 0, "both have the same bytes")
    finally:
        compose("down", "-v")


def record(folder, agent, service):
    jvm = start_jvm(folder, agent, service)
    wait_for(f"a recording of {service}", lambda: recording(service))
    return jvm


def try_stops(compose, container, before, folder):
    run("docker", "stop", "-t", STOP_LIMIT_S, container)
    expect(run("docker", "inspect", "-f", "{{.State.ExitCode}}", container) == "0", "SIGTERM ends it with 0")
    compose("down")
    container = compose.up()
    expect(filecmp.cmp(before, download("short", folder / "after.jfr"), shallow=False), "the same bytes after down and up")
    run("docker", "kill", "-s", "KILL", container)
    run("docker", "start", container)
    wait_for("the collector", is_ready)
    expect(filecmp.cmp(before, download("short", folder / "killed.jfr"), shallow=False), "the same bytes after a kill")


def main():
    if os.geteuid() != 0:
        skip("this is not root")
    for program in ("docker", "docker-compose", "/usr/sbin/dockerd", "java", "jfr"):
        if not shutil.which(program):
            skip(f"there is no {program}")
    os.environ["PATH"] = "/usr/bin:/bin:" + os.environ["PATH"]  # Debian's docker, whose BuildKit is its own
    os.environ |= {"DOCKER_BUILDKIT": "1", "COMPOSE_DOCKER_CLI_BUILD": "1", "COMPOSE_PROJECT_NAME": PROJECT,
                   "LOUPE_PACK_SECONDS": "5"}
    with engine():
        for release in sys.argv[1:]:
            need_bases(release, SUITES[release])
            os.environ["DEBIAN"] = release
            with tempfile.TemporaryDirectory() as folder:
                try_all(release, pathlib.Path(folder))


if __name__ == "__main__":
    main()
