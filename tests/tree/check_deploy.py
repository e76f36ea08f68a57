#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_deploy.py ROOT LOUPE: systemd understands deploy/loupe.service, and finds it closed where that can be had."""

import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
EXPOSURE_MAX = 12  # tenths; what is left is that it has a network and reads /proc


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not shutil.which("systemd-analyze"):
        print("skipped: there is no systemd-analyze")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder, "loupe.service")
        text = (root / "deploy/loupe.service").read_text(encoding="utf-8")
        unit.write_text(text.replace("ExecStart=/usr/bin/loupe ", f"ExecStart={program} "), encoding="utf-8")
        code, said = run("systemd-analyze", "verify", unit)
        if code != 0 or "loupe.service" in said:
            print(said)
            return 1
        code, said = run("systemd-analyze", "security", "--no-pager", "--offline=true", f"--threshold={EXPOSURE_MAX}", unit)
        print(said)
        return 1 if code != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
