#!/usr/bin/env python3
"""Runs one plan of lnote-nightly in six ways, and holds the reports against each other: `make scale-out-test`.

As one process; as 2, 4 and 7 shards; with GNU parallel; and as an array of a private Slurm on this machine, one task of
which is killed and run again. What is merged must be the same, byte for byte, outside of the block "meta" of summary.json
and of the files that hold a date. At the end one result is changed on purpose, and the comparison has to see it.

Usage: Tools/scale_out_test.py [--cases 4000] [--jobs N] [--keep DIR]
Exit status: 0 all the same, 1 a report differs, 2 wrong use, 4 something is missing here or did not start.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from private_slurm import MissingEngine, PrivateSlurm

ROOT = pathlib.Path(__file__).resolve().parent.parent
NIGHTLY = pathlib.Path(os.environ.get("LNOTE_NIGHTLY", ROOT / "bin" / "lnote-nightly")).resolve()
CASES = 4000
# Seldom enough that most cases pass, often enough that the reports have failures to agree on.
BUG = "short-write-believed"
# Files beside what is made up: quick, and half of them must fail.
FILES = ROOT / "Scenarios" / "mutants"
SHARDS = (1, 2, 4, 7)
# An engine that does not answer shall not be waited for without end.
ENGINE_SECONDS_MAX = 3 * 3600


class Difference(Exception):
    """What was to be the same is not."""


def main():
    reader = argparse.ArgumentParser(description="Runs one plan in six ways, and compares the reports.")
    reader.add_argument("--cases", type=int, default=CASES, metavar="N", help=f"made-up cases; {CASES:,}")
    reader.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    reader.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="keep the runs in this new folder")
    words = reader.parse_args()
    if words.cases < 40 or words.jobs < 1:
        reader.error("--cases is at least 40, --jobs at least 1")
    missing = [name for name in ("parallel", *PrivateSlurm.programs) if PrivateSlurm.program(name) is None]
    missing += [] if NIGHTLY.exists() else [str(NIGHTLY)]
    if missing:
        print(f"missing: {', '.join(missing)}; make scale-out-test gets it", file=sys.stderr)
        return 4
    # Whatever ends this, what it started is ended first.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        with tempfile.TemporaryDirectory(prefix="lnote-scale-out-") as place:
            # Whoever asks munged has to reach its socket.
            os.chmod(place, 0o711)
            try:
                compare(pathlib.Path(place), words)
            finally:
                if words.keep:
                    shutil.copytree(place, words.keep, symlinks=True, ignore=shutil.ignore_patterns("slurm-private"))
                    say(f"kept: {words.keep}")
        return 0
    except Difference as problem:
        print(f"DIFFERENT: {problem}", file=sys.stderr)
        return 1
    except (MissingEngine, subprocess.SubprocessError) as problem:
        print(f"did not come to its end: {problem}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        print("ended by a signal; nothing of it runs any more", file=sys.stderr)
        return 130


def compare(place, words):
    plan = place / "plan" / "run"
    lnote("plan", "--cases", str(words.cases), "--shards", "4", "--mutant", BUG, "--out", "run", FILES, at=plan.parent)
    say(f"{words.cases:,} cases with the bug {BUG}, {words.jobs} processes at once")

    folders = {f"{count} shards" if count > 1 else "one process": count for count in SHARDS}
    start = time.monotonic()
    run_locally({copy(place, plan, name): count for name, count in folders.items()}, words.jobs)
    say(f"one process, 2, 4 and 7 shards: {minutes(start)}")
    first, *others = [Report(place / name) for name in folders]
    say(f"{first.sentence}")
    for other in others:
        first.must_equal(other)

    start = time.monotonic()
    run_in_parallel(copy(place, plan, "parallel"), words.jobs)
    first.must_equal(Report(place / "parallel"))
    say(f"GNU parallel: {minutes(start)}")

    start = time.monotonic()
    run_in_slurm(copy(place, plan, "slurm"), place / "slurm-private")
    first.must_equal(Report(place / "slurm", isMerged=True))
    say(f"Slurm, one task killed and run again: {minutes(start)}")

    see_a_change(first, copy(place, place / "7 shards" / "run", "changed"))
    say("a result that was changed on purpose: seen")
    say(f"SAME: {len(SHARDS) + 2} reports of {words.cases:,} cases, {first.bytes_count:,} bytes each")


# The ways to run it


def run_locally(counts, jobs):
    """Each shard is a process of its own; as many at once as there are jobs."""
    work = [(folder, index, count) for folder, count in counts.items() for index in range(count)]
    work.sort(key=lambda one: one[2])

    def shard(one):
        folder, index, count = one
        lnote("run", "--no-merge", "--jobs", "1", "--shard", str(index), "--shards", str(count), "--out", "run", at=folder)

    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    try:
        for _ in pool.map(shard, work):
            pass
    finally:
        CHILDREN.end()
        pool.shutdown(cancel_futures=True)


def run_in_parallel(folder, jobs):
    """As Docs/nightly/many-machines.md has it: the place in the list says which shard it is."""
    run = ["setpriv", "--pdeathsig", "TERM", NIGHTLY, "run", "--no-merge", "--out", "run", ":::", *["--jobs=1"] * 4]
    CHILDREN.run(["parallel", "--will-cite", "-j", str(jobs), *run], cwd=folder)


def run_in_slurm(folder, private):
    """An array of four tasks and a merge behind it; the third task is killed, then run again alone."""
    log = folder / "run" / "shard-0003-of-0004.jsonl"
    with PrivateSlurm(private) as slurm:
        job = slurm.submit(ROOT / "contrib/slurm/nightly.sbatch", folder, NIGHTLY.parent, array="0-3")
        report = slurm.submit(ROOT / "contrib/slurm/merge.sbatch", folder, NIGHTLY.parent, after=job)
        slurm.wait_for(lambda: lines(log, '"type":"case"') >= 3, "the third task to begin")
        slurm.kill(job, task=2)
        slurm.wait_for(lambda: slurm.has_ended(report), "the merge", ENGINE_SECONDS_MAX)
        killed = slurm.status(job, task=2)
        if killed != "0:9":
            raise Difference(f"the task that was killed ended with {killed}")
        if slurm.status(report) not in ("1:0", "2:0") or not missing_cases(folder):
            raise Difference(f"a merge without the killed task's cases ended with {slurm.status(report)}")
        begun = lines(log, '"type":"start"')
        job = slurm.submit(ROOT / "contrib/slurm/nightly.sbatch", folder, NIGHTLY.parent, array="2")
        report = slurm.submit(ROOT / "contrib/slurm/merge.sbatch", folder, NIGHTLY.parent, after=job)
        slurm.wait_for(lambda: slurm.has_ended(report), "the second merge", ENGINE_SECONDS_MAX)
        if slurm.status(report) != "1:0":
            raise Difference(f"the second merge ended with {slurm.status(report)}: {slurm.output(folder)}")
        if lines(log, '"type":"start"') != begun + 1:
            raise Difference("the task that was run again did not go on with its file")


def missing_cases(folder):
    return json.loads((folder / "run/merged/summary.json").read_text())["cases"]["missing"]


def see_a_change(first, folder):
    """One record of one shard counts one crash state more. Whoever does not see that compares nothing."""
    log = folder / "run" / "shard-0007-of-0007.jsonl"
    changed, count = re.subn(r'("states":)(\d+)', lambda found: f"{found[1]}{int(found[2]) + 1}", log.read_text(), count=1)
    if count != 1:
        raise Difference(f"{log.name} has no record to change")
    log.write_text(changed)
    try:
        first.must_equal(Report(folder))
    except Difference:
        return
    raise Difference("a changed result was not seen: this comparison proves nothing")


# The reports


class Report:
    """What a run was merged to: every file that is the same whenever and wherever it is made."""

    def __init__(self, folder, isMerged=False):
        self.name = folder.name
        if not isMerged:
            lnote("merge", "run", at=folder, statuses=(0, 1, 2))
        merged = folder / "run" / "merged"
        summary = (merged / "summary.json").read_text()
        self.parsed = json.loads(summary)
        without, count = re.subn(r'\n  "meta": \{.*?\n  \},?', "", summary, flags=re.DOTALL)
        if count != 1:
            raise Difference(f"{self.name}: summary.json has {count} blocks \"meta\"")
        self.files = {"summary.json": without.encode()}
        for file in (merged / "sarif.json", *sorted((folder / "run" / "repro").glob("*.scn"))):
            self.files[file.name] = file.read_bytes()

    @property
    def bytes_count(self):
        return sum(len(content) for content in self.files.values())

    @property
    def sentence(self):
        cases = self.parsed["cases"]
        return (
            f"{cases['run']:,} cases run, {cases['passed']:,} passed, {len(self.parsed['buckets'])} kinds of failure,"
            f" {self.parsed['states']:,} crash states: {self.parsed['headline']}"
        )

    def must_equal(self, other):
        for report in (self, other):
            if report.parsed["cases"]["missing"] or report.parsed["cases"]["differing"]:
                raise Difference(f"{report.name}: cases are missing, or have two results")
        if not self.parsed["buckets"]:
            raise Difference("nothing failed, so the reports have nothing to agree on: give more --cases")
        for name in sorted(set(self.files) | set(other.files)):
            mine, its = self.files.get(name), other.files.get(name)
            if mine != its:
                raise Difference(f"{name} of '{self.name}' and '{other.name}': {first_difference(mine, its)}")


def first_difference(mine, its):
    if mine is None or its is None:
        return "only one of them has it"
    pairs = zip(mine.decode().split("\n"), its.decode().split("\n"))
    for number, (left, right) in enumerate(pairs, 1):
        if left != right:
            return f"line {number}: {left.strip()[:120]} / {right.strip()[:120]}"
    return "one ends before the other"


# Processes


class Children:
    """Programs that were started here and are still running."""

    def __init__(self):
        self.running = set()

    def run(self, words, cwd, statuses=(0,)):
        child = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *words], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.running.add(child)
        try:
            _, said = child.communicate()
        except BaseException:
            self.end_one(child)
            raise
        finally:
            self.running.discard(child)
        if child.returncode not in statuses:
            raise subprocess.SubprocessError(f"{' '.join(map(str, words[:3]))}: status {child.returncode}\n{said}")

    def end(self):
        for child in list(self.running):
            self.end_one(child)

    @staticmethod
    def end_one(child):
        """Twice, since GNU parallel lets its jobs come to their end when it is asked once."""
        for _ in range(2):
            child.terminate()
            try:
                child.wait(timeout=10)
                return
            except subprocess.TimeoutExpired:
                pass
        child.kill()
        child.wait()


CHILDREN = Children()


def lnote(*words, at, statuses=(0,)):
    at.mkdir(parents=True, exist_ok=True)
    CHILDREN.run([NIGHTLY, *words], cwd=at, statuses=statuses)


def copy(place, run, name):
    """The run in a folder of its own; always called `run`, since reports name it."""
    shutil.copytree(run, place / name / "run")
    return place / name


def lines(file, text):
    return file.read_text(errors="replace").replace(" ", "").count(text) if file.exists() else 0


def minutes(start):
    seconds = time.monotonic() - start
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def say(text):
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
