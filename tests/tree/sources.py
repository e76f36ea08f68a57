# SPDX-License-Identifier: Apache-2.0
"""What the checks of this folder know of C sources."""

import re

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)


def opening_comment(path):
    """The comment lines and empty lines at the top of the file."""
    lines = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("//"):
            break
        lines.append(line)
    return "\n".join(lines)
