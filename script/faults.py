"""Makes the nth system call of every kind fail, or kills the process there, for every n and command.

After each fault, the published site must be complete, with only old or new files. The exit code must
be documented, and the message must name what failed. The next run, without a fault, must produce the
same site as a clean build, and leave nothing behind.
"""

import argparse
import collections
import concurrent.futures
import errno
import functools
import http.server
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import site_check

HERE = pathlib.Path(__file__).parent
WRITE = ["ENOSPC", "EIO", "EDQUOT", "EINTR", "short", "ENOSPC+", "kill"]
# Faults by system call; calls on the same line are counted together. `+` means every call from the nth on.
FAULTS = {
    "openat,openat2": ["EMFILE", "EIO", "ENOSPC", "EROFS", "ENOMEM", "EINTR", "EMFILE+", "kill"],
    "write,pwrite64": WRITE,
    "rename,renameat,renameat2": ["EIO", "ENOSPC", "EROFS", "kill"],
    "fsync,fdatasync,syncfs": ["EIO", "ENOSPC", "kill"],
    "linkat": ["EIO", "ENOSPC", "EXDEV", "EMLINK", "kill"],
    "unlink,unlinkat,rmdir": ["EIO", "EROFS", "kill"],
    "mkdir,mkdirat": ["ENOSPC", "EDQUOT", "EROFS", "kill"],
    "ftruncate": ["EIO", "EINTR", "kill"],
    "read,pread64": ["EIO", "EINTR", "short", "kill"],
    "clone,clone3,pipe2": ["EAGAIN", "EMFILE", "kill"],
    "mmap": ["ENOMEM", "kill"],
}
MANIFEST = """version: 1
site: {{ title: {title} }}
pages: {{ people: true, cards: true }}
{network}avatars:
  - {{ name: round, size: 16, scales: [1, 2], formats: [png] }}
exports: [sprites, aliases]
buttons:
  - {{ name: go, normal: red, emit: [css, png] }}
users:
  - {{ id: otter, name: Otter, avatar: {first}, tags: [field] }}
  - {{ id: fern, name: Fern, avatar: {second}, background: red, title: {title} }}
  - {{ id: heron, name: Heron, avatar: [missing.jpg, initials] }}
"""
# A message must name a file or a process.
WHERE = re.compile(r"(?:^|\s)/|\.sitegen|(?<!/)\b(content|output|templates|worker|process|program|ImageMagick)\b")
FOREIGN = "notes/mine.txt"


def sample_people(folder):
    subprocess.run([HERE / "sample-people", "--users", "4", "--size", "64x64", folder], check=True)


