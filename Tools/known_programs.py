"""The programs of known_answers.py: what prepares each, what it does, and how its files are judged after a crash.

Each check says in its first line what is wrong. It reads what the program had printed on standard input.
"""

EVERYDAY = ["ext4-ordered", "xfs", "btrfs"]
ALL = frozenset(EVERYDAY)
ORDERED = frozenset(["ext4-ordered", "xfs"])
LOST = "committed, and lost"
GONE = "the page is gone, without any crash"
# Stands for any damage, whatever the check calls it: found on these models at least.
ANY = "any damage"


def row(name, program, work, check, expected, alice="not run", setup="true", models=EVERYDAY):
    """One line of the table; `expected` has the models on which each first line of the check is found."""
    return {
        "name": name,
        "program": program,
        "setup": setup,
        "work": work,
        "check": check,
        "models": models,
        "expected": {line: frozenset(found) for line, found in expected.items()},
        "alice": alice,
    }


# SQLite. A fifth of the rows of a table of five leaves are changed, and two are added, in one transaction.

SQLITE_TABLE = (
    "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c "
    "WHERE n < {rows}) INSERT INTO t SELECT n, hex(zeroblob(200)) FROM c;"
)
SQLITE_CHANGE = (
    "BEGIN; UPDATE t SET v = 'new' WHERE id % 5 = 0; INSERT INTO t VALUES (98, 'new'), (99, 'new'); COMMIT;"
)
# All of these rows are new, or none; and none only where nobody was told that they were committed.
SQLITE_CHECK = """
read -r said
found=$(sqlite3 -batch -init /dev/null t.db "PRAGMA integrity_check; SELECT count(*) FROM t WHERE v = 'new'" 2>&1) || {
  echo "cannot be read"; exit 2; }
case "$found:$said" in
  "ok
$NEW:"*|"ok
0:") ;;
  "ok
0:"*) echo "committed, and lost"; exit 4 ;;
  ok*) echo "neither all nor nothing"; exit 5 ;;
  *) echo "damaged"; exit 3 ;;
esac
"""


def sqlite(name, mode, synchronous, expected, alice="not run", alone=False, log_kept=False, rows=40):
    # Without other processes the log needs no index in shared memory, which recovery makes anew in any case.
    shell = "PRAGMA locking_mode=EXCLUSIVE;\n" if alone else ""
    shell = (".dbconfig no_ckpt_on_close on\n" if log_kept else "") + shell
    more = (", one process" if alone else "") + (", log kept" if log_kept else "")
    return row(
        name,
        f"SQLite, {mode}, synchronous={synchronous}{more}",
        f"sqlite3 t.db <<'END' > /dev/null && echo committed\n{shell}PRAGMA synchronous={synchronous};\n"
        f"{SQLITE_CHANGE}\nEND\n",
        f"NEW={rows // 5 + 2}\n{SQLITE_CHECK}",
        expected,
        alice,
        setup=f"sqlite3 t.db \"PRAGMA journal_mode={mode}; {SQLITE_TABLE.format(rows=rows)}\"",
    )


# LMDB. Two transactions, each with six new values of 1,500 bytes.

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
exec /usr/bin/python3 -c "
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


def lmdb(name, flags, title, expected, alice):
    work = f"exec /usr/bin/python3 -c \"{LMDB % flags}\""
    return row(name, f"LMDB, {title}", work, LMDB_CHECK, expected, alice, setup=LMDB_SETUP)


# git. One commit of a changed file and a new one in a new directory.

