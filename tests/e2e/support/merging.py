# SPDX-License-Identifier: Apache-2.0
"""Recordings of several JVMs made into one by `loupe compact`, and the judge of that."""

import hashlib
import re
import subprocess

from support.process import LOUPE, check, oracle

LIMIT_S = 600


def compact(out, *arguments):
    """Returns a digest of the output."""
    done = subprocess.run([LOUPE, "compact", *arguments, "-o", out], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=LIMIT_S, check=False)
    check(done.returncode == 0, f"loupe compact {arguments}: {done.returncode} {done.stderr.decode()[-1000:]}")
    with open(out, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def judge(feature, merged, parts):
    return oracle("MergeEquals", merged, *parts, feature=feature, limit_s=LIMIT_S)


def expect_same(feature, merged, parts):
    """The JDK with this number finds the events of the parts in merged, as they are there. Returns how many."""
    status, report = judge(feature, merged, parts)
    check(status == 0, f"JDK {feature}: {status} {report}")
    return int(re.search(r"actual (\d+)", report).group(1))
