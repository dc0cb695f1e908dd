#!/usr/bin/env python3
"""The example store of Docs/nightly/own_store.py with things done wrong, for tests of its judge.

    broken_store.py HOW,HOW...      any of:

    other-protocol   it greets with a protocol of the future
    keeps-undo       undo takes nothing back
    quiet-picture    a picture is never called durable
    backwards        of commands that come at once the last is answered first
    sings            it accepts commands that there are not
    dies-of-garbage  a line that is no JSON ends it
    no-lock          two may have the same document open
    saves-let-go     what is let go is saved
    stays            it does not end when its input ends
    no-sync          it never syncs
    early            it calls a stroke durable that it has not saved
    forgets          it never says that something is unsaved
"""

import fcntl
import json
import os
import select
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Docs/nightly"))
sys.dont_write_bytecode = True

import own_store

HOW = sys.argv[1].split(",")


class Broken(own_store.Store):
    def perform(self, do, c):
        if do == "undo" and "keeps-undo" in HOW:
            return None
        if do == "sing" and "sings" in HOW:
            return None
        if do == "let-go" and "saves-let-go" in HOW:
            self.save(c["document"])
        payload = super().perform(do, c)
        if do == "add-stroke" and "early" in HOW:
            self.durable[c["document"], c["page"]] = self.number
        if "quiet-picture" in HOW:
            self.assets = []
        return payload

    def answer(self, line):
        if "dies-of-garbage" in HOW:
            json.loads(line)["number"]
        answer = super().answer(line)
        if "forgets" in HOW:
            answer["unsaved"] = {"pages": [], "documents": []}
        return answer


def backwards(store):
    """Answers all lines that are there, the last one first."""
    rest = b""
    while True:
        while select.select([0], [], [], 0.02)[0]:
            piece = os.read(0, 1 << 20)
            if not piece:
                return 0
            rest += piece
        *lines, rest = rest.split(b"\n")
        for line in reversed(lines):
            own_store.say(store.answer(line))


def main():
    if "other-protocol" in HOW:
        own_store.say({"hello": "broken-store", "protocol": 7, "engines": ["snapshot"], "mutants": []})
        return 0
    if "no-sync" in HOW:
        os.fsync = lambda descriptor: None
    if "no-lock" in HOW:
        fcntl.flock = lambda descriptor, how: None
    if "backwards" in HOW:
        own_store.serve = backwards
    status = own_store.main(Broken)
    while "stays" in HOW and status == 0:
        signal.pause()
    return status


if __name__ == "__main__":
    sys.exit(main())
