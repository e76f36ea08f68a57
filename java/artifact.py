#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""artifact.py VERSION ...: installs artifacts of dev.loupe into a directory in the layout of Maven repositories.

What is there afterwards: each jar as the build made it, the jars of its sources and of its Javadoc, the pom, and SHA-1 and
SHA-512 of each. The same sources and tools make the same bytes. Javadoc that is not whole is an error.
"""

import argparse
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "scripts"))

import jars

GROUP = "dev.loupe"
TIME = (1980, 2, 1, 0, 0, 0)  # LOUPE_JAR_TIME of java/CMakeLists.txt
JAVADOC_LIMIT_S = 300
SCHEMA = "http://maven.apache.org/POM/4.0.0"


def others(chosen, scope):
    """Dependencies on jars of scripts/jars.py."""
    return tuple((coordinates, scope) for coordinates, _ in chosen)


def ours(*names):
    return tuple((f"{GROUP}:{name}", "compile") for name in names)


# What is in a pom besides the version: what the artifact is, and what it needs. "provided" is what an application has if it
# has a use for the artifact.
ARTIFACTS = {
    "loupe-api": ("Says in recordings what a thread is working on. Does nothing in a JVM without Loupe's agent.", ()),
    "loupe-testing": ("Shows unit tests the contexts that an application sets.", ours("loupe-api")),
    "loupe-otel": ("An extension for OpenTelemetry that shows spans in recordings.",
                   ours("loupe-api") + others(jars.OTEL, "provided")),
    "loupe-mdc": ("Shows values of SLF4J's MDC in recordings, with Logback, Log4j 2 and others.",
                  ours("loupe-api") + others(jars.SLF4J, "compile")),
    "loupe-micrometer": ("Carries RecordingContexts with Micrometer's context propagation, and so with Reactor's.",
                         ours("loupe-api") + others(jars.MICROMETER, "compile")),
    "loupe-webflux": ("A filter that makes each request to an application of Spring WebFlux a context in recordings.",
                      ours("loupe-api", "loupe-micrometer") + ((f"{GROUP}:loupe-kotlin", "provided"),)
                      + others(jars.WEBFLUX, "provided")),
    "loupe-kotlin": ("Contexts of Kotlin's coroutines in recordings.",
                     ours("loupe-api") + others(jars.KOTLIN, "provided")),
    "loupe-servlet": ("A servlet filter that makes each request a context in recordings.",
                      ours("loupe-api") + others(jars.SERVLET, "provided")),
    "loupe-grpc": ("An interceptor that makes each call to a gRPC server a context in recordings.",
                   ours("loupe-api") + others(jars.GRPC[:1], "provided")),
    "loupe-kafka": ("Makes the processing of each of Kafka's records a context in recordings.",
                    ours("loupe-api") + others(jars.KAFKA, "provided")),
    "loupe-quartz": ("Makes each run of a Quartz job a context in recordings.",
                     ours("loupe-api") + others(jars.QUARTZ, "provided")),
    "loupe-vertx": ("Makes each request to a Vert.x server a context in recordings, in all handlers that serve it.",
                    ours("loupe-api") + others(jars.VERTX[:1], "provided")),
    "loupe-opentracing": ("A scope manager of OpenTracing's that shows the active span in recordings.",
                          ours("loupe-api") + others(jars.OPENTRACING, "provided")),
    "loupe-spring-boot-starter": ("Makes requests to a Spring Boot application and its jobs contexts in recordings, on threads of tasks, too.",
                                  ours("loupe-api", "loupe-servlet", "loupe-webflux", "loupe-quartz")
                                  + others(jars.SPRING + jars.SPRING_QUARTZ, "provided")),
}


def pom(name, version):
    description, dependencies = ARTIFACTS[name]
    project = xml.Element("project", {
        "xmlns": SCHEMA, "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "xsi:schemaLocation": f"{SCHEMA} http://maven.apache.org/xsd/maven-4.0.0.xsd"})
    add(project, modelVersion="4.0.0", groupId=GROUP, artifactId=name, version=version, name=name, description=description)
    add(xml.SubElement(xml.SubElement(project, "licenses"), "license"), name="Apache-2.0",
        url="https://www.apache.org/licenses/LICENSE-2.0.txt")
    if dependencies:
        parent = xml.SubElement(project, "dependencies")
        for coordinates, scope in dependencies:
            group, artifact, needed = (coordinates.split(":") + [version])[:3]
            add(xml.SubElement(parent, "dependency"), groupId=group, artifactId=artifact, version=needed, scope=scope)
    return text_of(project)


def metadata(name, version):
    """What Maven and Gradle ask for the versions that there are."""
    root = xml.Element("metadata")
    add(root, groupId=GROUP, artifactId=name)
    versioning = xml.SubElement(root, "versioning")
    add(versioning, latest=version, release=version)
    add(xml.SubElement(versioning, "versions"), version=version)
    return text_of(root)


def add(element, **children):
    for tag, text in children.items():
        xml.SubElement(element, tag).text = text


def text_of(root):
    xml.indent(root)
    return xml.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"


def pack(path, files):
    """Writes a jar of (name, file)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as jar:
        for name, file in sorted(files):
            entry = zipfile.ZipInfo(name, TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with open(file, "rb") as content:
                jar.writestr(entry, content.read())


def below(directory):
    """(name, file) of all files below a directory."""
    found = glob.glob(f"{directory}/**", recursive=True)
    return [(os.path.relpath(path, directory), path) for path in found if os.path.isfile(path)]


class Artifact:
    """A line of the list: name, jar, directory of sources, further sources, and class path of the Javadoc, with tabs between
    them. Semicolons are between the further sources."""

    def __init__(self, line):
        self.name, self.jar, self.directory, generated, self.class_path = line.split("\t")
        if self.name not in ARTIFACTS:
            sys.exit(f"artifact.py: ARTIFACTS lacks {self.name}")
        self.generated = list(filter(None, generated.split(";")))

    def sources(self):
        """(name, file) of each entry of the jar, except the manifest."""
        found = [(name, path) for name, path in below(self.directory)
                 if name.endswith(".java") or name.startswith("META-INF/") and name != "META-INF/MANIFEST.MF"]
        return found + [(path[path.rindex("dev/loupe/"):], path) for path in self.generated]

    def javadoc_arguments(self, version, directory):
        """Those for Javadoc of the packages that are not internal."""
        public = sorted(path for name, path in self.sources() if name.endswith(".java") and "/internal/" not in name)
        title = f"{self.name} {version}"
        return ["-quiet", "-notimestamp", "-Xdoclint:all", "-Werror", "-encoding", "UTF-8", "-windowtitle", title,
                "-doctitle", title, "--add-exports", "java.base/jdk.internal.vm.annotation=ALL-UNNAMED",
                "-d", directory, "-classpath", self.class_path, *public]


def write_javadoc(java, version, artifacts, directory):
    """Makes directory/NAME for each artifact, in one JVM."""
    files = []
    for artifact in artifacts:
        files.append(os.path.join(directory, f"{artifact.name}.arguments"))
        arguments = artifact.javadoc_arguments(version, os.path.join(directory, artifact.name))
        write(files[-1], "\n".join(arguments).encode())
    program = os.path.join(ROOT, "java", "AllJavadoc.java")
    done = subprocess.run([java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", program, *files],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=JAVADOC_LIMIT_S, check=False)
    if done.returncode:
        sys.exit(f"artifact.py: {done.stdout.decode()}")


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def write_checksums(directory):
    for _, path in below(directory):
        with open(path, "rb") as file:
            content = file.read()
        for algorithm in ("sha1", "sha512"):
            write(f"{path}.{algorithm}", hashlib.new(algorithm, content).hexdigest().encode())


def install(artifact, version, javadoc, directory):
    """Makes the directory with all that belongs to the artifact, whose Javadoc is in javadoc."""
    versioned = os.path.join(directory, version)
    os.makedirs(versioned)
    base = os.path.join(versioned, f"{artifact.name}-{version}")
    shutil.copyfile(artifact.jar, f"{base}.jar")
    pack(f"{base}-sources.jar", artifact.sources())
    pack(f"{base}-javadoc.jar", below(javadoc))
    write(f"{base}.pom", pom(artifact.name, version))
    write(os.path.join(directory, "maven-metadata.xml"), metadata(artifact.name, version))
    write_checksums(directory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("version")
    parser.add_argument("--repository", required=True, help="its group dev.loupe is made anew")
    parser.add_argument("--list", required=True, help="the file with a line for each Artifact")
    parser.add_argument("--java", default="java", help="of a JDK")
    args = parser.parse_args()
    with open(args.list, encoding="utf-8") as file:
        artifacts = [Artifact(line) for line in file.read().splitlines()]
    group = os.path.join(args.repository, *GROUP.split("."))
    shutil.rmtree(group, ignore_errors=True)
    with tempfile.TemporaryDirectory() as javadoc:
        write_javadoc(args.java, args.version, artifacts, javadoc)
        for artifact in artifacts:
            install(artifact, args.version, os.path.join(javadoc, artifact.name), os.path.join(group, artifact.name))


if __name__ == "__main__":
    main()
