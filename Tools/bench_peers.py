#!/usr/bin/env python3
"""Measures a check of lnote-fsck beside the checks of other programs over the same bytes, all lying in memory.

Words: peers (restic check --read-data, git fsck --full, SQLite's integrity_check, sha256sum and cat), images (--deep
beside jpeginfo -c), workers (-j 2 beside -j 1), start (lnote-fsck --version), memory (the most that a check takes).
What is compared takes turns, as in bench.py. A program that is not here is left out, with a word how to get it. What
the other programs keep is kept without compression, so that each reads as many bytes as the check does.

Usage: Tools/bench_peers.py [peers] [images] [workers] [start] [memory] [--rounds N]
Exit status: 0 measured, 2 wrong use, 4 something is missing here.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import sys

from bench import BENCH, DOCUMENTS, FSCK, Missing, Row, data_folder, describe_machine, in_turns, print_table, run
from bench_samples import make_documents, make_image

ROUNDS = 3
# One document that all programs read.
PAGES, PAGE_MEGABYTES = 80, 4
IMAGES = 24
# For workers: documents of as many pages as PAGE_MEGABYTES says.
LIBRARY_DOCUMENTS, LIBRARY_PAGES = 24, 4
STARTS = 200
LARGE_PAGE_MEGABYTES = 100


def main():
    measures = {
        "peers": measure_peers,
        "images": measure_images,
        "workers": measure_workers,
        "start": measure_start,
        "memory": measure_memory,
    }
    reader = argparse.ArgumentParser(description="Measures a check beside those of other programs.")
    help_ = "what to measure; where nothing is said, everything"
    reader.add_argument("what", nargs="*", metavar="|".join(measures), help=help_)
    reader.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each is measured; {ROUNDS}")
    words = reader.parse_args()
    unknown = [word for word in words.what if word not in measures]
    if unknown or words.rounds < 1:
        reader.error(f"not known: {' '.join(unknown)}" if unknown else "at least one round is needed")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    rows, missing = [], None
    try:
        if not FSCK.exists():
            raise Missing(f"{FSCK} is not there; make bench sees to it.")
        with data_folder() as folder:
            describe_machine(folder, words.rounds)
            for name in words.what or measures:
                with part(folder, name) as place:
                    rows += measures[name](place, words.rounds)
    except Missing as reason:
        missing = reason
    if rows:
        print_table(rows)
    if missing:
        print(f"bench: {missing}", file=sys.stderr)
        return 4
    return 0


@contextlib.contextmanager
def part(folder, name):
    """A folder for one measurement, so that the next has its memory."""
    place = folder / name
    place.mkdir()
    yield place
    shutil.rmtree(place)


def is_here(program, package):
    """Whether a program is here; says how to get it where it is not."""
    if shutil.which(program):
        return True
    print(f"{program}: not here, left out; apt-get install {package}")
    sys.stdout.flush()
    return False


def compared(rounds, name, other, text, goal=""):
    """Two rows: how much of processor time and elapsed time `other` takes for one of `name`."""
    return [
        Row(f"{text}: {what}", [round_[other][which] / round_[name][which] for round_ in rounds], goal)
        for which, what in [(0, "processor time"), (1, "elapsed")]
    ]


# Other programs over the same bytes


def measure_peers(folder, rounds):
    library = folder / "library"
    library.mkdir()
    package = library / run([BENCH, "pages", "--count", PAGES, "--megabytes", PAGE_MEGABYTES, library]).strip()
    files = sorted(path for path in package.rglob("*") if path.is_file())
    commands = {
        "check": [FSCK, "-n", package],
        "cat": ["cat", *files],
        "sha256sum": ["sha256sum", "--binary", *files],
    }
    if is_here("restic", "restic"):
        commands["restic check --read-data"] = restic(folder, package)
    if is_here("git", "git"):
        commands["git fsck --full"] = git(folder, package)
    if is_here("sqlite3", "sqlite3"):
        commands["sqlite3 integrity_check"] = sqlite(folder, files)
    # Once beforehand, and for the words of what fails; cat prints the bytes themselves.
    for name in commands.keys() - {"cat"}:
        run(commands[name])
    measured = in_turns(commands, folder, rounds)
    size = f"{PAGES} pages of {PAGE_MEGABYTES} MB"
    rows = compared(measured, "cat", "check", f"check of {size} / cat", "2 or less")
    for name in commands:
        if name not in ("check", "cat"):
            rows += compared(measured, "check", name, f"{name} / the check")
    return rows


def restic(folder, package):
    """Backs the package up into a repository of its own; the command that checks it."""
    password = folder / "password"
    password.write_text("measured\n")
    repository = folder / "restic"
    words = ["restic", "--quiet", "--no-cache", "--password-file", password, "--repo", repository]
    run([*words, "init"])
    run([*words, "backup", "--compression", "off", package])
    return [*words, "check", "--read-data"]


def git(folder, package):
    """Commits the package into a repository of its own; the command that checks it."""
    words = ["git", f"--git-dir={folder / 'git'}"]
    settings = ["core.compression=0", "gc.auto=0", "commit.gpgsign=false", "user.name=bench", "user.email=bench@bench"]
    committing = [*words, f"--work-tree={package}", *(word for setting in settings for word in ("-c", setting))]
    run([*words, "init", "--quiet"])
    run([*committing, "add", "--all"])
    run([*committing, "commit", "--quiet", "--message", "measured"])
    return [*words, "fsck", "--full", "--no-progress"]


def sqlite(folder, files):
    """Keeps each file as a blob in a database; the command that checks it."""
    path = folder / "notes.db"
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE files(name TEXT PRIMARY KEY, bytes BLOB)")
        for file in files:
            database.execute("INSERT INTO files VALUES (?, ?)", (str(file), file.read_bytes()))
            database.commit()
    return ["sqlite3", "-batch", "-init", "/dev/null", path, "PRAGMA integrity_check"]


# Images


def measure_images(folder, rounds):
    package = folder / run([BENCH, "pages", "--count", 1, "--megabytes", 1, folder]).strip()
    # All are needed before anything is measured: the makers of an image and what reads it.
    if not all([is_here("cjpeg", "libjpeg-turbo-progs"), is_here("jpeginfo", "jpeginfo")]):
        return []
    for number in range(IMAGES):
        make_image(package / "assets" / f"0BE4C400-0000-4000-9000-{number:012X}.jpg", number)
    images = sorted((package / "assets").iterdir())
    megabytes = sum(image.stat().st_size for image in images) / 1e6
    print(f"{len(images)} images of 5 million pixels, {megabytes:.1f} MB")
    commands = {"deep": [FSCK, "--deep", package], "jpeginfo": ["jpeginfo", "-c", *images]}
    # An image that no page uses is decoded too; were it not, the comparison would be about nothing.
    summary = json.loads(run([FSCK, "--deep", "--json", package]).splitlines()[-1])
    if summary["verified"]["decoded"] != IMAGES:
        raise Missing(f"lnote-fsck --deep decoded {summary['verified']['decoded']} images of {IMAGES}.")
    measured = in_turns(commands, folder, rounds)
    return compared(measured, "deep", "jpeginfo", f"jpeginfo -c over {IMAGES} images / --deep", "1 or more")


# Workers


def measure_workers(folder, rounds):
    library = folder / "library"
    make_documents(library, LIBRARY_DOCUMENTS, LIBRARY_PAGES, PAGE_MEGABYTES)
    files = sorted(path for path in library.rglob("*") if path.is_file())
    names = folder / "names"
    names.write_text("".join(f"{file}\n" for file in files))
    reading = ["xargs", f"--arg-file={names}", f"--max-args={LIBRARY_PAGES}"]
    commands = {
        "one": [FSCK, "-n", "-j", 1, library],
        "two": [FSCK, "-n", "-j", 2, library],
        "cat one": [*reading, "--max-procs=1", "cat"],
        "cat two": [*reading, "--max-procs=2", "cat"],
    }
    run(commands["one"])
    measured = in_turns(commands, folder, rounds)

    def ratio(top, bottom, which):
        return [round_[top][which] / round_[bottom][which] for round_ in measured]

    name = f"{LIBRARY_DOCUMENTS} documents of {LIBRARY_PAGES} pages of {PAGE_MEGABYTES} MB"
    return [
        Row(f"{name}: elapsed of -j 1 / of -j 2", ratio("one", "two", 1), "1.7 or more"),
        Row(f"{name}: processor time of -j 2 / of -j 1", ratio("two", "one", 0), ""),
        Row("the same files: elapsed of one cat after another / of two at a time", ratio("cat one", "cat two", 1), ""),
    ]


# Start and memory


def measure_start(folder, rounds):
    report = folder / "hyperfine.json"
    programs = {"lnote-fsck --version": f"{FSCK} --version", "true": shutil.which("true")}
    found = {name: [] for name in programs}
    for _ in range(rounds):
        for name, command in programs.items():
            quietly = ["hyperfine", "--shell=none", "--style=none", "--warmup=5", f"--runs={STARTS}"]
            run([*quietly, f"--export-json={report}", command])
            found[name].append(json.loads(report.read_text())["results"][0]["median"] * 1000)
    goals = {"lnote-fsck --version": "under 5"}
    return [Row(f"{name}: milliseconds", values, goals.get(name, "")) for name, values in found.items()]


def measure_memory(folder, rounds):
    large, library, small = folder / "large", folder / "library", folder / "small"
    large.mkdir()
    run([BENCH, "pages", "--count", 2, "--megabytes", LARGE_PAGE_MEGABYTES, large])
    make_documents(library, LIBRARY_DOCUMENTS, LIBRARY_PAGES, PAGE_MEGABYTES)
    small.mkdir()
    run([BENCH, "library", "--count", DOCUMENTS, small])
    documents = f"{LIBRARY_DOCUMENTS} documents of {LIBRARY_PAGES} pages of {PAGE_MEGABYTES} MB"
    commands = {
        f"check of two pages of {LARGE_PAGE_MEGABYTES} MB": [FSCK, "-n", large],
        f"check of {documents}": [FSCK, "-n", library],
        f"check of {documents}, -j 16": [FSCK, "-n", "-j", 16, library],
        f"check of {DOCUMENTS:,} small documents": [FSCK, "-n", small],
        f"--quick over {DOCUMENTS:,} small documents": [FSCK, "--quick", small],
    }
    return [
        Row(f"{name}: peak MB", [peak_megabytes(command) for _ in range(rounds)], "under 256")
        for name, command in commands.items()
    ]


def peak_megabytes(command):
    """The most memory a program had at once; what a bare interpreter has, some 10 MB, is the least this can say."""
    # A program begins with the peak of whoever started it, and ours has grown by what it made.
    starter = "import os, sys; child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); " + (
        "_, status, usage = os.wait4(child, 0); print(); print(status, usage.ru_maxrss)"
    )
    status, kibibytes = map(int, run([sys.executable, "-I", "-S", "-c", starter, *command]).splitlines()[-1].split())
    if status != 0:
        raise Missing(f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}.")
    return kibibytes / 1024


if __name__ == "__main__":
    sys.exit(main())
