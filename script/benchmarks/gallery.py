"""Measures the cost of opening the gallery: first paint, bytes, nodes, and a search among 100,000 people."""

import argparse
import functools
import http.server
import os
import sys
import threading
import time

from measuring import SITEGEN, folder, median, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from chromium import Chromium  # noqa: E402

WIDTH, HEIGHT = 1440, 900
# Runs before the page's scripts: records first paint, layout shift and long tasks.
WATCH = """
  window.watched = { shift: 0, paint: 0, long: 0 };
  const watch = (type, take) => new PerformanceObserver((list) =>
    list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch("layout-shift", (entry) => (watched.shift += entry.value));
  watch("paint", (entry) => {
    if (entry.name === "first-contentful-paint") watched.paint = entry.startTime;
  });
  watch("longtask", (entry) => (watched.long = Math.max(watched.long, entry.duration)));
"""
# Measures the time from a key press until the first result is in the page, and until it is painted.
TYPE = """
  (async () => {
    const field = document.getElementById("find-text");
    const results = document.getElementById("results");
    const wanted = %s;
    const isThere = () => [...results.querySelectorAll("h3")].some((name) =>
      name.textContent.toLowerCase().includes(wanted));
    watched.long = 0;
    let there;
    const seen = new Promise((resolve) => new MutationObserver(() => {
      if (there || !isThere()) return;
      there = performance.now();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    }).observe(results, { childList: true, subtree: true, characterData: true }));
    const start = performance.now();
    field.focus();
    field.value = wanted;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    const painted = await Promise.race([seen, new Promise((r) => setTimeout(r, 20000))]);
    await new Promise((r) => setTimeout(r, 800));
    return [there - start, painted - start, watched.long];
  })()
"""


class Browser(Chromium):
    def __exit__(self, *reason):
        try:
            super().__exit__(*reason)
        except OSError:
            pass  # Chromium's children may still write to the profile while it is being removed.


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server:
    def __init__(self, path):
        handler = functools.partial(Quiet, directory=path)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def build(manifest, name):
    site = folder(name)
    output = os.path.join(site, "output")
    run([SITEGEN, "build", "--manifest", manifest, "--output", output, "--cache",
         os.path.join(site, "cache"), "--templates", "templates", "--quiet"])
    return output


def sample_people(people):
    """Builds a site with this many people, who share a few pictures."""
    site = folder(f"gallery-sample-{people}")
    source = os.path.join(site, "source")
    run(["script/sample-people", "--users", str(people), "--images", "50", "--size", "64x64", source])
    return build(os.path.join(source, "manifest.yaml"), f"gallery-{people}")


def watched(browser):
    page = browser.page(WIDTH, HEIGHT)
    page.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    page.send("Network.setCacheDisabled", cacheDisabled=True)
    return page


def transferred(browser):
    """Returns the transferred bytes, without pictures and in total."""
    kinds, without, everything = {}, 0, 0
    for event in browser.events:
        parameters = event.get("params", {})
        if event.get("method") == "Network.responseReceived":
            kinds[parameters["requestId"]] = parameters["type"]
        if event.get("method") == "Network.loadingFinished":
            size = int(parameters["encodedDataLength"])
            everything += size
            without += 0 if kinds.get(parameters["requestId"]) == "Image" else size
    return without, everything


def first_page(name, output, runs):
    """Returns the table row for opening `index.html`."""
    paints, shift = [], 0
    with Server(output) as address:
        for _ in range(runs):
            with Browser() as browser:
                page = watched(browser)
                page.open(address + "index.html")
                page.settle()
                time.sleep(0.3)
                values = page.value("watched")
                paints.append(values["paint"])
                without, everything = transferred(browser)
                nodes, cards = page.value(
                    "(c => [[...c].reduce((n, e) => n + 1 + e.querySelectorAll("
                    "':not(picture, picture *, svg, svg *)').length, 0), c.length])"
                    "(document.querySelectorAll('#people-list .person'))")
                page.value(
                    "(async () => { for (let y = 0; y < document.body.scrollHeight; y += 400) {"
                    " scrollTo(0, y); await new Promise(r => setTimeout(r, 20)); } })()")
                shift = max(shift, page.value("watched.shift"))
    print(f"{name:18}{median(paints):9.0f}{without / 1000:13.1f}{everything / 1000:13.1f}"
          f"{10 * nodes / cards:12.1f}{shift:9.4f}")


