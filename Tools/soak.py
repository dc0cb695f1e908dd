#!/usr/bin/env python3
"""A long run on one mount: many clients, faults armed and cleared at random, states exported, and nothing may go wrong.

Clients create, write, sync, rename, read, list and remove for as long as it lasts. Errors that a fault can cause are
expected. What is asserted: the server answers its socket and its mount all the time, its memory does not grow once it
is warm, the last state is what the mount shows, and when it ends neither mount nor process is left.

Usage: Tools/soak.py [--minutes M] [--clients N] [--seed S] [--program bin/faultfs]
Exit status: 0 all held, 1 something did not, 2 wrong use, 4 something is missing here.
"""

import argparse
import errno
import filecmp
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
MINUTES = 30
CLIENTS = 8
# A client, or the server, that does nothing for so long hangs.
SILENCE_SECONDS_MAX = 60
# What the server may grow by after the first fifth of the run, in MB; shorter runs do not get warm: the log in memory
# fills up to its limit first, and files over and over written settle in the slabs of the log's memory.
GROWTH_MEGABYTES_MAX = 64
MINUTES_TO_JUDGE_MEMORY = 10
FILES = 40
FILE_BYTES_MAX = 1 << 20
ERRORS = ["EIO", "ENOSPC", "EDQUOT", "EMFILE", "EACCES"]
OPERATIONS = ["create", "write", "truncate", "fsync", "rename", "link", "unlink", "mkdir", "rmdir"]


class Failure(Exception):
    """What did not hold, as a sentence."""


def main():
    reader = argparse.ArgumentParser(description="A long run with faults at random.")
    reader.add_argument("--minutes", type=float, default=MINUTES, help=f"how long; {MINUTES}")
    reader.add_argument("--clients", type=int, default=CLIENTS, help=f"how many processes; {CLIENTS}")
    reader.add_argument("--seed", type=int, default=int(time.time()), help="of everything drawn")
    reader.add_argument("--program", default=ROOT / "bin/faultfs", help="the faultfs to run")
    words = reader.parse_args()
    if words.minutes <= 0 or words.clients < 1:
        reader.error("a time and at least one client are needed")
    if not os.access(words.program, os.X_OK):
        print(f"soak: {words.program} is not there; make build makes it.", file=sys.stderr)
        return 4
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    print(f"soak: {words.minutes:g} minutes, {words.clients} clients, seed {words.seed}", flush=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="faultfs-soak-"))
    soak = Soak(folder, words)
    try:
        soak.run()
        verdict = None
    except Failure as failure:
        verdict = failure
    finally:
        soak.end()
    left = soak.leftovers()
    shutil.rmtree(folder, ignore_errors=True)
    verdict = verdict or left
    print(f"soak: {soak.summary()}: {'ok' if verdict is None else f'FAILED: {verdict}'} (seed {words.seed})")
    return 0 if verdict is None else 1


