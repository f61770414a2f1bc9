"""Compares a cold build with rivals that make the same six files for each picture in two sets.

The rivals are Pillow and libvips (each with default and with fastest settings), pillow-simd, and the bare
codecs (peer_bare.c). All crop around the centre. Rounds are interleaved. Each run writes to fresh
folders, because ext4 creates files slowly for a while after many were deleted. The PSNR is measured
inside the ring, against Lanczos on the whole picture. perf counts the instructions of one run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time

import numpy
from PIL import Image, ImageOps

import photos
from measuring import SITEGEN, WORK, folder, instructions, median, run, tree_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
COUNTS = {"photos": 400, "rosters": 1200}
BEST = "best Pillow"
GOAL = 1 / 0.66
FORMATS = ("png", "webp")


def manifest(sources):
    lines = ["version: 1", "avatars:", "  - name: round", "    size: 64",
             "    scales: [1, 2, 3]", "    formats: [png, webp]", "    focus: center",
             '    border: { width: 2, color: "#fff" }', "    quality: { webp: 80 }", "users:"]
    for name in sorted(os.listdir(sources)):
        lines.append(f"  - {{ id: {json.dumps(name)}, avatar: {json.dumps('photos/' + name)} }}")
    return "\n".join(lines) + "\n"


def bare():
    """Compiles the bare codecs."""
    program = os.path.join(WORK, "peer_bare")
    subprocess.run(["cc", "-O3", "-march=native", "-o", program,
                    os.path.join(HERE, "peer_bare.c"),
                    "-ljpeg", "-lpng", "-lwebp", "-ldeflate", "-lm"], check=True)
    return program


def settings(site):
    """Returns each program's command and environment; {} is the output folder."""
    sources = os.path.join(site, "photos")
    end = [sources, "{}", "{jobs}"]
    pillow = [sys.executable, os.path.join(HERE, "peer_pillow.py"), *end]
    vips = [sys.executable, os.path.join(HERE, "peer_vips.py"), *end]
    one = {"VIPS_CONCURRENCY": "1"}
    native = [bare(), *end]
    programs = {
        "sitegen": ([SITEGEN, "build", "--manifest", os.path.join(site, "manifest.yaml"),
                     "--output", "{}/output", "--cache", "{}/cache", "--jobs", "{jobs}",
                     "--quiet"], {}),
        "Pillow": ([*pillow, "usual"], {}),
        BEST: ([*pillow, "best"], {}),
        "libvips": ([*vips, "usual"], one),
        "libvips, 1 and 2": ([*vips, "fast"], one),
        "bare libpng": ([*native, "libpng"], {}),
        "bare libdeflate": ([*native, "libdeflate"], {}),
    }
    simd = os.path.join(WORK, "venv-simd", "bin", "python")
    if os.path.exists(simd):
        programs["pillow-simd"] = ([simd, *pillow[1:], "best"], {})
    else:
        print("pillow-simd is skipped: pip cannot install it here")
    return programs


class Runs:
    """The runs for one set of pictures; each has a separate folder."""

    def __init__(self, site, jobs):
        self.site, self.jobs, self.number = site, jobs, 0

    def run(self, setting, measured=run):
        """Returns the measurements and the folder."""
        words, environment = setting
        self.number += 1
        target = os.path.join(self.site, f"run-{self.number:03}")
        os.mkdir(target)
        words = [word.replace("{}", target).replace("{jobs}", str(self.jobs)) for word in words]
        os.sync()  # otherwise, the last run's files are written to disk during this one
        return measured(words, env=environment), target


def psnr(path, reference, ring):
    """Returns the PSNR inside the ring, over the three colours; 99 if the pixels are identical."""
    with Image.open(path) as picture:
        pixels = numpy.asarray(picture.convert("RGBA"), dtype=numpy.float32)
    axis = numpy.arange(len(pixels)) + 0.5 - len(pixels) / 2
    radius = len(pixels) / 2 - ring - 1.5
    inside = axis[:, None] ** 2 + axis[None, :] ** 2 < radius ** 2
    error = numpy.mean((pixels[..., :3][inside] - reference[inside]) ** 2)
    return 10 * numpy.log10(255 ** 2 / error) if error else 99.0


