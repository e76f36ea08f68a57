# SPDX-License-Identifier: Apache-2.0
"""Programs that need what only JDK 25 has: they are compiled when they are tested."""

import glob
import os

from support.process import API_JAR, TESTAPPS, javac

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def compile_program(scenario, program):
    """The class path of tests/java/jdk25/PROGRAM.java, with the examples."""
    classes = scenario.path("jdk25")
    sources = [*glob.glob(f"{ROOT}/java/examples/*.java"), f"{ROOT}/tests/java/jdk25/{program}.java"]
    javac("--enable-preview", "--source", "25", "-Xlint:-preview", "-cp", f"{TESTAPPS}:{API_JAR}", "-d", classes, *sources,
          feature=25)
    return classes
