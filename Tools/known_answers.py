#!/usr/bin/env python3
"""Explores programs whose behaviour after crashes is known, and compares: `make known-answers`.

Each row runs `faultfs explore` on a program of Debian, or a few calls of ours, with the everyday models,
and says on which of them some state fails, and with which first line of the check. A row that gives another answer than
the expected one is marked, and fails this; so does one whose budget ended before the program.

Usage: Tools/known_answers.py [--only K3] [--budget STATES] [--jobs N] [--markdown]
Exit status: 0 all as expected, 1 something is not, 2 wrong use, 4 something is missing here.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from known_programs import ANY, LOST, ROWS

FAULTFS = pathlib.Path(os.environ.get("FAULTFS", pathlib.Path(__file__).parent.parent / "bin" / "faultfs"))
# Enough for all pairs of files in every row; git has so many files that more only adds to the sample.
BUDGET = 6000
# More is never needed, but a busy machine shall not be waited for without end.
ROW_SECONDS_MAX = 3600


def main():
    reader = argparse.ArgumentParser(description="Compares explorations with known answers.")
    reader.add_argument("--only", metavar="K", help="rows of this name, as K3")
    reader.add_argument("--budget", type=int, default=BUDGET, metavar="N", help=f"states of a model; {BUDGET:,}")
    reader.add_argument(
        "--jobs", type=int, default=default_jobs(), metavar="N", help="states judged at once; root: one a processor"
    )
    reader.add_argument("--markdown", action="store_true", help="the table of Docs/inside/known-answers.md")
    words = reader.parse_args()
    rows = [row for row in ROWS if words.only in (None, row["name"])]
    if not rows:
        reader.error(f"there is no row {words.only}")
    missing = [name for name in ("sqlite3", "git", "swiftc") if shutil.which(name) is None]
    missing += [] if FAULTFS.exists() else [str(FAULTFS)]
    if missing:
        print(f"missing: {', '.join(missing)}; make known-answers gets it", file=sys.stderr)
        return 4
    show = show_markdown if words.markdown else show_text
    show_head(words.markdown)
    start = time.monotonic()
    good = 0
    for number, row in enumerate(rows, 1):
        tell(f"{number} of {len(rows)}: {row['name']}, {row['program']} …")
        try:
            answer = explore(row, min(words.budget, row.get("budget", words.budget)), words.jobs)
        except subprocess.SubprocessError as error:
            answer = {"seconds": time.monotonic() - start, "found": None, "lines": {}, "problem": str(error)}
        tell("")
        good += answer["problem"] is None
        show(row, answer)
    passed = time.monotonic() - start
    verdict = "all as expected" if good == len(rows) else f"{len(rows) - good} NOT AS EXPECTED"
    print(f"\n{len(rows)} rows in {passed // 60:.0f} min {passed % 60:.0f} s, {words.jobs} at once: {verdict}")
    return 0 if good == len(rows) else 1


def default_jobs():
    return len(os.sched_getaffinity(0)) if os.geteuid() == 0 else 1


def tell(text):
    """Says on a terminal what is under way; nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def explore(row, budget, jobs):
    """What came of one row; `problem` is None where it is as expected."""
    with tempfile.TemporaryDirectory(prefix="known-answers-") as folder:
        work = row["work"]
        if "swift" in row:
            work = work.format(program=compiled(row["swift"], folder))
        start = time.monotonic()
        result = subprocess.run(
            [FAULTFS, "explore", "--json", "found.json", "--budget", str(budget), "--model", ",".join(row["models"])]
            + (["-j", str(jobs)] if jobs > 1 else [])
            + ["--setup", row["setup"], "--check", row["check"], "--", "sh", "-c", work],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=ROW_SECONDS_MAX,
        )
        answer = {"seconds": time.monotonic() - start, "found": None, "lines": {}, "problem": None}
        if result.returncode in (0, 1):
            answer["found"] = json.loads((pathlib.Path(folder) / "found.json").read_text())
    if answer["found"] is None:
        text = " ".join(result.stderr.split())
        if result.returncode == 4 and "as the program left it" in text:
            line = text.partition("without any crash: ")[2].partition(". ")[0]
            answer["lines"] = {f"{line}, without any crash": set(row["models"])}
        else:
            answer["problem"] = f"status {result.returncode}: {text}"
            return answer
    else:
        for failure in answer["found"]["failures"]:
            answer["lines"].setdefault(failure["firstLine"] or failure["how"], set()).update(failure["models"])
    answer["problem"] = problem(row, answer)
    return answer


def compiled(text, folder):
    """The path of a Swift program."""
    source = pathlib.Path(folder) / "main.swift"
    source.write_text(text)
    program = source.with_name("program")
    subprocess.run(["swiftc", "-o", program, source], check=True, capture_output=True)
    return program


def problem(row, answer):
    """What is not as expected; None for nothing."""
    found, expected = answer["lines"], row["expected"]
    if answer["found"] and extent(answer) == "of more":
        return "the budget ended it; give a larger --budget"
    if ANY in expected:
        broken = set().union(*(models for line, models in found.items() if line != LOST))
        return None if broken >= expected[ANY] else f"damage is expected on {names(row, expected[ANY])}"
    if {line: frozenset(models) for line, models in found.items()} == expected:
        return None
    return f"expected is {answers_text(row, expected)}"


def extent(answer):
    """How much of what is possible was judged: "all", "block classes", "pairs of files" or "of more"."""
    models = answer["found"]["models"]
    if any(model["wasCut"] for model in models) or answer["found"]["judged"] < answer["found"]["states"]:
        return "of more"
    if not all(model["isWholeOverFiles"] for model in models):
        return "pairs of files"
    return "all" if all(model["isWholeOverBlocks"] for model in models) else "block classes"


def names(row, models):
    return ", ".join(model for model in row["models"] if model in models)


def answers_text(row, lines):
    return "; ".join(f"{line}: {names(row, models)}" for line, models in sorted(lines.items())) or "none"


def show_head(is_markdown):
    if is_markdown:
        print("| | program | states | that is | failing | where | seconds | ALICE: findings; states, time |")
        print("|---|---|---|---|---|---|---|---|")
    else:
        print(f"{'':4} {'program':44} {'states':>7} {'failing':>7} {'seconds':>7}  what was judged")


def show_markdown(row, answer):
    states, judged, failing = counts(answer)
    text = answers_text(row, answer["lines"]) + (f" **{answer['problem']}**" if answer["problem"] else "")
    print(
        f"| {row['name']} | {row['program']} | {states} | {judged} | {failing} | {text} | {answer['seconds']:.0f} "
        f"| {row['alice']} |",
        flush=True,
    )


def show_text(row, answer):
    states, judged, failing = counts(answer)
    print(f"{row['name']:4} {row['program']:44} {states:>7} {failing:>7} {answer['seconds']:7.0f}  {judged}")
    for line, models in sorted(answer["lines"].items()):
        print(f"     {line:44} on {names(row, models)}")
    if answer["problem"]:
        print(f"     NOT AS EXPECTED: {answer['problem']}")
    sys.stdout.flush()


def counts(answer):
    found = answer["found"]
    if found is None:
        return "", "nothing", ""
    return f"{found['states']:,}", extent(answer), f"{found['failing']:,}"


if __name__ == "__main__":
    sys.exit(main())
