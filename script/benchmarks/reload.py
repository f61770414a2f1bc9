"""Measures the time from saving a photo until a browser has decoded a person's new picture.

`sitegen serve` watches a site, and a browser shows its first page. A JPEG of one megapixel repeatedly
replaces the picture of a person on this page. The clock starts right before the rename. It stops when
the page's `img` has a new source and `decode()` has resolved. The table also shows the rebuild time.
"""

import argparse
import os
import queue
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

import measuring
from measuring import folder, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from chromium import Chromium  # noqa: E402

PATIENCE = 60
# Keep the person's picture in a page variable, so that a reload is noticed.
CHOOSE = """
  window.image = document.querySelector("#person-%s img"),
  image.scrollIntoView({ block: "center" }),
  image.decode().then(() => image.currentSrc)
"""
# Resolves when the picture has changed, with the time on the page's clock in ms.
AWAIT = """
  void (window.next = new Promise((resolve, reject) => {
    const old = image.currentSrc;
    const look = async () => {
      await image.decode();
      if (image.currentSrc === old) return;
      watch.disconnect();
      resolve([performance.timeOrigin + performance.now(), image.currentSrc]);
    };
    const watch = new MutationObserver(() => look().catch(reject));
    for (const element of image.parentElement.children) watch.observe(element, { attributes: true });
    setTimeout(() => reject(new Error("no new picture came")), %d);
  }))
""" % (PATIENCE * 1000)


class Browser(Chromium):
    def __exit__(self, *reason):
        try:
            super().__exit__(*reason)
        except OSError:
            pass  # Chromium's children may still write to the profile while it is being removed.


class Serve:
    """`sitegen serve` for a site, and its output lines; use it in a `with` statement."""

    def __init__(self, binary, site):
        self.process = subprocess.Popen(
            [binary, "serve", *places(site), "--port", "0"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def line(self, pattern):
        """Returns the next line that matches."""
        end = time.monotonic() + 20 * PATIENCE
        while True:
            line = self.lines.get(timeout=max(0.1, end - time.monotonic()))
            if line is None:
                raise SystemExit(f"sitegen serve exited with code {self.process.wait()}")
            found = re.search(pattern, line)
            if found:
                return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def places(site):
    return ["--manifest", os.path.join(site, "source", "manifest.yaml"),
            "--output", os.path.join(site, "output"), "--cache", os.path.join(site, "cache"),
            "--templates", "templates"]


def photos(count):
    """Makes different JPEGs of one megapixel with sensor noise."""
    path = folder("reload-photos", fresh=False)
    names = [os.path.join(path, f"{number:02}.jpg") for number in range(count)]
    for number, name in enumerate(names):
        if not os.path.exists(name):
            subprocess.run(
                ["convert", "-size", "1000x1000", "-seed", str(number), "plasma:fractal",
                 "-attenuate", "0.3", "+noise", "Gaussian", "-quality", "90", f"jpeg:{name}.new"],
                check=True)
            os.rename(name + ".new", name)
    return names


def place(photo, target):
    """Moves a copy to its target atomically; returns the time right before that."""
    copy = target + ".new"
    shutil.copyfile(photo, copy)
    now = time.time()
    os.rename(copy, target)
    return now


def skew(page):
    """Returns how far the page's clock is ahead of ours, and the possible error, in ms."""
    best = (0, float("inf"))
    for _ in range(20):
        before = time.time() * 1000
        theirs = page.value("performance.timeOrigin + performance.now()")
        after = time.time() * 1000
        best = min(best, (theirs - (before + after) / 2, (after - before) / 2),
                   key=lambda pair: pair[1])
    return best


def shown(site):
    """Returns a person on the first page, and the picture's file."""
    avatars = os.path.join(site, "source", "avatars")
    own = os.path.join(avatars, "otter.jpg")
    return ("otter", own) if os.path.exists(own) else ("otter-1", os.path.join(avatars, "0.jpeg"))


def measure(binary, name, site, photos):
    """Returns a row of the table."""
    person, target = shown(site)
    times, rebuilds, seen = [], [], set()
    with Serve(binary, site) as serve, Browser() as browser:
        address = serve.line(r"http://\S+").group(0)
        serve.line(r"\([\d.]+ s\)$")
        page = browser.page(1440, 900)
        page.open(address)
        page.settle()
        seen.add(page.value(CHOOSE % person))
        for photo in photos:
            ahead, error = skew(page)
            page.value(AWAIT)
            start = place(photo, target)
            moment, source = page.value("window.next")
            if source in seen:
                raise SystemExit(f"{source} was shown before")
            seen.add(source)
            times.append(moment - ahead - start * 1000)
            rebuilds.append(float(serve.line(r"\(([\d.]+) s\)$").group(1)) * 1000)
            # Give the page time to check again when everything is published.
            time.sleep(0.3)
    print(f"{name:16}{len(times):5}{statistics.median(times):9.0f}{min(times):7.0f}"
          f"{max(times):7.0f}{statistics.median(rebuilds):9.0f}   ±{error:.1f}", flush=True)
    return times


def main():
    parser = argparse.ArgumentParser(prog="script/bench reload", description=__doc__)
    parser.add_argument("--binary", default=measuring.SITEGEN, help="the sitegen to measure")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--people", type=int, default=1_000, help="number of people on the large site")
    parser.add_argument("--images", type=int, default=1_000, help="number of pictures that they share")
    parser.add_argument("--every", action="store_true", help="also print every measured time")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    ready = photos(arguments.runs)

    sample = folder("reload-sample")
    shutil.copytree("content", os.path.join(sample, "source"))
    large = folder("reload-large")
    run(["script/sample-people", "--users", str(arguments.people), "--images",
         str(arguments.images), "--format", "jpeg", "--size", "400x400", os.path.join(large, "source")])

    print(f"{'ms':16}{'runs':>5}{'median':>9}{'min':>7}{'max':>7}{'rebuild':>9}"
          f"   clock")
    for name, site in [("sample site", sample), (f"{arguments.people:,} people", large)]:
        # This build caches everything but the changed picture.
        run([binary, "build", *places(site), "--quiet"], accept=(0, 1))
        times = measure(binary, name, site, ready)
        if arguments.every:
            print("  " + " ".join(f"{value:.0f}" for value in times))


if __name__ == "__main__":
    main()
