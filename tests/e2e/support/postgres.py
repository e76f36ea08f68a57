# SPDX-License-Identifier: Apache-2.0
"""The PostgreSQL of tests/support/with_postgres.sh, which runs the test."""

import os
import subprocess
import sys

from support.process import LIMIT_S, check

SCRIPT = os.path.join(os.path.dirname(__file__), "../../support/with_postgres.sh")
PASSWORD = "pass-9f2"
# Beside a full load a connection takes longer than the 3 s that the collector gives it, and a question is then answered by 503.
# A server that all tests share is never away. With a server of its own, a test sees what the collector does by itself.
SHARED_OPTIONS = f"connect_timeout={LIMIT_S}"
options = ""


def run_with_postgres(is_shared=False):
    """Has the script run this program again, unless it does so already. is_shared: other tests use the same server, so this one
    must not stop it."""
    global options  # pylint: disable=global-statement
    options = SHARED_OPTIONS if is_shared else ""
    if "LOUPE_POSTGRES" not in os.environ:
        os.execv(SCRIPT, [SCRIPT, *(["--shared"] if is_shared else []), sys.executable, *sys.argv])


def url(database=None, password=PASSWORD):
    """Of the test's own database, or of another one."""
    server, own = os.environ["LOUPE_POSTGRES"].rsplit("/", 1)
    return f"{server.replace(PASSWORD, password)}/{database or own}{options and '?'}{options}"


def control(what):
    """start, stop, kill, freeze or thaw."""
    done = subprocess.run([SCRIPT, "control", what], timeout=2 * LIMIT_S, check=False)
    check(done.returncode == 0, f"{what}: status {done.returncode}")


def empty():
    """Makes the database one without a catalog."""
    query("SET client_min_messages = warning; DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def query(sql):
    """The lines of what psql prints."""
    program = os.path.join(os.environ["LOUPE_POSTGRES_BIN"], "psql")
    done = subprocess.run([program, "-qtA", "-d", url(), "-c", sql], stdout=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"{sql}: status {done.returncode}")
    return done.stdout.decode().splitlines()
