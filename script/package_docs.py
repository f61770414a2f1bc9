"""Copies the documentation into the package, and removes links to files that the package does not contain.

    python3 script/package_docs.py FOLDER
    python3 script/package_docs.py --check FOLDER    fails if a page contains a dead link
"""

import pathlib
import re
import shutil
import sys

LINK = re.compile(r"(!?)\[([^\]\[]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)|<img [^>]*>")


def is_dead(page, target):
    return target and not re.match(r"[a-z]+:", target) and not (page.parent / target).exists()


def pages(folder):
    return sorted(pathlib.Path(folder).rglob("*.md"))


def copy(folder):
    docs = pathlib.Path(folder)
    docs.mkdir(parents=True, exist_ok=True)
    for name in pathlib.Path("docs").glob("*.md"):
        shutil.copy(name, docs)
    for name in ["explanation", "howto", "recipes", "reference"]:
        shutil.copytree(f"docs/{name}", docs / name)
    for page in pages(docs):
        # The pages' pictures are too large for a package.
        text = PICTURE.sub("", page.read_text())
        page.write_text(LINK.sub(lambda link: link[2] if is_dead(page, link[3]) else link[0], text))


def check(folder):
    dead = [
        f"{page}: {link[3]}"
        for page in pages(folder)
        for link in LINK.finditer(page.read_text())
        if is_dead(page, link[3])
    ]
    if dead or not pages(folder):
        sys.exit("\n".join(dead) or "no page")


if sys.argv[1] == "--check":
    check(sys.argv[2])
else:
    copy(sys.argv[1])
