# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs functions on f16, bf16 and f8 tensors, and says what a cast should give.

The rounding here is done in f64 with powers of two, which is exact: it knows
nothing of the bit tricks in the compiler. ml_dtypes is a second opinion.
"""

import argparse
import json
import os
import struct
import subprocess
import sys

import ml_dtypes
import numpy

#: MLIR name -> safetensors name, numpy type, bits of mantissa, smallest normal
#: exponent, largest finite value, whether there is an infinity.
FORMATS = {
    "f64": ("F64", numpy.dtype("float64"), 52, -1022, float(numpy.finfo("float64").max), True),
    "f32": ("F32", numpy.dtype("float32"), 23, -126, float(numpy.finfo("float32").max), True),
    "f16": ("F16", numpy.dtype("float16"), 10, -14, 65504.0, True),
    "bf16": ("BF16", numpy.dtype(ml_dtypes.bfloat16), 7, -126, 3.3895313892515355e38, True),
    "f8E4M3FN": ("F8_E4M3", numpy.dtype(ml_dtypes.float8_e4m3fn), 3, -6, 448.0, False),
    "f8E5M2": ("F8_E5M2", numpy.dtype(ml_dtypes.float8_e5m2), 2, -14, 57344.0, True),
}
#: A format for casts only: its values are f32.
TF32 = ("F32", numpy.dtype("float32"), 10, -126, 3.4011621342146535e38, True)
TYPES = {name: row[1] for name, row in FORMATS.items()}
FROM_NUMPY = {row[1]: name for name, row in FORMATS.items()}
FROM_NUMPY |= {numpy.dtype("int64"): "i64", numpy.dtype("int32"): "i32"}
STORED = {row[0]: row[1] for row in FORMATS.values()}
STORED |= {"I64": numpy.dtype("int64"), "I32": numpy.dtype("int32"), "BOOL": numpy.dtype("bool")}
NAMES = {dtype: name for name, dtype in STORED.items()}


def save(path, tensors):
    header, parts, offset = {}, [], 0
    for name, array in tensors.items():
        data = numpy.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape),
                        "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
        parts.append(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def load(path):
    with open(path, "rb") as file:
        content = file.read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + length])
    data = content[8 + length:]
    tensors = {}
    for name, info in header.items():
        if name == "__metadata__":
            continue
        begin, end = info["data_offsets"]
        array = numpy.frombuffer(data[begin:end], dtype=STORED[info["dtype"]])
        tensors[name] = array.reshape(info["shape"])
    return tensors


def tensor(element, shape=()):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def type_of(array):
    return tensor(FROM_NUMPY[array.dtype], array.shape)


class Runner:
    """Calls functions with cma-run and counts what is wrong."""

    def __init__(self):
        parser = argparse.ArgumentParser()
        parser.add_argument("--cma-run", required=True)
        parser.add_argument("--cma-opt", help="prepares every function with --passes")
        parser.add_argument("--passes", default="")
        parser.add_argument("--work", required=True)
        self.options = parser.parse_args()
        os.makedirs(self.options.work, exist_ok=True)
        self.errors = 0
        self.checks = 0

    def call(self, name, body, arguments, results, command="call", extra=()):
        """The results of a function whose body names its arguments %0, %1, ... and
        its results %r0, %r1, ...; `results` are their types."""
        path = os.path.join(self.options.work, name)
        head = ", ".join(f"%{i}: {type_of(a)}" for i, a in enumerate(arguments))
        values = ", ".join(f"%r{i}" for i in range(len(results)))
        with open(path + ".mlir", "w") as file:
            file.write(f"func.func @{name}({head}) -> ({', '.join(results)}) {{\n{body}\n"
                       f"  return {values} : {', '.join(results)}\n}}\n")
        if self.options.cma_opt:
            subprocess.run([self.options.cma_opt, path + ".mlir", "-o", path + ".mlir",
                            f"--pass-pipeline=builtin.module(func.func({self.options.passes}))"], check=True)
        save(path + ".in", {str(i): a for i, a in enumerate(arguments)})
        run = subprocess.run([self.options.cma_run, command, path + ".mlir", "--inputs", path + ".in",
                              "--outputs", path + ".out", *extra],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            self.fail(f"{name}: {run.stderr}")
            return None
        tensors = load(path + ".out")
        return tensors if command != "call" else [tensors[str(i)] for i in range(len(results))]

    def fail(self, message):
        self.errors += 1
        print("error:", message, file=sys.stderr)

    def expect(self, name, got, want, inputs=None):
        """Equal bits, or both a NaN."""
        self.checks += got.size
        if got.dtype != want.dtype or got.shape != want.shape:
            self.fail(f"{name}: expected {want.dtype} {want.shape}, got {got.dtype} {got.shape}")
            return
        bits = numpy.dtype(f"u{got.dtype.itemsize}")
        wrong = numpy.ascontiguousarray(got).view(bits) != numpy.ascontiguousarray(want).view(bits)
        with numpy.errstate(invalid="ignore"):
            wrong &= ~(numpy.isnan(got) & numpy.isnan(want))
        for i in numpy.argwhere(wrong)[:5]:
            i = tuple(i)
            given = "" if inputs is None else f" for {inputs[i]!r}"
            self.fail(f"{name}: at {i}{given}: expected {want[i]!r}, got {got[i]!r}")
        if wrong.sum() > 5:
            self.fail(f"{name}: {wrong.sum()} wrong of {got.size}")

    def finish(self):
        print(f"{self.checks} values, {self.errors} errors")
        sys.exit(1 if self.errors or not self.checks else 0)


def wide(array):
    with numpy.errstate(invalid="ignore"):
        return array.astype(numpy.float64)


def scales(x, row):
    """The distance of the values around each x, as an exponent."""
    _, exponent = numpy.frexp(numpy.where(numpy.isfinite(x), x, 1.0))
    return numpy.maximum(exponent - 1, row[3]) - row[2]


def round_to(array, row, mode="nearest_even", overflow="ieee", up=None):
    """What a cast of `array` to the format `row` gives, in its numpy type. For
    stochastic rounding `up` says, of the part that is cut off, what rounds up."""
    x = wide(array)
    with numpy.errstate(over="ignore", invalid="ignore", under="ignore"):
        scale = scales(x, row)
        units = numpy.ldexp(x, -scale)  # exact: no target is finer than f64
        if mode == "nearest_even":
            units = numpy.rint(units)
        elif mode == "toward_zero":
            units = numpy.trunc(units)
        else:
            whole = numpy.trunc(units)
            units = whole + numpy.copysign(up(numpy.abs(units - whole)), x)
        y = numpy.copysign(numpy.ldexp(units, scale), x)
        largest, infinity = row[4], (numpy.inf if row[5] else numpy.nan)
        beyond = numpy.abs(y) > largest
        over = numpy.full(x.shape, largest if overflow == "saturate" else infinity)
        if mode == "toward_zero":
            over = numpy.where(numpy.isfinite(x), largest, over)
        y = numpy.where(beyond, numpy.copysign(over, x), y)
        y = numpy.where(numpy.isnan(x), numpy.nan, y)
        return y.astype(row[1])


def all_codes(name):
    """Every value of a format of at most 16 bits."""
    dtype = TYPES[name]
    return numpy.arange(2 ** (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}").view(dtype)


def boundaries(name, dtype):
    """The values of a narrow format, the points half way between neighbours and
    beyond the largest one, and what lies just beside them in `dtype`."""
    codes = wide(all_codes(name))
    positive = numpy.unique(codes[numpy.isfinite(codes) & (codes >= 0)])
    step = positive[-1] - positive[-2]
    beyond = positive[-1] + step * numpy.array([0.5, 1.0, 1.5, 2.0])
    middles = (positive[1:] + positive[:-1]) / 2
    with numpy.errstate(over="ignore"):
        points = numpy.concatenate([positive, middles, beyond]).astype(dtype)
    points = numpy.concatenate([points, numpy.nextafter(points, dtype.type(numpy.inf)),
                                numpy.nextafter(points, dtype.type(0))])
    return numpy.concatenate([points, -points])
