# Part of the CMA project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# REQUIRES: numpy, safetensors, cma-run
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %cma_tools_dir %examples %t
"""Results and gradients of whole models against NumPy, written by hand, in f64:
the largest error is at most 1e-12 of the largest element."""

import os
import subprocess
import sys

import numpy as np
from safetensors.numpy import load_file, save_file

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "Inputs"))
import reference as ref  # noqa: E402

SEED = 20261130
BOUND = 1e-12


def everything(p):
    """Inputs/everything.mlir: (results, gradients by name)."""
    cores, gates = [p[f"g{k}"] for k in range(4)], [p[f"d{k}"] for k in range(3)]
    y, pull_tt = ref.tt_linear(p["x"], cores, gates, p["b"])
    y, pull_gelu = ref.gelu(y)
    y, pull_norm = ref.layer_norm(y, p["scale"], p["shift"], 1e-5)
    y, pull_ttm = ref.ttm_linear(y, [p["m0"], p["m1"]], [p["e0"]], p["mb"])
    y, pull_tanh = ref.gelu_tanh(y)
    y, pull_low = ref.low_rank_linear(y, p["u"], p["v"], p["vb"])
    y, pull_relu = ref.relu(y)
    logits, pull_linear = ref.affine(y, p["w"], p["wb"])
    entropy, pull_entropy = ref.cross_entropy(logits, p["label"], ignore=-1)
    chances, pull_softmax = ref.softmax(logits)
    error, pull_mse = ref.mse(chances, p["target"])

    g = {}
    dchances = pull_mse(1.0)
    g["target"] = -dchances
    d = pull_entropy(1.0) + pull_softmax(dchances)
    d, g["w"], g["wb"] = pull_linear(d)
    d, g["u"], g["v"], g["vb"] = pull_low(pull_relu(d))
    d, (g["m0"], g["m1"]), (g["e0"],), g["mb"] = pull_ttm(pull_tanh(d))
    d, g["scale"], g["shift"] = pull_norm(d)
    g["x"], dcores, dgates, g["b"] = pull_tt(pull_gelu(d))
    g.update({f"g{k}": d for k, d in enumerate(dcores)})
    g.update({f"d{k}": d for k, d in enumerate(dgates)})
    return [entropy + error, logits], g


def digits_tt(p):
    """examples/digits/tt.mlir."""

    def cores(layer):
        return [p[f"{layer}.core{k}"] for k in range(4)]

    y, pull1 = ref.tt_linear(p["image"], cores("layer1"), (), p["layer1.bias"])
    y, pull_relu1 = ref.relu(y)
    y, pull2 = ref.tt_linear(y, cores("layer2"), (), p["layer2.bias"])
    y, pull_relu2 = ref.relu(y)
    logits, pull3 = ref.affine(y, p["layer3.weight"], p["layer3.bias"])
    loss, pull_loss = ref.cross_entropy(logits, p["label"])

    g = {}
    d, g["layer3.weight"], g["layer3.bias"] = pull3(pull_loss(1.0))
    d, dcores2, _, g["layer2.bias"] = pull2(pull_relu2(d))
    _, dcores1, _, g["layer1.bias"] = pull1(pull_relu1(d))
    g.update({f"layer1.core{k}": d for k, d in enumerate(dcores1)})
    g.update({f"layer2.core{k}": d for k, d in enumerate(dcores2)})
    return [loss, logits], g


def comera_layer(p):
    """examples/layers: one tensor-train layer with gates and bias."""
    cores, gates = [p[f"core{k}"] for k in range(1, 7)], [p[f"gate{k}"] for k in range(1, 6)]
    y, pull = ref.tt_linear(p["x"], cores, gates, p["bias"])
    g = {}
    _, dcores, dgates, g["bias"] = pull(p["cotangent"])
    g.update({f"core{k}": d for k, d in enumerate(dcores, 1)})
    g.update({f"gate{k}": d for k, d in enumerate(dgates, 1)})
    return [y], g


def train_inputs(rng, shapes, std):
    """Cores whose product has about the deviation `std`."""
    return {
        name: rng.standard_normal(shape) * std ** (1 / len(shapes)) / np.sqrt(shape[-1])
        for name, shape in shapes.items()
    }


