# SPDX-License-Identifier: Apache-2.0
"""The programs that are measured, and how to come by them. What cannot be had has a reason instead."""

import contextlib
import dataclasses
import glob
import io
import os
import shutil

from measuring.run import Failed, run
from support import jars

HERE = os.path.join(os.path.dirname(__file__), "..")
COMPACT, COMPACT_TWO, SUMMARY = "loupe compact", "loupe compact, 2 threads", "loupe summary"
COMPACT_WITHOUT = "loupe compact, drops what jfr scrub drops"
SCRUB, JFR_SUMMARY, LZ4, ZSTD = "jfr scrub", "jfr summary", "lz4 -1", "zstd -1"

# What a command line has in place of the files.
OUTPUT = "{output}"
INPUT = "{input}"

JAFAR = (
    # Its checksum is not known: Maven Central did not have it for us when this was written.
    ("io.btrace:jafar-parser:0.26.2", None),
    ("org.ow2.asm:asm:9.7.1", "8cadd43ac5eb6d09de05faecca38b917a040bb9139c7edeb4cc81c740b713281"),
    ("org.slf4j:slf4j-api:2.0.5", "f4a2974509291acc49fda4a79b0d59e15e2b524095d6421c66391b92387af4c9"),
)


@dataclasses.dataclass
class Tool:
    name: str
    against: str  # the Loupe command that it is compared with
    command: list = None
    reason: str = ""  # why there is no command
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


def need_jars(libraries):
    """The class path of libraries, which the tests' way of getting them says cannot be had by ending the program."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            return jars.need(libraries)
    except SystemExit as end:
        raise Failed(said.getvalue()) from end


class Toolbox:
    """All tools there are on this machine."""

    def __init__(self, work, jdk, loupe):
        self.work = work
        self.jdk = jdk
        self.loupe = loupe
        self.has_threads = "--threads" in run([loupe, "compact", "--help"]).output

    def all(self, measured):
        """What is measured on an input."""
        readers = self.readers() if measured.has_readers else []
        return [*self.loupes(), self.without(measured.droppable), *self.jdk_tools(measured.droppable), *readers,
                *self.limits()]

    def compact(self, threads=1):
        options = ["--threads", str(threads)] if self.has_threads else []
        return [self.loupe, "compact", INPUT, "-o", OUTPUT, "--json", *options]

    def loupes(self):
        two = Tool(COMPACT_TWO, COMPACT, self.compact(2))
        if not self.has_threads:
            two.command, two.reason = None, "this loupe has no --threads"
        return [Tool(COMPACT, COMPACT, self.compact()), two, Tool(SUMMARY, SUMMARY, [self.loupe, "summary", INPUT])]

    def without(self, types):
        path = os.path.join(self.work, f"without-{types[0]}.jfc")
        off = "".join(f'<event name="{name}"><setting name="enabled">false</setting></event>' for name in types)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?><configuration version="2.0">{off}</configuration>')
        return Tool(COMPACT_WITHOUT, COMPACT, [*self.compact(), "--policy", path])

    def jdk_tools(self, types):
        jfr = self.jdk.tool("jfr")
        return [Tool(SCRUB, COMPACT, [jfr, "scrub", "--exclude-events", ",".join(types), INPUT, OUTPUT]),
                Tool(JFR_SUMMARY, SUMMARY, [jfr, "summary", INPUT])]

    def readers(self):
        """Libraries, each with a program that reads all events."""
        return [self.java("RecordingFile (JDK)", "ReadRecording", ()),
                self.java("JfrReader (async-profiler 4.5)", "ReadJfrReader", jars.ASYNC_PROFILER),
                self.java("JMC's parser 9.1.1", "ReadJmc", jars.JMC),
                self.java("Jafar 0.26.2, untyped", "ReadJafar", JAFAR),
                self.grafana()]

    def limits(self):
        cat = ["sh", "-c", "exec cat \"$1\" > /dev/null", "sh", INPUT]
        return [Tool("cat > /dev/null", COMPACT, cat), self.memcpy(),
                self.packer(LZ4, "lz4", ["-q", "-f", INPUT, OUTPUT]),
                self.packer(ZSTD, "zstd", ["--single-thread", "--no-asyncio", "-q", "-f", INPUT, "-o", OUTPUT])]

    def java(self, name, program, libraries):
        tool = Tool(name, COMPACT)
        try:
            classes = os.path.join(self.work, "classes")
            class_path = f"{classes}:{need_jars(libraries)}"
            source = os.path.join(HERE, "java", program + ".java")
            run([self.jdk.tool("javac"), "-d", classes, "-cp", class_path, source])
            tool.command = [self.jdk.tool("java"), "-cp", class_path, program, INPUT]
        except (Failed, OSError) as problem:
            tool.reason = str(problem)
        return tool

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