GIT_DATES = "export GIT_AUTHOR_DATE='{0} +0000' GIT_COMMITTER_DATE='{0} +0000'; "
GIT_SETUP = GIT_DATES.format(1000000000) + (
    "git init -q -b main --template= . && git config user.name n && git config user.email n@n && "
    "git config gc.auto 0 && git config maintenance.auto false && {more}echo old > f && git add f && git commit -qm old"
)
# The work tree is changed in front: it is not judged, and git does not write it.
GIT_TREE = " && echo new > f && mkdir d && echo g > d/g"
GIT_CHANGE = GIT_DATES.format(1000000001) + "git add -A && git commit -qm new && echo committed"
# Locks that a crash leaves are removed by hand, as git asks for.
GIT_CHECK = """
read -r said
find .git -name '*.lock' -delete
log=$(git log --format=%s 2>&1) || { echo "history cannot be read"; exit 2; }
git fsck --full --strict > /dev/null 2>&1 || {
  # The index can be made anew from the last commit.
  rm .git/index
  git fsck --full --strict > /dev/null 2>&1 && { echo "the index is damaged"; exit 6; }
  echo "fsck finds damage"
  exit 3
}
case "$log:$said" in
  new*|old:) ;;
  old:*) echo "committed, and lost"; exit 4 ;;
esac
"""


def git(name, fsync, expected, alice):
    return row(
        name,
        "git commit" + (f", core.fsync={fsync}" if fsync else ""),
        GIT_CHANGE,
        GIT_CHECK,
        expected,
        alice,
        setup=GIT_SETUP.format(more=f"git config core.fsync {fsync} && " if fsync else "") + GIT_TREE,
    )


# LevelDB. Opened, which makes a new manifest and takes the old one away; then two values, each synced. Its diary, which
# it never reads and never syncs, would multiply the states: it leads to /dev/null, and cannot be renamed.

LEVELDB_SETUP = """/usr/bin/python3 -c "import plyvel
base = plyvel.DB('db', create_if_missing=True)
for key in b'ab': base.put(bytes([key]), b'0' * 1500, sync=True)
base.close()" && rm db/LOG && ln -s /dev/null db/LOG && mkdir db/LOG.old """
LEVELDB_WORK = """exec /usr/bin/python3 -c "import os, plyvel
base = plyvel.DB('db')
for key in b'ab':
    base.put(bytes([key]), b'1' * 1500, sync=True)
    os.write(1, bytes([key]))
base.close()" """
LEVELDB_CHECK = """
exec /usr/bin/python3 -c "
import plyvel, sys
said = sys.stdin.read()
try:
    base = plyvel.DB('db')
    found = {key: base.get(key.encode()) for key in 'ab'}
except plyvel.Error: sys.exit('cannot be opened')
if None in found.values(): sys.exit('what was there before is lost')
if any(value not in (b'0' * 1500, b'1' * 1500) for value in found.values()): sys.exit('damaged')
if any(found[key] != b'1' * 1500 for key in said): sys.exit('committed, and lost')
if found['a'] < found['b']: sys.exit('a later value without an earlier one')
"
"""

# Calls of one's own, each a page of a notes app in small.

OWN = """exec /usr/bin/python3 -c "
import os
def put(name, text, flags=os.O_TRUNC, at=0):
    file = os.open(name, os.O_WRONLY | os.O_CREAT | flags)
    os.pwrite(file, text, at)
    os.close(file)
def sync(name):
    file = os.open(name, os.O_RDONLY)
    os.fsync(file)
    os.close(file)
%s
os.write(1, b'saved')
" """
OLD_OR_NEW = """
read -r said
test -e f || { echo "the page is gone"; exit 2; }
[ "$(tr -cd n < f | wc -c)" = 20000 ] && exit 0
[ "$(tr -cd o < f | wc -c)" = 20000 ] || { echo "damaged"; exit 3; }
[ -z "$said" ] || { echo "committed, and lost"; exit 4; }
"""
FOUNDATION = """import Foundation
let page = URL(fileURLWithPath: "f")
%s
print("saved")
"""
OLD_PAGE = "head -c 20000 /dev/zero | tr '\\0' o > f"
ATOMIC = FOUNDATION % 'try Data(repeating: 0x6E, count: 20_000).write(to: page, options: .atomic)'
REPLACED = FOUNDATION % """let new = URL(fileURLWithPath: "new")
try Data(repeating: 0x6E, count: 20_000).write(to: new)
_ = try? FileManager.default.replaceItemAt(page, withItemAt: new)"""
WRITTEN_THROUGH = OWN % "put('f', b'n' * 20000); put('f', b'n', os.O_SYNC)"
WRITTEN_CHECK = """
read -r said
[ -z "$said" ] || [ "$(tr -d '\\0' < f 2> /dev/null | wc -c)" = 20000 ] || { echo "committed, and lost"; exit 4; }
"""
ASSET = OWN % (
    "put('assets/a', b'n' * 20000); put('pages/t', b'a'); sync('pages/t'); os.rename('pages/t', 'pages/p'); "
    "sync('pages')"
)
ASSET_CHECK = """
test -e pages/p || { read -r said; [ -z "$said" ] && exit 0; echo "committed, and lost"; exit 4; }
test -e assets/a || { echo "the page's asset is missing"; exit 5; }
test -s assets/a || { echo "the page's asset is empty"; exit 6; }
[ "$(tr -d '\\0' < assets/a | wc -c)" = 20000 ] || { echo "the page's asset is incomplete"; exit 7; }
"""

