#!/usr/bin/env python3
"""Explores programs whose behaviour after crashes is known, and compares: `make known-answers`.

Each row runs `faultfs explore` on a program of Debian with the everyday models, and says on which of them some state
fails, and with which first line of the check. A row that does not give the expected answer is marked, and fails this.

Usage: Tools/known_answers.py [--only K3] [--budget STATES]
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

FAULTFS = pathlib.Path(os.environ.get("FAULTFS", pathlib.Path(__file__).parent.parent / "bin" / "faultfs"))
MODELS = ["ext4-ordered", "xfs", "btrfs"]
BUDGET = 2000

SQLITE_TABLE = (
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
    "WHERE n < 40) INSERT INTO t SELECT n, hex(zeroblob(200)) FROM c;"
)
SQLITE_CHANGE = (
    "BEGIN; UPDATE t SET v = 'new' WHERE id % 5 = 0; INSERT INTO t VALUES (41, 'new'), (42, 'new'); COMMIT;"
)
# All of the ten rows are new, or none; and none only where nobody was told that they were committed.
SQLITE_CHECK = """
said=$(cat)
found=$(sqlite3 t.db "PRAGMA integrity_check; SELECT count(*) FROM t WHERE v = 'new'" 2>&1) || {
  echo "cannot be read"; exit 2; }
set -- $found
[ "$1" = ok ] || { echo "damaged"; exit 3; }
case "$2:$said" in
  10:*|0:) ;;
  0:*) echo "committed, and lost"; exit 4 ;;
  *) echo "neither all nor nothing"; exit 5 ;;
esac
"""

LMDB = """
import lmdb, sys, os
env = lmdb.open('db', map_size=1 << 20, lock=False, %s)
for turn in (b'1', b'2'):
    with env.begin(write=True) as change:
        for key in b'abcdef': change.put(bytes([key]), turn * 1500)
    os.write(1, turn)
"""
LMDB_SETUP = """/usr/bin/python3 -c "import lmdb
env = lmdb.open('db', map_size=1 << 20, lock=False)
with env.begin(write=True) as change:
    for key in b'abcdef': change.put(bytes([key]), b'0' * 1500)" """
LMDB_CHECK = """
/usr/bin/python3 -c "
import lmdb, sys
said = sys.stdin.read()
try:
    env = lmdb.open('db', map_size=1 << 20, lock=False, readonly=True)
    with env.begin() as look: found = [look.get(bytes([key])) for key in b'abcdef']
except lmdb.Error: sys.exit('cannot be read')
turns = set(found)
if len(turns) != 1 or None in turns or len(set(found[0])) != 1 or len(found[0]) != 1500: sys.exit('damaged')
if chr(found[0][0]) < (said[-1:] or '0'): sys.exit('committed, and lost')
"
"""

GIT_DATES = "export GIT_AUTHOR_DATE='{0} +0000' GIT_COMMITTER_DATE='{0} +0000'; "
GIT_SETUP = GIT_DATES.format(1000000000) + (
    "git init -q -b main . && git config user.name n && git config user.email n@n && git config gc.auto 0 && "
    "git config maintenance.auto false && {more}echo old > f && git add f && git commit -qm old"
)
GIT_CHANGE = GIT_DATES.format(1000000001) + (
    "echo new > f; mkdir d; echo g > d/g; git add -A && git commit -qm new && echo committed"
)
# Locks that a crash leaves are removed by hand, as git asks for; the work tree is not judged, only the repository.
GIT_CHECK = """
said=$(cat)
find .git -name '*.lock' -delete
said_log=$(git log --format=%s 2>&1) || { echo "history cannot be read"; exit 2; }
git fsck --full --strict > /dev/null 2>&1 || { echo "fsck finds damage"; exit 3; }
git status > /dev/null 2>&1 || { echo "index cannot be read"; exit 6; }
case "$said_log:$JUDGE" in
  new*) ;;
  old*:durable) [ -z "$said" ] || { echo "committed, and lost"; exit 4; } ;;
esac
"""


def sqlite(name, mode, synchronous, expected, alice, keep_log=False):
    # Without other processes the log needs no shared index, whose blocks would multiply the states.
    shell = ".dbconfig no_ckpt_on_close on\nPRAGMA locking_mode=EXCLUSIVE;\n" if keep_log else ""
    script = f"{shell}PRAGMA synchronous={synchronous};\n{SQLITE_CHANGE}\n"
    return {
        "name": name,
        "program": f"SQLite, {mode}, synchronous={synchronous}" + (", log kept" if keep_log else ""),
        "setup": f"sqlite3 t.db \"PRAGMA journal_mode={mode}; {SQLITE_TABLE}\"",
        "work": f"sqlite3 t.db <<'END' > /dev/null && echo committed\n{script}END\n",
        "check": SQLITE_CHECK,
        "expected": expected,
        "alice": alice,
    }


