#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_headers.py ROOT: each header of src/ says in its opening comment which threads may use it."""

import pathlib
import re
import sys

from sources import opening_comment


def main():
    root = pathlib.Path(sys.argv[1])
    problems = []
    for header in sorted((root / "src").rglob("*.h")):
        if not re.search(r"^// Threads: +\S", opening_comment(header), re.MULTILINE):
            problems.append(f"{header.relative_to(root)}:1: no line `// Threads:` at the top")
    print("\n".join(problems) or "each header names its threads")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
