"""Shared code for the benchmarks: runs commands, and measures wall time, CPU time and peak memory."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

SITEGEN = os.path.abspath(os.environ.get("SITEGEN") or ".build/release/sitegen")
WORK = os.path.abspath(".build/bench")


def folder(name, fresh=True):
    """Returns a folder for this benchmark, empty if `fresh`."""
    path = os.path.join(WORK, name)
    if fresh and os.path.exists(path):
        shutil.rmtree(path)
    os.makedirs(path, exist_ok=True)
    return path


def run(command, cwd=None, env=None, accept=(0,)):
    """Runs a command; returns wall and CPU seconds, including those of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = subprocess.run(
        command, cwd=cwd, env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in accept:
        sys.stderr.write(result.stdout.decode(errors="replace"))
        raise SystemExit(f"{command[0]} exited with code {result.returncode}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, cpu


def instructions(command, env=None):
    """Returns the user-space instructions of a command and its children; None if not counted."""
    with tempfile.NamedTemporaryFile("r", dir=WORK) as file:
        run(["perf", "stat", "-x", ";", "-o", file.name, "-e", "instructions:u", *command], env=env)
        counts = [line.split(";")[0] for line in file if ";" in line]
    return int(counts[0]) if counts and counts[0].isdigit() else None


def median(values):
    return statistics.median(values)


def tree_bytes(path, suffixes=("",)):
    total = 0
    for root, _, files in os.walk(path):
        for name in files:
            if name.endswith(tuple(suffixes)):
                total += os.path.getsize(os.path.join(root, name))
    return total


class PeakMemory:
    """Samples the proportional set size of a process and all its descendants."""

    def __init__(self, pid, interval=0.05):
        self.pid, self.interval = pid, interval
        self.peak = 0
        self.samples = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._sample)
        self.thread.start()

    def stop(self):
        self.stopped.set()
        self.thread.join()
        return self.peak

    def _sample(self):
        while not self.stopped.is_set():
            total = sum(self._pss(pid) for pid in self._family())
            self.peak = max(self.peak, total)
            self.samples += 1
            self.stopped.wait(self.interval)

    def _family(self):
        family, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            family.append(pid)
            try:
                for task in os.listdir(f"/proc/{pid}/task"):
                    with open(f"/proc/{pid}/task/{task}/children") as children:
                        waiting += [int(child) for child in children.read().split()]
            except OSError:
                pass
        return family

    @staticmethod
    def _pss(pid):
        try:
            with open(f"/proc/{pid}/smaps_rollup") as lines:
                for line in lines:
                    if line.startswith("Pss:"):
                        return int(line.split()[1]) * 1024
        except OSError:
            pass
        return 0
