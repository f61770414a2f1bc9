"""Says what is wrong with a published site; shares no code with sitegen.

    script/site_check.py FOLDER    prints each flaw on a line, status 1 if there is one

It reads every page, follows every address in pages, style sheets, JSON and scripts, and hashes every
file against the ledger, `assets.json` and its own name.
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
# Paths from the top of the site, in JSON and in what pages load.
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
    """Returns the bytes of every file, links as their targets, by path."""
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
    # The last line of one that a build writes before it publishes is `unfinished`.
    parts = [line.split(" ", 2) for line in lines[1:-1] if line != "unfinished"]
    return {path: (int(size), digest) for size, digest, path in parts}


def links(path, data, pages):
    """Returns the paths from the top of the site, with fragments, that a file names."""
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
    """Yields everything in a JSON value that has a path and a digest."""
    if isinstance(value, dict):
        if "path" in value and "sha256" in value:
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from records(part)


def flaws(found, unfinished=False, foreign=()):
    """Lists what is wrong with these files, as `files` gives them.

    With `unfinished` a publication may have been interrupted: the ledger may claim what is not there
    yet and files may be under temporary names, but whatever a visitor reaches must be whole.
    """
    wrong = []
    claimed = ledger(found)
    if claimed is None:
        return ["there is no whole ledger"]
    visible = {path: data for path, data in found.items()
               if not posixpath.basename(path).startswith(".sitegen-") and path not in foreign
               and TEMPORARY not in path}
    pages = {}
    for path, data in visible.items():
        digest = hashlib.sha256(data).hexdigest()
        if path not in claimed:
            wrong.append(f"{path} is in no ledger")
        elif not unfinished and claimed[path] != (len(data), digest):
            wrong.append(f"{path} is not what the ledger says")
        if path.startswith("assets/") and posixpath.basename(path).split(".")[0] != digest:
            wrong.append(f"{path} is not what its name says")
        if path.endswith(".html"):
            pages[path] = Page(data.decode(errors="replace"))
            if not pages[path].ended:
                wrong.append(f"{path} has lost its end")
    if not unfinished:
        wrong += [f"{path} is missing" for path in claimed if path not in visible]
        wrong += [f"{path} was left" for path in found if TEMPORARY in path]
    if "index.html" not in visible:
        wrong.append("there is no index.html")
    for path, data in visible.items():
        for link in links(path, data, pages):
            target, _, fragment = link.partition("#")
            if target not in visible:
                wrong.append(f"{path} names {target}, which is not there")
            elif fragment and not unfinished and target in pages and fragment not in pages[target].ids:
                wrong.append(f"{path} names {link}, and there is no such place")
        if path.endswith(".json"):
            try:
                value = json.loads(data)
            except ValueError as error:
                wrong.append(f"{path} is no JSON: {error}")
                continue
            for record in records(value):
                data = visible.get(record["path"], b"")
                if hashlib.sha256(data).hexdigest() != record["sha256"] or len(data) != record["bytes"]:
                    wrong.append(f"{path}: {record['path']} is not what it says")
    return sorted(wrong)


def neither(found, old, new):
    """Lists the files of a site that are in neither of two others."""
    return [f"{path} is neither old nor new" for path, data in sorted(found.items())
            if not posixpath.basename(path).startswith(".sitegen-") and TEMPORARY not in path
            and data not in (old.get(path), new.get(path))]


def differences(found, wanted):
    """Lists the files in which two sites differ; locks are left out, which name a process."""
    return [f"{path} differs from that of a clean build" for path in sorted(found.keys() | wanted.keys())
            if posixpath.basename(path) != LOCK and found.get(path) != wanted.get(path)]


if __name__ == "__main__":
    found = flaws(files(sys.argv[1]))
    print("\n".join(found) or "whole")
    sys.exit(1 if found else 0)
