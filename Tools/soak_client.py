"""What a client of the soak does: one step after the other in a directory of its own, drawn from its seed."""

import errno
import os
import random
import signal
import time

FILES = 40
FILE_BYTES_MAX = 1 << 20


def run_client(number, folder, seed, beats, steps, stopping):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    draw = random.Random(seed * 1000 + number)
    while not stopping.is_set():
        try:
            step(folder, draw)
        except OSError as error:
            # Whatever a fault answers, and what follows from files that are not where they should be. A disk that is
            # gone is not among it.
            if error.errno in (errno.ENOTCONN, errno.EBADF, errno.ESTALE):
                raise
        beats[number] = time.monotonic()
        steps[number] += 1


def step(folder, draw):
    name, other = (folder / f"f{draw.randrange(FILES)}" for _ in range(2))
    kind = draw.choice(["save", "save", "append", "overwrite", "read", "read", "list", "rename", "link", "remove",
                        "truncate", "directory"])
    if kind == "save":
        temporary = folder / f"t{draw.randrange(4)}"
        with open(temporary, "wb", buffering=0) as file:
            file.write(draw.randbytes(draw.choice([0, 100, 4096, 70_000, FILE_BYTES_MAX])))
            os.fsync(file.fileno())
        os.rename(temporary, name)
        sync_directory(folder)
    elif kind == "append":
        with open(name, "ab", buffering=0) as file:
            if file.tell() < FILE_BYTES_MAX:
                file.write(draw.randbytes(1000))
    elif kind == "overwrite":
        with open(name, "r+b", buffering=0) as file:
            file.seek(draw.randrange(10_000))
            file.write(draw.randbytes(5000))
    elif kind == "read":
        name.read_bytes()
    elif kind == "list":
        for entry in os.scandir(folder):
            entry.stat(follow_symlinks=False)
    elif kind == "rename":
        os.rename(name, other)
    elif kind == "link":
        os.link(name, other)
    elif kind == "remove":
        os.unlink(name)
    elif kind == "truncate":
        os.truncate(name, draw.randrange(FILE_BYTES_MAX))
    else:
        below = folder / "below"
        os.rmdir(below) if below.exists() else os.mkdir(below)


def sync_directory(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
