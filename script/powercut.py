"""Simulates power failures at random moments during builds, rebuilds and prunes.

The disk is the backing file of a loop device, which is copied at each moment. Each copy must mount, the site of
the last finished build must be complete, and the next build must produce the same site as a clean build. Needs
root and loop devices. All files are in one folder under TMPDIR.
"""

import argparse
import fcntl
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import site_check
from faults import MANIFEST, sample_people

FICLONE = 0x40049409
# How to make each file system, its size in MiB, and how to mount it. Journals are written every second,
# so that the copies differ.
SYSTEMS = {
    "ext4": (["mkfs.ext4", "-q", "-F"], 64, "commit=1"),
    "xfs": (["mkfs.xfs", "-q", "-f"], 320, "nouuid"),
    "btrfs": (["mkfs.btrfs", "-q", "-f"], 128, "commit=1"),
}
SITES = ["first", "second", "third"]


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options)


def make_image(path, system):
    command, size, _ = SYSTEMS[system]
    with open(path, "wb") as file:
        file.truncate(size << 20)
    run(*command, path)


def mount(image, place, options):
    if image.suffix == ".btrfs":
        # Otherwise, btrfs would treat the copy as the original device.
        subprocess.run(["btrfs", "device", "scan", "--forget"], capture_output=True)
    place.mkdir(exist_ok=True)
    run("mount", "-o", f"loop,{options}", image, place)


class Session:
    """A file system in which builds run one after another while its disk is copied."""

    def __init__(self, program, root, system, wanted, chance):
        self.program, self.root, self.system = program, root, system
        self.wanted, self.chance = wanted, chance
        self.disk = root / f"disk.{system}"
        self.place = root / "mounted"
        self.options = SYSTEMS[system][2]
        # The last finished site, and the one that is being built.
        self.state = (None, None)
        self.ended = threading.Event()
        self.copies = []

    def sitegen(self, place, *words):
        return subprocess.run(
            [self.program, *words], cwd=place, capture_output=True, text=True, timeout=120,
            stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(self.root)})

    def build(self, place, name):
        return self.sitegen(place, "build", "--quiet", "--manifest", f"content/{name}.yaml")

    def copy(self, count):
        """Clones the disk atomically at random moments."""
        while len(self.copies) < count and not self.ended.wait(self.chance.uniform(0, 0.25)):
            target = self.root / f"copy{len(self.copies)}.{self.system}"
            before = self.state
            with open(self.disk, "rb") as source, open(target, "wb") as file:
                fcntl.ioctl(file, FICLONE, source.fileno())
            self.copies.append((target, before, self.state))

    def disturb(self):
        """Makes the file system write its journal at moments that sitegen does not control."""
        number = 0
        while not self.ended.wait(self.chance.uniform(0, 0.05)):
            number += 1
            with open(self.place / "other", "w") as file:
                file.write(f"{number}\n")
                os.fsync(file.fileno())

    def record(self, content, count):
        """Builds, rebuilds and prunes until there are enough copies."""
        make_image(self.disk, self.system)
        mount(self.disk, self.place, self.options)
        try:
            shutil.copytree(content, self.place / "content")
            os.sync()
            threads = [threading.Thread(target=self.copy, args=[count]),
                       threading.Thread(target=self.disturb)]
            for thread in threads:
                thread.start()
            try:
                while threads[0].is_alive():
                    name = self.chance.choice(SITES)
                    self.state = (self.state[0], name)
                    result = self.build(self.place, name)
                    if result.returncode != 0:
                        raise SystemExit(f"a build without a fault: {result.stderr}")
                    self.state = (name, None)
                    if self.chance.random() < 0.3:
                        self.sitegen(self.place, "prune", "--quiet", "--max-age", "0")
                    time.sleep(self.chance.uniform(0, 0.1))
            finally:
                self.ended.set()
                for thread in threads:
                    thread.join()
        finally:
            run("umount", self.place)
        self.disk.unlink()

    def check(self, copy, before, after):
        """Lists the problems with a copy."""
        try:
            mount(copy, self.place, self.options)
        except subprocess.CalledProcessError as error:
            return [f"it does not mount: {error.stderr}"]
        try:
            return self.flaws(before, after)
        finally:
            run("umount", self.place)

    def flaws(self, before, after):
        wrong, output = [], self.place / "output"
        found = site_check.files(output)
        candidates = [self.wanted[name] for name in {*before, *after} if name]
        if before[0]:
            wrong += site_check.flaws(found, unfinished=before != after or before[1] is not None)
        if before == after and before[1] is None and before[0]:
            wrong += site_check.differences(found, candidates[0])
        for path, data in found.items():
            hidden = os.path.basename(path).startswith(".sitegen-")
            if not hidden and all(data != site.get(path) for site in candidates):
                wrong.append(f"{path} belongs to neither site")
        again = self.build(self.place, SITES[0])
        if again.returncode != 0:
            wrong.append(f"the next build: exit code {again.returncode}: {again.stderr}")
        found = site_check.files(output)
        wrong += ["the next build: " + flaw for flaw in site_check.flaws(found)]
        wrong += ["the next build: " + flaw
                  for flaw in site_check.differences(found, self.wanted[SITES[0]])]
        wrong += [f"{path} is left behind" for path in self.place.glob("**/.sitegen-tmp-*")]
        wrong += [f"{path} is left behind" for path in self.root.glob("sitegen-*")]
        return wrong


