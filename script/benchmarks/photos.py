"""Portrait-like photos from the openly licensed samples that scikit-image ships.

Deterministic: the same count gives the same files. 85 % JPEG, 10 % PNG, 5 % WebP.
"""

import glob
import io
import os
import random
import zipfile

import numpy
from PIL import Image

SAMPLES = ["astronaut.png", "chelsea.png", "coffee.png", "motorcycle_left.png",
           "motorcycle_right.png", "rocket.jpg", "hubble_deep_field.jpg", "retina.jpg"]
SIZES = [(400, 400), (480, 640), (600, 600), (640, 480), (800, 800), (900, 1200),
         (1200, 900), (1600, 1200)]


def samples(wheels):
    wheel = sorted(glob.glob(os.path.join(wheels, "scikit_image-*.whl")))[-1]
    with zipfile.ZipFile(wheel) as archive:
        for name in SAMPLES:
            yield Image.open(io.BytesIO(archive.read(f"skimage/data/{name}"))).convert("RGB")


def photo(image, size, chance):
    """Crops a sample to a size, with the fine grain of a sensor."""
    width, height = size
    part = chance.uniform(0.6, 1.0)
    scale = min(image.width / width, image.height / height) * part
    crop = (int(width * scale), int(height * scale))
    left = chance.randrange(image.width - crop[0] + 1)
    top = chance.randrange(image.height - crop[1] + 1)
    box = (left, top, left + crop[0], top + crop[1])
    picture = image.resize(size, Image.Resampling.BICUBIC, box=box)
    grain = numpy.random.default_rng(chance.randrange(1 << 32)).normal(0, 3, (height, width, 1))
    pixels = numpy.clip(numpy.asarray(picture, dtype=numpy.float32) + grain, 0, 255)
    return Image.fromarray(pixels.astype(numpy.uint8))


def make(folder, count, wheels, seed=1):
    images = list(samples(wheels))
    chance = random.Random(seed)
    for number in range(count):
        picture = photo(images[number % len(images)], SIZES[number // 8 % 8], chance)
        kind = number % 20
        if kind < 17:
            picture.save(os.path.join(folder, f"{number:05}.jpg"), quality=chance.choice([85, 90, 95]))
        elif kind < 19:
            picture.save(os.path.join(folder, f"{number:05}.png"))
        else:
            picture.save(os.path.join(folder, f"{number:05}.webp"), quality=90)
