# SPDX-License-Identifier: Apache-2.0
"""Promised: what build/.../maven holds is what Maven and Gradle expect, is whole, and can be built again.

--case contents: each jar comes with its sources, its Javadoc, a pom and checksums; all say the version of the program, each
                 jar has its module's name, and nothing in them is of the time or the machine that made them.
--case module:   with loupe-api in its module path the contexts of a modular application are in the recording.
--case again:    another build, elsewhere, has the same bytes.
--case maven, --case gradle: the project in java/examples is built from this repository, and its unit test passes.
"""

import argparse
import filecmp
import glob
import hashlib
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as xml
import zipfile

from support import expected, judge
from support.process import BUILD, LIB_DIR, LIMIT_S, LOUPE, Collector, Jvm, check, javac, need_jdk, run, skip

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
REPOSITORY = os.path.join(BUILD, "maven")
GROUP = os.path.join(REPOSITORY, "dev", "loupe")
JARS = {"loupe-api": "loupe"}  # others are called as their artifacts are
MODULES = {"loupe-api": "dev.loupe", "loupe-testing": "dev.loupe.testing", "loupe-otel": "dev.loupe.otel",
           "loupe-servlet": "dev.loupe.servlet", "loupe-mdc": "dev.loupe.mdc",
           "loupe-spring-boot-starter": "dev.loupe.spring",
           **{f"loupe-{name}": f"dev.loupe.{name}" for name in (
               "micrometer", "webflux", "kotlin", "grpc", "kafka", "quartz", "vertx", "opentracing")}}
POM = "{http://maven.apache.org/POM/4.0.0}"
TIME = (1980, 2, 1, 0, 0, 0)
BUILD_LIMIT_S = 600


def need_artifacts():
    """Those that are built; the first two need nothing of others."""
    names = [name for name in MODULES if os.path.exists(f"{LIB_DIR}/{JARS.get(name, name)}.jar")]
    check(names[:2] == ["loupe-api", "loupe-testing"], f"there are only {names}")
    check(sorted(os.listdir(GROUP)) == sorted(names), f"{GROUP} has {os.listdir(GROUP)}, not {names}")
    return names


def version_of_program():
    said = subprocess.run([LOUPE, "--version"], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True).stdout.decode()
    return said.split()[1]


def read(path):
    with open(path, "rb") as file:
        return file.read()


# --- What is in an artifact


def contents(_):
    version = version_of_program()
    for name in need_artifacts():
        base = f"{GROUP}/{name}/{version}/{name}-{version}"
        kinds = (".jar", "-sources.jar", "-javadoc.jar", ".pom")
        files = [base + kind for kind in kinds] + [f"{GROUP}/{name}/maven-metadata.xml"]
        check_files(name, files)
        check_metadata(name, version)
        check_pom(name, version, files[3])
        jars = [zipfile.ZipFile(path) for path in files[:3]]
        for jar in jars:
            check_jar(jar)
        check_manifest(name, version, jars[0])
        check_classes(name, *jars)
        print(f"{name}: " + ", ".join(f"{os.path.getsize(path)} bytes {kind}" for path, kind in zip(files, kinds)))
    for path in ("java/examples/maven/pom.xml", "java/examples/gradle/build.gradle", "docs/instrument/java-api.md",
                 "docs/instrument/frameworks.md"):
        check(version in re.findall(r"[\d.]+", read(f"{ROOT}/{path}").decode()), f"{path} does not ask for version {version}")


def check_files(name, files):
    there = {path for path in glob.glob(f"{GROUP}/{name}/**", recursive=True) if os.path.isfile(path)}
    wanted = {path + suffix for path in files for suffix in ("", ".sha1", ".sha512")}
    check(there == wanted, f"{name}: {sorted(there ^ wanted)} are missing, or too many")
    for path in files:
        for algorithm in ("sha1", "sha512"):
            check(read(f"{path}.{algorithm}").decode() == hashlib.new(algorithm, read(path)).hexdigest(), f"{path}.{algorithm}")


