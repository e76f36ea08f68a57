# SPDX-License-Identifier: Apache-2.0
"""What ./scripts/docs adds to mkdocs: folders in the nav, lists as GitHub reads them, and links to files outside of docs/.

mkdocs calls the functions named on_...: https://www.mkdocs.org/dev-guide/plugins/#events.
"""

import logging
import os
import pathlib
import re
from itertools import groupby

FENCE = re.compile(r"^ *(```|~~~)")
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")

log = logging.getLogger("mkdocs.plugins.docs_hook")  # --strict counts its warnings


def listed(entries):
    """The pages that have a line of their own in the nav."""
    for entry in entries:
        of = list(entry.values())[0] if isinstance(entry, dict) else entry
        if isinstance(of, list):
            yield from listed(of)
        elif not of.endswith("/"):
            yield of


def expand(entries, others):
    """The entries, with the other pages of a folder in the place of its name."""
    for entry in entries:
        if isinstance(entry, dict):
            yield {title: list(expand(of, others)) if isinstance(of, list) else of for title, of in entry.items()}
        elif entry.endswith("/"):
            yield from (page for page in others if page.startswith(entry))
        else:
            yield entry


def on_files(files, config):
    named = set(listed(config["nav"]))
    others = sorted(file.src_uri for file in files.documentation_pages() if file.src_uri not in named)
    config["nav"] = list(expand(config["nav"], others))
    return files


def by_line(text):
    """(line, whether it is code) of each line."""
    fence = None
    for line in text.split("\n"):
        mark = FENCE.match(line)
        is_code = fence is not None or mark is not None
        if mark and fence in (None, mark.group(1)):
            fence = None if fence else mark.group(1)
        yield line, is_code


def with_lists(text):
    """The text with an empty line before each list: Markdown in Python needs one behind a paragraph, GitHub does not."""
    lines, before = [], ""
    for line, is_code in by_line(text):
        if not is_code and ITEM.match(line) and before.strip() and not before.startswith(" ") and not ITEM.match(before):
            lines.append("")
        lines.append(line)
        before = "" if is_code else line
    return "\n".join(lines)


def outside(page, repository, root, docs):
    """What replaces a link: the same link where it stays in docs/, else one to the repository, or its text alone."""
    def replace(link):
        image, text, target, anchor = link.groups()
        aim = pathlib.Path(os.path.normpath((docs / page).parent / target))
        if image or aim.is_relative_to(docs) and aim != docs:
            folder = aim / "README.md"  # GitHub shows it for a folder
            return link.group(0) if not aim.is_dir() or not folder.exists() else f"[{text}]({target.rstrip('/')}/README.md)"
        if not aim.exists():
            log.warning("Doc file '%s' contains a link '%s', which the repository does not have.", page, target)
        path = aim.relative_to(root)
        if repository:
            return f"[{text}]({repository.rstrip('/')}/{path}{anchor or ''})"
        return text if path.name in text else f"{text} (`{path}`)"
    return replace


def on_page_markdown(markdown, page, config, files):  # pylint: disable=unused-argument
    docs = pathlib.Path(config["docs_dir"]).resolve()
    replace = outside(page.file.src_uri, config["extra"]["repository"], docs.parent, docs)
    parts = groupby(by_line(with_lists(markdown)), key=lambda one: one[1])  # a link may go over two lines
    texts = ((is_code, "\n".join(line for line, _ in lines)) for is_code, lines in parts)
    return "\n".join(text if is_code else LINK.sub(replace, text) for is_code, text in texts)
