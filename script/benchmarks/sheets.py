"""The time of one sheet of sprites: processor seconds for decoding its pictures and for writing the
sheet, as the kernel counts them for the worker, so other work on the machine does not count.

The workers are those of the debug build, optimised too: only there a test can hold them.
400 pictures of 192 × 192 pixels are a sheet of 3,903 × 3,903. Usage: script/bench sheets
"""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

PEOPLE = 400
SIDE = 192
STAGES = ["before-decode", "after-decode", "after-encode"]


def png(number):
    """Makes a smooth picture with noise, like a photo."""
    noise = (number * 2654435761 + 1) & 0xFFFFFFFF
    rows = bytearray()
    for y in range(SIDE):
        rows.append(0)
        for x in range(SIDE):
            noise = (noise * 1664525 + 1013904223) & 0xFFFFFFFF
            for part, value in enumerate([(x + number) // 2, (y + x) // 3, x * y // 200]):
                rows.append((value + (noise >> (24 + part) & 7)) & 255)

    def chunk(name, data):
        check = struct.pack(">I", zlib.crc32(name + data))
        return struct.pack(">I", len(data)) + name + data + check

    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(rows), 1)) + chunk(b"IEND", b"")
    )


def build(folder, manifest, output, environment=None):
    program = pathlib.Path(".build/debug/sitegen").resolve()
    command = [program, "build", "--manifest", manifest, "--output", output]
    command += ["--cache", folder / "cache", "--jobs", "1"]
    return subprocess.Popen(
        command, env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL)


def seconds_until(stage, folder):
    """Returns the processor seconds of the sheet's worker when it reaches a stage."""
    gates = folder / "gates"
    shutil.rmtree(gates, ignore_errors=True)
    gates.mkdir()
    cache, kept = folder / "cache", folder / "kept"
    shutil.rmtree(cache)
    shutil.copytree(kept, cache)
    gate = {"SITEGEN_TEST_GATE": stage, "SITEGEN_TEST_GATE_FOLDER": str(gates)}
    run = build(folder, folder / "sheets.yaml", folder / "output", gate)
    mark = f"reached-{stage}-"
    while not (names := [name for name in os.listdir(gates) if name.startswith(mark)]):
        if run.poll() is not None:
            sys.exit("the build ended without a sheet")
        time.sleep(0.02)
    fields = pathlib.Path(f"/proc/{names[0][len(mark):]}/stat").read_text().split()
    (gates / "open").write_text("")
    run.wait()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def main():
    if "--help" in sys.argv:
        print(__doc__.strip())
        return
    subprocess.run(["swift", "build", "--product", "sitegen"], check=True, stdout=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number in range(PEOPLE):
            (folder / f"{number}.png").write_bytes(png(number))
        people = "".join(f"  - {{id: u{n}, avatar: {n}.png}}\n" for n in range(PEOPLE))
        style = "avatars:\n  - {name: round, size: 64, scales: [3], formats: [png]}\n"
        for name, export in [("plain", ""), ("sheets", "exports: [sprites]\n")]:
            (folder / f"{name}.yaml").write_text(
                f"version: 1\n{export}{style}users:\n{people}")
        # Make the pictures before measuring.
        build(folder, folder / "plain.yaml", folder / "plain").wait()
        shutil.copytree(folder / "cache", folder / "kept")
        start, decoded, written = (
            min(seconds_until(stage, folder) for _ in range(3)) for stage in STAGES)
        decode, write = decoded - start, written - decoded
        print(f"decoding {PEOPLE} pictures  {decode:.2f} s")
        print(f"writing the sheet      {write:.2f} s")
        print(f"share of decoding      {decode / (decode + write):.0%}")


main()