def lmdb(name, flags, title, expected, alice):
    return {
        "name": name,
        "program": f"LMDB, {title}",
        "setup": LMDB_SETUP,
        "work": f"exec /usr/bin/python3 -c \"{LMDB % flags}\"",
        "check": LMDB_CHECK,
        "expected": expected,
        "alice": alice,
    }


def git(name, fsync, judge, expected, alice):
    return {
        "name": name,
        "program": "git commit" + (f", core.fsync={fsync}" if fsync else "") + (", durability" if judge == "durable" else ""),
        "setup": GIT_SETUP.format(more=f"git config core.fsync {fsync} && " if fsync else ""),
        "work": GIT_CHANGE,
        "check": f"JUDGE={judge}\n{GIT_CHECK}",
        "expected": expected,
        "alice": alice,
    }


ALL = frozenset(MODELS)
DAMAGED, LOST = "damaged", "committed, and lost"
# What has to be found: for each first line of the check, the models on which some state gives it. Further lines are a
# disagreement, but where the value of ANY says that the row is full of them.
ANY = "any"
ROWS = [
    sqlite("K1", "DELETE", "OFF", {ANY: ALL}, "corruption, 26 vulnerabilities; 1,077 states, 35 s"),
    sqlite("K2", "DELETE", "NORMAL", {LOST: ALL}, "one ordering in the journal, and the last commit; 933, 52 s"),
    sqlite("K3", "DELETE", "FULL", {LOST: ALL}, "the removal of the journal is not synced; 914, 58 s"),
    sqlite("K4", "DELETE", "EXTRA", {}, "none (and one that no kernel shows); 914, 65 s"),
    sqlite("K5", "WAL", "NORMAL", {}, "none; 1,500, 120 s"),
    sqlite("K5", "WAL", "FULL", {}, "none; 1,518, 96 s"),
    sqlite("K5", "WAL", "NORMAL", {LOST: ALL}, "not run", keep_log=True),
    lmdb("K6", "", "default", {}, "none; 333, 17 s"),
    lmdb("K7", "metasync=False", "NOMETASYNC", {LOST: ALL}, "only durability; 334, 13 s"),
    lmdb("K8", "sync=False", "NOSYNC", {ANY: ALL}, "data after the page that names it; 343, 14 s"),
    git("K9", "", "whole", {ANY: ALL}, "objects, reference and index not synced; 879, 20 to 38 s"),
    git("K10", "all", "whole", {}, "names only, unsafe where they are not ordered; 861, 15 s"),
]


def main():
    reader = argparse.ArgumentParser(description="Compares explorations with known answers.")
    reader.add_argument("--only", help="rows of this name, as K3")
    reader.add_argument("--budget", type=int, default=BUDGET, help=f"states of a model; {BUDGET}")
    words = reader.parse_args()
    missing = [name for name in ("sqlite3", "git", "sh") if shutil.which(name) is None]
    if not FAULTFS.exists():
        missing.append(str(FAULTFS))
    if missing:
        print(f"missing: {', '.join(missing)}; make known-answers gets it", file=sys.stderr)
        return 4
    print("| | program | states | judged | failing | on ext4, XFS, btrfs | seconds | ALICE: findings; states, time |")
    print("|---|---|---|---|---|---|---|---|")
    wrong = 0
    for row in ROWS:
        if words.only in (None, row["name"]):
            wrong += not run(row, words.budget)
    if wrong:
        print(f"\n{wrong} not as expected", file=sys.stderr)
    return 1 if wrong else 0


def run(row, budget):
    """Explores one row and prints it; true where it is as expected."""
    with tempfile.TemporaryDirectory(prefix="known-answers-") as folder:
        start = time.monotonic()
        result = subprocess.run(
            [FAULTFS, "explore", "--json", "found.json", "--budget", str(budget), "--model", ",".join(MODELS)]
            + ["--setup", row["setup"], "--check", row["check"], "--", "sh", "-c", row["work"]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - start
        if result.returncode not in (0, 1):
            print(f"| {row['name']} | {row['program']} | | | | **status {result.returncode}** | | |")
            print(result.stderr, file=sys.stderr)
            return False
        found = json.loads((pathlib.Path(folder) / "found.json").read_text())
    answers = {}
    for failure in found["failures"]:
        answers.setdefault(failure["firstLine"], set()).update(failure["models"])
    good = is_expected(answers, row["expected"])
    text = "; ".join(f"{line}: {', '.join(m for m in MODELS if m in models)}" for line, models in sorted(answers.items()))
    whole = "" if found["completeness"].startswith("complete") else " of more"
    print(
        f"| {row['name']} | {row['program']} | {found['states']:,}{whole} | {found['judged']:,} | {found['failing']:,} "
        f"| {text or 'none'}{'' if good else ' **NOT AS EXPECTED**'} | {seconds:.0f} | {row['alice']} |",
        flush=True,
    )
    return good


def is_expected(answers, expected):
    if ANY in expected:
        broken = set().union(*(models for line, models in answers.items() if line != LOST))
        return broken >= expected[ANY]
    return {line: frozenset(models) for line, models in answers.items()} == expected


if __name__ == "__main__":
    sys.exit(main())
