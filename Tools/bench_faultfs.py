#!/usr/bin/env python3
"""Measures the failing disk's mount, libfuse's passthrough examples and peers, each relative to native tmpfs.

All mounts are there at once and take turns, column by column, so read the ratios; the median of the rounds is shown.
Speed never makes this fail: it prints each goal with the figure and whether it is met. Everything goes on every way out.

Usage: Tools/bench_faultfs.py [--rounds N] [--quick] [--no-peers]
Environment: FAULTFS_BENCH_LAZYFS, FAULTFS_BENCH_UNRELIABLEFS, FAULTFS_BENCH_CHARYBDEFS, FAULTFS_BENCH_CUTTLEFS name
peers that are not in PATH.
Exit status: 0 measured, 2 wrong use, 4 something is missing here.
"""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

import bench
from bench import BENCH, FAULTFS, Missing, figure, memory_free, processor_nanoseconds, run

EXAMPLES = pathlib.Path("/usr/share/doc/libfuse3-dev/examples")
ROUNDS = 7
# How often a bare mount is started to time it.
STARTS = 9
MOUNT_SECONDS_MAX = 10
# A rule that is asked at every operation that changes something, and whose pattern no name of the measurements has.
IDLE_RULE = 'fault EIO on any of "no/such/*"\n'
# (column, words of lnote-bench, repetitions a measurement, goal of the faultfs row named next, that row)
COLUMNS = [
    ("4 KiB writes", ["calls", "--kind", "writes", "--size", 4 << 10], 16384, None),
    ("128 KiB writes", ["calls", "--kind", "writes", "--size", 128 << 10], 1024, 0.35),
    ("4 KiB saves", ["saves", "--size", 4 << 10], 1500, 0.20),
    ("4 MiB saves", ["saves", "--size", 4 << 20], 40, 1.2),
    ("reads", ["calls", "--kind", "reads", "--size", 128 << 10], 2048, 1.0),
    ("stat", ["calls", "--kind", "status"], 50000, 0.85),
]
FIXED, EVENTS, IDLE, KEPT, TRACED = (
    "faultfs, fixed plan",
    "faultfs, close events",
    "faultfs, an idle rule",
    "faultfs, data kept",
    "faultfs, trace to a file",
)
IDLE_COST_MAX = 0.03
START_MILLISECONDS_MAX = 5
RESIDENT_MEGABYTES_MAX = 40


def main():
    reader = argparse.ArgumentParser(description="Measures mounts relative to native tmpfs.")
    reader.add_argument("--rounds", type=int, default=ROUNDS, help=f"how often each is measured; {ROUNDS}")
    reader.add_argument("--quick", action="store_true", help="a tenth of the repetitions, to see that it works")
    reader.add_argument("--no-peers", action="store_true", help="only the failing disk and native")
    words = reader.parse_args()
    if words.rounds < 1:
        reader.error("at least one round is needed")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    try:
        with bench.data_folder() as folder:
            bench.describe_machine(folder, words.rounds)
            peers = [] if words.no_peers else find_peers(folder)
            rounds = [measure_round(folder, peers, words.quick) for _ in range(words.rounds)]
            starts = [measure_start(folder) for _ in range(STARTS)]
            grown = measure_memory(folder)
    except Missing as reason:
        print(f"bench-faultfs: {reason}", file=sys.stderr)
        return 4
    show(rounds, starts, grown)
    return 0


# Who takes part


class Peer:
    """Another file system: its name, and the command that serves `place` from the directory `source`."""

    def __init__(self, name, command):
        self.name, self.command = name, command


