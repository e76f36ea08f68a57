#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py ROOT: what the compiler cannot check about the tree.

- Includes point down: a folder of src/ knows only the folders that MAY_KNOW lists for it, and only
  those third-party headers that its side of the wire has a use for.
- Calls that cannot be used safely are not used. The elimination engine stays a pure function.
- Where a thread of an application may be, LP_NEVER checks what LP_ASSERT does elsewhere.
- Every source file says its licence in its first line (its second, after a #! line).
"""

import pathlib
import re
import sys

from sources import INCLUDE

# Which folders of src/ a folder may include, itself apart. "common" never knows who uses it; agent
# and collector meet on the wire only, and read settings by the same rules. What a room of HOUSES knows is in its
# CMakeLists.txt (see rooms_of). The longest prefix of a file's folder decides.
MAY_KNOW = {
    "common": [],
    "agent": ["common", "policy/policy_jvm.h", "policy/policy_requests.h", "policy/policy_setting.h", "policy/policy_value.h",
              "policy/policy_waits.h"],
    "policy": ["common"],
    "engine": ["common", "policy"],
    "query": ["common", "policy", "engine"],
    "offline": ["common", "policy", "engine"],
    "collector": ["common", "policy", "engine", "offline", "query"],
    "cli": ["common", "policy", "engine", "offline", "query", "collector"],
}
PARTS = set(MAY_KNOW)
HOUSES = ["query", "collector", "collector/http", "collector/recall", "cli"]
ROOM = re.compile(r"^loupe_room\((\w+)\s+KNOWS\s+((?:[a-z][\w/]*\s+)+)", re.MULTILINE)

# Third-party and platform headers that only some folders may see: pattern -> folders.
ONLY_IN = {
    r"j(ni|vmti)\.h": ["agent"],
    r"nng/.*": ["agent"],
    r"uv\.h": ["collector/net", "collector/journal", "collector/chunks", "collector/log", "collector/recall", "collector/server", "offline", "cli"],
    r"sqlite3\.h": ["collector/store"],
    r"libpq-fe\.h": ["collector/store"],
    r"librdkafka/.*": ["collector/log"],
    r"gnutls/.*": ["cli", "collector/base", "collector/http", "collector/net"],
    r"mbedtls/.*": ["agent"],
    r"microhttpd\.h": ["collector/http"],
    r"curl/.*": ["collector/client"],
    r"expat\.h": ["policy", "collector/store"],
    r"jansson\.h": ["collector", "cli", "query"],
    r"nettle/.*": ["collector/base", "collector/store"],
    r"seccomp\.h": ["collector/base"],
    r"zlib\.h": ["collector/base", "collector/journal", "offline", "query"],
    r"lz4frame\.h": ["offline"],
    r"zstd(_errors)?\.h": ["collector/store", "common/wire", "offline", "query"],
}

BANNED_CALLS = ["strcpy", "strcat", "sprintf", "atoi", "strtok", "gets"]
# What a pure function of bytes has no use for.
BANNED_IN_ENGINE = ["fopen", "open", "read", "write", "socket", "time", "clock_gettime",
                     "gettimeofday", "getenv", "rand", "random", "pthread_create"]

# What threads of the application run, or what holds a lock that they take: see lp_assert.h.
NO_ASSERTIONS = ("src/agent/agent", "src/agent/context/", "src/agent/jvmti/", "src/agent/rewrite/", "src/agent/ship/ship.",
                 "src/common/context/")

SPDX = "SPDX-License-Identifier: Apache-2.0"
SPDX_SUFFIXES = {".c", ".h", ".java", ".proto", ".cmake", ".py", ".sh", ".def", ".map"}
SKIPPED_FOLDERS = {"build", ".git", "node_modules", "__pycache__"}

COMMENT_OR_STRING = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def rooms_of(root):
    """What each room of HOUSES may include, as its CMakeLists.txt says."""
    rooms = {}
    for house in HOUSES:
        folder = root / "src" / house
        for listed in folder.glob("*/CMakeLists.txt"):
            name, knows = ROOM.search(listed.read_text(encoding="utf-8")).groups()
            rooms[f"{house}/{name}"] = [f"{house}/{known}" if (folder / known).is_dir() else known for known in knows.split()]
    return rooms


def folder_rule(folder):
    """The longest key of MAY_KNOW that holds folder."""
    fitting = [key for key in MAY_KNOW if folder == key or folder.startswith(key + "/")]
    return max(fitting, key=len, default=None)


def is_inside(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def check_include(folder, header):
    """A sentence on what is wrong with including header in a file of src/folder, or None."""
    for pattern, folders in ONLY_IN.items():
        if re.fullmatch(pattern, header) and not is_inside(folder, folders):
            return f"{folder} includes <{header}>, which belongs to {', '.join(folders)}"
    if header.split("/")[0] not in PARTS:
        return None
    rule = folder_rule(folder)
    if not is_inside(header, MAY_KNOW[rule] + [rule]):
        known = ", ".join(MAY_KNOW[rule]) or "itself"
        return f"{folder} includes \"{header}\", but knows only {known}"
    return None


def without_comments_and_strings(text):
    return COMMENT_OR_STRING.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def check_calls(path, text):
    banned = list(BANNED_CALLS)
    if is_inside(path, ["src/engine"]):
        banned += BANNED_IN_ENGINE
    if path.startswith(NO_ASSERTIONS):
        banned.append("LP_ASSERT")
    code = without_comments_and_strings(text)
    for match in re.finditer(r"(?<![\w.>])(" + "|".join(banned) + r")\s*\(", code):
        line = code.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: {match.group(1)}() is banned here"


def check_c_file(path, text):
    yield from check_calls(path, text)
    if not path.startswith("src/"):
        return
    folder = path.removeprefix("src/").rsplit("/", 1)[0]
    for match in INCLUDE.finditer(text):
        problem = check_include(folder, match.group(2))
        if problem:
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {problem}"


def check_licence(path, text):
    lines = text.split("\n", 2)
    first = lines[1] if lines[0].startswith("#!") and len(lines) > 1 else lines[0]
    if SPDX not in first:
        yield f"{path}:1: no {SPDX}"


def files_of(root):
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.is_file() and not SKIPPED_FOLDERS.intersection(relative.parts):
            yield path, relative.as_posix()


def needs_licence(path, relative):
    if path.suffix in SPDX_SUFFIXES or path.name == "CMakeLists.txt":
        return True
    return relative.startswith(("scripts/", ".ci/"))


def main():
    root = pathlib.Path(sys.argv[1])
    MAY_KNOW.update(rooms_of(root))
    problems = []
    for path, relative in files_of(root):
        is_c = path.suffix in (".c", ".h")
        if not is_c and not needs_licence(path, relative):
            continue
        text = path.read_text(encoding="utf-8")
        problems += check_licence(relative, text)
        if is_c:
            problems += check_c_file(relative, text)
    print("\n".join(problems) or "layers, calls and licences: nothing to say")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
