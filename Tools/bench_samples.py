"""What bench_peers.py measures with, beyond what lnote-bench makes: documents of one library, and images."""

import random
import shutil
import subprocess

from bench import BENCH, Missing, run

# An image begins as noise of this size, and is doubled twice.
NOISE_WIDTH, NOISE_HEIGHT, DOUBLINGS = 640, 480, 2
# `{`, newline, two spaces, `"checksum": "`: then come eight digits.
SUM_START, SUM_DIGITS = 17, 8


def make_documents(library, count, pages, megabytes):
    """Healthy documents with identities of their own; their pages hold the same strokes."""
    library.mkdir()
    first = library / run([BENCH, "pages", "--count", pages, "--megabytes", megabytes, library]).strip()
    identity = first.name.removesuffix(".lnote")
    for number in range(1, count):
        other = f"{identity[:-4]}{number:04X}"
        copy = library / f"{other}.lnote"
        shutil.copytree(first, copy)
        for name in ("document.json", "manifest.json"):
            bytes_ = (copy / name).read_bytes().replace(identity.encode(), other.encode())
            (copy / name).write_bytes(summed(bytes_))


def summed(bytes_):
    """A JSON file of the package with the checksum that its bytes have."""
    head, tail = bytes_[:SUM_START], bytes_[SUM_START + SUM_DIGITS :]
    return head + b"%08x" % crc32c(head + b"0" * SUM_DIGITS + tail) + tail


def crc32c(bytes_):
    rest = 0xFFFFFFFF
    for byte in bytes_:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (0x82F63B78 if rest & 1 else 0)
    return rest ^ 0xFFFFFFFF


def make_image(path, seed):
    """A JPEG of soft spots of colour, as a photograph out of focus; the same for the same seed."""
    head = b"P6\n%d %d\n255\n" % (NOISE_WIDTH, NOISE_HEIGHT)
    pixels = head + random.Random(seed).randbytes(3 * NOISE_WIDTH * NOISE_HEIGHT)
    image = through(["cjpeg", "-quality", "90"], pixels)
    for _ in range(DOUBLINGS):
        image = through(["cjpeg", "-quality", "90"], through(["djpeg", "-scale", "16/8"], image))
    path.write_bytes(image)


def through(words, bytes_):
    result = subprocess.run(words, input=bytes_, capture_output=True)
    if result.returncode != 0:
        raise Missing(f"{words[0]} ended with status {result.returncode}: {result.stderr.decode(errors='replace')}")
    return result.stdout
