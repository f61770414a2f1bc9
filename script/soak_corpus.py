"""Builds a site from a folder of valid and broken pictures, and accounts for every user.

Each file becomes a user. The site is built twice, and then with an empty cache and one more job.
Each build must exit with code 0 or 1, and produce the same site and messages. All processes of
a build together must stay within `--memory`. Pictures that crashed their decoder are listed.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import site_check

sys.path.append(str(pathlib.Path(__file__).parent / "benchmarks"))
from measuring import PeakMemory

MANIFEST = """version: 1
notices: off
allowOutside: true
avatars:
  - { name: round, size: 96, scales: [1, 2], formats: png }
  - { name: square, size: 64, shape: square, fit: contain, scales: 1, formats: webp }
users: { from: users.jsonl }
"""
SIZES = {"round": [(96, 1), (192, 2)], "square": [(64, 1)]}
ENDED = ("decoder-crashed", "decode-timeout", "decoder-hung", "decode-memory")
# The default of `--memory`, in bytes.
BUDGET = min(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2, 2048 << 20)


def lay(corpus, site):
    """Writes the manifest; returns the path of each file by its user's id."""
    (site / "pictures").mkdir(parents=True)
    (site / "manifest.yaml").write_text(MANIFEST)
    people, lines = {}, []
    for path in sorted(path for path in corpus.rglob("*") if path.is_file() and not path.is_symlink()):
        user = f"p{len(people):06}"
        # File names can be arbitrary; only the extension is kept.
        ending = re.fullmatch(r"\.\w{1,5}", path.suffix, re.ASCII)
        name = f"pictures/{user}{ending[0].lower() if ending else ''}"
        (site / name).symlink_to(path)
        # Every second user has a fallback for a refused picture.
        avatar = [name, "initials"] if hasInitials(user) else name
        lines.append(json.dumps({"id": user, "avatar": avatar}) + "\n")
        people[user] = ascii(str(path.relative_to(corpus)))
    (site / "users.jsonl").write_text("".join(lines))
    return people


def hasInitials(user):
    return int(user[1:]) % 2 == 1


def build(options, site, name, jobs, wrong):
    """Builds and prints the cost; returns the report, and the refused pictures with reasons by user."""
    command = [options.program, "build", "--quiet", "--manifest", "manifest.yaml", "--output", name,
               "--cache", f"{name}-cache", "--jobs", str(jobs)]
    start = time.monotonic()
    with open(site / f"{name}.said", "wb") as said:
        process = subprocess.Popen(command, cwd=site, stdout=said, stderr=said)
        memory = PeakMemory(process.pid)
        status, peak = process.wait(), memory.stop()
    if status not in (0, 1):
        sys.exit(f"FAILED exit code {status}: {(site / f'{name}.said').read_text(errors='replace')[-2000:]}")
    report = json.loads((site / f"{name}-cache" / "report.json").read_text())
    counters = report["counters"]
    print(f"exit code {status}, {jobs} jobs: {time.monotonic() - start:.0f} s, peak {peak / 1e6:.0f} MB of "
          f"{BUDGET / 1e6:.0f}, {counters['renders']} renders, {counters['workersStarted']} workers", flush=True)
    if peak > BUDGET:
        wrong.append(f"the peak memory is {peak / 1e6:.0f} MB")
    return report, {each["user"]: (each["reason"], each["detail"]) for each in report["failures"]}


def unaccounted(people, report, refused, users):
    """Lists the users who are missing from the report or `assets.json`, or differ between them."""
    wrong = [f"{user} is missing or unknown" for user in people.keys() ^ users.keys()]
    if len(refused) != len(report["failures"]) or sum(report["users"].values()) != len(people):
        wrong.append(f"the report contains {report['users']} and {len(report['failures'])} failures")
    for user in people.keys() & users.keys():
        if user in refused and not hasInitials(user):
            wanted = {"status": "failed", "reason": refused[user][0]}
        else:
            wanted = {"status": "ok", "sourceIndex": int(user in refused),
                      "source": "initials" if user in refused else "file"}
        said = {key: users[user].get(key) for key in ("status", "reason", "sourceIndex", "source")}
        if said != dict.fromkeys(said) | wanted:
            wrong.append(f"{user} is {said}, not {wanted}")
        sizes = {style: [(image["width"], image["scale"]) for image in images]
                 for style, images in users[user]["avatars"].items()}
        if sizes != (SIZES if wanted["status"] == "ok" else {}):
            wrong.append(f"{user} has the images {sizes}")
    return wrong


def check(options, site):
    """Builds three times; returns whether all checks passed."""
    people, wrong = lay(options.folder, site), []
    report, refused = build(options, site, "site", options.jobs, wrong)
    said, tree = (site / "site.said").read_bytes(), site_check.files(site / "site")
    users = json.loads(tree["assets.json"])["users"]
    wrong += site_check.flaws(tree)
    wrong += unaccounted(people, report, refused, users)
    endings = {user: os.path.splitext(path.strip("'\""))[1].lower() or "none" for user, path in people.items()}
    taken = collections.Counter(endings[user] for user in people.keys() - refused.keys())
    print(", ".join(f"{taken[ending]} of {count} {ending}"
                    for ending, count in collections.Counter(endings.values()).most_common()))
    reasons = collections.Counter(reason for reason, _ in refused.values())
    print(f"{len(people)} files, {len(people) - len(refused)} accepted, {len(refused)} refused: "
          + ", ".join(f"{count} {reason}" for reason, count in reasons.most_common()))
    for user in sorted(refused):
        if refused[user][0] in ENDED:
            print(f"{refused[user][0]}: {people[user]}: {refused[user][1]}", flush=True)
    for name, jobs in ("site", options.jobs), ("fresh", options.jobs + 1):
        other, others = build(options, site, name, jobs, wrong)
        if name == "site" and any(other["counters"][key] for key in ("renders", "written", "removed")):
            wrong.append(f"the second build was not up to date: {other['counters']}")
        found = site_check.files(site / name)
        drawn = json.loads(found["assets.json"])["users"]
        wrong += [f"{people[user]} is refused in only one build: {words}"
                  for user, words in sorted(others.items() ^ refused.items())]
        wrong += [f"{people[user]} has different images in the build {name}"
                  for user in people if drawn.get(user) != users.get(user)]
        wrong += site_check.differences(found, tree)
        if other["notes"] != report["notes"] or (site / f"{name}.said").read_bytes() != said:
            wrong.append(f"the messages of the build {name} differ from the first")
    for flaw in wrong[:100]:
        print("FAILED", flaw)
    print(f"corpus: {len(people)} files, {len(wrong)} failures")
    return bool(people) and not wrong


def main():
    parser = argparse.ArgumentParser(prog="script/soak", description=__doc__)
    parser.add_argument("mode", choices=["corpus"])
    parser.add_argument("folder", type=pathlib.Path, help="a folder of pictures, searched recursively")
    parser.add_argument("--program", default=".build/release/sitegen", type=os.path.abspath)
    parser.add_argument("--jobs", type=int, default=2, help="number of jobs in the first two builds")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the sites in this new folder")
    options = parser.parse_args()
    options.folder = options.folder.resolve(strict=True)
    with tempfile.TemporaryDirectory(prefix="corpus-") as root:
        sys.exit(0 if check(options, (options.keep or pathlib.Path(root)).resolve()) else 1)


if __name__ == "__main__":
    main()