def everything_inputs(rng):
    shapes = {
        "x": (7, 12), "target": (7, 4), "g0": (1, 3, 2), "g1": (2, 4, 3), "g2": (3, 2, 3),
        "g3": (3, 4, 1), "d0": (2,), "d1": (3,), "d2": (3,), "b": (8,), "scale": (8,),
        "shift": (8,), "m0": (1, 2, 3, 2), "m1": (2, 4, 2, 1), "e0": (2,), "mb": (6,),
        "u": (6, 2), "v": (2, 5), "vb": (5,), "w": (5, 4), "wb": (4,),
    }  # fmt: skip
    inputs = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    return inputs | {"label": np.array([0, 3, -1, 1, 2, -1, 3])}


def digits_inputs(rng):
    shapes1 = {"core0": (1, 8, 8), "core1": (8, 8, 16), "core2": (16, 32, 8), "core3": (8, 16, 1)}
    shapes2 = {"core0": (1, 16, 8), "core1": (8, 32, 12), "core2": (12, 32, 8), "core3": (8, 16, 1)}
    inputs = {f"layer1.{n}": a for n, a in train_inputs(rng, shapes1, 0.177).items()}
    inputs |= {f"layer2.{n}": a for n, a in train_inputs(rng, shapes2, 0.0625).items()}
    for name, shape in {"layer1.bias": (512,), "layer2.bias": (512,), "layer3.bias": (10,),
                        "layer3.weight": (512, 10)}.items():  # fmt: skip
        inputs[name] = 0.05 * rng.standard_normal(shape)
    inputs["image"] = rng.standard_normal((33, 64))
    inputs["label"] = rng.integers(0, 10, 33)
    return inputs


def comera_inputs(rng, modes, ranks):
    ranks = (1, *ranks, 1)
    shapes = {f"core{k + 1}": (ranks[k], modes[k], ranks[k + 1]) for k in range(6)}
    inputs = train_inputs(rng, shapes, 0.02)
    inputs |= {f"gate{k}": rng.uniform(0.5, 1.5, ranks[k]) for k in range(1, 6)}
    features = int(np.prod(modes[3:]))
    inputs["bias"] = rng.standard_normal(features)
    inputs["x"] = rng.standard_normal((37, 768))
    inputs["cotangent"] = rng.standard_normal((37, features))
    return inputs


def run(tools, work, name, path, inputs):
    """What cma-run grad writes for the model in f64."""
    stem = os.path.join(work, name)
    retype = [os.path.join(tools, "cma-opt"), "--cma-retype=from=f32 to=f64", path]
    subprocess.run([*retype, "-o", stem + ".mlir"], check=True)
    contiguous = {key: np.ascontiguousarray(array) for key, array in inputs.items()}
    save_file(contiguous, stem + ".in.safetensors")
    command = [os.path.join(tools, "cma-run"), "grad", stem + ".mlir"]
    files = ["--inputs", stem + ".in.safetensors", "--outputs", stem + ".out.safetensors"]
    subprocess.run(command + files, check=True)
    return load_file(stem + ".out.safetensors")


def error(got, want):
    want = np.asarray(want)
    if got.shape != want.shape or got.dtype != np.float64:
        return float("inf")
    return np.abs(got - want).max() / max(np.abs(want).max(), 1e-300)


def main():
    tools, examples, work = sys.argv[1:]
    layers = os.path.join(examples, "layers")
    attention = ((12, 8, 8, 8, 8, 12), (12, 30, 30, 30, 12))
    ffn = ((12, 8, 8, 12, 16, 16), (12, 30, 30, 30, 16))
    cases = [
        ("everything", os.path.join(HERE, "Inputs", "everything.mlir"), everything,
         everything_inputs),
        ("digits", os.path.join(examples, "digits", "tt.mlir"), digits_tt, digits_inputs),
        ("attention", os.path.join(layers, "attention_768x768.mlir"), comera_layer,
         lambda rng: comera_inputs(rng, *attention)),
        ("ffn", os.path.join(layers, "ffn_768x3072.mlir"), comera_layer,
         lambda rng: comera_inputs(rng, *ffn)),
    ]  # fmt: skip
    print("seed", SEED)
    failures = 0
    for name, path, model, make_inputs in cases:
        inputs = make_inputs(np.random.default_rng(SEED))
        results, gradients = model(inputs)
        want = {str(k): r for k, r in enumerate(results)}
        want |= {f"grad.{key}": g for key, g in gradients.items()}
        got = run(tools, work, name, path, inputs)
        assert sorted(got) == sorted(want), (sorted(got), sorted(want))
        errors = {key: error(got[key], want[key]) for key in want}
        wrong = {key: e for key, e in errors.items() if not e <= BOUND}
        print(f"{name}: {len(errors)} tensors, largest error {max(errors.values()):.1e}", wrong)
        failures += len(wrong)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
