"""A site from a plan, rendered by 1, 2 and 4 processes, beside one build; and plans of large sites."""

import argparse
import json
import os
import socket
import subprocess
import time

import photos
from measuring import SITEGEN, WORK, PeakMemory, folder, median, run
from scale import make_site

STYLE = '  - { name: round, size: 64, scales: [1, 2, 3], formats: [png, webp], border: { width: 2, color: "#fff" } }\n'


def write_site(site, people):
    os.mkdir(os.path.join(site, "photos"))
    photos.make(os.path.join(site, "photos"), people, os.path.join(WORK, "packages"), "rosters")
    with open(os.path.join(site, "manifest.yaml"), "w", encoding="utf-8") as file:
        file.write("version: 1\navatars:\n" + STYLE + "users:\n")
        for name in sorted(os.listdir(os.path.join(site, "photos"))):
            file.write(f"  - {{ id: {json.dumps(name)}, avatar: {json.dumps('photos/' + name)} }}\n")


def words(site, command, name):
    return [SITEGEN, command, "--manifest", os.path.join(site, "manifest.yaml"), "--output",
            os.path.join(site, name), "--cache", os.path.join(site, name + "-cache"), "--quiet"]


def plan(site, output, shards, store):
    """The name of the plan, and the seconds of the clock and of processors."""
    path = os.path.join(site, "plan")
    command = " ".join(words(site, "plan", output) + ["--store", store, "--shards", str(shards)])
    wall, cpu = run(["sh", "-c", f"{command} > {path}"])
    with open(path) as file:
        return file.read().strip(), wall, cpu


def render(name, store, shards, jobs):
    before, start = os.times(), time.monotonic()
    processes = [
        subprocess.Popen([SITEGEN, "render", "--plan", name, "--store", store, "--shard", str(number),
                          "--jobs", str(jobs), "--quiet"]) for number in range(shards)]
    for process in processes:
        if process.wait() != 0:
            raise SystemExit("a shard failed")
    return time.monotonic() - start, processor(before)


def processor(before):
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def differ(site, one, other):
    return subprocess.run(["diff", "-rq", os.path.join(site, one), os.path.join(site, other)],
                          capture_output=True).returncode != 0