def cut(options, root, system, chance):
    """Makes the copies in several sessions; returns the numbers of copies and of failures."""
    content = root / "content"
    wanted = {name: site_check.files(root / name) for name in SITES}
    cuts = bad = 0
    under_way = 0
    while cuts < options.cuts:
        session = Session(options.program, root, system, wanted, chance)
        session.record(content, min(20, options.cuts - cuts))
        for copy, before, after in session.copies:
            cuts += 1
            under_way += before[1] is not None
            wrong = session.check(copy, before, after)
            if wrong:
                bad += 1
                kept = pathlib.Path(tempfile.gettempdir()) / f"powercut-{options.seed}-{cuts}.{system}"
                run("cp", "--sparse=always", copy, kept)
                print(f"FAILED {system}, cut {cuts}, between {before} and {after}; the disk is {kept}\n  "
                      + "\n  ".join(wrong), flush=True)
            copy.unlink()
    print(f"{system}: {cuts} copies, {under_way} of them during a build, {bad} failures", flush=True)
    return bad


def prepare(program, root):
    """Writes the manifests, and the result of a clean build for each."""
    sample_people(root / "content")
    for number, name in enumerate(SITES):
        text = MANIFEST.format(title=name, network="", first=f"avatars/{number}.png", second="avatars/3.png")
        (root / "content" / f"{name}.yaml").write_text(text)
        run(program, "build", "--quiet", "--manifest", root / "content" / f"{name}.yaml",
            "--output", root / name, "--cache", root / f"{name}.cache")


def main():
    parser = argparse.ArgumentParser(prog="script/powercut", description=__doc__)
    parser.add_argument("--program", default=".build/release/sitegen", type=os.path.abspath)
    parser.add_argument("--cuts", type=int, default=200, help="number of copies of each file system")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="file systems, separated by commas")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # Only file systems with shared blocks can clone a file atomically.
        outer = folder / "outer.xfs"
        with open(outer, "wb") as file:
            file.truncate(8 << 30)
        run("mkfs.xfs", "-q", "-f", "-m", "reflink=1", outer)
        root = folder / "disks"
        mount(outer, root, "nouuid")
        try:
            prepare(options.program, root)
            bad = sum(cut(options, root, system, random.Random(f"{options.seed}{system}"))
                      for system in options.systems.split(","))
        finally:
            run("umount", root)
    sys.exit(1 if bad else 0)


main()
