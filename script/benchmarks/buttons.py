"""Compares all bitmaps of the sample site's buttons with the naive way: one 300×60 PNG each."""

import argparse
import json
import os
import re
import subprocess

from measuring import SITEGEN, folder, run, tree_bytes

WIDTH, HEIGHT = 300, 60
SCALES = (1, 2, 3)


def buttons_of(text):
    """Returns the buttons of a manifest as text."""
    return re.search(r"^buttons:\n((?: .*\n|\n)+)", text, re.MULTILINE).group(1)


def with_bitmaps(buttons):
    """Adds bitmaps to what each button emits."""
    return re.sub(r"^(  - name: .*\n)", r"\1    emit: [css, png]\n", buttons, flags=re.MULTILINE)


def build(site, name, buttons):
    """Builds a site with only these buttons and returns its output folder."""
    manifest = os.path.join(site, f"{name}.yaml")
    with open(manifest, "w", encoding="utf-8") as file:
        file.write("version: 1\nbuttons:\n" + buttons)
    output = os.path.join(site, name)
    run([SITEGEN, "build", "--manifest", manifest, "--output", output, "--cache",
         os.path.join(site, "cache"), "--quiet"])
    return output


def number(block, key):
    found = re.search(rf"\b{key}: ([0-9.]+)", block)
    return float(found.group(1)) if found else 0.0


def shapes(text):
    """Returns radius, border width and border colour of each button, by name."""
    found = {}
    for block in re.split(r"^  - name: ", text, flags=re.MULTILINE)[1:]:
        name = block.split("\n", 1)[0].strip()
        edge = re.search(r"border: {(.*)}", block)
        color = edge and re.search(r'color: "(.*?)"', edge.group(1))
        width = number(edge.group(1), "width") if edge else 0.0
        found[name] = (number(block, "radius"), width if color else 0.0,
                       color.group(1) if color else "none")
    return found


def draw(path, scale, color, radius, width, edge):
    """Draws the shape at its full size with ImageMagick, without metadata."""
    right, bottom = WIDTH * scale - 1, HEIGHT * scale - 1
    half = width * scale / 2
    corner = radius * scale
    subprocess.run(
        ["convert", "-size", f"{WIDTH * scale}x{HEIGHT * scale}", "xc:none", "-fill", color,
         "-stroke", edge, "-strokewidth", str(width * scale), "-draw",
         f"roundrectangle {half},{half} {right - half},{bottom - half} {corner},{corner}",
         "-depth", "8", "-strip", "-define", "png:exclude-chunks=date,time", path],
        check=True)
    return os.path.getsize(path)


def main():
    argparse.ArgumentParser(prog="script/bench buttons", description=__doc__).parse_args()
    site = folder("buttons")
    with open("content/manifest.yaml", encoding="utf-8") as file:
        buttons = buttons_of(file.read())
    output = build(site, "bitmaps", with_bitmaps(buttons))
    plain = build(site, "plain", buttons)
    with open(os.path.join(output, "assets.json"), encoding="utf-8") as file:
        assets = json.load(file)["buttons"]

    naive = folder("buttons-naive")
    forms = shapes(buttons)
    rows, all_ours, all_naive, decoded = [], {}, 0, 0
    for name, appearances in assets.items():
        ours, theirs, states = {}, 0, 0
        for appearance, entries in appearances.items():
            for state, entry in entries.items():
                states += 1
                ours.update({image["path"]: image["bytes"] for image in entry["images"]})
                decoded += sum(4 * image["width"] * image["height"] for image in entry["images"])
                for scale in SCALES:
                    theirs += draw(
                        os.path.join(naive, f"{name}-{appearance}-{state}@{scale}x.png"), scale,
                        entry["color"], *forms[name])
        rows.append((name, states, len(ours), sum(ours.values()), theirs))
        all_ours.update(ours)
        all_naive += theirs
    total = sum(all_ours.values())
    rows.append(("all", sum(row[1] for row in rows), len(all_ours), total, all_naive))
    print(f"{'':12}{'states':>8}{'files':>8}{'bytes':>10}{'300×60':>10}{'ratio':>8}")
    for name, states, files, ours, theirs in rows:
        print(f"{name:12}{states:8}{files:8}{ours:10}{theirs:10}{theirs / ours:8.1f}")
    css = tree_bytes(plain, ["buttons.css"]) + tree_bytes(os.path.join(plain, "assets"))
    print(f"as the sample site asks for them, colours in buttons.css and no bitmap: {css} bytes, "
          f"ratio {all_naive / css:.1f}")
    full = sum(row[1] for row in rows[:-1]) * sum(WIDTH * HEIGHT * 4 * s * s for s in SCALES)
    print(f"decoded, 4 bytes a pixel: {decoded >> 10} KiB beside {full >> 10} KiB, "
          f"ratio {full / decoded:.1f}")


if __name__ == "__main__":
    main()
