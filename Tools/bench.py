#!/usr/bin/env python3
"""Measures saves on the failing disk's mount, checks of a large package and quick looks at a library of small ones.

Each is measured against what the system does itself.

All figures are ratios of one run: the things compared take turns, several rounds, and the median of the rounds' ratios
is shown with its range. Nothing is written into the repository; data, mounts and servers go on every way out.

Usage: Tools/bench.py [saves] [check] [scan] [--rounds N]
Exit status: 0 measured, 1 a limit is exceeded, 2 wrong use, 4 something is missing here.
"""

import argparse
import contextlib
import glob
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "libexec/lnote-bench"
FAULTFS = ROOT / "bin/faultfs"
FSCK = ROOT / "bin/lnote-fsck"

PAGES = 160
PAGE_MEGABYTES = 4
DOCUMENTS = 5000
# (name, bytes, saves a measurement)
SAVE_SIZES = [("4 KiB", 4 << 10, 2000), ("4 MiB", 4 << 20, 40)]
SAVE_KINDS = [("saves", []), ("saves, directory synced too", ["--sync-directory"])]
ROUNDS = 9
PREFIX = "lnote-bench-"
# What the package, the saved files and the memory of the mount take at the most.
BYTES_NEEDED = 2 << 30


class Missing(Exception):
    """What this machine lacks, as a sentence."""


def main():
    reader = argparse.ArgumentParser(description="Measures saves on a mount, and checks of packages.")
    help_ = "what to measure; where nothing is said, everything"
    reader.add_argument("what", nargs="*", metavar="saves|check|scan", help=help_)
    reader.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each is measured; {ROUNDS}")
    words = reader.parse_args()
    unknown = [word for word in words.what if word not in ("saves", "check", "scan")]
    if unknown or words.rounds < 1:
        reader.error(f"not known: {' '.join(unknown)}" if unknown else "at least one round is needed")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    wanted = words.what or ["check", "scan", "saves"]
    rows, missing = [], None
    try:
        with data_folder() as folder:
            describe_machine(folder, words.rounds)
            if "check" in wanted:
                rows += check_rows(measure_checks(folder, words.rounds))
            if "scan" in wanted:
                rows += scan_rows(measure_scans(folder, words.rounds))
            if "saves" in wanted:
                rows += save_rows(measure_saves(folder, words.rounds))
    except Missing as reason:
        missing = reason
    if rows:
        print_table(rows)
    if missing:
        print(f"bench: {missing}", file=sys.stderr)
        return 4
    return 1 if any(row.is_exceeded for row in rows) else 0


# Where


