"""Builds a site with a recipe in docs/recipes while killing workers; run by `script/cluster`."""

import argparse
import functools
import http.server
import importlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).parent.parent
sys.path.append(str(ROOT / "script/benchmarks"))
from noop import png  # noqa: E402

PEOPLE, FETCHED, SHARDS = 80, 16, 8
MANIFEST = """version: 1
network: {{ allow: [127.0.0.1], ports: [{port}] }}
avatars:
  - {{ name: round, size: 64, scales: [1, 2], formats: [png, webp] }}
users:
"""


class Failure(Exception):
    pass


def expect(truth, words):
    if not truth:
        raise Failure(words)


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Trial:
    """A site in a temporary folder, a store, and a `PATH` with the `sitegen` to test."""

    def __init__(self, folder, program, kind, seed):
        self.folder, self.kind, self.random = pathlib.Path(folder), kind, random.Random(seed)
        self.began = time.monotonic()
        self.site, self.store, self.bucket, self.recipe, self.tools = (
            self.folder / name for name in ["site", "store", "bucket", "recipe", "tools"])
        self.program = pathlib.Path(program).absolute()
        for name in ["home", "tmp", "tools", "bucket", "site/pictures", "served"]:
            (self.folder / name).mkdir(parents=True)
        (self.tools / "sitegen").symlink_to(self.program)
        (self.tools / "rclone").symlink_to(ROOT / ".test-tools/bin/rclone")
        shutil.copytree(ROOT / "docs/recipes" / kind, self.recipe)
        self.environment = {
            "PATH": f"{self.tools}:{os.environ['PATH']}", "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"), "SITE": str(self.site), "STORE": str(self.store),
            "SHARDS": str(SHARDS),
        }

    def say(self, words):
        print(f"{time.monotonic() - self.began:5.1f} s  {words}", flush=True)

    def prepare(self):
        """Writes the site, and builds it once without a shared store."""
        handler = functools.partial(Handler, directory=self.folder / "served")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_port
        chance = random.Random(7)
        lines = []
        for number in range(PEOPLE):
            name, folder = f"{number:03}.png", "served" if number < FETCHED else "site/pictures"
            picture = png(chance.randbytes(240 * 240 * 3), 240)
            # The last picture is broken.
            picture = picture if number < PEOPLE - 1 else picture[:1000]
            (self.folder / folder / name).write_bytes(picture)
            where = f"http://127.0.0.1:{port}/{name}" if number < FETCHED else f"pictures/{name}"
            lines.append(f"  - {{ id: p{number}, avatar: '{where}' }}\n")
        (self.site / "manifest.yaml").write_text(MANIFEST.format(port=port) + "".join(lines))
        words = ["--output", self.folder / "whole", "--cache", self.folder / "cache", "--quiet"]
        said = self.call("sitegen", "build", self.site, *words)
        expect(said.returncode == 1, f"the reference build exited with code {said.returncode}: {said.stderr}")

    def clear(self):
        """Removes the files from the last round."""
        for folder in [self.store, self.site / "output", self.site / ".sitegen"]:
            shutil.rmtree(folder, ignore_errors=True)
        self.store.mkdir()

    def call(self, *words, **more):
        more = {"env": self.environment, "cwd": self.folder, **more}
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)

    def stored(self):
        """Counts the files in the store, or in the separate stores of shards."""
        return sum(name[0] != "." for path, _, names in os.walk(self.folder)
                   if path.split("/")[-2] == "images" for name in names)

    def wait(self, truth, seconds=60, complaint=str):
        end = time.monotonic() + seconds
        while not truth():
            expect(time.monotonic() < end, f"not true within {seconds} s: {complaint()}")
            time.sleep(0.02)

    def wait_for_files(self, count):
        """Waits until the store contains at least `count` more files."""
        before = self.stored()
        self.wait(lambda: self.stored() >= before + count)

    def compare(self):
        """Checks that the site matches that of a single build, and that the last build only published it."""
        ours, whole = tree(self.site / "output"), tree(self.folder / "whole")
        expect(len(whole) > 4 * PEOPLE, "the reference site is nearly empty")
        odd = sorted(name for name in ours.keys() | whole.keys() if ours.get(name) != whole.get(name))
        expect(not odd, f"different from the reference build: {odd[:5]}")
        counters = json.loads((self.site / ".sitegen/report.json").read_text())["counters"]
        names = ["renders", "fetched", "storeHits", "storeFetched", "failed"]
        found, wanted = [counters[name] for name in names], [0, 0, 4 * (PEOPLE - 1), FETCHED, 1]
        expect(found == wanted, f"the last build: {counters}")
        self.say(f"{len(ours)} files match the reference build; the last build rendered and fetched nothing")


def tree(folder):
    """Returns the site's files, without the records that a build leaves for the next one."""
    files = (path for path in folder.rglob("*") if path.is_file())
    names = ((str(path.relative_to(folder)), path) for path in files)
    return {name: path.read_bytes() for name, path in names if not name.startswith(".sitegen")}


def main():
    parser = argparse.ArgumentParser(prog="script/cluster", description=__doc__)
    parser.add_argument("kind", choices=["slurm", "kubernetes", "parallel"])
    parser.add_argument("--program", default=ROOT / ".build/release/sitegen")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(
            prefix="sitegen-cluster-", ignore_cleanup_errors=True) as folder:
        trial = Trial(folder, options.program, options.kind, options.seed)
        try:
            trial.prepare()
            importlib.import_module(f"cluster_{options.kind}").run(trial, expect)
        except Failure as failure:
            failures = 1
            trial.say(f"failed: {failure}")
    print(f"{options.kind}: {failures} failures")
    return failures


if __name__ == "__main__":
    raise SystemExit(main())
