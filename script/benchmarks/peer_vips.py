"""Renders with libvips: a process for each core, `thumbnail`, a cached mask and ring.

    peer_vips.py SOURCES TARGET JOBS usual|fast

`usual` uses the encoders' defaults; `fast` uses PNG compression 1 and WebP effort 2. The environment
sets VIPS_CONCURRENCY, the number of threads for a picture, to 1.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor

SCALES, POINTS, BORDER = (1, 2, 3), 64, 2
SETTINGS = {"usual": ({}, {}), "fast": ({"compression": 1}, {"effort": 2})}


def disc(size, radius):
    half = size / 2
    svg = (f'<svg width="{size}" height="{size}"><circle cx="{half}" cy="{half}" '
           f'r="{radius}" fill="#fff"/></svg>')
    return pyvips.Image.svgload_buffer(svg.encode())[3].copy_memory()


def masks(scale):
    size = POINTS * scale
    return disc(size, size / 2), disc(size, size / 2 - BORDER * scale)


MASKS = {}


def prepare():
    """Loads libvips in each process of the pool, because threads do not survive a fork."""
    global pyvips
    import pyvips
    MASKS.update({scale: masks(scale) for scale in SCALES})


def work(job):
    source, target, (png, webp) = job
    largest = POINTS * SCALES[-1]
    base = pyvips.Image.thumbnail(source, largest, height=largest, crop="centre").copy_memory()
    for scale in SCALES:
        size = POINTS * scale
        image = base if size == largest else base.thumbnail_image(size, height=size)
        if image.bands == 1:
            image = image.colourspace("srgb")
        outer, inner = MASKS[scale]
        # The ring is the part outside the inner disc.
        picture = inner.ifthenelse(image[:3], [255, 255, 255], blend=True)
        picture = picture.cast("uchar").bandjoin(outer).copy(interpretation="srgb").copy_memory()
        picture.pngsave(f"{target}@{scale}x.png", **png)
        picture.webpsave(f"{target}@{scale}x.webp", Q=80, **webp)


if __name__ == "__main__":
    sources, target, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    work_list = [(os.path.join(sources, name), os.path.join(target, name),
                  SETTINGS[sys.argv[4]])
                 for name in sorted(os.listdir(sources))]
    with ProcessPoolExecutor(jobs, initializer=prepare) as pool:
        list(pool.map(work, work_list, chunksize=8))
