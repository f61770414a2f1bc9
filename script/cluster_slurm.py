"""A Slurm of four nodes on this machine, for ordinary ports of loopback, without cgroups.

One node dies with all that runs on it; of another only the daemon dies, so that Slurm starts its
shard a second time beside the first; the store is away for 7 s; one shard cannot be rendered at
first.
"""

import os
import pathlib
import pwd
import signal
import socket
import subprocess
import time

NODES = ["n1", "n2", "n3", "n4"]
POISONED = 13


class Cluster:
    def __init__(self, trial, expect):
        self.trial, self.expect = trial, expect
        self.lab = trial.folder / "slurm"
        for name in ["run", "log", "state", "munge", "out", *(f"spool/{node}" for node in NODES)]:
            (self.lab / name).mkdir(parents=True)
        (self.lab / "munge").chmod(0o700)
        for folder in [trial.folder, self.lab, self.lab / "run"]:
            folder.chmod(0o755)
        self.environment = {
            **trial.environment,
            "SLURM_CONF": str(self.lab / "slurm.conf"),
            "PATH": f"{trial.environment['PATH']}:/usr/sbin:/sbin",
        }

    def call(self, *words):
        said = subprocess.run(
            words, env=self.environment, cwd=self.lab / "out", capture_output=True, text=True
        )
        self.expect(said.returncode == 0, f"{words[:2]}: {said.stderr}{said.stdout}")
        return said.stdout

    def configure(self):
        user, host = pwd.getpwuid(os.getuid()).pw_name, socket.gethostname().split(".")[0]
        ports = free_ports(1 + len(NODES))
        settings = {
            "ClusterName": "trial",
            "SlurmctldHost": f"{host}(127.0.0.1)",
            "SlurmctldPort": ports[0],
            # Else it listens on all addresses.
            "CommunicationParameters": "NoInAddrAny,NoCtldInAddrAny",
            "SlurmUser": user,
            "SlurmdUser": user,
            # Also how long a shard that was put back waits; less than 5 counts for 120.
            "AuthInfo": f"socket={self.lab}/run/munge,cred_expire=5",
            "ProctrackType": "proctrack/linuxproc",
            "TaskPlugin": "task/none",
            "JobAcctGatherType": "jobacct_gather/none",
            "AccountingStorageType": "accounting_storage/none",
            "MpiDefault": "none",
            "SwitchType": "switch/none",
            "SelectType": "select/cons_tres",
            "SelectTypeParameters": "CR_CPU",
            "SchedulerParameters": "batch_sched_delay=0,sched_interval=1,bf_interval=1",
            "SlurmctldPidFile": f"{self.lab}/run/slurmctld.pid",
            "SlurmdPidFile": f"{self.lab}/run/slurmd-%n.pid",
            "StateSaveLocation": f"{self.lab}/state",
            "SlurmdSpoolDir": f"{self.lab}/spool/%n",
            "SlurmctldLogFile": f"{self.lab}/log/slurmctld.log",
            "SlurmdLogFile": f"{self.lab}/log/%n.log",
            # A node that says nothing for so long is dead.
            "SlurmdTimeout": 5,
            "MessageTimeout": 3,
            "TCPTimeout": 2,
            "KillWait": 3,
            "BatchStartTimeout": 10,
            "ReturnToService": 2,
            "JobRequeue": 1,
            # The nodes promise more than the machine has.
            "SlurmdParameters": "config_overrides",
        }
        lines = [f"{name}={value}" for name, value in settings.items()]
        for node, port in zip(NODES, ports[1:]):
            lines += [
                f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1"
                " RealMemory=8192"
            ]
        lines += [f"PartitionName=batch Nodes={','.join(NODES)} Default=YES State=UP"]
        (self.lab / "slurm.conf").write_text("\n".join(lines) + "\n")
        # Nothing uses cgroups, yet slurmd loads a plugin: this one is content without them.
        (self.lab / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")

    def start(self):
        self.configure()
        key = self.lab / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.call(
            "munged", f"--key-file={key}", f"--socket={self.lab}/run/munge",
            f"--pid-file={self.lab}/run/munged.pid", f"--seed-file={self.lab}/munge/seed",
            f"--log-file={self.lab}/log/munged.log", "--num-threads=2",
        )  # fmt: skip
        self.call("slurmctld", "-f", self.environment["SLURM_CONF"])
        for node in NODES:
            self.call("slurmd", "-f", self.environment["SLURM_CONF"], "-N", node)
        self.wait(30, lambda: self.call("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").count("\n") == 4)

    def wait(self, seconds, truth):
        end = time.monotonic() + seconds
        while not truth():
            self.expect(
                time.monotonic() < end,
                f"nothing came of it in {seconds} s: "
                + self.call("squeue", "-r", "-o", "%i %t %N %r")
                + self.call("sinfo", "-N", "-o", "%N %t %E")
                + (self.lab / "log" / "slurmctld.log").read_text()[-2000:],
            )
            time.sleep(0.2)

    def running(self):
        lines = self.call("squeue", "-h", "-r", "-t", "R", "-o", "%K %N").splitlines()
        return {node: index for index, node in map(str.split, lines)}

    def pid(self, name):
        try:
            return int((self.lab / "run" / f"{name}.pid").read_text())
        except (OSError, ValueError):
            return None

    def tasks(self, node):
        """The processes of a node's shards, and those that watch over them."""
        parents, found = {}, set()
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parents[int(path.name)] = int((path / "stat").read_text().rsplit(") ", 1)[1].split()[1])
                if f"{self.lab}/spool/{node}/job".encode() in (path / "cmdline").read_bytes():
                    found.add(parents[int(path.name)])
            except (OSError, IndexError):
                pass
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found - {1, os.getpid()}

    def kill(self, node, tasks):
        for pid in [self.pid(f"slurmd-{node}"), *(self.tasks(node) if tasks else [])]:
            if pid:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

    def stop(self):
        for node in NODES:
            self.kill(node, tasks=True)
        for name in ["slurmctld", "munged"]:
            if pid := self.pid(name):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in sockets]
    for server in sockets:
        server.close()
    return ports


