#!/usr/bin/env python3
"""A long run on one mount: many clients, faults armed and cleared at random, states exported, and nothing may go wrong.

Clients create, write, sync, rename, read, list and remove for as long as it lasts. Errors that a fault can cause are
expected. What is asserted: the server answers its socket and its mount all the time, its memory does not grow once it
is warm, the last state is what the mount shows, and when it ends neither mount nor process is left.

Then the same for a short while on a second mount that writes its log to a file: the log, played, has to give the tree
that the mount showed. (The log of the long part would be larger than most disks.)

Usage: Tools/soak.py [--minutes M] [--clients N] [--seed S] [--program bin/faultfs]
Exit status: 0 all held, 1 something did not, 2 wrong use, 4 something is missing here.
"""

import argparse
import collections
import filecmp
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

# No cache of it beside the sources.
sys.dont_write_bytecode = True
from soak_client import run_client

ROOT = pathlib.Path(__file__).resolve().parent.parent
MINUTES = 30
CLIENTS = 8
# A client, or the server, that does nothing for so long hangs.
SILENCE_SECONDS_MAX = 60
# What the server may grow by once it is warm, in MB. It is warm when the log in memory has been full and let records go:
# until then it grows by what a record takes.
# The clients' files wander by tens of MB, and their memory is up to twice as much: seen were 15 to 55 MB without a leak.
GROWTH_MEGABYTES_MAX = 128
# Fewer looks at the memory of a warm server do not tell growth from chance.
WARM_SAMPLES_MIN = 200
# How long the recorded part lasts, and what its log may take.
RECORDED_SHARE = 0.1
RECORDED_SECONDS_MAX = 120
LOG_BYTES_MAX = 1 << 30
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
    recorded_seconds = min(RECORDED_SECONDS_MAX, words.minutes * 60 * RECORDED_SHARE)
    parts = [Soak(folder / "long", words, words.minutes * 60 - recorded_seconds),
             RecordedSoak(folder / "recorded", words, recorded_seconds)]
    verdict = None
    try:
        for part in parts:
            verdict = verdict or outcome(part)
            print(f"soak: {part.folder.name}: {part.summary()}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"soak: {'ok' if verdict is None else f'FAILED: {verdict}'} (seed {words.seed})")
    return 0 if verdict is None else 1


def outcome(part):
    """Runs a part to its end; what did not hold, or None."""
    verdict = None
    try:
        part.run()
    except Failure as failure:
        verdict = failure
    finally:
        part.end()
    return verdict or part.leftovers() or part.check_afterwards()


Sample = collections.namedtuple("Sample", "seconds megabytes data_megabytes records records_kept")


class Soak:
    options = []

    def __init__(self, folder, words, seconds):
        self.folder, self.words, self.seconds = folder, words, seconds
        self.disk = folder / "disk"
        self.disk.mkdir(parents=True)
        self.random = random.Random(words.seed)
        self.server, self.control, self.clients = None, None, []
        self.armed, self.counts = [], {"arms": 0, "exports": 0}
        self.samples = []
        self.last_state = None
        self.beats = multiprocessing.Array("d", [time.monotonic()] * words.clients)
        self.steps = multiprocessing.Array("q", words.clients)
        self.stopping = multiprocessing.Event()

    def run(self):
        self.start()
        began, last_export = time.monotonic(), time.monotonic()
        while time.monotonic() - began < self.seconds and self.may_go_on():
            self.change_faults()
            self.stopping.wait(self.random.uniform(0.05, 0.5))
            self.watch(time.monotonic() - began)
            if time.monotonic() - last_export > min(20, self.seconds / 10):
                self.export()
                last_export = time.monotonic()
        self.stop_clients()
        self.ask({"do": "clear-all"})
        self.last_state = self.export()
        self.compare(self.disk, "the mount")
        self.check_memory()

    def may_go_on(self):
        return True

    def check_afterwards(self):
        """What does not hold once the mount is gone; None where all does."""
        return None

    def start(self):
        path = self.folder / "control"
        words = [self.words.program, "mount", "-f", "--until-input-ends", "--control", path, "--seed", self.words.seed]
        words = [str(word) for word in [*words, *self.options, self.disk]]
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

    def watch(self, seconds):
        if self.server.poll() is not None:
            raise Failure(f"the server ended with status {self.server.returncode}")
        for number, client in enumerate(self.clients):
            if client.exitcode not in (None, 0):
                raise Failure(f"client {number} ended with status {client.exitcode}")
            if time.monotonic() - self.beats[number] > SILENCE_SECONDS_MAX:
                raise Failure(f"client {number} hangs")
        records = self.ask({"do": "status"})["status"]["last-record"]
        stats = self.ask({"do": "stats"})["stats"]
        self.samples.append(Sample(seconds, stats["resident-bytes"] / 1e6, stats["data-bytes"] / 1e6, records, stats["records"]))

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

    def compare(self, tree, what):
        """The state that the server exported last is what another tree shows."""
        differences = unequal(tree, self.last_state)
        if differences:
            raise Failure(f"{what} and the exported state differ: {', '.join(differences[:5])}")

    def check_memory(self):
        growth = self.growth()
        if growth is not None and growth > GROWTH_MEGABYTES_MAX:
            raise Failure(f"the server's memory grew by {growth:.0f} MB once it was warm; {GROWTH_MEGABYTES_MAX} are allowed")

    def growth(self):
        """By how many MB the memory of the warm server grew, from the first fifth to the last; None where that is not known."""
        warm = [sample.megabytes for sample in self.samples if sample.records > sample.records_kept]
        if len(warm) < WARM_SAMPLES_MIN:
            return None
        fifth = len(warm) // 5
        return statistics.median(warm[-fifth:]) - statistics.median(warm[:fifth])

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
        if not self.samples:
            return "nothing was done"
        last = self.samples[-1]
        return (f"{last.seconds:.0f} s, {sum(self.steps)} steps of {len(self.clients)} clients, {last.records} operations, "
                f"{self.counts['arms']} faults armed, {self.counts['exports']} states exported; {self.memory_summary()}")

    def memory_summary(self):
        places = [len(self.samples) * fifth // 5 for fifth in range(5)] + [len(self.samples) - 1]
        total = ", ".join(f"{self.samples[place].megabytes:.0f}" for place in places)
        data = ", ".join(f"{self.samples[place].data_megabytes:.0f}" for place in places)
        growth = self.growth()
        judged = "not judged, too short for the log in memory to fill" if growth is None else f"{growth:+.1f} MB once warm"
        return f"memory by fifths {total} MB, of it data {data} MB; growth {judged}"


class RecordedSoak(Soak):
    """With a log in a file, which is played at the end."""

    def __init__(self, folder, words, seconds):
        super().__init__(folder, words, seconds)
        self.log = folder / "log"
        self.options = ["--log", self.log]

    def may_go_on(self):
        return self.log.stat().st_size < LOG_BYTES_MAX

    def check_afterwards(self):
        place = self.folder / "played"
        result = subprocess.run([self.words.program, "trace", "play", self.log, "--to", place], capture_output=True, text=True)
        if result.returncode != 0:
            return f"the log could not be played: {(result.stdout + result.stderr).strip()}"
        try:
            self.compare(place, "the tree of the played log")
        except Failure as failure:
            return failure
        self.played = result.stdout.splitlines()[0]
        return None

    def memory_summary(self):
        return f"a log of {self.log.stat().st_size / 1e6:.0f} MB, {getattr(self, 'played', 'not played')}"


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


def unequal(one, other):
    """The paths in which two trees of directories and files differ."""
    compared = filecmp.dircmp(one, other, ignore=[])
    found = compared.left_only + compared.right_only + compared.funny_files
    for name in compared.common_files:
        if not filecmp.cmp(pathlib.Path(one, name), pathlib.Path(other, name), shallow=False):
            found.append(name)
    for name in compared.common:
        first, second = (pathlib.Path(tree, name).lstat() for tree in (one, other))
        if (first.st_mode, first.st_nlink) != (second.st_mode, second.st_nlink):
            found.append(f"{name} (mode or links)")
    for name in compared.common_dirs:
        found += [f"{name}/{path}" for path in unequal(pathlib.Path(one, name), pathlib.Path(other, name))]
    return found


if __name__ == "__main__":
    sys.exit(main())
