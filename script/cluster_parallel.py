"""GNU parallel with two servers for ssh on ports of loopback; one of them is killed with its shard."""

import os
import pathlib
import signal
import subprocess
import time

from cluster_slurm import free_ports


def start_server(folder, port):
    (folder / "sshd.conf").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/key.pub\nStrictModes no\nUsePAM no\n"
        "PermitRootLogin prohibit-password\nPasswordAuthentication no\n"
    )
    # It insists on its own folder, which the package makes when the machine starts.
    pathlib.Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    return subprocess.Popen(
        ["/usr/sbin/sshd", "-D", "-e", "-f", str(folder / "sshd.conf")],
        stderr=open(folder / "log", "w"),
        start_new_session=True,
    )


def below(pid):
    """A process and all that it has started, in whatever session."""
    parents, found = {}, {pid}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rsplit(") ", 1)[1].split()[1])
        except (OSError, IndexError):
            pass
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def kill(server):
    for pid in below(server.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    server.wait()


def run(trial, expect):
    trial.prepare(people=600)
    servers, hosts = [], []
    try:
        for port in free_ports(2):
            folder = trial.folder / f"host-{port}"
            folder.mkdir()
            for name in ["host", "key"]:
                words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
                subprocess.run(words, check=True)
            servers.append(start_server(folder, port))
            hosts.append(
                f"1/ssh -p {port} -i {folder}/key -o StrictHostKeyChecking=no -o BatchMode=yes"
                f" -o UserKnownHostsFile={folder}/known -o LogLevel=ERROR 127.0.0.1"
            )
        (trial.folder / "hosts").write_text("\n".join(hosts) + "\n")
        script = trial.folder / "job.sh"
        script.write_text(
            trial.emit("parallel", "--jobs", "1", "--hosts", str(trial.folder / "hosts"))
        )
        job = subprocess.Popen(
            ["sh", str(script)], cwd=trial.folder, env=trial.environment,
            stdout=open(trial.folder / "said", "w"), stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        servers.append(job)
        log = trial.folder / f"trial-{trial.plan[:8]}.joblog"
        end = time.monotonic() + 30
        while not (log.exists() and log.read_text().count("\n") > 2):
            expect(time.monotonic() < end, (trial.folder / "said").read_text())
            time.sleep(0.05)
        kill(servers[0])
        trial.say("one host is dead")
        status = job.wait(timeout=120)
        expect(status == 0, f"status {status}: {(trial.folder / 'said').read_text()}")
        lines = [line.split("\t") for line in log.read_text().splitlines()[1:]]
        expect(len({line[1] for line in lines[-5:]}) == 1, "both hosts worked to the end")
        expect(trial.missing() == "", "something is missing")
        trial.compare()
    finally:
        for server in servers:
            if server.poll() is None:
                kill(server)
