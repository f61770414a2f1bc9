"""Checks the recipe's CronJobs against the schema, and runs them according to the rules for Indexed Jobs.

This script imitates Kubernetes: pods for each index, exit codes handled by the policy,
evictions that do not count as failures, and an index that is started twice.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import yaml

from cluster import SHARDS


class Job:
    """Runs a Job's pods, and calls `disturb` while they run."""

    def __init__(self, trial, expect, spec, environment, mounts):
        self.trial, self.expect, self.spec, self.mounts = trial, expect, spec, mounts
        self.environment = environment
        self.container = spec["template"]["spec"]["containers"][0]
        rules = spec["podFailurePolicy"]["rules"]
        eviction = [{"type": "DisruptionTarget", "status": "True"}]
        self.ignores_evictions = any(
            rule["action"] == "Ignore" and rule.get("onPodConditions") == eviction for rule in rules)
        self.final = [status for rule in rules if "onExitCodes" in rule
                      for status in rule["onExitCodes"]["values"]]
        self.pods, self.done, self.failures, self.started = [], set(), {}, 0

    def start(self, index):
        self.started += 1
        # A folder for the volumes that only this pod uses.
        pods = self.trial.folder / "pods"
        pods.mkdir(exist_ok=True)
        own = pathlib.Path(tempfile.mkdtemp(prefix=f"{index}-", dir=pods))
        places = {path: place or own / path[1:] for path, place in self.mounts.items()}
        for place in places.values():
            place.mkdir(exist_ok=True)
        words = [re.sub(r"/(site|store|tmp)\b", lambda found: str(places[found[0]]), word)
                 for word in self.container["command"] + self.container["args"]]
        pod = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env={**self.environment, "JOB_COMPLETION_INDEX": str(index), "TMPDIR": str(places["/tmp"])})
        pod.index, pod.own, pod.is_evicted = index, own, False
        self.pods.append(pod)

    def kill(self, pod, is_evicted):
        pod.is_evicted = is_evicted
        os.killpg(pod.pid, signal.SIGKILL)

    def ended(self, pod, waiting):
        complaint, status = pod.stderr.read(), pod.wait()
        # The pod's workers may still be exiting.
        shutil.rmtree(pod.own, ignore_errors=True)
        self.expect(status in [0, -signal.SIGKILL], f"pod {pod.index} exited with code {status}: {complaint}")
        if status == 0:
            self.done.add(pod.index)
        elif pod.index not in self.done and pod.index not in [other.index for other in self.pods]:
            counts = not (pod.is_evicted and self.ignores_evictions)
            self.failures[pod.index] = self.failures.get(pod.index, 0) + counts
            limit = self.spec.get("backoffLimitPerIndex", self.spec.get("backoffLimit"))
            self.expect(self.failures[pod.index] <= limit, f"index {pod.index} failed")
            waiting.append(pod.index)

    def run(self, disturb=lambda: None):
        waiting = list(range(self.spec.get("completions", 1)))

        def is_over():
            while waiting and len(self.pods) < 4:
                self.start(waiting.pop(0))
            disturb()
            for pod in [pod for pod in self.pods if pod.poll() is not None]:
                self.pods.remove(pod)
                self.ended(pod, waiting)
            return not waiting and not self.pods

        try:
            self.trial.wait(is_over, seconds=120)
        finally:
            for pod in self.pods:
                os.killpg(pod.pid, signal.SIGKILL)
                pod.wait()


def read(trial, expect, text):
    """Checks both Jobs against the schema, and returns their specs."""
    path = trial.recipe / "sitegen.yaml"
    path.write_text(text)
    tool = [sys.executable, "-m", "kubernetes_validate", "--strict", "-k", "1.33", path]
    said = trial.call(*tool)
    expect(said.returncode == 0, f"not valid: {said.stdout}{said.stderr}")
    claim, *jobs = list(yaml.safe_load_all(text))
    expect([job["kind"] for job in jobs] == ["CronJob"] * 2, "not two CronJobs")
    specs = [job["spec"]["jobTemplate"]["spec"] for job in jobs]
    for spec in specs:
        volumes = {volume["name"]: volume for volume in spec["template"]["spec"]["volumes"]}
        claims = {mount["mountPath"]: volumes[mount["name"]].get("persistentVolumeClaim")
                  for mount in spec["template"]["spec"]["containers"][0]["volumeMounts"]}
        expect(claims.keys() == {"/site", "/store", "/tmp"}, f"mounts: {claims}")
        expect(claims["/store"] in [None, {"claimName": claim["metadata"]["name"]}], "another store")
    expect(specs[0]["completionMode"] == "Indexed", "not an Indexed Job")
    return specs, claims


def round(trial, expect, text, environment):
    # How often pods can be disturbed depends on the machine's speed.
    for attempt in range(3):
        trial.clear()
        specs, claims = read(trial, expect, text)
        mounts = {"/site": trial.site, "/store": claims["/store"] and trial.store, "/tmp": None}
        environment = {"PATH": trial.environment["PATH"], "BUCKET": "", **environment}
        pods = [{**environment, **{entry["name"]: entry["value"] for entry in
                                   spec["template"]["spec"]["containers"][0]["env"]}}
                for spec in specs]
        shards = Job(trial, expect, specs[0], pods[0], mounts)
        if disturbed(trial, shards):
            break
        expect(attempt < 2, f"not disturbed enough: {shards.started} pods")
        trial.say(f"not disturbed enough: {shards.started} pods; trying again")
    trial.say(f"{len(shards.done)} shards are done after {shards.started} pods")
    Job(trial, expect, specs[1], pods[1], mounts).run()
    trial.compare()


def disturbed(trial, shards):
    """Runs the shards; returns whether enough pods were killed, evicted or started twice."""
    todo = ["killed", "evicted", "twice", "killed", "evicted"]
    last = 0

    def disturb():
        """Disturbs a running pod each time the store has gained at least four files."""
        nonlocal last
        now = trial.stored()
        # The count drops when a pod with a separate store ends.
        last = min(last, now)
        if not todo or not shards.pods or now < last + 4:
            return
        what, pod, last = todo.pop(0), trial.random.choice(shards.pods), now
        if what == "twice":
            shards.start(pod.index)
        else:
            shards.kill(pod, is_evicted=what == "evicted")

    shards.run(disturb)
    # Two of the four killed pods may not be replaced: one may have just ended, the other may run twice.
    return not todo and shards.started >= SHARDS + 3


def run(trial, expect):
    text = (trial.recipe / "sitegen.yaml").read_text()
    text = text.replace("completions: 20", f"completions: {SHARDS}")
    text = text.replace('value: "20"', f'value: "{SHARDS}"')
    round(trial, expect, text, {})
    text = text.replace("persistentVolumeClaim: { claimName: sitegen-store }", "emptyDir: {}")
    round(trial, expect, text, {"BUCKET": str(trial.bucket)})
    expect(len(list(trial.bucket.glob("*.tar"))) == SHARDS, "not one object per shard")
