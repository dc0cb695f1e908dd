#!/usr/bin/env python3
"""A driver that does one thing wrong, for tests of its caller.

    bad_driver.py HOW        a driver as in Docs/reference/driver-protocol.md, whose store is empty, but HOW is:

    other-protocol  it greets with a protocol of the future
    ends-at-once    it ends before it greets
    no-greeting     it never says a word, and does not end when its input does
    refuses         it cannot be started as asked
    talks-nonsense  it greets with something that is no JSON
    forgets         it takes every command and never says that anything is durable or unsaved
    answers-nonsense, answers-another, hangs, dies
                    the same at the first command: no answer of the protocol, one to another number, none, or its end
"""

import json
import signal
import sys


def say(**fields):
    print(json.dumps(fields), flush=True)


def hang():
    while True:
        signal.pause()


def main(how):
    if how == "ends-at-once":
        return 3
    if how == "no-greeting":
        hang()
    if how == "talks-nonsense":
        print("Hello! I am a store.", flush=True)
        hang()
    say(hello="bad-driver", protocol=7 if how == "other-protocol" else 1, engines=["snapshot"], mutants=[])
    sys.stdin.readline()
    if how == "refuses":
        say(ready=False, message="this store is closed on Mondays")
        return 2
    say(ready=True)
    for line in sys.stdin:
        number = json.loads(line)["number"]
        if how == "hangs":
            hang()
        if how == "dies":
            return 1
        if how == "answers-nonsense":
            print('{"number": 1, "errors": "none"}', flush=True)
        else:
            say(number=number + 1 if how == "answers-another" else number, errors=[],
                durable={"pages": [], "documents": [], "assets": []}, unsaved={"pages": [], "documents": []})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
