# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes and prints safetensors files, with the standard library alone.

tensors.py write FILE NAME:DTYPE:SHAPE=VALUES...   SHAPE is 2x3, or - for a scalar;
                                                   VALUES are a,b,c or one for all
tensors.py print FILE                              one line a tensor, by name
tensors.py raw FILE HEADER BYTES                   a header as it stands, and zeros
"""

import json
import struct
import sys

CODES = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "B"}


def parse(text):
    """NAME:DTYPE:SHAPE=VALUES -> name, dtype, shape, bytes."""
    head, _, values = text.partition("=")
    name, dtype, shape = head.rsplit(":", 2)
    shape = [] if shape == "-" else [int(extent) for extent in shape.split("x")]
    count = 1
    for extent in shape:
        count *= extent
    convert = float if dtype[0] == "F" else int
    values = [convert(value) for value in values.split(",")] if values else []
    if len(values) == 1:
        values *= count
    assert len(values) == count, text
    return name, dtype, shape, struct.pack("<%d%s" % (count, CODES[dtype]), *values)


def write(path, *specs):
    header, data = {}, b""
    for name, dtype, shape, content in map(parse, specs):
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    raw(path, json.dumps(header), data)


def raw(path, header, data):
    data = bytes(int(data)) if isinstance(data, str) else data
    with open(path, "wb") as stream:
        stream.write(struct.pack("<Q", len(header.encode())) + header.encode() + data)


def split(path):
    """The header, and the bytes behind it."""
    with open(path, "rb") as stream:
        content = stream.read()
    (length,) = struct.unpack("<Q", content[:8])
    assert length % 8 == 0, "the data starts at a multiple of 8"
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def show(path):
    header, data = split(path)
    for name in sorted(set(header) - {"__metadata__"}):
        entry = header[name]
        begin, end = entry["data_offsets"]
        code = CODES[entry["dtype"]]
        values = struct.unpack("<%d%s" % ((end - begin) // struct.calcsize(code), code), data[begin:end])
        shape = "x".join(map(str, entry["shape"])) or "-"
        print("%s:%s:%s=%s" % (name, entry["dtype"], shape, ",".join("%g" % v for v in values)))


if __name__ == "__main__":
    {"write": write, "print": show, "raw": raw}[sys.argv[1]](*sys.argv[2:])
