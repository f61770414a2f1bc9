"""Compares four shards and the last build with one cold build; with --large, runs one shard of a large site."""

import argparse
import json
import os
import shutil
import subprocess
import sys

from measuring import SITEGEN, WORK, folder, median, run
from scale import make_site, measure

SHARDS = 4
STYLE = '  - { name: round, size: 64, scales: [1, 2, 3], formats: [png, webp], border: { width: 2, color: "#fff" } }\n'


def write_site(site, options):
    place = os.path.join(site, "photos")
    if options.pictures:
        shutil.copytree(options.pictures, place)
    else:
        import photos  # needs Pillow
        os.mkdir(place)
        photos.make(place, options.people, os.path.join(WORK, "packages"), "rosters")
    names = sorted(os.listdir(place))
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write("version: 1\navatars:\n" + STYLE + "users:\n")
        for name in names:
            file.write(f"  - {{ id: {json.dumps(name)}, avatar: {json.dumps('photos/' + name)} }}\n")
    return len(names)


def build(site, name, *words):
    """Returns the command for a build with a separate output and cache."""
    return [SITEGEN, "build", site, "--output", os.path.join(site, name), "--cache",
            os.path.join(site, name + "-cache"), "--quiet", *map(str, words)]


def processor():
    times = os.times()
    return times.children_user + times.children_system


def render(site, name, store, cores):
    """Runs all shards, one per core at a time; returns their CPU time."""
    before, waiting, running = processor(), list(range(1, SHARDS + 1)), []
    while waiting or running:
        while waiting and len(running) < cores:
            number = waiting.pop(0)
            running.append(subprocess.Popen(build(
                site, f"{name}-{number}", "--store", store, "--shard", f"{number}/{SHARDS}", "--jobs", 1)))
        pid, status = os.wait()
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            sys.exit("a shard failed")
        running = [process for process in running if process.pid != pid]
    return processor() - before


def compare(options):
    site = folder("shards")
    people = write_site(site, options)
    cores = len(os.sched_getaffinity(0))
    rows = []
    for number in range(options.runs):
        # Do not delete files between runs: ext4 then searches longer for free inodes.
        store, cold, last = (os.path.join(site, f"{name}-{number}") for name in ["store", "cold", "last"])
        os.mkdir(store)
        accepted = (0, 1)
        cold_wall, cold_cpu = run(build(site, cold, "--jobs", cores), accept=accepted)
        shards = render(site, f"shard-{number}", store, cores)
        last_wall, last_cpu = run(build(site, last, "--store", store, "--jobs", cores), accept=accepted)
        if subprocess.run(["diff", "-rq", "-x", ".sitegen*", cold, last]).returncode != 0:
            sys.exit("the sites differ")
        with open(last + "-cache/report.json", encoding="utf-8") as file:
            counters = json.load(file)["counters"]
        rows.append((cold_wall, cold_cpu, shards, last_wall, last_cpu))
    cold_wall, cold_cpu, shards, last_wall, last_cpu = (median(column) for column in zip(*rows))
    print(f"{people} people, 6 files each; {cores} cores, medians of {options.runs}; the sites are identical\n")
    print("| | wall s | CPU s | ratio to the cold build |\n|---|---|---|---|")
    print(f"| cold build | {cold_wall:.2f} | {cold_cpu:.2f} | 1 |")
    print(f"| {SHARDS} shards, {cores} at a time | | {shards:.2f} | {shards / cold_cpu:.2f} |")
    print(f"| last build | {last_wall:.2f} | {last_cpu:.2f} | "
          f"{last_wall / cold_wall:.2f} wall, {last_cpu / cold_cpu:.2f} CPU |")
    print(f"\nthe last build: {counters['renders']} images rendered, {counters['storeHits']} from the store,"
          f" {counters['fetched']} fetched")
    bounds = [("the shards", shards / cold_cpu, 1.08), ("the last build", last_cpu / cold_cpu, 0.35),
              ("the last build's wall time", last_wall / cold_wall, 0.35), ("renders", counters["renders"], 0)]
    over = [f"{name} {value:.2f} > {bound}" for name, value, bound in bounds if value > bound]
    if over:
        sys.exit("over the limit: " + ", ".join(over))


def large(options):
    """Runs one of a hundred shards of a site without pages, in which every twenty people share a picture."""
    site = folder("shards-large")
    make_site(site, options.large, "csv", 20)
    path = os.path.join(site, "manifest.yaml")
    with open(path) as file:
        text = file.read().replace("pages: { size: 500 }", "pages: false")
    with open(path, "w") as file:
        file.write(text)
    os.mkdir(os.path.join(site, "store"))
    wall, cpu, peak = measure(site, "build", "--store", "store", "--shard", "1/100", "--quiet")
    print(f"{options.large:,} people, shard 1 of 100: {wall:.1f} s, {cpu:.1f} s of CPU time, "
          f"{peak / 1e6:.0f} MB at the peak")
    if peak > 1.5e9 * max(options.large / 1e6, 1):
        sys.exit("over the limit: 1.5 GB for a million people")


def main():
    parser = argparse.ArgumentParser(prog="script/bench shards", description=__doc__)
    parser.add_argument("--people", type=int, default=1200)
    parser.add_argument("--pictures", help="a folder with a picture for each person")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--large", type=int, help="run one shard of a site with this many people")
    options = parser.parse_args()
    large(options) if options.large else compare(options)


if __name__ == "__main__":
    main()
