"""Compares WebP, AVIF and PNG files of the same pictures: CPU time, bytes, and quality loss compared with the PNG.

`--small` compares WebP's default quality with `quality: { webp: 80 }`, at 32 to 384 pixels.
"""

import argparse
import json
import os
import shutil

import numpy
from PIL import Image

import photos
from measuring import SITEGEN, WORK, folder, median, run

# PNG is lossless, so the others are compared with it.
FORMATS = ["png", "webp", "avif"]


def command(site, formats, options):
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write(f"version: 1\navatars:\n  - {{ name: round, size: {options.size}, scales: [1, 2, 3], "
                   f'formats: [{", ".join(formats)}], border: {{ width: 2, color: "#fff" }} }}\nusers:\n')
        for name in sorted(os.listdir(os.path.join(site, "photos"))):
            source = json.dumps("photos/" + name)
            file.write(f"  - {{ id: {json.dumps(name)}, avatar: {source} }}\n")
    for name in ("output", "cache"):
        shutil.rmtree(os.path.join(site, name), ignore_errors=True)
    return [SITEGEN, "build", "--manifest", os.path.join(site, "manifest.yaml"), "--output",
            os.path.join(site, "output"), "--cache", os.path.join(site, "cache"), "--jobs",
            str(options.jobs), "--quiet"]


SIDES = [32, 48, 64, 96, 128, 192, 256, 384]


def small(site, options):
    """Prints WebP's bytes and its PSNR against the PNG, weighted by each pixel's alpha."""
    kinds = {"u": "", "q": ", quality: { webp: 80 }"}
    cpus = {}
    for kind, keys in kinds.items():
        line = command(site, ["png", "webp"], options)
        path = os.path.join(site, "manifest.yaml")
        with open(path, encoding="utf-8") as file:
            rest = file.read().partition("users:\n")[2]
        with open(path, "w", encoding="utf-8") as file:
            file.write("version: 1\nnotices: off\navatars:\n")
            for side in SIDES:
                file.write(f"  - {{ name: s{side}, size: {side}, scales: [1], formats: [png, webp]{keys} }}\n")
            file.write("users:\n" + rest)
        cpus[kind] = run(line)[1]
        with open(os.path.join(site, "output", "assets.json"), encoding="utf-8") as file:
            users = json.load(file)["users"].values()
        print(f"{'quality 80' if kind == 'q' else 'default'}, {cpus[kind]:.1f} s of CPU time")
        for side in SIDES:
            counts, noises = [], []
            for user in users:
                files = {image["format"]: image for image in user["avatars"].get(f"s{side}", [])}
                if not files:
                    continue
                exact, seen = (
                    numpy.asarray(Image.open(os.path.join(site, "output", files[name]["path"])).convert("RGBA"),
                                  dtype=float) for name in ("png", "webp"))
                weights = exact[..., 3]
                error = ((exact - seen)[..., :3] ** 2).mean(axis=-1)
                noises.append(10 * numpy.log10(
                    255 ** 2 / max((error * weights).sum() / weights.sum(), 1e-3)))
                counts.append(files["webp"]["bytes"])
            print(f"{side:5} px {numpy.mean(counts):8.0f} bytes {numpy.mean(noises):6.1f} dB, "
                  f"worst tenth {numpy.percentile(noises, 10):.1f}")


def visible(path):
    """Returns the visible colours on white and on black, and the alpha."""
    pixels = numpy.asarray(Image.open(path).convert("RGBA"), dtype=float)
    alpha = pixels[..., 3:] / 255
    on = [pixels[..., :3] * alpha + ground * (1 - alpha) for ground in (255, 0)]
    return numpy.stack(on)[:, alpha[..., 0] > 0], pixels[..., 3]


def quality(site):
    """Returns the bytes of each format by scale, the mean PSNR, and whether all alpha is exact."""
    with open(os.path.join(site, "output", "assets.json"), encoding="utf-8") as file:
        users = json.load(file)["users"].values()
    counts, noises, exact = {}, {}, dict.fromkeys(FORMATS, True)
    for user in users:
        images = user["avatars"]["round"]
        for scale in (1, 2, 3):
            files = {image["format"]: image for image in images if image["scale"] == scale}
            seen = {name: visible(os.path.join(site, "output", files[name]["path"]))
                    for name in FORMATS}
            for name in FORMATS:
                counts.setdefault((name, scale), []).append(files[name]["bytes"])
                exact[name] &= numpy.array_equal(seen[name][1], seen["png"][1])
                error = numpy.mean((seen[name][0] - seen["png"][0]) ** 2)
                noises.setdefault(name, []).append(10 * numpy.log10(255 ** 2 / max(error, 1e-3)))
    return counts, noises, exact


def main():
    parser = argparse.ArgumentParser(prog="script/bench formats", description=__doc__)
    parser.add_argument("--people", type=int, default=400)
    parser.add_argument("--size", type=int, default=64, help="size in points; at scale 3, each point is 3 pixels")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pictures", help="a folder with a picture for each person")
    parser.add_argument("--small", action="store_true", help="measure only WebP of small images")
    options = parser.parse_args()

    site = folder("formats")
    if options.pictures:
        shutil.copytree(options.pictures, os.path.join(site, "photos"))
    else:
        os.mkdir(os.path.join(site, "photos"))
        photos.make(
            os.path.join(site, "photos"), options.people, os.path.join(WORK, "packages"), "rosters")
    if options.small:
        small(site, options)
        return
    cpus = {name: [] for name in FORMATS}
    for number in range(options.runs + 1):
        for name in FORMATS:
            _, cpu = run(command(site, [name], options))
            if number > 0:  # the first round warms the page cache
                cpus[name].append(cpu)
    run(command(site, FORMATS, options))
    counts, noises, exact = quality(site)

    print(f"{options.people} people, 3 files each of {options.size} points, {options.jobs} jobs, "
          f"median of {options.runs} builds with one format each")
    print(f"{'':6}{'cpu s':>8}{'mean bytes at 1x':>18}{'2x':>8}{'3x':>8}{'PSNR dB':>9}"
          f"{'worst tenth':>13}{'alpha':>9}")
    for name in FORMATS:
        sizes = [sum(counts[name, scale]) / len(counts[name, scale]) for scale in (1, 2, 3)]
        noise = ["", ""] if name == "png" else [
            f"{numpy.mean(noises[name]):.1f}", f"{numpy.percentile(noises[name], 10):.1f}"]
        print(f"{name:6}{median(cpus[name]):8.2f}{sizes[0]:18.0f}{sizes[1]:8.0f}{sizes[2]:8.0f}"
              f"{noise[0]:>9}{noise[1]:>13}{'exact' if exact[name] else 'not exact':>9}")


if __name__ == "__main__":
    main()
