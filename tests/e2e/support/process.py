# SPDX-License-Identifier: Apache-2.0
"""The real programs: JVMs with the agent, the collector, the JDK's tools. Everything is bounded in time."""

import contextlib
import copy
import gc
import glob
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from support import class_archive
from support.kept import locked

gc.disable()  # to look for cycles took a tenth of the time of programs that end soon

SKIPPED = 77
LIMIT_S = 120  # under ASan at a load of 25 a JVM took over 60 s to end
# Sanitizers and two busy cores make everything slower; a limit is there to end a hang, not to measure.
ORACLE_LIMIT_S = 150
# By how much collectors divide the times of src/common/base/lp_time_scale.h: a JVM whose connection is lost counts as killed
# after 3.75 s, its agent dials each second.
DIVISOR = 4

# ctest says which build; by hand it is LOUPE_BUILD=build/asan python3 tests/e2e/cli.py
BUILD = os.path.abspath(os.environ.get("LOUPE_BUILD", "build/dev"))
BIN_DIR = os.path.join(BUILD, "bin")
LIB_DIR = os.path.join(BUILD, "lib")
# The sources of the tests' Java programs.
JAVA_DIR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "java")
TESTAPPS = os.path.join(LIB_DIR, "loupe-testapps.jar")
LOUPE = os.path.join(BIN_DIR, "loupe")
AGENT = os.path.join(LIB_DIR, "libloupe.so")
API_JAR = os.path.join(LIB_DIR, "loupe.jar")
TESTING_JAR = os.path.join(LIB_DIR, "loupe-testing.jar")
OTEL_JAR = os.path.join(LIB_DIR, "loupe-otel.jar")
# The sanitizer's runtime, where the agent is built with it: the JVM has to load it first.
PRELOAD = os.environ.get("LOUPE_AGENT_PRELOAD", "")
# How a JVM runs that has no agent and ends after some seconds: in these the second compiler costs more than it saves.
BRIEF = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
BRIEF_TOOL = tuple("-J" + option for option in BRIEF)


class Failed(Exception):
    """The system under test did not do what it promises."""


def check(condition, message):
    if not condition:
        raise Failed(message)


def skip(message):
    print("skipped: " + message)
    sys.exit(SKIPPED)


def wait_for(what, condition, limit_s=LIMIT_S, look_s=None):
    """Returns the first true result of condition; fails after the limit. look_s: between two looks, or, without it, a sixth of
    the time that has passed: looks of tests that wait beside each other would take half of a machine."""
    begin = time.monotonic()
    while True:
        result = condition()
        if result:
            return result
        waited_s = time.monotonic() - begin
        check(waited_s < limit_s, f"{what}: not within {limit_s} s")
        time.sleep(look_s or min(max(waited_s / 6, 0.01), 0.25))


def suspend(process):
    """Stops a process by SIGSTOP, and returns when none of its threads runs: until then it may still answer."""
    process.send_signal(signal.SIGSTOP)

    def state(path):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(path, encoding="utf-8") as file:
            return file.read().rpartition(") ")[2][0]
        return "X"  # it has ended

    wait_for("a stopped process", lambda: all(state(path) in "TZX" for path in glob.glob(f"/proc/{process.pid}/task/*/stat")), look_s=0.005)


def times(few, many):
    """How often a test does something: many times with LOUPE_TEST_ALL, which scripts/test --all sets."""
    return many if os.environ.get("LOUPE_TEST_ALL") else few


def jdk_home(feature):
    """The home of the JDK with this feature number, or None."""
    for release in sorted(glob.glob("/usr/lib/jvm/*/release")):
        with open(release, encoding="utf-8") as file:
            found = re.search(r'JAVA_VERSION="(\d+)', file.read())
        home = os.path.dirname(release)
        if found and int(found.group(1)) == feature and os.path.exists(f"{home}/bin/java"):
            return home
    return None


def need_jdk(feature):
    return jdk_home(feature) or skip(f"JDK {feature} is not under /usr/lib/jvm")


