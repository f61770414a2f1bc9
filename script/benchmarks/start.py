"""Measures start-up times: a trivial command, a build without changes, a first picture."""

import argparse
import os
import shutil

from measuring import SITEGEN, WORK, folder, median, run


def main():
    parser = argparse.ArgumentParser(prog="script/bench start", description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--against", metavar="PROGRAM", help="another sitegen, run alternately with this one")
    options = parser.parse_args()

    programs = [SITEGEN] + ([os.path.abspath(options.against)] if options.against else [])
    shutil.rmtree(os.path.join(WORK, "start"), ignore_errors=True)
    times = {}
    for number, program in enumerate(programs):
        sample = folder(f"start/{number}")
        shutil.copytree("content", os.path.join(sample, "content"))
        run([program, "build", "--quiet"], cwd=sample, accept=(0, 1))
    for turn in range(options.runs):
        for number, program in enumerate(programs):
            sample = os.path.join(WORK, "start", str(number))
            one = folder(f"start/{number}-{turn}")
            with open(os.path.join(one, "manifest.yaml"), "w", encoding="utf-8") as file:
                file.write("version: 1\navatars: [{ name: round, size: 16 }]\n"
                           "users: [{ id: a, name: A, avatar: initials }]\n")
            for name, words, place in (
                    ("version", ["version"], one),
                    ("the sample site again", ["build", "--quiet"], sample),
                    ("one picture", ["build", "--quiet", "-m", "manifest.yaml"], one)):
                times.setdefault(name, {}).setdefault(program, []).append(
                    run([program, *words], cwd=place, accept=(0, 1)))
    for name, found in times.items():
        for program, runs in found.items():
            walls, processors = zip(*runs)
            print(f"{name:22} {1000 * median(walls):6.1f} ms, "
                  f"{1000 * median(processors):6.1f} ms of CPU time  {program}")


if __name__ == "__main__":
    main()