def find_peers(folder):
    """The peers that are here; says which are not, and why."""
    peers = []
    for example, compiler, options in [("passthrough_ll", "gcc", []), ("passthrough_hp", "g++", ["-lboost_system"])]:
        program = build_example(folder, example, compiler, options)
        if program is None:
            continue
        if example == "passthrough_ll":
            peers.append(Peer("passthrough_ll", lambda at, by, p=program: [p, "-f", "-o", f"source={by}", at]))
        else:
            peers.append(Peer("passthrough_hp", lambda at, by, p=program: [p, "--foreground", by, at]))
    forms = {
        "lazyfs": lambda p: lambda at, by: [p, at, "-f", "-o", "modules=subdir", "-o", f"subdir={by}"],
        "unreliablefs": lambda p: lambda at, by: [p, at, f"-basedir={by}", "-f"],
        "charybdefs": lambda p: lambda at, by: [p, at, "-f", f"-omodules=subdir,subdir={by}"],
        "cuttlefs": lambda p: lambda at, by: [p, at, "-f", f"-omodules=subdir,subdir={by}"],
    }
    for name, form in forms.items():
        program = os.environ.get(f"FAULTFS_BENCH_{name.upper()}") or shutil.which(name)
        if program is None:
            print(f"{name}: not in PATH, and no FAULTFS_BENCH_{name.upper()}: left out")
        else:
            peers.append(Peer(name, form(program)))
    sys.stdout.flush()
    return peers


def build_example(folder, name, compiler, options):
    """An example of libfuse, compiled; None where that cannot be, after saying why."""
    sources = [path for path in (EXAMPLES / f"{name}.c", EXAMPLES / f"{name}.cc") if path.exists()]
    if not sources:
        print(f"{name}: {EXAMPLES} has no source of it here: left out")
        return None
    if shutil.which(compiler) is None:
        print(f"{name}: there is no {compiler} here: left out")
        return None
    flags = run(["pkg-config", "--cflags", "--libs", "fuse3"]).split()
    # The examples include a config.h that libfuse's own build makes; an empty one will do.
    (folder / "config.h").touch()
    program = folder / name
    words = [compiler, "-O2", "-D_GNU_SOURCE", "-DHAVE_UTIMENSAT", f"-I{folder}", sources[0], "-o", program]
    built = subprocess.run([str(word) for word in [*words, *flags, *options]], capture_output=True, text=True)
    if built.returncode != 0:
        print(f"{name}: does not compile here ({(built.stderr.strip().splitlines() or ['no reason'])[0]}): left out")
        return None
    return program


# Measuring


