"""Renders with Pillow: a process for each core, `draft`, Lanczos, a cached mask and ring.

    peer_pillow.py SOURCES TARGET JOBS usual|best

`usual` uses Pillow's encoder defaults. `best` uses WebP method 2, and PNG level 1 with run-length
encoding only. `reducing_gap` first reduces large pictures in one step, before Lanczos.
Pixels outside the inner circle become white before the alpha is set, so that PNG compresses the corners well.
"""

import multiprocessing
import os
import sys

from PIL import Image, ImageDraw, ImageOps

SCALES, POINTS, BORDER = (1, 2, 3), 64, 2
PNG = {"compress_level": 1, "compress_type": 3}
MASKS = {}


def disc(size, edge):
    big = size * 8
    mask = Image.new("L", (big, big), 0)
    ImageDraw.Draw(mask).ellipse((edge * 8, edge * 8, big - 1 - edge * 8, big - 1 - edge * 8), 255)
    return mask.resize((size, size), Image.Resampling.BOX)


def masks(size, border):
    if size not in MASKS:
        MASKS[size] = (disc(size, 0), ImageOps.invert(disc(size, border)))
    return MASKS[size]


def square(image):
    """Returns the box of the centre square."""
    side = min(image.size)
    left, top = (image.width - side) / 2, (image.height - side) / 2
    return left, top, left + side, top + side


def work(job):
    source, target, setting = job
    png, method = ({}, 4) if setting == "usual" else (PNG, 2)
    with Image.open(source) as image:
        image.draft("RGB", (POINTS * SCALES[-1], POINTS * SCALES[-1]))
        image = ImageOps.exif_transpose(image).convert("RGB")
    box = square(image)
    for scale in SCALES:
        size = POINTS * scale
        outer, around = masks(size, BORDER * scale)
        picture = image.resize((size, size), Image.Resampling.LANCZOS, box=box, reducing_gap=2)
        picture.paste((255, 255, 255), mask=around)
        picture.putalpha(outer)
        picture.save(f"{target}@{scale}x.png", **png)
        picture.save(f"{target}@{scale}x.webp", quality=80, method=method)


if __name__ == "__main__":
    sources, target, jobs, setting = *sys.argv[1:3], int(sys.argv[3]), sys.argv[4]
    work_list = [(os.path.join(sources, name), os.path.join(target, name), setting)
                 for name in sorted(os.listdir(sources))]
    with multiprocessing.Pool(jobs) as pool:
        for _ in pool.imap_unordered(work, work_list, chunksize=8):
            pass
