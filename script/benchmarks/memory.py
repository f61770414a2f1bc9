"""Measures a build's peak memory over all processes, for sources of 12 megapixels, half of them PNG."""

import argparse
import glob
import os
import shutil
import struct
import subprocess
import sys
import zlib

from measuring import SITEGEN, PeakMemory, folder

# Converts the PNG to a JPEG.
SEED = """version: 1
avatars: [{ name: jpeg, size: [4000, 3000], scales: [1], shape: square, formats: [jpeg], opaque: true }]
users: [{ id: seed, avatar: seed.png }]
"""


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width, height):
    """Draws smooth colour waves, so that rows differ but still compress."""
    rows = []
    for y in range(height):
        red, blue = y * 255 // height, (y * y // height) & 255
        block = bytes(v for x in range(256) for v in (red, (x + y) & 255, blue))
        rows.append(b"\0" + (block * (width // 256 + 1))[: width * 3])
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return [b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(b"".join(rows), 1)), chunk(b"IEND", b"")]


def main():
    parser = argparse.ArgumentParser(prog="script/bench memory", description=__doc__)
    parser.add_argument("--sources", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int, default=600, help="fail above this peak, in MB")
    options = parser.parse_args()

    site = folder("memory")
    pictures = os.path.join(site, "pictures")
    os.mkdir(pictures)
    head, data, end = png(4000, 3000)
    with open(os.path.join(site, "seed.png"), "wb") as file:
        file.write(head + data + end)
    with open(os.path.join(site, "seed.yaml"), "w") as file:
        file.write(SEED)
    subprocess.run([SITEGEN, "build", "--manifest", "seed.yaml", "--quiet"], cwd=site, check=True)
    with open(glob.glob(os.path.join(site, "output", "assets", "*", "*.jpg"))[0], "rb") as file:
        jpeg = file.read()
    for name in ("output", ".sitegen"):
        shutil.rmtree(os.path.join(site, name))
    # Same pixels, different bytes, so that every source is decoded.
    lines = ["id,avatar"]
    for number in range(options.sources):
        mark = f"{number:08}".encode()
        name = f"{number:05}.{'png' if number % 2 else 'jpg'}"
        with open(os.path.join(pictures, name), "wb") as file:
            if number % 2:
                file.write(head + chunk(b"tEXt", b"Comment\0" + mark) + data + end)
            else:
                file.write(jpeg[:2] + b"\xff\xfe" + struct.pack(">H", 2 + len(mark)) + mark + jpeg[2:])
        lines.append(f"user{number},pictures/{name}")
    with open(os.path.join(site, "users.csv"), "w") as file:
        file.write("\n".join(lines) + "\n")
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write("version: 1\nusers: { from: users.csv }\n")

    process = subprocess.Popen(
        [SITEGEN, "build", "--manifest", "manifest.yaml", "--jobs", str(options.jobs), "--quiet"],
        cwd=site)
    memory = PeakMemory(process.pid)
    status = process.wait()
    peak = memory.stop() / 1e6
    print(f"{options.sources} sources of 12 megapixels, {options.jobs} jobs: peak {peak:.0f} MB "
          f"(PSS of all processes, {memory.samples} samples), limit {options.limit} MB")
    if status != 0 or peak > options.limit:
        sys.exit(1)


if __name__ == "__main__":
    main()
