"""Makes sets of pictures for the benchmarks, cut from openly licensed photographs in packages.

Each picture is a section of a photograph around its subject. It may be scaled down, but never up,
and nothing is added to it. The same set, count and seed produce the same files.

  photos   8 sizes from 400 x 400 to 1600 x 1200; 85% JPEG, 10% PNG, 5% WebP
  rosters  modelled on 1,204 pictures from real rosters: small, square, heavily compressed
"""

import collections
import glob
import io
import os
import random
import shutil
import sys
import zipfile

from PIL import Image, ImageCms, JpegImagePlugin

# Photographs, with their subject's distance from the left and from the top. script/bench downloads
# the packages.
WHEELS = {
    # scikit-image: CC0 or public domain.
    "skimage/data/astronaut.png": (0.44, 0.24), "skimage/data/chelsea.png": (0.52, 0.40),
    "skimage/data/coffee.png": (0.50, 0.50), "skimage/data/motorcycle_left.png": (0.50, 0.55),
    "skimage/data/motorcycle_right.png": (0.50, 0.55), "skimage/data/rocket.jpg": (0.50, 0.50),
    "skimage/data/hubble_deep_field.jpg": (0.50, 0.50), "skimage/data/retina.jpg": (0.50, 0.50),
    # scikit-learn: CC BY 2.0.
    "sklearn/datasets/images/china.jpg": (0.50, 0.50),
    "sklearn/datasets/images/flower.jpg": (0.50, 0.50),
}
DEBIAN = {
    # lomiri-wallpapers-16.04: CC BY 4.0, CC BY-SA 4.0 or CC0.
    "Bridge_by_Sander_Klootwijk.jpg": (0.60, 0.40), "Dragonfly_by_Bolly.jpg": (0.50, 0.50),
    "Picture_0B_by_freespace.jpg": (0.50, 0.50), "Picture_1A_by_freespace.jpg": (0.40, 0.40),
    "Wine_by_Jakkub_Mede.jpg": (0.40, 0.70), "aitzgorri_by_Aitzol_Berasategi.jpg": (0.50, 0.60),
    "free_by_Peter_Nerlich.jpg": (0.50, 0.55), "friends_by_Aitzol_Berasategi.jpg": (0.70, 0.35),
    "greentock_by_Peter_Nerlich.jpg": (0.55, 0.50), "life_by_Aitzol_Berasategi.jpg": (0.50, 0.50),
    "picosdeeuropa_by_Aitzol_Berasategi.jpg": (0.60, 0.40),
    "seeding_by_Clements_Engelhardt.jpg": (0.55, 0.50),
    "sunset_by_Aitzol_Berasategi.jpg": (0.55, 0.55),
    # mate-backgrounds: GPL 2 or later.
    "Aqua.jpg": (0.65, 0.45), "Blinds.jpg": (0.50, 0.50), "Dune.jpg": (0.50, 0.60),
    "FreshFlower.jpg": (0.40, 0.60), "Garden.jpg": (0.55, 0.50), "GreenMeadow.jpg": (0.50, 0.50),
    "LadyBird.jpg": (0.50, 0.50), "RainDrops.jpg": (0.50, 0.50), "Storm.jpg": (0.50, 0.70),
    "TwoWings.jpg": (0.40, 0.50), "YellowFlower.jpg": (0.45, 0.50),
}

SIZES = [(400, 400), (480, 640), (600, 600), (640, 480), (800, 800), (900, 1200),
         (1200, 900), (1600, 1200)]

# The distribution in rosters: values at percentiles, interpolated linearly.
SIDES = [(0, 96), (0.02, 128), (0.32, 128), (0.40, 200), (0.44, 254), (0.60, 254), (0.61, 256),
         (0.70, 256), (0.71, 264), (0.76, 264), (0.82, 400), (0.88, 512), (0.89, 640),
         (0.91, 640), (0.93, 800), (0.945, 1080), (0.955, 1080), (0.97, 1600), (0.99, 2444),
         (1, 2900)]
BITS = [(0, 0.6), (0.05, 0.9), (0.25, 1.3), (0.5, 1.7), (0.75, 2.3), (0.9, 3.8), (0.95, 6.7),
        (0.99, 13.8), (1, 15)]
QUALITIES = [(0.38, 75), (0.60, 80), (0.68, 85), (0.77, 87), (0.85, 90), (0.89, 92), (0.94, 95),
             (0.97, 96), (1, 99)]
