"""Checks the dependencies between rooms and folders, for script/lint.

- Package.swift lists every target that is imported.
- Only targets that list a C library use the keyword `unsafe`.
- In targets with more than 3,000 lines, folders do not depend on each other in cycles. A folder
  depends on another folder if it uses a type that is declared there. Files at the top of the
  target belong to the folder `.`.
- The main program does not depend on a decoder or a network library, even indirectly.
"""

import json
import os
import re
import subprocess
import sys

LARGE = 3_000
MAIN = "SitegenCLI"
# The main program must not link these: an exploit could use them, and each one would slow down every start.
KEPT_OUT = ["CMagickWand", "CHeif", "CWebP", "CTurboJPEG", "CRsvg", "CFreeType", "CHarfBuzz", "CCurl"]
# Comments, multi-line strings and single-line strings.
SILENT = re.compile(r'//[^\n]*|/\*.*?\*/|#""".*?"""#|""".*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
IMPORT = re.compile(r"^(?:@\w+ )?(?:(?:package|public|internal|private|fileprivate) )?import (?:\w+ )?(\w+)", re.M)
KINDS = r"(?:struct|class|enum|protocol|actor|typealias)"
TYPE = re.compile(rf"^(?:(?:package|public|internal|final|indirect) )*{KINDS} (\w+)", re.M)
INNER = re.compile(rf"^.+\b{KINDS} (\w+)", re.M)
NAME = re.compile(r"(?<![\w.`])[A-Z]\w*")


def complaints():
    # Link as script/release does: in other builds, the main program also depends on the worker.
    environment = os.environ | {"SITEGEN_ONE_BY_ONE": "1"}
    manifest = json.loads(subprocess.check_output(["swift", "package", "dump-package"], env=environment))
    kinds = {target["name"]: target["type"] for target in manifest["targets"]}
    lists = {target["name"]: dependencies(target) for target in manifest["targets"]}
    yield from kept_out(lists)
    for target in manifest["targets"]:
        if target["type"] == "system":
            continue
        room = "Tests" if target["type"] == "test" else "Sources"
        root = target.get("path") or f"{room}/{target['name']}"
        files = dict(swift(root))
        listed = lists[target["name"]]
        yield from imports(target["name"], files, listed, kinds)
        if not room == root.split("/")[0] == "Sources":
            continue
        if all(kinds.get(name) != "system" for name in listed):
            for path, text in files.items():
                for number, line in enumerate(silenced(text).split("\n"), 1):
                    if re.search(r"\bunsafe\b", line):
                        yield f"{path}:{number}: 'unsafe' in a target that lists no C library"
        is_large = sum(text.count("\n") for text in files.values()) > LARGE
        if is_large:
            yield from circles(root, files)


def dependencies(target):
    return {dependency[kind][0] for dependency in target["dependencies"] for kind in dependency}


def kept_out(lists):
    ways, waiting = {MAIN: MAIN}, [MAIN]
    while waiting:
        target = waiting.pop()
        for name in sorted(lists.get(target, ())):
            if name not in ways:
                ways[name] = f"{ways[target]} -> {name}"
                waiting.append(name)
    for name in KEPT_OUT:
        if name not in lists:
            yield f"script/arrows.py: Package.swift has no target {name}"
        if name in ways:
            yield f"Package.swift: {ways[name]}: the main program must not link a decoder or network library"


def swift(root):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(".swift"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    yield path, file.read()


def silenced(text):
    """Returns the text without comments and strings, with the same number of lines."""
    return SILENT.sub(lambda match: "\n" * match[0].count("\n"), text)


def imports(target, files, listed, kinds):
    for path, text in files.items():
        for name in IMPORT.findall(silenced(text)):
            if name in kinds and name != target and name not in listed:
                yield f"{path}: imports {name}, which Package.swift does not list for {target}"


def circles(root, files):
    texts = {path: silenced(text) for path, text in files.items()}

    def folder(path):
        place = os.path.dirname(os.path.relpath(path, root))
        return place.split("/")[0] or "."

    homes = {}
    for path, text in texts.items():
        for name in TYPE.findall(text):
            homes.setdefault(name, set()).add(folder(path))
    # Dependencies between folders, each with one example.
    knows = {}
    for path, text in texts.items():
        own = set(INNER.findall(text))
        for name in NAME.findall(text):
            home = homes.get(name, set())
            if len(home) == 1 and folder(path) not in home and name not in own:
                knows.setdefault(folder(path), {}).setdefault(*home, f"{os.path.basename(path)} names {name}")

    def reached(start):
        found, waiting = set(), [start]
        while waiting:
            for other in knows.get(waiting.pop(), {}):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    reach = {place: reached(place) for place in knows}
    for one in sorted(knows):
        for other, why in sorted(knows[one].items()):
            if one in reach.get(other, ()):
                yield f"{root}: {one} -> {other} is part of a cycle ({why})"


found = list(complaints())
for line in found:
    print(line, file=sys.stderr)
sys.exit(1 if found else 0)