# The newest of the JDKs that read what we write: the best judge there is.
NEWEST = 25 if jdk_home(25) else 17
# All that judge what we write, or the best where LOUPE_JUDGES=newest asks for no more.
JUDGES = [NEWEST] if os.environ.get("LOUPE_JUDGES") == "newest" else [jdk for jdk in (17, 21, 25) if jdk_home(jdk)]


def owner():
    """The ctest that runs this, or this process where none does: (its id, a name that no other process ever has)."""
    def stat(pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            name, rest = re.match(r"\d+ \((.*)\) (.*)", file.read()).groups()
        return name, rest.split()
    pid = os.getpid()
    while pid > 1:
        name, fields = stat(pid)
        if name == "ctest":
            return pid, f"{pid}-{fields[19]}"
        pid = int(fields[1])
    return os.getpid(), f"{os.getpid()}-{stat(os.getpid())[1][19]}"


class Judges:
    """The JVM that runs the Java oracles for all tests of one ctest: the first one starts it, and it ends with ctest. By hand it
    is the test's own."""

    of_jdk = {}

    def __init__(self, feature):
        pid, name = owner()
        self.folder = os.path.join(tempfile.gettempdir(), f"loupe-judges-{feature}-of-{name}")
        self.socket = socket.socket(socket.AF_UNIX)
        with locked(self.folder):
            if not self.connect():
                process = self.start(feature, pid)
                wait_for("the judges", lambda: self.connect() or process.poll() is not None)
                check(process.poll() is None, f"the judges of JDK {feature} ended, see {self.folder}/log")
        self.answers = self.socket.makefile("rb")

    def connect(self):
        try:
            self.socket.connect(os.path.join(self.folder, "socket"))
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            return False

    def start(self, feature, pid):
        """It removes its folder when the process with this id is gone. ctest waits for whoever has its output, so it has none."""
        path = os.path.join(self.folder, "socket")
        with contextlib.suppress(FileNotFoundError):
            os.remove(path)
        with open(os.path.join(self.folder, "log"), "ab") as log:
            return subprocess.Popen(
                [f"{need_jdk(feature)}/bin/java", *BRIEF, "-Xmx1g", "--add-opens", "jdk.jfr/jdk.jfr=ALL-UNNAMED",
                 "-cp", TESTAPPS, "dev.loupe.testapps.Judges", path, str(pid)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def ask(self, words, limit_s):
        """Returns (status, what the oracle printed)."""
        self.socket.settimeout(limit_s)
        try:
            self.socket.sendall("\t".join(words).encode() + b"\n")
            head = self.answers.readline().split()
            printed = self.answers.read(int(head[1])) if head else b""
        except OSError as problem:
            raise Failed(f"no answer within {limit_s} s, or the JVM ended: {words}: {problem}, see {self.folder}/log") from None
        check(head and len(printed) == int(head[1]), f"the JVM ended: {words}, see {self.folder}/log")
        return int(head[0]), printed.decode("ascii")


def ask_judges(feature, words, limit_s=ORACLE_LIMIT_S):
    if feature not in Judges.of_jdk:
        Judges.of_jdk[feature] = Judges(feature)
    return Judges.of_jdk[feature].ask(words, limit_s)


def oracle(program, *args, feature=NEWEST, limit_s=ORACLE_LIMIT_S):
    """Runs one of the Java oracles and returns (status, what it printed)."""
    status, output = ask_judges(feature, (program, *map(str, args)), limit_s)
    check(status in (0, 1, 3, 4), f"{program} {args}: status {status}\n{output}")
    return status, output


def javac(*arguments, feature=17):
    """Compiles in the JVM of the oracles: a javac of its own takes a second to start."""
    status, output = ask_judges(feature, ("javac", *arguments))
    check(status == 0, f"javac {' '.join(arguments)}:\n{output}")


def jfr(*args, feature=25):
    """Runs the JDK's jfr tool and returns its output."""
    done = subprocess.run([f"{need_jdk(feature)}/bin/jfr", *BRIEF_TOOL, *args], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=ORACLE_LIMIT_S, check=False, env=dict(os.environ, TZ="UTC"))
    text = done.stdout.decode("utf-8", "replace")
    check(done.returncode == 0, f"jfr {args}: {done.returncode} {text[-2000:]}")
    return text


class HeldPort:
    """A port of host that is ours as long as this is there, also while nobody listens: one that was only found to be free may
    be another program's a moment later. Whoever listens there sets SO_REUSEADDR, as the collector does."""

    def __init__(self, host="127.0.0.1", number=0):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind((host, number))
        self.number = self.socket.getsockname()[1]


def ended(status):
    """How a process ended, in words."""
    if status == -signal.SIGSYS:
        return "by a system call that src/collector/base/syscall_filter.c has taken from it: strace -f shows which"
    return f"with status {status}"


class Reply:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        return json.loads(self.body)


class Collector:
    """One data directory and pair of ports; the process behind them can be killed and started again."""

    def __init__(self, scenario, name="collector", program=LOUPE):
        self.scenario = scenario
        self.name = name
        self.program = program
        self.data = os.path.join(scenario.dir, name)
        self.ports = HeldPort(), HeldPort()
        self.agents = f"tcp://127.0.0.1:{self.ports[0].number}"
        self.http_port = self.ports[1].number
        self.http_host = "127.0.0.1"  # on which it listens
        self.process = None
        self.env = {}
        self.divisor = DIVISOR  # of its times, from the next start on
        self.certificates = None  # by which it serves TLS
        self.has_client_ca = False

    def use_tls(self, certificates, has_client_ca):
        """From the next start on; agents have to call it localhost."""
        self.certificates = certificates
        self.has_client_ca = has_client_ca
        self.agents = f"tls+tcp://localhost:{self.ports[0].number}"
        return self

    def start(self, is_by_flags=True, readiness=200):
        """Returns once /readyz answers with the status readiness."""
        self.launch(is_by_flags)
        wait_for("collector ready", lambda: self.is_ready(readiness))
        return self

    def launch(self, is_by_flags=True):
        arguments = [self.program, "collect"]
        settings = {"agents": self.agents, "http": f"{self.http_host}:{self.http_port}", "data": self.data}
        if self.certificates:
            settings |= {"tls-cert": self.certificates.path("own.pem"), "tls-key": self.certificates.path("own.key")}
        if self.has_client_ca:
            settings["tls-client-ca"] = self.certificates.path("ca.pem")
        env = {**os.environ, **self.divided(), **self.env}
        for key, value in settings.items():
            if is_by_flags:
                arguments += [f"--{key}", value]
            else:
                env[f"LOUPE_{key.upper().replace('-', '_')}"] = value
        self.process = self.scenario.popen(self.name, arguments, env=env)

    def divided(self):
        """What its environment has for that."""
        return {"LOUPE_TIMES_DIVIDED_BY": str(self.divisor)}

    def check_runs(self):
        check(self.process.poll() is None, f"the collector ended {ended(self.process.returncode)}")

    def is_ready(self, readiness=200):
        self.check_runs()
        try:
            return self.get("/readyz").status == readiness
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait(LIMIT_S)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(LIMIT_S)
        check(status == 0, f"SIGTERM: the collector ended {ended(status)}")

    def connect(self, host, limit_s=LIMIT_S):
        if not self.certificates:
            return http.client.HTTPConnection(host, self.http_port, timeout=limit_s)
        return http.client.HTTPSConnection(host, self.http_port, timeout=limit_s, context=self.certificates.context())

    def get(self, path, headers=None, method="GET", host="127.0.0.1", limit_s=LIMIT_S):
        connection = self.connect(host, limit_s)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        except http.client.HTTPException as problem:
            raise OSError(str(problem)) from problem
        finally:
            connection.close()

    def recordings(self, query=""):
        answer = self.get("/api/v1/recordings" + query)
        check(answer.status == 200, f"list: {answer.status} {answer.body[:300]}")
        found = answer.json()
        return found if isinstance(found, list) else found["recordings"]

    def recording(self, service):
        """The id of the only recording of service, once it is there."""
        found = wait_for(f"a recording of {service}", lambda: self.recordings(f"?service={service}"))
        check(len(found) == 1, f"{len(found)} recordings of {service}, not one")
        return found[0]["id"]

    def wait_for_growth(self, recording, times=1):
        """Waits until the download has grown that many times: the JVM is connected, and what it records arrives."""
        def length():
            answer = self.get(f"/api/v1/recordings/{recording}.jfr")
            return len(answer.body) if answer.status == 200 else 0
        for _ in range(times):
            before = length()
            wait_for("new data", lambda before=before: length() > before)

    def download(self, recording, path, query=""):
        def answered():
            # 503 is the answer while nothing has arrived yet.
            answer = self.get(f"/api/v1/recordings/{recording}.jfr{query}")
            return answer if answer.status != 503 else None
        answer = wait_for("a download", answered)
        check(answer.status == 200, f"download: {answer.status} {answer.body[:300]}")
        check(int(answer.headers["Content-Length"]) == len(answer.body), "Content-Length is not the length")
        with open(path, "wb") as file:
            file.write(answer.body)
        return path


class Jvm:
    """A Java program under test, its output read line by line."""

    def __init__(self, scenario, name, arguments, env):
        self.name = name
        self.lines = []
        self.changed = threading.Condition()
        self.process = scenario.popen(name, arguments, env=env, stdout=subprocess.PIPE, stdin=subprocess.PIPE)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                self.changed.notify_all()

    def wait_line(self, pattern, limit_s=LIMIT_S):
        def find():
            return next((m for m in map(re.compile(pattern).match, list(self.lines)) if m), None)
        def find_or_fail():
            found = find()
            if not found and self.process.poll() is not None:
                self.reader.join(LIMIT_S)
                found = find()
                check(found, f"{self.name} ended with {self.process.returncode} before '{pattern}'")
            return found
        return wait_for(f"{self.name} prints {pattern}", find_or_fail, limit_s)

    def wait_exit(self, limit_s=LIMIT_S, expected=0):
        try:
            status = self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            raise Failed(f"{self.name} did not exit within {limit_s} s") from None
        self.reader.join(LIMIT_S)
        check(status == expected, f"{self.name} ended with status {status}")

    def jcmd(self, feature, *arguments):
        patience = f"-J-Dsun.tools.attach.attachTimeout={LIMIT_S * 1000}"
        command = [f"{need_jdk(feature)}/bin/jcmd", *BRIEF_TOOL, patience, str(self.process.pid), *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT_S, check=False)
        check(done.returncode == 0, f"jcmd: {done.stdout.decode()}")
        return done.stdout.decode()

    def load_agent(self, feature, options):
        """Loads the agent into the running JVM. Returns what jcmd printed."""
        return self.jcmd(feature, "JVMTI.agent_load", AGENT, f'"{options}"')  # unquoted, jcmd takes = apart


class Scenario:
    """A temporary directory and the processes of one test."""

    def __init__(self, name):
        self.name = name
        self.dir = tempfile.mkdtemp(prefix=f"loupe-{name}-")
        self.processes = []

    def path(self, name):
        return os.path.join(self.dir, name)

    def part(self, name):
        """For a case among several: a directory of its own in this one's. The processes are this one's, too."""
        part = copy.copy(self)
        part.dir = self.path(name)
        os.makedirs(part.dir)
        return part

    def logs(self):
        return sorted(glob.glob(self.path("*.log")) + glob.glob(self.path("*/*.log")))

    def popen(self, name, arguments, env, stdout=None, stdin=subprocess.DEVNULL):
        with open(self.path(f"{name}.log"), "ab") as log:
            process = subprocess.Popen(arguments, env=env, stdin=stdin, stdout=stdout or log, stderr=log, cwd=self.dir)
        self.processes.append(process)
        return process

    def agent_options(self, collector, service, **options):
        address = collector if isinstance(collector, str) else collector.agents
        options = {"collector": address, "service": service, **options}
        return ",".join(f"{key}={value}" for key, value in options.items())

    @staticmethod
    def agent_argument(options):
        return f"-agentpath:{AGENT}={options}"

    def jvm(self, feature, program, *args, agent=None, name=None, vm=(), class_path=(), home=None, env=None):
        """Starts a test program; agent is the option string, None for a JVM without the agent."""
        archive = class_archive.flags(need_jdk(feature), TESTAPPS, vm) if feature >= 25 and not home else []
        home = home or need_jdk(feature)
        env = dict(os.environ, **(env or {}))
        # In JVMs of some seconds the second compiler costs a third of the CPU time, and the first one, if it begins early, a
        # seventh of the rest. Neither saves anything.
        compiler = [] if any("Tiered" in flag for flag in vm) else ["-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=4"]
        collector = [] if any(re.match(r"-XX:\+Use\w+GC$", flag) for flag in vm) else ["-XX:+UseSerialGC"]
        arguments = [f"{home}/bin/java", "-Xmx256m", *compiler, *collector, *archive, *vm]
        if agent is not None:
            arguments.append(self.agent_argument(agent))
        if PRELOAD:
            # The JVM raises SIGSEGV on purpose, and its own memory is none of our business.
            env["LD_PRELOAD"] = PRELOAD
            env["ASAN_OPTIONS"] = "handle_segv=0:detect_leaks=0:abort_on_error=1"
        arguments += [*class_archive.EXPORTS, "-cp", ":".join((*class_path, TESTAPPS, API_JAR, TESTING_JAR)),
                      f"dev.loupe.testapps.{program}", *args]
        return Jvm(self, name or program, arguments, env)

    def end(self, is_failed):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait(LIMIT_S)
        if is_failed:
            self.show_logs()
            print(f"kept: {self.dir}")
        else:
            shutil.rmtree(self.dir, ignore_errors=True)

    def log_of(self, name):
        with open(self.path(f"{name}.log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def show_logs(self):
        for log in self.logs():
            with open(log, encoding="utf-8", errors="replace") as file:
                print(f"--- {os.path.relpath(log, self.dir)}\n{file.read()[-4000:]}")

    def check_sanitizers(self):
        for log in self.logs():
            with open(log, encoding="utf-8", errors="replace") as file:
                found = re.search(r".*(AddressSanitizer|LeakSanitizer|runtime error:).*", file.read())
            check(not found, f"{os.path.basename(log)}: {found and found.group(0)}")


def run(name, body):
    """Runs body(scenario); prints why it failed, with the logs of all processes."""
    run_each({name: body})


def run_each(bodies):
    """Runs each body as run does, by its name, one after the other."""
    for needed in (LOUPE, TESTAPPS):
        if not os.path.exists(needed):
            print(f"{needed} is not built")
            sys.exit(1)
    failed = [name for name, body in bodies.items() if not is_passed(name, body)]
    sys.exit(1 if failed else 0)


def is_passed(name, body):
    seed = int(os.environ.get("LOUPE_TEST_SEED", random.randrange(1 << 32)))
    random.seed(seed)
    scenario = Scenario(name)
    is_failed = True
    try:
        body(scenario)
        scenario.check_sanitizers()
        is_failed = False
        print(f"{name}: passed", flush=True)
    except Failed as failure:
        print(f"{name}: FAILED (seed {seed}): {failure}")
    except SystemExit:
        is_failed = False
        raise
    except Exception:
        print(f"{name}: FAILED (seed {seed})\n{traceback.format_exc()}")
    finally:
        scenario.end(is_failed)
    return not is_failed
