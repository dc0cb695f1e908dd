#!/usr/bin/env python3
"""Measures how many steps of trivial machines a second are drawn, beside Hypothesis with the same machines.

Cases of at most 50 steps are drawn by chance and nothing fails, so that what is timed is the drawing. The two take
turns in one run; processor time of one processor. Without Hypothesis our side alone is measured: python3 -m venv DIR, then
DIR/bin/pip install hypothesis, and DIR/bin/python3 Tools/bench_engine.py.

Usage: Tools/bench_engine.py [--cases N] [--rounds N]
Exit status: 0 measured, 4 something is missing here.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

from bench import BENCH, PREFIX, Missing, figure, run

GOAL = 100_000
STEPS_MAX = 50
KINDS = ["plain", "numbers", "references"]
# Hypothesis gets fewer cases, so that both take about as long.
SHARE = 20


def main():
    reader = argparse.ArgumentParser(description="Measures the drawing of test cases, beside Hypothesis.")
    reader.add_argument("--cases", type=int, default=4000, help="how many cases of our own a round; 4000")
    reader.add_argument("--rounds", type=int, default=3, help="how often each is measured; 3")
    words = reader.parse_args()
    if words.cases < SHARE or words.rounds < 1:
        reader.error(f"at least {SHARE} cases and one round are needed")
    try:
        # Hypothesis writes what it saw of our sources somewhere; it goes with the folder.
        with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
            os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
            measure(words.cases, words.rounds)
    except Missing as reason:
        print(f"bench: {reason}", file=sys.stderr)
        return 4
    return 0


def measure(cases, rounds):
    peer = hypothesis_machines()
    if peer is None:
        print("Hypothesis is not installed for this python3: only our own steps are measured. To compare, use one that")
        print("has it: python3 -m venv DIR, DIR/bin/pip install hypothesis, DIR/bin/python3 Tools/bench_engine.py")
    for kind in KINDS:
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(steps_each_second(kind, cases))
            if peer:
                theirs.append(peer(kind, max(1, cases // SHARE)))
        line = f"steps, {kind}: {statistics.median(ours):,.0f} a second ({min(ours):,.0f} – {max(ours):,.0f})"
        line += f", goal {GOAL:,}"
        if theirs:
            ratios = [own / other for own, other in zip(ours, theirs)]
            line += f"; Hypothesis {statistics.median(theirs):,.0f}; {figure(statistics.median(ratios))} times"
            line += f" ({figure(min(ratios))} – {figure(max(ratios))})"
        print(line)
        sys.stdout.flush()


def steps_each_second(kind, cases):
    words = run([BENCH, "steps", "--machine", kind, "--count", cases]).split()
    return int(words[1]) / (int(words[3]) / 1e9)


def hypothesis_machines():
    """A function from a kind and a number of cases to steps a second; None where Hypothesis is missing."""
    try:
        from hypothesis import HealthCheck, Phase, settings
        from hypothesis import strategies as draw
        from hypothesis.stateful import Bundle, RuleBasedStateMachine, rule, run_state_machine_as_test
    except ImportError:
        return None
    count = 0

    def counted():
        nonlocal count
        count += 1

    class Plain(RuleBasedStateMachine):
        @rule()
        def one(self):
            counted()

        @rule()
        def two(self):
            counted()

        @rule()
        def three(self):
            counted()

    number = draw.integers(0, 1000)

    class Numbers(RuleBasedStateMachine):
        @rule(one=number, other=number)
        def one(self, one, other):
            counted()

        @rule(one=number, other=number)
        def two(self, one, other):
            counted()

        @rule(one=number, other=number)
        def three(self, one, other):
            counted()

    class References(RuleBasedStateMachine):
        things = Bundle("things")

        @rule(target=things, value=draw.floats(0, 1))
        def make(self, value):
            counted()
            return value

        @rule(thing=things, limit=draw.floats(1, 2))
        def use(self, thing, limit):
            counted()

    machines = {"plain": Plain, "numbers": Numbers, "references": References}

    def steps_each_second_of_hypothesis(kind, cases):
        nonlocal count
        count = 0
        chosen = settings(
            max_examples=cases,
            stateful_step_count=STEPS_MAX,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        begin = time.process_time()
        run_state_machine_as_test(machines[kind], settings=chosen)
        return count / (time.process_time() - begin)

    return steps_each_second_of_hypothesis


if __name__ == "__main__":
    sys.exit(main())
