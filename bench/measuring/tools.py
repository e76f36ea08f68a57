# SPDX-License-Identifier: Apache-2.0
"""The programs that are measured, and how to come by them. What cannot be had has a reason instead."""

import dataclasses
import glob
import hashlib
import os
import shutil
import urllib.error
import urllib.request

from measuring.run import Failed, run

HERE = os.path.join(os.path.dirname(__file__), "..")
CENTRAL = "https://repo1.maven.org/maven2"
CONTEXTS = "bench.Request,bench.Step"  # the contextual types of MakeRecording
COMPACT, COMPACT_TWO, SUMMARY = "loupe compact", "loupe compact, 2 threads", "loupe summary"
SCRUB, JFR_SUMMARY, LZ4, ZSTD = "jfr scrub, without contexts", "jfr summary", "lz4 -1", "zstd -1"

# What a command line has in place of the files.
OUTPUT = "{output}"
INPUT = "{input}"

# Of each library the files that it needs, and what they have to be.
JMC = {
    "org/openjdk/jmc/flightrecorder/9.1.2/flightrecorder-9.1.2.jar":
        "103e6ef83c09329fc59f18a1556e120c38d7faba6cbff13d910c1693312aad57",
    "org/openjdk/jmc/common/9.1.2/common-9.1.2.jar":
        "e806dc549015997df1fe49ac0db0676c641587e3c9711d03d522f042f1d961fd",
    "org/owasp/encoder/encoder/1.2.3/encoder-1.2.3.jar":
        "b09e2cd5c36a7127e091df9be628278b1166b40bc08b9de8196ccddb0cccd67f",
    "at/yawk/lz4/lz4-java/1.10.2/lz4-java-1.10.2.jar":
        "252dabd586d22149a31661a8afc1a50747714eb1a298bd4a6e780c8c91a13866",
}
JFR_READER = {
    "tools/profiler/jfr-converter/4.5/jfr-converter-4.5.jar":
        "d8a5452b26adb11a2a0abf0c53799a6fd60dbccb0647efa5a734e3c46ced3df4",
}
# Its hash is not known: Maven Central did not have it for us when this was written.
JAFAR = {
    "io/btrace/jafar-parser/0.26.2/jafar-parser-0.26.2.jar": None,
    "org/ow2/asm/asm/9.7.1/asm-9.7.1.jar":
        "8cadd43ac5eb6d09de05faecca38b917a040bb9139c7edeb4cc81c740b713281",
    "org/slf4j/slf4j-api/2.0.5/slf4j-api-2.0.5.jar":
        "f4a2974509291acc49fda4a79b0d59e15e2b524095d6421c66391b92387af4c9",
}


@dataclasses.dataclass
class Tool:
    name: str
    against: str  # the Loupe command that it is compared with
    command: list = None
    reason: str = ""  # why there is no command
    is_small_only: bool = False  # it holds all events in memory, or is very slow
    says_seconds: bool = False  # it measures itself

    def run(self, path, output):
        """Its cost on a recording; the output is deleted outside of the measurement."""
        values = {INPUT: path, OUTPUT: output}
        try:
            cost = run([values.get(word, word) for word in self.command])
            size = os.path.getsize(output) if os.path.exists(output) else 0
        finally:
            if os.path.exists(output):
                os.remove(output)
        if self.says_seconds:
            cost.wall_s = float(cost.output)
        return cost, size


