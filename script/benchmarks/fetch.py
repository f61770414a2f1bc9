"""Fetches avatars from nginx over loopback with sitegen and curl, then again without changes."""

import argparse
import contextlib
import getpass
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

from measuring import SITEGEN, folder, median, run
from noop import png

SIDE = 64
NGINX = """
user {user};
daemon off;
worker_processes 1;
pid {work}/pid;
error_log {work}/error.log;
events {{ worker_connections 1024; }}
http {{
  include /etc/nginx/mime.types;
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path {work}/body;
  proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi;
  scgi_temp_path {work}/scgi;
  server {{ listen 127.0.0.1:{port}; root {site}; }}
}}
"""


@contextlib.contextmanager
def nginx(site, port):
    """Serves a folder while the block runs."""
    work = folder("fetch-nginx")
    configuration = os.path.join(work, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(NGINX.format(user=getpass.getuser(), work=work, port=port, site=site))
    server = subprocess.Popen(["nginx", "-e", os.path.join(work, "start.log"), "-p", work,
                               "-c", configuration])
    try:
        wait(server, f"http://127.0.0.1:{port}/")
        yield
    finally:
        server.terminate()
        server.wait(10)


def wait(server, address):
    for _ in range(600):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.1)
    raise SystemExit(f"nginx does not respond at {address}")


def make_pictures(place, count):
    """Makes distinct noise pictures, and a page that shows whether the server responds."""
    chance = random.Random(11)
    total = 0
    for number in range(count):
        path = os.path.join(place, f"{number:05}.png")
        with open(path, "wb") as file:
            total += file.write(png(chance.randbytes(SIDE * SIDE * 3), SIDE))
        os.utime(path, (1_700_000_000, 1_700_000_000))
    with open(os.path.join(place, "index.html"), "w") as file:
        file.write("here\n")
    return total


def make_manifest(site, address, port, count):
    with open(os.path.join(site, "manifest.yaml"), "w") as file:
        file.write(f"version: 1\nnetwork: {{ allow: [127.0.0.1], ports: [{port}] }}\navatars:\n"
                   "  - { name: small, size: 16, scales: [1], formats: [png] }\nusers:\n")
        for number in range(count):
            file.write(f"  - {{ id: user{number:05}, avatar: '{address}{number:05}.png' }}\n")


def make_lists(site, address, count):
    """Writes curl configs: one for all pictures, one only for those newer than the existing files."""
    first, again = (os.path.join(site, name) for name in ["first", "again"])
    with open(first, "w") as file:
        for number in range(count):
            file.write(f'url = "{address}{number:05}.png"\noutput = "files/{number:05}.png"\n')
    with open(again, "w") as file:
        for number in range(count):
            name = f"files/{number:05}.png"
            # Options between two `next` lines apply to a single transfer.
            file.write("next\n" if number else "")
            file.write(f'url = "{address}{number:05}.png"\noutput = "{name}"\n'
                       f'time-cond = "{name}"\nfail\nremote-time\n')
    return first, again


def free_port():
    with socket.socket() as wire:
        wire.bind(("127.0.0.1", 0))
        return wire.getsockname()[1]


def curl(site, listing, width):
    return run(["curl", "--no-progress-meter", "--fail", "--remote-time", "--parallel",
                "--parallel-max", str(width), "--config", listing], cwd=site)


def emptied(site, *names):
    for name in names:
        shutil.rmtree(os.path.join(site, name), ignore_errors=True)


def report(site):
    with open(os.path.join(site, ".sitegen/report.json"), encoding="utf-8") as file:
        return json.load(file)


def check(holds, what):
    if not holds:
        raise SystemExit(f"check failed: {what}")


class Table:
    """Each method's time in seconds, by round."""

    def __init__(self, count):
        self.count, self.walls = count, {}

    def add(self, name, seconds):
        self.walls.setdefault(name, []).append(seconds)

    def show(self, base):
        for name, walls in self.walls.items():
            wall = median(walls)
            print(f"{name:34}{wall:8.2f} s{self.count / wall:9.0f}/s"
                  f"{wall / median(self.walls[base]):7.2f} of {base}")


def main():
    parser = argparse.ArgumentParser(prog="script/bench fetch", description=__doc__)
    parser.add_argument("--users", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", default="/dev/shm", help="working folder for all programs; creating "
                        "thousands of files on a disk takes longer than fetching them")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sitegen-bench-", dir=options.work) as site:
        compare(site, options)


def compare(site, options):
    count, port = options.users, free_port()
    pictures = folder("fetch-pictures")
    total = make_pictures(pictures, count)
    address = f"http://127.0.0.1:{port}/"
    make_manifest(site, address, port, count)
    first, again = make_lists(site, address, count)
    os.makedirs(os.path.join(site, "files"))
    build = [SITEGEN, "build", "--manifest", "manifest.yaml"]

    cold, warm = Table(count), Table(count)
    with nginx(pictures, port):
        for _ in range(options.rounds):
            for width in [4, 16]:
                emptied(site, "files")
                os.makedirs(os.path.join(site, "files"))
                cold.add(f"curl {width}", curl(site, first, width)[0])
                check(len(os.listdir(os.path.join(site, "files"))) == count, "curl has them all")
            emptied(site, "output", ".sitegen")
            wall, _ = run(build, cwd=site)
            summary = report(site)
            check(summary["users"]["ok"] == count, "all users have their picture")
            check(summary["counters"]["fetched"] == count, "each picture was fetched once")
            check(summary["counters"]["fetchedBytes"] == total, "to the byte")
            cold.add("sitegen, fetching", summary["network"]["seconds"])
            cold.add("sitegen, the whole build", wall)

            for width in [4, 16]:
                warm.add(f"curl {width}", curl(site, again, width)[0])
            wall, _ = run(build + ["--refresh"], cwd=site)
            summary = report(site)
            counters = summary["counters"]
            check(counters["notModified"] == count and counters["fetchedBytes"] == 0,
                  "nothing has changed")
            check(counters["renders"] == 0 and summary["users"]["ok"] == count, "nothing is drawn")
            warm.add("sitegen, fetching", summary["network"]["seconds"])
            warm.add("sitegen, the whole build", wall)
    hosts = summary["network"]["hosts"].values()
    print(f"{count} pictures, {total / count / 1e3:.1f} KB each, median of {options.rounds} "
          "rounds; sitegen sends at most 4 parallel requests to a host")
    cold.show("curl 4")
    print("again: all pictures are revalidated, and are unchanged")
    warm.show("curl 4")
    print(f"renders {counters['renders']}, not modified {counters['notModified']}, "
          f"body bytes {counters['fetchedBytes']}, "
          f"reused connections {sum(host['reused'] for host in hosts)}")


if __name__ == "__main__":
    main()
