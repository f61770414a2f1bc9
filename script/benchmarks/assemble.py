"""Writes all pages again and renders no picture: the site's title changes, so every page does."""

import argparse
import json
import os
import subprocess
import time

from measuring import SITEGEN, PeakMemory, folder, median, run, tree_bytes
from noop import make_site

# The files that change with a title, and the data that programs read.
PAGES = {"HTML": ".html", "data for finding": ".js", "assets.json": "assets.json"}


def title(site, number, pages):
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write(f"version: 1\nsite: {{ title: Team {number} }}\npages: {{ {pages} }}\n"
                   "avatars:\n  - { name: round, size: 8, scales: [1, 2, 3] }\n"
                   "users: { from: users.csv }\n")


def main():
    parser = argparse.ArgumentParser(prog="script/bench assemble", description=__doc__)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--pictures", type=int, help="number of shared pictures [default: one each]")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pages", default="", help="the keys of `pages`, such as 'people: true'")
    parser.add_argument("--keep", action="store_true", help="use the site of the run before")
    options = parser.parse_args()

    command = [SITEGEN, "build", "--manifest", "manifest.yaml", "--progress", "none"]
    site = folder("assemble", fresh=not options.keep)
    if not os.path.exists(os.path.join(site, "users.csv")):
        make_site(site, options.users, options.pictures)
    title(site, "zero", options.pages)
    start = time.monotonic()
    run(command, cwd=site)
    print(f"cold build of {options.users} users: {time.monotonic() - start:.0f} s")

    walls, stages, peaks = [], [], []
    for number in range(options.runs):
        # The next build checks the written files again unless their stamps are 3 s old.
        time.sleep(4)
        run(command, cwd=site)
        title(site, number, options.pages)
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=site, stdout=subprocess.DEVNULL)
        memory = PeakMemory(process.pid, interval=0.02)
        process.wait()
        peaks.append(memory.stop())
        walls.append(time.monotonic() - start)
        with open(os.path.join(site, ".sitegen/report.json")) as file:
            report = json.load(file)
        assert process.returncode == 0 and report["counters"]["renders"] == 0, report["counters"]
        stages.append(report["seconds"])
    output = os.path.join(site, "output")
    pages = sum(name.endswith(".html") for _, _, names in os.walk(output) for name in names)
    print(f"another title, {options.users} users, {pages} pages, "
          f"{report['counters']['written']} files written, median of {options.runs} runs")
    for stage in stages[0]:
        print(f"  {stage:26}{median([each[stage] for each in stages]):7.2f} s")
    print(f"  {'the whole build':26}{median(walls):7.2f} s")
    print(f"  {'peak memory':26}{max(peaks) / 1e6:7.0f} MB")
    for name, suffix in PAGES.items():
        print(f"  {name:26}{tree_bytes(output, [suffix]) / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
