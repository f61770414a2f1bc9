"""A cold build beside three peers: the same six files per source, interleaved, median of runs."""

import argparse
import json
import os
import shutil
import sys

import numpy
from PIL import Image, ImageOps

import photos
from measuring import SITEGEN, WORK, folder, median, run, tree_bytes

HERE = os.path.dirname(os.path.abspath(__file__))


def manifest(sources):
    lines = ["version: 1", "avatars:", "  - name: round", "    size: 64",
             "    scales: [1, 2, 3]", "    formats: [png, webp]",
             '    border: { width: 2, color: "#fff" }', "    quality: { webp: 80 }", "users:"]
    for name in sorted(os.listdir(sources)):
        lines.append(f"  - {{ id: {json.dumps(name)}, avatar: {json.dumps('photos/' + name)} }}")
    return "\n".join(lines) + "\n"


def psnr(picture, reference, ring):
    """Returns the PSNR inside the ring, over the three colours; None if nothing differs."""
    size = picture.width
    axis = numpy.arange(size) + 0.5 - size / 2
    inside = axis[:, None] ** 2 + axis[None, :] ** 2 < (size / 2 - ring - 1.5) ** 2
    left = numpy.asarray(picture.convert("RGBA"), dtype=numpy.float64)[..., :3][inside]
    right = numpy.asarray(reference, dtype=numpy.float64)[inside]
    error = numpy.mean((left - right) ** 2)
    return 10 * numpy.log10(255 ** 2 / error) if error else 99.0


def quality(sources, find):
    values = []
    for name in sorted(os.listdir(sources)):
        with Image.open(os.path.join(sources, name)) as image:
            full = ImageOps.exif_transpose(image).convert("RGB")
        for scale in (1, 2, 3):
            size = 64 * scale
            reference = ImageOps.fit(full, (size, size), Image.Resampling.LANCZOS)
            with Image.open(find(name, scale)) as picture:
                values.append(psnr(picture, reference, 2 * scale))
    values.sort()
    return numpy.mean(values), numpy.mean(values[: max(1, len(values) // 10)])


def main():
    parser = argparse.ArgumentParser(prog="script/bench cold", description=__doc__)
    parser.add_argument("--sources", type=int, default=400)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()

    site = folder("cold")
    sources = os.path.join(site, "photos")
    os.mkdir(sources)
    photos.make(sources, options.sources, os.path.join(WORK, "wheels"))
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write(manifest(sources))
    jobs = str(options.jobs)
    ours = [SITEGEN, "build", "--manifest", os.path.join(site, "manifest.yaml"), "--output",
            os.path.join(site, "output"), "--cache", os.path.join(site, "cache"), "--jobs", jobs,
            "--quiet"]
    peers = {
        "sitegen": ours,
        "convert": [os.path.join(HERE, "peer_convert.sh"), sources, "{}", jobs],
        "pillow": [sys.executable, os.path.join(HERE, "peer_pillow.py"), sources, "{}", jobs],
        "libvips": [sys.executable, os.path.join(HERE, "peer_vips.py"), sources, "{}", jobs],
    }
    walls = {name: [] for name in peers}
    cpus = {name: [] for name in peers}
    targets = {name: os.path.join(site, "by-" + name) for name in peers}
    targets["sitegen"] = os.path.join(site, "output")
    for number in range(options.runs + 1):
        for name, command in peers.items():
            for path in (targets[name], os.path.join(site, "cache")):
                shutil.rmtree(path, ignore_errors=True)
            os.makedirs(targets[name], exist_ok=True)
            command = [part.replace("{}", targets[name]) if part == "{}" else part
                       for part in command]
            wall, cpu = run(command)
            if number > 0:  # the first round warms the page cache
                walls[name].append(wall)
                cpus[name].append(cpu)

    with open(os.path.join(targets["sitegen"], "assets.json")) as file:
        users = json.load(file)["users"]

    def find(peer):
        def path(name, scale):
            if peer != "sitegen":
                return os.path.join(targets[peer], f"{name}@{scale}x.png")
            records = users[name]["avatars"]["round"]
            record = next(r for r in records if r["scale"] == scale and r["format"] == "png")
            return os.path.join(targets[peer], record["path"])
        return path

    base_wall, base_cpu = median(walls["sitegen"]), median(cpus["sitegen"])
    print(f"{options.sources} sources, 6 files each, {jobs} jobs, median of {options.runs} runs")
    print(f"{'':10}{'wall s':>8}{'ratio':>7}{'cpu s':>8}{'ratio':>7}{'MB':>8}"
          f"{'PSNR dB':>9}{'worst decile':>14}")
    for name in peers:
        wall, cpu = median(walls[name]), median(cpus[name])
        size = tree_bytes(targets[name], (".png", ".webp")) / 1e6
        mean, worst = quality(sources, find(name))
        print(f"{name:10}{wall:8.2f}{wall / base_wall:7.2f}{cpu:8.2f}{cpu / base_cpu:7.2f}"
              f"{size:8.1f}{mean:9.1f}{worst:14.1f}")
    fastest = min(median(walls[name]) for name in peers if name != "sitegen")
    print(f"throughput of sitegen over the fastest peer: {fastest / base_wall:.2f}")


if __name__ == "__main__":
    main()