PERCENTILES = (5, 25, 50, 75, 90, 95, 99)
MEASURED = {
    "long side": (128, 128, 254, 264, 640, 1080, 2444), "file kB": (2.9, 4, 11, 27, 147, 401, 1513),
    "bits a pixel": (0.9, 1.3, 1.7, 2.3, 3.8, 6.7, 13.8), "JPEG quality": (75, 75, 80, 87, 95, 96, 99),
}
SHARES = {"square": 93, "JPEG": 96.5, "PNG": 3.5, "4:2:0": 78, "4:4:4": 19, "grey": 3,
          "progressive": 23, "colour profile": 5.5}


class Photograph:
    """A photograph and its copies at half size, quarter size and so on; sections are scaled from these."""

    def __init__(self, file, subject):
        self.levels = [Image.open(file).convert("RGB")]
        self.subject = subject
        self.width, self.height = self.levels[0].size
        while min(self.levels[-1].size) >= 256:
            self.levels.append(self.levels[-1].reduce(2))

    def holds(self, size):
        return self.width >= size[0] and self.height >= size[1]

    def part(self, size, chance, zoom=(0.3, 1)):
        """Returns a section around the subject, scaled to a size; a zoom of 1 returns the largest section."""
        most = min(self.width / size[0], self.height / size[1])
        scale = most ** chance.uniform(*zoom)
        left, top = [
            min(max(0, side * (where + chance.gauss(0, 0.1)) - part * scale / 2),
                side - part * scale)
            for side, where, part in zip((self.width, self.height), self.subject, size)]
        level = 0
        while level + 1 < len(self.levels) and scale / 2 ** (level + 1) >= 2:
            level += 1
        image, step = self.levels[level], 2 ** level
        box = (left / step, top / step, min(image.width, (left + size[0] * scale) / step),
               min(image.height, (top + size[1] * scale) / step))
        return image.resize(size, Image.Resampling.LANCZOS, box=box)


def photographs(packages):
    for name, subject in WHEELS.items():
        wheel = "scikit_image-*.whl" if name.startswith("skimage") else "scikit_learn-*.whl"
        with zipfile.ZipFile(sorted(glob.glob(os.path.join(packages, wheel)))[-1]) as archive:
            yield Photograph(io.BytesIO(archive.read(name)), subject)
    for name, subject in DEBIAN.items():
        found = glob.glob(os.path.join(packages, "usr/share/backgrounds/**", name), recursive=True)
        if not found:
            raise SystemExit(f"{packages}: {name} is missing; delete the folder and run again")
        yield Photograph(found[0], subject)