class Toolbox:
    """All tools there are on this machine."""

    def __init__(self, work, jdk, loupe):
        self.work = work
        self.jdk = jdk
        self.loupe = loupe
        self.has_threads = "--threads" in run([loupe, "compact", "--help"]).output

    def all(self):
        return [*self.loupes(), *self.jdk_tools(), *self.readers(), *self.limits()]

    def compact(self, threads=1):
        options = ["--threads", str(threads)] if self.has_threads else []
        return [self.loupe, "compact", INPUT, "-o", OUTPUT, *options]

    def loupes(self):
        two = Tool(COMPACT_TWO, COMPACT, self.compact(2))
        if not self.has_threads:
            two.command, two.reason = None, "this loupe has no --threads"
        return [Tool(COMPACT, COMPACT, self.compact()), two,
                Tool(SUMMARY, SUMMARY, [self.loupe, "summary", INPUT])]

    def jdk_tools(self):
        jfr = self.jdk.tool("jfr")
        return [Tool(SCRUB, COMPACT, [jfr, "scrub", "--exclude-events", CONTEXTS, INPUT, OUTPUT]),
                Tool(JFR_SUMMARY, SUMMARY, [jfr, "summary", INPUT])]

    def readers(self):
        """Libraries, each with a program that reads all events."""
        return [self.java("RecordingFile (JDK)", "ReadRecording", {}),
                self.java("JfrReader (async-profiler 4.5)", "ReadJfrReader", JFR_READER),
                self.java("JMC's parser 9.1.2", "ReadJmc", JMC, is_small_only=True),
                self.java("Jafar 0.26.2, untyped", "ReadJafar", JAFAR, is_small_only=True),
                self.grafana()]

    def limits(self):
        cat = ["sh", "-c", "exec cat \"$1\" > /dev/null", "sh", INPUT]
        return [Tool("cat > /dev/null", COMPACT, cat), self.memcpy(),
                self.packer(LZ4, "lz4", ["-q", "-f", INPUT, OUTPUT]),
                self.packer(ZSTD, "zstd", ["-q", "-f", INPUT, "-o", OUTPUT])]

    def java(self, name, program, jars, is_small_only=False):
        tool = Tool(name, COMPACT, is_small_only=is_small_only)
        try:
            class_path = [self.download(path, digest) for path, digest in jars.items()]
            classes = os.path.join(self.work, "classes")
            run([self.jdk.tool("javac"), "-d", classes, "-cp", ":".join(class_path) or ".",
                 os.path.join(HERE, "java", program + ".java")])
            tool.command = [self.jdk.tool("java"), "-cp", ":".join([classes, *class_path]), program, INPUT]
        except (Failed, OSError) as problem:
            tool.reason = str(problem)
        return tool

    def download(self, path, digest):
        """A jar of Maven Central, kept in the work directory."""
        jar = os.path.join(self.work, "jars", os.path.basename(path))
        if not os.path.exists(jar):
            os.makedirs(os.path.dirname(jar), exist_ok=True)
            try:
                with urllib.request.urlopen(f"{CENTRAL}/{path}", timeout=60) as answer:
                    content = answer.read()
            except urllib.error.URLError as problem:
                raise Failed(f"{os.path.basename(path)} is not to be had from Maven Central: {problem}") from problem
            if digest not in (None, hashlib.sha256(content).hexdigest()):
                raise Failed(f"{os.path.basename(path)} from Maven Central is not what it should be")
            with open(jar, "wb") as file:
                file.write(content)
        return jar

    def grafana(self):
        tool = Tool("grafana/jfr-parser 0.9.3 (Go)", COMPACT)
        program = os.path.join(self.work, "grafana")
        go = shutil.which("go") or next(iter(glob.glob("/usr/local/go/bin/go")), None)
        if not go:
            tool.reason = "no Go here (apt-get install golang-go)"
            return tool
        try:
            run([go, "build", "-C", os.path.join(HERE, "go"), "-o", program, "."])
            tool.command = [program, INPUT]
        except Failed as problem:
            tool.reason = str(problem)
        return tool

    def memcpy(self):
        program = os.path.join(self.work, "copy")
        run(["cc", "-O2", "-o", program, os.path.join(HERE, "copy.c")])
        return Tool("memcpy", COMPACT, [program, INPUT], says_seconds=True)

    @staticmethod
    def packer(name, program, arguments):
        if not shutil.which(program):
            return Tool(name, COMPACT, reason=f"not installed (apt-get install {program})")
        return Tool(name, COMPACT, [program, "-1", *arguments])
