# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
# The same where the target has no instructions for f16.
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t \
# RUN:   --cma-opt %cma_tools_dir/cma-opt --passes "convert-cma-to-linalg,cma-legalize-floats{f16-instructions=false}"
"""Every cast between two types, both roundings, both overflows.

Operands: every code of f16, bf16 and the f8 types; in f32 and f64 every value of
these types, every point half way between two of them and around the overflow, each
with its neighbours, the same for a sample of f32 and tf32, and random bits. Bit for
bit, except that any NaN stands for any other.
"""

import numpy

from lowfloat import FORMATS, TF32, TYPES, Runner, all_codes, boundaries, round_to, tensor

SEED = 20260930
run = Runner()


def half_ways(rng, bits, dtype, count):
    """Points half way between neighbours of f32 or tf32: `bits` below the last
    kept one, and their neighbours, as `dtype`."""
    kept = rng.integers(0, 2**32, count, dtype=numpy.uint32)
    kept &= numpy.uint32((0xFFFFFFFF << bits) & 0xFFFFFFFF)
    with numpy.errstate(invalid="ignore"):
        low = kept.view(numpy.float32).astype(numpy.float64)
        high = (kept + numpy.uint32(1 << bits)).view(numpy.float32).astype(numpy.float64)
        middle = ((low + high) / 2).astype(dtype)
        middle = middle[numpy.isfinite(middle)]
    return numpy.concatenate([middle, numpy.nextafter(middle, dtype.type(numpy.inf)),
                              numpy.nextafter(middle, dtype.type(-numpy.inf))])


def operands(name):
    dtype = TYPES[name]
    if dtype.itemsize <= 2:
        return all_codes(name)
    rng = numpy.random.default_rng(SEED)
    random = rng.integers(0, 2**64 - 1, 40000, dtype=numpy.uint64, endpoint=True)
    special = numpy.array([0.0, -0.0, numpy.inf, -numpy.inf, numpy.nan, -numpy.nan], dtype)
    bits = numpy.dtype(f"u{dtype.itemsize}")
    # A NaN whose payload is only in the last bits, and the smallest values.
    odd = numpy.array([0x7F800001, 1, 2, 0x7FFFFF, 0x800000], numpy.uint32).view(numpy.float32)
    parts = [boundaries(low, dtype) for low in ("f16", "bf16", "f8E4M3FN", "f8E5M2")]
    with numpy.errstate(invalid="ignore"):
        parts += [half_ways(rng, 13, dtype, 20000), special, odd.astype(dtype), random.view(bits).view(dtype)]
    if name == "f64":
        parts += [half_ways(rng, 0, dtype, 20000), numpy.array([1e300, -1e300, 5e-324, 1e-310])]
    x = numpy.concatenate(parts)
    with numpy.errstate(over="ignore", invalid="ignore"):
        return x[:x.size // 2 * 2 - 1]  # an odd number: vectors have a tail


def check_ml_dtypes(source, target, x, want):
    """The oracle against ml_dtypes, for nearest even and ieee."""
    if source == "f64":  # rounded to f32 first there
        return
    with numpy.errstate(over="ignore", invalid="ignore"):
        run.expect(f"oracle_{source}_{target}", want, x.astype(TYPES[target]), x)


def check_source(source):
    x = operands(source)
    cases = [(target, FORMATS[target], "") for target in FORMATS]
    if source == "f32":
        cases.append(("f32", TF32, " tf32"))
    body, results, wanted = "", [], []
    for target, row, tf32 in cases:
        for mode in ("nearest_even", "toward_zero"):
            for overflow in ("ieee", "saturate"):
                body += (f"  %r{len(results)} = cma.cast %0{tf32} round({mode}) overflow({overflow})"
                         f" : {tensor(source, x.shape)} to {tensor(target, x.shape)}\n")
                results.append(tensor(target, x.shape))
                want = round_to(x, row, mode, overflow)
                wanted.append((f"{source}_to_{target}{tf32}_{mode}_{overflow}", want))
                if (mode, overflow) == ("nearest_even", "ieee") and not tf32:
                    check_ml_dtypes(source, target, x, want)
    got = run.call(f"from_{source}", body, [x], results)
    for value, (name, want) in zip(got or [], wanted):
        run.expect(name, value, want, x)


for name in FORMATS:
    check_source(name)
run.finish()
