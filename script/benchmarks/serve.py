"""The preview's server beside nginx: the same folder, 200 connections of wrk, each in turn."""

import argparse
import getpass
import os
import random
import re
import signal
import subprocess
import time
import urllib.request

from measuring import SITEGEN, folder, run

CONFIGURATION = """
user {user};
daemon off;
worker_processes {workers};
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
MIXED = """
local paths = {{ {paths} }}
local number = 0
request = function()
  number = number % #paths + 1
  return wrk.format("GET", paths[number])
end
"""


class Server:
    """A server program, from its start to its end."""

    def __init__(self, name, command, log):
        self.name = name
        self.log = open(log, "w+", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT)

    def printed(self, pattern):
        """Waits for a text that the program prints."""
        for _ in range(600):
            with open(self.log.name, encoding="utf-8") as log:
                found = re.search(pattern, log.read())
            if found:
                return found.group(1)
            self.check()
            time.sleep(0.1)
        raise SystemExit(f"{self.name} does not say where it listens")

    def wait(self, address):
        """Waits until it answers."""
        self.address = address
        for _ in range(600):
            try:
                with urllib.request.urlopen(address, timeout=5) as answer:
                    answer.read()
                    return
            except OSError:
                self.check()
                time.sleep(0.1)
        raise SystemExit(f"{self.name} does not answer at {address}")

    def check(self):
        if self.process.poll() is not None:
            with open(self.log.name, encoding="utf-8") as log:
                raise SystemExit(f"{self.name} has ended:\n{log.read()}")

    def resident(self):
        """Returns its memory in bytes, including its child processes."""
        total, waiting = 0, [self.process.pid]
        while waiting:
            pid = waiting.pop()
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as lines:
                total += sum(int(line.split()[1]) * 1024 for line in lines
                             if line.startswith("VmRSS:"))
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
                    waiting += [int(child) for child in children.read().split()]
        return total

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def build(users):
    """Builds a site of sample people; returns its manifest, output and cache."""
    site = folder("serve")
    source = os.path.join(site, "source")
    run(["script/sample-people", "--users", str(users), "--images", str(min(users, 100)), source])
    paths = [os.path.join(source, "manifest.yaml"), os.path.join(site, "output"),
             os.path.join(site, "cache")]
    run([SITEGEN, "build", "--manifest", paths[0], "--output", paths[1], "--cache", paths[2],
         "--quiet"])
    return site, *paths


def ours(site, manifest, output, cache):
    server = Server("sitegen", [SITEGEN, "serve", "--manifest", manifest, "--output", output,
                                "--cache", cache, "--port", "0", "--progress", "none"],
                    os.path.join(site, "sitegen.log"))
    server.wait(server.printed(r"(http://127\.0\.0\.1:\d+/)"))
    return server


def nginx(site, output, port, workers):
    work = folder("serve-nginx")
    configuration = os.path.join(work, "nginx.conf")
    with open(configuration, "w", encoding="utf-8") as file:
        file.write(CONFIGURATION.format(user=getpass.getuser(), workers=workers, work=work,
                                        port=port, site=output))
    server = Server("nginx", ["nginx", "-e", os.path.join(work, "start.log"), "-p", work,
                              "-c", configuration], os.path.join(site, "nginx.log"))
    server.wait(f"http://127.0.0.1:{port}/")
    return server


def chosen(output):
    """Returns a picture of medium size, and paths of every kind."""
    files = []
    for root, _, names in os.walk(output):
        files += [os.path.join(root, name) for name in names]
    files.sort(key=lambda path: (os.path.getsize(path), path))
    pictures = [path for path in files if "/assets/" in path]
    mixed = random.Random(1).sample(pictures, min(80, len(pictures)))
    mixed += [path for path in files if path.endswith((".html", ".css", ".js"))][-20:]
    random.Random(2).shuffle(mixed)
    return (os.path.relpath(pictures[len(pictures) // 2], output),
            [os.path.relpath(path, output) for path in mixed])


def load(address, options, script=None):
    """Returns requests a second, errors of any kind, and the 99th percentile in ms."""
    command = ["wrk", f"-t{options.threads}", f"-c{options.connections}",
               f"-d{options.seconds}s", "--latency"]
    command += ["-s", script] if script else []
    text = subprocess.run(command + [address], check=True, stdout=subprocess.PIPE).stdout.decode()
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1))
    errors = sum(int(number) for line in re.findall(r"Socket errors:.*", text)
                 for number in re.findall(r"\d+", line))
    errors += sum(int(number) for number in re.findall(r"Non-2xx or 3xx responses: (\d+)", text))
    late, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return rate, errors, float(late) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def main():
    parser = argparse.ArgumentParser(prog="script/bench serve", description=__doc__)
    parser.add_argument("--users", type=int, default=500)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--port", type=int, default=8199, help="where nginx listens")
    options = parser.parse_args()

    site, manifest, output, cache = build(options.users)
    picture, mixed = chosen(output)
    script = os.path.join(site, "mixed.lua")
    with open(script, "w", encoding="utf-8") as file:
        file.write(MIXED.format(paths=", ".join(f'"/{path}"' for path in mixed)))
    sizes = [os.path.getsize(os.path.join(output, path)) for path in ["index.html", picture]]
    print(f"{options.users} users; a page of {sizes[0]} bytes, a picture of {sizes[1]}, "
          f"{len(mixed)} files of all kinds; {options.connections} connections for "
          f"{options.seconds} s")
    print(f"{'':20}{'requests/s':>12}{'errors':>8}{'99% ms':>9}{'MB before':>11}{'after':>8}")
    servers = []
    failures = 0
    try:
        servers.append(ours(site, manifest, output, cache))
        servers.append(nginx(site, output, options.port, len(os.sched_getaffinity(0))))
        for name, path, lua in [("page", "index.html", None), ("picture", picture, None),
                                ("mixed", "", script)]:
            for server in servers:
                before = server.resident()
                rate, errors, late = load(server.address + path, options, lua)
                failures += errors if server.name == "sitegen" else 0
                print(f"{name:10}{server.name:10}{rate:12.0f}{errors:8}{late:9.1f}"
                      f"{before / 1e6:11.1f}{server.resident() / 1e6:8.1f}", flush=True)
    finally:
        for server in servers:
            server.stop()
    if failures:
        raise SystemExit(f"{failures} requests failed")


if __name__ == "__main__":
    main()
