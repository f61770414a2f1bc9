"""Initials of distinct people beside as many photos: the time that one avatar takes."""

import argparse
import json
import os
import shutil

import photos
from measuring import SITEGEN, WORK, folder, median, run

FIRST = ["Ada", "Boris", "Chloé", "Dmitri", "Émile", "Fatima", "Grace", "Hana", "Ivo", "Jana",
         "Kofi", "Łucja", "Mia", "Noor", "Ömer", "Priya", "Quentin", "Rosa", "Søren", "Tove"]
LAST = ["Archer", "Brontë", "Cruz", "Dvořák", "Evans", "Fischer", "García", "Hopper", "Ito",
        "Jensen", "Kovač", "Lovelace", "Müller", "Nowak", "Okafor", "Pereira", "Rossi", "Smith",
        "Torvalds", "Wójcik", "Young", "Zhou"]
STYLE = ["version: 1", "avatars:", "  - name: round", "    size: 64", "    scales: [1, 2, 3]",
         "    formats: [png, webp]", '    border: { width: 2, color: "#fff" }', "users:"]


def write(site, users):
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write("\n".join(STYLE + users) + "\n")


def measure(site, jobs):
    command = [SITEGEN, "build", "--manifest", os.path.join(site, "manifest.yaml"), "--output",
               os.path.join(site, "output"), "--cache", os.path.join(site, "cache"), "--jobs",
               str(jobs), "--quiet"]
    for name in ("output", "cache"):
        shutil.rmtree(os.path.join(site, name), ignore_errors=True)
    wall, cpu = run(command)
    with open(os.path.join(site, "cache", "report.json"), encoding="utf-8") as file:
        return wall, cpu, json.load(file)["counters"]["renders"]


def main():
    parser = argparse.ArgumentParser(prog="script/bench initials", description=__doc__)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()

    letters = folder("initials")
    # Each has its own ground, because equal initials would be one picture.
    write(letters, [
        f"  - {{ id: u{number}, name: {FIRST[number % 20]} {LAST[number // 20 % 22]}, "
        f'avatar: initials, background: "#{number * 2654435761 % (1 << 24):06x}" }}'
        for number in range(options.people)])
    camera = folder("initials-photos")
    os.mkdir(os.path.join(camera, "photos"))
    photos.make(os.path.join(camera, "photos"), options.people, os.path.join(WORK, "packages"))
    write(camera, [
        f"  - {{ id: {json.dumps(name)}, avatar: {json.dumps('photos/' + name)} }}"
        for name in sorted(os.listdir(os.path.join(camera, "photos")))])
    sites = {"initials": letters, "photos": camera}
    walls = {name: [] for name in sites}
    cpus = {name: [] for name in sites}
    renders = {}
    for number in range(options.runs + 1):
        for name, site in sites.items():
            wall, cpu, renders[name] = measure(site, options.jobs)
            if number > 0:  # the first round warms the page cache
                walls[name].append(wall)
                cpus[name].append(cpu)

    print(f"{options.people} people, 6 files each, {options.jobs} jobs, "
          f"median of {options.runs} runs")
    print(f"{'':10}{'wall s':>8}{'cpu s':>8}{'cpu ms each':>13}{'files made':>12}")
    for name in sites:
        wall, cpu = median(walls[name]), median(cpus[name])
        print(f"{name:10}{wall:8.2f}{cpu:8.2f}{cpu / options.people * 1000:13.2f}"
              f"{renders[name]:12}")
    ratio = median(cpus["initials"]) / median(cpus["photos"])
    print(f"time of initials over that of photos: {ratio:.2f}")


if __name__ == "__main__":
    main()