def make_photos(images, count, chance):
    for number in range(count):
        size = SIZES[number // 8 % 8]
        large = [image for image in images if image.holds(size)]
        picture = large[number % len(large)].part(size, chance)
        kind = number % 20
        file = io.BytesIO()
        if kind < 17:
            picture.save(file, "JPEG", quality=chance.choice([85, 90, 95]))
            yield "jpg", file.getvalue()
        elif kind < 19:
            picture.save(file, "PNG")
            yield "png", file.getvalue()
        else:
            picture.save(file, "WEBP", quality=90)
            yield "webp", file.getvalue()


def at(table, share):
    for (low, first), (high, last) in zip(table, table[1:]):
        if share <= high:
            return first + (last - first) * (share - low) / (high - low)
    return table[-1][1]


def spread(count, chance):
    """Returns evenly spread quantiles in random order, so that small sets have the same distribution."""
    values = [(number + 0.5) / count for number in range(count)]
    chance.shuffle(values)
    return values


def rosters_wanted(count, chance):
    """Yields each picture's size, bits per pixel and format options."""
    drawn = {name: spread(count, chance) for name in
             ("side", "square", "kind", "color", "progressive", "profile")}
    # Large pictures are originals; small ones were compressed again.
    better = sorted(range(count), key=lambda number: drawn["side"][number] + chance.gauss(0, 0.35))
    qualities = {number: (place + 0.5) / count for place, number in enumerate(better)}
    plans = []
    for number in range(count):
        share = {name: values[number] for name, values in drawn.items()}
        side = round(at(SIDES, share["side"]))
        short = side if share["square"] < 0.93 else round(side * chance.uniform(0.6, 0.95))
        size = (side, short) if chance.random() < 0.5 else (short, side)
        quality = next(value for limit, value in QUALITIES if qualities[number] <= limit)
        color = "4:2:0" if share["color"] < 0.78 else "4:4:4" if share["color"] < 0.97 else "grey"
        is_png = share["kind"] >= 0.965
        # PNG files, high qualities and large pictures have the most bits per pixel.
        rank = ((quality - 75) / 12 + (1 if color == "4:4:4" else 0) + (20 if is_png else 0)
                + (1.0 if side <= 200 else 1.8 if side > 1100 else 1.4 if side > 300 else 0) + chance.gauss(0, 0.6))
        plans.append((rank, number, size, quality, color, is_png,
                      share["progressive"] < 0.23, share["profile"] < 0.055))
    ordered = sorted(plans)
    bits = {plan[1]: at(BITS, (place + 0.5) / count) for place, plan in enumerate(ordered)}
    return [(bits[plan[1]], *plan[2:]) for plan in plans]


def make_rosters(images, count, chance):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for bits, size, quality, color, is_png, progressive, profiled in rosters_wanted(count, chance):
        large = [image for image in images if image.holds(size)]
        best = None
        for _ in range(8 if max(size) < 1000 else 4):
            # Larger sections contain more detail.
            zoom = (0.7, 1) if bits > 2.5 else (0.3, 1) if bits > 1.2 else (0, 0.8)
            picture = chance.choice(large).part(size, chance, zoom)
            file = io.BytesIO()
            extra = {"icc_profile": profile} if profiled and color != "grey" else {}
            if is_png:
                picture.save(file, "PNG", **extra)
            elif color == "grey":
                picture.convert("L").save(file, "JPEG", quality=quality, progressive=progressive)
            else:
                picture.save(file, "JPEG", quality=quality, subsampling=color,
                             progressive=progressive, **extra)
            away = abs(file.tell() * 8 / (size[0] * size[1]) / bits - 1)
            if best is None or away < best[0]:
                best = (away, file.getvalue())
            if away < 0.08:
                break
        yield "png" if is_png else "jpg", best[1]


SETS = {"photos": make_photos, "rosters": make_rosters}


def make(folder, count, packages, name="photos", seed=1):
    """Writes a set of pictures to a folder; copies pictures that were made earlier."""
    with open(__file__, "rb") as file:
        version = str(sum(file.read()))
    kept = os.path.join(packages, "sets", f"{name}-{count}-{seed}-{version}")
    if not os.path.exists(kept):
        part = kept + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        images = list(photographs(packages))
        for number, (ending, data) in enumerate(SETS[name](images, count, random.Random(seed))):
            with open(os.path.join(part, f"{number:05}.{ending}"), "wb") as file:
                file.write(data)
        os.rename(part, kept)
    shutil.copytree(kept, folder, dirs_exist_ok=True)


def jpeg_quality(image):
    """Returns the libjpeg quality with the luminance table closest to the picture's."""
    total = sum(image.quantization[0])
    return min(range(1, 101), key=lambda quality: abs(QUALITY_SUMS[quality] - total))


def quality_sums():
    sums = {}
    for quality in range(1, 101):
        file = io.BytesIO()
        Image.new("L", (8, 8)).save(file, "JPEG", quality=quality)
        sums[quality] = sum(Image.open(file).quantization[0])
    return sums


QUALITY_SUMS = quality_sums()


def describe(folder):
    """Prints statistics for the pictures in a folder, and for the real rosters."""
    values = collections.defaultdict(list)
    shares = collections.Counter()
    names = sorted(os.listdir(folder))
    for name in names:
        path = os.path.join(folder, name)
        with Image.open(path) as image:
            values["long side"].append(max(image.size))
            values["file kB"].append(os.path.getsize(path) / 1000)
            values["bits a pixel"].append(os.path.getsize(path) * 8 / image.width / image.height)
            shares["square"] += image.width == image.height
            shares[image.format] += 1
            shares["colour profile"] += "icc_profile" in image.info
            if image.format == "JPEG":
                values["JPEG quality"].append(jpeg_quality(image))
                sampling = JpegImagePlugin.get_sampling(image)
                shares["grey" if image.mode == "L" else {0: "4:4:4", 2: "4:2:0"}[sampling]] += 1
                shares["progressive"] += "progressive" in image.info
    print(f"{len(names)} pictures; 1,204 pictures from real rosters in brackets")
    print(f"{'percentiles':14}" + "".join(f"{part:>16}" for part in PERCENTILES))
    for name, found in values.items():
        found.sort()
        row = [found[min(len(found) - 1, int(part / 100 * len(found)))] for part in PERCENTILES]
        print(f"{name:14}" + "".join(
            f"{value:>8.4g} {f'({real:g})':>7}" for value, real in zip(row, MEASURED[name])))
    for name, real in SHARES.items():
        count = shares["JPEG"] if name in ("4:2:0", "4:4:4", "grey", "progressive") else len(names)
        print(f"{name:14}{100 * shares[name] / max(1, count):8.1f} % ({real:g} %)")


if __name__ == "__main__":
    make(sys.argv[2], int(sys.argv[3]), sys.argv[4], name=sys.argv[1])
    describe(sys.argv[2])