def run(trial, expect):
    trial.prepare(people=600)
    cluster = Cluster(trial, expect)
    try:
        cluster.start()
        trial.say("Slurm is up, with four nodes")
        disturb(trial, cluster, expect)
    finally:
        cluster.stop()


def disturb(trial, cluster, expect):
    poison = trial.folder / "poison"
    poison.write_text("")
    # Shards last long enough for something to die meanwhile; one of them finds wrong words at first.
    wrapper = trial.folder / "program"
    wrapper.write_text(
        "#!/bin/sh\n"
        f'[ "${{SLURM_ARRAY_TASK_ID:-}}" != {POISONED} ] || [ ! -e {poison} ] || exit 2\n'
        f'[ -z "${{SLURM_ARRAY_TASK_ID:-}}" ] || sleep 1\nexec {trial.program} "$@"\n'
    )
    wrapper.chmod(0o755)
    cluster.environment["SITEGEN"] = str(wrapper)
    script = trial.folder / "job.sh"
    script.write_text(trial.emit("slurm", "--jobs", "1"))

    def is_idle():
        return not cluster.call("squeue", "-h")

    trial.say(cluster.call("sh", str(script)).strip())
    cluster.wait(20, lambda: len(cluster.running()) == 4)
    time.sleep(1)
    dead, mute = trial.random.sample(sorted(cluster.running()), 2)
    cluster.kill(dead, tasks=True)
    cluster.kill(mute, tasks=False)
    trial.say(f"{dead} is dead, and the daemon of {mute}")
    away = trial.folder / "away"
    trial.store.rename(away)
    time.sleep(7)
    away.rename(trial.store)
    trial.say("the store is there again")
    cluster.wait(60, is_idle)
    log = (cluster.lab / "log" / "slurmctld.log").read_text()
    expect("due to failure of node" in log or "requeue" in log.lower(), "no shard was put back")
    outputs = "".join(path.read_text() for path in (cluster.lab / "out").glob("*-assemble-*.log"))
    expect(not (trial.site / "output" / "index.html").exists(), "published in spite of gaps")
    expect(outputs, "nothing was assembled")
    missing = trial.missing()
    expect(missing == str(POISONED), f"missing is {missing!r}, and not {POISONED}: {outputs}")
    trial.say(f"all but shard {missing} are rendered")
    poison.unlink()
    cluster.call("sh", str(script), missing)
    cluster.wait(30, is_idle)
    expect(trial.missing() == "", "something is still missing")
    trial.compare()
    stop(trial, cluster, wrapper, script)


def stop(trial, cluster, wrapper, script):
    """Who cancels wants no other try; who runs out of time does."""
    started = trial.folder / "started"
    wrapper.write_text(
        "#!/bin/sh\ntrap 'kill $! 2>/dev/null; exit 75' TERM\nsleep 60 &\n"
        f"echo >>{started}\nwait\n"
    )
    job = cluster.call("sh", str(script), "0,1").split("shards ")[1].split(",")[0]
    cluster.wait(20, lambda: started.exists() and started.read_text() == "\n\n")
    time.sleep(0.5)
    # As at the end of its time: to the shell alone.
    cluster.call("scancel", "--batch", "--signal=TERM", f"{job}_0")
    cluster.call("scancel", f"{job}_1")
    log = cluster.lab / "log" / "slurmctld.log"
    put_back = f"Requeuing JobId={job}_0"
    left = ["squeue", "-h", "-r", "-j", job, "-o", "%K"]
    cluster.wait(
        20, lambda: put_back in log.read_text() and set(cluster.call(*left).split()) == {"0"}
    )
    cluster.call("scancel", job)
    trial.say("a shard without time is put back, one that is cancelled is not")
