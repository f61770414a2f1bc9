"""Compares a large build without changes with ninja's no-op build for the same edges and outputs."""

import argparse
import json
import os
import random
import struct
import subprocess
import time
import zlib

from measuring import SITEGEN, PeakMemory, folder, median, run


def png(pixels, side):
    """Returns a small RGB picture."""
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))
    rows = b"".join(b"\0" + pixels[i * side * 3:(i + 1) * side * 3] for i in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def make_site(site, users, pictures=None, side=8):
    """Makes a site with a picture for each user, or with `pictures` shared ones; the style has the pictures' size."""
    pictures = pictures or users
    chance = random.Random(7)
    os.mkdir(os.path.join(site, "pictures"))
    with open(os.path.join(site, "users.csv"), "w") as list_file:
        list_file.write("id,name,avatar\n")
        for number in range(users):
            picture = number % pictures
            shelf = f"pictures/{picture // 1000:03}"
            path = f"{shelf}/{picture:06}.png"
            if number < pictures:
                os.makedirs(os.path.join(site, shelf), exist_ok=True)
                with open(os.path.join(site, path), "wb") as file:
                    file.write(png(chance.randbytes(side * side * 3), side))
                # Backdate the file, so that its stamp is trusted immediately.
                os.utime(os.path.join(site, path), (1_700_000_000, 1_700_000_000))
            list_file.write(f"user{number:06},Sample {number},{path}\n")
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write(f"version: 1\navatars:\n  - {{ name: round, size: {side}, scales: [1, 2, 3] }}\n"
                   "users: { from: users.csv }\n")


def make_ninja(site, records):
    with open(os.path.join(site, "build.ninja"), "w") as file:
        file.write("rule keep\n  command = :\n\n")
        for source, outputs in records:
            file.write(f"build {' '.join('output/' + path for path in outputs)}: keep {source}\n")


def peak(command, cwd):
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    memory = PeakMemory(process.pid, interval=0.02)
    process.wait()
    return memory.stop()


def main():
    parser = argparse.ArgumentParser(prog="script/bench noop", description=__doc__)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))

    site = folder("noop")
    make_site(site, options.users)
    ours = [SITEGEN, "build", "--manifest", "manifest.yaml"]
    start = time.monotonic()
    run(ours, cwd=site)
    print(f"cold build of {options.users} users: {time.monotonic() - start:.0f} s")
    time.sleep(4)  # stamps are trusted after 3 s
    start = time.monotonic()
    run(ours, cwd=site)
    print(f"second build, which hashes young files: {time.monotonic() - start:.1f} s")

    with open(os.path.join(site, "output/assets.json")) as file:
        users = json.load(file)["users"]
    records = [(f"pictures/{number // 1000:03}/{number:06}.png",
                [record["path"] for record in users[f"user{number:06}"]["avatars"]["round"]])
               for number in range(options.users)]
    del users
    make_ninja(site, records)
    run(["ninja", "--quiet"], cwd=site)
    sweep = os.path.join(site, "statsweep")
    run(["cc", "-O2", "-o", sweep, os.path.join(here, "statsweep.c")])
    with open(os.path.join(site, "paths"), "w") as file:
        for source, outputs in records:
            file.write(source + "\n" + "".join(f"output/{path}\n" for path in outputs))

    rivals = {"sitegen": ours, "ninja": ["ninja", "--quiet"],
              "stat sweep": ["sh", "-c", f"{sweep} < paths"]}
    walls = {name: [] for name in rivals}
    for number in range(options.runs + 1):
        for name, command in rivals.items():
            wall, _ = run(command, cwd=site)
            if number > 0:
                walls[name].append(wall)
    with open(os.path.join(site, ".sitegen/report.json")) as file:
        report = json.load(file)
    assert report["upToDate"] and report["counters"]["sourcesRead"] == 0, report["counters"]
    print(f"nothing changed, {options.users} edges, {6 * options.users} outputs, "
          f"median of {options.runs} runs")
    for name, command in rivals.items():
        wall = median(walls[name])
        print(f"{name:12}{wall:7.2f} s{wall / median(walls['ninja']):7.2f} times ninja"
              f"{peak(command, site) / 1e6:8.0f} MB")


if __name__ == "__main__":
    main()