def check_metadata(name, version):
    root = xml.parse(f"{GROUP}/{name}/maven-metadata.xml").getroot()
    found = [element.text for element in root.iter() if not len(element)]
    check(found == ["dev.loupe", name] + [version] * 3, f"{name}: metadata {found}")


def check_pom(name, version, path):
    root = xml.parse(path).getroot()
    found = [root.findtext(POM + tag) for tag in ("modelVersion", "groupId", "artifactId", "version")]
    check(found == ["4.0.0", "dev.loupe", name, version], f"{path} is of {found}")
    for tag in ("name", "description", f"licenses/{POM}license/{POM}name"):
        check(root.findtext(POM + tag), f"{path} has no {tag}")
    for dependency in root.iter(POM + "dependency"):
        group, artifact, needed, scope = (dependency.findtext(POM + tag) for tag in ("groupId", "artifactId", "version", "scope"))
        check(group and artifact and needed and scope in ("compile", "provided"), f"{path}: {artifact} {needed} {scope}")
        check(group != "dev.loupe" or (artifact in MODULES and needed == version), f"{path}: {artifact} {needed}")


def check_jar(jar):
    check(jar.testzip() is None, f"{jar.filename} is damaged")
    for entry in jar.infolist():
        check(entry.date_time == TIME, f"{jar.filename}: {entry.filename} is of {entry.date_time}")
        content = jar.read(entry)
        for place in (os.path.realpath(ROOT), BUILD):
            check(place.encode() not in content, f"{jar.filename}: {entry.filename} names {place}")


def check_manifest(name, version, jar):
    lines = jar.read("META-INF/MANIFEST.MF").decode().splitlines()
    for line in (f"Automatic-Module-Name: {MODULES[name]}", f"Implementation-Version: {version}"):
        check(line in lines, f"{name}: {lines}, without {line}")


def check_classes(name, jar, sources, javadoc):
    """Each class has its source and each source its class; each public class has its page."""
    classes = {entry[:-6] for entry in jar.namelist() if entry.endswith(".class") and "$" not in entry}
    there = {entry[:-5]: sources.read(entry).decode() for entry in sources.namelist() if entry.endswith(".java")}
    compiled = {entry for entry in there if not entry.endswith("/package-info")}
    check(classes - {entry for entry in classes if entry.endswith("/package-info")} == compiled,
          f"{name}: {classes ^ compiled} is source or class alone")
    for resource in (entry for entry in jar.namelist() if entry.startswith("META-INF/") and not entry.endswith(("/", ".MF"))):
        check(sources.read(resource) == jar.read(resource), f"{name}: {resource} is another one in the sources")
    public = {entry for entry, text in there.items() if re.search(r"^public ", text, re.MULTILINE) and "/internal/" not in entry}
    pages = {entry[:-5] for entry in javadoc.namelist()}
    check(public and public <= pages, f"{name}: no Javadoc of {public - pages}")


# --- A modular application

MODULE = {
    "module-info.java": "module shop { requires dev.loupe; requires jdk.jfr; }",
    "shop/Request.java": """package shop;
        @jdk.jfr.Name("shop.Request") class Request extends dev.loupe.ContextType {
            @jdk.jfr.Name("id") String id;
        }""",
    "shop/Work.java": """package shop;
        @jdk.jfr.Name("e2e.Work") class Work extends jdk.jfr.Event { String expected; }""",
    "shop/Main.java": """package shop;
        class Main {
            static void work(String expected) {
                Work work = new Work();
                work.expected = expected;
                work.commit();
            }
            public static void main(String[] args) {
                dev.loupe.Loupe.registerContext(Request.class);
                Request request = new Request();
                work("");
                request.id = "r1";
                request.set();
                work("id=r1");
                request.unset();
                work("");
            }
        }""",
}


