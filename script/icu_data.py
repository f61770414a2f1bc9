"""Copies a package of ICU data without the tables for encodings and for languages other than English.

    python3 script/icu_data.py SOURCE TARGET

The transliteration rules stay, because sitegen uses them to write names in Latin letters. A package consists of a
header, a table with the offsets of names and items (sorted by name), the names, and the items, aligned to 16 bytes.
"""

import re
import struct
import sys

UNUSED = re.compile(rb"\.cnv$|^(?!translit)(\w+/)?(?!en)[a-z]{2,3}(_\w*)?\.res$")


def main(source, target):
    with open(source, "rb") as file:
        data = file.read()
    start, magic = struct.unpack_from("<HH", data)
    if magic != 0x27DA or data[12:16] != b"CmnD":
        sys.exit("script/icu_data.py: not a package of ICU data")
    (count,) = struct.unpack_from("<I", data, start)
    entries = [struct.unpack_from("<II", data, start + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in entries[1:]] + [len(data) - start]
    kept = []
    for (name, offset), end in zip(entries, ends):
        text = data[start + name : data.index(b"\0", start + name)]
        if not UNUSED.search(text.split(b"/", 1)[1]):
            kept.append((text, data[start + offset : start + end]))
    if not 100 < len(kept) < count:
        sys.exit("script/icu_data.py: the names of the items have changed")
    names, offsets = b"", []
    for text, _ in kept:
        offsets.append(4 + 8 * len(kept) + len(names))
        names += text + b"\0"
    names += bytes(-(start + 4 + 8 * len(kept) + len(names)) % 16)
    table, items = struct.pack("<I", len(kept)), b""
    first = 4 + 8 * len(kept) + len(names)
    for offset, (_, item) in zip(offsets, kept):
        table += struct.pack("<II", offset, first + len(items))
        items += item + bytes(-len(item) % 16)
    with open(target, "wb") as file:
        file.write(data[:start] + table + names + items)


if __name__ == "__main__":
    main(*sys.argv[1:])