def quality(sources, finders):
    """Returns the mean PSNR of each program's files by format: of all files, and of the worst tenth."""
    values = {name: {kind: [] for kind in FORMATS} for name in finders}
    for source in sorted(os.listdir(sources)):
        with Image.open(os.path.join(sources, source)) as image:
            full = ImageOps.exif_transpose(image).convert("RGB")
        for scale in (1, 2, 3):
            size = (64 * scale, 64 * scale)
            reference = numpy.asarray(
                ImageOps.fit(full, size, Image.Resampling.LANCZOS), dtype=numpy.float32)
            for name, find in finders.items():
                for kind in FORMATS:
                    values[name][kind].append(
                        psnr(find(source, scale, kind), reference, 2 * scale))
    summary = {}
    for name, kinds in values.items():
        summary[name] = {}
        for kind, found in kinds.items():
            found.sort()
            tenth = found[:max(1, len(found) // 10)]
            summary[name][kind] = numpy.mean(found), numpy.mean(tenth)
    return summary


def finder(program, target):
    if program != "sitegen":
        return lambda name, scale, kind: os.path.join(target, f"{name}@{scale}x.{kind}")
    with open(os.path.join(target, "output", "assets.json"), encoding="utf-8") as file:
        users = json.load(file)["users"]
    paths = {(name, record["scale"], record["format"]): record["path"]
             for name, user in users.items() for record in user["avatars"]["round"]}
    return lambda name, scale, kind: os.path.join(target, "output", paths[name, scale, kind])


def measure(name, count, options):
    site = folder(f"cold-{name}-{os.getpid()}")
    sources = os.path.join(site, "photos")
    os.mkdir(sources)
    photos.make(sources, count, os.path.join(WORK, "packages"), name=name)
    if options.describe:
        photos.describe(sources)
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write(manifest(sources))
    print(f"\n{name}: {count} pictures, 6 files each, {options.jobs} jobs, "
          f"median of {options.rounds} rounds, load {os.getloadavg()[0]:.1f}")
    runs = Runs(site, options.jobs)
    programs = settings(site)
    walls = {program: [] for program in programs}
    cpus = {program: [] for program in programs}
    counts, targets = {}, {}
    for program, setting in programs.items():  # this also warms the page cache
        measured = instructions if shutil.which("perf") else run
        result, _ = runs.run(setting, measured)
        counts[program] = f"{result / 1e9:.1f}" if isinstance(result, int) else "-"
    for _ in range(options.rounds):
        for program, setting in programs.items():
            (wall, cpu), targets[program] = runs.run(setting)
            walls[program].append(wall)
            cpus[program].append(cpu)

    found = quality(sources, {program: finder(program, target)
                              for program, target in targets.items()})
    wall = {program: median(values) for program, values in walls.items()}
    cpu = {program: median(values) for program, values in cpus.items()}
    size = {}
    print(f"{'':16}{'wall s':>8}{'ratio':>7}{'CPU s':>8}{'ratio':>7}"
          f"{'10^9 instr.':>12}{'PNG MB':>8}{'WebP MB':>9}"
          f"{'PNG dB':>8}{'worst tenth':>13}{'WebP dB':>9}{'worst tenth':>13}")
    for program, target in targets.items():
        # The gallery's own pictures use other formats, so they are not counted.
        where = os.path.join(target, "output") if program == "sitegen" else target
        size[program] = [tree_bytes(where, ("." + kind,)) / 1e6 for kind in FORMATS]
        print(f"{program:16}{wall[program]:8.2f}{wall[program] / wall['sitegen']:7.2f}"
              f"{cpu[program]:8.2f}{cpu[program] / cpu['sitegen']:7.2f}"
              f"{counts[program]:>12}"
              f"{size[program][0]:8.2f}{size[program][1]:9.2f}"
              f"{found[program]['png'][0]:8.1f}{found[program]['png'][1]:13.1f}"
              f"{found[program]['webp'][0]:9.1f}{found[program]['webp'][1]:13.1f}")
    total = {program: sum(sizes) for program, sizes in size.items()}
    print(f"  {BEST} over sitegen: wall {wall[BEST] / wall['sitegen']:.2f}, "
          f"CPU {cpu[BEST] / cpu['sitegen']:.2f} (goal: at least {GOAL:.2f}); "
          f"bytes, sitegen over {BEST}: {total['sitegen'] / total[BEST]:.3f} (at most 1.02)")
    for rival in ("bare libpng", "bare libdeflate"):
        print(f"  CPU, sitegen over {rival}: {cpu['sitegen'] / cpu[rival]:.2f} (goal: 0.74)")
    worst = found["sitegen"]["png"]
    print(f"  PSNR, mean and worst tenth: {worst[0]:.1f}, {worst[1]:.1f} (at least 54 and 50)",
          flush=True)
    if options.keep:
        print(f"  kept: {site}")
    else:
        shutil.rmtree(site)


def main():
    parser = argparse.ArgumentParser(prog="script/bench cold", description=__doc__)
    parser.add_argument("--set", choices=["photos", "rosters", "both"], default="both")
    parser.add_argument("--sources", type=int, help="number of pictures in a set (400 photos, 1200 rosters)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--describe", action="store_true", help="print the statistics of the generated pictures")
    parser.add_argument("--keep", action="store_true", help="keep pictures and results")
    options = parser.parse_args()
    names = ["photos", "rosters"] if options.set == "both" else [options.set]
    for name in names:
        measure(name, options.sources or COUNTS[name], options)
        if name != names[-1]:
            os.sync()
            time.sleep(20)  # deleting files slows down creating new ones for a while


if __name__ == "__main__":
    main()
