#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_docs.py ROOT: ./scripts/docs makes a site with a page for each page of docs/, in which a browser loads nothing from other
hosts; a link that leads nowhere, or a page without a place in the nav, fails it.

Skipped where PyPI cannot be reached and mkdocs is not in build/docs.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
LIMIT_S = 300
LOADS = {"img": ("src", "srcset"), "script": ("src",), "iframe": ("src",), "source": ("src", "srcset"), "video": ("src",), "embed": ("src",),
         "object": ("data",)}
LOADED_BY_LINK = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "manifest", "modulepreload"}
ELSEWHERE = re.compile(r"^\s*(https?:)?//")
ELSEWHERE_IN_STYLES = re.compile(r"(?:url\(|@import)\s*[\"']?\s*((?:https?:)?//[^\"')]*)")


class Loads(html.parser.HTMLParser):
    """What a page has its browser load from elsewhere."""

    def __init__(self):
        super().__init__()
        self.elsewhere = []
        self.is_drawn = False  # diagrams make the theme load a library

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        names = LOADS.get(tag, ())
        if tag == "link" and LOADED_BY_LINK & set((attributes.get("rel") or "").split()):
            names = ("href",)
        self.elsewhere += [attributes[name] for name in names if ELSEWHERE.match(attributes.get(name) or "")]
        self.is_drawn |= "mermaid" in (attributes.get("class") or "").split()


def build(root, site):
    done = subprocess.run([root / "scripts/docs", site], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=LIMIT_S)
    print(done.stdout[-4000:], flush=True)
    return done.returncode, done.stdout


def problems_of(root, site):
    for page in sorted((root / "docs").rglob("*.md")):
        made = site / page.relative_to(root / "docs").with_suffix(".html")
        if not made.exists() and not (page.name == "README.md" and made.with_name("index.html").exists()):
            yield f"{page.relative_to(root)} has no page in the site"
    for path in sorted(site.rglob("*.html")):
        loads = Loads()
        loads.feed(path.read_text(encoding="utf-8"))
        yield from (f"{path.relative_to(site)} loads {one}" for one in loads.elsewhere)
        if loads.is_drawn:
            yield f"{path.relative_to(site)} has a diagram, for which the theme loads a library"
    for path in sorted(site.rglob("*.css")):
        yield from (f"{path.relative_to(site)} loads {one}" for one in ELSEWHERE_IN_STYLES.findall(path.read_text(encoding="utf-8")))


def broken(root, folder):
    """The mistakes that a copy of the pages is built with all the same."""
    copy = pathlib.Path(folder, "copy")
    for name in ("docs", "scripts"):
        shutil.copytree(root / name, copy / name)
    shutil.copy(root / "mkdocs.yml", copy)
    (copy / "build").mkdir()
    (copy / "build/docs").symlink_to(root / "build/docs")
    for path in root.iterdir():  # to which pages link
        if not (copy / path.name).exists() and path.name != ".git":
            (copy / path.name).symlink_to(path)
    page = copy / "docs/index.md"
    text = page.read_text(encoding="utf-8")
    for what, target in (("page", "find/nothing.md"), ("heading", "find/page.md#nothing"), ("file of the tree", "../src/nothing.c")):
        page.write_text(f"{text}\n\n[x]({target})\n", encoding="utf-8")
        status, said = build(copy, pathlib.Path(folder, "broken"))
        if status != 1 or said.count("WARNING") != 1 or target not in said:
            yield f"a link to no {what} does not fail the build, or not alone"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="loupe-docs-") as folder:
        site = pathlib.Path(folder, "site")
        status, _ = build(root, site)
        if status != 0:
            return status
        problems = [*problems_of(root, site), *broken(root, folder)]
    print("\n".join(problems) or "the site has every page, and loads nothing from elsewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
