"""Measures how the cost of each command grows with the length of the list, for CSV and JSON Lines."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time

from measuring import SITEGEN, WORK, PeakMemory, folder
from noop import png

FIRST = ["Ada", "Béla", "Christina", "Dorothea", "Friederike", "Hannelore", "Ines", "Katharina",
         "Maximilian", "Nikolaus", "Ottokar", "Philippa", "Sebastian", "Theodora", "Uwe", "Zoë"]
LAST = ["Achterberg", "Brandstetter", "Cederström", "Dombrowski", "Fitzgerald", "Hammerschmidt",
        "Ivanović", "Jankowski", "Lindqvist", "Montgomery", "Nakamura", "Ng", "Richardson", "Vos"]
STAGES = ["check", "dry run", "first build", "build after it", "nothing changed", "one user changed",
          "one style renamed"]


def make_site(site, users, syntax, sharing):
    """Makes a site in which `sharing` users share each picture, with one style, one image and large pages."""
    chance = random.Random(7)
    pictures = max(users // sharing, 1)
    for picture in range(pictures):
        path = os.path.join(site, picture_of(picture))
        if picture % 1000 == 0:
            os.makedirs(os.path.dirname(path))
        side = chance.randint(8, 16)
        with open(path, "wb") as file:
            file.write(png(chance.randbytes(side * side * 3), side))
        os.utime(path, (1_700_000_000, 1_700_000_000))  # old enough to be trusted immediately
    with open(os.path.join(site, f"users.{syntax}"), "w") as file:
        if syntax == "csv":
            file.write("id,name,avatar\n")
        for number in range(users):
            user = {"id": f"user{number:07}", "name": f"{chance.choice(FIRST)} {chance.choice(LAST)}",
                    "avatar": picture_of(number % pictures)}
            file.write((",".join(user.values()) if syntax == "csv"
                        else json.dumps(user, ensure_ascii=False)) + "\n")
    rename(site, "round", syntax)


def picture_of(number):
    return f"pictures/{number // 1000:03}/{number:06}.png"


def rename(site, style, syntax):
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write("version: 1\npages: { size: 500 }\navatars:\n"
                   f"  - {{ name: {style}, size: 16, scales: [1], formats: [png] }}\n"
                   f"users: {{ from: users.{syntax} }}\n")


def change_user(site, users, syntax):
    """Gives the user in the middle of the list a different picture, in place."""
    path = os.path.join(site, f"users.{syntax}")
    with open(path, "rb+") as file:
        content = file.read()
        line = content.index(f"user{users // 2:07}".encode())
        at = content.index(b"pictures/", line)
        old = content[at:content.index(b".png", at)]
        new = picture_of(0 if b"/000001" in old else 1).encode()[:-4]
        assert old != new
        file.seek(at)
        file.write(new)


def measure(site, *words):
    """Runs sitegen; returns wall and CPU seconds, and the peak memory over all its processes."""
    start = time.monotonic()
    process = subprocess.Popen([SITEGEN, *words, "--manifest", "manifest.yaml"], cwd=site,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    memory = PeakMemory(process.pid, interval=0.02)
    words = process.stderr.read()
    # The workers have exited by now, so their parent's figures include them.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # If the run ends before it is sampled, use the peak of the largest process.
    peak = max(memory.stop(), usage.ru_maxrss * 1024)
    if process.returncode != 0:
        sys.exit(words.decode(errors="replace"))
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, peak


def stages(users, syntax, sharing):
    """Yields each stage's name and figures."""
    site = folder(f"scale/{users}-{syntax}")
    make_site(site, users, syntax, sharing)
    build = ["build"]

    def counters():
        with open(os.path.join(site, ".sitegen/report.json")) as file:
            report = json.load(file)
        return report["counters"] | {"upToDate": report["upToDate"]}

    yield STAGES[0], measure(site, "check")
    yield STAGES[1], measure(site, *build, "--dry-run")
    yield STAGES[2], measure(site, *build)
    time.sleep(4)  # stamps are trusted after 3 s
    yield STAGES[3], measure(site, *build)
    time.sleep(4)
    yield STAGES[4], measure(site, *build)
    assert counters()["upToDate"], counters()
    change_user(site, users, syntax)
    yield STAGES[5], measure(site, *build)
    assert counters()["renders"] == 0 and not counters()["upToDate"], counters()
    rename(site, "circle", syntax)
    yield STAGES[6], measure(site, *build)
    assert counters()["renders"] == 0 and not counters()["upToDate"], counters()


def main():
    parser = argparse.ArgumentParser(prog="script/bench scale", description=__doc__)
    parser.add_argument("users", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--syntax", choices=["csv", "jsonl"], action="append")
    parser.add_argument("--sharing", type=int, default=20, help="number of users per picture")
    parser.add_argument("--limit", type=int, default=600, help="fail above this peak, in MB")
    parser.add_argument("--keep", action="store_true", help="keep the sites")
    options = parser.parse_args()

    os.makedirs(WORK, exist_ok=True)
    need, room = max(options.users) * 4096, shutil.disk_usage(WORK).free
    if room < need:
        sys.exit(f"{WORK} needs {need / 1e9:.1f} GB, but only {room / 1e9:.1f} GB are free")
    worst = 0
    print("peak: the sum of all processes' proportional set sizes, sampled")
    print(f"{'users':>9} {'':5} {'stage':18}{'wall s':>9}{'CPU s':>9}{'MB':>7}{'ms/user':>9}")
    for users in options.users:
        for syntax in options.syntax or ["csv", "jsonl"]:
            for stage, (wall, processor, peak) in stages(users, syntax, options.sharing):
                worst = max(worst, peak / 1e6)
                print(f"{users:9} {syntax:5} {stage:18}{wall:9.2f}{processor:9.2f}"
                      f"{peak / 1e6:7.0f}{1000 * processor / users:9.3f}", flush=True)
            if not options.keep:
                shutil.rmtree(os.path.join(WORK, f"scale/{users}-{syntax}"))
    if worst > options.limit:
        sys.exit(f"the peak was {worst:.0f} MB; the limit is {options.limit} MB")


if __name__ == "__main__":
    main()
