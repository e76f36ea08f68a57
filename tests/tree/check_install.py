#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_install.py BUILD PREFIX ETC: what `cmake --install` puts below PREFIX and ETC is this list and nothing else, knows
nothing of where it was built, and its manual has the options of the program.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMANDS = ("admin", "attributes", "collect", "compact", "compare", "completion", "contexts", "export", "flamegraph", "fsck", "health", "help", "hot", "index", "jvm", "mcp", "open", "pin", "policy", "requests", "slice", "summary", "trace", "version", "why")
PAGES = ("loupe", *(f"loupe-{command}" for command in COMMANDS))
# Below the prefix: the mode of each file, None for a link.
FILES = {
    "tools": {
        "bin/loupe": 0o755,
        "lib/loupe/loupe-whole": 0o755,
        "share/bash-completion/completions/loupe": 0o644,
        "share/fish/vendor_completions.d/loupe.fish": 0o644,
        **{f"share/man/man1/{page}.1.gz": 0o644 for page in PAGES},
        "share/loupe/policies/default.jfc": None,
        **{f"share/loupe/policies/{name}.jfc": 0o644 for name in ("loupe", "magnify", "raw")},
    },
    "collector": {
        "lib/systemd/system/loupe.service": 0o644,
        "lib/sysusers.d/loupe.conf": 0o644,
    },
    "agent": {"lib/loupe/libloupe.so": 0o644, "lib/loupe/loupe.jar": 0o644},
}
ETC = {"collector": {"loupe/collect.env": 0o644}}
MAYBE = {"agent": {"lib/loupe/loupe-otel.jar": 0o644}}  # not where Maven Central cannot be reached


def mode_of(path):
    return None if path.is_symlink() else path.stat().st_mode & 0o7777


def install(build, component, into):
    subprocess.run(["cmake", "--install", build, "--component", component, "--strip"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "DESTDIR": str(into)})
    return {str(path.relative_to(into)): mode_of(path) for path in into.rglob("*") if path.is_symlink() or not path.is_dir()}


def expected(component, prefix, etc):
    found = {f"{prefix}/{name}": mode for name, mode in FILES[component].items()}
    if component == "tools":  # Debian's zsh has a folder of its own for packages
        found[f"{prefix}/share/zsh/{'vendor-completions' if prefix == '/usr' else 'site-functions'}/_loupe"] = 0o644
    found |= {f"{etc}/{name}": mode for name, mode in ETC.get(component, {}).items()}
    return {name.lstrip("/"): mode for name, mode in found.items()}


def check_files(component, found, prefix, etc):
    right = expected(component, prefix, etc)
    maybe = {f"{prefix}/{name}".lstrip("/"): mode for name, mode in MAYBE.get(component, {}).items()}
    for name in sorted(set(right) - set(found)):
        yield f"{component} lacks {name}"
    for name in sorted(set(found) - set(right)):
        if found[name] != maybe.get(name, "nothing"):
            yield f"{component} has {name}, mode {found[name] or 0:o}, which is not expected"
    for name in sorted(set(found) & set(right)):
        if found[name] != right[name]:
            yield f"{name} has mode {found[name] or 0:o}, not {right[name] or 0:o}"


def check_paths(folder, build):
    """Nothing says where the sources or the build were."""
    places = [place.encode() for place in {str(build), str(build.parents[1])}]
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if any(place in (gzip.decompress(content) if path.suffix == ".gz" else content) for place in places):
                yield f"{path.relative_to(folder)} names {build.parents[1]}"


def check_unit(folder, prefix, etc):
    text = (folder / prefix.lstrip("/") / "lib/systemd/system/loupe.service").read_text(encoding="utf-8")
    for line in (f"ExecStart={prefix}/bin/loupe collect", f"EnvironmentFile=-{etc}/loupe/collect.env"):
        if line not in text.splitlines():
            yield f"loupe.service lacks the line {line}"


def options_in(text):
    return set(re.findall(r"(?:^| )(--[a-z][a-z-]*|-[a-zA-Z])(?=[ ,\n])", text, re.MULTILINE))


def check_manual(folder, prefix):
    """The options at the beginning of lines are in both; each page is understood by those who read manuals."""
    base = folder / prefix.lstrip("/")
    for page in PAGES:
        command = page.replace("-", " ").split()[1:]
        said = subprocess.run([base / "bin/loupe", *command, "--help"], capture_output=True, text=True, check=True).stdout
        listed = [line.strip().split("  ")[0] for line in said.splitlines() if re.match(r"  -", line)]
        in_help = options_in("\n".join(listed) + "\n")
        text = gzip.decompress((base / f"share/man/man1/{page}.1.gz").read_bytes()).decode()
        heads = re.findall(r"^\.TP\n(.*)$", text, re.MULTILINE)
        plain = [re.sub(r"\\f[BIP]", "", head).replace("\\-", "-") for head in heads]
        in_page = options_in("\n".join(head for head in plain if head.startswith("-")) + "\n")
        if in_page != in_help or not in_help:
            yield f"{page}(1) and --help differ: {sorted(in_page ^ in_help)}"


def main():
    build, prefix, etc = pathlib.Path(sys.argv[1]), sys.argv[2].rstrip("/"), sys.argv[3].rstrip("/")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for component in FILES:
            into = pathlib.Path(folder, component)
            into.mkdir()
            problems += check_files(component, install(build, component, into), prefix, etc)
        problems += check_paths(pathlib.Path(folder), build)
        problems += check_unit(pathlib.Path(folder, "collector"), prefix, etc)
        problems += check_manual(pathlib.Path(folder, "tools"), prefix)
    print("\n".join(problems) or "all is where it belongs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
