#!/usr/bin/env python3
"""Measures how many crash states a second are judged in process, against copying each and starting a checker for it.

The document has ten files, one of them a page of 1 MiB. A judgement is the store's recovery, the check, the repair of
what can be repaired, and the comparison with what was called saved. Recording and exploring are taken off: the same
sweep with one judgement is measured too. The usual way is cp -R of the document and lnote-fsck -n on the copy. All is
processor time, of one processor.

Usage: Tools/bench_crashes.py [--states N] [--rounds N]
Exit status: 0 measured, 4 something is missing here.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

from bench import FSCK, ROOT, Missing, data_folder, describe_machine, figure, run

SCENARIO = ROOT / "bin/lnote-scenario"
GOAL = 10_000
# How many copies are made and checked in a round.
COPIES = 40

STEPS = "stroke p1 points 40; stroke p2 points 9; background; "
CHECK = "check { reopen; expect document loads; expect fsck never asset-missing, page-missing }\n"
# What the store syncs, and how often the two pages are saved.
SWEEPS = [("a store that syncs", "full", 12), ("a store that never syncs", "none", 2)]


def main():
    reader = argparse.ArgumentParser(description="Measures judgements of crash states in process.")
    reader.add_argument("--states", type=int, default=20_000, help="judge so many of each sweep at the most; 20000")
    reader.add_argument("--rounds", type=int, default=3, help="how often each is measured; 3")
    words = reader.parse_args()
    if words.states < 2 or words.rounds < 1:
        reader.error("at least two states and one round are needed")
    try:
        with data_folder() as folder:
            describe_machine(folder, words.rounds)
            measure(folder, words.states, words.rounds)
    except Missing as reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 4
    return 0


def measure(folder, states, rounds):
    package = kept_package(folder)
    sizes = [path.stat().st_size for path in package.rglob("*") if path.is_file()]
    print(f"{len(sizes)} files, the largest of {max(sizes):,} bytes")
    speeds = {name: [] for name, _, _ in SWEEPS}
    counts, usual = {}, []
    for _ in range(rounds):
        for name, durability, saves in SWEEPS:
            one, few = sweep(folder, durability, saves, 1)
            all_, sweep_ = sweep(folder, durability, saves, states)
            counts[name] = sweep_
            speeds[name].append((sweep_["judged"] - few["judged"]) / max(all_ - one, 1e-9))
        usual.append(copies(folder, package))
    print(f"the usual way, cp -R and lnote-fsck -n: {statistics.median(usual):,.0f} states a second")
    for name, values in speeds.items():
        found, median = counts[name], statistics.median(values)
        ratios = [value / base for value, base in zip(values, usual)]
        print(
            f"{name}: {found['judged']:,} states, {found['judgements']:,} judgements, {found['failing']:,} fail;\n"
            f"  {median:,.0f} states a second ({min(values):,.0f} – {max(values):,.0f}), goal {GOAL:,};"
            f" {figure(statistics.median(ratios))} times the usual way"
        )


def document(durability):
    """The scenario's beginning: eight pages, document.json and manifest.json."""
    pages = ["p1 strokes 216 points 300", *(f"p{number} strokes 3 points 20" for number in range(2, 9))]
    return (
        f'scenario v1 "ten files, one of them a page of 1 MiB"\ndurability {durability}\n'
        "model ext4-ordered, xfs, btrfs, posix-weakest\n"
        f'document "Measured" {{ {"; ".join(f"page {page}" for page in pages)} }}\n'
    )


def kept_package(folder):
    """The document as files, for the usual way."""
    file, kept = folder / "kept.scn", folder / "kept"
    file.write_text(document("full") + "stroke p1 points 40\nbackground\nexpect fsck clean\n")
    run([SCENARIO, "run", "--fast", "--keep", kept, file])
    return next((kept / "repaired").glob("*.lnote"))


def sweep(folder, durability, saves, states):
    """Processor seconds of a sweep that judges so many states, and what its report says of it."""
    file, report = folder / "sweep.scn", folder / "sweep.json"
    steps = f"for each crash at-most {states} in {{ {STEPS * saves}}}"
    file.write_text(f"{document(durability)}{steps}\n{CHECK}")
    begin = children_seconds()
    ended = subprocess.run(
        [SCENARIO, "run", "--fast", "--json", report, file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    seconds = children_seconds() - begin
    if ended.returncode not in (0, 1):
        raise Missing(f"the sweep ended with status {ended.returncode}: {ended.stderr}")
    return seconds, json.loads(report.read_text())[0]["cases"][0]["sweep"]


def copies(folder, package):
    """States a second of processor time where each is copied, and a program started that checks it."""
    begin = children_seconds()
    for _ in range(COPIES):
        run(["cp", "-R", package, folder / package.name])
        run([FSCK, "-n", folder / package.name])
        shutil.rmtree(folder / package.name)
    return COPIES / (children_seconds() - begin)


def children_seconds():
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(main())
