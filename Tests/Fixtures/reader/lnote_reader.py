#!/usr/bin/env python3
"""Reads .lnote packages of format 1, independently of the toolkit's own codec.

    lnote_reader.py PACKAGE...        each package as one line of JSON
    lnote_reader.py --files FILE...   each file (.content, .journal or a .json) as one line of JSON
    lnote_reader.py --elements PAGE...
                                      the elements of each page, a line of words each; null where it is not whole
    lnote_reader.py --salvage PAGE GENERATION FILE...
                                      the strokes and images of this page that stand whole anywhere in each file

A file that is not whole gives {"error": why}. Written from Docs/reference/format.md, with the standard library only
and a CRC-32C of its own, so that tests can compare two readings that share no code.
"""

import json
import os
import struct
import sys
import uuid

MAGIC = bytes([0x89, 0x4C, 0x4E, 0x50, 0x0D, 0x0A, 0x1A, 0x0A])
JOURNAL_MAGIC = bytes([0x89, 0x4C, 0x4E, 0x4A, 0x0D, 0x0A, 0x1A, 0x0A])


def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


TABLE = crc_table()


def crc32c(data, crc=0):
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


class Damage(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Damage(why)


def identity(data):
    return str(uuid.UUID(bytes=data)).upper()


def read_stroke(payload):
    need(len(payload) >= 32, "stroke too short")
    element, pen, zero3, rgba, radius, zero2, count = struct.unpack_from("<16sB3s4sH2sI", payload)
    need(zero3 == bytes(3) and zero2 == bytes(2), "reserved bytes of a stroke")
    need(len(payload) == 32 + 16 * count, "sample count of a stroke")
    samples = [list(struct.unpack_from("<iiHHI", payload, 32 + 16 * index)) for index in range(count)]
    return {"type": 1, "id": identity(element), "pen": pen, "rgba": rgba.hex(), "radius": radius, "samples": samples}


def read_image(payload):
    need(len(payload) == 80, "length of an image")
    element, asset, x, y, width, height, rotation, zero, length, digest = struct.unpack("<16s16siiiii4sQ16s", payload)
    need(zero == bytes(4), "reserved bytes of an image")
    return {
        "type": 2, "id": identity(element), "asset": identity(asset), "frame": [x, y, width, height],
        "rotation": rotation, "assetLength": length, "assetDigest": digest.hex(),
    }


def read_element(kind, payload):
    if kind == 1:
        return read_stroke(payload)
    if kind == 2:
        return read_image(payload)
    return {"type": kind, "payload": payload.hex()}


def read_page(data):
    need(len(data) >= 84, "shorter than a header")
    (magic, version, header_length, flags, page, count, width, height, crc, generation, body_length, created, modified,
     list_crc) = struct.unpack_from("<8sHHI16sIIIIQQqqI", data)
    need(magic == MAGIC, "magic")
    need(crc32c(data[:44] + bytes(4) + data[48:84]) == crc, "header checksum")
    need((version, header_length, flags) == (1, 84, 0), "version, header length or flags")
    need(84 + body_length == len(data), "body length")
    prefix = magic + page + struct.pack("<Q", generation)
    elements, pairs, offset = [], b"", 84
    while offset < len(data):
        need(offset + 9 < len(data), "cut frame")
        length, frame_crc, kind = struct.unpack_from("<IIB", data, offset)
        payload = data[offset + 9:offset + 9 + length]
        need(length > 0 and len(payload) == length, "length of a frame")
        need(crc32c(prefix + struct.pack("<IB", length, kind) + payload) == frame_crc, "frame checksum")
        elements.append(read_element(kind, payload))
        pairs += data[offset:offset + 8]
        offset += 9 + length
    need(len(elements) == count, "element count")
    need(crc32c(pairs) == list_crc, "frame list checksum")
    return {
        "id": identity(page), "generation": generation, "canvas": [width, height], "created": created,
        "modified": modified, "elements": elements,
    }


def read_change(kind, payload):
    if kind == 16:
        need(len(payload) == 16, "length of a removal")
        return {"type": 16, "id": identity(payload)}
    if kind == 17:
        need(len(payload) > 17 and payload[16] in (1, 2), "payload of a replacement")
        return {"type": 17, "id": identity(payload[:16]), "with": read_element(payload[16], payload[17:])}
    return read_element(kind, payload)


def read_journal(data):
    need(len(data) >= 48, "shorter than a header")
    magic, version, header_length, flags, page, base, base_crc, crc = struct.unpack_from("<8sHHI16sQII", data)
    need(magic == JOURNAL_MAGIC, "magic")
    need(crc32c(data[:44]) == crc, "header checksum")
    need((version, header_length, flags) == (1, 48, 0), "version, header length or flags")
    prefix = magic + page + struct.pack("<Q", base)
    changes, offset = [], 48
    while offset < len(data):
        need(offset + 9 < len(data), "cut frame")
        length, frame_crc, kind = struct.unpack_from("<IIB", data, offset)
        payload = data[offset + 9:offset + 9 + length]
        need(length >= 8 and len(payload) == length, "length of a frame")
        need(crc32c(prefix + struct.pack("<IB", length, kind) + payload) == frame_crc, "frame checksum")
        need(struct.unpack_from("<Q", payload)[0] == len(changes) + 1, "number of a change")
        changes.append(read_change(kind, payload[8:]))
        offset += 9 + length
    return {"page": identity(page), "base": base, "baseChecksum": base_crc, "changes": changes}


def salvage_page(data, page, generation):
    """Every place is tried: slow, but there is nothing to get wrong."""
    before = crc32c(MAGIC + page + struct.pack("<Q", generation))
    elements, offset = [], 0
    while offset + 9 < len(data):
        length, frame_crc, kind = struct.unpack_from("<IIB", data, offset)
        end = offset + 9 + length
        offset += 1
        if kind not in (1, 2) or length < 32 or end > len(data):
            continue
        if kind == 1 and length != 32 + 16 * struct.unpack_from("<I", data, offset + 36)[0]:
            continue
        payload = data[offset + 8:end]
        if crc32c(struct.pack("<IB", length, kind) + payload, before) == frame_crc:
            elements.append(read_element(kind, payload))
            offset = end
    return elements


def words(element):
    """What tells an element from others: its identity, and what can be seen of it."""
    if element["type"] == 1:
        samples = element["samples"]
        return f"{element['id']} {element['rgba']} {len(samples)} {sum(map(sum, samples))}"
    if element["type"] == 2:
        place = sum(element["frame"]) + element["rotation"]
        return f"{element['id']} {element['asset']} {place} {element['assetLength']} {element['assetDigest']}"
    return element["payload"]


def no_duplicates(pairs):
    need(len(pairs) == len({key for key, _ in pairs}), "duplicate key")
    return dict(pairs)


def read_record(data):
    beginning = b'{\n  "checksum": "'
    need(data.startswith(beginning), "beginning of a record")
    digits = data[17:25]
    need(all(digit in b"0123456789abcdef" for digit in digits) and len(digits) == 8, "checksum digits")
    need(crc32c(data[:17] + b"00000000" + data[25:]) == int(digits, 16), "record checksum")
    try:
        record = json.loads(data.decode("utf-8"), object_pairs_hook=no_duplicates)
    except ValueError as error:
        raise Damage(f"no JSON: {error}") from error
    need(record.pop("formatVersion", None) == 1, "format version")
    del record["checksum"]
    return record


def read_file(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        if path.endswith(".journal"):
            return read_journal(data)
        return read_page(data) if path.endswith(".content") else read_record(data)
    except Damage as damage:
        return {"error": str(damage)}


def read_package(path):
    names = sorted(name for name in os.listdir(os.path.join(path, "pages")) if not name.startswith("."))
    return {
        "document": read_file(os.path.join(path, "document.json")),
        "manifest": read_file(os.path.join(path, "manifest.json")),
        "pages": {name: read_file(os.path.join(path, "pages", name)) for name in names},
    }


def main(arguments):
    if not arguments or arguments == ["--files"]:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--elements":
        for path in arguments[1:]:
            elements = read_file(path).get("elements")
            print(json.dumps(elements if elements is None else [words(element) for element in elements]))
        return 0
    if arguments[0] == "--salvage":
        page, generation = uuid.UUID(arguments[1]).bytes, int(arguments[2])
        for path in arguments[3:]:
            with open(path, "rb") as file:
                print(json.dumps(salvage_page(file.read(), page, generation)))
        return 0
    read, paths = (read_file, arguments[1:]) if arguments[0] == "--files" else (read_package, arguments)
    for path in paths:
        print(json.dumps(read(path), sort_keys=True))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