class Pictures(http.server.BaseHTTPRequestHandler):
    """Serves the sample pictures on loopback."""

    folder = None
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        data = (self.folder / os.path.basename(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Place:
    """A folder with a site before and after a change; every fault starts from the same state."""

    def __init__(self, program, scenario, root, port):
        self.program, self.scenario = program, scenario
        self.root = pathlib.Path(tempfile.mkdtemp(dir=root))
        self.temporary = self.root / "tmp"
        self.temporary.mkdir()
        sample_people(self.root / "content")
        avatars = "avatars/"
        if scenario == "fetch":
            avatars = f"http://127.0.0.1:{port}/"
        network = f"network: {{ allow: [127.0.0.1], ports: [{port}] }}\n" if scenario == "fetch" else ""
        for title, first in [("Before", 0), ("After", 1)]:
            text = MANIFEST.format(
                title=title, network=network, first=f"{avatars}{first}.png", second=f"{avatars}2.png")
            (self.root / "content" / f"{title}.yaml").write_text(text)
        self.fixed()
        self.old = {}
        self.build("After", check=True)
        self.new = site_check.files(self.root / "output")
        self.clear()
        if scenario not in ("build", "fetch"):
            self.build("Before", check=True)
            self.old = site_check.files(self.root / "output")
            self.fixed()
            if scenario in ("prune", "clean"):
                self.build("After", check=True)
                self.old = self.new
                (self.root / "output" / FOREIGN).parent.mkdir()
                (self.root / "output" / FOREIGN).write_text("mine")
        self.keep()

    def fixed(self):
        """Backdates the written files, so that their stamps are trusted."""
        for path in (self.root / "content").rglob("*"):
            os.utime(path, (1_700_000_000, 1_700_000_000))

    def clear(self):
        for name in ("output", ".sitegen"):
            shutil.rmtree(self.root / name, ignore_errors=True)

    def keep(self):
        for name in ("output", ".sitegen"):
            if (self.root / name).exists():
                shutil.copytree(self.root / name, self.root / "kept" / name)

    def reset(self):
        self.clear()
        for path in self.temporary.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if (self.root / "kept").exists():
            shutil.copytree(self.root / "kept", self.root, dirs_exist_ok=True, copy_function=shutil.copy2)

    def run(self, *words, through=(), check=True):
        result = subprocess.run(
            [*through, self.program, *words], cwd=self.root, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=60, text=True, errors="replace",
            env={"PATH": os.environ["PATH"], "HOME": str(self.root), "TMPDIR": str(self.temporary)})
        if check and result.returncode != 0:
            raise SystemExit(f"{words} exited with code {result.returncode}: {result.stderr}")
        return result

    def words(self, title):
        return ["build", "--quiet", "--jobs", "1", "--manifest", f"content/{title}.yaml"]

    def build(self, title, check=False):
        return self.run(*self.words(title), check=check)

    # MARK: One fault

    def command(self):
        if self.scenario == "prune":
            return ["prune", "--quiet", "--max-age", "0"]
        if self.scenario == "clean":
            return ["clean", "--quiet"]
        return self.words("After")

    def disturb(self, calls, fault, number):
        """Returns None if the program made fewer calls; otherwise, the disturbed call and the problems."""
        self.reset()
        report = self.root / "report"
        report.unlink(missing_ok=True)
        name = fault.rstrip("+")
        code = name if name in ("kill", "short") else str(getattr(errno, name))
        when = f"{number}{'+' if fault[-1] == '+' else ''}"
        inject = [self.root.parent / "inject", report, code, when, calls]
        try:
            if self.scenario == "serve":
                inject[3] += f"@{self.root / 'go'}"
                run = self.rebuild(inject, isLasting=fault[-1] == "+")
            else:
                run = self.run(*self.command(), through=inject, check=False)
        except subprocess.TimeoutExpired:
            return "?", ["it did not end within a minute"], "hang"
        seen, disturbed, first, status = report.read_text(errors="replace").split("\n")[:4]
        if disturbed == "0":
            return None
        wrong, status = [], int(status)
        message = run.stderr.replace(str(self.root), "")
        if status == -9 and fault == "kill":
            pass
        elif self.scenario == "serve":
            if status != 130:
                wrong.append(f"status {status}: {message}")
            # The preview continues after a single fault, and rebuilds the site; with `+`, rebuilds may keep failing.
            status = 3 if fault[-1] == "+" else 0
            message = ""
        elif calls == "mmap" and (status == 127 or status < 0):
            # Either the loader reports the fault, or a signal ends the program because it cannot allocate memory.
            pass
        elif status not in (0, 1, 2, 3, 75):
            wrong.append(f"status {status}: {message}")
        elif status != 0 and fault != "kill" and not WHERE.search(message):
            wrong.append(f"status {status}, and the message does not name the file or process: {message}")
        try:
            # If a picture could not be read, the site is neither the old nor the new one.
            wrong += self.after(1 if status == 0 and message else status)
        except Exception as error:
            wrong.append(f"{type(error).__name__}: {error}")
        return first.replace(str(self.root), ""), wrong, f"{status} {message}"

    def rebuild(self, inject, isLasting):
        """Disturbs one of the preview's rebuilds; the next one must produce the same site."""
        manifest, go, said = self.root / "content" / "site.yaml", self.root / "go", self.root / "said"
        go.unlink(missing_ok=True)
        manifest.write_text((self.root / "content" / "Before.yaml").read_text())
        text = (self.root / "content" / "After.yaml").read_text()
        with open(said, "w") as out, open(self.root / "complained", "w+") as err:
            process = subprocess.Popen(
                [*inject, self.program, "serve", "--port", "0", "--jobs", "1", "--manifest",
                 "content/site.yaml"], cwd=self.root, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True, env={"PATH": os.environ["PATH"], "HOME": str(self.root),
                                             "TMPDIR": str(self.temporary)})

            def lines(count):
                return lambda: said.read_text().count("\n") >= count

            def isNew():
                try:
                    found = site_check.files(self.root / "output")
                except FileNotFoundError:
                    # The site is being published.
                    return False
                return not site_check.differences(found, self.new)

            def until(condition, seconds):
                end = time.monotonic() + seconds
                while process.poll() is None and time.monotonic() < end and not condition():
                    time.sleep(0.02)

            # Wait for the address and the first build.
            until(lines(2), 20)
            go.touch()
            manifest.write_text(text)
            until(lines(3), 20)
            if not isLasting:
                for number in range(10):
                    until(isNew, 2)
                    if process.poll() is not None or isNew():
                        break
                    manifest.write_text(f"{text}# {number}\n")
            try:
                os.killpg(process.pid, signal.SIGINT)
            except ProcessLookupError:
                pass
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
            err.seek(0)
            return subprocess.CompletedProcess([], 0, said.read_text(), err.read())

    def after(self, status):
        """Lists problems with the site, and with the result of the next run."""
        found = site_check.files(self.root / "output")
        foreign = [FOREIGN] if FOREIGN in found else []
        wrong = []
        if self.scenario == "clean":
            # Parts of the site may be left, because it was being deleted.
            if not foreign:
                wrong.append(f"{FOREIGN} is gone")
            if status == 0:
                wrong += [f"{path} is left behind" for path in found if path not in (FOREIGN, site_check.LOCK)]
        elif self.old or "index.html" in found:
            isDone = status in (0, 1) or self.scenario == "prune"
            wrong += site_check.flaws(found, unfinished=not isDone, foreign=foreign)
            if status != 1 or self.scenario == "prune":
                wrong += site_check.neither(found, {**self.old, FOREIGN: b"mine"}, self.new)
        if status == 0 and self.scenario != "clean":
            wrong += site_check.differences({k: v for k, v in found.items() if k != FOREIGN}, self.new)
        if self.scenario in ("prune", "clean"):
            again = self.run(*self.command(), check=False)
            if again.returncode != 0:
                wrong.append(f"the same command again: exit code {again.returncode}: {again.stderr}")
            if self.scenario == "clean":
                left = set(site_check.files(self.root / "output")) - {FOREIGN, site_check.LOCK}
                wrong += [f"{path} is left behind by the next clean" for path in left]
        again = self.build("After")
        if again.returncode != 0:
            wrong.append(f"the next build: exit code {again.returncode}: {again.stderr}")
        found = site_check.files(self.root / "output")
        wrong += ["the next build: " + flaw for flaw in site_check.flaws(found, foreign=foreign)]
        wrong += ["the next build: " + flaw for flaw in site_check.differences(
            {k: v for k, v in found.items() if k not in foreign}, self.new)]
        wrong += [f"{path} is left behind" for path in self.root.glob(".sitegen/**/.sitegen-tmp-*")]
        if any(self.temporary.iterdir()):
            # A worker's leftovers are removed when the next worker starts, but that build may not need one.
            self.run("doctor")
        wrong += [f"{path} is left behind" for path in self.temporary.iterdir()]
        return wrong


SCENARIOS = ["build", "rebuild", "prune", "clean", "fetch", "serve"]


class Harness:
    def __init__(self, options, root):
        self.options, self.root = options, root
        self.places = collections.defaultdict(list)
        self.port = 0
        self.totals = collections.Counter()
        self.messages = collections.defaultdict(collections.Counter)
        self.failures = []

    def serve(self):
        folder = self.root / "pictures"
        sample_people(folder)
        Pictures.folder = folder / "avatars"
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pictures)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.port = server.server_port

    def disturb(self, scenario, calls, fault, number):
        place = self.places[scenario].pop()
        try:
            return place.disturb(calls, fault, number)
        finally:
            self.places[scenario].append(place)

    def sweep(self, pool, scenario, calls, fault):
        """Disturbs the first call, then the second, and so on, until a run ends without reaching the call."""
        step = self.options.every
        numbers = [self.options.at] if self.options.at else None
        number, ended, running = random.randint(1, step), False, {}
        while running or not ended:
            while not ended and len(running) < self.options.jobs:
                if numbers is not None:
                    ended, number = True, numbers[0]
                running[pool.submit(self.disturb, scenario, calls, fault, number)] = number
                number += step
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                at, result = running.pop(future), future.result()
                if result is None:
                    ended = True
                    continue
                self.note(scenario, calls, fault, at, *result)

    def note(self, scenario, calls, fault, at, what, wrong, message):
        self.totals[scenario, "kills" if fault == "kill" else "faults"] += 1
        text = re.sub(r"[0-9a-f]{16,}|-\d+-\d+|\d{3,}", "N", message)
        self.messages[text][f"{fault} {re.sub(r'[0-9a-f]{16,}|[0-9]{3,}', 'N', what)}"] += 1
        if self.options.verbose:
            print(f"{scenario} {fault} {at}: {what}: {message.strip()}", flush=True)
        if wrong:
            self.failures.append(wrong)
            print(f"FAILED --scenario {scenario} --calls {calls} --faults {fault} --at {at}\n  {what}\n  "
                  + "\n  ".join(wrong) + f"\n  output: {message}", flush=True)

    def run(self):
        options = self.options
        if "fetch" in options.scenario:
            self.serve()
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for scenario in options.scenario:
                for _ in range(options.jobs):
                    self.places[scenario].append(Place(options.program, scenario, self.root, self.port))
                for calls, faults in FAULTS.items():
                    if options.calls and not set(options.calls) & set(calls.split(",")):
                        continue
                    before, start = sum(self.totals.values()), time.monotonic()
                    for fault in faults:
                        if not options.faults or fault in options.faults:
                            self.sweep(pool, scenario, calls, fault)
                    print(f"{scenario}: {calls}: {sum(self.totals.values()) - before} times, "
                          f"{time.monotonic() - start:.0f} s", flush=True)
        if options.messages:
            for text, where in sorted(self.messages.items()):
                print(f"{sum(where.values())} × {text.strip()}")
                for what, count in where.most_common(6):
                    print(f"    {count} {what}")
        faults = sum(count for (_, kind), count in self.totals.items() if kind == "faults")
        kills = sum(count for (_, kind), count in self.totals.items() if kind == "kills")
        print(f"{faults} faults, {kills} kills, {len(self.failures)} failures")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(prog="script/faults", description=__doc__)
    listed = functools.partial(str.split, sep=",")
    parser.add_argument("--program", default=".build/release/sitegen", type=os.path.abspath)
    parser.add_argument("--scenario", type=listed, default=SCENARIOS, help=",".join(SCENARIOS))
    parser.add_argument("--calls", type=listed, help="disturb only these calls")
    parser.add_argument("--faults", type=listed, help="inject only these faults, such as ENOSPC,short,kill")
    parser.add_argument("--at", type=int, help="disturb only the call with this number")
    parser.add_argument("--every", type=int, default=1, help="take a sample: disturb every Nth call")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="the first call in a sample")
    parser.add_argument("--messages", action="store_true", help="print the messages with their counts and causes")
    parser.add_argument("--verbose", action="store_true", help="print every fault")
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as root:
        root = pathlib.Path(root)
        subprocess.run(["cc", "-O2", "-o", root / "inject", HERE / "inject.c"], check=True)
        sys.exit(Harness(options, root).run())


if __name__ == "__main__":
    main()