def module(scenario):
    sources = []
    for name, text in MODULE.items():
        sources.append(scenario.path(f"sources/{name}"))
        os.makedirs(os.path.dirname(sources[-1]), exist_ok=True)
        with open(sources[-1], "w", encoding="ascii") as file:
            file.write(text)
    [api] = glob.glob(f"{GROUP}/loupe-api/*/loupe-api-*[0-9].jar")
    collector = Collector(scenario).start()
    for feature in (17, 25):
        classes = scenario.path(f"classes{feature}")
        home = need_jdk(feature)
        javac("-p", api, "-d", classes, *sources, feature=feature)
        service = f"module{feature}"
        agent = scenario.agent_argument(scenario.agent_options(collector, service))
        Jvm(scenario, service, [f"{home}/bin/java", agent, "-p", f"{api}:{classes}", "-m", "shop/shop.Main"],
            os.environ).wait_exit()
        path = collector.download(collector.recording(service), scenario.path(f"{service}.jfr"))
        counts = expected.judge_work(judge.dump(path, "e2e", "shop."), "shop.Request")
        check(counts == {"": 2, "id=r1": 1}, f"events {counts}")
    collector.stop()


# --- Builds


def build(scenario, name, arguments, folder=None, env=None):
    with open(scenario.path(f"{name}.log"), "ab") as log:
        done = subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=BUILD_LIMIT_S, check=False,
                              cwd=folder or ROOT, env=dict(os.environ, **(env or {})))
    check(done.returncode == 0, f"{arguments} ended with status {done.returncode}")


def again(scenario):
    elsewhere = scenario.path("elsewhere")
    clock = {"TZ": "Asia/Tokyo", "LC_ALL": "C"}
    build(scenario, "build", ["cmake", "--preset", "release", "-B", elsewhere], env=clock)
    build(scenario, "build", ["cmake", "--build", elsewhere, "--target", "java_artifacts"], env=clock)
    for name in need_artifacts():
        one, other = f"{GROUP}/{name}", f"{elsewhere}/maven/dev/loupe/{name}"
        files = [os.path.relpath(path, one) for path in glob.glob(f"{one}/**", recursive=True) if os.path.isfile(path)]
        same, different, missing = filecmp.cmpfiles(one, other, files, shallow=False)
        check(not different and not missing and len(same) == 15, f"{name}: {different} differ, {missing} are missing")


def sample(scenario, name):
    """A copy of the project, which may be built anywhere."""
    return shutil.copytree(f"{ROOT}/java/examples/{name}", scenario.path(name))


def maven(scenario):
    if not shutil.which("mvn"):
        skip("there is no mvn (Debian's package maven)")
    project = sample(scenario, "maven")
    command = ["mvn", "-B", "-q", f"-Dmaven.repo.local={BUILD}/m2", f"-Dloupe.repository=file://{REPOSITORY}"]
    shutil.rmtree(f"{BUILD}/m2/dev/loupe", ignore_errors=True)  # of an earlier build with this version
    build(scenario, "mvn", command + ["package"], project)
    check_tests(f"{project}/target/surefire-reports")
    said = subprocess.run([f"{need_jdk(17)}/bin/java", "-cp", f"{project}/target/checkout-1.jar:{LIB_DIR}/loupe.jar",
                           "shop.Checkout"], stdout=subprocess.PIPE, timeout=LIMIT_S, check=True).stdout
    check(said == b"served 1\n", f"the sample says {said}")


def gradle(scenario):
    if not shutil.which("gradle"):
        skip("there is no gradle (Debian's package gradle)")
    project = sample(scenario, "gradle")
    build(scenario, "gradle", ["gradle", "--no-daemon", "-q", f"-Ploupe.repository={REPOSITORY}", "test"], project,
          {"GRADLE_USER_HOME": f"{BUILD}/gradle", "JAVA_HOME": need_jdk(17)})
    check_tests(f"{project}/build/test-results/test")


def check_tests(folder):
    reports = glob.glob(f"{folder}/TEST-*.xml")
    check(reports, f"no reports in {folder}")
    suite = xml.parse(reports[0]).getroot()
    found = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    check(found == {"tests": "1", "failures": "0", "errors": "0", "skipped": "0"}, f"the sample's tests: {found}")


CASES = {"contents": contents, "module": module, "again": again, "maven": maven, "gradle": gradle}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--case", choices=CASES, required=True)
    args = parser.parse_args()
    run(f"artifacts-{args.case}", lambda scenario: CASES[args.case](scenario))


main()