def compare(options):
    site = folder("shards")
    write_site(site, options.people)
    cores = len(os.sched_getaffinity(0))
    builds, rows = [], {}
    for number in range(options.runs):
        # Nothing is removed in between: ext4 looks long for a number that no file had lately.
        built = f"built-{number}"
        builds.append(run(words(site, "build", built) + ["--jobs", str(cores)]))
        for shards in (1, 2, 4):
            output = f"assembled-{number}-{shards}"
            store = os.path.join(site, f"store-{number}-{shards}")
            os.mkdir(store)
            store = "dir:" + store
            name, *planned = plan(site, output, shards, store)
            rendered = render(name, store, shards, max(cores // shards, 1))
            assembled = run(words(site, "assemble", output) + ["--plan", name, "--store", store])
            if differ(site, built, output):
                raise SystemExit("the sites differ")
            rows.setdefault(shards, []).append((*planned, *rendered, *assembled))
    wall, cpu = (median(values) for values in zip(*builds))
    print(f"{options.people} people, 6 files each; {cores} cores, medians of {options.runs}; all sites are equal\n")
    print("Seconds of the clock, and of processors behind the stroke.\n")
    print("| | plan | render | assemble | sum | of the build |\n|---|---|---|---|---|---|")
    print(f"| one build | | | | {wall:.2f} / {cpu:.2f} | 1 |")
    for shards, values in rows.items():
        parts = [median(column) for column in zip(*values)]
        sums = sum(parts[::2]), sum(parts[1::2])
        cells = " | ".join(f"{parts[i]:.2f} / {parts[i + 1]:.2f}" for i in (0, 2, 4))
        print(f"| {shards} shards | {cells} | {sums[0]:.2f} / {sums[1]:.2f} | "
              f"{sums[0] / wall:.2f} / {sums[1] / cpu:.2f} |")
    objects = sum(len(files) for _, _, files in os.walk(store.removeprefix("dir:")))
    print(f"\nobjects in the store for each thousand people: {1000 * objects / options.people:.0f}")


def measured(command):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    memory = PeakMemory(process.pid)
    out = process.communicate()[0].decode().strip()
    wall = time.monotonic() - start
    peak = memory.stop()
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command[1]} ended with status {process.returncode}")
    return out, wall, peak // 1_000_000


def large(options):
    """From the first plan of a site without pages to the build that finds nothing to do."""
    site = folder("shards-large")
    make_site(site, options.large, "csv", options.sharing)
    path = os.path.join(site, "manifest.yaml")
    with open(path) as file:  # so many people have no gallery
        text = file.read().replace("pages: { size: 500 }", "pages: false")
    with open(path, "w") as file:
        file.write(text)
    os.mkdir(os.path.join(site, "store"))
    store = ["--store", "dir:" + os.path.join(site, "store")]
    print(f"\n{options.large:,} people, {options.sharing} of whom share a picture\n")
    print("| | wall s | peak MB |\n|---|---|---|")
    command = words(site, "plan", "planned") + store + ["--shards", "100"]
    name = ""
    for step, command in [("first plan", command), ("status, nothing rendered", None),
                          ("all shards", "render"), ("plan of the same site", command),
                          ("status, all rendered", None), ("assemble", "assemble"),
                          ("the next build", words(site, "build", "planned"))]:
        if command is None:
            command = [SITEGEN, "status", "--plan", name] + store + ["--quiet"]
        elif command == "assemble":
            command = words(site, "assemble", "planned") + store + ["--plan", name]
        elif command == "render":
            command = [SITEGEN, "render", "--plan", name, "--shard", "0/1"] + store + ["--quiet"]
        out, wall, peak = measured(command)
        name = out or name
        print(f"| {step} | {wall:.2f} | {peak} |")


NGINX = """daemon off; pid nginx.pid; error_log stderr crit; worker_processes 1; events {{}}
http {{
  client_body_temp_path body; log_format sizes "$request_method $request_length $bytes_sent";
  access_log requests sizes;
  server {{
    listen 127.0.0.1:{port}; root store; client_max_body_size 128m;
    location / {{ dav_methods PUT; create_full_put_path on; }}
  }}
}}
"""


def requests(options):
    """What each command asks of a store on a server, and the megabytes that go there and come back."""
    site = folder("shards-requests")
    write_site(site, options.people)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    place = os.path.join(site, "server")
    os.makedirs(os.path.join(place, "store"))
    with open(os.path.join(place, "nginx.conf"), "w") as file:
        file.write("user root;\n" * (os.getuid() == 0) + NGINX.format(port=port))
    server = subprocess.Popen(["/usr/sbin/nginx", "-e", "stderr", "-p", place, "-c", "nginx.conf"])
    store = ["--store", f"http://127.0.0.1:{port}"]
    print(f"{options.people} people, 6 files each, 4 shards: for each thousand people\n")
    print("| | GET and HEAD | PUT | MB there | MB back |\n|---|---|---|---|---|")
    log = os.path.join(place, "requests")
    try:
        while not os.path.exists(os.path.join(place, "nginx.pid")):
            time.sleep(0.05)
        name = ""
        for step in ("plan", "render", "status", "assemble", "plan again", "status again"):
            command = words(site, step.split()[0], "assembled") + store
            if step.startswith("plan"):
                command += ["--shards", "4"]
            elif step == "assemble":
                command += ["--plan", name]
            else:
                command = [SITEGEN, step.split()[0], "--plan", name, "--quiet"] + store
            open(log, "w").close()
            out = measured(command)[0]
            name = out if step == "plan" else name
            with open(log) as file:
                rows = [line.split() for line in file]
            puts = sum(row[0] == "PUT" for row in rows)
            sizes = [sum(int(row[column]) for row in rows) / 1000 / options.people for column in (1, 2)]
            cells = [1000 * (len(rows) - puts) / options.people, 1000 * puts / options.people]
            print(f"| {step} | {cells[0]:.0f} | {cells[1]:.0f} | {sizes[0]:.1f} | {sizes[1]:.1f} |")
    finally:
        server.terminate()
        server.wait()


def main():
    parser = argparse.ArgumentParser(prog="script/bench shards", description=__doc__)
    parser.add_argument("--people", type=int, default=1200)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--large", type=int, help="people of a large site, from the plan to the end")
    parser.add_argument("--sharing", type=int, default=20, help="people who share a picture there")
    parser.add_argument("--requests", action="store_true", help="what is asked of a server, and no times")
    options = parser.parse_args()
    large(options) if options.large else requests(options) if options.requests else compare(options)


if __name__ == "__main__":
    main()
