# SPDX-License-Identifier: Apache-2.0
"""What the tests of a tree make once and keep."""

import contextlib
import fcntl
import os


@contextlib.contextmanager
def locked(folder):
    """Nobody else has the folder meanwhile: tests that run at the same time get what they need once."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
