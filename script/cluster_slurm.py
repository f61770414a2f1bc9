"""Runs Slurm with four nodes on this machine, on loopback ports and without cgroups.

One node is killed with everything that runs on it. On another, only the daemon is killed, so that Slurm starts
the node's shard a second time, in parallel. On a third, only the program is killed.
"""

import os
import pathlib
import pwd
import signal
import socket

from cluster import SHARDS

NODES = ["n1", "n2", "n3", "n4"]
# A shard waits while its file in `hold` exists.
WRAPPER = """#!/bin/sh
if [ -n "${{SLURM_ARRAY_TASK_ID:-}}" ] && [ "$1" = build ]; then
  echo $$ >>{lab}/starts/$SLURM_ARRAY_TASK_ID
  while [ -e {lab}/hold/$SLURM_ARRAY_TASK_ID ]; do sleep 0.1; done
fi
exec {program} "$@"
"""


class Cluster:
    def __init__(self, trial, expect):
        self.trial, self.expect = trial, expect
        self.lab = trial.folder / "slurm"
        for name in ["run", "log", "state", "munge", "out", "starts", "hold"]:
            (self.lab / name).mkdir(parents=True)
        for node in NODES:
            (self.lab / "spool" / node).mkdir(parents=True)
        (self.lab / "munge").chmod(0o700)
        for folder in [trial.folder, self.lab, self.lab / "run"]:
            folder.chmod(0o755)
        self.environment = {
            **trial.environment, "SLURM_CONF": str(self.lab / "slurm.conf"),
            "PATH": f"{trial.environment['PATH']}:/usr/sbin:/sbin",
        }

    def call(self, *words, **more):
        said = self.trial.call(
            *words, env={**self.environment, **more}, cwd=self.lab / "out")
        self.expect(said.returncode == 0, f"{words[:2]}: {said.stderr}{said.stdout}")
        return said.stdout

    def configure(self):
        user, host = pwd.getpwuid(os.getuid()).pw_name, socket.gethostname().split(".")[0]
        ports = free_ports(1 + len(NODES))
        settings = {
            "ClusterName": "trial",
            "SlurmctldHost": f"{host}(127.0.0.1)",
            "SlurmctldPort": ports[0],
            # By default, the daemons listen on all addresses.
            "CommunicationParameters": "NoInAddrAny,NoCtldInAddrAny",
            "SlurmUser": user,
            "SlurmdUser": user,
            # `cred_expire` also delays requeued shards; values below 5 mean 120.
            "AuthInfo": f"socket={self.lab}/run/munge,cred_expire=5",
            "ProctrackType": "proctrack/linuxproc",
            "SchedulerParameters": "batch_sched_delay=0,sched_interval=1,bf_interval=1",
            "SlurmctldPidFile": f"{self.lab}/run/slurmctld.pid",
            "SlurmdPidFile": f"{self.lab}/run/slurmd-%n.pid",
            "StateSaveLocation": f"{self.lab}/state",
            "SlurmdSpoolDir": f"{self.lab}/spool/%n",
            "SlurmctldLogFile": f"{self.lab}/log/slurmctld.log",
            "SlurmdLogFile": f"{self.lab}/log/%n.log",
            # A node that is silent for this long is treated as dead.
            "SlurmdTimeout": 5,
            "MessageTimeout": 3,
            "TCPTimeout": 2,
            "ReturnToService": 2,
            # The nodes claim more resources than the machine has.
            "SlurmdParameters": "config_overrides",
        }
        lines = [f"{name}={value}" for name, value in settings.items()]
        lines += [
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=4 RealMemory=16384"
            for node, port in zip(NODES, ports[1:])]
        # One shard at a time on each node.
        lines += [f"PartitionName=batch Nodes={','.join(NODES)} Default=YES State=UP OverSubscribe=EXCLUSIVE"]
        (self.lab / "slurm.conf").write_text("\n".join(lines) + "\n")
        # slurmd loads a cgroup plugin even if cgroups are not used; this one works without them.
        (self.lab / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def start(self):
        self.configure()
        key = self.lab / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.call(
            "munged", f"--key-file={key}", f"--socket={self.lab}/run/munge",
            f"--pid-file={self.lab}/run/munged.pid", f"--seed-file={self.lab}/munge/seed",
            f"--log-file={self.lab}/log/munged.log", "--num-threads=2")
        self.call("slurmctld", "-f", self.environment["SLURM_CONF"])
        for node in NODES:
            self.call("slurmd", "-f", self.environment["SLURM_CONF"], "-N", node)
        self.wait(lambda: self.call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").count("\n") == 4)
        self.trial.say("Slurm is up, with four nodes")

    def wait(self, truth):
        self.trial.wait(truth, 60, lambda: self.call("squeue", "-r", "-o", "%i %j %t %N %r")
                        + self.call("sinfo", "-N", "-o", "%N %t %E")
                        + (self.lab / "log" / "slurmctld.log").read_text()[-2000:]
                        + "".join(path.read_text() for path in (self.lab / "out").iterdir())[-2000:])

    def running(self):
        """Returns the shard on each node."""
        lines = self.call("squeue", "-h", "-r", "-t", "R", "-o", "%N %K").splitlines()
        return dict(map(str.split, lines))

    def starts(self, shard):
        """Returns all processes of a shard that have started so far."""
        path = self.lab / "starts" / shard
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    def release(self, shard):
        (self.lab / "hold" / shard).unlink()

    def kill(self, name, tasks=False):
        """Kills a daemon, or a node with everything that runs on it."""
        pids = set()
        if (path := self.lab / "run" / f"{name}.pid").exists():
            pids.add(int(path.read_text()))
        if tasks:
            node = name.removeprefix("slurmd-")
            spool = f"{self.lab}/spool/{node}/job".encode()
            scripts = {pid for pid, (_, words) in processes().items() if spool in words}
            # Their parent, slurmstepd, is killed too.
            pids |= below({processes()[pid][0] for pid in scripts} - {1, os.getpid()})
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        for node in NODES:
            self.kill(f"slurmd-{node}", tasks=True)
        for name in ["slurmctld", "munged"]:
            self.kill(name)


def processes():
    """Returns the parent and the arguments of each process."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rsplit(") ", 1)[1].split()[1])
            found[int(path.name)] = parent, (path / "cmdline").read_bytes()
        except (OSError, IndexError):
            pass
    return found


def below(pids):
    """Returns processes and all their descendants, in any session."""
    found = set(pids)
    parents = processes().items()
    while more := {pid for pid, (parent, _) in parents if parent in found} - found:
        found |= more
    return found


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in sockets]
    for server in sockets:
        server.close()
    return ports


def run(trial, expect):
    cluster = Cluster(trial, expect)
    (trial.tools / "sitegen").unlink()
    (trial.tools / "sitegen").write_text(WRAPPER.format(lab=cluster.lab, program=trial.program))
    (trial.tools / "sitegen").chmod(0o755)
    try:
        cluster.start()
        trial.clear()
        disturb(trial, cluster, expect)
        trial.compare()
        trial.clear()
        cluster.call("sh", trial.recipe / "submit.sh", BUCKET=str(trial.bucket))
        cluster.wait(lambda: not cluster.call("squeue", "-h"))
        expect(len(list(trial.bucket.glob("*.tar"))) == SHARDS, "not one object per shard")
        trial.compare()
    finally:
        cluster.stop()


def disturb(trial, cluster, expect):
    for shard in "1234":
        (cluster.lab / "hold" / shard).touch()
    trial.say(cluster.call("sh", trial.recipe / "submit.sh").strip())
    cluster.wait(lambda: all(cluster.starts(shard) for shard in "1234"))
    (dead, lost), (mute, twice), (_, killed), (_, last) = trial.random.sample(
        sorted(cluster.running().items()), 4)
    cluster.release(lost)
    trial.wait_for_files(4)
    cluster.kill(f"slurmd-{dead}", tasks=True)
    cluster.kill(f"slurmd-{mute}")
    cluster.release(killed)
    trial.wait_for_files(4)
    os.kill(cluster.starts(killed)[0], signal.SIGKILL)
    trial.say(f"{dead} is dead, the daemon of {mute} too, and the program of shard {killed}")
    cluster.release(last)
    cluster.wait(lambda: len(cluster.starts(twice)) == 2)
    trial.say(f"shard {twice} runs twice at the same time")
    cluster.release(twice)
    cluster.wait(lambda: not cluster.call("squeue", "-h"))
    starts = [len(cluster.starts(shard)) for shard in [lost, twice, killed, last]]
    expect(starts == [2, 2, 2, 1], f"starts: {starts}")
