"""Generates docs/reference/avatars.md from docs/avatars/manifest.yaml; copies the pictures from a given folder."""

import html
import json
import pathlib
import re
import shutil
import sys

PLACE = pathlib.Path("docs/avatars")
MANIFEST = PLACE / "manifest.yaml"


class Style:
    def __init__(self, name, caption):
        self.name, self.caption, self.keys = name, caption, []


def sections():
    """Reads the lines between `avatars:` and `users:`: titles, texts, and styles with their descriptions."""
    lines = MANIFEST.read_text(encoding="utf-8").splitlines()
    lines = lines[lines.index("avatars:") + 1 : lines.index("users:")]
    found, words, style = [], [], None
    for line in lines:
        text = line.strip()
        if text.startswith("# == "):
            found.append({"title": text[5:], "words": [], "styles": []})
            words, style = [], None
        elif text == "#":
            words = found[-1]["words"]
        elif text.startswith("# "):
            words.append(text[2:])
        elif not text:
            # Text before an empty line describes the section; text after it describes the next style.
            words, style = [], None
        elif text.startswith("- name: "):
            style = Style(text[8:], words)
            words = []
            found[-1]["styles"].append(style)
        elif style and text != "from: base":
            style.keys.append(line[4:])
    return found


def people():
    """Finds the first user with each style; the page shows this user's picture."""
    users, text = {}, MANIFEST.read_text(encoding="utf-8").split("\nusers:\n")[1]
    for entry in re.split(r"^  - ", text, flags=re.M)[1:]:
        name = re.search(r"\bid: ([\w-]+)", entry).group(1)
        for style in re.search(r"styles: \[(.*?)\]", entry).group(1).split(", "):
            users.setdefault(style, name)
    return users


def page():
    out = [
        "# Avatar options",
        "",
        "This page shows most style options, each with its keys and a 64-point picture at 2x.",
        "For details, see [Styles](styles.md). `script/catalogue` generates this page and its pictures",
        "from [avatars/manifest.yaml](../avatars/manifest.yaml).",
    ]
    for section in sections():
        out += ["", f"## {section['title']}", ""]
        if section["words"]:
            out += [" ".join(section["words"]), ""]
        out.append("<table>")
        for style in section["styles"]:
            words = html.escape(" ".join(style.caption), quote=False)
            words = re.sub(r"`(.*?)`", r"<code>\1</code>", words)
            keys = html.escape("\n".join(style.keys), quote=False)
            cell = (f"<p>{words}</p>" if words else "") + (f"<pre>{keys}</pre>" if keys else "")
            out.append(
                f'<tr><td><img src="../avatars/{style.name}.webp" height="{height(style)}" alt="{style.name}"></td>'
                f"<td>{cell}</td></tr>"
            )
        out.append("</table>")
    return "\n".join(out) + "\n"


def height(style):
    """Reads the height at 1x from the WebP file."""
    data = (PLACE / f"{style.name}.webp").read_bytes()
    if data[12:16] == b"VP8X":
        pixels = int.from_bytes(data[27:30], "little") + 1
    elif data[12:16] == b"VP8L":
        pixels = (int.from_bytes(data[21:25], "little") >> 14 & 0x3FFF) + 1
    else:
        pixels = int.from_bytes(data[28:30], "little") & 0x3FFF
    return pixels // 2


def copy(output):
    """Copies a build's pictures, each named after its style."""
    users = json.loads((output / "assets.json").read_text(encoding="utf-8"))["users"]
    shown = people()
    for section in sections():
        for style in section["styles"]:
            record = users[shown[style.name]]["avatars"][style.name][0]
            shutil.copyfile(output / record["path"], PLACE / f"{style.name}.webp")


if len(sys.argv) > 1:
    copy(pathlib.Path(sys.argv[1]))
else:
    sys.stdout.write(page())
