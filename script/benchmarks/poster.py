"""A poster of many people with photos: what it adds to their build, and how large it is."""

import argparse
import json
import os
import shutil

import photos
from measuring import SITEGEN, WORK, folder, median, run


def write(site, people, poster):
    lines = ["version: 1", "notices: off", "avatars: [{ name: round, size: 40, scales: [1, 2] }]",
             "exports: [poster]" if poster else "exports: []", "users:"]
    lines += [f"  - {{ id: u{number}, name: Sample Person {number}, "
              f"avatar: {json.dumps('photos/' + name)}, link: https://example.org/{number} }}"
              for number, name in enumerate(people)]
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(prog="script/bench poster", description=__doc__)
    parser.add_argument("--people", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()

    site = folder("poster")
    os.mkdir(os.path.join(site, "photos"))
    photos.make(os.path.join(site, "photos"), options.people, os.path.join(WORK, "packages"))
    people = sorted(os.listdir(os.path.join(site, "photos")))
    output = os.path.join(site, "output")
    command = [SITEGEN, "build", "--manifest", os.path.join(site, "manifest.yaml"), "--output",
               output, "--cache", os.path.join(site, "cache"), "--jobs", str(options.jobs),
               "--quiet"]
    walls = {False: [], True: []}
    for _ in range(options.runs):
        for name in ("output", "cache"):
            shutil.rmtree(os.path.join(site, name), ignore_errors=True)
        for poster in (False, True):
            write(site, people, poster)
            walls[poster].append(run(command)[0])

    print(f"{options.people} people, {options.jobs} jobs, median of {options.runs} runs")
    print(f"their build: {median(walls[False]):.2f} s")
    print(f"then the poster: {median(walls[True]):.2f} s")
    for name in sorted(os.listdir(output)):
        if name.startswith("poster"):
            print(f"{name:22}{os.path.getsize(os.path.join(output, name)):12,} bytes")


if __name__ == "__main__":
    main()
