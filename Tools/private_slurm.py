"""A Slurm of one machine that nobody else sees: its daemons run from a folder of their own, and end with it.

Ports of the loopback only, no systemd, no accounts, no control groups. Debian: munge, slurmctld, slurmd, slurm-client.
"""

import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

CONTROL_PORT, NODE_PORT = 16817, 16818
START_SECONDS_MAX = 60
END_SECONDS_MAX = 20

SETTINGS = """\
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
CommunicationParameters=NoInAddrAny
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={place}/munge/socket
CredType=cred/munge
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=5
MinJobAge=36000
ReturnToService=2
KillWait=5
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={processors} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE OverSubscribe=FORCE:2 State=UP
"""


class MissingEngine(Exception):
    """Slurm could not be started, or does not answer."""


class PrivateSlurm:
    """munged, slurmctld and slurmd between `with` and its end; what they started ends with them."""

    programs = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "setpriv")

    def __init__(self, place):
        self.place = place
        self.daemons = []
        self.environment = {**os.environ, "SLURM_CONF": str(place / "slurm.conf")}

    @staticmethod
    def program(name):
        """The program's path; daemons are not in everybody's PATH."""
        return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        for port in (CONTROL_PORT, NODE_PORT):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind(("127.0.0.1", port))
                except OSError as error:
                    raise MissingEngine(f"port {port} of the loopback: {error.strerror}") from error
        host = socket.gethostname().split(".")[0]
        for folder in (self.place, self.place / "munge", self.place / "state", self.place / "spool"):
            folder.mkdir(mode=0o755)
        munge = self.place / "munge"
        (munge / "key").touch(mode=0o600)
        (munge / "key").write_bytes(os.urandom(128))
        (self.place / "slurm.conf").write_text(SETTINGS.format(
            host=host, place=self.place, user=getpass.getuser(), processors=max(2, os.cpu_count() or 1),
            control_port=CONTROL_PORT, node_port=NODE_PORT))
        self.daemon(
            "munged", "--foreground", f"--socket={munge}/socket", f"--key-file={munge}/key", f"--pid-file={munge}/pid",
            f"--seed-file={munge}/seed", f"--log-file={munge}/log")
        self.wait_for((munge / "socket").exists, "munged", START_SECONDS_MAX)
        self.daemon("slurmctld", "-D")
        self.wait_for(lambda: "is UP" in self.ask("scontrol", "ping").stdout, "slurmctld", START_SECONDS_MAX)
        self.daemon("slurmd", "-D", "-N", host)
        self.wait_for(
            lambda: "State=IDLE" in self.ask("scontrol", "show", "node", host).stdout, "slurmd", START_SECONDS_MAX)

    def daemon(self, name, *words):
        """Starts a daemon that ends with this process, however that ends."""
        with open(self.place / f"{name}.said", "wb") as said:
            child = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", self.program(name), *words], env=self.environment,
                stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True)
        self.daemons.append((name, child))

    def end(self):
        """Ends the daemons, the last one first, then whatever of their jobs is left."""
        for name, child in reversed(self.daemons):
            child.terminate()
            try:
                child.wait(END_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
        self.daemons = []
        # Jobs outlive the daemons of Slurm. They carry the place of these settings, which nobody else has.
        for process in self.jobs():
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                pass
        self.wait_until(lambda: not self.jobs(), END_SECONDS_MAX)

    def jobs(self, task=None):
        """The processes that this Slurm has started, or those of one task of an array."""
        wanted = [f"SLURM_CONF={self.place}/slurm.conf".encode()]
        if task is not None:
            wanted.append(f"SLURM_ARRAY_TASK_ID={task}".encode())
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                variables = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if all(variable in variables for variable in wanted):
                found.append(int(entry.name))
        return found

    # Jobs

    def submit(self, script, folder, programs, array=None, after=None):
        """Puts a script of contrib/slurm in the queue, for the run in this folder; its number."""
        words = ["sbatch", "--parsable", f"--chdir={folder}", "--output=%x-%A-%a.out"]
        words += [f"--array={array}"] if array else []
        words += [f"--dependency=afterany:{after}"] if after else []
        path = f"{programs}:{os.environ.get('PATH', '')}"
        answer = self.ask(*words, "--export=ALL,RUN=run", str(script), PATH=path)
        if answer.returncode != 0:
            raise MissingEngine(f"{' '.join(words)}: {answer.stderr.strip()}")
        return answer.stdout.strip()

    def kill(self, job, task):
        """Kills the program of one task, as the kernel does where memory is short: kill -9."""
        programs = [
            process for process in self.jobs(task) if self.words(process)[:1] and b"lnote-nightly" in self.words(process)[0]
        ]
        # The supervisor is the oldest: it starts the workers, which end with it.
        if not programs:
            raise MissingEngine(f"task {task} of job {job} has ended before it could be killed: give more --cases")
        os.kill(min(programs, key=self.start_of), 9)

    @staticmethod
    def words(process):
        try:
            return pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return []

    @staticmethod
    def start_of(process):
        try:
            return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])
        except OSError:
            return float("inf")

    def show(self, job, task=None):
        name = job if task is None else f"{job}_{task}"
        return dict(
            word.split("=", 1) for word in self.ask("scontrol", "show", "job", name).stdout.split() if "=" in word)

    def has_ended(self, job):
        return self.show(job).get("JobState") in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")

    def status(self, job, task=None):
        """How the job ended: its exit status, and the signal."""
        return self.show(job, task).get("ExitCode", "unknown")

    @staticmethod
    def output(folder):
        """The last words of the jobs, for a message."""
        files = sorted(folder.glob("*.out"), key=lambda file: file.stat().st_mtime)
        return files[-1].read_text(errors="replace")[-500:] if files else ""

    def ask(self, *words, **variables):
        return subprocess.run(
            [self.program(words[0]), *words[1:]], env={**self.environment, **variables}, capture_output=True, text=True,
            timeout=60, stdin=subprocess.DEVNULL)

    def wait_for(self, is_done, what, seconds_max=600):
        """Asks again and again, a few times a second; a daemon that ends meanwhile is an error."""
        def has_come():
            for name, child in self.daemons:
                if child.poll() is not None:
                    raise MissingEngine(f"{name} ended with status {child.returncode}: {self.last_words(name)}")
            return is_done()

        if not self.wait_until(has_come, seconds_max):
            raise MissingEngine(f"{what} did not come in {seconds_max} s")

    @staticmethod
    def wait_until(is_done, seconds_max):
        end = time.monotonic() + seconds_max
        while time.monotonic() < end:
            if is_done():
                return True
            time.sleep(0.2)
        return False

    def last_words(self, name):
        return (self.place / f"{name}.said").read_text(errors="replace")[-500:].strip()
