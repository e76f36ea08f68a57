# SPDX-License-Identifier: Apache-2.0
"""Programs in Kotlin: they are compiled when they are tested, and kept in the build as long as nothing changes."""

import hashlib
import os
import shutil
import subprocess

from support import jars
from support.process import BRIEF, BUILD, LIMIT_S, need_jdk

COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"


def compile_program(scenario, class_path, sources):
    """The directory of the classes, which need class_path."""
    compiler = jars.need(jars.KOTLIN_COMPILER)
    hashed = hashlib.sha256()
    for path in [*compiler.split(":"), *class_path, *sources]:
        with open(path, "rb") as file:
            hashed.update(hashlib.sha256(file.read()).digest())
    kept = os.path.join(BUILD, "kotlin", hashed.hexdigest()[:16])
    if not os.path.exists(kept):
        made = scenario.path("kotlin")
        subprocess.run([f"{need_jdk(17)}/bin/java", *BRIEF, "-Xmx512m", "-cp", compiler, COMPILER, "-no-stdlib", "-no-reflect",
                        "-Werror", "-jvm-target", "17", "-cp", ":".join(class_path), "-d", made, *sources],
                       timeout=2 * LIMIT_S, check=True)
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        shutil.copytree(made, f"{kept}.{os.getpid()}")
        os.rename(f"{kept}.{os.getpid()}", kept)
    return kept
