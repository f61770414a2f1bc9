"""Measures compile times in fresh copies of HEAD; needs an otherwise idle machine."""

import argparse
import os
import shutil
import subprocess

from measuring import folder, run

CHECK = ["--explicit-target-dependency-import-check", "error"]
RELEASE = ["swift", "build", "-c", "release", "--product", "sitegen", *CHECK]
DEBUG = ["swift", "build", "--product", "sitegen", *CHECK]
TESTS = ["swift", "build", "--build-tests", *CHECK]
SAMPLE = [".build/debug/sitegen", "build"]


def changed(copy):
    """Adds a function to a file in Gallery."""
    room = os.path.join(copy, "Sources/Gallery")
    files = [os.path.join(root, name) for root, _, names in os.walk(room) for name in names]
    file = max((name for name in files if name.endswith(".swift")), key=os.path.getsize)
    with open(file, "a") as source:
        source.write("\nfunc changedByTheBenchmark() -> Int { 1 }\n")
    return os.path.relpath(file, copy)


def main():
    parser = argparse.ArgumentParser(prog="script/bench compile", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", default=["release", "debug", "tests"],
        help="parts: release, debug (and the sample site, and one changed file), tests")
    options = parser.parse_args()

    print(f"{len(os.sched_getaffinity(0))} cores{'':26}{'wall':>9}{'CPU':>9}", flush=True)
    for part in options.parts:
        copy = os.path.join(folder(f"compile-{part}"), "copy")
        subprocess.run(["git", "clone", "--quiet", "--local", ".", copy], check=True)

        def measure(what, command):
            wall, cpu = run(command, cwd=copy)
            print(f"{what:33}{wall:7.1f} s{cpu:7.1f} s", flush=True)

        if part == "release":
            measure("the product, release", RELEASE)
        elif part == "debug":
            measure("the product, debug", DEBUG)
            measure("  it builds the sample site", SAMPLE)
            name = os.path.basename(changed(copy))
            measure(f"  after a change to {name[:-6][:15]}", DEBUG)
        elif part == "tests":
            measure("the product and all tests", TESTS)
        shutil.rmtree(os.path.dirname(copy))


if __name__ == "__main__":
    main()
