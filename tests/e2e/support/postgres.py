# SPDX-License-Identifier: Apache-2.0
"""The PostgreSQL of tests/support/with_postgres.sh, which runs the test."""

import os
import subprocess
import sys

from support.process import LIMIT_S, check

SCRIPT = os.path.join(os.path.dirname(__file__), "../../support/with_postgres.sh")
PASSWORD = "pass-9f2"


def run_with_postgres():
    """Has the script run this program again, unless it does so already."""
    if "LOUPE_POSTGRES" not in os.environ:
        os.execv(SCRIPT, [SCRIPT, sys.executable, *sys.argv])


def url(database="loupe", password=PASSWORD):
    return os.environ["LOUPE_POSTGRES"].replace("/loupe", f"/{database}").replace(f"//{database}", "//loupe").replace(
        PASSWORD, password)


def control(what):
    """start, stop, kill, freeze or thaw."""
    done = subprocess.run([SCRIPT, "control", what], timeout=2 * LIMIT_S, check=False)
    check(done.returncode == 0, f"{what}: status {done.returncode}")


def query(sql, database="loupe"):
    """The lines of what psql prints."""
    program = os.path.join(os.environ["LOUPE_POSTGRES_BIN"], "psql")
    done = subprocess.run([program, "-qtA", "-d", url(database), "-c", sql], stdout=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{sql}: status {done.returncode}")
    return done.stdout.decode().splitlines()
