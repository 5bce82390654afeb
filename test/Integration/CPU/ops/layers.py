# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: env PYTHONPATH=%S/Inputs %python %s --cma-run %cma_tools_dir/cma-run --work %t
"""The linear layers against their dense matrices in NumPy."""

import numpy

from opcheck import EPSILON, Checker, wide

check = Checker()


def run_layer(name, x, weights, dense, magnitude, op, types, out, dtype, summed, bias=True):
    """Error `summed` units of the same product of absolute values, where `summed`
    bounds the roundings on the way from the weights to an output."""
    inputs = {"x": x, **weights}
    if bias:
        inputs["b"] = check.normal((out,), dtype)
    leading = "".join(f"{extent}x" for extent in x.shape[:-1])
    result = f"tensor<{leading}{out}x{'f32' if dtype == 'float32' else 'f64'}>"
    got = check.run(name, inputs,
                    f"%y = {op}{' bias(%b)' if bias else ''} : {{x}}, {types}"
                    f"{', {b}' if bias else ''} -> {result}", {"y": result})
    if not got:
        return
    shift = wide(inputs["b"]) if bias else 0
    bound = (summed + 4) * EPSILON[dtype] * (numpy.abs(wide(x)) @ magnitude + numpy.abs(shift))
    check.close(name, got["y"], wide(x) @ dense + shift, bound)


def chain(cores, gates):
    """The tensor of all modes that a train stands for."""
    tensor = wide(cores[0])
    for k, core in enumerate(cores[1:]):
        if gates:
            tensor = tensor * wide(gates[k])
        tensor = numpy.tensordot(tensor, wide(core), axes=1)
    return tensor[0, ..., 0]


def draw_train(modes, ranks, gated, dtype):
    ranks = [1] + ranks + [1]
    cores = [check.normal((ranks[k], *mode, ranks[k + 1]), dtype) for k, mode in enumerate(modes)]
    gates = [check.normal((rank,), dtype) for rank in ranks[1:-1]] if gated else []
    return cores, gates


def names(letter, values):
    return {f"{letter}{k}": value for k, value in enumerate(values)}


def join(letter, values, text):
    return ", ".join(text.format(f"{letter}{k}") for k in range(len(values)))


def gate_text(gates):
    if not gates:
        return "", ""
    return f" gates({join('d', gates, '%{}')})", f", gates({join('d', gates, '{{{}}}')})"


def run_tt(ins, outs, ranks, batch, gated, dtype):
    name = f"tt_linear_{len(ins)}_{len(outs)}_{max(ranks)}_{len(batch)}_{int(gated)}_{dtype}"
    cores, gates = draw_train([(m,) for m in ins + outs], ranks, gated, dtype)
    shape = (int(numpy.prod(ins)), int(numpy.prod(outs)))
    absolute = [[numpy.abs(v) for v in values] for values in (cores, gates)]
    left, right = cores[:len(ins)], cores[len(ins):]
    op_gates, type_gates = gate_text(gates)
    run_layer(name, check.normal((*batch, shape[0]), dtype),
              {**names("i", left), **names("o", right), **names("d", gates)},
              chain(cores, gates).reshape(shape), chain(*absolute).reshape(shape),
              f"cma.tt_linear %x, ({join('i', left, '%{}')}), ({join('o', right, '%{}')}){op_gates}",
              f"({join('i', left, '{{{}}}')}), ({join('o', right, '{{{}}}')}){type_gates}",
              shape[1], dtype, shape[0] + 2 * sum(ranks))


def run_ttm(ins, outs, ranks, gated, dtype):
    name = f"ttm_linear_{len(ins)}_{int(gated)}_{dtype}"
    cores, gates = draw_train(list(zip(ins, outs)), ranks, gated, dtype)
    shape = (int(numpy.prod(ins)), int(numpy.prod(outs)))
    order = [2 * k for k in range(len(ins))] + [2 * k + 1 for k in range(len(ins))]
    absolute = [[numpy.abs(v) for v in values] for values in (cores, gates)]
    op_gates, type_gates = gate_text(gates)
    run_layer(name, check.normal((9, shape[0]), dtype), {**names("c", cores), **names("d", gates)},
              chain(cores, gates).transpose(order).reshape(shape),
              chain(*absolute).transpose(order).reshape(shape),
              f"cma.ttm_linear %x, ({join('c', cores, '%{}')}){op_gates}",
              f"({join('c', cores, '{{{}}}')}){type_gates}", shape[1], dtype, shape[0] + 2 * sum(ranks))


for element in ("float32", "float64"):
    for leading in ((), (17,), (3, 5), (0,)):
        w = check.normal((6, 10), element)
        run_layer(f"linear_{len(leading)}_{sum(leading)}_{element}", check.normal((*leading, 6), element),
                  {"w": w}, wide(w), numpy.abs(wide(w)), "cma.linear %x, %w", "{w}", 10, element, 6)
    for rank in (0, 1, 7):
        u, v = check.normal((12, rank), element), check.normal((rank, 10), element)
        run_layer(f"low_rank_linear_{rank}_{element}", check.normal((33, 12), element), {"u": u, "v": v},
                  wide(u) @ wide(v), numpy.abs(wide(u)) @ numpy.abs(wide(v)),
                  "cma.low_rank_linear %x, %u, %v", "{u}, {v}", 10, element, 12 + rank, bias=rank != 1)
    run_tt([6], [5], [3], (17,), False, element)
    run_tt([2, 3], [4], [2, 3], (2, 3), True, element)
    run_tt([3], [2, 2, 3], [1, 1, 1], (8,), True, element)
    run_tt([2, 3, 2], [4, 2], [2, 5, 4, 3], (), False, element)
    run_tt([2, 2, 3, 2], [2, 3, 2, 2], [2, 4, 6, 5, 4, 3, 2], (19,), True, element)
    run_tt([1, 4], [5, 1], [1, 3, 1], (7,), True, element)
    run_ttm([6], [5], [], False, element)
    run_ttm([2, 3], [3, 4], [3], True, element)
    run_ttm([2, 3, 2, 2], [3, 1, 2, 2], [2, 3, 4], True, element)
check.finish()
