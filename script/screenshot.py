"""Takes the screenshots for the documentation: screenshot.py OUTPUT DOCS."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from chromium import Chromium

output, docs = (os.path.abspath(folder) for folder in sys.argv[1:3])


def take(browser, name, path, width, height, dark=False, opened=None):
    """Captures the first screen of a page, or the dialog that opens when `opened` is clicked."""
    page = browser.page(width, height, dark)
    page.open(f"file://{output}/{path}")
    page.settle()
    if opened:
        page.value(f"document.querySelector('{opened}').click()")
        page.wait_for("document.querySelector('dialog[open] img')")
        page.settle()
    page.screenshot(os.path.join(docs, f"{name}.png"))
    print(f"{docs}/{name}.png", file=sys.stderr)


def take_mistake(browser, name, width, height):
    """Captures the page that `serve` shows for a misspelt word in the manifest."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree("content", f"{folder}/content")
        with open(f"{folder}/said", "w+", encoding="utf-8") as said:
            program = os.path.abspath(".build/debug/sitegen")
            serve = subprocess.Popen(
                [program, "serve", "--port", "0"], cwd=folder,
                stdout=said, stderr=subprocess.DEVNULL)
            try:
                address = wait_for(said.name, r"(http://\S+)[^$]*rendered")
                page = browser.page(width, height)
                page.open(address)
                page.settle()
                manifest = f"{folder}/content/manifest.yaml"
                with open(manifest, encoding="utf-8") as file:
                    text = file.read()
                with open(manifest, "w", encoding="utf-8") as file:
                    file.write(text.replace("shape: circle", "shape: cirkle", 1))
                wait_for(said.name, "(not built)")
                page.wait_for("document.querySelector('sitegen-live')?.matches(':popover-open')")
                page.settle()
                page.screenshot(os.path.join(docs, f"{name}.png"))
                print(f"{docs}/{name}.png", file=sys.stderr)
            finally:
                serve.terminate()
                serve.wait(30)


def wait_for(path, pattern):
    """Waits until a program has printed a given text."""
    for _ in range(600):
        with open(path, encoding="utf-8") as file:
            found = re.search(pattern, file.read())
        if found:
            return found.group(1)
        time.sleep(0.1)
    raise SystemExit(f"{path} never contained {pattern}")


with Chromium() as browser:
    for width, height in [(390, 780), (820, 900), (1440, 900)]:
        for dark in [False, True]:
            name = f"gallery-{width}-{'dark' if dark else 'light'}"
            take(browser, name, "index.html", width, height, dark)
    take(browser, "detail", "index.html", 1280, 860, opened="#person-otter a")
    take(browser, "buttons", "buttons/index.html", 1280, 860)
    take_mistake(browser, "mistake", 1280, 620)
