# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: ml_dtypes, numpy, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""Random contractions of f16, bf16 and f8 operands in any mixture.

With operands that are whole numbers every product and every sum is exact in f32:
the result is the exact one, rounded once, bit for bit. With others the error of the
sum of K terms is at most 2 K 2^-23 times the sum of the absolute products, and half
a unit of the result's last place is added.
"""

import random

import numpy

from lowfloat import FORMATS, TYPES, Runner, round_to, tensor, wide

SEED = 20260930
CASES = 60
LOW = ["f16", "bf16", "f8E4M3FN", "f8E5M2"]
EQUATIONS = ["ij,jk->ik", "bi,ij->bj", "ij,ij->", "i,j->ij", "bij,bjk->bik", "bij,jkl->bikl", "ij->j",
             "ij->ji", "ii->i", "ij->", "ij,ik,kl->jl", "bi,ia,aj,jc->bc", "ij,kj->ik", "ab,ab->ab"]
run = Runner()


def draw(rng, shape, kind, whole):
    if whole:
        return rng.integers(-4, 5, shape).astype(TYPES[kind])
    return rng.standard_normal(shape).astype(TYPES[kind])


def inside(got, low, high):
    """NaN only where a bound is one: f8E4M3FN has no infinity."""
    nan = numpy.isnan(low) | numpy.isnan(high)
    with numpy.errstate(invalid="ignore"):
        return nan | ((got >= low) & (got <= high))


def check(number, rng, dice):
    equation = EQUATIONS[number % len(EQUATIONS)]
    operands, result = equation.split("->")
    operands = operands.split(",")
    large = number % 3 == 0 and len(operands) <= 2
    sizes = {c: dice.randint(1, 70 if large else 9) for c in equation if c.isalpha()}
    whole = number % 2 == 0
    kinds = [dice.choice(LOW + ["f32"]) for _ in operands]
    kinds[0] = dice.choice(LOW)
    target = dice.choice(LOW + ["f32"])
    values = [draw(rng, tuple(sizes[c] for c in o), k, whole) for o, k in zip(operands, kinds)]
    shape = tuple(sizes[c] for c in result)
    wides = [wide(v) for v in values]
    exact = numpy.einsum(equation, *wides)
    name = f"case_{number}"
    names = ", ".join(f"%{i}" for i in range(len(values)))
    types = ", ".join(tensor(k, v.shape) for k, v in zip(kinds, values))
    body = f'  %r0 = cma.contract "{equation}" ({names}) : ({types}) -> {tensor(target, shape)}'
    got = run.call(name, body, values, [tensor(target, shape)])
    if not got:
        return
    what = f"{name} {equation} {sizes} {kinds} -> {target}"
    row = FORMATS[target]
    if whole and len(operands) <= 2:
        run.expect(what, got[0], round_to(exact, row))
        return
    # Each pairwise step of a longer one rounds, too.
    terms = numpy.prod([n for c, n in sizes.items() if c not in result], dtype=float)
    total = numpy.einsum(equation, *[numpy.abs(w) for w in wides])
    slack = 2 * terms * 2.0**-23 * total
    if len(operands) > 2:
        slack += len(operands) * 2.0**-row[2] * total + numpy.ldexp(terms, row[3] - row[2])
    run.checks += got[0].size
    low, high = wide(round_to(exact - slack, row)), wide(round_to(exact + slack, row))
    if not inside(wide(got[0]), low, high).all():
        run.fail(f"{what}: expected {low} to {high}, got {got[0]}")


def main():
    print(f"seed {SEED}")
    rng, dice = numpy.random.default_rng(SEED), random.Random(SEED)
    for number in range(CASES):
        check(number, rng, dice)
    run.finish()


main()