@contextlib.contextmanager
def data_folder():
    """A folder of our own in memory, or where that is too small on the disk of temporary files."""
    memory = pathlib.Path("/dev/shm")
    is_memory = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free >= BYTES_NEEDED
    parent = memory if is_memory and memory_free() >= 2 * BYTES_NEEDED else pathlib.Path(tempfile.gettempdir())
    if shutil.disk_usage(parent).free < BYTES_NEEDED:
        raise Missing(f"{parent} needs {BYTES_NEEDED >> 30} GiB of free space; TMPDIR can name another place.")
    for left in parent.glob(f"{PREFIX}*"):
        # Of a run that was killed; its mount went with it.
        owner = left.name.removeprefix(PREFIX).split("-")[0]
        if not pathlib.Path("/proc", owner).exists():
            shutil.rmtree(left, ignore_errors=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def memory_free():
    """What the kernel could give to programs now, in bytes."""
    for line in open("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    return 0


def describe_machine(folder, rounds):
    system = run(["stat", "--file-system", "--format=%T", folder]).strip()
    load, cpus = os.getloadavg()[0], os.cpu_count()
    print(f"{cpus} CPUs, Linux {os.uname().release.split('-')[0]}, data on {system}, {rounds} rounds")
    if system != "tmpfs":
        print("There is too little memory for both sides to lie in it: saves are compared with this disk's.")
    if load > cpus / 2:
        print(f"Other programs are running (load {load:.1f}): trust processor time more than elapsed time.")
    sys.stdout.flush()


# Measuring


def measure_checks(folder, rounds):
    """A list of rounds; each has (processor, elapsed) seconds of cat, lnote-fsck and sha256sum."""
    library = folder / "library"
    library.mkdir()
    package = library / run([BENCH, "pages", "--count", PAGES, "--megabytes", PAGE_MEGABYTES, library]).strip()
    files = sorted(str(path) for path in package.rglob("*") if path.is_file())
    commands = {
        "cat": ["cat", *files],
        "fsck": [FSCK, "-n", package],
        "sha256sum": ["sha256sum", "--binary", *files],
    }
    run(commands["fsck"])
    measured = in_turns(commands, folder, rounds)
    shutil.rmtree(library)
    return measured


def measure_scans(folder, rounds):
    """A list of rounds; each has (processor, elapsed) seconds of a bare walk with every file's status, of what no look
    can do without, in C, and of a look."""
    library = folder / "library"
    library.mkdir()
    run([BENCH, "library", "--count", DOCUMENTS, library])
    floor = folder / "quick_floor"
    run(["gcc", "-O2", ROOT / "Tools/quick_floor.c", "-o", floor, "-ljansson", "-lisal"])
    commands = {
        "walk": ["find", library, "-type", "f", "-size", "-1c"],
        "floor": [floor, library],
        "quick": [FSCK, "--quick", library],
    }
    run(commands["quick"])
    measured = in_turns(commands, folder, rounds)
    shutil.rmtree(library)
    return measured


def in_turns(commands, folder, rounds):
    """A list of rounds; each has the (processor, elapsed) seconds of every command by its name."""
    report = folder / "hyperfine.json"
    measured = []
    for _ in range(rounds):
        round_ = {}
        for name, command in commands.items():
            quietly = ["hyperfine", "--shell=none", "--style=none", "--runs=1", f"--export-json={report}"]
            run([*quietly, " ".join(map(quoted, command))])
            result = json.loads(report.read_text())["results"][0]
            round_[name] = (result["user"] + result["system"], result["mean"])
        measured.append(round_)
    return measured


def measure_saves(folder, rounds):
    """A list of rounds; each has by (size, kind) the (processor, elapsed) nanoseconds of a save, native and mounted."""
    measured = []
    for _ in range(rounds):
        native, mounted = folder / "native", folder / "mounted"
        native.mkdir()
        mounted.mkdir()
        round_ = {}
        with mount(mounted) as server:
            # A mount takes its first 64 MiB from fresh memory, and uses them again from then on.
            save_cost(mounted, 4 << 20, 20, [])
            for size, bytes_, count in SAVE_SIZES:
                for kind, options in SAVE_KINDS:
                    round_[size, kind] = [
                        save_cost(native, bytes_, count, options),
                        save_cost(mounted, bytes_, count, options, server),
                    ]
        measured.append(round_)
        shutil.rmtree(native)
        mounted.rmdir()
    return measured


def save_cost(folder, bytes_, count, options, server=None):
    before = processor_nanoseconds(server)
    words = run([BENCH, "saves", "--size", bytes_, "--count", count, *options, folder]).split()
    served = (processor_nanoseconds(server) - before) / count
    return int(words[3]) + served, int(words[1])


def processor_nanoseconds(server):
    """What a process has used in all its threads so far."""
    if server is None:
        return 0
    return sum(int(open(path).read().split()[0]) for path in glob.glob(f"/proc/{server.pid}/task/*/schedstat"))


@contextlib.contextmanager
def mount(place, options=()):
    """The failing disk without a fault. It unmounts when its standard input ends: also when this program is killed."""
    words = [FAULTFS, "mount", "-f", "--until-input-ends", *options, place]
    if not FAULTFS.exists():
        raise Missing(f"{FAULTFS} is not there; make bench sees to it.")
    server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        if not server.stdout.readline().startswith("mounted"):
            raise Missing("the failing disk could not be mounted; the lines above say why.")
        yield server
    finally:
        server.stdin.close()
        try:
            server.wait(timeout=10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
            subprocess.run(["fusermount3", "-u", "-z", place])
        server.stdout.close()


def run(words):
    """The output of a command that has to succeed."""
    words = [str(word) for word in words]
    try:
        result = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise Missing(f"{words[0]} is not there; make bench sees to it.") from None
    if result.returncode != 0:
        raise Missing(f"{words[0]} ended with status {result.returncode}: {result.stderr or result.stdout}".rstrip())
    return result.stdout


def quoted(word):
    return "'" + str(word).replace("'", "'\\''") + "'"


# Showing


class Row:
    """A line of the table: the median of a ratio over all rounds, its range, and what it should be."""

    def __init__(self, name, ratios, goal, limit=None, is_least=False):
        self.name, self.goal, self.limit = name, goal, limit
        self.median, self.least, self.most = statistics.median(ratios), min(ratios), max(ratios)
        self.is_least = is_least

    @property
    def is_exceeded(self):
        if self.limit is None:
            return False
        return self.median < self.limit if self.is_least else self.median > self.limit

    @property
    def columns(self):
        bound = "" if self.limit is None else f"{'least' if self.is_least else 'most'} {self.limit:g}"
        verdict = "EXCEEDED" if self.is_exceeded else ""
        spread = f"{figure(self.least)} – {figure(self.most)}"
        return [self.name, figure(self.median), spread, self.goal, bound, verdict]


def check_rows(rounds):
    def ratio(top, bottom, which):
        return [round_[top][which] / round_[bottom][which] for round_ in rounds]

    files = f"check of {PAGES} pages of {PAGE_MEGABYTES} MB"
    return [
        Row(f"{files}: processor time / cat's", ratio("fsck", "cat", 0), "2 or less", 5),
        Row(f"{files}: elapsed / cat's", ratio("fsck", "cat", 1), "2 or less"),
        Row("sha256sum's processor time / the check's", ratio("sha256sum", "fsck", 0), "3 or more", 3, is_least=True),
        Row("sha256sum's elapsed / the check's", ratio("sha256sum", "fsck", 1), "3 or more"),
    ]


def scan_rows(rounds):
    def ratio(top, bottom, which):
        return [round_[top][which] / round_[bottom][which] for round_ in rounds]

    name = f"--quick over {DOCUMENTS:,} documents"
    return [
        Row(f"{name}: processor time / a bare walk's", ratio("quick", "walk", 0), "2 or less"),
        Row(f"{name}: elapsed / a bare walk's", ratio("quick", "walk", 1), "2 or less"),
        Row("what it reads, read and parsed in C: processor time / a bare walk's", ratio("floor", "walk", 0), ""),
        Row(f"{name}: processor time / that C's", ratio("quick", "floor", 0), ""),
    ]


def save_rows(rounds):
    goals = {"4 KiB": "0.2", "4 MiB": "1"}
    rows = []
    for which, text in [(1, "speed"), (0, "processor time")]:
        for size, kind in rounds[0]:
            pairs = [round_[size, kind] for round_ in rounds]
            if text == "speed":
                ratios = [native[which] / mounted[which] for native, mounted in pairs]
                rows.append(Row(f"{size} {kind}: speed / native", ratios, f"about {goals[size]}"))
            else:
                ratios = [mounted[which] / native[which] for native, mounted in pairs]
                rows.append(Row(f"{size} {kind}: processor time / native", ratios, ""))
    return rows


def figure(ratio):
    return f"{ratio:.3f}" if ratio < 0.1 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def print_table(rows):
    lines = [["", "median", "range", "goal", "limit", ""], *(row.columns for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
