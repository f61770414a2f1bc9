"""Finds problems in a published site; does not share code with sitegen.

    script/site_check.py FOLDER    prints one problem per line; exits with code 1 if there are any

It reads every page, follows every URL in pages, style sheets, JSON and scripts, and compares every
file's hash with the ledger, `assets.json` and the file's name.
"""

import hashlib
import html.parser
import json
import os
import posixpath
import re
import sys
import urllib.parse

LEDGER, LOCK, TEMPORARY = ".sitegen-files", ".sitegen-lock", ".sitegen-tmp-"
ADDRESS = re.compile(r"url\(\s*[\"']?([^\"')]+)")
# Paths from the top of the site, in JSON and in files that pages load.
PATH = re.compile(r"\"((?:assets|people|tags|styles|buttons|data)/[^\"\\]+\.\w+)\"")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.ended = [], set(), False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "poster"):
                self.links.append(value)
            elif name == "srcset":
                self.links += [part.split()[0] for part in value.split(",")]
            elif name == "style":
                self.links += ADDRESS.findall(value)
            elif name == "id":
                self.ids.add(value)

    def handle_endtag(self, tag):
        self.ended = self.ended or tag == "html"


def files(folder):
    """Returns the bytes of every file by path; for links, their targets."""
    found = {}
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            if os.path.islink(path):
                found[os.path.relpath(path, folder)] = b"link to " + os.fsencode(os.readlink(path))
            else:
                with open(path, "rb") as file:
                    found[os.path.relpath(path, folder)] = file.read()
    return found


def ledger(found):
    lines = found.get(LEDGER, b"").decode(errors="replace").split("\n")
    if lines[0] != "sitegen-files 1" or lines[-1] != "":
        return None
    # Before publishing, a build writes a ledger with the last line `unfinished`.
    parts = [line.split(" ", 2) for line in lines[1:-1] if line != "unfinished"]
    return {path: (int(size), digest) for size, digest, path in parts}


def links(path, data, pages):
    """Returns the paths that a file refers to, from the top of the site, with fragments."""
    if path in pages:
        named = pages[path].links
    elif path.endswith(".css"):
        named = ADDRESS.findall(data.decode(errors="replace"))
    elif path.endswith((".json", ".js")):
        return PATH.findall(data.decode(errors="replace"))
    else:
        return []
    result = []
    for link in named:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        if link.startswith("/"):
            result.append("absolute: " + link)
            continue
        target = urllib.parse.unquote(parts.path)
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
        result.append(target + ("#" + parts.fragment if parts.fragment else ""))
    return result


def records(value):
    """Yields every object with a path and a digest in a JSON value."""
    if isinstance(value, dict):
        if "path" in value and "sha256" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from records(part)


def flaws(found, unfinished=False, foreign=()):
    """Lists the problems with these files, as returned by `files`.

    With `unfinished`, publishing may have been interrupted: the ledger may list files that do not
    exist yet, and files may have temporary names, but everything that a visitor can reach must be complete.
    """
    wrong = []
    claimed = ledger(found)
    if claimed is None:
        return ["the ledger is missing or incomplete"]
    visible = {path: data for path, data in found.items()
               if not posixpath.basename(path).startswith(".sitegen-") and path not in foreign
               and TEMPORARY not in path}
    pages = {}
    for path, data in visible.items():
        digest = hashlib.sha256(data).hexdigest()
        if path not in claimed:
            wrong.append(f"{path} is not in the ledger")
        elif not unfinished and claimed[path] != (len(data), digest):
            wrong.append(f"{path} differs from the ledger")
        if path.startswith("assets/") and posixpath.basename(path).split(".")[0] != digest:
            wrong.append(f"{path} does not match the hash in its name")
        if path.endswith(".html"):
            pages[path] = Page(data.decode(errors="replace"))
            if not pages[path].ended:
                wrong.append(f"{path} is truncated")
    if not unfinished:
        wrong += [f"{path} is missing" for path in claimed if path not in visible]
        wrong += [f"{path} is left behind" for path in found if TEMPORARY in path]
    if "index.html" not in visible:
        wrong.append("index.html is missing")
    for path, data in visible.items():
        for link in links(path, data, pages):
            target, _, fragment = link.partition("#")
            if target not in visible:
                wrong.append(f"{path} refers to {target}, which does not exist")
            elif fragment and not unfinished and target in pages and fragment not in pages[target].ids:
                wrong.append(f"{path} refers to {link}, but that anchor does not exist")
        if path.endswith(".json"):
            try:
                value = json.loads(data)
            except ValueError as error:
                wrong.append(f"{path} is not valid JSON: {error}")
                continue
            for record in records(value):
                data = visible.get(record["path"], b"")
                if hashlib.sha256(data).hexdigest() != record["sha256"] or len(data) != record["bytes"]:
                    wrong.append(f"{path}: {record['path']} differs from its record")
    return sorted(wrong)


def neither(found, old, new):
    """Lists the files in a site that are in neither of two other sites."""
    return [f"{path} is neither old nor new" for path, data in sorted(found.items())
            if not posixpath.basename(path).startswith(".sitegen-") and TEMPORARY not in path
            and data not in (old.get(path), new.get(path))]


def differences(found, wanted):
    """Lists the files that differ between two sites; locks are excluded, because they name a process."""
    return [f"{path} differs from a clean build's file" for path in sorted(found.keys() | wanted.keys())
            if posixpath.basename(path) != LOCK and found.get(path) != wanted.get(path)]


if __name__ == "__main__":
    found = flaws(files(sys.argv[1]))
    print("\n".join(found) or "whole")
    sys.exit(1 if found else 0)
