"""The Pillow way: a process pool, `draft`, a fit with Lanczos, a cached mask and ring.

    peer_pillow.py SOURCES TARGET JOBS GAP CHUNK usual|fast

GAP is `reducing_gap` of `resize` (0 for none), CHUNK how many pictures a process takes at once.
PNG is written with Pillow's defaults, or fast: at level 1 with runs alone, for 4 % more bytes.
Pixels outside the inner circle become white before the alpha is put, so PNG packs the corners well.
"""

import multiprocessing
import os
import sys

from PIL import Image, ImageDraw, ImageOps

SCALES, POINTS, BORDER = (1, 2, 3), 64, 2
PNG = {"usual": {}, "fast": {"compress_level": 1, "compress_type": 3}}
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
    """The box of the middle square."""
    side = min(image.size)
    left, top = (image.width - side) / 2, (image.height - side) / 2
    return left, top, left + side, top + side


def work(job):
    source, target, gap, png = job
    with Image.open(source) as image:
        image.draft("RGB", (POINTS * SCALES[-1], POINTS * SCALES[-1]))
        image = ImageOps.exif_transpose(image).convert("RGB")
    box = square(image)
    for scale in SCALES:
        size = POINTS * scale
        outer, around = masks(size, BORDER * scale)
        picture = image.resize((size, size), Image.Resampling.LANCZOS, box=box, reducing_gap=gap)
        picture.paste((255, 255, 255), mask=around)
        picture.putalpha(outer)
        picture.save(f"{target}@{scale}x.png", **png)
        picture.save(f"{target}@{scale}x.webp", quality=80, method=4)


if __name__ == "__main__":
    sources, target, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    gap, chunk = float(sys.argv[4]) or None, int(sys.argv[5])
    work_list = [(os.path.join(sources, name), os.path.join(target, name), gap,
                  PNG[sys.argv[6]])
                 for name in sorted(os.listdir(sources))]
    with multiprocessing.Pool(jobs) as pool:
        for _ in pool.imap_unordered(work, work_list, chunksize=chunk):
            pass
