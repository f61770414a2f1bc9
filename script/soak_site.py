"""A site with changing content, and its resource usage: processes, memory, files, rows."""

import collections
import os
import pathlib
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time

import site_check

HERE = pathlib.Path(__file__).parent
SAMPLES = HERE.parent / "content"
SMALL = """version: 1
site: { title: Sample people }
pages: { people: true }
avatars:
  - { name: round, size: 64, shape: circle, formats: [png, webp] }
users:
"""
SMALL_USER = "  - {{ id: p{0}, name: Person {0}, title: Gardener, avatar: [avatars/{1}, initials] }}\n"
ADDED_USER = "  - {{ id: added{0}, name: Added {0}, avatar: avatars/added{0}.png }}\n"


class Place:
    """A folder with changing content, an output, a cache and a TMPDIR."""

    def __init__(self, program, root, seed, isSmall):
        self.program, self.root, self.random = program, root, random.Random(seed)
        self.content, self.output, self.cache = root / "content", root / "output", root / ".sitegen"
        self.temporary, self.wrong = root / "tmp", []
        self.temporary.mkdir()
        shutil.copytree(SAMPLES / "avatars", self.content / "avatars")
        subprocess.run([HERE / "sample-people", "--users", "40", "--size", "160x160", root / "more"], check=True)
        names = sorted(os.listdir(self.content / "avatars"))
        self.pictures = [path.read_bytes() for folder in (self.content, root / "more")
                         for path in sorted((folder / "avatars").iterdir())]
        # Include files that are not pictures: empty, text and truncated ones.
        self.broken = [b"", b"no picture\n"] + [data[:len(data) // 2] for data in self.pictures[:4]]
        self.manifest = self.content / "manifest.yaml"
        if isSmall:
            names = names[:12]
            self.text = SMALL + "".join(SMALL_USER.format(*pair) for pair in enumerate(names))
        else:
            # `serve` always writes the pages about styles.
            self.text = (SAMPLES / "manifest.yaml").read_text().replace("pages: {", "pages: { styles: true,", 1)
        self.names = names
        self.values = {"title": 0, "size": 64, "person": 0, "added": 0}
        self.manifest.write_text(self.valid())

    def valid(self):
        """Returns the last valid manifest."""
        values = self.values
        text = self.text.replace("title: Sample people", f"title: Sample people {values['title']}")
        text = text.replace("size: 64", f"size: {values['size']}", 1)
        text = text.replace("title: Gardener", f"title: Gardener {values['person']}", 1)
        return text + "".join(ADDED_USER.format(number) for number in range(values["added"]))

    def save(self, path, data):
        """Saves a file as editors do: in place, by renaming another file, or after deleting it."""
        way = self.random.randrange(3)
        if way == 1:
            path.with_name(path.name + "~").write_bytes(data)
            path.with_name(path.name + "~").rename(path)
        else:
            if way == 2:
                path.unlink(missing_ok=True)
            path.write_bytes(data)

    def mend(self):
        """Removes all state that a build remembers, such as last good pictures."""
        for path in sorted((self.content / "avatars").iterdir()):
            if path.read_bytes() in self.broken:
                path.write_bytes(self.pictures[0])
        self.manifest.write_text(self.valid())

    def edit(self):
        """Makes a random change, which usually leaves the site buildable; returns its name."""
        choice = self.random
        what = choice.choice(
            ["title", "size", "person", "added", "picture", "picture", "no picture", "broken", "touch"])
        if what == "broken":
            text = self.valid().encode()
            end = choice.choice([b"", b": [", b"\xff"])
            self.save(self.manifest, text[:choice.randrange(len(text))] + end)
            return what
        if what in self.values:
            limit = {"size": (56, 72), "added": (0, 4)}.get(what, (0, 9))
            self.values[what] = choice.randint(*limit)
        elif what == "touch":
            (self.content / "avatars" / choice.choice(self.names)).touch()
        else:
            added = [f"added{number}.png" for number in range(self.values["added"])]
            path = self.content / "avatars" / choice.choice(self.names + added)
            if what == "no picture":
                path.unlink(missing_ok=True)
            else:
                self.save(path, choice.choice(self.pictures + self.broken))
        # Repair a broken manifest after any change.
        if self.manifest.read_text(errors="replace") != self.valid():
            self.save(self.manifest, self.valid().encode())
        return what

    # MARK: Running

    def environment(self, temporary=None):
        return {"PATH": os.environ["PATH"], "HOME": str(self.root),
                "TMPDIR": str(temporary or self.temporary)}

    def start(self, *words, temporary=None, said=subprocess.DEVNULL, limits=()):
        def limit():
            for kind, value in limits:
                resource.setrlimit(kind, (value, value))
        return subprocess.Popen(
            [self.program, *words], cwd=self.root, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            preexec_fn=limit if limits else None, env=self.environment(temporary))

    def run(self, *words):
        process = self.start(*words)
        return process.wait(120)

    def prune(self):
        """Removes unused pictures; tries again while a rebuild holds the lock."""
        for _ in range(50):
            with tempfile.TemporaryFile("w+", dir=self.root) as said:
                status = self.start("prune", "--max-age", "0", "--quiet", said=said).wait(120)
                said.seek(0)
                if status not in (0, 75):
                    self.wrong.append(f"prune exited with code {status}: {said.read()}")
            if status != 75:
                break
            time.sleep(0.1)
        return status == 0

    def fresh(self):
        """Returns the files of a clean build."""
        for name in ("fresh", "fresh-cache"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        status = self.run("build", "--quiet", "--output", "fresh", "--cache", "fresh-cache")
        if status not in (0, 1):
            self.wrong.append(f"the clean build exited with code {status}")
        return site_check.files(self.root / "fresh")

    def flaws(self, fresh):
        try:
            found = site_check.files(self.output)
        except FileNotFoundError:
            return ["it is being published"]
        return site_check.flaws(found) + site_check.differences(found, fresh)

    def paths(self):
        """Returns the paths that clients may request from the preview."""
        return ["/" + os.path.relpath(os.path.join(folder, name), self.output)
                for folder, _, names in os.walk(self.output) for name in names if name[0] != "."]

    # MARK: Measuring

    def processes(self):
        """Returns all processes with this TMPDIR, regardless of their parents."""
        found, mark = [], f"TMPDIR={self.root}/".encode()
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if mark in pathlib.Path("/proc", name, "environ").read_bytes():
                    found.append(int(name))
            except (OSError, ProcessLookupError):
                pass
        return found

    def cached(self):
        """Measures the cache and the output."""
        counts = collections.Counter(
            {"temporary names": 0, "blobs": 0, "MB of blobs": 0, "MB of databases": 0})
        for top in (self.cache, self.output):
            for folder, folders, names in os.walk(top):
                counts["temporary names"] += sum(site_check.TEMPORARY in name for name in names + folders)
                isStore = os.path.relpath(folder, self.cache).startswith("store")
                for name in names:
                    try:
                        size = os.stat(os.path.join(folder, name)).st_size / 1e6
                    except FileNotFoundError:
                        continue
                    if isStore:
                        counts["blobs"] += 1
                        counts["MB of blobs"] += size
                    elif ".sqlite" in name:
                        counts["MB of databases"] += size
        for path in self.cache.glob("*.sqlite"):
            counts.update(self.rows(path))
        return counts

    def rows(self, path):
        """Counts rows in a copy, because a build fails if it cannot lock the file."""
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            for _ in range(20):
                for part in ("", "-wal"):
                    try:
                        shutil.copyfile(f"{path}{part}", f"{folder}/copy{part}")
                    except FileNotFoundError:
                        pathlib.Path(f"{folder}/copy{part}").unlink(missing_ok=True)
                try:
                    database = sqlite3.connect(f"{folder}/copy")
                    try:
                        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
                        return {f"rows of {path.stem}.{name}": count for name, in tables.fetchall()
                                for count, in database.execute(f"SELECT count(*) FROM {name}")}
                    finally:
                        database.close()
                except sqlite3.Error:
                    # The file was changed during the copy.
                    time.sleep(0.05)
        return {}

    def held(self, pid):
        """Measures a process and its descendants."""
        counts, links = collections.Counter({"without sockets": 0, "watches": 0, "children": 0}), []
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                links.append(os.readlink(f"/proc/{pid}/fd/{name}"))
                if links[-1] == "anon_inode:inotify":
                    about = pathlib.Path(f"/proc/{pid}/fdinfo/{name}").read_text()
                    counts["watches"] += about.count("inotify wd:")
            except FileNotFoundError:
                pass
        counts["descriptors"] = len(links)
        counts["without sockets"] = sum(not link.startswith("socket:") for link in links)
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        counts["threads"] = int(re.search(r"Threads:\s+(\d+)", status)[1])
        counts["MB resident"] = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        for each in self.processes():
            try:
                text = pathlib.Path(f"/proc/{each}/smaps_rollup").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            counts["MB with children (PSS)"] += int(re.search(r"\nPss:\s+(\d+)", text)[1]) / 1024
            counts["children"] += each != pid
        counts["files in TMPDIR"] = self.temporaries()
        return counts

    def temporaries(self):
        return sum(len(names) + len(folders) for _, folders, names in os.walk(self.temporary))
