# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/java/readers, each of which is compiled once for a build: when the first test runs it."""

import hashlib
import os
import shutil
import tempfile

from support.process import BRIEF, BUILD, JAVA_DIR, NEWEST, javac, jdk_home, need_jdk

COMPILED = os.path.join(BUILD, "readers")


def command(feature, program, *options, class_path=""):
    """The command that runs the program on the JDK; its arguments are to follow."""
    return [f"{need_jdk(feature)}/bin/java", "-Xmx1g", *BRIEF, *options,
            "-cp", os.pathsep.join(filter(None, (compiled(program, class_path), class_path))), program]


def compiled(program, class_path):
    """The folder with the program's classes. Tests that run side by side may compile it at the same time."""
    source = os.path.join(JAVA_DIR, "readers", f"{program}.java")
    with open(source, "rb") as file:
        folder = os.path.join(COMPILED, f"{program}-{hashlib.sha256(file.read()).hexdigest()[:16]}")
    if not os.path.isdir(folder):
        os.makedirs(COMPILED, exist_ok=True)
        made = tempfile.mkdtemp(dir=COMPILED)
        javac("-cp", class_path, "-d", made, source, feature=17 if jdk_home(17) else NEWEST)
        try:
            os.rename(made, folder)
        except OSError:  # another test was faster
            shutil.rmtree(made)
    return folder
