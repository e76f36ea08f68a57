# SPDX-License-Identifier: Apache-2.0
"""Programs in Kotlin: they are compiled when they are tested, and kept in the build as long as nothing changes."""

import glob
import hashlib
import os
import shutil
import subprocess

from support import jars
from support.process import BRIEF, BUILD, JAVA_DIR, LIB_DIR, LIMIT_S, need_jdk

UNVERIFIED = ("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")  # the compiler's own classes
COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
# What programs know of our jars: these change less often than what is in the jars.
OURS = sorted(path for folder in ("loupe-api/dev/loupe", "loupe-kotlin/dev/loupe/kotlin")
              for path in glob.glob(f"{JAVA_DIR}/../../java/{folder}/*.java"))


def hash_of(paths):
    hashed = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            hashed.update(hashlib.sha256(file.read()).digest())
    return hashed.hexdigest()[:16]


def compile_program(scenario, class_path, sources):
    """The directory of the classes, which need class_path."""
    compiler = jars.need(jars.KOTLIN_COMPILER)
    others = [path for path in class_path if not path.startswith(LIB_DIR)]
    kept = os.path.join(BUILD, "kotlin", hash_of([*compiler.split(":"), *others, *OURS, *sources]))
    if not os.path.exists(kept):
        made = scenario.path("kotlin")
        subprocess.run([f"{need_jdk(17)}/bin/java", *BRIEF, *UNVERIFIED, "-Xmx512m", "-cp", compiler, COMPILER, "-no-stdlib", "-no-reflect",
                        "-Werror", "-jvm-target", "17", "-cp", ":".join(class_path), "-d", made, *sources],
                       timeout=2 * LIMIT_S, check=True)
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        shutil.copytree(made, f"{kept}.{os.getpid()}")
        os.rename(f"{kept}.{os.getpid()}", kept)
    return kept
