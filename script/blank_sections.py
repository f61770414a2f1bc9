"""Overwrites sections of a program with zeros, in place; `strip -R` would also remove the read-only segment.

    python3 script/blank_sections.py FILE SECTION...
"""

import re
import subprocess
import sys


def main(path, *names):
    said = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
    with open(path, "r+b") as file:
        for name, offset, size in re.findall(r"\] (\S+) +\S+ +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) ", said):
            if name in names:
                file.seek(int(offset, 16))
                file.write(bytes(int(size, 16)))


if __name__ == "__main__":
    main(*sys.argv[1:])
