# SPDX-License-Identifier: Apache-2.0
"""Promised: with loupe-mdc.jar chosen values of SLF4J's MDC are a context, and logging is as it was.

The program (tests/java/mdc) changes the MDC in all ways, with Logback or with Log4j behind it. Each of its events says which
context it has to be in, and is logged with the MDC's values, too. With --alone there is no agent.
"""

import argparse
import os
import re

from support import expected, jars, judge
from support.process import API_JAR, JAVA_DIR, LIB_DIR, Collector, check, javac, run, skip

MDC_JAR = os.path.join(LIB_DIR, "loupe-mdc.jar")
PATTERN = "user=%X{user},order.id=%X{order.id} is %m%n"
CONFIGURATIONS = {
    "logback": (jars.LOGBACK, "logback.xml", f"""<configuration>
      <appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>{PATTERN}</pattern></encoder></appender>
      <root level="info"><appender-ref ref="out"/></root></configuration>"""),
    "log4j": (jars.LOG4J, "log4j2.xml", f"""<Configuration>
      <Appenders><Console name="out"><PatternLayout pattern="{PATTERN}"/></Console></Appenders>
      <Loggers><Root level="info"><AppenderRef ref="out"/></Root></Loggers></Configuration>"""),
}
EVENTS = 15


def check_log(lines):
    """Each line has the values that its event expects."""
    logged = [re.fullmatch(r"user=(\w*),order\.id=(\w*) is (.*)", line) for line in lines]
    check(len(logged) == EVENTS and all(logged), f"the program logs {lines}")
    for match in logged:
        values = [f"{name}={value}" for name, value in zip(("user", "order.id"), match.groups()) if value]
        check(",".join(values) == match.group(3), f"the program logs {match.group(0)}")


def body(scenario, args):
    if not os.path.exists(MDC_JAR):
        skip("loupe-mdc.jar is not built, because SLF4J could not be had from Maven Central")
    library, name, text = CONFIGURATIONS[args.by]
    class_path = jars.need(library)
    with open(scenario.path(name), "w", encoding="ascii") as file:
        file.write(text)
    javac("-cp", f"{API_JAR}:{class_path}", "-d", scenario.dir, f"{JAVA_DIR}/mdc/MdcE2E.java")
    collector = None if args.alone else Collector(scenario).start()
    jvm = scenario.jvm(args.jdk, "MdcE2E", class_path=[scenario.dir, MDC_JAR, class_path],
                       vm=["-Dslf4j.provider=dev.loupe.mdc.MdcProvider", "-Dloupe.mdc.keys=user, order.id,user,absent,"],
                       agent=None if args.alone else scenario.agent_options(collector, "mdc"))
    jvm.wait_exit()
    check_log(jvm.lines)
    if args.alone:
        return
    path = collector.download(collector.recording("mdc"), scenario.path("download.jfr"))
    counts = expected.judge_work(judge.dump(path, "e2e", "slf4j."), "slf4j.MDC")
    check(sum(counts.values()) == EVENTS, f"events {counts}")
    collector.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jdk", type=int, required=True)
    parser.add_argument("--by", choices=sorted(CONFIGURATIONS), required=True)
    parser.add_argument("--alone", action="store_true")
    args = parser.parse_args()
    run(f"mdc-{args.by}-{args.jdk}", lambda scenario: body(scenario, args))


main()