def resident(browser):
    """Returns the largest renderer's resident and private memory."""
    largest = (0, 0)
    for process in browser.send("SystemInfo.getProcessInfo")["processInfo"]:
        if process["type"] != "renderer":
            continue
        try:
            with open(f"/proc/{process['id']}/smaps_rollup", encoding="ascii") as lines:
                sizes = dict(line.split()[:2] for line in lines if line.split()[0].endswith(":"))
        except OSError:
            continue
        alone = sum(int(sizes[key]) for key in ("Private_Clean:", "Private_Dirty:"))
        largest = max(largest, (int(sizes["Rss:"]), alone))
    return largest


def last_name(output):
    """Returns a text that occurs only in the last person's search entry."""
    parts = [name for name in os.listdir(os.path.join(output, "data"))
             if name.startswith("search-")]
    last = max(parts, key=lambda name: int(name[7:-3]))
    with open(os.path.join(output, "data", last), encoding="utf-8") as file:
        return file.read().rstrip().removesuffix('");').split("\\n")[-1].split("\\t")[0].lower()


def finding(output, runs):
    last = last_name(output)
    cases = [("a letter", "a"), ("a name", "heron"), ("the last name", last)]
    print(f"\n{'finding, ms':18}{'cold':>9}{'painted':>9}{'longest':>9}"
          f"{'warm':>9}{'painted':>9}{'longest':>9}")
    address = "file://" + os.path.join(output, "index.html")
    sizes = (0, 0, 0)
    for name, text in cases:
        wanted = '"' + text.replace('"', '') + '"'
        cold, warm = [], []
        for _ in range(runs):
            with Browser() as browser:
                page = watched(browser)
                page.open(address)
                page.settle()
                cold.append(page.value(TYPE % wanted))
                page.value("(async () => { const f = document.getElementById('find-text');"
                           " f.value = ''; f.dispatchEvent(new Event('input', { bubbles: true }));"
                           " await new Promise(r => setTimeout(r, 2500)); })()")
                warm.append(page.value(TYPE % wanted))
                page.send("Performance.enable")
                metrics = {entry["name"]: entry["value"]
                           for entry in page.send("Performance.getMetrics")["metrics"]}
                sizes = max(sizes, (*resident(browser), metrics["JSHeapUsedSize"]))
        figures = [median(run[place] for run in runs_of) for runs_of in (cold, warm)
                   for place in range(3)]
        print(f"{name:18}" + "".join(f"{figure:9.1f}" for figure in figures))
    rss, alone, heap = sizes
    print(f"\nthe tab: {rss / 1024:.0f} MiB resident, {alone / 1024:.0f} MiB private, "
          f"{heap / (1 << 20):.0f} MiB used by JavaScript")


def main():
    parser = argparse.ArgumentParser(prog="script/bench gallery", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--people", type=int, default=100_000, help="number of people to search")
    arguments = parser.parse_args()
    print(f"{'first page':18}{'paint ms':>9}{'kB no pict.':>13}{'kB all':>13}"
          f"{'nodes/10':>12}{'shift':>9}")
    first_page("sample site", build("content/manifest.yaml", "gallery-sample"), arguments.runs)
    first_page("10,000 people", sample_people(10_000), arguments.runs)
    finding(sample_people(arguments.people), arguments.runs)


if __name__ == "__main__":
    main()