def measure_round(folder, peers, is_quick):
    """By (row, column), the (elapsed, processor) nanoseconds of one repetition, all rows in turn."""
    costs = {}
    with contextlib.ExitStack() as stack:
        work = folder / "round"
        work.mkdir()
        stack.callback(shutil.rmtree, work, ignore_errors=True)
        native = work / "native"
        native.mkdir()
        places = [("native", native, None)]
        for number, (name, options) in enumerate(own_rows(work)):
            place = work / f"own-{number}"
            place.mkdir()
            places.append((name, place, stack.enter_context(bench.mount(place, options))))
        for number, peer in enumerate(peers):
            place, source = work / f"peer-{number}", work / f"source-{number}"
            place.mkdir()
            source.mkdir()
            server = stack.enter_context(mount_peer(peer, place, source))
            if server is not None:
                places.append((peer.name, place, server))
        for column, words, count, _ in COLUMNS:
            count = max(count // 10, 4) if is_quick else count
            for name, place, server in places:
                # The first pages of everything are fresh once, and used again from then on.
                cost(place, words, max(count // 10, 3), server)
                costs[name, column] = cost(place, words, count, server)
    return costs


def own_rows(work):
    plan = work / "idle.plan"
    plan.write_text(IDLE_RULE)
    return [
        (FIXED, ["--fixed-plan"]),
        (EVENTS, []),
        (IDLE, ["--fixed-plan", "--plan", plan]),
        (KEPT, ["--fixed-plan", "--keep-data"]),
        (TRACED, ["--fixed-plan", "--log", work / "trace.log"]),
    ]


def cost(place, words, count, server):
    before = processor_nanoseconds(server)
    answer = run([BENCH, *words, "--count", count, place]).split()
    served = (processor_nanoseconds(server) - before) / count
    return int(answer[1]), int(answer[3]) + served


@contextlib.contextmanager
def mount_peer(peer, place, source):
    """The server's process, or None where it does not mount, which is said."""
    words = [str(word) for word in peer.command(place, source)]
    server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + MOUNT_SECONDS_MAX
        while not os.path.ismount(place) and server.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        if os.path.ismount(place):
            yield server
        else:
            print(f"{peer.name}: does not mount here ({' '.join(words)}): left out")
            yield None
    finally:
        subprocess.run(["fusermount3", "-u", "-z", place], stderr=subprocess.DEVNULL)
        try:
            server.wait(timeout=MOUNT_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def measure_start(folder):
    """Milliseconds from starting the program to the first answer of its mount, and its memory then, in MB."""
    place = folder / "start"
    place.mkdir()
    own_device = os.stat(folder).st_dev
    began = time.monotonic()
    with bench.mount(place) as server:
        answered = os.stat(place).st_dev != own_device
        took = time.monotonic() - began
        if not answered:
            raise Missing("the mount was announced before it was there")
        resident = resident_bytes(server)
    place.rmdir()
    return took * 1000, resident / 1e6


def measure_memory(folder):
    """How much the server grows, in bytes, by (what is written): one GiB each."""
    grown = {}
    place = folder / "grown"
    gigabyte = 1 << 30
    for name, options, sizes in [
        ("a GiB that stays", [], [gigabyte]),
        ("a GiB over and over in 4 MiB", [], [4 << 20] * 256),
        ("a GiB over and over in 4 MiB, data kept", ["--keep-data"], [4 << 20] * 256),
    ]:
        if memory_free() < 3 * gigabyte:
            print(f"memory for {name}: too little is free to measure it")
            continue
        place.mkdir()
        with bench.mount(place, options) as server:
            before = resident_bytes(server)
            piece = b"x" * (1 << 20)
            for size in sizes:
                with open(place / "file", "wb", buffering=0) as file:
                    for _ in range(size // len(piece)):
                        file.write(piece)
            grown[name] = resident_bytes(server) - before
        place.rmdir()
    return grown


def resident_bytes(server):
    for line in open(f"/proc/{server.pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) << 10
    return 0


# Showing


def show(rounds, starts, grown):
    names = [name for name in dict.fromkeys(name for name, _ in rounds[0]) if name != "native"]
    columns = [column for column, *_ in COLUMNS]

    def ratios(name, column, which):
        """Speed is native's time by ours; processor time is ours by native's."""
        pairs = [(r["native", column][which], r[name, column][which]) for r in rounds if (name, column) in r]
        return [native / own if which == 0 else own / native for native, own in pairs]

    for which, title in [(0, "speed / native"), (1, "processor time of program and server / native's")]:
        print(f"\n{title}, median of {len(rounds)} rounds")
        table([["", *columns]] + [
            [name, *(figure(statistics.median(ratios(name, column, which))) for column in columns)] for name in names
        ])
    print("\nrange of the speeds")
    table([["", *columns]] + [
        [name, *(f"{figure(min(r))} – {figure(max(r))}" for r in (ratios(name, column, 0) for column in columns))]
        for name in names
    ])
    print("\ngoals")
    lines = [["", "figure", "goal", ""]]
    for column, _, _, goal in COLUMNS:
        if goal is not None:
            median = statistics.median(ratios(FIXED, column, 0))
            lines.append([f"{column}, {FIXED}", figure(median), f"{goal:g} or more", verdict(median >= goal)])
    for which, title in [(0, "elapsed"), (1, "processor time")]:
        extra = [r[IDLE, column][which] / r[FIXED, column][which] - 1 for r in rounds for column in columns]
        median = statistics.median(extra)
        lines.append([f"an idle rule, {title}", f"{median:+.1%}", f"below {IDLE_COST_MAX:.0%}",
                      verdict(median < IDLE_COST_MAX)])
    took = statistics.median(milliseconds for milliseconds, _ in starts)
    resident = statistics.median(megabytes for _, megabytes in starts)
    lines.append(["start of the program to first answer", f"{took:.1f} ms", f"below {START_MILLISECONDS_MAX} ms",
                  verdict(took < START_MILLISECONDS_MAX)])
    lines.append(["memory at start", f"{resident:.1f} MB", f"below {RESIDENT_MEGABYTES_MAX} MB",
                  verdict(resident < RESIDENT_MEGABYTES_MAX)])
    table(lines)
    for name, bytes_ in grown.items():
        print(f"memory for {name}: {bytes_ / (1 << 20):.0f} MiB")


def verdict(is_met):
    return "met" if is_met else "not met"


def table(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
