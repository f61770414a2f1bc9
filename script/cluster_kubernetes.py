"""The Jobs of `sitegen emit kubernetes`: checked against the schema, and run by their own rules.

What stands for Kubernetes reads the Jobs as it does: pods per index, exit statuses by the policy,
evictions (SIGTERM, then SIGKILL) that count for nothing, and an index that is started twice.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import yaml

POD = ["--jobs", "1", "--image", "registry.example/sitegen@sha256:0"]

def check(trial, text, expect):
    path = trial.folder / "jobs.yaml"
    path.write_text(text)
    tool = [sys.executable, "-m", "kubernetes_validate", "--strict", "-k", "1.33", str(path)]
    said = subprocess.run(tool, capture_output=True, text=True)
    expect(said.returncode == 0, f"no Job of Kubernetes: {said.stdout}{said.stderr}")


class Job:
    def __init__(self, trial, text, numbers):
        spec = text["spec"]
        self.trial, self.random = trial, numbers
        self.count = spec["completions"]
        self.parallel = 4
        self.tries = spec["backoffLimitPerIndex"]
        rules = spec["podFailurePolicy"]["rules"]
        self.ignores_evictions = any(
            rule["action"] == "Ignore"
            and rule.get("onPodConditions") == [{"type": "DisruptionTarget", "status": "True"}]
            for rule in rules
        )
        self.final = [
            status
            for rule in rules
            if rule["action"] == "FailIndex"
            for status in rule["onExitCodes"]["values"]
        ]
        self.words = [trial.program, *spec["template"]["spec"]["containers"][0]["args"]]
        self.pods, self.done, self.failed = [], set(), set()
        self.failures = [0] * self.count
        self.told = {"pods": 0, "evicted": 0, "killed": 0, "twice": 0, "again": 0}

    def start(self, index):
        pod = subprocess.Popen(
            self.words,
            env={**self.trial.environment, "JOB_COMPLETION_INDEX": str(index)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        pod.index, pod.end, pod.is_evicted = index, None, False
        if self.random.random() < 0.4:
            pod.end = time.monotonic() + self.random.uniform(0.05, 0.9)
        pod.signal = self.random.choice([signal.SIGTERM, signal.SIGKILL])
        self.told["pods"] += 1
        self.pods.append(pod)

    def disturb(self, pod):
        if pod.end is None or time.monotonic() < pod.end:
            return
        if pod.signal == signal.SIGTERM:
            os.killpg(pod.pid, signal.SIGTERM)
            pod.is_evicted, pod.signal = True, signal.SIGKILL
            pod.end = time.monotonic() + 5
            self.told["evicted"] += 1
        else:
            os.killpg(pod.pid, signal.SIGKILL)
            pod.end = None
            self.told["killed"] += 1

    def ended(self, pod, waiting, expect):
        status = pod.returncode
        complaint = pod.stderr.read().decode()
        allowed = [0, 75, -signal.SIGKILL, -signal.SIGTERM, *self.final]
        expect(status in allowed, f"shard {pod.index}: status {status}: {complaint}")
        if status == 0:
            self.done.add(pod.index)
            return
        if pod.index in self.done | self.failed | set(waiting):
            return
        if any(other.index == pod.index for other in self.pods):
            return
        if status in self.final:
            self.failed.add(pod.index)
            return
        if not (pod.is_evicted and self.ignores_evictions):
            self.failures[pod.index] += 1
        if self.failures[pod.index] > self.tries:
            self.failed.add(pod.index)
        else:
            self.told["again"] += 1
            waiting.append(pod.index)

    def run(self, expect):
        waiting = list(range(self.count))
        deadline = time.monotonic() + 120
        try:
            while waiting or self.pods:
                expect(time.monotonic() < deadline, "the Job goes on for ever")
                while waiting and len(self.pods) < self.parallel:
                    index = waiting.pop(0)
                    self.start(index)
                    if self.random.random() < 0.2:
                        self.start(index)
                        self.told["twice"] += 1
                time.sleep(0.01)
                for pod in list(self.pods):
                    if pod.poll() is None:
                        self.disturb(pod)
                    else:
                        self.pods.remove(pod)
                        self.ended(pod, waiting, expect)
        finally:
            for pod in self.pods:
                os.killpg(pod.pid, signal.SIGKILL)
                pod.wait()


def nightly(trial, jobs, expect):
    """What the CronJob of `emit --on` runs makes the Jobs that were made by hand."""
    text = trial.emit("kubernetes", "--on", "03:00", *POD, is_planned=False)
    check(trial, text, expect)
    *rights, cron = yaml.safe_load_all(text)
    expect([part["kind"] for part in rights] == ["ServiceAccount", "Role", "RoleBinding"], text)
    container = cron["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"][0]
    tools = trial.folder / "tools"
    tools.mkdir()
    (tools / "sitegen").symlink_to(trial.program)
    (tools / "kubectl").write_text('#!/bin/sh\n[ $1 = delete ] || { [ "$1 $2" = "apply -f" ] && cat "$3"; }\n')
    (tools / "kubectl").chmod(0o755)
    # Kubernetes makes one sign of two.
    words = [word.replace("$$", "$") for word in container["command"] + container["args"]]
    words[-1] = words[-1].replace("/tmp/jobs.yaml", f"{trial.folder}/nightly.yaml")
    words[-1] = words[-1].replace("'/site'", f"'{trial.site}'")
    said = subprocess.run(
        words, capture_output=True, text=True,
        env={**trial.environment, "PATH": f"{tools}:{os.environ['PATH']}"},
    )  # fmt: skip
    expect(said.returncode == 0, said.stderr)
    expect(said.stdout == jobs, f"other Jobs than those of the plan:\n{said.stdout}")


def run(trial, expect):
    trial.prepare(people=160)
    text = trial.emit("kubernetes", *POD)
    check(trial, text, expect)
    expect("backoffLimit" in text, "nothing was checked")
    scheduled = trial.sitegen(
        "schedule", "install", str(trial.site), "--every", "1h", "--name", "trial",
        "--print", "kubernetes",
    )  # fmt: skip
    check(trial, scheduled, expect)
    nightly(trial, text, expect)
    trial.say("Kubernetes 1.33 takes the Jobs and both CronJobs")
    planned = trial.folder / "planned"
    shutil.copytree(trial.store, planned)
    render, assemble = list(yaml.safe_load_all(text))
    for seed in range(trial.seed, trial.seed + 3):
        shutil.rmtree(trial.store)
        shutil.copytree(planned, trial.store)
        shutil.rmtree(trial.site / "output", ignore_errors=True)
        shutil.rmtree(trial.site / ".sitegen", ignore_errors=True)
        pod = assemble["spec"]["template"]["spec"]
        status = pod["initContainers"][0]["args"]
        site = [word if word != "/site" else str(trial.site) for word in pod["containers"][0]["args"]]
        # It may start before anything is rendered.
        trial.sitegen(*status, status=1)
        trial.sitegen(*site, status=1)
        expect(not (trial.site / "output" / "index.html").exists(), "published in spite of gaps")
        job = Job(trial, render, random.Random(seed))
        job.run(expect)
        expect(not job.failed, f"seed {seed}: shards {sorted(job.failed)} failed")
        expect(job.told["evicted"] and job.told["killed"] and job.told["twice"], f"{job.told}")
        trial.say(f"seed {seed}: {job.told}")
        trial.sitegen(*status)
        trial.sitegen(*site)
        trial.compare()
