"""Runs sitegen for a long time, and checks that its resource usage does not grow.

Every few seconds, it measures descriptors, memory, threads, children, files in TMPDIR, and rows and
blobs in the cache. After a warm-up of a fifth of the time, it compares the first third of the samples
with the last. It compares medians, or minimums for resources that a rebuild uses only briefly. At the
end, the site must match that of a clean build, with nothing left behind. The seed sets the random
choices, but not their timing.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import site_check
from soak_clients import Clients
from soak_site import Place

# How much higher a value may be at the end: a fraction, plus an absolute amount.
ALLOWED = {
    "descriptors": (0.1, 8), "without sockets": (0, 2), "watches": (0, 2), "threads": (0, 4),
    "children": (0, 0), "MB resident": (0.1, 8), "MB with children (PSS)": (0.1, 8),
    "files in TMPDIR": (0, 0), "temporary names": (0, 0), "processes left": (0, 0),
    "MB of blobs": (0.25, 2), "MB of databases": (0.1, 1),
}
# The site itself grows and shrinks by a few people.
ROWS = (0.25, 32)
# A rebuild opens files and starts threads, so the minimum shows what stays in use between rebuilds.
OPENED = {"descriptors", "without sockets", "watches", "threads"}
# How many MB more than `build --watch` the preview may grow.
PAGES_KEPT = 16
# The number of samples between prunes; the cache is measured only after a prune.
PRUNE = 6


class Series:
    """The samples, and whether they stayed flat."""

    def __init__(self, keepsPages=False):
        self.samples, self.kept = [], PAGES_KEPT if keepsPages else 0

    def grown(self, rest=None):
        """Prints a line for each value; returns those that grew during the run, or from its idle start to its idle end."""
        samples, grown = self.samples[len(self.samples) // 5:], []
        print(f"{'':28}{'first':>9}{'last':>9}{'most':>9}{'allowed':>9}{'at rest':>17}")
        for name in dict.fromkeys(name for sample in samples for name in sample):
            values = [sample[name] for sample in samples if name in sample]
            third = max(len(values) // 3, 1)
            level = min if name in OPENED else statistics.median
            first, last = level(values[:third]), level(values[-third:])
            if rest and name in rest[0] and not name.startswith("MB"):
                # While a worker restarts, there are fewer processes and open files than at rest.
                first = max(first, rest[0][name])
            share, more = ALLOWED.get(name, ROWS)
            if name.startswith(("MB resident", "MB with")):
                more += self.kept
            most = first * (1 + share) + more
            isWrong = last > most
            line = f"{name:28}{first:9.4g}{last:9.4g}{max(values):9.4g}{most:9.4g}"
            if rest and name in rest[0]:
                # Memory may stay allocated; resources that can be closed must not stay open.
                isWrong |= rest[1][name] > rest[0][name] + more and not name.startswith("MB")
                line += f"{rest[0][name]:9.4g} →{rest[1][name]:6.4g}"
            print(line + ("  GROWN" if isWrong else ""))
            if isWrong:
                grown.append(f"{name} grew from {first:.4g} to {last:.4g}")
        return grown


def until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return condition()


def stay(place, options):
    """`serve` or `build --watch`, for many minutes."""
    isServe = options.mode == "serve"
    series = Series(keepsPages=isServe)
    said = place.root / "said"
    with open(said, "w") as out:
        words = ["serve", "--port", "0"] if isServe else ["build", "--watch"]
        process = place.start(*words, said=out)
    wrong, clients = place.wrong, None
    try:
        if not until(lambda: re.search(r"\d+ users", said.read_text()), 300):
            return [f"no first build: {said.read_text()}"], series, None, ""
        rest = [place.held(process.pid)]
        if isServe:
            port = int(re.search(r"http://[\d.]+:(\d+)/", said.read_text())[1])
            clients = Clients(port, options.seed)
        seconds, start = options.minutes * 60, time.monotonic()
        pause, edits = min(10, seconds / 60), 0
        while process.poll() is None and time.monotonic() < start + seconds:
            if time.monotonic() > start + pause * (len(series.samples) + 1):
                sample = place.held(process.pid)
                if len(series.samples) % PRUNE == 0 and place.prune():
                    sample.update(place.cached())
                series.samples.append(sample)
                if clients:
                    clients.paths = ["/"] + place.paths()
            place.edit()
            edits += 1
            time.sleep(place.random.choice([0.01, 0.1, 0.5, 1, 3]))
        wrong += settle(place, process, said)
        if clients:
            clients.end()
            wrong += [f"{count} × {what}" for what, count in clients.wrong.items()]
            if not clients.counts["events told"] or clients.most != 64:
                wrong.append(f"pages did not receive events, or {clients.most} waited at the same time instead of 64")
        if process.poll() is None:
            # Connections abandoned in the middle of a request end at their timeout.
            rest.append(place.held(process.pid))
            until(lambda: place.held(process.pid)["descriptors"] <= rest[0]["descriptors"], 40)
            rest[1] = place.held(process.pid)
            pages = [socket.create_connection(("127.0.0.1", port)) for _ in range(20 if isServe else 0)]
            for page in pages:
                page.sendall(f"GET /-/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(20)
        except subprocess.TimeoutExpired:
            status = "none within 20 s after SIGTERM"
        if status != 128 + signal.SIGTERM:
            wrong.append(f"exit code {status}: {said.read_text()[-2000:]}")
        what = f"{edits} edits, {len(re.findall('written', said.read_text()))} rebuilds"
        if clients:
            what += f", {sum(clients.counts.values())} responses: " + ", ".join(
                f"{count} {what}" for what, count in sorted(clients.counts.items()))
        return wrong, series, rest if len(rest) == 2 else None, what
    finally:
        process.kill()
        process.wait()


def settle(place, process, said):
    """Waits until a last valid manifest is published, then breaks the manifest; the site must stay as it is."""
    place.values["title"] = "the last"
    place.mend()
    fresh = place.fresh()
    if not until(lambda: process.poll() is not None or not place.flaws(fresh), 60):
        return place.flaws(fresh)[:10]
    length = len(said.read_text())
    place.manifest.write_text(place.valid() + "avatars: [")
    if not until(lambda: process.poll() is not None or "not built" in said.read_text()[length:], 60):
        return ["a broken manifest was not reported"]
    return place.flaws(fresh)[:10]


# MARK: Builds in sequence

# The command that `sitegen schedule` runs.
# `--allow-shrink` is added, because a truncated manifest may contain fewer people.
SCHEDULED = ["build", "--quiet", "--new-problems", "--allow-shrink"]
FAULTS = ["SIGKILL", "SIGTERM", "short files", "few descriptors", "full TMPDIR", "read-only output", "two"]


def disturbed(place, fault, usual):
    """Builds with a fault; returns the actual exit codes and the documented ones."""
    words, chance = SCHEDULED, place.random
    if fault == "two":
        processes = [place.start(*words), place.start(*words)]
        return [process.wait(120) for process in processes], (0, 1, 2, 75)
    if fault in ("SIGKILL", "SIGTERM"):
        number = getattr(signal, fault)
        process = place.start(*words)
        time.sleep(chance.random() * usual)
        process.send_signal(number)
        # The signal may arrive before sitegen can handle it.
        return [process.wait(120)], (0, 1, 2, -number, 128 + number)
    if fault == "short files":
        limits = [(resource.RLIMIT_FSIZE, chance.choice([0, 512, 4096, 65536]))]
        return [place.start(*words, limits=limits).wait(120)], (0, 1, 2, 3)
    if fault == "few descriptors":
        limits = [(resource.RLIMIT_NOFILE, chance.randrange(4, 40))]
        # With too few descriptors, the loader cannot open the libraries.
        return [place.start(*words, limits=limits).wait(120)], (0, 1, 2, 3, 127)
    if fault == "full TMPDIR":
        return [place.start(*words, temporary=place.root / "full").wait(120)], (0, 1, 2, 3)
    mount(place.output, "--bind", place.output)
    try:
        mount("-o", "remount,bind,ro", place.output)
        return [place.start(*words).wait(120)], (0, 1, 2, 3)
    finally:
        subprocess.run(["umount", place.output], check=True)


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def builds(place, options):
    """Builds a small site as a schedule would, a third of the time with faults; the site must stay complete."""
    (place.root / "full").mkdir()
    mount("-t", "tmpfs", "-o", "size=4k", "full", place.root / "full")
    (place.root / "full" / "file").write_bytes(bytes(4096))
    series, wrong, done = Series(), place.wrong, collections.Counter()
    usual, start, isUnfinished = 0.5, time.monotonic(), False
    for number in range(1, options.count + 1):
        if time.monotonic() > start + options.minutes * 60:
            break
        if place.random.random() < 0.8:
            done[f"edit: {place.edit()}"] += 1
        fault = place.random.choice(FAULTS) if place.random.random() < 0.35 and number > 1 else None
        began = time.monotonic()
        if fault:
            statuses, documented = disturbed(place, fault, usual)
        else:
            statuses, documented = [place.run(*SCHEDULED)], (0, 1, 2)
            usual = 0.9 * usual + 0.1 * (time.monotonic() - began)
        for status in statuses:
            done[f"{fault or 'no fault'}: {status}"] += 1
            if status not in documented:
                wrong.append(f"build {number} ({fault}) exited with code {status}")
        # Unfinished files may stay until a build succeeds.
        isUnfinished = any(status not in (0, 1) for status in statuses) and (isUnfinished or bool(fault))
        if place.output.exists():
            done["sites checked"] += 1
            wrong += [f"after build {number} ({fault}): {flaw}" for flaw in
                      site_check.flaws(site_check.files(place.output), unfinished=isUnfinished)[:5]]
        if number % options.every == 0:
            place.mend()
            status, left = place.run("build", "--quiet"), place.processes()
            if status not in (0, 1):
                wrong.append(f"the build after build {number} exited with code {status}")
            wrong += [f"after build {number}: {flaw}" for flaw in place.flaws(place.fresh())[:5]]
            # A killed worker's leftovers are removed when the next worker starts.
            place.run("doctor")
            place.prune()
            series.samples.append({**place.cached(), "files in TMPDIR": place.temporaries(),
                                   "processes left": len(left)})
            if options.verbose:
                print(number, round(time.monotonic() - start), dict(series.samples[-1]), flush=True)
    what = f"{number} builds of {usual:.2f} s; " + ", ".join(
        f"{count} × {what}" for what, count in sorted(done.items()))
    return wrong, series, None, what


def main():
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__)
    parser.add_argument("mode", choices=["serve", "watch", "builds"])
    parser.add_argument("--program", default=".build/release/sitegen", type=os.path.abspath)
    parser.add_argument("--minutes", type=float, default=60, help="duration; for builds, the maximum")
    parser.add_argument("--count", type=int, default=2000, help="number of builds")
    parser.add_argument("--every", type=int, default=50, help="number of builds between comparisons")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="print every sample of builds")
    options = parser.parse_args()
    # End all started processes together with this one.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="soak-") as root:
        place = Place(options.program, pathlib.Path(root).resolve(), options.seed, options.mode == "builds")
        try:
            wrong, series, rest, what = (builds if options.mode == "builds" else stay)(place, options)
            if not until(lambda: not place.processes(), 10):
                wrong.append(f"processes are left behind: {place.processes()}")
            place.run("doctor")
            wrong += [f"{path} is left behind" for path in place.temporary.rglob("*")][:5]
            left = place.cached()["temporary names"]
            if left:
                wrong.append(f"{left} temporary files are left behind")
        finally:
            if options.mode == "builds":
                subprocess.run(["umount", place.root / "full"], check=False)
    print(what)
    wrong += series.grown(rest)
    if len(series.samples) < 3:
        wrong.append("too few samples")
    for flaw in wrong[:50]:
        print("FAILED", flaw)
    print(f"{options.mode}: {len(series.samples)} samples, {len(wrong)} failures, --seed {options.seed}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
