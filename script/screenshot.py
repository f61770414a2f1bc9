"""Takes the pictures of the documentation: screenshot.py OUTPUT DOCS."""

import os
import sys

from chromium import Chromium

output, docs = (os.path.abspath(folder) for folder in sys.argv[1:3])


def take(browser, name, path, width, height, dark=False, before=None):
    """One picture of what a screen of this size shows first; `before` is done on the page."""
    page = browser.page(width, height, dark)
    page.open(f"file://{output}/{path}")
    page.settle()
    if before:
        page.value(before)
        page.value("new Promise(done => setTimeout(done, 500))")
        page.settle()
    page.screenshot(os.path.join(docs, f"{name}.png"))
    print(f"{docs}/{name}.png", file=sys.stderr)


with Chromium() as browser:
    for width, height in [(390, 780), (820, 900), (1440, 900)]:
        for dark in [False, True]:
            name = f"gallery-{width}-{'dark' if dark else 'light'}"
            take(browser, name, "index.html", width, height, dark)
    take(
        browser, "detail", "index.html", 1280, 860,
        before="document.querySelector('#person-otter a').click()")
    take(browser, "buttons", "buttons/index.html", 1280, 860)
