"""Runs GNU parallel with two ssh servers on loopback; one of them is killed with its shard."""

import os
import pathlib
import signal
import subprocess

from cluster import SHARDS
from cluster_slurm import below, free_ports


def start_server(trial, port):
    """Starts a server with our `PATH` in its sessions; returns it and the command to connect to it."""
    folder = trial.folder / f"host-{port}"
    folder.mkdir()
    for name in ["host", "key"]:
        trial.call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name)
    (folder / "sshd.conf").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/key.pub\nStrictModes no\nUsePAM no\n"
        "PermitRootLogin prohibit-password\nPasswordAuthentication no\n"
        f"SetEnv PATH={trial.environment['PATH']} TMPDIR={trial.environment['TMPDIR']}\n"
    )
    # sshd requires this folder, which the package creates when the machine boots.
    pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    server = subprocess.Popen(
        ["/usr/sbin/sshd", "-D", "-e", "-f", str(folder / "sshd.conf")],
        stderr=open(folder / "log", "w"), start_new_session=True)
    return server, (
        f"1/ssh -p {port} -i {folder}/key -o StrictHostKeyChecking=no -o BatchMode=yes"
        f" -o UserKnownHostsFile={folder}/known -o LogLevel=ERROR 127.0.0.1")


def kill(process):
    for pid in below({process.pid}):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def round(trial, expect, disturb, **environment):
    trial.clear()
    processes, hosts = zip(*(start_server(trial, port) for port in free_ports(2)))
    (trial.recipe / "hosts").write_text("\n".join(hosts) + "\n")
    said = trial.recipe / "said"
    job = subprocess.Popen(
        ["bash", trial.recipe / "build.sh"], cwd=trial.recipe, env={**trial.environment, **environment},
        stdout=open(said, "w"), stderr=subprocess.STDOUT, start_new_session=True)
    try:
        disturb(processes[0])
        trial.wait(lambda: job.poll() is not None, 120, said.read_text)
    finally:
        for process in [job, *processes]:
            kill(process)
    expect(job.returncode == 1, f"exit code {job.returncode}: {said.read_text()}")
    log = [line.split("\t") for line in (trial.recipe / "shards.log").read_text().splitlines()[1:]]
    done = [line for line in log if line[6] == "0"]
    expect(len(done) == SHARDS, f"not all shards are done: {log}")
    trial.compare()
    return {line[1] for line in done[-2:]}


def run(trial, expect):
    def disturb(server):
        trial.wait_for_files(20)
        kill(server)
        trial.say("one host is dead")

    hosts = round(trial, expect, disturb)
    expect(len(hosts) == 1, "both hosts worked to the end")
    round(trial, expect, lambda _: None, BUCKET=str(trial.bucket))
    expect(len(list(trial.bucket.glob("*.tar"))) == SHARDS, "not one object per shard")
