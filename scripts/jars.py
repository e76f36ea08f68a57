#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""jars.py SET...: prints the class path of each set of other people's jars, by exact version and checksum, from Maven Central.

They are kept in build/jars, for all builds and tests. One that is not there is taken from Maven's own repository,
or fetched by curl, or by mvn where a machine's settings lead to Central by another way. Where one cannot be had the
line of the set is empty, the exit status is 1, and standard error says which.
"""

import functools
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from jar_sets import GRPC, KAFKA, OPENTRACING, QUARTZ, SPRING_QUARTZ, VERTX
from jar_sets_reactive import KOTLIN, KOTLIN_SPRING, MICROMETER, REACTOR, REACTOR_NETTY, SPRING_WEBFLUX

CENTRAL = "https://repo1.maven.org/maven2"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(ROOT, "build", "jars")
LIMIT_S = 240

# group:artifact:version, sha256


def of_bench(*artifacts):
    """Of the jars of the service in bench/spring those that are named."""
    with open(os.path.join(ROOT, "bench", "spring", "jars.txt"), encoding="ascii") as file:
        known = {line.split(":")[1]: tuple(line.split()) for line in file}
    return tuple(known[artifact] for artifact in artifacts)


# What loupe-otel.jar is compiled with.
OTEL = (
    ("io.opentelemetry:opentelemetry-api:1.67.0", "538d1dff2f9a37aecbc0ef98fd17273a3affb058e734e6763a3a07a38a5fdc59"),
    ("io.opentelemetry:opentelemetry-context:1.67.0",
     "40fb813fb5e27ec2691daa29c81b572b5b1541ef9b41e62490c3ee3e6407c55e"),
    ("io.opentelemetry:opentelemetry-sdk-common:1.67.0",
     "628a4c00db9561ff4c608a650d5e7fd66a1e153ccdf1ba3cdc5ac0b7c6518fea"),
    ("io.opentelemetry:opentelemetry-sdk-trace:1.67.0",
     "14d9615c8a5dcf471dcbb74902b771dcfa8656b755ac38dce904042289ccd198"),
    ("io.opentelemetry:opentelemetry-sdk-extension-autoconfigure-spi:1.67.0",
     "41eb19f6caf2c655ac3139d331f5c34283f2efdb0f0b0e58765a6cc9e27f66bc"),
)
# OpenTelemetry's SDK, to run without its agent.
OTEL_SDK = OTEL + (
    ("io.opentelemetry:opentelemetry-common:1.67.0",
     "da97bdb395418e16ecdcbe7ad3497f45b9e767ceda4ae7e86133e7a757ac377f"),
    ("io.opentelemetry:opentelemetry-sdk:1.67.0", "52a8f599a368a3d62185e37053f6a53175d6fbe3ecc1d565baba13b1a854267f"),
    ("io.opentelemetry:opentelemetry-sdk-logs:1.67.0",
     "dd0f0b625e08787af49d7e270abc6def4c2eabc2f18f5f145b7924024a3311e3"),
    ("io.opentelemetry:opentelemetry-sdk-metrics:1.67.0",
     "c157ff10da59a87a57e5236d9f3290792d9b749433be5e5b449a7d1604c320a9"),
    ("io.opentelemetry:opentelemetry-sdk-extension-autoconfigure:1.67.0",
     "09021cf4e41f081e11e1c00577fe03b98db0ae7fd5f73eaf4020e760fa0edb7e"),
)
OTEL_AGENT = (
    ("io.opentelemetry.javaagent:opentelemetry-javaagent:2.33.1",
     "e43a270df53c6f423e0ab157be9c27ccc01d5dc3232e162fe54777573db2f149"),
)
# Readers of JFR.
JMC = (
    ("org.openjdk.jmc:flightrecorder:9.1.1", "43f3fdfb64605f2217d1a60cc442ed9507e4c4f5bc31cf8b4ffedc68d1be2b84"),
    ("org.openjdk.jmc:common:9.1.1", "0bb5224383e09321ff0304e2c40a9b5ec818cfe46c0d49fa5ee80e4c351f9fab"),
    ("org.owasp.encoder:encoder:1.2.3", "b09e2cd5c36a7127e091df9be628278b1166b40bc08b9de8196ccddb0cccd67f"),
    ("org.lz4:lz4-java:1.8.0", "d74a3334fb35195009b338a951f918203d6bbca3d1d359033dc33edd1cadc9ef"),
)
ASYNC_PROFILER = (
    ("tools.profiler:jfr-converter:4.5", "d8a5452b26adb11a2a0abf0c53799a6fd60dbccb0647efa5a734e3c46ced3df4"),
)
# Measures pieces of Java.
JMH = (
    ("org.openjdk.jmh:jmh-core:1.37", "dc0eaf2bbf0036a70b60798c785d6e03a9daf06b68b8edb0f1ba9eb3421baeb3"),
    ("org.openjdk.jmh:jmh-generator-annprocess:1.37",
     "6a5604b5b804e0daca1145df1077609321687734a8b49387e49f10557c186c77"),
    ("net.sf.jopt-simple:jopt-simple:5.0.4", "df26cc58f235f477db07f753ba5a3ab243ebe5789d9f89ecf68dd62ea9a66c28"),
    ("org.apache.commons:commons-math3:3.6.1", "1e56d7b058d28b65abd256b8458e3885b674c1d588fa43cd7d1cbb9c7ef2b308"),
)
# What loupe-servlet.jar is compiled with, and a server for it.
SERVLET = (
    ("jakarta.servlet:jakarta.servlet-api:5.0.0", "33d3a5bda82c7d2f1b898685faa954f1fc34f7b0ae5c2f6ccc6d051e8a10973b"),
)
TOMCAT = of_bench("tomcat-embed-core", "jakarta.annotation-api")
# What loupe-mdc.jar is compiled with, and the libraries behind it.
SLF4J = of_bench("slf4j-api")
LOGBACK = SLF4J + of_bench("logback-classic", "logback-core")
LOG4J = SLF4J + of_bench("log4j-api") + (
    ("org.apache.logging.log4j:log4j-core:2.23.1", "7079368005fc34f56248f57f8a8a53361c3a53e9007d556dbc66fc669df081b5"),
    ("org.apache.logging.log4j:log4j-slf4j2-impl:2.23.1",
     "fcc0f68d71152112ce7ca9bf2388dc6d735beee9b699da230a94deef7f4c81c8"),
)
# What loupe-webflux.jar is compiled with.
WEBFLUX = SPRING_WEBFLUX + REACTOR + KOTLIN + of_bench("spring-core", "spring-jcl", "spring-beans", "spring-web")
# What loupe-spring-boot-starter.jar is compiled with, and what applications of Spring Boot are made of.
SPRING_BOOT = of_bench("spring-boot", "spring-boot-autoconfigure", "spring-core", "spring-jcl", "spring-beans",
                       "spring-context", "spring-web")
SPRING_MVC = of_bench("spring-webmvc")
SPRING = SPRING_BOOT + SPRING_MVC + SPRING_WEBFLUX + REACTOR + SERVLET
SPRING_BASE = SPRING_BOOT + LOGBACK + of_bench(
    "spring-aop", "spring-expression", "micrometer-observation", "micrometer-commons", "jackson-databind",
    "jackson-annotations", "jackson-core")
SPRING_APPLICATION = SPRING_BASE + SPRING_MVC + TOMCAT
WEBFLUX_APPLICATION = SPRING_BASE + SPRING_WEBFLUX + REACTOR + MICROMETER + REACTOR_NETTY
COROUTINES_APPLICATION = WEBFLUX_APPLICATION + KOTLIN + KOTLIN_SPRING
SPRING_TX = of_bench("spring-tx")
# A pool of connections, and PostgreSQL's driver.
POSTGRES = of_bench("HikariCP") + (
    ("org.postgresql:postgresql:42.7.7", "157963d60ae66d607e09466e8c0cdf8087e9cb20d0159899ffca96bca2528460"),
)
SETS = {"otel": OTEL, "otel-sdk": OTEL_SDK, "otel-agent": OTEL_AGENT, "jmc": JMC, "async-profiler": ASYNC_PROFILER,
        "jmh": JMH, "servlet": SERVLET, "slf4j": SLF4J, "spring": SPRING + SPRING_QUARTZ, "micrometer": MICROMETER,
        "webflux": WEBFLUX, "kotlin": KOTLIN, "grpc": GRPC, "kafka": KAFKA, "quartz": QUARTZ, "vertx": VERTX,
        "opentracing": OPENTRACING}


class Missing(Exception):
    """A jar could not be had."""


def class_path(jars):
    """The class path of the jars; raises Missing."""
    return ":".join(find_one(coordinates, checksum) for coordinates, checksum in jars)


@functools.cache
def find_one(coordinates, checksum):
    group, artifact, version = coordinates.split(":")
    name = f"{artifact}-{version}.jar"
    path = "/".join(group.split(".") + [artifact, version, name])
    kept = os.path.join(KEPT, name)
    if is_right(kept, checksum):
        return kept
    os.makedirs(KEPT, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        fetched = os.path.join(folder, name)
        for fetch in (from_local_repository, by_curl, by_maven):
            fetch(coordinates, path, fetched)
            if is_right(fetched, checksum):
                os.rename(fetched, kept)
                return kept
    raise Missing(f"{coordinates} could not be had from Maven Central, neither by curl nor by mvn")


def is_right(path, checksum):
    """Whether the file is there and is what it should be, as far as that is known."""
    if checksum is None or not os.path.exists(path):
        return os.path.exists(path)
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == checksum


def from_local_repository(_, path, fetched):
    local = os.path.expanduser(f"~/.m2/repository/{path}")
    if os.path.exists(local):
        shutil.copyfile(local, fetched)


def by_curl(_, path, fetched):
    quietly("curl", "-sSfL", "--connect-timeout", "10", "--retry", "2", "-o", fetched, f"{CENTRAL}/{path}")


def by_maven(coordinates, path, fetched):
    plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get"
    quietly("mvn", "-q", "-B", plugin, f"-Dartifact={coordinates}", "-Dtransitive=false")
    from_local_repository(coordinates, path, fetched)


def quietly(*command):
    """Runs a command that may fail, or not be there."""
    try:
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass


def main():
    if len(sys.argv) < 2 or not set(sys.argv[1:]) <= set(SETS):
        sys.exit(f"usage: jars.py {'|'.join(SETS)}...")
    status = 0
    for name in sys.argv[1:]:
        try:
            print(class_path(SETS[name]))
        except Missing as problem:
            print()
            print(f"jars.py: {problem}", file=sys.stderr)
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
