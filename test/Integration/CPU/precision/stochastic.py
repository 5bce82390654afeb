# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Stochastic rounding, bit for bit, with Philox written out in NumPy; and T49."""

import numpy

from lowfloat import FORMATS, TF32, TYPES, Runner, all_codes, boundaries, round_to, tensor

SEED = 20260930
run = Runner()


def stream_key(seed, name):
    mask = 2**64 - 1
    value = 0xCBF29CE484222325
    for byte in (seed % 2**64).to_bytes(8, "little") + name.encode():
        value = (value ^ byte) * 0x100000001B3 & mask
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & mask
    value = (value ^ value >> 27) * 0x94D049BB133111EB & mask
    value ^= value >> 31
    return value & 0xFFFFFFFF, value >> 32


def first_words(count, step, key):
    """w[0] for the elements 0 ... count - 1."""
    element = numpy.arange(count, dtype=numpy.uint64)
    low32 = numpy.uint64(0xFFFFFFFF)
    shift = numpy.uint64(32)
    step = numpy.full(count, step % 2**64, numpy.uint64)
    c = [element & low32, element >> shift, step & low32, step >> shift]
    k = list(key)
    for _ in range(10):
        p0, p1 = numpy.uint64(0xD2511F53) * c[0], numpy.uint64(0xCD9E8D57) * c[2]
        c = [(p1 >> shift) ^ c[1] ^ numpy.uint64(k[0]), p1 & low32,
             (p0 >> shift) ^ c[3] ^ numpy.uint64(k[1]), p0 & low32]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c[0]


def check(name, x, target, step, seed, stream, overflow, tf32=""):
    source = {value: key for key, value in TYPES.items()}[x.dtype]
    row = TF32 if tf32 else FORMATS[target]
    body = (f'  %r0 = cma.cast %0{tf32} round(stochastic, %1, seed = {seed}, stream = "{stream}")'
            f" overflow({overflow}) : {tensor(source, x.shape)} to {tensor(target, x.shape)}")
    got = run.call(name, body, [x, numpy.array(step, numpy.int64)], [tensor(target, x.shape)])
    if not got:
        return
    words = first_words(x.size, step, stream_key(seed, stream)).reshape(x.shape)

    def up(part):
        cut = numpy.floor(part * 2.0**32).astype(numpy.float64)
        return (words.astype(numpy.float64) < cut).astype(numpy.float64)

    run.expect(name, got[0], round_to(x, row, "stochastic", overflow, up), x)


def operands(rng, source, target):
    dtype = TYPES[source]
    if dtype.itemsize <= 2:
        return all_codes(source)
    low = target if TYPES[target].itemsize <= 2 else "f16"
    points = boundaries(low, dtype)
    rng.shuffle(points)
    bits = rng.integers(0, 2**64 - 1, 5000, dtype=numpy.uint64).view(f"u{dtype.itemsize}")
    special = numpy.array([numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0], dtype)
    return numpy.concatenate([points[:20001], bits.view(dtype), special])


def bit_for_bit():
    rng = numpy.random.default_rng(SEED)
    pairs = [(source, target) for source in FORMATS for target in FORMATS if source != target]
    for number, (source, target) in enumerate(pairs):
        x = operands(rng, source, target)
        overflow = ("ieee", "saturate")[number % 2]
        check(f"{source}_to_{target}", x, target, int(rng.integers(-2**63, 2**63)),
              int(rng.integers(-2**63, 2**63)), f"w.{number}", overflow)
    check("to_tf32", operands(rng, "f32", "f16"), "f32", 3, 9, "t", "ieee", " tf32")
    # Rows in tiles of a batch, and in several threads: the noise is the element's.
    check("tiles", rng.standard_normal((300, 41), dtype=numpy.float32), "bf16", 2**40 + 1, 5, "x", "ieee")


def probability():
    """T49: 1 + 2^-9 rounds up in one case of four, 1 + 3 2^-9 in three."""
    count = 40000
    for name, value, share in (("T49_quarter", 1 + 2**-9, 0.25), ("T49_three", 1 + 3 * 2**-9, 0.75),
                               ("T49_exact", 1.0078125, 1.0)):
        x = numpy.full(count, value, numpy.float32)
        body = (f'  %r0 = cma.cast %0 round(stochastic, %1, seed = 1, stream = "w") : {tensor("f32", x.shape)}'
                f" to {tensor('bf16', x.shape)}")
        got = run.call(name, body, [x, numpy.array(0, numpy.int64)], [tensor("bf16", x.shape)])
        if not got:
            continue
        y = got[0].astype(numpy.float64)
        # Five standard deviations of the mean.
        ups, slack = (y == 1.0078125).mean(), 5 * (share * (1 - share) / count) ** 0.5
        if not set(y) <= {1.0, 1.0078125} or abs(ups - share) > slack:
            run.fail(f"{name}: expected a share of {share} +- {slack}, got {ups}")
    special = numpy.array([0x7F800001, 0x7F7FFFFF], numpy.uint32).view(numpy.float32)
    check("T49_special", special, "bf16", 0, 1, "w", "saturate")


bit_for_bit()
probability()
run.finish()
