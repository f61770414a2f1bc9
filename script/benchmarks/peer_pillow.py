"""The Pillow way: a process pool, `draft`, `ImageOps.fit` with Lanczos, a cached mask and ring."""

import multiprocessing
import os
import sys

from PIL import Image, ImageDraw, ImageOps

SCALES, POINTS, BORDER = (1, 2, 3), 64, 2
MASKS = {}


def masks(size, border):
    if size not in MASKS:
        big = size * 8
        disc = Image.new("L", (big, big), 0)
        ImageDraw.Draw(disc).ellipse((0, 0, big - 1, big - 1), fill=255)
        hole = disc.copy()
        edge = border * 8
        ImageDraw.Draw(hole).ellipse((edge, edge, big - 1 - edge, big - 1 - edge), fill=0)
        MASKS[size] = [mask.resize((size, size), Image.Resampling.BOX) for mask in (disc, hole)]
    return MASKS[size]


def work(job):
    source, target = job
    with Image.open(source) as image:
        image.draft("RGB", (POINTS * 3, POINTS * 3))
        image = ImageOps.exif_transpose(image).convert("RGB")
        for scale in SCALES:
            size = POINTS * scale
            disc, ring = masks(size, BORDER * scale)
            picture = ImageOps.fit(image, (size, size), Image.Resampling.LANCZOS)
            picture.paste((255, 255, 255), mask=ring)
            picture.putalpha(disc)
            picture.save(f"{target}@{scale}x.png")
            picture.save(f"{target}@{scale}x.webp", quality=80, method=4)


if __name__ == "__main__":
    sources, target, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    work_list = [(os.path.join(sources, name), os.path.join(target, name))
                 for name in sorted(os.listdir(sources))]
    with multiprocessing.Pool(jobs) as pool:
        pool.map(work, work_list, chunksize=4)