class Soak:
    def __init__(self, folder, words):
        self.folder, self.words = folder, words
        self.disk = folder / "disk"
        self.disk.mkdir()
        self.random = random.Random(words.seed)
        self.server, self.control, self.clients = None, None, []
        self.armed, self.counts = [], {"arms": 0, "fired": 0, "exports": 0}
        self.resident = []
        self.beats = multiprocessing.Array("d", [time.monotonic()] * words.clients)
        self.steps = multiprocessing.Array("q", words.clients)
        self.stopping = multiprocessing.Event()

    def run(self):
        self.start()
        began, last_export = time.monotonic(), time.monotonic()
        seconds = self.words.minutes * 60
        while time.monotonic() - began < seconds:
            self.change_faults()
            self.stopping.wait(self.random.uniform(0.05, 0.5))
            self.watch()
            if time.monotonic() - last_export > min(20, seconds / 10):
                self.export()
                last_export = time.monotonic()
            self.resident.append((time.monotonic() - began, resident_bytes(self.server.pid) / 1e6))
        self.stop_clients()
        self.ask({"do": "clear-all"})
        self.compare(self.export())
        self.check_memory(seconds)

    def start(self):
        path = self.folder / "control"
        words = [self.words.program, "mount", "-f", "--until-input-ends", "--control", path, "--seed", self.words.seed]
        words = [str(word) for word in [*words, self.disk]]
        self.server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if not self.server.stdout.readline().startswith("mounted"):
            raise Failure("the disk could not be mounted")
        self.control = Control(path)
        for number in range(self.words.clients):
            (self.disk / f"client-{number}").mkdir()
        for number in range(self.words.clients):
            arguments = (number, self.disk / f"client-{number}", self.words.seed, self.beats, self.steps, self.stopping)
            client = multiprocessing.Process(target=run_client, args=arguments, daemon=True)
            client.start()
            self.clients.append(client)

    def ask(self, request):
        answer = self.control.ask(request)
        if answer is None:
            raise Failure(f"the server did not answer {request} within {SILENCE_SECONDS_MAX} s")
        return answer

    def change_faults(self):
        if self.armed and self.random.random() < 0.5:
            self.ask({"do": "clear", "name": self.armed.pop(self.random.randrange(len(self.armed)))})
            return
        if len(self.armed) >= 6:
            return
        name = f"f{self.counts['arms']}"
        rule = {"name": name, "operations": self.random.sample(OPERATIONS, self.random.randint(1, 3))}
        kind = self.random.choice(["errno", "errno", "short-write", "torn-rename"])
        if kind == "errno":
            rule |= {"effect": "errno", "errno": self.random.choice(ERRORS)}
        elif kind == "short-write":
            rule |= {"effect": "short-write", "bytes": self.random.choice([1, 512, 4096]), "operations": ["write"]}
        else:
            ways = ["both-names", "target-zeros", "old-target", "not-done", "done-but-error"]
            rule |= {"effect": "torn-rename", "outcome": self.random.choice(ways), "operations": ["rename"]}
        rule |= self.random.choice([{"nth": self.random.randint(1, 50)}, {"every": 7, "times": 20}, {"probability": 0.1}])
        answer = self.ask({"do": "arm", "rule": rule})
        if not is_done(answer):
            raise Failure(f"a rule was refused: {rule}: {answer}")
        self.armed.append(name)
        self.counts["arms"] += 1

    def watch(self):
        if self.server.poll() is not None:
            raise Failure(f"the server ended with status {self.server.returncode}")
        for number, client in enumerate(self.clients):
            if client.exitcode not in (None, 0):
                raise Failure(f"client {number} ended with status {client.exitcode}")
            if time.monotonic() - self.beats[number] > SILENCE_SECONDS_MAX:
                raise Failure(f"client {number} hangs")
        self.ask({"do": "status"})

    def export(self):
        place = self.folder / f"state-{self.counts['exports']}"
        self.counts["exports"] += 1
        answer = self.ask({"do": "export", "path": str(place)})
        if not is_done(answer):
            raise Failure(f"a state could not be exported: {answer}")
        if not (place / "client-0").is_dir():
            raise Failure(f"{place.name} lacks a directory that is always there")
        if not self.stopping.is_set():
            shutil.rmtree(place)
        return place

    def compare(self, state):
        """The state that the server exports is what the mount shows."""
        differences = unequal(self.disk, state)
        if differences:
            raise Failure(f"the mount and the exported state differ: {', '.join(differences[:5])}")

    def check_memory(self, seconds):
        if self.words.minutes < MINUTES_TO_JUDGE_MEMORY:
            return
        warm = [megabytes for at, megabytes in self.resident if seconds * 0.2 <= at <= seconds * 0.4]
        late = [megabytes for at, megabytes in self.resident if at >= seconds * 0.8]
        if warm and late and min(late) - max(warm) > GROWTH_MEGABYTES_MAX:
            raise Failure(f"the server grew from {max(warm):.0f} MB to {min(late):.0f} MB")

    def stop_clients(self):
        self.stopping.set()
        for number, client in enumerate(self.clients):
            client.join(SILENCE_SECONDS_MAX)
            if client.is_alive():
                raise Failure(f"client {number} does not come to its end")

    def end(self):
        self.stopping.set()
        if self.server is None:
            return
        self.server.stdin.close()
        try:
            self.server.wait(timeout=SILENCE_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.server.kill()
            self.server.wait()
        for client in self.clients:
            client.join(5)
            if client.is_alive():
                client.kill()

    def leftovers(self):
        if self.server is not None and self.server.returncode != 0:
            return f"the server ended with status {self.server.returncode}"
        if any(str(self.folder) in line for line in open("/proc/self/mountinfo")):
            subprocess.run(["fusermount3", "-u", "-z", self.disk])
            return "a mount is left"
        return None

    def summary(self):
        places = [len(self.resident) * fifth // 5 for fifth in range(1, 5)]
        fifths = [self.resident[0], *(self.resident[place] for place in places), self.resident[-1]] if self.resident else []
        memory = "memory by fifths " + ", ".join(f"{megabytes:.0f}" for _, megabytes in fifths) + " MB"
        return (f"{sum(self.steps)} steps of {len(self.clients)} clients, {self.counts['arms']} faults armed, "
                f"{self.counts['exports']} states exported, {memory}")


class Control:
    """The control socket; an answer that does not come in time is None."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(SILENCE_SECONDS_MAX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("r")
        self.number = 0
        self.lines.readline()

    def ask(self, request):
        self.number += 1
        try:
            self.socket.sendall((json.dumps({**request, "number": self.number}) + "\n").encode())
            line = self.lines.readline()
        except OSError:
            return None
        return json.loads(line) if line else None


def is_done(answer):
    return "refused" not in answer and "error" not in answer and answer.get("answer") != "refused"


def run_client(number, folder, seed, beats, steps, stopping):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    draw = random.Random(seed * 1000 + number)
    while not stopping.is_set():
        try:
            step(folder, draw)
        except OSError as error:
            # Whatever a fault answers, and what follows from files that are not where they should be. A disk that is
            # gone is not among it.
            if error.errno in (errno.ENOTCONN, errno.EBADF, errno.ESTALE):
                raise
        beats[number] = time.monotonic()
        steps[number] += 1


def step(folder, draw):
    name, other = (folder / f"f{draw.randrange(FILES)}" for _ in range(2))
    kind = draw.choice(["save", "save", "append", "overwrite", "read", "read", "list", "rename", "link", "remove",
                        "truncate", "directory"])
    if kind == "save":
        temporary = folder / f"t{draw.randrange(4)}"
        with open(temporary, "wb", buffering=0) as file:
            file.write(draw.randbytes(draw.choice([0, 100, 4096, 70_000, FILE_BYTES_MAX])))
            os.fsync(file.fileno())
        os.rename(temporary, name)
        sync_directory(folder)
    elif kind == "append":
        with open(name, "ab", buffering=0) as file:
            if file.tell() < FILE_BYTES_MAX:
                file.write(draw.randbytes(1000))
    elif kind == "overwrite":
        with open(name, "r+b", buffering=0) as file:
            file.seek(draw.randrange(10_000))
            file.write(draw.randbytes(5000))
    elif kind == "read":
        name.read_bytes()
    elif kind == "list":
        for entry in os.scandir(folder):
            entry.stat(follow_symlinks=False)
    elif kind == "rename":
        os.rename(name, other)
    elif kind == "link":
        os.link(name, other)
    elif kind == "remove":
        os.unlink(name)
    elif kind == "truncate":
        os.truncate(name, draw.randrange(FILE_BYTES_MAX))
    else:
        below = folder / "below"
        os.rmdir(below) if below.exists() else os.mkdir(below)


def sync_directory(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def unequal(one, other):
    """The paths in which two trees of directories and files differ."""
    compared = filecmp.dircmp(one, other)
    found = compared.left_only + compared.right_only + compared.funny_files
    for name in compared.common_files:
        if not filecmp.cmp(pathlib.Path(one, name), pathlib.Path(other, name), shallow=False):
            found.append(name)
    for name in compared.common_dirs:
        found += [f"{name}/{path}" for path in unequal(pathlib.Path(one, name), pathlib.Path(other, name))]
    return found


def resident_bytes(process):
    for line in open(f"/proc/{process}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) << 10
    return 0


if __name__ == "__main__":
    sys.exit(main())
