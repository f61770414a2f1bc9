"""Measures the cost of publishing a file, excluding its pixels: CPU time and system calls in a cold build."""

import argparse
import os
import re

from measuring import SITEGEN, folder, median, run
from noop import make_site

BUILD = [SITEGEN, "build", "--manifest", "manifest.yaml"]
FILES = 6  # for each user


def calls(site, count):
    """Returns how often each system call was made and failed, over all processes in a build."""
    table = os.path.join(site, "calls")
    run(["strace", "-f", "-c", "-U", "name,calls,errors", "-o", table, *BUILD], cwd=site)
    with open(table) as file:
        lines = re.findall(r"^(\w+) +(\d+) *(\d*) *$", file.read(), re.MULTILINE)
    return {name: (int(all) / count, int(failed or 0) / count) for name, all, failed in lines}


def main():
    parser = argparse.ArgumentParser(prog="script/bench files", description=__doc__)
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--traced", type=int, default=2_000, help="number of users in the build under strace")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()

    top = folder("files")
    # Do not reuse folders: ext4 is slow for several seconds in folders where many files were deleted.
    walls, processors = [], []
    for number in range(options.runs):
        site = os.path.join(top, str(number))
        os.mkdir(site)
        make_site(site, options.users, side=16)
        wall, processor = run(BUILD, cwd=site)
        walls.append(wall)
        processors.append(processor)
    print(f"cold build of {options.users} users with {FILES} files each, median of {options.runs}: "
          f"{median(walls):.1f} s, {median(processors):.1f} s of CPU time; "
          f"{1000 * median(walls) / options.users:.2f} and "
          f"{1000 * median(processors) / options.users:.2f} ms per user")

    site = os.path.join(top, "traced")
    os.mkdir(site)
    make_site(site, options.traced, side=16)
    found = calls(site, options.traced * FILES)
    total = found.pop("total")
    print(f"system calls per published file: {total[0]:.1f}, of which {total[1]:.1f} fail")
    for name, (each, failed) in sorted(found.items(), key=lambda entry: -entry[1][0]):
        if each >= 0.05:
            print(f"  {name:16}{each:7.2f}{f'  ({failed:.2f} fail)' if failed >= 0.05 else ''}")


if __name__ == "__main__":
    main()