NAMES_ONLY = "names only, unsafe where they are not ordered; 861, 15 s"
ROWS = [
    sqlite("K1", "DELETE", "OFF", {ANY: ALL}, "corruption, 26 vulnerabilities; 1,077 states, 35 s", rows=16),
    sqlite("K2", "DELETE", "NORMAL", {LOST: ALL}, "one ordering in the journal, and the last commit; 933, 52 s"),
    sqlite("K3", "DELETE", "FULL", {LOST: ALL}, "the removal of the journal is not synced; 914, 58 s"),
    sqlite("K4", "DELETE", "EXTRA", {}, "none (and one that no kernel shows); 914, 65 s"),
    sqlite("K5", "WAL", "NORMAL", {}, "none; 1,500, 120 s"),
    sqlite("K5", "WAL", "FULL", {}, "none; 1,518, 96 s"),
    sqlite("K5", "WAL", "NORMAL", {}, alone=True),
    sqlite("K5", "WAL", "FULL", {}, alone=True),
    sqlite("K5", "WAL", "NORMAL", {LOST: ALL}, alone=True, log_kept=True),
    lmdb("K6", "", "default", {}, "none; 333, 17 s"),
    lmdb("K7", "metasync=False", "NOMETASYNC", {LOST: ALL}, "only durability; 334, 13 s"),
    lmdb("K8", "sync=False", "NOSYNC", {ANY: ALL}, "data after the page that names it; 343, 14 s"),
    git("K9", "", {ANY: ALL}, "objects, reference and index not synced; 879, 20 to 38 s") | {"budget": 3000},
    git("K10", "committed", {LOST: ALL, "the index is damaged": ALL}, NAMES_ONLY),
    git("K10", "all", {LOST: ALL}, NAMES_ONLY),
    row(
        "K11",
        "LevelDB, two synced values",
        LEVELDB_WORK,
        LEVELDB_CHECK,
        {"cannot be opened": ["posix-weakest"], "what was there before is lost": ["posix-weakest"]},
        "the name of the new manifest behind the removal of the old one; did not end in 500 s",
        setup=LEVELDB_SETUP,
        models=EVERYDAY + ["posix-weakest"],
    ),
    row("K21", "Foundation, Data.write(.atomic)", "{program}", OLD_OR_NEW, {LOST: ALL}, setup=OLD_PAGE)
    | {"swift": ATOMIC},
    row("K22", "Foundation, replaceItemAt", "{program}", OLD_OR_NEW, {GONE: ALL}, setup=OLD_PAGE)
    | {"swift": REPLACED},
    row("K23", "a small O_SYNC write behind a large one", WRITTEN_THROUGH, WRITTEN_CHECK, {LOST: ORDERED}),
    row(
        "K24",
        "a synced page, and its asset unsynced",
        ASSET,
        ASSET_CHECK,
        {
            "the page's asset is missing": ["btrfs"],
            "the page's asset is empty": ALL,
            "the page's asset is incomplete": ALL,
        },
        setup="mkdir assets pages",
    ),
]
