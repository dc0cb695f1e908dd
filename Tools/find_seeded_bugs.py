#!/usr/bin/env python3
"""How long lnote-nightly takes to find each seeded bug of the store, and how small it makes it.

Each bug gets a run of its own with one worker, which is ended at the first failure. Needs `make build`.
Usage: Tools/find_seeded_bugs.py [--seconds 300] [--seed 1] [--at-once 2] [BUG]...
Exit status: 0 all were found, 1 some were not, 2 wrong use.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
NIGHTLY = ROOT / "bin/lnote-nightly"
SCENARIO = ROOT / "bin/lnote-scenario"


def bugs():
    lines = subprocess.run([SCENARIO, "list", "mutants"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in lines.splitlines() if line and not line.startswith(" ")]


def records(log):
    """The records that are written whole."""
    if not log.exists():
        return
    for line in log.read_text(errors="replace").split("\n")[:-1]:
        value = json.loads(line)
        if value["type"] == "case":
            yield value["record"]


def find(bug, seconds, seed):
    """Seconds until the first failure was found and made small, the cases until then, and the failure."""
    with tempfile.TemporaryDirectory(prefix="lnote-bugs-") as place:
        empty = pathlib.Path(place, "none")
        empty.mkdir()
        run = pathlib.Path(place, "run")
        words = [NIGHTLY, "run", "--no-merge", "--jobs", "1", "--seed", str(seed), "--budget", f"{seconds}s"]
        start = time.monotonic()
        child = subprocess.Popen(
            [*words, "--mutant", bug, "--build", "-", "--out", run, empty], stderr=subprocess.DEVNULL)
        try:
            while True:
                found = [record for record in records(run / "shard-0001-of-0001.jsonl")]
                failed = [record for record in found if record["outcome"] == "failed"]
                if failed or child.poll() is not None:
                    break
                time.sleep(0.1)
            spent = time.monotonic() - start
        finally:
            child.kill()
            child.wait()
        return spent, len(found), failed[0]["finding"] if failed else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("bugs", nargs="*", metavar="BUG")
    options = parser.parse_args()
    names = options.bugs or bugs()
    times, missed = [], 0
    print("| bug | seconds | cases | made small | found as |\n|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for name, (spent, cases, finding) in zip(
                names, pool.map(lambda name: find(name, options.seconds, options.seed), names)):
            if finding is None:
                missed += 1
                print(f"| {name} | not in {spent:.0f} | {cases} | | |", flush=True)
                continue
            times.append(spent)
            print(f"| {name} | {spent:.1f} | {cases} | {finding['shrunk']} | `{finding['signature']}` |", flush=True)
    if times:
        print(f"\n{len(times)} of {len(names)} found, in {statistics.median(times):.1f} s at the median")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
