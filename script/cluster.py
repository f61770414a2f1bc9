"""What `script/cluster` does: a site, its plan, and a scheduler or a store that does not oblige.

    cluster.py slurm|kubernetes|parallel|s3 --program FILE [--seed N]
"""

import argparse
import importlib
import os
import pathlib
import random
import subprocess
import tempfile
import time

SHARDS = 16


class Failure(Exception):
    pass


def expect(truth, words):
    if not truth:
        raise Failure(words)


class Trial:
    """One site in a folder of its own, a store, and the program that renders it."""

    def __init__(self, folder, program, seed, kind):
        self.folder = pathlib.Path(folder)
        self.program = str(pathlib.Path(program).absolute())
        self.random = random.Random(seed)
        self.seed = seed
        self.kind = kind
        self.began = time.monotonic()
        self.store = self.folder / "store"
        self.address = f"dir:{self.store}"
        self.site = self.folder / "site"
        self.environment = {"PATH": os.environ["PATH"], "TMPDIR": str(self.folder / "tmp")}
        self.environment["HOME"] = str(self.folder)
        # All that was printed.
        self.said = []
        (self.folder / "tmp").mkdir()
        self.store.mkdir()

    def say(self, words):
        print(f"{time.monotonic() - self.began:5.1f} s  {words}", flush=True)

    def call(self, *words):
        said = subprocess.run(
            [self.program, *words], env=self.environment, capture_output=True, text=True
        )
        self.said += [said.stdout, said.stderr]
        return said

    def sitegen(self, *words, status=0):
        said = self.call(*words)
        expect(said.returncode == status, f"{words}: status {said.returncode}: {said.stderr}")
        return said.stdout

    def prepare(self, people):
        """Builds the site without any store, and plans it."""
        mock = ["--users", str(people), "--images", "120", "--size", "640x640", "--quiet"]
        self.sitegen("mock", str(self.site), *mock)
        whole = ["-o", str(self.folder / "whole"), "--cache", str(self.folder / "cache")]
        self.sitegen("build", str(self.site), *whole, "--quiet")
        words = self.sitegen("plan", str(self.site), *self.stored, "--shards", str(SHARDS))
        self.plan = words.split()[-1]
        self.say(f"{people} people: plan {self.plan[:8]}")

    @property
    def stored(self):
        return ["--store", self.address]

    @property
    def planned(self):
        return ["--plan", self.plan, *self.stored]

    def emit(self, kind, *more, is_planned=True):
        place = self.planned if is_planned else self.stored
        words = ["emit", kind, str(self.site), *place, "--shards", str(SHARDS)]
        return self.sitegen(*words, "--name", "trial", *more)

    def missing(self):
        said = self.call("status", *self.planned, "--missing")
        expect(said.returncode == (1 if said.stdout else 0), f"status {said.returncode}")
        return said.stdout.strip()

    def compare(self, output=None):
        """The assembled site, or another, is that of the build that knew no store."""
        folders = output or self.site / "output", self.folder / "whole"
        ours, whole = (tree(folder) for folder in folders)
        expect(len(whole) > 100, "the site to compare with is nearly empty")
        odd = sorted(name for name in ours.keys() | whole.keys() if ours.get(name) != whole.get(name))
        expect(not odd, f"not as in one build: {odd[:5]}")
        self.say(f"{len(ours)} files are those of one build")


def tree(folder):
    """Its files; not the list in which a build notes when it saw them."""
    files = (path for path in folder.rglob("*") if path.is_file())
    names = ((str(path.relative_to(folder)), path) for path in files)
    return {name: path.read_bytes() for name, path in names if not name.startswith(".sitegen")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["slurm", "kubernetes", "parallel", "s3"])
    parser.add_argument("--program", default=".build/release/sitegen")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="sitegen-cluster-") as folder:
        trial = Trial(folder, words.program, words.seed, words.kind)
        try:
            importlib.import_module(f"cluster_{words.kind}").run(trial, expect)
        except Failure as failure:
            failures = 1
            trial.say(f"failed: {failure}")
    print(f"{words.kind}: {failures} failures")
    return failures


if __name__ == "__main__":
    raise SystemExit(main())
